"""Break every tag, order, field list and rounding in `src`, one at a time, and see `tests/golden` notice each.

    python bench/golden_mutants.py                 all mutants (minutes); exit 1 when one survives
    python bench/golden_mutants.py --sample 6      every n-th, so that there are six: what CI runs
    python bench/golden_mutants.py --only sections only those whose file or function has this in its name
    python bench/golden_mutants.py --list          the sites, and nothing else
    python bench/golden_mutants.py --quick         without the last step, see below: while the corpus is extended

What a site is, and what its mutant, stands in `golden_sites.py`; no site is left out by hand. Each mutant lives in a
copy of `src`; the tests are those of the tree. The cases that call the broken function (a profile of every case says
which) are compared first, the quickest before the others, by the comparison that `test_golden.py` makes but without
pytest around it; last, all of `tests/golden` is run. So a mutant that survives has survived all of it. Only other
bytes, an error or a document that is no longer read kill; a version that moved alone does not. `EQUIVALENT` holds the
mutants that make the same bytes by their nature, with the reason; there may be five.
"""

from __future__ import annotations

import argparse
import compileall
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from py_compile import PycInvalidationMode
from queue import Queue

from golden_sites import Site, all_sites

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src"
TESTS = "tests/golden"
FIRST = 8  # cases that are compared before the others that call the function
TIMEOUT_S = 280
MOST_EQUIVALENT = 5

EQUIVALENT: dict[str, str] = {
    "order filtered_name: sorted(given)": "the one function that names a statement is also the one that looks it up",
    "order _extend: min(unbound, key=lambda pair: pair[0])": (
        "which condition of a conjunction is looked at first decides how long the verifier takes, not what it says"
    ),
    'order file_state: sorted(path.glob("*.json*"))': "a state is only ever compared with another one made alike",
}

PROFILE = """
import json, sys, time
sys.path[:0] = ["tests", "tests/lab"]
from golden.corpus import CASES
source, found, seconds = sys.argv[1] + "/", {}, {}
for case in CASES:
    if case.lacking():
        continue
    called = set()
    def note(frame, event, _):
        if event == "call" and frame.f_code.co_filename.startswith(source):
            called.add((frame.f_code.co_filename[len(source):], frame.f_code.co_firstlineno))
    start = time.process_time()
    sys.setprofile(note)
    try:
        case.body()
    finally:
        sys.setprofile(None)
    seconds[case.name] = time.process_time() - start
    for place in called:
        found.setdefault("%s:%d" % place, []).append(case.name)
json.dump({"cases": found, "seconds": seconds}, sys.stdout)
"""

COMPARE = """
import sys
sys.path[:0] = ["tests", "tests/lab"]
from golden.corpus import CASES
from golden.corpus.case import Kept
cases = {case.name: case for case in CASES}
for name in sys.argv[1:]:
    if cases[name].body() != Kept.read(cases[name].path).body:
        sys.exit(f"{name} has other bytes")
"""


@dataclass(frozen=True)
class Fate:
    """What became of one mutant: the case that killed it, or None."""

    site: Site
    killer: str | None
    seconds: float


class Profile:
    """Which cases call which function, the quickest first."""

    def __init__(self) -> None:
        done = subprocess.run(
            [sys.executable, "-c", PROFILE, str(SOURCE)],
            cwd=ROOT,
            capture_output=True,
            check=True,
            env=_environment(SOURCE),
        )
        told = json.loads(done.stdout)
        self._seconds: dict[str, float] = told["seconds"]
        self._cases: dict[str, list[str]] = told["cases"]

    def cases(self, site: Site) -> list[str]:
        """Return the cases to compare: those that call the function, or anything of the module; all where none does."""
        named = f"{site.path}:{site.first_line}"
        places = [named] if site.where else [place for place in self._cases if place.startswith(f"{site.path}:")]
        found = {case for place in places for case in self._cases.get(place, ())}
        return sorted(found or self._seconds, key=lambda case: (self._seconds[case], case))


