"""An agent that is killed with -9 at random moments comes to its end all the same, and does nothing twice.

Its tools fail, hang and lie (`agent_victim.py`); a person answers what only a person can know. `bench/agent_kills.py`
is the long form.
"""

from __future__ import annotations

import pytest

from agent_kills import Account, hunt, report
from postgres_server import running_server

KILLS = 8  # of each of the four: more than thirty in all
MOST_RUNS = 20  # a run on a quick machine can end before it was killed often enough


@pytest.mark.parametrize("mode", ["sync", "async"])
@pytest.mark.parametrize("database", ["sqlite", "postgres"])
def test_killed_agents_end_solved_or_with_a_reason_and_run_nothing_twice(tmp_path, database, mode):
    ledger = str(tmp_path / "agent.db")
    if database == "postgres":
        ledger = f"postgresql://postgres@/postgres?host={running_server().folder}"
    accounts: list[Account] = []
    while sum(account.kills for account in accounts) < KILLS and len(accounts) < MOST_RUNS:
        seed = len(accounts) + 1
        accounts.append(hunt(ledger, tmp_path, f"{mode}-{seed}", mode=mode, kills=KILLS // 2, seed=seed))
    assert [fault for account in accounts for fault in account.faults] == []
    assert sum(account.kills for account in accounts) >= KILLS, report(accounts)
