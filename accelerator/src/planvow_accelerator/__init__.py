"""The innermost loop of planvow's HDDL estimates in C, used where it is installed; plans are the same without it."""

from __future__ import annotations

from array import array
from itertools import accumulate, chain
from typing import Any

from planvow_accelerator._relaxation import ffi, lib

FORMAT = 2
"""Of the rules and of what is done with them: `planvow.hddl.grounded.relaxation.FORMAT`."""


class Relaxation:
    """Estimates over one set of rules, as `planvow.hddl.grounded.relaxation` specifies them."""

    def __init__(self, rules: Any) -> None:
        bodies, heads, owners, negated = (
            _numbers(chain.from_iterable(rules.bodies)),
            _numbers(chain.from_iterable(rules.heads)),
            _numbers(rules.owners),
            _numbers(rules.negated),
        )
        body_starts = _numbers(accumulate(map(len, rules.bodies), initial=0))
        head_starts = _numbers(accumulate(map(len, rules.heads), initial=0))
        made = lib.relaxation_new(
            rules.atoms,
            len(rules.bodies),
            *map(_view, (body_starts, bodies, head_starts, heads, owners)),
            len(negated),
            _view(negated),
            rules.first_false,
        )
        if made == ffi.NULL:
            raise MemoryError
        self._made = ffi.gc(made, lib.relaxation_free)
        self._state_bytes = rules.first_false // 8 + 1
        self._below_bytes = max(rules.owners, default=0) // 8 + 1
        self._below_mask = (1 << self._below_bytes * 8) - 1
        self._work = ffi.new("int64_t *")

    @property
    def work(self) -> int:
        """Conditions of rules met so far: the measure of effort."""
        return int(self._work[0])

    def estimate(self, state: int, goals: list[int], below: int) -> int:
        """Return the size of a relaxed plan from a state to all goals, a goal listed twice counted once more."""
        held = state.to_bytes(self._state_bytes, "little")
        allowed = (below & self._below_mask).to_bytes(self._below_bytes, "little")
        estimate: int = lib.relaxation_estimate(self._made, held, allowed, goals, len(goals), self._work)
        return estimate

    def supporter(self, atom: int) -> int:
        """Return the rule that first made a goal true in the last estimate; negative where none did."""
        rule: int = lib.relaxation_supporter(self._made, atom)
        return rule


def _numbers(values: Any) -> array[int]:
    return array("i", values)


def _view(values: array[int]) -> Any:
    return ffi.from_buffer("int32_t[]", values)
