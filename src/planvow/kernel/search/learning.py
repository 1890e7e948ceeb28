"""What a search learns while it runs: which methods led on, and which items cannot be done at all in a state.

Two things are seen from the path alone. When an item is met, every node between the last one and its parent has just
been done: a success for their methods. When the search goes back, the nodes above the dead end that are given up have
failed; a node that was done, and is taken up again because of a dead end elsewhere, has led into a **conflict**.

A **nogood** is an item that failed by itself in a state: all its methods were tried, none was ever done to the end,
and nothing but the state was to blame (no limit, no circle). Methods and commands see the state and nothing else, so
the item fails wherever it is met in that state again. It is compared in full and never by a hash alone.
"""

from __future__ import annotations

from planvow.kernel.domain.domain import Method
from planvow.kernel.search.agenda import Path
from planvow.kernel.search.choice import Choice
from planvow.kernel.search.loop_guard import Changes, LoopGuard
from planvow.kernel.search.scoring import Scores
from planvow.kernel.world.variable import ENTRY

NOGOOD = "it failed by itself in the same state before"
MAX_WRITES = 2_000
"""Behind more writes than these nothing is kept: a nogood holds what they came to."""
MAX_NOGOODS = 20_000


class Learner:
    """Follows one search forwards and back."""

    def __init__(self, scores: Scores, path: Path, guard: LoopGuard, *, keeps_nogoods: bool) -> None:
        self._scores, self._path, self._guard = scores, path, guard
        self._keeps_nogoods = keeps_nogoods
        self._excused: list[bool] = []  # by node id: it was done once, or failed for another reason than the state
        self._nogoods: dict[object, set[Changes]] = {}
        self._dead_id: int | None = None
        self._has_found = False

    def met(self, parent_id: int) -> None:
        """Take note of an item: whatever stands between the last node and its parent is done."""
        path, node_id = self._path, len(self._path)
        while node_id > parent_id:
            how = path.how(node_id)
            if type(how) is Method:
                self._scores.applied(how)
                self._excuse(node_id)
            node_id = path.parent(node_id)

    def found(self) -> None:
        """Take note that the path is a plan: all of it is done, and going back from here is nobody's fault."""
        self.met(0)
        self._has_found = True

    def cut(self, parent_id: int) -> None:
        """Take note of a dead end below a node that says nothing about the state: a limit, or a circle."""
        self._dead_id = parent_id
        while parent_id > 0:
            self._excuse(parent_id)
            parent_id = self._path.parent(parent_id)

    def back(self, choice: Choice, dead_id: int) -> None:
        """Take note that the search goes back to a choice point from a dead end below a node."""
        node_id, path = choice.node_id, self._path
        dead_id, self._dead_id = dead_id if self._dead_id is None else self._dead_id, None
        if self._has_found:
            self._has_found = False
        elif node_id > len(path):  # somebody objected before the node was there
            self._scores.failed(choice.method)
        else:
            while dead_id > node_id:
                self._scores.failed(path.how(dead_id))
                self._keep(dead_id, path.mark(dead_id))
                dead_id = path.parent(dead_id)
            if dead_id == node_id:
                self._scores.failed(choice.method)
            else:
                self._scores.conflicted(choice.method)
        del self._excused[node_id + 1 :]

    def exhausted(self, choice: Choice) -> None:
        """Take note of a node none of whose methods is left."""
        self._keep(choice.node_id, choice.mark)

    def restart(self) -> None:
        """Follow the search to its start."""
        self._excused.clear()

    def knows(self, mark: int) -> bool:
        """Say whether the item that the guard has just looked at is known to fail in this state."""
        if not self._nogoods:
            return False
        known = self._nogoods.get(self._guard.key_of(len(self._path) + 1))
        return known is not None and self._guard.net_changes(mark) in known

    def _excuse(self, node_id: int) -> None:
        excused = self._excused
        if len(excused) <= node_id:
            excused.extend([False] * (node_id + 1 - len(excused)))
        excused[node_id] = True

    def _keep(self, node_id: int, mark: int) -> None:
        """Keep a node that failed by itself, with the state it failed in."""
        is_excused = node_id < len(self._excused) and self._excused[node_id]
        if is_excused or not self._keeps_nogoods or mark > MAX_WRITES * ENTRY or len(self._nogoods) >= MAX_NOGOODS:
            return
        key, changes = self._guard.key_of(node_id), self._guard.net_changes(mark)
        if key is not None and changes is not None:
            self._nogoods.setdefault(key, set()).add(changes)
