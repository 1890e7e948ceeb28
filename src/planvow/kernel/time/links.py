"""The words in which an order is told: points, links between them with their reasons, and the roles of commands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from planvow.kernel.world.values import FrozenDict

START, END, JOINT = "start", "end", "joint"
READS, WRITES, METHOD_READS, GOAL, ORDERED = "reads", "writes", "method reads", "goal", "ordered"
"""Why one step stands behind another: it reads what the other wrote; it writes what the other read or wrote; a method
above one of them read what the other writes; a goal needs both at one moment; one is declared ordered."""

RELATION, ENTITY = "relation", "entity"
"""Two more reasons, which timed plans have."""
STATED_ORDER = "stated_order"
"""Where the report of a timed plan says what relations and entities put before what, as `Stated` rows."""


class Stated(NamedTuple):
    """A node of the plan that must end before another starts, because of a relation or an entity."""

    before: int
    after: int
    reason: str
    about: str


class Point(NamedTuple):
    """The start or the end of a node, or a joint."""

    owner: int
    side: str

    def __str__(self) -> str:
        return f"{self.owner}.{self.side}"


class Link(NamedTuple):
    """One point before another, or at the same moment, and why."""

    before: Point
    after: Point
    reason: str
    about: str
    """The predicate; empty where there is none."""


class Role(NamedTuple):
    """How a command takes part in the order."""

    conditions: Mapping[str, str] = FrozenDict()
    """Predicate → `START` or `END` where it is read at that moment only."""
    effects: Mapping[str, str] = FrozenDict()
    is_ordered: bool = False


WHOLE = Role()


class Below(NamedTuple):
    """Everything below a finished node, as one thing that a writer stands behind."""

    node_id: int


def is_own(element: object, point: Point) -> bool:
    """Say whether an element is a moment of the step that a point belongs to."""
    return isinstance(element, Point) and element.side != JOINT and element.owner == point.owner


def span(begin: Point, end: Point, moments: Mapping[str, str], predicate: str) -> tuple[Point, Point]:
    """Return the first and the last moment of an access of a step."""
    moment = moments.get(predicate) if moments else None
    if moment is None:
        return begin, end
    return (begin, begin) if moment == START else (end, end)
