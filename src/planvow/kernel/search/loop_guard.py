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

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from planvow.kernel.domain.domain import Method
from planvow.kernel.search.agenda import Agenda, Path, remaining_items
from planvow.kernel.search.conditions import Conditions
from planvow.kernel.search.table import item_key
from planvow.kernel.world.state import MISSING, State
from planvow.kernel.world.variable import Variable, entries

LOOP = "the same state and agenda were met on the way here"
NESTED = "the same item in the same state is being broken down already"
SEEN = "the same state and agenda led nowhere before"

SUSPECTED = "the path looks like a circle"
SUSPECT = Method(name="suspect", function=lambda state: None, subject="", kind="task")
"""Stands in the path for the method of the node that passed the post, while the path is indexed."""

Changes = frozenset[tuple[int, object, type, object]]
"""What was written since the start, as it stands: dictionary, key, type and value."""

_NO_POST: Any = (0, 1 << 62, None, 0)
_NOWHERE: dict[object, object] = {}


class Indexed(NamedTuple):
    """One node of the path, in the index."""

    node_id: int
    mark: int
    """How long the log was when the node was met."""
    state_hash: int
    key: object
    length: int
    """How many items stood behind the node. A descendant with as many has the same rest of the agenda: its own
    would stand before that."""
    earlier: int
    """Where in the index the previous node with this key is; -1 for none."""
    ancestor: int
    """Where in the index the nearest ancestor with this key is; -1 for none."""
    nesting: int
    """How many ancestors have this key."""


