"""Which IPC instances `ipc.py` runs, what the peers came to, and how one is run: in a limited process of its own."""

from __future__ import annotations

import csv
import hashlib
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

CPU_SECONDS = 30
MEMORY_BYTES = 4 << 30
CALIBRATION = 0.115
"""CPU seconds of the calibration loop on the cores on which the peers were measured, while these were quiet."""
CHILD = Path(__file__).with_name("ipc_child.py")
DATA = Path(os.environ.get("PLANVOW_SHARED", Path(__file__).parents[1] / "../shared")) / "data"
SHARED = DATA / "ipc2020"
Rows = dict[str, dict[str, str]]


class Job(NamedTuple):
    """One instance: its track ("total-order", "partial-order", "features", "largest"), domain, name and files."""

    track: str
    domain: str
    name: str
    domain_file: Path
    problem_file: Path

    @property
    def group(self) -> str:
        """The domain as tables name it."""
        return f"{self.domain}-PO" if self.track in ("partial-order", "largest") else self.domain

    @property
    def key(self) -> str:
        """The instance as tables name it."""
        return f"{self.group} {self.name}"

    @property
    def is_judged(self) -> bool:
        """Whether settings are compared on it."""
        return self.track in ("total-order", "partial-order")

    def run(self, name: str) -> str:
        """Return the key of a run of this instance, by a search or a setting of a name."""
        return f"{name} {self.track} {self.key}"


def jobs() -> Iterator[Job]:
    """Yield the sample: the peers' instances, the feature tests, and of others three by file size, up to the median."""
    for domain, name in peers():
        yield job_of("total-order", SHARED / "total-order" / domain, name)
    for name in sorted(path.stem for path in (SHARED / "feature-tests").glob("*.hddl")):
        if not name.endswith("-domain"):
            yield job_of("features", SHARED / "feature-tests", name)
    for track in ("total-order", "partial-order"):
        folders = list((DATA / "ipc-more" / track).iterdir())
        if track == "partial-order":
            folders += (SHARED / track).iterdir()
        for folder in sorted(folders, key=lambda folder: folder.name):
            names = by_size(folder)
            for name in (names[0], names[len(names) // 4], names[len(names) // 2]):
                yield job_of(track, folder, name)
            if track == "partial-order":
                yield job_of("largest", folder, names[-1])


def by_size(folder: Path) -> list[str]:
    """Return a folder's problems, the smallest file first."""
    problems = [path for path in folder.glob("*.hddl") if not path.stem.endswith("domain")]
    return [path.stem for path in sorted(problems, key=lambda path: (path.stat().st_size, path.name))]


def job_of(track: str, folder: Path, name: str) -> Job:
    """Return an instance of a folder, with the domain file of its own where there is one."""
    own = folder / f"{name}-domain.hddl"
    return Job(track, folder.name, name, own if own.exists() else folder / "domain.hddl", folder / f"{name}.hddl")


def peers() -> dict[tuple[str, str], Rows]:
    """Return the peers' figures: (domain, instance) → solver → row."""
    found: dict[tuple[str, str], Rows] = {}
    with (SHARED / "peers.csv").open() as file:
        for row in csv.DictReader(file):
            found.setdefault((row["domain"], row["instance"]), {})[row["solver"]] = row
    return dict(sorted(found.items()))


def fold_of(domain: str, folds: int) -> int:
    """Return the fold of a domain; both tracks and all variants of a domain (`Satellite-GTOHP`) are in one."""
    names = {path.name.split("-")[0] for path in DATA.glob("ipc*/*-order/*")}
    return sorted(names).index(domain.split("-")[0]) % folds


def calibration() -> float:
    """Return how much slower this machine is now than the one on which the limits were set; at least 1."""
    spent = []
    for _ in range(5):
        started = time.process_time()
        table = {number: number for number in range(1000)}
        total = 0
        for number in range(1_000_000):
            total += table[number % 1000] & number
        spent.append(time.process_time() - started)
    return max(1.0, sorted(spent)[2] / CALIBRATION)


class How(NamedTuple):
    """A search, changes to the `Tuning` of `auto`, the effort it may spend, and whether the accelerator is used."""

    search: str
    tuning: tuple[tuple[str, Any], ...] = ()
    effort: int | None = None
    is_accelerated: bool = False


def measure(job: Job, how: How, seconds: float) -> dict[str, Any]:
    """Solve in a process of its own and verify the plan here."""
    command = [sys.executable, str(CHILD), str(job.domain_file), str(job.problem_file), json.dumps(how), str(seconds)]

    def limit() -> None:  # the process ends by itself before that, unless it hangs
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 5, int(seconds) + 6))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))

    with tempfile.TemporaryFile("w+") as complaints:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=complaints, preexec_fn=limit, text=True)
        assert process.stdout is not None
        output = process.stdout.read()
        _, ended, usage = os.wait4(process.pid, 0)
        complaints.seek(0)
        last = complaints.read().splitlines()[-1:]
    result: dict[str, Any] = {"status": "killed", "ended": [os.waitstatus_to_exitcode(ended), *last]}
    if output.strip():
        result = json.loads(output)
    result["cpu_s"] = round(usage.ru_utime + usage.ru_stime, 3)
    result["peak_mb"] = usage.ru_maxrss // 1024
    text = result.pop("plan", None)
    if text is not None:
        result["verified"] = _is_valid(job, text)
        result["plan_sha256"] = hashlib.sha256(text.encode()).hexdigest()
    return result


def _is_valid(job: Job, text: str) -> bool:
    from planvow.hddl.language.plan_format import parse_plan
    from planvow.hddl.parsing.files import load_problem
    from planvow.hddl.verify.verifier import verify_plan

    return bool(verify_plan(load_problem(job.domain_file, job.problem_file), parse_plan(text)))
