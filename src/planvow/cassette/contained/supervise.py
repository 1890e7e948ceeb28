"""Watching one started process: what it prints, how long it takes, what it and its descendants use, and its end.

What is printed is read as it comes and only its end is kept, so a command that prints without end costs no memory.
The end of a contained run is the end of its process namespace, and is waited for: afterwards nothing the command
started is left.
"""

from __future__ import annotations

import os
import select
import selectors
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from planvow.cassette.contained.limits import MEBIBYTE, Limits
from planvow.cassette.contained.watch import memory_of, processes_of
from planvow.cassette.errors import CommandEndedError

LOOK_SECONDS = 0.05
LOOKING_SHARE = 20  # looking takes at most one part in so many of the time
CHUNK_BYTES = 1 << 16


@dataclass(frozen=True, kw_only=True)
class Supervision:
    """When a process is to be ended before it ends by itself, and how much of its output is kept."""

    timeout_seconds: float
    limits: Limits
    kept_bytes: int
    cancelled: Callable[[], bool]


class Started:
    """A running process; `init` is the first process of its namespace, None where it has none."""

    def __init__(self, process: subprocess.Popen[bytes], init: int | None) -> None:
        self._process = process
        self.pid = process.pid
        self.init = init
        self._init_handle: int | None = None
        if init is not None:
            with suppress(ProcessLookupError):  # it ended already
                self._init_handle = os.pidfd_open(init)
        self.printed = bytearray()
        self.left_out = False

    def finish(self, order: Supervision) -> int:
        """Read until the process ends and return its exit code; raise CommandEndedError when it goes too far."""
        assert self._process.stdout is not None
        output = self._process.stdout.fileno()
        os.set_blocking(output, False)
        deadline, next_look = time.monotonic() + order.timeout_seconds, 0.0
        with selectors.DefaultSelector() as selector:
            selector.register(output, selectors.EVENT_READ)
            while True:
                has_ended = self._process.poll() is not None  # before reading: what it said last is still there
                idle = not self._read(output, selector, order.kept_bytes)
                if has_ended and idle:
                    return self._process.returncode
                now = time.monotonic()
                if now >= deadline:
                    raise CommandEndedError(f"it took more than {order.timeout_seconds:g} seconds")
                if now >= next_look:
                    self._look(order)
                    next_look = time.monotonic() + max(LOOK_SECONDS, (time.monotonic() - now) * LOOKING_SHARE)

    def _read(self, output: int, selector: selectors.BaseSelector, kept_bytes: int) -> bool:
        """Wait a moment for output; say whether there was any."""
        if not selector.get_map():  # it closed its output and goes on
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(LOOK_SECONDS)
            return False
        if not selector.select(0 if self._process.returncode is not None else LOOK_SECONDS):
            return False
        chunk = os.read(output, CHUNK_BYTES)
        if not chunk:
            selector.unregister(output)
            return False
        self.printed += chunk
        if len(self.printed) > 2 * kept_bytes:
            del self.printed[:-kept_bytes]
            self.left_out = True
        return True

    def _look(self, order: Supervision) -> None:
        if order.cancelled():
            raise CommandEndedError("it is not wanted any more")
        processes = processes_of(self.pid, self.init)
        if len(processes) > order.limits.processes:
            raise CommandEndedError(f"it started more than {order.limits.processes} processes")
        if memory_of(processes) > order.limits.memory_mb * MEBIBYTE:
            raise CommandEndedError(f"it took more than {order.limits.memory_mb} MiB of memory")

    def end(self) -> None:
        """End everything that is left, and wait for it."""
        if self._init_handle is not None:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._init_handle, signal.SIGKILL)
            select.select([self._init_handle], [], [])  # readable once the kernel has ended the whole namespace
            os.close(self._init_handle)
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()
