"""Running one command in a tree: contained, with a clean environment, within limits.

The command's first process is `launch.py`, which lowers its own limits and then becomes the command; `supervise.py`
watches from outside. Uncontained, which the caller has to allow, a command has the same environment and limits, but
the network and the files are the worker's, and only its own process group is sure to end with it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import IO, NamedTuple

from planvow.cassette.contained import bubblewrap
from planvow.cassette.contained.control_group import bounded_group, join
from planvow.cassette.contained.environment import clean_environment, secrets_in, without_secrets
from planvow.cassette.contained.limits import MEBIBYTE, Limits
from planvow.cassette.contained.supervise import Started, Supervision
from planvow.cassette.contained.tree import Survey, Tree, settle, survey
from planvow.cassette.contained.unsettled import remembered, settle_earlier
from planvow.cassette.errors import CommandEndedError, NotContainedError, PathRefusedError

KEPT_BYTES = 1 << 20
UNCONTAINED = "none"
STARTED = b"+"  # what the launcher says before it becomes the command
CONTAINERS_PROCESSES = 2  # bubblewrap itself, outside and as the namespace's first process


@dataclass(frozen=True, kw_only=True)
class Order:
    """What to run, where, and within which limits. `environment` and `readable` name what it gets beside the usual."""

    command: Sequence[str]
    tree: Tree
    quarantine: Path
    timeout_seconds: float
    limits: Limits = field(default_factory=Limits)
    environment: Collection[str] = ()
    readable: Collection[str] = ()
    uncontained: bool = False
    cancelled: Callable[[], bool] = lambda: False
    unsettled: Path | None = None
    """Where to remember, out of the command's sight, what the tree was like, should the worker be killed meanwhile."""


@dataclass(frozen=True, kw_only=True)
class Run:
    """How a command ended, the end of what it printed without the worker's secrets, and what contained it."""

    exit_code: int
    printed: bytes
    containment: str


def run_contained(order: Order) -> Run:
    """Run a command to its end.

    Raises NotContainedError where nothing can be contained and the order does not say `uncontained`, CommandEndedError
    when the command cannot start or goes beyond a limit, PathRefusedError when protected paths came up meanwhile.
    """
    if not hasattr(os, "killpg"):
        raise NotContainedError(
            "this system cannot end everything that a command has started: commands of plans need Linux or macOS"
        )
    if os.path.realpath(order.tree.root) == "/":
        raise NotContainedError("the whole file system cannot be a tree to work in")
    found = bubblewrap.containment(order.tree.root)
    if found.program is None and not order.uncontained:
        raise NotContainedError(f"commands cannot be contained here: {found.reason}")
    _refuse(
        "while a command ran whose worker was killed", settle_earlier(order.unsettled, order.tree, order.quarantine)
    )
    before = survey(order.tree)
    with remembered(order.unsettled, order.quarantine.name, before) as record:
        try:
            exit_code, printed = _run(found.program, order, before)
        finally:
            wrong, is_done = settle(order.tree, before, order.quarantine)
            if record is not None and is_done:
                record.unlink(missing_ok=True)
    _refuse("meanwhile", wrong)
    return Run(
        exit_code=exit_code, printed=printed, containment=UNCONTAINED if found.program is None else bubblewrap.NAME
    )


def _refuse(when: str, wrong: list[str]) -> None:
    if wrong:
        raise PathRefusedError(
            f"protected paths appeared or were moved {when}, what is new is in quarantine: {', '.join(wrong)[:200]}"
        )


class _Start(NamedTuple):
    """How to start the launcher: the words before it, its environment, and the files that those words name.

    A container tells the number of its first process on `told_by` and goes on when `waits_for` is written to.
    """

    words: list[str]
    environment: Mapping[str, str]
    named: tuple[IO[bytes], ...] = ()
    told_by: IO[bytes] | None = None
    waits_for: IO[bytes] | None = None
    group: Path | None = None


