"""A progress bar on stderr, for people only: nothing is drawn when stderr is not a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def progress_bar(title: str, unit: str, *, enabled: bool = True) -> Iterator[Callable[[int, int], None]]:
    """Give a function that is told (done, total) and draws it; the line is cleared when the work is over."""
    if not enabled or not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console  # loaded only when there is something to draw
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskProgressColumn, TextColumn

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TaskProgressColumn(), MofNCompleteColumn())
    with Progress(*columns, TextColumn(unit, markup=False), console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
