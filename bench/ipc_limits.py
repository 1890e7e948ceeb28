"""How far past its limit of time a call goes, on the largest instance of every shared HDDL domain.

    python bench/ipc_limits.py [--seconds 2] [--only PATTERN]

Each instance is solved, and a proof that it has no plan is tried, in a process of its own whose deadline is over after
so many seconds of CPU time. Printed are what was taken, the longest time between two questions of the deadline, and
the stage in which the call ended. The exit code is 1 when a call takes more than the limit and a quarter, scaled by a
calibration loop.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import time
from pathlib import Path

from ipc_sample import DATA, Job, by_size, calibration, job_of

PAST = 0.25
"""The part of the limit that a call may take beyond it."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    if not DATA.is_dir():
        print(f"shared data not found at {DATA}; set PLANVOW_SHARED")
        return 1
    allowed = options.seconds * (1 + PAST * calibration())
    missed = []
    for job in largest():
        if re.search(options.only, job.key):
            command = [sys.executable, __file__, "--child", str(job.domain_file), str(job.problem_file)]
            found = json.loads(subprocess.check_output([*command, str(options.seconds)], text=True))
            for stage, (taken, gap, ended) in found.items():
                print(f"{job.key[:60]:60} {stage:7} {taken:6.2f} s, unasked at most {gap:5.2f} s: {ended}", flush=True)
                missed += [job.key] if taken > allowed else []
    print(f"verdict: {'every call ended in time' if not missed else 'too late: ' + ', '.join(missed)}")
    return 1 if missed else 0


def largest() -> list[Job]:
    """Return the largest instance of every domain."""
    folders = sorted(DATA.glob("ipc*/*-order/*"), key=lambda folder: (folder.parent.name, folder.name))
    return [job_of(folder.parent.name, folder, by_size(folder)[-1]) for folder in folders]


class Clock:
    """A deadline by CPU time that notes how long it was not asked."""

    def __init__(self, seconds: float) -> None:
        self.started = self._asked = time.process_time()
        self._seconds = seconds
        self.longest = 0.0

    def __call__(self) -> bool:
        self.longest = max(self.longest, time.process_time() - self._asked)
        self._asked = time.process_time()
        return self._asked - self.started > self._seconds

    def told(self, ended: str) -> tuple[float, float, str]:
        self()  # what comes after the last question counts
        return self._asked - self.started, self.longest, ended


def _child(domain: str, problem: str, seconds: str) -> None:
    from planvow.budgets import Interrupted
    from planvow.hddl.parsing.files import load_problem
    from planvow.hddl.solve.entry import solve
    from planvow.hddl.solve.no_plan import prove_no_plan

    loaded = load_problem(Path(domain), Path(problem))
    clock = Clock(float(seconds))
    outcome = solve(loaded.domain, loaded, interrupt=clock)
    found = {"solving": clock.told(outcome.reason or outcome.status)}
    clock = Clock(float(seconds))
    try:
        ended = "no proof" if prove_no_plan(loaded, clock) is None else "proved"
    except Interrupted as interrupted:
        ended = f"interrupted while {interrupted}"
    found["proving"] = clock.told(ended)
    print(json.dumps(found))


if __name__ == "__main__":
    if "--child" in sys.argv:
        _child(*sys.argv[2:])
    else:
        raise SystemExit(main())
