"""What an item's metadata may say about time, read and checked.

Keys: `duration` (one value or [shortest, longest]), `start_time`, `end_time`, `not_before`, `deadline`, `due`,
`relations`, and the relations by name. Times are whole ticks or ISO-8601. Seed 001, section 5.1 (attach_metadata).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from planvow.errors import InputError, did_you_mean
from planvow.kernel.domain.terms import Item, item_text
from planvow.kernel.world.values import FrozenDict
from planvow.temporal import (
    ORIGIN,
    Relation,
    after,
    before,
    during,
    equals,
    finishes,
    format_ticks,
    meets,
    overlaps,
    parse_duration,
    starts,
)
from planvow.temporal.durations import LARGEST

SELF = "self"
"""How an item's own metadata names the item in a relation: `before("self", ("serve",))`."""

_RELATIONS = {
    "before": before, "after": after, "meets": meets, "overlaps": overlaps,
    "during": during, "starts": starts, "finishes": finishes, "equals": equals,
}  # fmt: skip
_KEYS = ("duration", "start_time", "end_time", "not_before", "deadline", "due", "relations", *_RELATIONS)


INSIDE, TAKES, AFTER = "{} inside its task", "{} takes {}", "{} after {}"
"""How constraints that many plans have are spoken of."""


class Row(NamedTuple):
    """What the network is told: `lo <= end - start <= hi`, and whether anybody stated it."""

    start: Hashable
    end: Hashable
    lo: int | None
    hi: int | None
    about: Any
    """How a conflict speaks of it; or, if there is a form, the item or items that it speaks of."""
    is_implied: bool = False
    reason: str = ""
    """Why one thing is put before another, where a relation or an entity does it."""
    form: str = ""

    @property
    def name(self) -> str:
        """How a conflict speaks of it, put together when it is asked for."""
        if not self.form:
            return str(self.about)
        if self.form is TAKES:
            return TAKES.format(item_text(self.about), span_text(self.lo or 0, self.hi))
        items = self.about if isinstance(self.about, Pair) else (self.about,)
        return self.form.format(*(item if isinstance(item, str) else item_text(item) for item in items))


class Pair(NamedTuple):
    """Two items that a constraint speaks of."""

    first: Any
    second: Any


def own_relations(temporal: Mapping[str, Any]) -> tuple[Relation, ...]:
    """Return the relations an item's metadata states: under `relations`, or by name (`{"after": ("bake", "pie")}`)."""
    written = temporal.get("relations", ())
    listed = [written] if isinstance(written, Relation) else list(written)
    named = [_RELATIONS[key](SELF, value) for key, value in temporal.items() if key in _RELATIONS]
    return (*listed, *named)


def checked(temporal: object, item: Item) -> Mapping[str, Any]:
    """Return an item's temporal metadata, or raise InputError for a key that means nothing."""
    if not isinstance(temporal, Mapping):
        raise InputError("temporal constraints are a dictionary", place=item_text(item))
    for key in temporal:
        if key not in _KEYS:
            hint = did_you_mean(str(key), _KEYS) or f"known: {', '.join(_KEYS)}"
            raise InputError(f"unknown temporal constraint {key!r}", place=item_text(item), hint=hint)
    return temporal


def time_at(place: str, written: object) -> int:
    """Read a time or a duration in ticks; a fault in it is reported with its place."""
    try:
        return parse_duration(written)
    except InputError as error:
        error.place = place
        raise


def duration_of(written: object, *, is_command: bool) -> tuple[int, int | None]:
    """Read a duration: one value, or [shortest, longest]. A command without one takes no time, a task any time."""
    if written is None:
        return (0, 0) if is_command else (0, None)
    if type(written) is int and 0 <= written <= LARGEST:
        return written, written
    if isinstance(written, list | tuple):
        if len(written) != 2:
            raise InputError(f"a duration is one value or [shortest, longest], got {written!r}", place="duration")
        lo, hi = (None if side is None else parse_duration(side) for side in written)
        lo = lo or 0
    else:
        lo = hi = parse_duration(written)
    if lo < 0 or (hi is not None and hi < lo):
        raise InputError(f"a duration cannot be negative or end before it starts: {written!r}", place="duration")
    return lo, hi


def absolute_times(text: str, begin: str, end: str, temporal: Mapping[str, Any]) -> Iterator[Row]:
    """Yield the constraints that tie an item to the clock."""
    for key, point in (("start_time", begin), ("end_time", end)):
        if key in temporal:
            at = time_at(f"{key} of {text}", temporal[key])
            yield Row(ORIGIN, point, at, at, f"{key} of {text}")
    if "not_before" in temporal:
        at = time_at(f"not_before of {text}", temporal["not_before"])
        yield Row(ORIGIN, begin, at, None, f"{text} not before its time")
    if "deadline" in temporal:
        yield Row(ORIGIN, end, None, time_at(f"deadline of {text}", temporal["deadline"]), f"deadline of {text}")


def span_text(lo: int, hi: int | None) -> str:
    """Return a duration as conflicts show it."""
    if hi is None:
        return f"at least {format_ticks(lo)}"
    return format_ticks(lo) if lo == hi else f"{format_ticks(lo)} to {format_ticks(hi)}"


def predicate_names(written: object, place: str) -> frozenset[str]:
    """Read the predicates that a command ignores; a single text would be taken for its letters and is refused."""
    if isinstance(written, str) or not isinstance(written, Iterable):
        hint = f"write ({written!r},) for a single one" if isinstance(written, str) else "write a list of names"
        raise InputError(f"ignores is a list of predicates, got {written!r:.60}", place=place, hint=hint)
    names = frozenset(written)
    if not all(isinstance(name, str) and name for name in names):
        raise InputError(f"ignores is a list of predicates, got {written!r:.60}", place=place)
    return names


def moments(written: object, what: str, place: str) -> Mapping[str, str]:
    """Read at which end of a command its conditions or effects are: predicate → "start" or "end"."""
    told = {} if written is None else written
    if not isinstance(told, Mapping):
        hint = f'write {what}={{"door": "start"}}'
        raise InputError(f"{what} are a dictionary from predicate to moment, got {told!r:.60}", place=place, hint=hint)
    for predicate, moment in told.items():
        if moment not in ("start", "end"):
            raise InputError(
                f"{what} of {predicate!r} are at 'start' or at 'end', not at {moment!r:.60}",
                place=place,
                hint="leave the predicate out if it matters all the time",
            )
    return FrozenDict(told)
