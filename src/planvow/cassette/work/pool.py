"""Several workers as separate processes.

Each is started afresh (never forked), given the same command, and replaced when it is killed while there is still
work. The first signal asks them to finish their step; a second one ends them, and their leases run out.
"""

from __future__ import annotations

import signal
import subprocess
import threading
from collections.abc import Callable, Sequence

RESTARTS_PER_WORKER = 20
LOOK_SECONDS = 0.1


def run_pool(
    command: Sequence[str],
    count: int,
    *,
    stop: threading.Event,
    note: Callable[[str], None] = lambda _text: None,
    answered: Callable[[bytes], None] = lambda _printed: None,
    killed: Callable[[int], None] = lambda _pid: None,
) -> int:
    """Run `count` processes of `command` until all end by themselves or `stop` is set; return how many failed.

    What a process prints, a few lines at most, goes to `answered` when it has ended; the number of one that was killed,
    and could say nothing, goes to `killed`.
    """
    running = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(count)]
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
                if process.returncode < 0:
                    killed(process.pid)
                elif process.stdout is not None:
                    answered(process.stdout.read())
            if process.returncode >= 0:
                failed += process.returncode != 0
            elif not stop.is_set() and restarts_left > 0:  # killed by a signal: its lease runs out, its place is taken
                restarts_left -= 1
                note(f"worker process {process.pid} was killed by signal {-process.returncode}; starting another")
                running.append(subprocess.Popen(command, stdout=subprocess.PIPE))
            else:
                failed += 1
        if asked_to_stop and running:
            _wait_for(running)
    return failed


def _wait_for(processes: Sequence[subprocess.Popen[bytes]]) -> None:
    try:
        for process in processes:
            process.wait()
    except KeyboardInterrupt:
        for process in processes:
            process.kill()
        raise
