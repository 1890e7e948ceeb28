"""What reading an act answers: goals it is sure of, a doubt with sentences that could have been meant, or that it is
no reading at all."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from planvow.goals.grammar.words import words_of
from planvow.goals.values.values import ToolGoal


@dataclass(frozen=True, kw_only=True)
class Doubt:
    """Not sure: why, and what could have been meant."""

    reason: str
    choices: tuple[str, ...] = ()
    """Sentences. Only those that are understood are shown."""
    yields: bool = False
    """Gives way to a sure reading that costs about the same."""


Reading = tuple[ToolGoal, ...] | Doubt | None
"""None: these words cannot be read so here."""

VAGUE = words_of("all anything everything it itself one other something that them themselves there this")


def one_of(names: Iterable[str]) -> str:
    """Return a pattern for any of some names, longer ones first."""
    return "|".join(re.escape(name) for name in sorted(names, key=lambda name: (-len(name), name)))
