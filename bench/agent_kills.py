"""Kills agents with -9 at random moments, 300 of them unless told otherwise, on SQLite and PostgreSQL.

    python bench/agent_kills.py [KILLS] [--only sqlite|postgres]

Prints one line for each run that went wrong and one for all; exits 1 if any did.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "lab"))

from agent_kills import hunt, report
from postgres_server import running_server

EACH = 6  # kills of one run


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kills", type=int, nargs="?", default=300)
    parser.add_argument("--only", choices=["sqlite", "postgres"])
    asked = parser.parse_args()
    accounts = []
    with tempfile.TemporaryDirectory(prefix="planvow-kills-") as name:
        folder = Path(name)
        places = {"sqlite": str(folder / "agent.db")}
        if asked.only != "sqlite":
            places["postgres"] = f"postgresql://postgres@/postgres?host={running_server().folder}"
        if asked.only:
            places = {asked.only: places[asked.only]}
        kinds = [(place, mode) for place in places.values() for mode in ("sync", "async")]
        seed = 0
        while sum(account.kills for account in accounts) < asked.kills:
            place, mode = kinds[seed % len(kinds)]
            accounts.append(hunt(place, folder, f"{mode}-{seed}", mode=mode, kills=EACH, seed=seed))
            for fault in accounts[-1].faults:
                print(f"seed {seed}, {mode}: {fault}")
            seed += 1
    print(report(accounts))
    return 1 if any(account.faults for account in accounts) else 0


if __name__ == "__main__":
    sys.exit(main())
