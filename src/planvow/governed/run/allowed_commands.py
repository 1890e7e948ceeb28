"""Running one allow-listed command: no shell, no input, a time limit for it and all it starts."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from planvow.governed.errors import OperationError

KEPT_BYTES = 1 << 20


@dataclass(frozen=True, kw_only=True)
class CommandRun:
    """How a command ended and the end of what it printed."""

    exit_code: int
    printed: bytes


def run_command(command: Sequence[str], root: Path, timeout_seconds: int) -> CommandRun:
    """Run a command in the root; raise OperationError when it cannot start or takes too long."""
    try:
        process = subprocess.Popen(
            list(command),
            cwd=root,
            # Byte code is judged by seconds and size: a patch of the same length could be tested in its old form.
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # so that whatever it starts can be ended with it
        )
    except OSError as error:
        raise OperationError(f"{command[0]!r} cannot be started: {error.strerror}") from None
    try:
        printed, _ = process.communicate(timeout=timeout_seconds)
    except subprocess.TimeoutExpired:
        raise OperationError(f"{command[0]!r} took more than {timeout_seconds} seconds and was ended") from None
    finally:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    return CommandRun(exit_code=process.returncode, printed=printed[-KEPT_BYTES:])
