"""The earliest times of a plan in one pass, where nothing but order, durations and the clock has a say.

A command starts when the last of those it stands behind has ended. For that nobody needs to know who they are: of all
that wrote or read a place, the latest end is enough. So where the order of a plan (`causal`) keeps links, here are
numbers, by the same rules: a **place** knows when its last writer ends and when the last that touched it does, a
predicate the same as a whole, and the path through the methods holds how early a command below it can be.

What is more than that (relations, entities, times that are fixed, moments of conditions and effects) is handed on to
the network, and so is whatever does not fit: the network says why. Both say the same of what they both take.

Latest times are earliest times when time runs backwards: the last command comes first, a deadline is what it cannot be
before, and who stood behind now stands before (`latest_spans`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from planvow.kernel.domain.metadata import duration_of, time_at
from planvow.kernel.domain.propagator import Visit
from planvow.kernel.domain.terms import goals_of, item_text
from planvow.kernel.time.journal import Journal, Table
from planvow.kernel.world.accesses import NOTHING, Accesses, Place
from planvow.temporal.stn import FLOOR

_UNLIMITED = -FLOOR
_UNTOUCHED = (FLOOR, FLOOR)
_TIMES = ("not_before", "deadline", "due")
_KEYS = frozenset((*_TIMES, "duration"))


class Spans(NamedTuple):
    """When the commands of a plan start and end, in its order."""

    starts: tuple[int, ...]
    ends: tuple[int, ...]
    is_mirrored: bool
    """Whether latest times follow from the same order read backwards."""


class Said(NamedTuple):
    """What the clock says about a node."""

    not_before: int = FLOOR
    deadline: int = _UNLIMITED
    duration: object = None
    has_duration: bool = False

    @property
    def is_limit(self) -> bool:
        return self.deadline != _UNLIMITED


NOTHING_SAID = Said()


def said_of(visit: Visit) -> Said | None:
    """Return what a node's metadata and its decomposition say about its time; None if it is more than one pass takes.

    Metadata that makes no sense is more than that too: the network says what is wrong with it.
    """
    if visit.constraints:
        return None
    metadata = visit.metadata
    if not metadata:
        return NOTHING_SAID
    temporal = metadata.get("temporal", {})
    if metadata.get("entity") or not isinstance(temporal, Mapping) or not _KEYS.issuperset(temporal):
        return None
    if "duration" in temporal and visit.kind != "command":
        return None
    text = item_text(visit.item)
    times = {key: time_at(f"{key} of {text}", temporal[key]) for key in _TIMES if key in temporal}
    not_before, deadline = times.get("not_before", FLOOR), times.get("deadline", _UNLIMITED)
    return Said(not_before, deadline, temporal.get("duration"), "duration" in temporal)


class Earliest(Journal):
    """When the commands pushed so far start and end at the earliest; it follows a search forwards and back."""

    _sees_births = True

    def __init__(self, *, floor: int, limit: int | None, is_causal: bool, goes_back: bool = True) -> None:
        """`floor` and `limit` are when everything starts and when it must have ended."""
        super().__init__(goes_back=goes_back)
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.is_mirrored = True
        """Whether the same order read backwards is all there is: nobody saw in which order subjects were added."""
        self._is_causal = is_causal
        # Lists that branches share. The path: node, depth, what its method read, since when, until when, the rest.
        self._path: Any = (0, 0, (), floor, _UNLIMITED if limit is None else limit, None)
        self._barriers: Any = None  # depth, time before which nothing below the path's node there can start, the rest
        self._below: Any = None  # depth, the latest end below the path's node there since the latest barrier, the rest
        # Place or predicate → the latest end of who wrote it, and of who touched it at all.
        self._places: Table = {}
        self._predicates: Table = {}
        # Predicate → the latest end of who wrote it as a whole, and of who looked at it as a whole.
        self._wholes: Table = {}
        self._scanned: Table = {}
        # Predicate → the latest end of who added a subject, and whether they are in line, if there are several.
        self._births: Table = {}
        # Place (a predicate as a whole is (predicate,)) or predicate → depth of the highest active method that read it.
        self._active: Table = {}
        self._any: Table = {}

    def mark(self) -> Any:
        return super().mark(), self._path, self._barriers, self._below, len(self.starts), self.is_mirrored

    def undo(self, mark: Any) -> None:
        log, self._path, self._barriers, self._below, length, self.is_mirrored = mark
        super().undo(log)
        del self.starts[length:], self.ends[length:]

    def spans(self) -> Spans:
        return Spans(tuple(self.starts), tuple(self.ends), self.is_mirrored)

    def push(self, visit: Visit, said: Said) -> bool:
        """Take a node in; return whether it fits, and is nothing that only the network knows how to take."""
        path = self._path
        if path[0] != visit.parent_id:
            path = self._ascend(visit.parent_id)
        floor, limit = path[3], path[4]
        if said is not NOTHING_SAID:
            floor, limit = max(floor, said.not_before), min(limit, said.deadline)
        if visit.kind == "command":
            return self._push_step(visit, said, floor, limit)
        if visit.kind in ("satisfied", "check"):
            return floor <= limit and self._push_goals(goals_of(visit.item))
        accesses = (visit.accesses if self._is_causal else None) or NOTHING
        return floor <= limit and self._push_node(visit.node_id, accesses, floor, limit)

    def _push_step(self, visit: Visit, said: Said, floor: int, limit: int) -> bool:
        duration = said.duration if said.has_duration else visit.duration
        lo, _ = duration_of(duration, is_command=True)
        barriers = self._barriers
        start = barriers[1] if barriers is not None and barriers[1] > floor else floor
        if not self._is_causal:
            end = start + lo
            self._barriers = (0, end, None)
        else:
            how, accesses = visit.how, visit.accesses or NOTHING
            if how.conditions or how.effects:
                return False
            if how.ignores:
                accesses = accesses.without(how.ignores)
            if accesses.walks and not self._are_in_line(accesses.walks):
                return False
            highest = 0 if how.ordered else self._highest(accesses) if self._active else None
            start = self._behind(accesses, start)
            if highest is not None:
                start = max(start, self._take_below(highest))
            end = start + lo
            self._note(accesses, start, end)
            if highest is not None:
                self._bar(highest, end)
            self._add_below(self._path[1], end)
        self.starts.append(start)
        self.ends.append(end)
        return end <= limit

    def _push_node(self, node_id: int, accesses: Accesses, floor: int, limit: int) -> bool:
        """Go down to a node with others below it: what its method read counts as read by all of them."""
        depth = self._path[1] + 1
        registered: list[Place | tuple[str]] = []
        if accesses is not NOTHING:
            if accesses.walks and not self._are_in_line(accesses.walks):
                return False
            active = self._active
            looked = [place for place in accesses.reads if place not in active and (place[0],) not in active]
            scanned = [predicate for predicate in accesses.scans if (predicate,) not in active]
            behind = self._behind(Accesses(tuple(looked), tuple(scanned)), FLOOR)
            registered = [*looked, *((predicate,) for predicate in scanned)]
            for place in registered:
                self._put(active, place, depth)
                if place[0] not in self._any:
                    self._put(self._any, place[0], depth)
            barriers = self._barriers
            if behind > (FLOOR if barriers is None else barriers[1]):
                self._barriers = (depth, behind, barriers)
        self._path = (node_id, depth, registered, floor, limit, self._path)
        return True

    def _push_goals(self, goals: Sequence[Any]) -> bool:
        """Say whether several goals hold at one moment without anybody seeing to it: nobody wrote any of them."""
        return len(goals) < 2 or not self._is_causal or self._behind(_reading(goals), FLOOR) == FLOOR

    # The path and what lies below its nodes.

    def _ascend(self, parent_id: int) -> Any:
        while self._path[0] != parent_id:
            self._leave()
        return self._path

    def _leave(self) -> None:
        """Finish the lowest node of the path: what its method read has been read by everything below it."""
        _, depth, registered, _, _, self._path = self._path
        barriers, below = self._barriers, self._below
        while barriers is not None and barriers[0] >= depth:
            barriers = barriers[2]
        self._barriers = barriers
        for place in registered:
            self._put(self._active, place, None)
            if self._any.get(place[0]) == depth:
                self._put(self._any, place[0], None)
        if below is not None and below[0] == depth:
            self._below = below[2]
            if registered:
                places = tuple([place for place in registered if len(place) == 2])
                self._note(Accesses(places, tuple([place[0] for place in registered if len(place) == 1])), 0, below[1])
            self._add_below(depth - 1, below[1])

    def _add_below(self, depth: int, end: int) -> None:
        below = self._below
        if below is None or below[0] != depth:
            self._below = (depth, end, below)
        elif end > below[1]:
            self._below = (depth, end, below[2])

    def _take_below(self, depth: int) -> int:
        """Return the latest end below the path's node at a depth; who asks will end later, and stands for them all."""
        latest, below = FLOOR, self._below
        while below is not None and below[0] >= depth:
            latest, below = max(latest, below[1]), below[2]
        self._below = below
        return latest

    def _bar(self, depth: int, end: int) -> None:
        barriers = self._barriers
        while barriers is not None and barriers[0] >= depth:
            barriers = barriers[2]
        self._barriers = (depth, end, barriers)

    def _highest(self, accesses: Accesses) -> int | None:
        """Return the depth of the highest method that read what is written."""
        active = self._active
        depths = [active[place] for place in accesses.writes if place in active]
        depths += [active[(place[0],)] for place in accesses.writes if (place[0],) in active]
        depths += [self._any[predicate] for predicate in accesses.wholes if predicate in self._any]
        return min(depths, default=None)

    # Places.

    def _behind(self, accesses: Accesses, start: int) -> int:
        """Return when one who reads and writes so can start, and not before a time."""
        places, wholes, scanned = self._places, self._wholes, self._scanned
        for place in accesses.reads:
            if place in places and places[place][0] > start:
                start = places[place][0]
            if wholes:
                start = max(start, wholes.get(place[0], FLOOR))
        for place in accesses.writes:
            if place in places and places[place][1] > start:
                start = places[place][1]
            if wholes or scanned:
                start = max(start, wholes.get(place[0], FLOOR), scanned.get(place[0], FLOOR))
        for predicate in accesses.scans:
            start = max(start, self._predicates.get(predicate, _UNTOUCHED)[0])
        for predicate in accesses.wholes:
            start = max(start, self._predicates.get(predicate, _UNTOUCHED)[1])
        return start

    def _note(self, accesses: Accesses, start: int, end: int) -> None:
        """Take down what was read and written by one who ends at a time."""
        places, predicates, log = self._places, self._predicates, self._log if self._goes_back else []
        reads, scans, _, writes, wholes, births = accesses
        seen = None
        for place in reads:
            held = places.get(place)
            if held is None or end > held[1]:
                log += (places, place, held)
                places[place] = (FLOOR if held is None else held[0], end)
            if place[0] != seen:
                seen = place[0]
                held = predicates.get(seen, _UNTOUCHED)
                if end > held[1]:
                    self._put(predicates, seen, (held[0], end))
        seen = None
        for place in writes:
            log += (places, place, places.get(place))
            places[place] = (end, end)
            if place[0] != seen:
                seen = place[0]
                held = predicates.get(seen, _UNTOUCHED)
                if end > held[0]:
                    self._put(predicates, seen, (end, max(end, held[1])))
        if scans or wholes or births:
            self._note_wholes(accesses, start, end)

    def _note_wholes(self, accesses: Accesses, start: int, end: int) -> None:
        for predicate in accesses.scans:
            held = self._predicates.get(predicate, _UNTOUCHED)
            self._put(self._predicates, predicate, (held[0], max(end, held[1])))
            self._put(self._scanned, predicate, max(end, self._scanned.get(predicate, FLOOR)))
        for predicate in accesses.births:
            last, is_in_line, several = self._births.get(predicate, (FLOOR, True, False))
            lined = (end, is_in_line and start >= last, several or last != FLOOR)
            self._put(self._births, predicate, lined)
        for predicate in accesses.wholes:
            for table, held in ((self._predicates, (end, end)), (self._wholes, end), (self._births, None)):
                self._put(table, predicate, held)

    def _are_in_line(self, predicates: Sequence[str]) -> bool:
        """Say whether those who added subjects did so one after the other: somebody sees in which order."""
        for predicate in predicates if self._sees_births else ():
            _, is_in_line, several = self._births.get(predicate, (FLOOR, True, False))
            if not is_in_line:
                return False
            if several:
                self.is_mirrored = False
        return True


