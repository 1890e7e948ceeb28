"""The `planvow` command, in this process: what it prints is what people get."""

from __future__ import annotations

import io
import sys
from contextlib import redirect_stderr, redirect_stdout
from unittest.mock import patch

from planvow.__main__ import run


def printed(*words: object, code: int = 0) -> str:
    """Run a command and return what it printed; any other exit code than the expected one is an error."""
    out, errors = io.StringIO(), io.StringIO()
    ended = 0
    with patch.object(sys, "argv", ["planvow", *map(str, words)]), redirect_stdout(out), redirect_stderr(errors):
        try:
            run()
        except SystemExit as exit_:
            ended = exit_.code if isinstance(exit_.code, int) else 1
    assert ended == code, f"planvow {' '.join(map(str, words))} ended with {ended}: {errors.getvalue()}"
    return out.getvalue()
