"""Numbers for what a certificate names: a solver knows nothing else."""

from __future__ import annotations

import json
from typing import Any

from planvow.canonical import canonical_json


class Numbers:
    """Gives equal things equal numbers, from 1 on."""

    def __init__(self) -> None:
        self._known: dict[str, int] = {}

    def __call__(self, value: Any) -> int:
        return self._known.setdefault(canonical_json(value), len(self._known) + 1)

    def alike(self, value: Any) -> set[int]:
        """Return the numbers of what Python holds to be equal to this: 1 and true."""
        return {number for known, number in self.known() if known == value}

    def known(self) -> list[tuple[Any, int]]:
        """Return everything that has a number, with it."""
        return [(json.loads(text), number) for text, number in self._known.items()]
