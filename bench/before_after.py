"""Two trees of planvow in one run: what search, certificates, ledger, HDDL and debate cost in each, and the ratios.

    git worktree add /tmp/before REVISION
    python bench/before_after.py /tmp/before [--rounds 3] [--only ledger] [--json FILE]

Everything is measured by this tree's bench code, once with the other tree's `src` in front and once with this one's,
in turns, each time in a process of its own. CPU seconds; of the rounds the cheapest counts, since noise only adds. A
ratio above 1 says that this tree is slower. The gate is the search's: at most 3 % slower in the geometric mean. What a
family does may have changed between two trees (a search that tries more, an analysis that finds more): only htn,
certificates and ledger do the same work in both as long as their versions are the same. The data of HDDL and debate
are looked for in `../shared` (or PLANVOW_SHARED); what is not there is left out.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import geometric_mean

ROOT = Path(__file__).resolve().parents[1]
SHARED = Path(os.environ.get("PLANVOW_SHARED", ROOT / "../shared"))
GATE = 1.03
CYCLES = 400
INSTANCES = (
    "Depots/p01",
    "Childsnack/p05",
    "Hiking/p01",
    "Blocksworld-GTOHP/p05",
    "Robot/pfile_05_005",
    "Satellite-GTOHP/p05",
    "Transport/pfile05",
    "Towers/pfile_05",
)
EXAMPLES = ("blocks", "dinner_party", "fox_goose_corn", "logistics", "rescue", "robot_tea", "travel", "two_robots")
Figures = dict[str, float]


def spent(call: Callable[[], object]) -> float:
    """CPU seconds of a call: the least of five, or of as many as fit into a second."""
    found: list[float] = []
    while len(found) < 5 and sum(found) < 1.0:
        start = time.process_time()
        call()
        found.append(time.process_time() - start)
    return min(found)


def htn() -> Figures:
    """The problems of `bench/htn.py --quick`."""
    import htn as bench

    rows = bench.problems(quick=True)
    return {
        name: spent(bench.with_planvow(functions, content, todo)) for name, functions, content, _theirs, todo in rows
    }


def certificates() -> Figures:
    """Plans of examples and of the shipyard of `bench/certificates.py`: solved and certified, then judged."""
    import certificates as bench

    problems = [value for name in EXAMPLES for _, value in bench._problems(bench.EXAMPLES / f"{name}.py")]
    problems += bench.forge_lab.PROBLEMS.values()

    def made() -> list:
        results = [(bench.solve(problem), problem) for problem in problems]
        return [
            (json.loads(result.certificate().canonical_bytes()), problem)
            for result, problem in results
            if result.success
        ]

    rows = [bench.Certified("", document, problem=problem) for document, problem in made()]
    levels = {
        level: spent(lambda level=level: [row.verdict(row.document, level) for row in rows]) for level in bench.LEVELS
    }
    return {"plan and certify": spent(made), **levels}


def ledger() -> Figures:
    """What `bench/cassette.py` measures of our own store on SQLite, per step."""
    from cassette import our_part

    with tempfile.TemporaryDirectory() as folder:
        found = our_part({"kind": "sqlite", "folder": folder, "postmaster": None, "cycles": CYCLES})
    return {name: cost["total_ms"] / 1000 for name, cost in found.items() if isinstance(cost, dict)}


def hddl() -> Figures:
    """Small instances of the IPC 2020, as the portfolio solves them."""
    from planvow.hddl import load_problem
    from planvow.hddl.solve.entry import solve

    found = {}
    for name in INSTANCES:
        problem = SHARED / "data/ipc2020/total-order" / f"{name}.hddl"
        if problem.exists():
            read = load_problem(problem.parent / "domain.hddl", problem)
            found[name] = spent(lambda read=read: solve(read.domain, read))
    return found


def debate() -> Figures:
    """The first hour and a half of `bench/debate_speed.py`, with the reader that needs no package."""
    from debate_speed import joined
    from planvow.adapters.language.choice import load_language
    from planvow.debate import analyse, read_transcript

    text = joined(1.5)
    return {"90 minutes, lite": spent(lambda: analyse(read_transcript(text), load_language("lite")))}


FAMILIES = {"htn": htn, "certificates": certificates, "ledger": ledger, "hddl": hddl, "debate": debate}


def measured(source: Path, family: str) -> Figures:
    """Measure one family with a tree's source, in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": f"{source}{os.pathsep}{ROOT / 'tests/lab'}", "PYTHONHASHSEED": "0"}
    command = [sys.executable, __file__, str(source), "--measure", family]
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def compared(before: Path, family: str, rounds: int) -> Iterator[tuple[str, float, float]]:
    """Yield a figure's name, and what it is before and after: the cheapest of the rounds."""
    found: dict[Path, list[Figures]] = {before: [], ROOT / "src": []}
    for number in range(rounds):
        for source in list(found)[:: 1 if number % 2 == 0 else -1]:
            found[source].append(measured(source, family))
    old, new = ({name: min(row[name] for row in rows) for name in rows[0]} for rows in found.values())
    yield from ((name, old[name], new[name]) for name in old if name in new)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", type=Path, help="the other tree")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", choices=sorted(FAMILIES), action="append")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--measure", choices=sorted(FAMILIES), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        import planvow

        assert Path(planvow.__file__).is_relative_to(options.before.resolve()), planvow.__file__
        print(json.dumps(FAMILIES[options.measure]()))
        return 0
    figures, means = {}, {}
    for family in options.only or FAMILIES:
        rows = list(compared((options.before / "src").resolve(), family, options.rounds))
        for name, old, new in rows:
            print(f"{family:12} {name:28} {1000 * old:10.3f} ms {1000 * new:10.3f} ms {new / old:6.2f}", flush=True)
        if rows:
            means[family] = geometric_mean(new / old for _, old, new in rows)
            print(f"{family:12} geometric mean {means[family]:.3f}", flush=True)
        figures[family] = rows
    if options.json:
        options.json.write_text(json.dumps({"figures": figures, "means": means}, indent=2) + "\n", encoding="utf-8")
    passed = means.get("htn", 1.0) <= GATE
    print("PASS" if passed else f"FAIL: the search is {means['htn']:.3f} of what it was, at most {GATE} is allowed")
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
