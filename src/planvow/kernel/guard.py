"""Seeing that a search has been here before.

A node is keyed by its item and a hash of the state, kept up from the log of writes. Three cases, each confirmed by
comparing, never by the hash alone:

- the same state **and the same rest of the agenda** stand earlier on the path: whatever follows here also follows
  there, so this branch can be cut without losing a plan;
- the same item in the same state is an **ancestor**, with another rest (`t -> [t, a]`): cutting it for good would
  lose plans such as `b a a`, not cutting it would never end. It is cut at a level of nesting, and the search starts
  again with a higher level when nothing was found and something was cut;
- in mode "search", the same state and agenda were left without a plan elsewhere: cut as well.
"""

from __future__ import annotations

from typing import Any

from planvow.kernel.state import MISSING, State
from planvow.kernel.terms import normal_item
from planvow.kernel.variable import Variable

LOOP = "the same state and agenda stand earlier on this path"
NESTED = "the same item in the same state is being broken down already"
SEEN = "the same state and agenda led nowhere before"


class LoopGuard:
    """The keys of the current path, following the search forwards and back."""

    def __init__(self, state: State, trail: list[Any], *, whole_search: bool) -> None:
        self._log = state._log
        self._trail = trail
        self._path: list[tuple[int, int, int, Any, Any, int]] = []  # node, log length, hash, key, cell, earlier index
        self._latest: dict[Any, int] = {}  # key -> index of the latest node on the path with this key
        self._left: dict[Any, int] | None = {} if whole_search else None  # state and agenda -> depth it was left at
        self.level = 0
        self.cut_nested = False

    def restart(self) -> None:
        """Begin a pass that allows deeper nesting."""
        self.level = 2 * self.level or 1
        self.cut_nested = False
        self._path.clear()
        self._latest.clear()
        if self._left is not None:
            self._left.clear()

    def back_to(self, trail_length: int) -> None:
        """Follow the search back to a node."""
        path, latest = self._path, self._latest
        while path and path[-1][0] > trail_length:
            *_, key, _, earlier = path.pop()
            if earlier < 0:
                del latest[key]
            else:
                latest[key] = earlier

    def enter(self, cell: Any, node_id: int, item: Any, extra: Any) -> str | None:
        """Note that an item is about to be broken down; return why it should not be, or None."""
        state_hash = self._hash()
        key = (item, state_hash, extra)
        try:
            earlier = self._latest.get(key, -1)
        except TypeError:  # an argument that cannot be hashed
            key = (normal_item(item), state_hash, extra)
            earlier = self._latest.get(key, -1)
        if earlier >= 0:
            verdict = self._compare(earlier, cell)
            if verdict is not None:
                return verdict
        if self._left is not None and self._was_left(key, cell):
            return SEEN
        path = self._path
        self._latest[key] = len(path)
        path.append((node_id, len(self._log), state_hash, key, cell, earlier))
        return None

    def _compare(self, index: int, cell: Any) -> str | None:
        """Look at the earlier nodes with this key, latest first."""
        nested = 0
        while index >= 0:
            node_id, log_length, _, _, old_cell, earlier = self._path[index]
            if self._unchanged_since(log_length):
                if _same_agenda(old_cell[4], cell[4]):
                    return LOOP
                if self._is_ancestor(node_id, cell[1]):
                    nested += 1
                    if nested > self.level:
                        self.cut_nested = True
                        return NESTED
            index = earlier
        return None

    def _was_left(self, key: Any, cell: Any) -> bool:
        assert self._left is not None
        changes = frozenset((id(e[0]), e[1], dict.get(e[0], e[1], MISSING)) for e in self._first_writes(0))
        whole = (key[0], key[2], changes, _agenda_key(cell[4]))
        depth = cell[3]
        if self._left.get(whole, depth + 1) <= depth:  # left at no greater depth: limits gave it at least as much room
            return True
        self._left[whole] = depth
        return False

    def _is_ancestor(self, node_id: int, parent_id: int) -> bool:
        while parent_id > node_id:
            parent_id = self._trail[parent_id - 1][0]
        return parent_id == node_id

    def _unchanged_since(self, mark: int) -> bool:
        """Say whether every write after `mark` has been written back."""
        return all(dict.get(target, key, MISSING) == old for target, key, old, *_ in self._first_writes(mark))

    def _first_writes(self, mark: int) -> Any:
        first: dict[Any, Any] = {}
        for entry in self._log[mark:]:
            first.setdefault((id(entry[0]), entry[1]), entry)
        return first.values()

    def _hash(self) -> int:
        if self._path:
            _, upto, state_hash, _, _, _ = self._path[-1]
        else:
            upto = state_hash = 0
        for entry in self._log[upto:]:
            target, key, old, new = entry[:4]
            place = id(target)
            if type(old) is Variable or type(new) is Variable:
                old, new = id(old), id(new)
            state_hash ^= hash((place, key, old)) ^ hash((place, key, new))
        return state_hash


def _same_agenda(a: Any, b: Any) -> bool:
    while a is not b:
        if a is None or b is None or a[0] != b[0]:
            return False
        a, b = a[4], b[4]
    return True


def _agenda_key(cell: Any) -> Any:
    items = []
    while cell is not None:
        items.append(cell[0])
        cell = cell[4]
    try:
        hash(tuple(items))
    except TypeError:
        return tuple(normal_item(item) for item in items)
    return tuple(items)
