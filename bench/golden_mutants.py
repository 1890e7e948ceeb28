"""Break every tag, order, field list and rounding in `src`, one at a time, and see `tests/golden` notice each.

    python bench/golden_mutants.py                 all mutants (minutes); exit 1 when one survives
    python bench/golden_mutants.py --sample 6      every n-th, so that there are six: what CI runs
    python bench/golden_mutants.py --only sections only those whose file or function has this in its name
    python bench/golden_mutants.py --list          the sites, and nothing else
    python bench/golden_mutants.py --quick         without the last step, see below: while the corpus is extended

What a site is, and what its mutant, stands in `golden_sites.py`; no site is left out by hand. Each mutant lives in a
copy of `src`; the tests are those of the tree. First the cases are compared as in `test_golden.py`, without pytest
around it (`golden_trials.py` says how that is made quick), those first that call the broken function; what survives
that is tried in a fresh interpreter by all of `tests/golden`. So a mutant that survives has survived all
of it. Only other bytes, an error or a document that is no longer read kill; a version that moved alone does not. Before
the first mutant the source as it is must pass the same comparison. `EQUIVALENT` holds the mutants that make the same
bytes by their nature, with the reason; there may be five.
"""

from __future__ import annotations

import argparse
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from golden_sites import Site, all_sites
from golden_trials import ROOT, SOURCE, TIMEOUT_S, Bench

TESTS = "tests/golden"
MOST_EQUIVALENT = 5

EQUIVALENT: dict[str, str] = {
    "order filtered_name: sorted(given)": "the one function that names a statement is also the one that looks it up",
    "order _extend: min(unbound, key=lambda pair: pair[0])": (
        "which condition of a conjunction is looked at first decides how long the verifier takes, not what it says"
    ),
    "order _extended: min(open_atoms, key=lambda each: len(facts.like(each, binding)))": (
        "the checker of proofs looks first at the atom that few facts fit, which is the fast way; it looks at all"
    ),
    "order replace: sorted((id_of(record), record) for file in changed.values() for record in file.sections)": (
        "rows are put into SQLite's tree in the order of its keys, which is the fast way; they are read by key"
    ),
    'order file_state: sorted(path.glob("*.json*"))': "a state is only ever compared with another one made alike",
}


@dataclass(frozen=True)
class Fate:
    """What became of one mutant: the case that killed it, or None."""

    site: Site
    killer: str | None
    seconds: float


def _with_a_limit() -> None:
    """Limit a process's own CPU: a busy machine kills no mutant."""
    resource.setrlimit(resource.RLIMIT_CPU, (TIMEOUT_S, 2 * TIMEOUT_S))


def _tested(source: Path, site: Site) -> str | None:
    """Run all of the tests and return the first failure that is more than a version which moved."""
    path = source / site.path
    whole = path.read_bytes()
    path.write_bytes(whole[: site.start] + site.replacement.encode() + whole[site.end :])
    words = ("-q", "-p", "no:cacheprovider", "--tb=no", "-m", "not slow", TESTS)
    environment = {**os.environ, "PYTHONPATH": str(source), "PYTHONHASHSEED": "0", "COLUMNS": "500"}
    try:
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *words],
            cwd=ROOT, env=environment, capture_output=True, text=True, timeout=10 * TIMEOUT_S, check=False,
            preexec_fn=_with_a_limit,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return "no end within the time limit"
    finally:
        path.write_bytes(whole)
    if done.returncode == -signal.SIGXCPU:
        return "no end within the time limit"
    failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return next((line for line in failed if "was made by" not in line and "changelog_names" not in line), None)


def _work(todo: Any, ready: Any, done: Any, *, quick: bool) -> None:
    """Say what is wrong without any mutant, then try mutants until there are no more."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            bench = Bench(Path(folder))
            ready.put(bench.killer(None))
        except Exception as error:  # or whoever waits for this worker waits for ever
            ready.put(f"{type(error).__name__}: {error}")
            return
        while (site := todo.get()) is not None:
            start = time.monotonic()
            killer = bench.killer(site)
            if killer is None and not quick:
                killer = _tested(bench.source, site)
            done.put(Fate(site, killer, time.monotonic() - start))


def run(sites: list[Site], workers: int, *, quick: bool = False) -> Iterator[Fate]:
    """Try every mutant, each worker with a copy of its own."""
    context = get_context("spawn")
    todo, ready, done = context.Queue(), context.Queue(), context.Queue()
    for site in [*sites, *[None] * workers]:
        todo.put(site)
    people = [context.Process(target=_work, args=(todo, ready, done), kwargs={"quick": quick}) for _ in range(workers)]
    for each in people:
        each.start()
    for _ in people:
        if (wrong := ready.get()) is not None:
            for each in people:
                each.terminate()
            raise SystemExit(f"without any mutant: {wrong}")
    for _ in sites:
        yield done.get()
    for each in people:
        each.join()


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
    # For the processes that are started; see golden_trials.py for the second.
    os.environ |= {"PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"}
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
    fates = []
    tried = [site for site in chosen if site.key not in EQUIVALENT]
    for fate in run(tried, options.workers, quick=options.quick):
        fates.append(fate)
        told = f"killed by {fate.killer}" if fate.killer else "SURVIVED"
        print(f"{len(fates)}/{len(tried)} {fate.seconds:5.1f} s {_line(fate.site)}: {told}", flush=True)
    survivors = [fate.site for fate in fates if fate.killer is None]
    slowest = max((fate.seconds for fate in fates), default=0.0)
    mean = sum(fate.seconds for fate in fates) / max(1, len(fates))
    counts = f"{len(fates)} mutants, {len(survivors)} survived, {len(EQUIVALENT)} equivalent"
    print(f"{counts}, mean {mean:.1f} s, slowest {slowest:.1f} s")
    for site in survivors:
        print(f"survived: {_line(site)}")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
