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

Agenda = tuple[Sequence[Any], int, int, int, "Behind", int]
"""What is still to be done: the siblings, the index of the next, the id of their parent, their depth, the lists behind,
how many items those hold."""
Behind = Agenda | None
"""The lists behind the one that is being worked through."""

NODE = 4
"""How many places a node takes in a path."""


class Path:
    """The nodes from the start to where a search is, in one flat list: item, parent id, how, mark, and so on.

    No object per node: a long path then costs Python's garbage collector nothing.
    """

    __slots__ = ("nodes", "ordinals")

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.ordinals: dict[int, int] = {}
        """Which of a generator's decompositions was taken, by node id; the others have taken their only one, 0."""

    def __len__(self) -> int:
        return len(self.nodes) // NODE

    @property
    def items(self) -> list[Any]:
        """As they stood in the agenda, with their metadata."""
        return self.nodes[::NODE]

    @property
    def parents(self) -> list[int]:
        return self.nodes[1::NODE]

    @property
    def hows(self) -> list[Any]:
        """The Command or Method, or a word for a goal that held."""
        return self.nodes[2::NODE]

    @property
    def marks(self) -> list[int]:
        """How long the log was before each node."""
        return self.nodes[3::NODE]

    def append(self, item: object, parent_id: int, how: object, mark: int) -> None:
        self.nodes.extend((item, parent_id, how, mark))

    def cut_ordinals(self, node_id: int) -> None:
        """Forget what was taken at a node and later."""
        ordinals = self.ordinals
        while ordinals and next(reversed(ordinals)) >= node_id:  # they were added in the order of the path
            ordinals.popitem()

    def item(self, node_id: int) -> Any:
        """Return a node's item without its metadata."""
        item = self.nodes[NODE * (node_id - 1)]
        return item.item if type(item) is Annotated else item

    def parent(self, node_id: int) -> int:
        parent_id: int = self.nodes[NODE * (node_id - 1) + 1]
        return parent_id

    def how(self, node_id: int) -> Any:
        return self.nodes[NODE * (node_id - 1) + 2]

    def mark(self, node_id: int) -> int:
        mark: int = self.nodes[NODE * (node_id - 1) + 3]
        return mark

    def lengths_behind(self, agenda: Agenda) -> list[int]:
        """Return how many items stood behind each node when it was met, given the agenda as it is now."""
        parents = self.parents
        children = Counter(parents)
        for listed, place, owner in _lists(agenda):
            children[owner] += len(listed) - place
        lengths = [0]
        for owner in parents:
            children[owner] -= 1
            lengths.append(lengths[owner] + children[owner])
        return lengths[1:]


def remaining_items(agenda: Agenda) -> tuple[Any, ...]:
    """Return the items of an agenda."""
    return tuple(item for listed, place, _ in _lists(agenda) for item in listed[place:])


def _lists(agenda: Behind) -> Iterator[tuple[Sequence[object], int, int]]:
    while agenda is not None:
        siblings, index, parent_id, _, agenda, _ = agenda
        yield siblings, index, parent_id
