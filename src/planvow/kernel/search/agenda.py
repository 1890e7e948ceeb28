"""Where a search is: what is still to be done, and the path that led here.

The agenda is the list of items that is being worked through, with the place reached in it, and the lists behind it. A
list is put behind only when something in it is left (a method that ends with its own task leaves nothing), and then
as one tuple (siblings, index of the next, id of their parent, their depth, the lists behind, how many items those
hold). The tuples never change, so branches share them and a branch that fails leaves nothing behind.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from planvow.kernel.domain.terms import Annotated

Behind = Any
"""The lists behind the one that is being worked through: a tuple as above, or None."""


class Path:
    """The nodes from the start to where a search is, in parallel lists.

    Lists of what exists anyway, and no object per node: a long path then costs Python's garbage collector nothing.
    """

    __slots__ = ("hows", "items", "marks", "ordinals", "parents")

    def __init__(self) -> None:
        self.items: list[Any] = []
        """As they stood in the agenda, with their metadata."""
        self.parents: list[int] = []
        self.hows: list[Any] = []
        """The Command or Method, or a word for a goal that held."""
        self.marks: list[int] = []
        """How long the log was before the node."""
        self.ordinals: dict[int, int] = {}
        """Which of a generator's decompositions was taken, by node id; the others have taken their only one, 0."""

    def __len__(self) -> int:
        return len(self.items)

    def append(self, item: Any, parent_id: int, how: Any, mark: int) -> None:
        self.items.append(item)
        self.parents.append(parent_id)
        self.hows.append(how)
        self.marks.append(mark)

    def cut(self, length: int) -> None:
        """Keep the first `length` nodes."""
        del self.items[length:], self.parents[length:], self.hows[length:], self.marks[length:]
        ordinals = self.ordinals
        while ordinals and next(reversed(ordinals)) > length:  # they were added in the order of the path
            ordinals.popitem()

    def item(self, node_id: int) -> Any:
        """Return a node's item without its metadata."""
        item = self.items[node_id - 1]
        return item.item if type(item) is Annotated else item

    def lengths_behind(self, siblings: Sequence[Any], index: int, parent_id: int, behind: Behind) -> list[int]:
        """Return how many items stood behind each node when it was met, given the agenda as it is now."""
        children = Counter(self.parents)
        for listed, place, owner in _lists(siblings, index, parent_id, behind):
            children[owner] += len(listed) - place
        lengths = [0]
        for owner in self.parents:
            children[owner] -= 1
            lengths.append(lengths[owner] + children[owner])
        return lengths[1:]


def remaining_items(siblings: Sequence[Any], index: int, behind: Behind) -> tuple[Any, ...]:
    """Return the items of an agenda."""
    return tuple(item for listed, place, _ in _lists(siblings, index, 0, behind) for item in listed[place:])


def _lists(siblings: Any, index: int, parent_id: int, behind: Behind) -> Iterator[tuple[Sequence[Any], int, int]]:
    yield siblings, index, parent_id
    while behind is not None:
        siblings, index, parent_id, _, behind, _ = behind
        yield siblings, index, parent_id