class _Backwards(Earliest):
    """The same where time runs backwards: nodes are come to from below, the last first."""

    _sees_births = False

    def __init__(self, visits: Sequence[Visit], limit: int | None, *, is_causal: bool) -> None:
        floor = FLOOR if limit is None else -limit
        super().__init__(floor=floor, limit=None, is_causal=is_causal, goes_back=False)
        self._nodes: dict[int, Visit] = {}
        self._depths = {0: 0}
        for visit in visits:
            self._nodes[visit.node_id] = visit
            self._depths[visit.node_id] = self._depths[visit.parent_id] + 1

    def _ascend(self, parent_id: int) -> Any:
        """Leave what the parent is not below, and go down from there to it."""
        depths, nodes = self._depths, self._nodes
        while self._path[1] > depths[parent_id]:
            self._leave()
        down: list[Visit] = []
        while parent_id != self._path[0]:
            down.append(nodes[parent_id])
            parent_id = nodes[parent_id].parent_id
            while self._path[1] > depths[parent_id]:
                self._leave()
        for visit in reversed(down):
            self.push(visit, _turned(visit))
        return self._path


def latest_spans(
    visits: Sequence[Visit], limit: int | None, *, is_causal: bool
) -> Iterator[tuple[int | None, int | None]]:
    """Yield when the commands of a plan start and end at the latest; None for those that nothing limits."""
    backwards = _Backwards(visits, limit, is_causal=is_causal)
    for visit in reversed(visits):
        if visit.kind == "command":
            backwards.push(visit, _turned(visit))
    for start, end in zip(reversed(backwards.ends), reversed(backwards.starts), strict=True):
        yield (-start, -end) if end > FLOOR // 2 else (None, None)


def _turned(visit: Visit) -> Said:
    """Return what the clock says about a node where time runs backwards."""
    said = said_of(visit)
    if said is None or said is NOTHING_SAID:
        return NOTHING_SAID
    return said._replace(not_before=-said.deadline, deadline=_UNLIMITED)


def _reading(goals: Sequence[Any]) -> Accesses:
    return Accesses(tuple([goal[:2] for goal in goals]))
