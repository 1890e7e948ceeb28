"""How planvow's HDDL solvers compare with the planners of the field, on IPC instances.

    python bench/ipc.py                           everything: three searches, all settings (about an hour)
    python bench/ipc.py --searches auto --settings chosen --only Transport
    python bench/ipc.py --searches auto,sat --settings chosen     the SAT search beside auto, where the order is total
    python bench/ipc.py --json out.json --resume  go on from an earlier run's figures, instance by instance

One process per instance (`ipc_sample.py`), 30 s of CPU time scaled by a calibration loop and 4 GB of memory each,
interpreter start included. Every plan is checked by `hddl/verify` in this process. Instances and the peers' figures
come from shared data (`PLANVOW_SHARED`, by default the folder `../shared`).

How `auto` takes its turns is a choice among settings, so it is reported twice. *Full* is the chosen setting on
everything. *Cross-validated* is what a choice comes to on domains it was not made on: the domains are dealt into
folds, and on each fold stands the setting that was best on the others (most solved, then least counted effort). The
last line is the verdict and the exit code is 1 when a gate is missed.
"""

from __future__ import annotations

import argparse
import json
import math
import re
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path
from typing import Any

from ipc_sample import CPU_SECONDS, SHARED, Job, calibration, fold_of, jobs, measure, peers

FOLDS = 5
SETTINGS: dict[str, dict[str, Any]] = {
    "chosen": {},
    "plain ties": {"diverse": False},
    "grounding sooner": {"head_start": 1_000, "groundings": [6, 2]},
    "grounding later": {"head_start": 10_000},
    "grounded more": {"grounded": [6, 4]},
    "lifted more": {"lifted": [4, 2, 2]},
}
"""What `auto` may be: changes to the chosen `Tuning`."""
SEARCHES = ("lifted", "grounded", "sat")
SOLVERS = ("panda", "dealer", "hyper", "lilotane", "aries")
Results = dict[str, dict[str, Any]]


def main() -> int:
    """Run what was asked for, print the tables and say which gates hold."""
    options = _options()
    if not SHARED.is_dir():
        print(f"shared data not found at {SHARED}; set PLANVOW_SHARED")
        return 1
    file = Path(options.json) if options.json else None
    results: Results = json.loads(file.read_text()) if options.resume and file and file.exists() else {}
    wanted = re.compile(options.only)
    sample = [job for job in jobs() if wanted.search(job.key)]
    scale = calibration()
    if options.accelerated:
        import_module("planvow_accelerator")
    print(f"limit {CPU_SECONDS} s × {scale:.2f} (calibration)")
    with ThreadPoolExecutor(options.workers) as pool:
        waiting = [
            (key, job, pool.submit(measure, job, search, tuning, CPU_SECONDS * scale, accelerated=options.accelerated))
            for key, job, search, tuning in _runs(options, sample)
            if key not in results
        ]
        for key, job, future in waiting:
            results[key] = future.result()
            _show(key, results[key], _best_length(job))
            if file:
                file.write_text(json.dumps(results, indent=1, sort_keys=True) + "\n")
    _print_table(results)
    _print_folds(results, sample)
    return _print_gates(results, sample)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--searches", default="auto,lifted,grounded", help="which searches, with commas between")
    parser.add_argument("--settings", default=",".join(SETTINGS), help="which settings of auto, with commas between")
    parser.add_argument("--only", default="", help="only instances whose «domain instance» matches this pattern")
    parser.add_argument("--json", default="", help="write the figures to this file")
    parser.add_argument("--resume", action="store_true", help="keep what the file given by --json already has")
    parser.add_argument("--workers", type=int, default=1, help="how many instances at once")
    parser.add_argument("--accelerated", action="store_true", help="with the accelerator, which must be installed")
    return parser.parse_args()


def _runs(options: argparse.Namespace, sample: list[Job]) -> Iterable[tuple[str, Job, str, dict[str, Any]]]:
    searches = options.searches.split(",")
    for name in options.settings.split(",") if "auto" in searches else ():
        for job in sample:
            if name == "chosen" or job.track in ("total-order", "partial-order"):
                yield f"auto/{name} {job.track} {job.key}", job, "auto", SETTINGS[name]
    for search in (search for search in SEARCHES if search in searches):
        for job in sample:
            is_known = (job.domain, job.name) in peers()
            if job.track == "total-order" if search == "sat" else is_known:
                yield f"{search} {job.track} {job.key}", job, search, {}


