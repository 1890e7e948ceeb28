"""How far the work is, on stderr and for people only: how much is done, for how long, how fast.

Nothing is drawn when stderr is not a terminal. Narrow terminals see numbers without a bar; NO_COLOR and terminals with
ASCII alone are respected.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from planvow.adapters.cli.frame.terminal import coloured, plain_characters

_ROOM_FOR_A_BAR = 80


@contextmanager
def progress_bar(title: str, unit: str, *, enabled: bool = True) -> Iterator[Callable[[int, int | None], None]]:
    """Give a function that is told (done, total) and draws it; the line is cleared when the work is over."""
    if not enabled or not sys.stderr.isatty():
        yield lambda done, total: None
        return
    with _drawn(unit) as bar:
        task = bar.add_task(title, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _drawn(unit: str) -> Any:
    from rich.console import Console  # loaded only when there is something to draw
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn
    from rich.table import Column

    class Rate(TextColumn):
        def render(self, task: Any) -> Any:
            speed = task.finished_speed or task.speed
            return "" if speed is None else f"{speed:,.1f}/s"

    console = Console(stderr=True, no_color=not coloured(sys.stderr))
    titled = TextColumn(
        "{task.description}", markup=False, table_column=Column(no_wrap=True, overflow="ellipsis", ratio=1)
    )
    columns: list[Any] = [titled]
    if console.width >= _ROOM_FOR_A_BAR and not plain_characters(sys.stderr):
        columns.append(BarColumn())
    columns += [
        TaskProgressColumn(),
        MofNCompleteColumn(),
        TextColumn(unit, markup=False),
        TimeElapsedColumn(),
        Rate(""),
    ]
    return Progress(*columns, console=console, transient=True)
