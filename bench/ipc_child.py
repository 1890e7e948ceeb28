"""One instance, solved in a process of its own: what `ipc_sample.measure` starts. It imports little beside planvow."""

from __future__ import annotations

import json
import sys
import time
from typing import Any


def main(domain: str, problem: str, told: str, seconds: str) -> None:
    """Solve, and print one JSON document with the plan and where the time went. `told` is a `How`."""
    started = time.process_time()
    from planvow.budgets import Budgets
    from planvow.hddl.language.plan_format import format_plan
    from planvow.hddl.parsing.files import load_problem
    from planvow.hddl.solve import portfolio
    from planvow.hddl.solve.entry import solve

    imported = time.process_time()
    search, tuning, effort, is_accelerated = json.loads(told)
    chosen: dict[str, Any] = {name: tuple(v) if isinstance(v, list) else v for name, v in tuning}
    portfolio.TUNING = portfolio.TUNING._replace(**chosen)
    if not is_accelerated:
        sys.modules["planvow_accelerator"] = None  # type: ignore[assignment]  # as if it were not installed
    loaded = load_problem(domain, problem)
    parsed = time.process_time()
    end = float(seconds) - 1
    outcome = solve(
        loaded.domain,
        loaded,
        search=search,
        budgets=None if effort is None else Budgets(max_iterations=effort),
        interrupt=lambda: time.process_time() > end,
    )
    solved = time.process_time()
    record = {
        "status": outcome.status,
        "search": outcome.search,
        "length": len(outcome.plan.steps) if outcome.plan else None,
        "plan": format_plan(outcome.plan) if outcome.plan else None,
        "statistics": dict(outcome.statistics),
        "is_grounded": "planvow.hddl.solve.grounding_turns" in sys.modules,
        "phases": {"start": imported, "parse": parsed - imported, "solve": solved - parsed, "python": started},
    }
    print(json.dumps(record))


if __name__ == "__main__":
    main(*sys.argv[1:])
