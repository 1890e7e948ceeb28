"""What `ipc.py` makes of its results: a table beside the peers, cross-validation by domain, gates."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from ipc_records import Result
from ipc_sample import SHARED, Job, fold_of, peers

FOLDS = 5
SETTINGS: dict[str, dict[str, Any]] = {
    "chosen": {},
    "plain ties": {"diverse": False},
    "no novelty": {"novel": [False, False]},
    "eager novelty": {"novel": [False, True]},
    "grounding sooner": {"head_start": 1_000, "groundings": [6, 2, 4]},
    "grounding later": {"head_start": 10_000},
    "grounded more": {"grounded": [6, 4]},
    "lifted more": {"lifted": [4, 2, 2]},
}
"""What `auto` may be: changes to the chosen `Tuning`."""
CHOSEN = "auto/chosen"
SEARCHES = ("lifted", "grounded")
SOLVERS = ("panda", "dealer", "hyper", "lilotane", "aries")
FIRST_SOLVED = frozenset({
    "Lamps pfile01", "Lamps pfile09", "Rover-GTOHP p01", "Rover-GTOHP p09", "Rover-GTOHP p18",
    "Woodworking 04--p02-part3", "Woodworking 13",
    "Colouring-PO pfile05", "Rover-PO pfile01", "Rover-PO pfile06", "Rover-PO pfile12",
})  # fmt: skip
"""Instances that no peer was measured on and that the first whole run solved: they stay solved."""
Gate = tuple[Any, Any, bool | None]
"""What was measured, what is wanted, and whether that holds; None: nothing was measured."""


def best_length(job: Job, *, strictly: bool = False) -> int | None:
    """Return the length of the peers' shortest plan that the field's verifier did not reject (strictly: accepted)."""
    rows = peers().get((job.domain, job.name), {}) if job.track == "total-order" else {}
    accepted = [row for row in rows.values() if row["verified"] == "yes" or (not strictly and row["verified"] != "no")]
    return min((int(row["plan_length"]) for row in accepted if row["plan_length"]), default=None)


def is_solved(result: Result | None) -> bool:
    """Whether a plan was found that verifies."""
    return bool(result and result["status"] in ("solved", "satisfied") and result.get("verified"))


def geometric(values: Iterable[float]) -> float:
    """Return the geometric mean."""
    logs = [math.log(value) for value in values]
    return math.exp(sum(logs) / len(logs)) if logs else math.nan


def _by_peer(job: Job, solvers: Iterable[str]) -> bool:
    rows = peers().get((job.domain, job.name), {}) if job.track == "total-order" else {}
    return any(s in rows and rows[s]["status"] == "solved" and rows[s]["verified"] != "no" for s in solvers)


class Tables:
    """The results of a sample, by the keys of `Job.run`."""

    def __init__(self, results: dict[str, Result], sample: list[Job]) -> None:
        self._results = results
        self._sample = sample
        self._judged = [job for job in sample if job.is_judged]
        self._settings = [s for s in SETTINGS if all(job.run(f"training/{s}") in results for job in self._judged)]
        """The settings that were run on everything: only these are compared."""
        self._is_compared = len(self._settings) > 1
        self._total = [job for job in sample if job.track == "total-order" and (job.domain, job.name) in peers()]

    def _of(self, job: Job, name: str = CHOSEN) -> Result | None:
        return self._results.get(job.run(name))

    def _count(self, rows: Iterable[Job], name: str = CHOSEN) -> int:
        return sum(is_solved(self._of(job, name)) for job in rows)

    def print_instances(self) -> None:
        """Print seconds and plan lengths beside the peers'."""
        print("\nCPU seconds, and plan length; '-' is unsolved")
        others = {key.split(" ")[0] for key in self._results} - {CHOSEN, "accelerated", *SEARCHES}
        others = {name for name in others if "/" not in name}
        columns = (CHOSEN, "accelerated", *SEARCHES, *sorted(others))
        print(f"{'instance':52}" + "".join(f"{name:>16}" for name in (*columns, *SOLVERS)))
        for job in self._judged:
            line = job.key[:51].ljust(52)
            for search in columns:
                result = self._of(job, search)
                told = f"{result['cpu_s']:9.2f} {result['length']:6}" if result and is_solved(result) else "-"
                line += f"{told:>16}"
            rows = peers().get((job.domain, job.name), {}) if job.track == "total-order" else {}
            for solver in SOLVERS:
                row = rows.get(solver)
                is_theirs = row is not None and row["status"] == "solved"
                line += f"{float(row['cpu_s']):9.2f} {row['plan_length']:>6}" if is_theirs and row else f"{'-':>16}"
            print(line)

    def validated(self) -> dict[Job, str]:
        """Return for every instance the setting that was best on the other folds; nothing before some were compared."""
        found: dict[Job, str] = {}
        for fold in range(FOLDS) if self._is_compared else ():
            training = [job for job in self._judged if fold_of(job.domain, FOLDS) != fold]
            best = min(self._settings, key=lambda setting: self._score(setting, training))
            found.update((job, best) for job in self._judged if fold_of(job.domain, FOLDS) == fold)
        return found

    def _score(self, setting: str, training: list[Job]) -> tuple[int, float]:
        """Return what is smaller for better settings: the unsolved, then the counted effort where all of them solve.

        No clock takes part.
        """
        common = [job for job in training if all(is_solved(self._of(job, f"training/{s}")) for s in self._settings)]
        efforts = [self._results[job.run(f"training/{setting}")]["statistics"]["effort"] for job in common]
        return len(training) - self._count(training, f"training/{setting}"), sum(math.log(e + 1) for e in efforts)

    def print_folds(self) -> None:
        """Print how the settings do on everything, and what each domain comes to under a choice made without it."""
        if not self._is_compared:
            print("\nsettings were not compared on everything: nothing is cross-validated")
            return
        print("\nsettings of auto by counted effort on everything: unsolved, sum of log effort where all of them solve")
        for setting in self._settings:
            unsolved, effort = self._score(setting, self._judged)
            print(f"  {setting:20} {unsolved:3} {effort:8.1f}")
        print("\nsolved by domain: cross-validated (setting chosen on other folds), full, accelerated, any peer")
        validated = self.validated()
        for group in sorted({job.group for job in validated}):
            rows = [job for job in validated if job.group == group]
            known = [job for job in rows if (job.domain, job.name) in peers() and job.track == "total-order"]
            told = str(sum(_by_peer(job, SOLVERS) for job in known)) if known else "-"
            accelerated = self._count(rows, "accelerated")
            print(
                f"  {group:28} fold {fold_of(rows[0].domain, FOLDS)} ({validated[rows[0]]:16}) "
                f"{self._validated_count(rows):2} {self._count(rows):2} {accelerated:2} {told:>2} of {len(rows)}"
            )

    def _validated_count(self, rows: Iterable[Job]) -> int:
        """Return how many instances the settings that were chosen without their domains solve."""
        validated = self.validated()
        return sum(is_solved(self._of(job, f"auto/{validated[job]}")) for job in rows if job in validated)

    def print_gates(self) -> int:
        """Print the gates and aims; return 1 if a gate is missed."""
        ratios, peaks = self._ratios(), self._peaks()
        print("\nplan length against the shortest peer plan marked yes")
        for name, ratio in sorted(ratios.items()):
            print(f"  {name:64} {ratio:5.2f}")
        print("\nmemory on the largest partial-order instances")
        for name, (peak, status) in peaks.items():
            print(f"  {name:64} {peak:5} MB {status}")
        gates = {**self._coverage_gates(), **self._quality_gates(ratios, peaks)}
        print()
        for name, (value, wanted, holds) in gates.items():
            told = "open" if holds is None else "met" if holds else "MISSED"
            print(f"gate {name:44} {value} (wanted {wanted}) {told}")
        self._print_aims()
        missed = [name for name, (_, _, holds) in gates.items() if holds is False]
        left = [name for name, (_, _, holds) in gates.items() if holds is None]
        print(f"verdict: {'no gate missed' if not missed else 'gates missed: ' + ', '.join(missed)}"
              f"{'; open: ' + ', '.join(left) if left else ''}")  # fmt: skip
        return 1 if missed else 0

    def _coverage_gates(self) -> dict[str, Gate]:
        known = [job for job in self._total if _by_peer(job, SOLVERS)]
        features = [job for job in self._sample if job.track == "features"]
        partial = [job for job in self._sample if job.track == "partial-order"]
        old_partial = [job for job in partial if job.problem_file.is_relative_to(SHARED)]
        first = [job for job in self._judged if job.key in FIRST_SOLVED]

        def all_of(rows: list[Job]) -> Gate:
            return self._count(rows), len(rows), self._count(rows) == len(rows)

        return {
            "feature tests solved": all_of(features),
            "solved of what any peer solves": all_of(known),
            "the same, cross-validated": self._cross_validated(known, f"95 % of {len(known)}", 0.95),
            "elsewhere, solved of what was solved first": all_of(first),
            "that, cross-validated": self._cross_validated(first, len(first)),
            "partial order, ipc2020": all_of(old_partial),
            **{f"{search} alone": self._alone(search) for search in SEARCHES},
        }

    def _alone(self, search: str) -> Gate:
        """Half of the peers' instances are to be solved by one search alone."""
        half, count = (len(self._total) + 1) // 2, self._count(self._total, search)
        is_run = all(self._of(job, search) is not None for job in self._total)
        return count, half, count >= half if is_run else None

    def _cross_validated(self, rows: list[Job], wanted: Any, share: float = 1.0) -> Gate:
        """Ask for a share of instances; None while what the folds ask for was not run."""
        validated, held = self.validated(), self._validated_count(rows)
        is_run = bool(validated) and all(self._of(job, f"auto/{validated[job]}") is not None for job in rows)
        return held, wanted, held >= share * len(rows) if is_run else None

    def _quality_gates(self, ratios: dict[str, float], peaks: dict[str, tuple[int, str]]) -> dict[str, Gate]:
        invalid = [key for key, result in self._results.items() if result.get("verified") is False]
        same, compared = self._parity()
        longer = geometric(ratios.values())
        peak = max((peak for peak, _ in peaks.values()), default=0)
        return {
            "no invalid plan": (len(invalid), 0, not invalid),
            "memory of the largest partial order": (f"{peak} MB", "< 800", peak < 800 if peaks else None),
            "plan length against verified peers'": (f"{longer:.3f}", 1.2, longer <= 1.2 if ratios else None),
            "the same with the accelerator": (same, compared, same == compared if compared else None),
        }

    def _parity(self) -> tuple[int, int]:
        """Return how many instances came to the same plan and counts with the accelerator, of those both ended."""
        same = compared = 0
        for job in self._sample:
            plain, fast = self._of(job), self._of(job, "accelerated")
            if plain and fast and plain["status"] not in ("killed", "interrupted"):
                compared += 1
                is_same = all(plain.get(name) == fast.get(name) for name in ("plan_sha256", "search", "statistics"))
                same += is_same
                if not is_same:
                    print(f"differs with the accelerator: {job.key}")
        return same, compared

    def _ratios(self) -> dict[str, float]:
        found = {}
        for job in self._total:
            best, result = best_length(job, strictly=True), self._of(job)
            if best and result and is_solved(result):
                found[job.key] = result["length"] / best
        return found

    def _peaks(self) -> dict[str, tuple[int, str]]:
        """Return the memory that every partial-order domain's largest instance took, and how it ended."""
        largest = [(job, self._of(job)) for job in self._sample if job.track == "largest"]
        return {job.key: (result["peak_mb"], result["status"]) for job, result in largest if result}

    def _print_aims(self) -> None:
        common = [job for job in self._total if _by_peer(job, ["hyper"]) and _by_peer(job, ["panda"])]
        for name in (CHOSEN, "accelerated"):
            runs = [run for run in (self._of(job, name) for job in common) if run and is_solved(run)]
            quiet = geometric(run["cpu_s"] / run["scale"] for run in runs)
            mean = geometric(run["cpu_s"] for run in runs)
            print(f"aim  {name}: geometric mean CPU on {len(runs)} common instances {mean:.3f} s, "
                  f"divided by the calibration {quiet:.3f} s (aim 0.25)")  # fmt: skip
        unsolved = [job.key for job in self._judged if not is_solved(self._of(job))]
        print(f"aim  unsolved: {', '.join(unsolved) or 'none'}")
