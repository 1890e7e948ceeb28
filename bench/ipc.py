"""How planvow's HDDL solvers compare with the planners of the field, on IPC-2020 instances.

    python bench/ipc.py                          everything: three searches, feature tests, partial order (about 15
    minutes) python bench/ipc.py --searches auto --only Transport
    python bench/ipc.py --json out.json --resume  go on from an earlier run's figures, instance by instance

One process per instance, 30 s of CPU time and 4 GB of memory each, interpreter start included. Every plan is checked by
`hddl/verify` in this process. The instances and the peers' figures come from shared data (`PLANVOW_SHARED`, by
default the folder `../shared`): `data/ipc2020/peers.csv`. Gates are those of the project's HDDL issue; the last
line is the verdict and the exit code is 1 when a gate is missed.
"""

from __future__ import annotations

import argparse
import csv
import json
import math
import os
import re
import resource
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

CPU_SECONDS = 30
MEMORY_BYTES = 4 << 30
SHARED = Path(os.environ.get("PLANVOW_SHARED", Path(__file__).parents[1] / "../shared")) / "data" / "ipc2020"
PARTIAL = {
    "PCP": ("p-pcp01", "p-pcp03", "p-pcp05"),
    "Satellite": ("1obs-1sat-1mod", "2obs-2sat-1mod", "3obs-3sat-1mod"),
    "Transport": ("pfile02", "pfile05", "pfile11"),
    "Woodworking": ("00--p01-variant", "05--p02-part4", "07--p03-part1"),
}
HEURISTIC_PEERS = ("panda", "dealer", "lilotane")


def main() -> int:
    """Run what was asked for, print the tables and say which gates hold."""
    options = _options()
    if options.one:
        return _solve_one(Path(options.one[0]), Path(options.one[1]), options.one[2])
    if not SHARED.is_dir():
        print(f"shared data not found at {SHARED}; set PLANVOW_SHARED")
        return 1
    peers = _peers()
    kept = json.loads(Path(options.json).read_text()) if options.resume and Path(options.json).exists() else {}
    results: dict[str, dict[str, Any]] = kept
    for search, group, name, domain, problem in _jobs(options, peers):
        key = f"{search} {group} {name}"
        if key not in results:
            results[key] = _measure(domain, problem, search)
            _show(key, results[key], peers.get((group, name), {}))
            if options.json:
                Path(options.json).write_text(json.dumps(results, indent=1, sort_keys=True) + "\n")
    _print_table(results, peers)
    return _print_gates(results, peers)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--searches", default="auto,lifted,grounded", help="which searches, with commas between")
    parser.add_argument("--only", default="", help="only instances whose «domain instance» matches this pattern")
    parser.add_argument("--json", default="", help="write the figures to this file")
    parser.add_argument("--resume", action="store_true", help="keep what the file given by --json already has")
    parser.add_argument("--one", nargs=3, help=argparse.SUPPRESS)
    return parser.parse_args()


def _peers() -> dict[tuple[str, str], dict[str, dict[str, str]]]:
    """Return the peers' figures: (domain, instance) → solver → row."""
    found: dict[tuple[str, str], dict[str, dict[str, str]]] = {}
    with (SHARED / "peers.csv").open() as file:
        for row in csv.DictReader(file):
            found.setdefault((row["domain"], row["instance"]), {})[row["solver"]] = row
    return dict(sorted(found.items()))


def _jobs(options: argparse.Namespace, peers: Iterable[tuple[str, str]]) -> Iterable[tuple[str, str, str, Path, Path]]:
    wanted = re.compile(options.only)
    for search in options.searches.split(","):
        groups = [("total-order", domain, name) for domain, name in peers]
        if search == "auto":
            tests = sorted(path.stem for path in (SHARED / "feature-tests").glob("*.hddl"))
            groups += [("", "feature-tests", name) for name in tests if not name.endswith("-domain")]
            groups += [("partial-order", domain, name) for domain, names in PARTIAL.items() for name in names]
        for track, domain, name in groups:
            folder = SHARED / track / domain
            shared = folder / "domain.hddl"
            group = f"{domain}-PO" if track == "partial-order" else domain
            if wanted.search(f"{group} {name}"):
                own = folder / f"{name}-domain.hddl"
                yield search, group, name, own if own.exists() else shared, folder / f"{name}.hddl"


def _measure(domain: Path, problem: Path, search: str) -> dict[str, Any]:
    """Solve in a process of its own and verify the plan here."""
    command = [sys.executable, __file__, "--one", str(domain), str(problem), search]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, preexec_fn=_limit, text=True)
    assert process.stdout is not None
    output = process.stdout.read()
    _, _, usage = os.wait4(process.pid, 0)
    result: dict[str, Any] = {"status": "killed"}
    if output.strip():
        result = json.loads(output)
    result["cpu_s"] = round(usage.ru_utime + usage.ru_stime, 3)
    result["peak_mb"] = usage.ru_maxrss // 1024
    if result.get("plan"):
        result["verified"] = _is_valid(domain, problem, result.pop("plan"))
    return result


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS + 1))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))


def _is_valid(domain: Path, problem: Path, text: str) -> bool:
    from planvow.hddl.language.plan_format import parse_plan
    from planvow.hddl.parsing.files import load_problem
    from planvow.hddl.verify.verifier import verify_plan

    return bool(verify_plan(load_problem(domain, problem), parse_plan(text)))