def _best_length(job: Job, *, strictly: bool = False) -> int | None:
    """Return the length of the peers' shortest plan that the field's verifier did not reject (strictly: accepted)."""
    rows = peers().get((job.domain, job.name), {}) if job.track == "total-order" else {}
    accepted = [row for row in rows.values() if row["verified"] == "yes" or (not strictly and row["verified"] != "no")]
    return min((int(row["plan_length"]) for row in accepted if row["plan_length"]), default=None)


def _show(key: str, result: dict[str, Any], best: int | None) -> None:
    length = result.get("length")
    mark = {True: "verified", False: "INVALID"}.get(result.get("verified", ""), "")
    print(
        f"{key[:84]:84} {result['status']:12} {result['cpu_s']:7.2f} s {result['peak_mb']:5} MB "
        f"{length if length is not None else '-':>5} (best peer {best if best is not None else '-'}) {mark} "
        f"{result.get('search', '')}",
        flush=True,
    )


def _solved(result: dict[str, Any] | None) -> bool:
    return bool(result and result["status"] in ("solved", "satisfied") and result.get("verified"))


def _chosen(job: Job) -> str:
    return f"auto/chosen {job.track} {job.key}"


def _print_table(results: Results) -> None:
    print("\nCPU seconds, and plan length; '-' is unsolved")
    columns = ("auto/chosen", *SEARCHES)
    print(f"{'instance':52}" + "".join(f"{name:>16}" for name in (*columns, *SOLVERS)))
    for (domain, name), rows in peers().items():
        line = f"{domain[:24]} {name[:26]}".ljust(52)
        for search in columns:
            result = results.get(f"{search} total-order {domain} {name}")
            line += f"{result['cpu_s']:9.2f} {result['length']:6}" if _solved(result) else f"{'-':>16}"
        for solver in SOLVERS:
            row = rows.get(solver)
            is_solved = row is not None and row["status"] == "solved"
            line += f"{float(row['cpu_s']):9.2f} {row['plan_length']:>6}" if is_solved else f"{'-':>16}"
        print(line)


def _cross_validated(results: Results, sample: list[Job]) -> dict[Job, tuple[str, bool]]:
    """Return for every instance the setting that was best on the other folds, and whether that one solves it."""
    judged = [job for job in sample if job.track in ("total-order", "partial-order")]
    settings = [s for s in SETTINGS if all(f"auto/{s} {job.track} {job.key}" in results for job in judged)]
    found = {}
    for fold in range(FOLDS):
        training = [job for job in judged if fold_of(job.domain, FOLDS) != fold]
        if settings:
            best = min(settings, key=lambda setting: _score(results, setting, training))
            for job in judged:
                if fold_of(job.domain, FOLDS) == fold:
                    found[job] = (best, _solved(results[f"auto/{best} {job.track} {job.key}"]))
    return found


def _score(results: Results, setting: str, training: list[Job]) -> tuple[int, float]:
    """Return what is smaller for better settings: the unsolved, then the counted effort (no clock takes part)."""
    runs = [results[f"auto/{setting} {job.track} {job.key}"] for job in training]
    unsolved = sum(not _solved(run) for run in runs)
    return unsolved, sum(math.log(run["statistics"]["effort"] + 1) for run in runs if _solved(run))


def _print_folds(results: Results, sample: list[Job]) -> None:
    print("\nsettings of auto on everything: unsolved, sum of log effort where solved")
    judged = [job for job in sample if job.track in ("total-order", "partial-order")]
    for setting in SETTINGS:
        if all(f"auto/{setting} {job.track} {job.key}" in results for job in judged):
            unsolved, effort = _score(results, setting, judged)
            print(f"  {setting:20} {unsolved:3} {effort:8.1f}")
    print("\nsolved by domain: cross-validated (setting chosen on other folds), full, any peer")
    validated = _cross_validated(results, sample)
    for group in sorted({job.group for job in validated}):
        rows = [job for job in validated if job.group == group]
        full = sum(_solved(results.get(_chosen(job))) for job in rows)
        by_peers = [_by_peer(job, SOLVERS) for job in rows if (job.domain, job.name) in peers() and "-PO" not in group]
        told = str(sum(by_peers)) if by_peers else "-"
        print(
            f"  {group:28} fold {fold_of(rows[0].domain, FOLDS)} ({validated[rows[0]][0]:16}) "
            f"{sum(validated[job][1] for job in rows):2} {full:2} {told:>2} of {len(rows)}"
        )


