"""The fault tests at length: more kills, more states, more flips, longer races. Exit 1 when anything is not zero.

    python bench/faults.py [--only F3,F9] [--scale 1.0] [--seed 0] [--minutes 30] [--json FILE]

`--scale` multiplies the counts, `--seed` changes who is killed when (F1, F2), so that short runs add up to a long one.
The harnesses are those of `tests/faults`, where the short forms stand with their negative controls; here they only run
longer. F3 and F4 need `strace`, F8 needs `faketime`, F25 `ip`.
"""

from __future__ import annotations

import argparse
import importlib
import json
import resource
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests/lab"), str(ROOT / "tests/faults")]

from fault_lab import TABLE, FaultTable, cpu_seconds, fast_folder  # noqa: E402
from ledgers import independent, post, sqlite_ledger  # noqa: E402
from postgres_server import postgres_ledger  # noqa: E402

BOTH = ("sqlite", "postgres")
STEPS_PER_KILL = 8  # a worker records five or so before it dies: enough that work is left when the last is killed


def f1(scale: float, folder: Path, seed: int = 0) -> None:
    """Kills on SQLite."""
    from test_f01_f02_kills import kills

    wanted = max(1, round(2000 * scale))
    run = kills(folder, jobs=10, steps=wanted * STEPS_PER_KILL // 10, min_kills=wanted, seed=7 + seed)
    TABLE.add("F1 kills on SQLite", f"{run.kills} kill -9, {run.acks} acknowledged", **run.wrong)


def f2(scale: float, folder: Path, seed: int = 0) -> None:
    """Kills, commits that fail and servers that go down on PostgreSQL."""
    from test_f01_f02_kills import kills_and_restarts

    wanted, restarts = max(1, round(2000 * scale)), max(1, round(200 * scale))
    run, restarted, failed = kills_and_restarts(
        folder, jobs=10, steps=wanted * STEPS_PER_KILL // 10, min_kills=wanted, restarts=restarts, seed=8 + seed
    )
    done = f"{run.kills} kill -9, {restarted} restarts, {failed} failed commits, {run.acks} acknowledged"
    TABLE.add("F2 kills on PostgreSQL", done, **run.wrong)


def f3(scale: float, folder: Path) -> None:
    """Power failures on SQLite, with each library that is installed."""
    from fault_power import crash_everywhere, record, sqlite_drivers

    for driver in sqlite_drivers():
        events = record(Path(tempfile.mkdtemp(dir=folder)), driver, steps=72)
        run = crash_everywhere(events, driver, states=round(2500 * scale))
        done = f"{run.states} states from {run.events} recorded events"
        TABLE.add(f"F3 power failures, {run.journal} journal", done, **run.wrong)
        for example in run.examples[:5]:
            print(example)


def f4(scale: float, folder: Path) -> None:
    """Each write and synchronisation fails in turn; below scale 1 only some of them."""
    from fault_io import FILE_CALLS, LEDGER_CALLS, Scene, fail_each
    from fault_power import sqlite_drivers

    at_most = None if scale >= 1 else max(1, round(40 * scale))
    scenes = [(Scene(kind, driver), LEDGER_CALLS) for driver in sqlite_drivers() for kind in ("boot", "work")]
    for scene, calls in [*scenes, (Scene("files"), FILE_CALLS)]:
        run = fail_each(scene, calls=calls, at_most=at_most)
        what = f"{scene.kind} with {scene.driver}"
        done = f"{run.injected} calls failed: {run.reported} reported, {run.quiet} needed no report"
        TABLE.add(f"F4 I/O errors, {what}", done, **run.wrong)
        for example in run.examples[:5]:
            print(example)


def f5(scale: float, _folder: Path) -> None:
    """Sixty-four claimers on PostgreSQL."""
    from test_f05_claimers import claim_all, doubles

    rounds, jobs = max(1, round(10 * scale)), 100
    wrong: Counter[str] = Counter(double_claims=0, missed=0, shares_over_1_to_5=0)
    worst = 0.0
    for number in range(rounds):
        with postgres_ledger(f"claimers_{number}") as store:
            for job in range(jobs):
                post(store, independent(100, request_id=f"q{job}"))
        claims = claim_all(f"claimers_{number}")
        shares = Counter(name for name, _, _ in claims).values()
        worst = max(worst, max(shares) / min(shares))
        wrong["shares_over_1_to_5"] += max(shares) > 5 * min(shares)
        wrong["double_claims"] += doubles(claims)
        wrong["missed"] += 100 * jobs - len({(job, n) for _, job, n in claims})
    TABLE.add("F5 claimers on PostgreSQL", f"{rounds} x {100 * jobs} claims by 64, shares up to 1:{worst:.1f}", **wrong)


def f6(scale: float, folder: Path) -> None:
    """Eight workers on one SQLite ledger."""
    from fault_fairness import take_turns

    run = take_turns(folder, workers=8, steps=round(20_000 * scale))
    shares = f"{min(run.cycles.values())} to {max(run.cycles.values())} cycles each"
    waits = f"longest wait {run.worst_turns} turns, {run.worst_ms:.0f} ms"
    TABLE.add("F6 fairness on SQLite", f"8 workers, {shares}, {waits}", **run.wrong)


def f7(scale: float, folder: Path) -> None:
    """Workers stopped past their lease."""
    from test_f07_zombies import haunted, wrong_verdicts

    rounds = round(500 * scale)
    for kind in BOTH:
        with haunted(kind, folder) as (store, zombie):
            wrong = wrong_verdicts(store, zombie, rounds=rounds, lease_ms=20)
        TABLE.add(f"F7 zombies on {kind}", f"{rounds} stopped past the lease, {rounds} late but not overtaken", **wrong)


def f8(scale: float, folder: Path) -> None:
    """Clock jumps of an hour."""
    from fault_clock import HOUR, jump_about, ledger_with_clock, recovery_in_leases

    for kind in BOTH:
        home = folder / kind
        home.mkdir()
        with ledger_with_clock(kind, home) as place:
            run = jump_about(place, steps=round(2000 * scale), jumps=round(100 * scale))
            jumps = place.clock.jumps
            tries = max(1, round(5 * scale))
            waits = [recovery_in_leases(place, jump, lease_ms=2000) for jump in (HOUR, -HOUR) for _ in range(tries)]
        done = f"{jumps} jumps, {run.kills} kill -9, {run.acks} acknowledged; found again in {max(waits):.2f} leases"
        TABLE.add(f"F8 clock jumps on {kind}", done, **run.wrong, over_two_leases=sum(wait > 2 for wait in waits))


def f9(scale: float, folder: Path) -> None:
    """A network that breaks."""
    from fault_proxy import run_through

    run = run_through(folder, jobs=20, steps=max(1, round(100 * scale)), faults=round(500 * scale))
    done = f"{run.faults.total()} faults, {run.answers_lost} answers lost, {run.verdict.acks} acknowledged"
    TABLE.add("F9 network to PostgreSQL", done, **run.wrong)


def f10(scale: float, _folder: Path) -> None:
    """The stateful model on both databases."""
    from test_f10_model import open_one, run_machine

    count = round(2000 * scale)
    for kind in BOTH:
        with tempfile.TemporaryDirectory(dir=fast_folder()) as home, open_one(kind, home) as store:
            run_machine(store, count)
        TABLE.add(f"F10 model on {kind}", f"{count} histories of up to 40 moves", violations=0)


def f11(scale: float, folder: Path) -> None:
    """Mutated requests."""
    from test_f11_f20_requests import fuzz, make_repository

    from planvow.governed import RequestPlanner

    count = round(100_000 * scale)
    seconds: list[float] = []
    with RequestPlanner(make_repository(folder)) as planner:
        fuzz(planner, 2000)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        planned, refused, uncaught = fuzz(planner, count, seconds)
        growth = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024
    slow = sorted(seconds)[int(len(seconds) * 0.99)] * 1000
    done = f"{count} requests: {planned} planned, {refused} refused, p99 {slow:.1f} ms CPU, {growth} MB more"
    TABLE.add(
        "F11 fuzzed requests", done, uncaught=len(uncaught), over_10_ms=int(slow > 10), over_50_mb=int(growth > 50)
    )


def f13(scale: float, folder: Path) -> None:
    """The same bytes in every process, locale, time zone and store."""
    from fault_determinism import compare

    count = round(10_000 * scale)
    run = compare(folder, count=count)
    TABLE.add("F13 determinism", f"{count} requests in {run.processes} processes, {run.planned} planned", **run.wrong)


def f15(scale: float, folder: Path) -> None:
    """Concurrent first boot."""
    from test_f15_first_boot import boot_and_kill, boot_at_once

    repeats = max(1, round(20 * scale))
    for kind in BOTH:
        home = folder / kind
        home.mkdir()
        wrong = boot_at_once(kind, home, 32, repeats)
        TABLE.add(f"F15 first boot on {kind}", f"32 processes at once, {repeats} times", **wrong)
        kills, unusable = boot_and_kill(kind, home, repeats)
        TABLE.add(f"F15 killed boot on {kind}", f"{kills} of {3 * repeats} killed while booting", unusable=unusable)


def f18(scale: float, folder: Path) -> None:
    """Byte flips."""
    from test_f18_vandalism import flips_in_postgres, flips_in_sqlite

    for name, count, flips in (
        ("SQLite", 8000, lambda n: flips_in_sqlite(folder, n)),
        ("PostgreSQL", 2000, flips_in_postgres),
    ):
        missed = flips(round(count * scale))
        TABLE.add(f"F18 byte flips on {name}", f"{round(count * scale)} flips", not_found=len(missed))


def f19(scale: float, folder: Path) -> None:
    """Path races."""
    import test_f19_paths as paths

    for what, race in (("reading", paths.race_reading), ("writing", paths.race_writing)):
        home = folder / what
        home.mkdir()
        tried, escaped = race(home, 60 * scale)
        TABLE.add(f"F19 races while {what}", f"{tried} attempts in {60 * scale:.0f} s", escapes=escaped)


def f20(scale: float, folder: Path) -> None:
    """Budget laws."""
    from test_f11_f20_requests import broken_laws, make_repository, over_budget

    from planvow.governed import RequestPlanner

    count, share = round(100_000 * scale), 2000  # every row is counted around each request, so ledgers stay short
    root = make_repository(folder)
    sums = Counter[str]()
    with RequestPlanner(root) as planner:
        for start in range(0, count, share):
            with tempfile.TemporaryDirectory(dir=fast_folder()) as home, sqlite_ledger(Path(home)) as store:
                found = broken_laws(store, planner, root, min(share, count - start), over_budget, seed=20 + start)
            sums.update(dict(zip(("accepted", "exceeded", "wrote"), found, strict=True)))
    done = f"{count} random requests, {sums['accepted']} accepted"
    TABLE.add("F20 budget laws", done, over_budget=sums["exceeded"], rows_after_refusal=sums["wrote"])


def f21(scale: float, folder: Path) -> None:
    """Backups under load, restored."""
    from fault_power import sqlite_drivers
    from fault_restore import drill

    for name in sqlite_drivers():
        home = folder / name
        home.mkdir()
        drills = max(1, round(100 * scale / len(sqlite_drivers())))
        most, wrong = drill(home, drills=drills, driver=importlib.import_module(name))
        TABLE.add(f"F21 restored backups with {name}", f"{drills} under load, up to {most} receipts", **wrong)


def f22(scale: float, _folder: Path, minutes: float = 0.0) -> None:
    """An old snapshot kept open on PostgreSQL."""
    from fault_bloat import work_under_an_old_snapshot

    with postgres_ledger() as store:
        run = work_under_an_old_snapshot(store, cycles=round(5000 * scale), minutes=minutes)
    done = f"{run.cycles} cycles, buffers of a claim {run.before:.0f} before, {run.after:.0f} after"
    TABLE.add("F22 old snapshot on PostgreSQL", done, **run.wrong)


def f25(scale: float, folder: Path) -> None:
    """Workers on three hosts, one of them cut off; it needs `ip` and the right to make network namespaces."""
    from fault_hosts import work_cut_off, working_hosts

    with working_hosts(folder, hosts=3, jobs=10, steps=max(10, round(500 * scale))) as (hosts, commands):
        run, shares = work_cut_off(hosts, commands, before=round(150 * scale))
    done = f"{' + '.join(map(str, shares))} acknowledged by three hosts, {run.refused} late refused"
    TABLE.add("F25 a host cut off", done, **run.wrong)


PARTS: dict[str, Callable[[float, Path], None]] = {
    part.__name__.upper(): part
    for part in (f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f13, f15, f18, f19, f20, f21, f22, f25)
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default=",".join(PARTS), help="parts, with commas between them: F1,F18")
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=0, help="added to the seeds of F1 and F2")
    parser.add_argument("--minutes", type=float, default=0.0, help="how long F22 keeps its snapshot open at least")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    names = [name.strip().upper() for name in options.only.split(",")]
    if unknown := [name for name in names if name not in PARTS]:
        parser.error(f"there is no part {unknown[0]}; there are {', '.join(PARTS)}")
    seeded = {"F1": partial(f1, seed=options.seed), "F2": partial(f2, seed=options.seed)}
    parts = {**PARTS, **seeded, "F22": partial(f22, minutes=options.minutes)}
    for name in names:
        before = len(TABLE.rows)
        with tempfile.TemporaryDirectory() as folder:
            parts[name](options.scale, Path(folder))
        for line in FaultTable(TABLE.rows[before:]).lines():
            print(line, flush=True)
    wrong = sum(count for _, _, faults in TABLE.rows for count in faults.values())
    if options.json is not None:
        rows = [{"test": name, "done": done, "wrong": faults} for name, done, faults in TABLE.rows]
        options.json.write_text(json.dumps(rows, indent=2) + "\n")
    print(f"{wrong} things went wrong in {cpu_seconds():.0f} s of CPU: {'all zeros' if not wrong else 'NOT all zeros'}")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
