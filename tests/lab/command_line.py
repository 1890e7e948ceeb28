"""The command line inside the test's own process: the program's code without the seconds it takes to start.

A command gets streams of its own with bytes beneath them, an environment and a folder, and leaves nothing behind: no
module of a user's, no path, no hook. What needs a process (kills, workers, memory, hash seeds) starts one.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import io
import os
import subprocess
import sys
import sysconfig
import tomllib
import traceback
from collections.abc import Iterator, Mapping
from pathlib import Path
from unittest import mock

import typer.main

from planvow.adapters.cli.frame import output

Done = subprocess.CompletedProcess
ROOT = Path(__file__).resolve().parents[2]
ENTRIES = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["scripts"]
_build = typer.main.get_command
_OURS = tuple(map(str, (ROOT / "src", ROOT / "tests", sysconfig.get_paths()["stdlib"])))


def planvow(folder: Path, *words: object, stdin: str = "", **environment: str) -> Done[str]:
    """Run a command in a folder; return its exit code and what it printed."""
    return program("planvow", folder, *words, stdin=stdin, **environment)


def program(name: str, folder: Path, *words: object, stdin: str = "", **environment: str) -> Done[str]:
    """Run one of the project's console scripts in a folder; return its exit code and what it printed."""
    done = run_bytes([name, *map(str, words)], folder, stdin=stdin.encode(), environment=environment)
    return subprocess.CompletedProcess(done.args, done.returncode, _text(done.stdout), _text(done.stderr))


def on_screen(folder: Path, *words: object, columns: int) -> Done[str]:
    """Run a command with streams that say they are a terminal of so many columns."""
    size = {"COLUMNS": str(columns), "TERM": "dumb"}
    done = run_bytes(["planvow", *map(str, words)], folder, environment=size, screen=True)
    return subprocess.CompletedProcess(done.args, done.returncode, _text(done.stdout), _text(done.stderr))


def run_bytes(
    command: list[str],
    folder: Path,
    *,
    stdin: bytes = b"",
    environment: Mapping[str, str] | None = None,
    screen: bool = False,
) -> Done[bytes]:
    """Call what the console script `command[0]` calls; return its exit code and the bytes it printed."""
    streams = {"stdin": _Stream(stdin), "stdout": _Stream(screen=screen), "stderr": _Stream(screen=screen)}
    with contextlib.ExitStack() as stack:
        for name, value in {"argv": list(command), **streams, "path": list(sys.path)}.items():
            stack.enter_context(mock.patch.object(sys, name, value))
        stack.enter_context(mock.patch.object(sys, "excepthook", sys.excepthook))  # the library puts its own there
        # Else usage errors name the program that runs the tests.
        stack.enter_context(mock.patch.object(sys.modules["__main__"], "__package__", None, create=True))
        stack.enter_context(mock.patch.dict(os.environ, environment or {}))
        stack.enter_context(contextlib.chdir(folder))
        stack.enter_context(mock.patch.object(typer.main, "get_command", _command))
        stack.enter_context(_nothing_kept())
        code = _code(ENTRIES[command[0]])
    return subprocess.CompletedProcess(command, code, streams["stdout"].written(), streams["stderr"].written())


def _command(app: typer.Typer) -> object:
    return _built(app, app._add_completion, app.rich_markup_mode)


@functools.cache
def _built(app: typer.Typer, *_looks: object) -> object:
    """Reading what every function of a group takes costs more than most commands do: once is enough."""
    return _build(app)


class _Stream(io.TextIOWrapper):
    """Text over bytes in memory, as a pipe or, if so asked, as a terminal."""

    def __init__(self, content: bytes = b"", *, screen: bool = False) -> None:
        self._bytes, self._screen = io.BytesIO(content), screen
        super().__init__(self._bytes, encoding="utf-8", errors="backslashreplace", write_through=True)

    def isatty(self) -> bool:
        return self._screen

    def written(self) -> bytes:
        self.flush()
        return self._bytes.getvalue()


@contextlib.contextmanager
def _nothing_kept() -> Iterator[None]:
    """Let a command find the modules and the state of a new process, and take its own away afterwards."""
    before = dict(sys.modules)
    importlib.invalidate_caches()  # a file may be younger than the last look into its folder
    output._kept.clear()
    try:
        with mock.patch.object(output, "_answered", False):
            yield
    finally:
        output._kept.clear()
        for name in [name for name, module in sys.modules.items() if before.get(name) is not module]:
            if not _installed(sys.modules[name]):
                del sys.modules[name]


def _installed(module: object) -> bool:
    path = getattr(module, "__file__", None)
    return path is None or "site-packages" in path or path.startswith(_OURS)


def _code(entry: str) -> int:
    module, _, function = entry.partition(":")
    try:
        getattr(importlib.import_module(module), function)()
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    except Exception:  # as an interpreter ends
        traceback.print_exc()
        return 1
    return 0


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace").replace("\r\n", "\n")


def planvow_process(folder: Path, *words: object, **environment: str) -> Done[str]:
    """Run the program itself, in a process of its own."""
    command = [sys.executable, "-m", "planvow", *map(str, words)]
    env = {**os.environ, **environment}
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)