def _run(program: str | None, order: Order, before: Survey) -> tuple[int, bytes]:
    secrets = secrets_in(os.environ)
    supervision = Supervision(
        timeout_seconds=order.timeout_seconds,
        limits=order.limits,
        kept_bytes=KEPT_BYTES + (len(secrets[0]) if secrets else 0),
        cancelled=order.cancelled,
    )
    with (
        _uncontained(order) if program is None else _contained(program, order, before) as start,
        _pipe() as (heard, said),
    ):
        started = _started(start, order, said)
        try:
            _release(start, started)
            exit_code = started.finish(supervision)
        except CommandEndedError as error:
            error.printed = _kept(started, secrets)
            raise
        finally:
            started.end()
        os.set_blocking(heard.fileno(), False)
        answer = heard.read(1000) or b""
    printed = _kept(started, secrets)
    if answer != STARTED:
        why = answer.removeprefix(STARTED) if answer.startswith(STARTED) else printed[-200:].strip()
        raise CommandEndedError(f"it cannot be started: {why.decode('utf-8', 'replace')}")
    return exit_code, printed


def _kept(started: Started, secrets: Sequence[bytes]) -> bytes:
    """Return the end of what was printed, without secrets, nor the end of one at its beginning."""
    printed = without_secrets(bytes(started.printed), secrets)
    return printed[len(secrets[0]) if started.left_out and secrets else 0 :][-KEPT_BYTES:]


def _started(start: _Start, order: Order, said: IO[bytes]) -> Started:
    limits = {
        "CPU": order.limits.cpu_seconds,
        "DATA": order.limits.memory_mb * MEBIBYTE,
        "FSIZE": order.limits.file_mb * MEBIBYTE,
        "NOFILE": order.limits.open_files,
        "CORE": 0,
    }
    if start.told_by is not None:  # in a namespace of its own; elsewhere all the user's processes would count
        limits["NPROC"] = order.limits.processes + CONTAINERS_PROCESSES
    launcher = files("planvow.cassette.contained").joinpath("launch.py").read_text("utf-8")
    task = json.dumps({"limits": limits, "pipe": said.fileno()})
    try:
        process = subprocess.Popen(
            [*start.words, sys.executable, "-I", "-S", "-c", launcher, task, *order.command],
            cwd=order.tree.root,
            env=start.environment,  # also of the container: those inside can read how their first process was started
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            pass_fds=[file.fileno() for file in (*start.named, said)],
        )
    except OSError as error:
        raise CommandEndedError(f"it cannot be started: {error.strerror}") from None
    for file in (*start.named, said):
        file.close()
    told = b"" if start.told_by is None else start.told_by.readall()  # type: ignore[attr-defined]
    return Started(process, json.loads(told)["child-pid"] if told else None)


def _release(start: _Start, started: Started) -> None:
    """Let a container go on, once it is where its processes are counted."""
    if start.group is not None and started.init is not None:
        join(start.group, started.pid, started.init)
    if start.waits_for is not None:
        with suppress(BrokenPipeError):  # it ended already, and says why
            start.waits_for.write(b"+")


@contextmanager
def _uncontained(order: Order) -> Iterator[_Start]:
    with tempfile.TemporaryDirectory(prefix="planvow-", ignore_cleanup_errors=True) as home:
        yield _Start([], {**clean_environment(os.environ, order.environment), "HOME": home, "TMPDIR": home})


@contextmanager
def _contained(program: str, order: Order, before: Survey) -> Iterator[_Start]:
    environment = clean_environment(os.environ, order.environment)
    words = bubblewrap.arguments(
        order.tree, before, readable=order.readable, environment=environment, limits=order.limits
    )
    with (
        bounded_group(order.limits.processes + CONTAINERS_PROCESSES) as group,
        tempfile.TemporaryFile() as said,  # a command line has less room than the mounts of a large tree need
        _pipe() as (told_by, telling),
        _pipe() as (waiting, waits_for),
    ):
        said.write(b"".join(os.fsencode(word) + b"\0" for word in words))
        said.seek(0)
        named = {"--args": said, "--info-fd": telling, "--block-fd": waiting}
        command = [program, *(word for option, file in named.items() for word in (option, str(file.fileno()))), "--"]
        yield _Start(command, environment, tuple(named.values()), told_by, waits_for, group)


@contextmanager
def _pipe() -> Iterator[tuple[IO[bytes], IO[bytes]]]:
    """Yield both ends of a pipe, unbuffered, and close what is still open of them."""
    reading, writing = os.pipe()
    with open(reading, "rb", buffering=0) as out, open(writing, "wb", buffering=0) as into:
        yield out, into
