"""How planvow's HDDL solvers compare with the planners of the field, on IPC instances.

    python bench/ipc.py --records ipc.jsonl       everything (about half an hour at first)
    python bench/ipc.py --parts full --only Transport
    python bench/ipc.py --records ipc.jsonl --report                        print what is known, run nothing

One process per instance (`ipc_sample.py`), 30 s of CPU time scaled by a calibration loop (CPU time too, measured anew
every minute) and 4 GB of memory each, interpreter start included. Every plan is checked by `hddl/verify` in this
process. With `--records` every result is a line of that file (`ipc_records.py`); a rerun of the same version of the
planner runs only what is missing there, so the bench may be stopped and taken up again. Instances and the peers'
figures come from shared data (`PLANVOW_SHARED`, by default the folder `../shared`).

How `auto` takes its turns is a choice among settings, so it is reported twice. *Full* is the chosen setting on
everything. *Cross-validated* is what a choice comes to on domains it was not made on: the domains are dealt into
folds, and on each fold stands the setting that was best on the others. That is decided by counts, so it is the same on
every machine: most solved within a counted effort, then the least of it. What is reported is measured under the limit
of CPU time. The last line is the verdict and the exit code is 1 when a gate is missed.

The parts: `full`, `training` (all settings by counted effort), `folds` (what the folds ask for), `accelerated` (full
with the accelerator, if that is installed; else the parity gate stays open) and `alone` (one search at a time: lifted,
grounded or another that `solve` knows).
"""

from __future__ import annotations

import argparse
import re
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ipc_records import Records, Result
from ipc_sample import CPU_SECONDS, SHARED, How, Job, calibration, jobs, measure
from ipc_tables import CHOSEN, SEARCHES, SETTINGS, Tables, best_length, is_solved

CALIBRATED_SECONDS = 60
"""How long a calibration stands."""
TRAINING_EFFORT = 200_000
"""The effort within which settings are compared."""
PARTS = ("full", "training", "folds", "accelerated", "alone")
IS_ACCELERATED = find_spec("planvow_accelerator") is not None
Run = tuple[str, Job, How]


def main() -> int:
    """Run what was asked for, print the tables and say which gates hold."""
    options = _options()
    if not SHARED.is_dir():
        print(f"shared data not found at {SHARED}; set PLANVOW_SHARED")
        return 1
    records = Records(Path(options.records) if options.records else None, options.again)
    wanted = re.compile(options.only)
    sample = [job for job in jobs() if wanted.search(job.key)]
    for part in PARTS if not options.report else ():
        if part in options.parts.split(","):
            for batch in _batches(part, sample, records, options.alone.split(",")):
                runs = [run for run in batch if run[0] not in records and not _is_same(records, run)]
                _run_all(records, runs, options.workers)
    tables = Tables(records.results, sample)
    tables.print_instances()
    tables.print_folds()
    return tables.print_gates()


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--parts", default=",".join(PARTS), help="which parts, with commas between")
    parser.add_argument("--alone", default=",".join(SEARCHES), help="the searches that run alone, on total order")
    parser.add_argument("--only", default="", help="only instances whose «domain instance» matches this pattern")
    parser.add_argument("--records", default="", help="a file of results: what it has is not run again")
    parser.add_argument(
        "--again", help="run these again although the file has them: a pattern for «run track instance»"
    )
    parser.add_argument("--report", action="store_true", help="run nothing; print what the records say")
    parser.add_argument("--workers", type=int, default=1, help="how many instances at once")
    return parser.parse_args()


def _batches(part: str, sample: list[Job], records: Records, alone: list[str]) -> Iterator[list[Run]]:
    """Yield what belongs to a part; a batch may ask what earlier ones came to."""
    judged = [job for job in sample if job.is_judged]
    if part == "full":
        yield [(job.run(CHOSEN), job, How("auto")) for job in sample]
    elif part == "training":
        for setting in SETTINGS:
            how = How("auto", _tuning(setting), TRAINING_EFFORT, IS_ACCELERATED)
            yield [(job.run(f"training/{setting}"), job, how) for job in judged]
    elif part == "folds":
        validated = Tables(records.results, list(jobs())).validated()
        yield [
            (job.run(f"auto/{validated[job]}"), job, How("auto", _tuning(validated[job])))
            for job in judged
            if validated
        ]
    elif part == "alone":
        ordered = [job for job in judged if job.track == "total-order"]
        yield [(job.run(search), job, How(search)) for search in alone for job in ordered]
    elif IS_ACCELERATED:
        yield [(job.run("accelerated"), job, How("auto", is_accelerated=True)) for job in sample]


def _tuning(setting: str) -> tuple[tuple[str, Any], ...]:
    return tuple(SETTINGS[setting].items())


def _is_same(records: Records, run: Run) -> bool:
    """Whether a run is known to come to what another came to, so that its result can be that one's.

    Settings say when groundings begin and what happens then. Where nothing was grounded they all search alike; one with
    a shorter head start does if not even that was over, which all three lifted searches have to spend. And a limit
    on effort changes nothing as long as it is far away.
    """
    key, job, how = run
    is_training = how.effort is not None and not how.tuning
    name = "training/chosen" if how.effort is not None and how.tuning else CHOSEN
    known = records.results.get(job.run(name))
    if known is None or "statistics" not in known or not (is_training or how.tuning) or not is_solved(known):
        return False
    spent = known["statistics"]["effort"]
    if is_training and spent > TRAINING_EFFORT // 2:
        return False
    if how.tuning and (known["is_grounded"] or spent >= 3 * dict(how.tuning).get("head_start", spent)):
        return False
    records.add(key, {**known, "is_as": name})
    return True


class _Limit:
    """The CPU time a run may take, by a calibration that is not older than a minute."""

    def __init__(self) -> None:
        self._measured = -1e9
        self.scale = 1.0

    def seconds(self) -> float:
        if time.monotonic() - self._measured > CALIBRATED_SECONDS:
            self.scale = calibration()
            self._measured = time.monotonic()
        return CPU_SECONDS * self.scale


def _run_all(records: Records, runs: list[Run], workers: int) -> None:
    limit = _Limit()

    def run(job: Job, how: How) -> Result:
        seconds = limit.seconds()
        # Where effort is the limit, time only ends what hangs.
        return {**measure(job, how, seconds if how.effort is None else 20 * seconds), "scale": round(limit.scale, 3)}

    with ThreadPoolExecutor(workers) as pool:
        for key, job, future in [(key, job, pool.submit(run, job, how)) for key, job, how in runs]:
            records.add(key, future.result())
            _show(key, records.results[key], best_length(job))


def _show(key: str, result: Result, best: int | None) -> None:
    length = result.get("length")
    mark = {True: "verified", False: "INVALID"}.get(result.get("verified", ""), "")
    print(
        f"{key[:84]:84} {result['status']:12} {result['cpu_s']:7.2f} s ×{result['scale']:.2f} {result['peak_mb']:5} MB "
        f"{length if length is not None else '-':>5} (best peer {best if best is not None else '-'}) {mark} "
        f"{result.get('search', '')}",
        flush=True,
    )


if __name__ == "__main__":
    raise SystemExit(main())
