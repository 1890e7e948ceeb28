"""The agenda: a linked list that all branches of a search share.

A cell is a tuple (item, parent id, position among its siblings, depth, rest of the agenda, length from here). Cells
never change, so a branch that fails leaves nothing behind.
"""

from __future__ import annotations

from typing import Any

Cell = Any


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