def _solve_one(domain: Path, problem: Path, search: str) -> int:
    """The child: solve, and print one JSON document with the plan and where the time went."""
    started = time.process_time()
    from planvow.hddl.language.plan_format import format_plan
    from planvow.hddl.parsing.files import load_problem
    from planvow.hddl.solve.entry import solve

    imported = time.process_time()
    loaded = load_problem(domain, problem)
    parsed = time.process_time()
    outcome = solve(loaded.domain, loaded, search=search, interrupt=lambda: time.process_time() > CPU_SECONDS - 2)
    solved = time.process_time()
    record = {
        "status": outcome.status,
        "search": outcome.search,
        "length": len(outcome.plan.steps) if outcome.plan else None,
        "plan": format_plan(outcome.plan) if outcome.plan else None,
        "statistics": dict(outcome.statistics),
        "phases": {"start": imported, "parse": parsed - imported, "solve": solved - parsed, "python": started},
    }
    print(json.dumps(record))
    return 0


def _show(key: str, result: dict[str, Any], peers: dict[str, dict[str, str]]) -> None:
    best = min((int(row["plan_length"]) for row in peers.values() if row["plan_length"]), default=None)
    length = result.get("length")
    mark = {True: "verified", False: "INVALID"}.get(result.get("verified", ""), "")
    print(
        f"{key[:64]:64} {result['status']:12} {result['cpu_s']:7.2f} s {length if length is not None else '-':>5} "
        f"(best peer {best if best is not None else '-'}) {mark} {result.get('search', '')}",
        flush=True,
    )


def _solved(result: dict[str, Any] | None) -> bool:
    return bool(result and result["status"] in ("solved", "satisfied") and result.get("verified"))


def _print_table(results: dict[str, dict[str, Any]], peers: dict[tuple[str, str], dict[str, dict[str, str]]]) -> None:
    print("\nCPU seconds, and plan length; '-' is unsolved")
    solvers = ("panda", "dealer", "hyper", "lilotane", "aries")
    searches = ("auto", "lifted", "grounded")
    print(f"{'instance':52}" + "".join(f"{name:>16}" for name in (*searches, *solvers)))
    for (domain, name), rows in peers.items():
        line = f"{domain[:24]} {name[:26]}".ljust(52)
        for search in searches:
            result = results.get(f"{search} {domain} {name}")
            line += f"{result['cpu_s']:9.2f} {result['length']:6}" if _solved(result) else f"{'-':>16}"
        for solver in solvers:
            row = rows.get(solver)
            is_solved = row is not None and row["status"] == "solved"
            line += f"{float(row['cpu_s']):9.2f} {row['plan_length']:>6}" if is_solved else f"{'-':>16}"
        print(line)


def _print_gates(results: dict[str, dict[str, Any]], peers: dict[tuple[str, str], dict[str, dict[str, str]]]) -> int:
    def by(search: str, instance: tuple[str, str]) -> bool:
        return _solved(results.get(f"{search} {instance[0]} {instance[1]}"))

    def peer(instance: tuple[str, str], solvers: Iterable[str]) -> bool:
        rows = peers[instance]
        return any(s in rows and rows[s]["status"] == "solved" and rows[s]["verified"] != "no" for s in solvers)

    hyper = [i for i in peers if peer(i, ["hyper"])]
    others = [i for i in peers if not peer(i, ["hyper"]) and peer(i, HEURISTIC_PEERS)]
    features = [key for key in results if key.startswith("auto feature-tests ")]
    partial = [key for key in results if key.startswith("auto ") and "-PO " in key]
    invalid = [key for key, result in results.items() if result.get("verified") is False]
    unsolved = [" ".join(i) for i in (*hyper, *others) if not by("auto", i)]
    both = [i for i in hyper if peer(i, ["panda"]) and by("auto", i)]
    geo = math.exp(sum(math.log(results[f"auto {d} {n}"]["cpu_s"]) for d, n in both) / len(both)) if both else math.nan
    ratios = {}
    for domain, name in (i for i in peers if by("auto", i)):
        lengths = [
            int(r["plan_length"]) for r in peers[domain, name].values() if r["plan_length"] and r["verified"] != "no"
        ]
        if lengths and min(lengths):
            ratios[f"{domain} {name}"] = results[f"auto {domain} {name}"]["length"] / min(lengths)
    long = {name: round(ratio, 2) for name, ratio in ratios.items() if ratio > 1.5}
    half = (len(peers) + 1) // 2
    gates = {
        "no invalid plan": (len(invalid), 0, not invalid),
        "feature tests solved": (
            sum(_solved(results[k]) for k in features),
            9,
            len(features) == 9 and all(_solved(results[k]) for k in features),
        ),
        "solved of HyperTensioN's": (sum(by("auto", i) for i in hyper), len(hyper), all(by("auto", i) for i in hyper)),
        "solved of those only others solve": (
            sum(by("auto", i) for i in others),
            f"half of {len(others)}",
            2 * sum(by("auto", i) for i in others) >= len(others),
        ),
        "lifted alone": (sum(by("lifted", i) for i in peers), half, sum(by("lifted", i) for i in peers) >= half),
        "grounded alone": (sum(by("grounded", i) for i in peers), half, sum(by("grounded", i) for i in peers) >= half),
        "partial order, three a domain": (
            sum(_solved(results[k]) for k in partial),
            12,
            len(partial) == 12 and all(_solved(results[k]) for k in partial),
        ),
    }
    print()
    for name, (value, wanted, holds) in gates.items():
        print(f"gate {name:36} {value} (wanted {wanted}) {'met' if holds else 'MISSED'}")
    print(f"aim  geometric mean CPU on {len(both)} common instances: {geo:.3f} s (aim 0.35)")
    print(f"aim  plans longer than 1.5 times the best peer's: {long or 'none'}")
    print(f"aim  solved by a peer but not by auto: {unsolved or 'none'}")
    missed = [name for name, (_, _, holds) in gates.items() if not holds]
    print(f"verdict: {'all gates met' if not missed else 'gates missed: ' + ', '.join(missed)}")
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
