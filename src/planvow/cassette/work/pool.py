"""Several workers as separate processes.

Each is started afresh (never forked), given the same command, and replaced while there is still work when it is killed
or ends with trouble of its own. The first signal asks them to finish their step; a second one ends them, and their
leases run out.
"""

from __future__ import annotations

import signal
import subprocess
import threading
from collections.abc import Callable, Sequence

from planvow.errors import EXIT_INTERNAL

RESTARTS_PER_WORKER = 20
LOOK_SECONDS = 0.1
PAUSE_SECONDS = 1.0  # before a process with trouble of its own is replaced: its successor may well meet the same

Process = subprocess.Popen[bytes]


def run_pool(
    command: Sequence[str],
    count: int,
    *,
    stop: threading.Event,
    note: Callable[[str], None] = lambda _text: None,
    answered: Callable[[bytes], None] = lambda _printed: None,
    unanswered: Callable[[int], None] = lambda _pid: None,
) -> int:
    """Run `count` processes of `command` until all end by themselves or `stop` is set; return how many failed.

    What a process prints, a few lines at most, goes to `answered` when it has ended well, or with what it found to be
    wrong (exit codes 0 to 2); the number of one that ended badly and so gave no account goes to `unanswered`.
    """
    running = [_start(command) for _ in range(count)]
    restarts_left = RESTARTS_PER_WORKER * count
    failed = 0
    asked_to_stop = False
    while running:
        if stop.wait(LOOK_SECONDS) and not asked_to_stop:
            asked_to_stop = True
            for process in running:
                process.send_signal(signal.SIGTERM)
        for process in [p for p in running if p.poll() is not None]:
            running.remove(process)
            with process:  # closes its pipe; that of a killed one is not read: what it started may hold it open
                if not _ended_badly(process):
                    answered(process.stdout.read() if process.stdout is not None else b"")
                    failed += process.returncode != 0
                    continue
            unanswered(process.pid)
            if stop.is_set() or restarts_left == 0:
                failed += 1
                continue
            restarts_left -= 1
            note(f"worker process {process.pid} {_end_of(process)}; starting another")
            if process.returncode > 0:
                stop.wait(PAUSE_SECONDS)
            running.append(_start(command))
        if asked_to_stop and running:
            _wait_for(running)
    return failed


def _start(command: Sequence[str]) -> Process:
    return subprocess.Popen(command, stdout=subprocess.PIPE)


def _ended_badly(process: Process) -> bool:
    return process.returncode < 0 or process.returncode >= EXIT_INTERNAL


def _end_of(process: Process) -> str:
    if process.returncode < 0:
        return f"was killed by signal {-process.returncode}"
    return f"ended with exit code {process.returncode}"


def _wait_for(processes: Sequence[Process]) -> None:
    try:
        for process in processes:
            process.wait()
    except KeyboardInterrupt:
        for process in processes:
            process.kill()
        raise
