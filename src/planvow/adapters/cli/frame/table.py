"""Tables that fit the terminal: everything where there is room, and from 50 columns on what matters most.

A file or a pipe gets all columns in full. On a terminal that is too narrow ids are shortened first (every command takes
short ids), then the columns that matter least go, and at last the longest texts are cut.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from planvow.adapters.cli.frame import terminal
from planvow.adapters.cli.frame.output import results_stream
from planvow.adapters.cli.frame.visible import visible

GAP = 2
SHORT_ID = 12


@dataclass(frozen=True, kw_only=True)
class Column:
    """A column: `weight` 0 always stays, the heaviest goes first; ids may be shortened."""

    name: str
    weight: int = 0
    is_id: bool = False


def terminal_width() -> int | None:
    """Return how many columns there are where results go, None where nobody looks."""
    return terminal.terminal_width(results_stream())


def table(columns: Sequence[Column], rows: Sequence[Sequence[str]], width: int | None = None) -> str:
    """Return a table of at most so many columns; None for as many as it takes."""
    from rich.cells import cell_len, set_cell_size

    kept = list(range(len(columns)))
    cells = [[visible(cell) for cell in row] for row in rows]

    def widths() -> list[int]:
        return [max(cell_len(columns[i].name), *(cell_len(row[i]) for row in cells)) if cells else len(columns[i].name)
                for i in kept]  # fmt: skip

    def over() -> int:
        return 0 if width is None else sum(widths()) + GAP * (len(kept) - 1) - width

    if over() > 0:
        for row in cells:
            for i, column in enumerate(columns):
                row[i] = row[i][:SHORT_ID] if column.is_id else row[i]
    while over() > 0 and any(columns[i].weight for i in kept):
        kept.remove(max(kept, key=lambda i: columns[i].weight))
    sizes = widths()
    while width is not None and (excess := sum(sizes) + GAP * (len(kept) - 1) - width) > 0 and max(sizes) > 1:
        widest = max(range(len(sizes)), key=sizes.__getitem__)
        sizes[widest] -= min(excess, max(1, sizes[widest] - sorted(sizes)[-2] if len(sizes) > 1 else excess))

    dots = "~" if terminal.plain_characters() else "…"

    def fitted(text: str, size: int) -> str:
        return set_cell_size(text, size) if cell_len(text) <= size else set_cell_size(text, size - 1) + dots

    lines = [[columns[i].name for i in kept], *([row[i] for i in kept] for row in cells)]
    shown = ((" " * GAP).join(fitted(cell, size) for cell, size in zip(line, sizes, strict=True)) for line in lines)
    return "\n".join(line.rstrip() for line in shown)