class LoopGuard:
    """Follows a search forwards and back. `path` and the state's log are the search's own.

    `post` is for the search, which compares before it calls `look`: (depth of the post, end, item there). The post is
    compared with nodes that are deeper than it and do not reach its end.
    """

    post: tuple[int, int, object]

    def __init__(
        self, state: State, path: Path, conditions: Conditions, *, is_on: bool, whole_search: bool, from_the_start: bool
    ) -> None:
        self._log = state._log
        self._path = path
        self._conditions = conditions
        self._is_indexing = from_the_start or whole_search
        self.level = 0
        self.cut_nested = False
        self._reach = 1
        self._posts: list[Any] = []  # earlier posts, for when the search comes back behind the present one
        self._put_post(*_NO_POST)
        if not is_on:  # as if the post stood above everything and nothing were like it
            self.post = 0, 1 << 62, object()
        self._index: list[Indexed] = []
        self._latest: dict[object, int] = {}  # key -> the latest of its nodes in the index
        self._left: dict[Any, Any] | None = {} if whole_search else None  # state and agenda -> its depth and cost

    def look(self, agenda: Agenda, node_id: int, item: object) -> str | None:
        """Look at a node that is about to be broken down; return why it should not be, or None.

        SUSPECTED means that the node passes the post in the same state, and the path must be indexed.
        """
        siblings, index, parent_id, depth, _, items_behind = agenda
        post_depth, post_end, post_item = self.post
        mark = len(self._log)
        if post_depth < depth < post_end and (item != post_item or self.has_moved()):
            return None
        if self._is_indexing:
            extra = self._conditions.fingerprints()
            objection = self._enter(node_id, parent_id, item, mark, len(siblings) - index + items_behind, extra)
            if objection is None and self._left is not None:
                objection = SEEN if self._was_left((item, *remaining_items(agenda)), extra, depth, mark) else None
            return objection
        if post_depth < depth < post_end:
            return SUSPECTED if self._is_at_post() else None
        # The node is far below the post; or the post is done with, since this node is no lower.
        if depth > post_depth:
            self._reach *= 2
        self._posts.append((self._post_id, post_depth, post_item, self._post_mark))
        self._put_post(node_id, depth, item, mark)
        return None

    def has_moved(self) -> bool:
        """Say whether a triple that was changed after the post has not got its value back: the state is another one."""
        return bool(self._watched.get(self._watched_key) != self._watched_value)

    def index_path(self, lengths: Sequence[int]) -> int | None:
        """Index the path so far; return the first node that should not be there, or None."""
        self._is_indexing = True
        self._put_post(*_NO_POST)
        path = self._path
        for node_id in range(1, len(path) + 1):
            if isinstance(path.how(node_id), Method):
                parent_id, mark = path.parent(node_id), path.mark(node_id)
                if self._enter(node_id, parent_id, path.item(node_id), mark, lengths[node_id - 1], None) is not None:
                    return node_id
        return None

    def _enter(self, node_id: int, parent_id: int, item: object, mark: int, length: int, extra: object) -> str | None:
        """Index a node; return why it should not be there, or None. `extra` is what else tells states apart."""
        state_hash = self._hash(mark)
        key = (item, state_hash, extra)
        try:
            earlier = self._latest.get(key, -1)
        except TypeError:  # an argument that cannot be hashed
            key = (item_key(item), state_hash, extra)
            earlier = self._latest.get(key, -1)
        ancestor, nesting = self._nearest_ancestor(earlier, parent_id, mark), 0
        if ancestor >= 0:
            above = self._index[ancestor]
            if above.length == length:
                return LOOP
            nesting = above.nesting + 1
            if nesting > self.level:
                self.cut_nested = True
                return NESTED
        self._latest[key] = len(self._index)
        self._index.append(Indexed(node_id, mark, state_hash, key, length, earlier, ancestor, nesting))
        self.latest_id = node_id
        return None

    def back_to(self, node_id: int) -> None:
        """Follow the search back to a node, which stays."""
        if self._post_id > node_id:
            posts = self._posts
            while posts[-1][0] > node_id:  # the first of all has id 0
                posts.pop()
            self._put_post(*posts.pop())
        index = self._index
        while index and index[-1].node_id > node_id:
            gone = index.pop()
            if gone.earlier < 0:
                del self._latest[gone.key]
            else:
                self._latest[gone.key] = gone.earlier
        self.latest_id = max(self._post_id, index[-1].node_id if index else 0)

    def key_of(self, node_id: int) -> object:
        """Return what an indexed node is looked up by; None for a node that is not in the index."""
        place = bisect_left(self._index, node_id, key=lambda node: node.node_id)
        return self._index[place].key if place < len(self._index) and self._index[place].node_id == node_id else None

    def net_changes(self, mark: int) -> Changes | None:
        """Return what the writes up to a length of the log come to; None when a whole predicate came or went."""
        changes = [c for c in self._changes(0, mark) if type(c[2]) is not type(c[3]) or c[2] != c[3]]
        if any(isinstance(old, Variable) or isinstance(new, Variable) for _, _, old, new in changes):
            return None
        return frozenset((id(target), key, type(new), new) for target, key, _, new in changes)

    def restart(self) -> None:
        """Begin a pass that allows deeper nesting."""
        self.level = 2 * self.level or 1
        self.cut_nested = False
        self._index.clear()
        self._latest.clear()
        if self._left is not None:
            self._left.clear()

    def _put_post(self, node_id: int, depth: int, item: object, mark: int) -> None:
        self._post_id, self._post_mark = node_id, mark
        self.latest_id = node_id
        self.post = depth, depth + self._reach, item
        self._watched, self._watched_key, self._watched_value = _NOWHERE, None, None

    def _is_at_post(self) -> bool:
        """Compare the state with that at the post."""
        for target, key, old, new in self._changes(self._post_mark, len(self._log)):
            if old != new:
                self._watched, self._watched_key = target, key
                self._watched_value = None if old is MISSING else old  # as `get` would say
                return False
        return True

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

    def _was_left(self, agenda: tuple[object, ...], extra: object, depth: int, mark: int) -> bool:
        assert self._left is not None
        changes = frozenset((id(target), k, new) for target, k, old, new in self._changes(0, mark) if old != new)
        whole = (tuple(item_key(item) for item in agenda), extra, changes)
        there, cost = self._left.get(whole), self._conditions.measure
        if there is not None and there[0] <= depth and there[1] <= cost:  # it had at least as much room there
            return True
        self._left[whole] = depth, cost
        return False

    def _is_ancestor(self, node_id: int, parent_id: int) -> bool:
        while parent_id > node_id:
            parent_id = self._path.parent(parent_id)
        return parent_id == node_id

    def _changes(self, start: int, end: int) -> Iterable[tuple[Any, Any, Any, Any]]:
        """Yield (dictionary, key, first old, last new) for what was written between two lengths of the log."""
        changes: dict[object, tuple[object, object, object, object]] = {}
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
