"""A progress bar on stderr, for people only: nothing is drawn when stderr is not a terminal."""

from __future__ import annotations

import sys
from types import TracebackType

_WIDTH = 30


class ProgressBar:
    """Draws how far a piece of work is; clears the line when it is over."""

    def __init__(self, title: str, unit: str, *, enabled: bool = True) -> None:
        self._title = title
        self._unit = unit
        self._enabled = enabled and sys.stderr.isatty()
        self._shown = -1

    def __enter__(self) -> ProgressBar:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        if self._enabled and self._shown >= 0:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()

    def advance(self, done: int, total: int) -> None:
        """Redraw when the share done has grown by a percent."""
        percent = 100 * done // total if total else 100
        if not self._enabled or percent == self._shown:
            return
        self._shown = percent
        filled = _WIDTH * percent // 100
        bar = "█" * filled + "·" * (_WIDTH - filled)
        sys.stderr.write(f"\r\033[K{self._title} {bar} {percent:3d} %  {done}/{total} {self._unit}")
        sys.stderr.flush()
