"""Seeing that a search has been here before, at next to no cost while it has not.

A **post** stands at one ancestor of the current node; each node that is broken down is compared with it alone, and the
post moves on after one, two, four … levels (Brent's way of finding a cycle). A path that runs in circles passes it
again. Only then is the whole path **indexed**, by item and state, and from there on every node is looked up. What is
found is one of these, each confirmed by comparing and never by a hash alone:

- an ancestor has the same item in the same state **with the same rest of the agenda**: whatever follows here also
  follows there, so this branch is cut, and no plan is lost;
- an ancestor has the same item in the same state **with another rest** (`t -> [t, a]`): cutting it for good would lose
  plans, not cutting it would never end. It is cut at a level of nesting, and the search starts again with a higher
  level when nothing was found and something was cut;
- in mode "search", the same state and agenda were met anywhere before: cut as well, since that led nowhere.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from planvow.kernel.agenda import Cell, Path, remaining_items
from planvow.kernel.domain import Method
from planvow.kernel.state import MISSING, State
from planvow.kernel.table import item_key
from planvow.kernel.variable import Variable, entries

LOOP = "the same state and agenda were met on the way here"
NESTED = "the same item in the same state is being broken down already"
SEEN = "the same state and agenda led nowhere before"

SUSPECT = Method(name="suspect", function=lambda state: None, subject="", kind="task")
"""Stands in the path for the method of the node that passed the post, while the path is indexed."""

_NO_POST: Any = (0, 1 << 62, None, 0)


class Indexed(NamedTuple):
    """One node of the path, in the index."""

    node_id: int
    mark: int
    """How long the log was when the node was met."""
    state_hash: int
    key: Any
    cell: Cell
    earlier: int
    """Where in the index the previous node with this key is; -1 for none."""
    ancestor: int
    """Where in the index the nearest ancestor with this key is; -1 for none."""
    nesting: int
    """How many ancestors have this key."""


class LoopGuard:
    """Follows a search forwards and back. `path` and the state's log are the search's own."""

    def __init__(self, state: State, path: Path, *, whole_search: bool, from_the_start: bool) -> None:
        self._log = state._log
        self._path = path
        self.is_indexing = from_the_start or whole_search
        self.level = 0
        self.cut_nested = False
        self._post_id, self._post_depth, self._post_item, self._post_mark = _NO_POST
        self._reach = 1
        self._posts: list[Any] = []  # earlier posts, for when the search comes back behind the present one
        self._witness: Any = None  # a triple that differs from what it was at the post
        self._index: list[Indexed] = []
        self._latest: dict[Any, int] = {}  # key -> the latest of its nodes in the index
        self._left: dict[Any, int] | None = {} if whole_search else None  # state and agenda -> the depth it had

    def passes_the_post(self, cell: Cell, node_id: int, item: Any) -> bool:
        """Compare a node with the post; True means that the path looks like a circle and must be indexed."""
        below = cell[3] - self._post_depth
        if below >= self._reach or below <= 0:  # far below it; or it is done with, since this node is no lower
            if below > 0:
                self._reach *= 2
            self._posts.append((self._post_id, self._post_depth, self._post_item, self._post_mark))
            self._post_id, self._post_depth, self._post_item = node_id, cell[3], item
            self._post_mark, self._witness = len(self._log), None
            return False
        if item != self._post_item:
            return False
        if self._witness is not None:
            target, key, old = self._witness
            if dict.get(target, key, MISSING) != old:
                return False
        for target, key, old, new in self._changes(self._post_mark, len(self._log)):
            if old != new:
                self._witness = target, key, old
                return False
        return True

    def index_path(self) -> int | None:
        """Index the path so far; return the first node that should not be there, or None."""
        self.is_indexing = True
        path = self._path
        for node_id in range(1, len(path) + 1):
            if isinstance(path.hows[node_id - 1], Method):
                cell, item, mark = path.cells[node_id - 1], path.item(node_id), path.marks[node_id - 1]
                if self.enter(cell, node_id, item, None, mark) is not None:
                    return node_id
        return None

    def enter(self, cell: Cell, node_id: int, item: Any, extra: Any, mark: int) -> str | None:
        """Index a node that is about to be broken down; return why it should not be, or None."""
        state_hash = self._hash(mark)
        key = (item, state_hash, extra)
        try:
            earlier = self._latest.get(key, -1)
        except TypeError:  # an argument that cannot be hashed
            key = (item_key(item), state_hash, extra)
            earlier = self._latest.get(key, -1)
        ancestor, nesting = self._nearest_ancestor(earlier, cell[1], mark), 0
        if ancestor >= 0:
            above = self._index[ancestor]
            if above.cell[4] is cell[4]:
                return LOOP
            nesting = above.nesting + 1
            if nesting > self.level:
                self.cut_nested = True
                return NESTED
        if self._left is not None and self._was_left(key, cell, mark):
            return SEEN
        self._latest[key] = len(self._index)
        self._index.append(Indexed(node_id, mark, state_hash, key, cell, earlier, ancestor, nesting))
        return None

    def back_to(self, node_id: int) -> None:
        """Follow the search back to a node, which stays."""
        while self._post_id > node_id and self._posts:
            self._post_id, self._post_depth, self._post_item, self._post_mark = self._posts.pop()
            self._witness = None
        index, latest = self._index, self._latest
        while index and index[-1].node_id > node_id:
            gone = index.pop()
            if gone.earlier < 0:
                del latest[gone.key]
            else:
                latest[gone.key] = gone.earlier

    def restart(self) -> None:
        """Begin a pass that allows deeper nesting."""
        self.level = 2 * self.level or 1
        self.cut_nested = False
        self._index.clear()
        self._latest.clear()
        if self._left is not None:
            self._left.clear()

    def _nearest_ancestor(self, place: int, parent_id: int, mark: int) -> int:
        """Return the place of the nearest ancestor with the key of the node at `place`, or -1.

        That node is the latest one with the key. An ancestor that stands before it is an ancestor of it, too: nodes
        are indexed in pre-order.
        """
        while place >= 0:
            node = self._index[place]
            if self._is_ancestor(node.node_id, parent_id) and self._is_unchanged(node.mark, mark):
                return place
            place = node.ancestor
        return -1

    def _is_unchanged(self, start: int, end: int) -> bool:
        return start == end or all(old == new for _, _, old, new in self._changes(start, end))

    def _was_left(self, key: Any, cell: Cell, mark: int) -> bool:
        assert self._left is not None
        changes = frozenset((id(target), k, new) for target, k, old, new in self._changes(0, mark) if old != new)
        agenda = tuple(item_key(item) for item in remaining_items(cell[4]))
        whole, depth = (key[0], key[2], changes, agenda), cell[3]
        if self._left.get(whole, depth + 1) <= depth:  # limits gave it at least as much room there
            return True
        self._left[whole] = depth
        return False

    def _is_ancestor(self, node_id: int, parent_id: int) -> bool:
        while parent_id > node_id:
            parent_id = self._path.parent(parent_id)
        return parent_id == node_id

    def _changes(self, start: int, end: int) -> Iterable[tuple[Any, Any, Any, Any]]:
        """Yield (dictionary, key, first old, last new) for what was written between two lengths of the log."""
        changes: dict[Any, tuple[Any, Any, Any, Any]] = {}
        for target, key, old, new in entries(self._log, start, end):
            place = id(target), key
            before = changes.get(place)
            changes[place] = (target, key, old if before is None else before[2], new)
        return changes.values()

    def _hash(self, mark: int) -> int:
        """Return the hash of the state at a length of the log, from that of the latest indexed node."""
        start, state_hash = (self._index[-1].mark, self._index[-1].state_hash) if self._index else (0, 0)
        for target, key, old, new in entries(self._log, start, mark):
            if isinstance(old, Variable) or isinstance(new, Variable):
                old, new = id(old), id(new)
            place = id(target)
            state_hash ^= hash((place, key, old)) ^ hash((place, key, new))
        return state_hash
