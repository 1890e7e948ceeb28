"""Relations between two activities, after Allen (1983), as constraints between their starts and ends.

An activity is anything with a start and an end; here it is only a reference, and the caller says which points
belong to it. `within` ties one activity to absolute times. Zero is a legal time: "not given" is None, never 0.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, ClassVar

from planvow.temporal.durations import parse_duration
from planvow.temporal.stn import ORIGIN, Constraint, Point

START, END = "start", "end"
Side = tuple[str, str]  # which activity ("a", "b" or ORIGIN), and which of its ends


@dataclass(frozen=True, kw_only=True)
class Relation:
    """`kind` between activities `a` and `b`; `within` limits `a` alone, by `lo` at its start and `hi` at its end.

    >>> before("wash", "dry", gap="PT5M").kind
    'before'
    """

    is_plan_constraint: ClassVar[bool] = True
    """Lets a method put relations into its decomposition, beside the items they are about."""

    kind: str
    a: Hashable
    b: Hashable | None = None
    lo: int | None = 0
    hi: int | None = None

    @property
    def activities(self) -> tuple[Hashable, ...]:
        """What the relation is about: one activity or two."""
        return (self.a,) if self.b is None else (self.a, self.b)

    @property
    def name(self) -> str:
        """How a conflict speaks of it: `before(wash, dry)`."""
        return f"{self.kind}({', '.join(_show(activity) for activity in self.activities)})"

    def constraints(self, point: Callable[[Hashable, str], Point]) -> tuple[Constraint, ...]:
        """Return what the relation demands; `point(activity, "start"|"end")` names the points."""
        if self.kind == "within":
            limits = ((START, self.lo, None), (END, None, self.hi))
            return tuple(
                Constraint(start=ORIGIN, end=point(self.a, side), lo=lo, hi=hi, name=self.name)
                for side, lo, hi in limits
                if (lo, hi) != (None, None)
            )

        def at(side: Side) -> Point:
            return point(self.a if side[0] == "a" else self.b, side[1])

        return tuple(
            Constraint(
                start=at(first), end=at(second), name=self.name,
                lo=self.lo if lo is None else lo, hi=self.hi if lo is None else hi,
            )
            for first, second, lo, hi in _TABLE[self.kind]
        )  # fmt: skip


_A_START, _A_END, _B_START, _B_END = ("a", START), ("a", END), ("b", START), ("b", END)

# Each row: second - first lies in [lo, hi]; a lo of None takes the relation's own lo and hi (a gap the user gave).
_TABLE: dict[str, tuple[tuple[Side, Side, int | None, int | None], ...]] = {
    "before": ((_A_END, _B_START, None, None),),
    "meets": ((_A_END, _B_START, 0, 0),),
    "overlaps": ((_A_START, _B_START, 0, None), (_B_START, _A_END, 0, None), (_A_END, _B_END, 0, None)),
    "during": ((_B_START, _A_START, 0, None), (_A_END, _B_END, 0, None)),
    "starts": ((_A_START, _B_START, 0, 0), (_A_END, _B_END, 0, None)),
    "finishes": ((_A_END, _B_END, 0, 0), (_B_START, _A_START, 0, None)),
    "equals": ((_A_START, _B_START, 0, 0), (_A_END, _B_END, 0, 0)),
}


def before(a: Hashable, b: Hashable, *, gap: Any = 0, at_most: Any = None) -> Relation:
    """`a` ends before `b` starts, with at least `gap` (and at most `at_most`) between them.

    >>> before("wash", "dry", gap="PT5M").lo == 5 * 60 * TICKS_PER_SECOND
    True
    """
    return Relation(kind="before", a=a, b=b, lo=parse_duration(gap), hi=_optional(at_most))


def after(a: Hashable, b: Hashable, *, gap: Any = 0, at_most: Any = None) -> Relation:
    """`a` starts after `b` ended: `before` with the sides swapped.

    >>> after("dry", "wash") == before("wash", "dry")
    True
    """
    return before(b, a, gap=gap, at_most=at_most)


def meets(a: Hashable, b: Hashable) -> Relation:
    """`b` starts at the instant `a` ends.

    >>> meets("boil", "brew").kind
    'meets'
    """
    return Relation(kind="meets", a=a, b=b)


def overlaps(a: Hashable, b: Hashable) -> Relation:
    """`a` starts first and ends while `b` is under way.

    >>> overlaps("shift one", "shift two").kind
    'overlaps'
    """
    return Relation(kind="overlaps", a=a, b=b)


def during(a: Hashable, b: Hashable) -> Relation:
    """`a` lies inside `b`.

    >>> during("stir", "cook").kind
    'during'
    """
    return Relation(kind="during", a=a, b=b)


def starts(a: Hashable, b: Hashable) -> Relation:
    """Both start together; `a` ends no later than `b`.

    >>> starts("overture", "concert").kind
    'starts'
    """
    return Relation(kind="starts", a=a, b=b)


def finishes(a: Hashable, b: Hashable) -> Relation:
    """Both end together; `a` starts no earlier than `b`.

    >>> finishes("applause", "concert").kind
    'finishes'
    """
    return Relation(kind="finishes", a=a, b=b)


def equals(a: Hashable, b: Hashable) -> Relation:
    """Both start and both end together.

    >>> equals("sing", "dance").kind
    'equals'
    """
    return Relation(kind="equals", a=a, b=b)


def within(a: Hashable, *, start: Any = None, end: Any = None) -> Relation:
    """`a` starts at or after `start` and ends at or before `end`, as times from the origin.

    >>> within("serve", end="PT1H").kind
    'within'
    """
    return Relation(kind="within", a=a, lo=_optional(start), hi=_optional(end))


def _optional(value: Any) -> int | None:
    return None if value is None else parse_duration(value)


def _show(activity: Hashable) -> str:
    return " ".join(map(str, activity)) if isinstance(activity, tuple) else str(activity)
