"""The order that follows from what steps read and write: a step comes after another where one reads or writes what the
other writes. Where nothing does, either may come first, or both at once.

Nodes are pushed in the order of the plan, and each gives the **links** that it adds: this point before that one. What a
method read counts as read by every step below it. A place is looked up, never searched for, and what a writer was put
behind is forgotten then, so that deriving costs about what was read and written. Where many points stand before many,
a **joint** stands between them. All that is kept is journaled, so a search can go back.

Two ideas keep methods cheap. A place that an active method has read needs no note of further readers below it. And a
step that writes such a place stands behind everything below the method so far and before everything to come: it is a
**barrier** there, and of the barriers around a step only the latest matters, since it stands behind the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from planvow.kernel.world.accesses import NOTHING, Accesses, Place
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


List = Any
"""A list that branches share: None, or (first, rest)."""
ALL = ("*",)
"""Stands for the subject where a predicate as a whole is meant; no subject is this very object."""


class _Past(NamedTuple):
    """Who wrote something last."""

    point: Point
    number: int
    generation: int


class CausalOrder:
    """The order of the steps pushed so far; one that never goes back keeps no journal."""

    def __init__(self, *, goes_back: bool = True) -> None:
        self._goes_back = goes_back
        self._held: dict[Any, Any] = {"path": (0, 0, None), "joints": 0, "steps": 0}
        self._log: list[tuple[Any, Any]] = []
        self._new: dict[tuple[Point, Point], Link] = {}

    def push_step(self, node_id: int, parent_id: int, accesses: Accesses, step: Role = WHOLE) -> list[Link]:
        """Take a command in; return the links it adds."""
        self._begin(parent_id)
        self._put("steps", self._held["steps"] + 1)
        begin, end = Point(node_id, START), Point(node_id, END)
        barriers = self._get("barriers")
        if barriers is not None:
            self._link(barriers[0][1], begin, barriers[0][2], barriers[0][3])
        self._read(node_id, accesses, step)
        highest = self._write(node_id, accesses, step)
        if step.is_ordered:
            highest = (0, ORDERED, "")
        if highest is not None:
            self._bar(begin, end, *highest)
        self._add_below(end)
        return list(self._new.values())

    def push_node(self, node_id: int, parent_id: int, accesses: Accesses = NOTHING) -> list[Link]:
        """Take a node with others below it in, with what its method read; return the links it adds."""
        self._begin(parent_id)
        path = self._held["path"]
        depth = path[1] + 1
        self._put("path", (node_id, depth, path))
        sources: dict[Point, str] = {}
        registered = []
        for subject in (*accesses.reads, *((predicate, ALL) for predicate in accesses.scans)):
            predicate = subject[0]
            if subject[1] is ALL and predicate in accesses.walks:
                self._settle_births(predicate)
            if self._is_covered(subject):
                continue
            source = self._settled(predicate) if subject[1] is ALL else self._writer(subject)
            if source is not None:
                sources.setdefault(source, predicate)
            registered.append(subject)
        for subject in registered:
            self._put(("active", subject), depth)
            if self._get(("any", subject[0])) is None:
                self._put(("any", subject[0]), depth)
        if registered:
            self._put(("registered", node_id), tuple(registered))
        if sources:
            self._begin_below(depth, sources)
        return list(self._new.values())

    def push_goals(self, parent_id: int, places: Sequence[Place]) -> list[Link]:
        """Take in that these places were as wanted at one moment; return the links that keep it so.

        That moment is the end of the latest step that wrote one of them: the others were written before it, and who
        writes any of them later comes after it.
        """
        self._begin(parent_id)
        pasts = [past for place in places if (past := self._past(place)) is not None] if len(places) > 1 else []
        if pasts:
            pivot = max(pasts, key=lambda past: past.number).point.owner
            for place in places:
                past = self._past(place)
                if past is not None and past.point.owner != pivot:
                    self._link(past.point, Point(pivot, START), GOAL, place[0])
                self._note_reader(place, Point(pivot, END))
        return list(self._new.values())

    def mark(self) -> int:
        return len(self._log)

    def undo(self, mark: int) -> None:
        """Forget everything since a mark."""
        while len(self._log) > mark:
            key, old = self._log.pop()
            if old is None:
                self._held.pop(key, None)
            else:
                self._held[key] = old

    def _get(self, key: Any) -> Any:
        return self._held.get(key)

    def _put(self, key: Any, value: Any) -> None:
        if self._goes_back:
            self._log.append((key, self._held.get(key)))
        if value is None:
            self._held.pop(key, None)
        else:
            self._held[key] = value

    def _link(self, before: Point, after: Point, reason: str, about: str) -> None:
        if before.owner != after.owner or before.side == JOINT or after.side == JOINT:
            self._new.setdefault((before, after), Link(before, after, reason, about))

    # The path and what lies below its nodes.

    def _begin(self, parent_id: int) -> None:
        self._new = {}
        while self._held["path"][0] != parent_id:
            self._leave()

    def _leave(self) -> None:
        """Finish the lowest node of the path: what its method read has been read by everything below it."""
        node_id, depth, rest = self._held["path"]
        barriers = self._get("barriers")
        while barriers is not None and barriers[0][0] >= depth:
            barriers = barriers[1]
        self._put("barriers", barriers)
        pending = self._get(("pending", node_id))
        if pending is not None:
            self._put("loaded", self._held["loaded"][1])
        registered = self._get(("registered", node_id)) or ()
        for place in registered:
            self._put(("active", place), None)
            if self._get(("any", place[0])) == depth:
                self._put(("any", place[0]), None)
        self._put("path", rest)
        if pending is not None:
            # One thing stands for itself; several are put together when somebody stands behind them.
            whole = pending[0] if pending[1] is None else Below(node_id)
            for place in registered:
                self._note_reader(place, whole)
            self._add_below(whole)

    def _add_below(self, element: Any) -> None:
        node_id, depth, _ = self._held["path"]
        pending = self._get(("pending", node_id))
        if pending is None:
            self._put("loaded", ((node_id, depth), self._get("loaded")))
        self._put(("pending", node_id), (element, pending))

    def _begin_below(self, depth: int, sources: dict[Point, str]) -> None:
        """Put everything that will stand below the path's lowest node behind some points."""
        barriers = self._get("barriers")
        if barriers is not None:
            sources.setdefault(barriers[0][1], barriers[0][3])
        about = next(iter(sources.values()))
        point = next(iter(sources)) if len(sources) == 1 else self._joint(sources.items(), METHOD_READS)
        self._put("barriers", ((depth, point, METHOD_READS, about), barriers))

    def _bar(self, begin: Point, end: Point, depth: int, reason: str, about: str) -> None:
        """Put a step behind everything so far below the node at a depth of the path, and before all that follows."""
        loaded = self._get("loaded")
        while loaded is not None and loaded[0][1] >= depth:
            key = ("pending", loaded[0][0])
            for element in _elements(self._get(key)):
                self._link(self._point(element), begin, reason, about)
            self._put(key, None)
            loaded = loaded[1]
        self._put("loaded", loaded)
        barriers = self._get("barriers")
        while barriers is not None and barriers[0][0] >= depth:
            barriers = barriers[1]
        self._put("barriers", ((depth, end, reason, about), barriers))

    def _point(self, element: Any) -> Point:
        """Return one point that stands behind everything in an element."""
        if not isinstance(element, Below):
            return element  # type: ignore[no-any-return]
        stack = [element]
        while stack:
            group = stack[-1]
            if self._get(("end", group)) is not None:
                stack.pop()
                continue
            parts = list(_elements(self._get(("pending", group.node_id))))
            open_parts = [part for part in parts if isinstance(part, Below) and self._get(("end", part)) is None]
            if open_parts:
                stack.extend(open_parts)
                continue
            points = [self._get(("end", part)) if isinstance(part, Below) else part for part in reversed(parts)]
            self._put(("end", group), self._joint(((point, "") for point in points), METHOD_READS))
        return self._held["end", element]  # type: ignore[no-any-return]

    def _joint(self, sources: Iterable[tuple[Point, str]], reason: str) -> Point:
        joint = Point(self._held["joints"] + 1, JOINT)
        self._put("joints", joint.owner)
        for point, about in sources:
            self._link(point, joint, reason, about)
        return joint

    # Places.

    def _generation(self, predicate: str) -> int:
        return self._get(("generation", predicate)) or 0

    def _past(self, place: Place) -> _Past | None:
        past: _Past | None = self._get(("writer", place))
        if past is not None and past.generation == self._generation(place[0]):
            return past
        return self._get(("base", place[0]))  # type: ignore[no-any-return]

    def _writer(self, place: Place) -> Point | None:
        past = self._past(place)
        return None if past is None else past.point

    def _is_covered(self, place: Place) -> bool:
        """Say whether an active method has read this, so that its barriers keep the order."""
        return self._get(("active", place)) is not None or self._get(("active", (place[0], ALL))) is not None

    def _note_reader(self, place: Place, element: Any) -> None:
        self._prepend(("readers", place), element)
        self._prepend(("all", place[0]), element)

    def _prepend(self, key: Any, element: Any) -> None:
        self._put(key, (element, self._get(key)))

    def _settled(self, predicate: str) -> Point | None:
        """Return a point behind everything that wrote a place of a predicate so far."""
        settled = self._get(("settled", predicate))
        writers = list(_elements(self._get(("writers", predicate))))
        if writers:
            points = [*([] if settled is None else [settled]), *reversed(writers)]
            settled = points[0] if len(points) == 1 else self._joint(((p, predicate) for p in points), WRITES)
            self._put(("writers", predicate), None)
            self._put(("settled", predicate), settled)
        return settled if settled is not None else self._writer((predicate, ALL))

    def _settle_births(self, predicate: str) -> None:
        """Put those that added subjects to a predicate in line: somebody sees in which order they did."""
        births = self._get(("births", predicate))
        while births is not None and births[1] is not None:
            (later, _), births = births[0], births[1]
            self._link(births[0][1], later, WRITES, predicate)
        latest = self._get(("births", predicate))
        if latest is not None and latest[1] is not None:
            self._put(("births", predicate), (latest[0], None))

    def _read(self, node_id: int, accesses: Accesses, step: Role) -> None:
        for predicate in accesses.walks:
            self._settle_births(predicate)
        for place in (*accesses.reads, *((predicate, ALL) for predicate in accesses.scans)):
            if self._is_covered(place):
                continue
            first, last = _span(node_id, step.conditions.get(place[0]))
            source = self._settled(place[0]) if place[1] is ALL else self._writer(place)
            if source is not None:
                self._link(source, first, READS, place[0])
            self._note_reader(place, last)

    def _write(self, node_id: int, accesses: Accesses, step: Role) -> tuple[int, str, str] | None:
        """Put a step behind those who read or wrote what it writes; return the highest node it is a barrier below."""
        highest: tuple[int, str, str] | None = None
        for place in (*accesses.writes, *((predicate, ALL) for predicate in accesses.wholes)):
            predicate = place[0]
            is_whole = place[1] is ALL
            first, last = _span(node_id, step.effects.get(predicate))
            if is_whole:
                self._write_whole(predicate, first, last)
                depths = [self._get(("any", predicate))]
            else:
                self._write_place(place, first, last)
                depths = [self._get(("active", place)), self._get(("active", (predicate, ALL)))]
            for depth in depths:
                if depth is not None and (highest is None or depth < highest[0]):
                    highest = (depth, METHOD_READS, predicate)
        for predicate in accesses.births:
            if predicate not in accesses.wholes:
                first, last = _span(node_id, step.effects.get(predicate))
                self._prepend(("births", predicate), (first, last))
        return highest

    def _write_place(self, place: Place, first: Point, last: Point) -> None:
        predicate = place[0]
        source = self._writer(place)
        if source is not None:
            self._link(source, first, WRITES, predicate)
        self._put(("readers", place), self._behind(("readers", place), first, predicate))
        scanners = list(_elements(self._get(("readers", (predicate, ALL)))))
        others = [element for element in reversed(scanners) if not _is_own(element, first)]
        if others:
            points = [self._point(element) for element in others]
            gate = points[0] if len(points) == 1 else self._joint(((p, predicate) for p in points), WRITES)
            self._put(("gate", predicate), gate)
            own: List = None
            for element in scanners:
                if _is_own(element, first):
                    own = (element, own)
            self._put(("readers", (predicate, ALL)), own)
        gate = self._get(("gate", predicate))
        if gate is not None:
            self._link(gate, first, WRITES, predicate)
        self._put(("writer", place), _Past(last, self._held["steps"], self._generation(predicate)))
        self._prepend(("writers", predicate), last)
        self._prepend(("all", predicate), last)

    def _write_whole(self, predicate: str, first: Point, last: Point) -> None:
        source = self._writer((predicate, ALL))
        if source is not None:
            self._link(source, first, WRITES, predicate)
        own = self._behind(("all", predicate), first, predicate)
        for kind in ("gate", "settled", "writers", "births"):
            self._put((kind, predicate), None)
        self._put(("generation", predicate), self._generation(predicate) + 1)
        self._put(("base", predicate), _Past(last, self._held["steps"], 0))
        self._put(("readers", (predicate, ALL)), own)
        self._put(("all", predicate), own)

    def _behind(self, key: Any, first: Point, predicate: str) -> List:
        """Put a point behind all elements of a list but its own; return those."""
        own: List = None
        for element in _elements(self._get(key)):
            if _is_own(element, first):
                own = (element, own)
            else:
                self._link(self._point(element), first, WRITES, predicate)
        return own


def _elements(listed: List) -> Iterator[Any]:
    while listed is not None:
        yield listed[0]
        listed = listed[1]


def _is_own(element: Any, point: Point) -> bool:
    return isinstance(element, Point) and element.side != JOINT and element.owner == point.owner


def _span(node_id: int, moment: str | None) -> tuple[Point, Point]:
    """Return the first and the last moment of an access of a step."""
    return Point(node_id, moment or START), Point(node_id, moment or END)
