"""The fault tests at length: more kills, more flips, longer races. Prints the table; exit 1 when anything is not zero.

    python bench/faults.py [--only f1,f2,f10,f18,f19] [--scale 1.0] [--json FILE]

At scale 1: 1,000 kills on SQLite, 500 kills with 20 server restarts on PostgreSQL, 3,000 histories on each database,
10,000 byte flips, races of a minute. The short forms with their negative controls are `tests/faults`.
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests/faults")]

from fault_lab import TABLE, cpu_seconds, run_with_kills  # noqa: E402
from ledgers import independent, post, sqlite_ledger  # noqa: E402
from postgres_server import PostgresServer, postgres_ledger  # noqa: E402


def f1(scale: float, folder: Path) -> None:
    """Kills on SQLite."""
    kills = round(1000 * scale)
    with sqlite_ledger(folder) as store:
        for number in range(10):
            post(store, independent(max(1, kills), request_id=f"q{number}"))
        location = {"kind": "sqlite", "path": str(store.path)}
    run = run_with_kills(location, lambda: sqlite_ledger(folder), folder, workers=8, min_kills=kills, seed=7)
    TABLE.add("F1 kills on SQLite", f"{run.kills} kill -9, {run.acknowledged} steps", **run.wrong)


def f2(scale: float, folder: Path) -> None:
    """Kills and immediate restarts on PostgreSQL."""
    kills, wanted = round(500 * scale), round(20 * scale)
    server = PostgresServer(durable=True)
    try:
        with postgres_ledger("kills", server) as store:
            for number in range(10):
                post(store, independent(max(1, kills), request_id=f"q{number}"))
        done = 0

        def restart(so_far: int) -> int:
            nonlocal done
            if done < wanted and so_far >= kills * (done + 1) / (wanted + 1):
                server.restart_immediately()
                done += 1
            return done

        location = {"kind": "postgres", "conninfo": server.conninfo, "schema": "kills"}
        run = run_with_kills(
            location,
            lambda: postgres_ledger("kills", server),
            folder,
            workers=8,
            min_kills=kills,
            disturb=restart,
            seed=8,
        )
        done_words = f"{run.kills} kill -9, {run.restarts} restarts, {run.acknowledged} steps"
        TABLE.add("F2 kills on PostgreSQL", done_words, **run.wrong)
    finally:
        server.remove()


def f10(scale: float, folder: Path) -> None:
    """The stateful model on both databases."""
    from test_f10_model import run_machine

    count = round(3000 * scale)
    for kind in ("sqlite", "postgres"):
        with sqlite_ledger(folder) if kind == "sqlite" else postgres_ledger() as store:
            run_machine(store, count)
        TABLE.add(f"F10 model on {kind}", f"{count} histories of up to 40 moves", violations=0)


def f18(scale: float, folder: Path) -> None:
    """Byte flips."""
    from test_f18_vandalism import fill, missed_flips, sqlite_columns, without_protection

    count = round(10_000 * scale)
    with sqlite_ledger(folder) as store:
        fill(store, lambda: sqlite_ledger(folder))
        raw = without_protection(store.path)
        missed = missed_flips(store, raw, sqlite_columns, "?", count, sqlite3.IntegrityError)
        raw.close()
    TABLE.add("F18 byte flips on SQLite", f"{count} flips", not_found=len(missed))


def f19(scale: float, folder: Path) -> None:
    """Path races while reading."""
    import test_f19_paths as paths

    from planvow.cassette.errors import PathRefusedError
    from planvow.cassette.rooted import Root

    paths.SECONDS = 60 * scale
    race = paths.Race(folder)
    with Root(race.root) as root:

        def read() -> bool:
            try:
                return root.read("sub/file.txt") != b"inside"
            except PathRefusedError:
                return False

        tried, escaped = race.during(read)
    TABLE.add("F19 races while reading", f"{tried} reads in {paths.SECONDS:.0f} s", escapes=escaped)


PARTS: dict[str, Callable[[float, Path], None]] = {"f1": f1, "f2": f2, "f10": f10, "f18": f18, "f19": f19}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default=",".join(PARTS))
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    for name in options.only.split(","):
        with tempfile.TemporaryDirectory() as folder:
            PARTS[name](options.scale, Path(folder))
    for line in TABLE.lines():
        print(line)
    wrong = sum(count for _, _, faults in TABLE.rows for count in faults.values())
    if options.json is not None:
        rows = [{"test": name, "done": done, "wrong": faults} for name, done, faults in TABLE.rows]
        options.json.write_text(json.dumps(rows, indent=2) + "\n")
    print(f"{wrong} things went wrong in {cpu_seconds():.0f} s of CPU: {'all zeros' if not wrong else 'NOT all zeros'}")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
