"""The agenda: a linked list that all branches of a search share.

A cell is a tuple (item, parent id, position among its siblings, depth, rest of the agenda, length from here). Cells
never change, so a branch that fails leaves nothing behind.
"""

from __future__ import annotations

from typing import Any

from planvow.kernel.terms import Annotated

Cell = Any


class Path:
    """The nodes from the start to where a search is, in parallel lists.

    Lists of what exists anyway, and no object per node: a long path then costs Python's garbage collector nothing.
    """

    __slots__ = ("cells", "hows", "marks", "ordinals")

    def __init__(self) -> None:
        self.cells: list[Cell] = []
        self.hows: list[Any] = []
        """The Command or Method, or a word for a goal that held."""
        self.ordinals: dict[int, int] = {}
        """Which of a generator's decompositions was taken, by node id; the others have taken their only one, 0."""
        self.marks: list[int] = []
        """How long the log was before the node."""

    def __len__(self) -> int:
        return len(self.cells)

    def append(self, cell: Cell, how: Any, mark: int) -> None:
        self.cells.append(cell)
        self.hows.append(how)
        self.marks.append(mark)

    def cut(self, length: int) -> None:
        """Keep the first `length` nodes."""
        del self.cells[length:], self.hows[length:], self.marks[length:]
        while self.ordinals and next(reversed(self.ordinals)) > length:  # they were added in the order of the path
            self.ordinals.popitem()

    def item(self, node_id: int) -> Any:
        """Return a node's item without its metadata."""
        item = self.cells[node_id - 1][0]
        return item.item if type(item) is Annotated else item

    def parent(self, node_id: int) -> int:
        """Return the id of a node's parent."""
        return self.cells[node_id - 1][1]  # type: ignore[no-any-return]


def pushed(items: Any, parent_id: int, depth: int, agenda: Cell, first: int = 0) -> Cell:
    """Put items before an agenda, the first one foremost; positions count from `first`."""
    length = 0 if agenda is None else agenda[5]
    position = first + len(items)
    for item in reversed(items):
        length += 1
        position -= 1
        agenda = (item, parent_id, position, depth, agenda, length)
    return agenda


def remaining_items(cell: Cell) -> tuple[Any, ...]:
    """Return the items from a cell on."""
    items = []
    while cell is not None:
        items.append(cell[0])
        cell = cell[4]
    return tuple(items)