def _by_peer(job: Job, solvers: Iterable[str]) -> bool:
    rows = peers().get((job.domain, job.name), {})
    return any(s in rows and rows[s]["status"] == "solved" and rows[s]["verified"] != "no" for s in solvers)


def _geometric(values: list[float]) -> float:
    return math.exp(sum(map(math.log, values)) / len(values)) if values else math.nan


def _print_gates(results: Results, sample: list[Job]) -> int:
    def count(rows: list[Job], name: str = "") -> int:
        return sum(_solved(results.get(f"{name} {job.track} {job.key}" if name else _chosen(job))) for job in rows)

    total = [job for job in sample if job.track == "total-order" and (job.domain, job.name) in peers()]
    known = [job for job in total if _by_peer(job, SOLVERS)]
    features = [job for job in sample if job.track == "features"]
    partial = [job for job in sample if job.track == "partial-order"]
    old_partial = [job for job in partial if job.problem_file.is_relative_to(SHARED)]
    largest = [job for job in sample if job.track == "largest"]
    invalid = [key for key, result in results.items() if result.get("verified") is False]
    validated = _cross_validated(results, sample)
    held = sum(validated[job][1] for job in known if job in validated)
    peaks = {job.key: results[_chosen(job)]["peak_mb"] for job in largest if _chosen(job) in results}
    ratios = {}
    for job in total:
        best = _best_length(job, strictly=True)
        if best and _solved(results.get(_chosen(job))):
            ratios[job.key] = results[_chosen(job)]["length"] / best
    longer = _geometric(list(ratios.values()))
    peak = max(peaks.values(), default=0)
    half = (len(total) + 1) // 2
    gates = {
        "no invalid plan": (len(invalid), 0, not invalid),
        "feature tests solved": (count(features), len(features), count(features) == len(features)),
        "solved of what any peer solves": (count(known), len(known), count(known) == len(known)),
        "the same, cross-validated": (held, f"95 % of {len(known)}", held >= 0.95 * len(known)),
        "lifted alone": (count(total, "lifted"), half, count(total, "lifted") >= half),
        "grounded alone": (count(total, "grounded"), half, count(total, "grounded") >= half),
        "partial order, ipc2020": (count(old_partial), len(old_partial), count(old_partial) == len(old_partial)),
        "memory of the largest partial order": (peak, 800, peak < 800),
        "plan length against verified peers'": (f"{longer:.3f}", 1.2, longer <= 1.2),
    }
    print("\nplan length against the shortest peer plan marked yes")
    for name, ratio in sorted(ratios.items()):
        print(f"  {name:64} {ratio:5.2f}")
    print("\nlargest partial-order instances")
    for name, peak in peaks.items():
        print(f"  {name:64} {peak:5} MB")
    print()
    for name, (value, wanted, holds) in gates.items():
        print(f"gate {name:38} {value} (wanted {wanted}) {'met' if holds else 'MISSED'}")
    more = [job for job in partial if job not in old_partial]
    common = [job for job in total if _by_peer(job, ["hyper"]) and _by_peer(job, ["panda"])]
    times = [results[_chosen(job)]["cpu_s"] for job in common if _solved(results.get(_chosen(job)))]
    print(f"aim  geometric mean CPU on {len(times)} common instances: {_geometric(times):.3f} s (aim 0.25)")
    print(f"aim  partial order, other domains: {count(more)} of {len(more)}")
    print(
        f"aim  unsolved: {[job.key for job in (*total, *partial) if not _solved(results.get(_chosen(job)))] or 'none'}"
    )
    missed = [name for name, (_, _, holds) in gates.items() if not holds]
    print(f"verdict: {'all gates met' if not missed else 'gates missed: ' + ', '.join(missed)}")
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
