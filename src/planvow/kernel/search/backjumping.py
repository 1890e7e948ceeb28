"""Going back further than one choice: what a conflict of times does not depend on is not tried in every way.

Chronological backtracking tries the remaining ways of every choice point between a conflict and its causes, in every
combination. Here a choice point is passed over when that is known to be in vain:

- what failed last lies behind it: where it lies in it, another way may do without it;
- everything that failed behind it failed for **culprits** that do not lie in it: the nodes of which the clashing times
  speak, or for what functions read in the state;
- everything that can be done there is **known**, since the same item was looked at in all its ways before, in a state
  that those ways could not tell from this one;
- nothing that any of these ways writes is **read** by what comes behind it.

Then whatever is chosen there, the same things follow and fail. A time that was added never makes room, so the clash
stays one. What failed for another reason (a budget, a circle, an entity) is thought to depend on everything. Nothing is
kept before the first conflict of times. (Conflict-directed backjumping, Prosser 1993; what is new is that the variables
are found out while searching.)
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from planvow.kernel.domain.propagator import Visit
from planvow.kernel.domain.terms import goals_of
from planvow.kernel.search.agenda import Path
from planvow.kernel.search.choice import Choice
from planvow.kernel.search.table import COMMAND, SEQUENCE, TASK, item_key
from planvow.kernel.world.accesses import EVERYTHING, Accesses, Place
from planvow.kernel.world.state import MISSING, SCALAR_SUBJECT, State
from planvow.kernel.world.values import is_same
from planvow.kernel.world.variable import undo_to

ALL = ("*",)
"""Stands for the subject where a predicate as a whole is meant; no subject is this very object."""
Places = set[Place]


class Seen:
    """What was found out about one node of the path: in it, and behind it."""

    __slots__ = ("after", "blame", "is_choice", "is_complete", "is_culprit", "is_unknown", "reads", "writes")

    def __init__(self, *, is_new: bool) -> None:
        self.reads: Places = set()
        self.writes: Places = set()
        """What was read and written below the node, in whatever way."""
        self.is_complete = is_new
        """No way below it was cut short for anything but the state."""
        self.after: dict[int, Places] = {}
        """What was read behind the node, by the parents of those who read it."""
        self.blame: set[int] = set()
        """Nodes before it that are culprits of what failed behind it."""
        self.is_unknown = not is_new
        """Something failed behind it that may depend on anything."""
        self.is_culprit = False
        self.is_choice = False


class Jumper:
    """What a search has found out since its first conflict of times."""

    def __init__(self, state: Any, path: Path) -> None:
        self._state, self._path = state, path
        self._old = len(path)  # nodes up to here joined before anything was kept
        self._visits: dict[int, Visit] = {}
        self._seen: dict[int, Seen] = {}
        self._known: dict[object, tuple[object, list[tuple[Place, object]], Places, Places]] = {}
        self._dead: tuple[Places, Collection[int] | None] | None = None
        self._is_inside = False
        """What failed last lies in the choice point that the search has come back to."""

    def joined(self, visit: Visit) -> None:
        """Follow the search to a node."""
        self._visits[visit.node_id] = visit

    def offers(self, node_id: int) -> None:
        """Note that a node has more ways to be broken down."""
        self._at(node_id).is_choice = True

    def refused(self, choice: Choice, accesses: Accesses) -> None:
        """Note what a method read that did not apply, or that offers no more."""
        self._at(choice.node_id).reads |= _reads(accesses, choice.entry.kind, choice.item)

    def exhausted(self, choice: Choice) -> None:
        """Note that a node, to which the search has come back, has no way left."""
        self._learn(self._at(choice.node_id), choice.item)
        self.failed(choice.entry.kind, choice.item, None, ())

    def failed(self, kind: str, item: object, accesses: Accesses | None, culprits: Collection[int] | None) -> None:
        """Note why the search has to go back: for what was read, and for these nodes; None stands for all."""
        self._dead = _reads(accesses, kind, item), culprits

    def back(self, choice: Choice, parent_id: int) -> None:
        """Follow the search back to a choice point; `parent_id` is the parent of what failed."""
        path, first, end = self._path, choice.node_id, len(self._path)
        here = self._at(first)
        if self._dead is None:  # a plan, a limit or a circle: nobody knows where it cut something
            for seen in self._seen.values():
                seen.is_complete = False
        reads, culprits = self._dead if self._dead is not None else (set(), None)
        is_cut = self._dead is None or culprits is None or bool(culprits)
        self._dead = None
        here.is_unknown = here.is_unknown or culprits is None
        blame = set(culprits or ())
        last = first
        if end < first:  # the failure is the choice point's own
            here.reads |= reads
            here.is_complete = here.is_complete and not is_cut
        else:
            last = self._last_below(first, end, parent_id)
            gone = self._seen.pop(end + 1, None) or Seen(is_new=True)  # what failed is not on the path
            gone.reads |= reads
            gone.is_complete = gone.is_complete and not is_cut
            self._leave(gone, parent_id, here, first, blame)
            for node_id in range(end, first, -1):
                self._leave(self._gone(node_id), path.parent(node_id), here, first, blame)
            visit = self._visits.pop(first, None)
            here.reads |= set() if visit is None else _reads(visit.accesses, visit.kind, visit.item)
        self._is_inside = end < first or last > end
        here.blame |= {node_id for node_id in blame if node_id < first}
        here.is_culprit = here.is_culprit or any(first <= node_id <= last for node_id in blame)
        self._old = min(self._old, first)

    def passes_over(self, choice: Choice) -> bool:
        """Say whether what is left to try at a choice point, to which the search has come back, is in vain."""
        here = self._at(choice.node_id)
        if self._is_inside or here.is_unknown or here.is_culprit:
            return False
        known = self._known.get(item_key(choice.item))
        if known is None or not is_same(known[0], choice.item):  # 1 and True are one key
            return False
        _, values, reads, writes = known
        if any(_overlap(writes, behind) for behind in here.after.values()):
            return False
        if not all(is_same(value, _value(self._state, place)) for place, value in values):
            return False
        here.reads |= reads
        here.writes |= writes
        return True

    def _at(self, node_id: int) -> Seen:
        seen = self._seen.get(node_id)
        if seen is None:
            seen = self._seen[node_id] = Seen(is_new=node_id > self._old)
        return seen

    def _last_below(self, first: int, end: int, parent_id: int) -> int:
        """Return the last node below one, what failed included."""
        for node_id in range(first + 1, end + 1):
            if self._path.parent(node_id) < first:
                return node_id - 1
        return end + 1 if parent_id >= first else end

    def _gone(self, node_id: int) -> Seen:
        """Return what is known of a node that leaves the path; learn it, if it is all there is to know."""
        visit, seen = self._visits.pop(node_id, None), self._seen.pop(node_id, None)
        if visit is None:
            return Seen(is_new=False)
        seen = seen or Seen(is_new=True)
        seen.reads |= _reads(visit.accesses, visit.kind, visit.item)
        seen.writes |= _writes(visit.accesses)
        if seen.is_choice and seen.is_complete:
            undo_to(self._state._log, self._path.mark(node_id))
            self._learn(seen, self._path.item(node_id))
        return seen

    def _learn(self, seen: Seen, item: object) -> None:
        if seen.is_choice and seen.is_complete:
            values = [(place, _value(self._state, place)) for place in seen.reads]
            self._known[item_key(item)] = item, values, set(seen.reads), set(seen.writes)

    def _leave(self, gone: Seen, parent_id: int, here: Seen, first: int, blame: set[int]) -> None:
        """Add what is known of a node that is left to what is known of its parent and of the choice point."""
        above = self._at(parent_id)
        above.reads |= gone.reads
        above.writes |= gone.writes
        above.is_complete = above.is_complete and gone.is_complete
        here.is_unknown = here.is_unknown or gone.is_unknown
        blame |= gone.blame
        for parent, reads in [(parent_id, gone.reads), *gone.after.items()]:
            if parent < first:
                here.after.setdefault(parent, set()).update(reads)


def _reads(accesses: Accesses | None, kind: str, item: Any) -> Places:
    places: Places = set()
    if accesses is not None:
        places.update(accesses.reads, ((predicate, ALL) for predicate in accesses.scans))
    if kind not in (COMMAND, TASK, SEQUENCE):
        places.update(goal[:2] for goal in goals_of(item))
    return places


def _writes(accesses: Accesses | None) -> Places:
    if accesses is None:
        return set()
    return {*accesses.writes, *((predicate, ALL) for predicate in accesses.wholes)}


def _overlap(writes: Places, reads: Places) -> bool:
    return not writes.isdisjoint(reads) or _has_whole(writes, reads) or _has_whole(reads, writes)


def _has_whole(places: Iterable[Place], others: Places) -> bool:
    return any((predicate, ALL) in others for predicate, _ in places)


def _value(state: State, place: Place) -> object:
    """Return what is seen at a place, in a form that nothing changes any more."""
    predicate, subject = place
    if predicate == EVERYTHING:
        return tuple(vars(state)) if subject is ALL else subject in vars(state)
    held: object = vars(state).get(predicate, MISSING)
    if not isinstance(held, dict):
        return held if subject in (ALL, SCALAR_SUBJECT) else MISSING
    if subject is ALL:
        return tuple(held.unnoted())  # type: ignore[attr-defined]
    return dict.get(held, subject, subject == SCALAR_SUBJECT or MISSING)