class Copy:
    """A copy of the source in which one file at a time is broken."""

    def __init__(self, folder: Path) -> None:
        self.source = folder / "src"
        shutil.copytree(SOURCE, self.source, ignore=shutil.ignore_patterns("__pycache__"))
        # What is compiled is known by the hash of its source, so the mutant's file alone is compiled anew.
        compileall.compile_dir(self.source, quiet=2, invalidation_mode=PycInvalidationMode.CHECKED_HASH)

    def fate(self, site: Site, cases: list[str], *, quick: bool = False) -> Fate:
        path = self.source / site.path
        whole = path.read_bytes()
        start = time.monotonic()
        path.write_bytes(whole[: site.start] + site.replacement.encode() + whole[site.end :])
        try:
            killer = self._compared(cases[:FIRST]) or self._compared(cases[FIRST:])
            if killer is None and not quick:
                killer = self._tested()
        finally:
            path.write_bytes(whole)
        return Fate(site, killer, time.monotonic() - start)

    def _compared(self, cases: list[str]) -> str | None:
        """Compare some cases and return what differed; any error counts as much."""
        if not cases:
            return None
        code, _, errors = self._python("-c", COMPARE, *cases)
        return errors.strip().splitlines()[-1] if code else None

    def _tested(self) -> str | None:
        """Run all of the tests and return the first failure that is more than a version which moved."""
        words = ("-q", "-p", "no:cacheprovider", "--tb=no", "-m", "not slow", TESTS)
        code, said, _ = self._python("-m", "pytest", *words)
        if code == 0:
            return None
        failed = [line for line in said.splitlines() if line.startswith(("FAILED", "ERROR"))]
        return next((line for line in failed if "was made by" not in line and "changelog_names" not in line), None)

    def _python(self, *words: str) -> tuple[int, str, str]:
        environment = {**_environment(self.source), "COLUMNS": "500"}
        try:
            done = subprocess.run(
                [sys.executable, *words],
                cwd=ROOT, env=environment, capture_output=True, text=True, timeout=TIMEOUT_S, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return 1, "", "no end within the time limit"
        return done.returncode, done.stdout, done.stderr or "it ended without a word"


def _environment(source: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(source), "PYTHONHASHSEED": "0"}


def run(sites: list[Site], workers: int, *, quick: bool = False) -> list[Fate]:
    """Try every mutant, each worker in a copy of its own."""
    profile = Profile()
    fates: list[Fate] = []
    printing = threading.Lock()
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(workers) as pool:
        copies: Queue[Copy] = Queue()
        for number in range(workers):
            copies.put(Copy(Path(folder) / str(number)))

        def one(site: Site) -> None:
            copy = copies.get()
            try:
                fate = copy.fate(site, profile.cases(site), quick=quick)
            finally:
                copies.put(copy)
            with printing:
                fates.append(fate)
                told = f"killed by {fate.killer}" if fate.killer else "SURVIVED"
                print(f"{len(fates)}/{len(sites)} {fate.seconds:5.1f} s {_line(site)}: {told}", flush=True)

        list(pool.map(one, sites))
    return fates


def _line(site: Site) -> str:
    return f"{site.path.removeprefix('planvow/')}:{site.line} {site.key}"


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--list", action="store_true")
    asked.add_argument("--quick", action="store_true")
    asked.add_argument("--sample", type=int, default=0)
    asked.add_argument("--only", action="append", default=[])
    asked.add_argument("--workers", type=int, default=2)
    options = asked.parse_args()
    sites = all_sites(SOURCE)
    unknown = EQUIVALENT.keys() - {site.key for site in sites}
    if unknown or len(EQUIVALENT) > MOST_EQUIVALENT:
        print(f"the list of equivalent mutants is wrong: {sorted(unknown) or 'too long'}")
        return 1
    chosen = [
        site for site in sites if not options.only or any(word in f"{site.path} {site.key}" for word in options.only)
    ]
    if options.sample:
        chosen = chosen[:: max(1, len(chosen) // options.sample)][: options.sample]
    if options.list:
        print("\n".join(map(_line, chosen)))
        return 0
    fates = run([site for site in chosen if site.key not in EQUIVALENT], options.workers, quick=options.quick)
    survivors = [fate.site for fate in fates if fate.killer is None]
    slowest = max((fate.seconds for fate in fates), default=0.0)
    print(f"{len(fates)} mutants, {len(survivors)} survived, {len(EQUIVALENT)} equivalent, slowest {slowest:.1f} s")
    for site in survivors:
        print(f"survived: {_line(site)}")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
