"""The command line inside the test's own process: the program's code without the seconds it takes to start."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

from planvow.adapters.cli.frame import output
from planvow.adapters.cli.frame.guard import guarded
from planvow.adapters.cli.main import app

Done = subprocess.CompletedProcess


def planvow(folder: Path, *words: object, **environment: str) -> Done[str]:
    """Run a command in a folder; return its exit code and what it printed."""
    command = ["planvow", *map(str, words)]
    out, err = io.StringIO(), io.StringIO()
    with contextlib.ExitStack() as stack:
        stack.enter_context(mock.patch.object(sys, "argv", command))
        stack.enter_context(mock.patch.dict(os.environ, environment))
        stack.enter_context(contextlib.chdir(folder))
        stack.enter_context(contextlib.redirect_stdout(out))
        stack.enter_context(contextlib.redirect_stderr(err))
        stack.enter_context(_no_stream_kept())
        code = _code()
    return subprocess.CompletedProcess(command, code, out.getvalue(), err.getvalue())


@contextlib.contextmanager
def _no_stream_kept() -> Iterator[None]:
    output._kept.clear()
    yield
    output._kept.clear()


def _code() -> int:
    try:
        guarded(app)
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else 1
    return 0


def planvow_process(folder: Path, *words: object, **environment: str) -> Done[str]:
    """Run the program itself, in a process of its own."""
    command = [sys.executable, "-m", "planvow", *map(str, words)]
    env = {**os.environ, **environment}
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)
