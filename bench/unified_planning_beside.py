"""The HDDL problems of the golden corpus beside unified-planning: who reads them, who solves them, in how many actions.

    python bench/unified_planning_beside.py [SECONDS]      needs unified-planning and up-aries; not in any lock

`OneshotPlanner` chooses the engine by the problem's kind, as its documentation has it; each engine gets SECONDS (10).
"""

from __future__ import annotations

import subprocess
import sys
import time
from importlib.metadata import version
from pathlib import Path

from planvow.hddl import load_problem
from planvow.hddl.solve.entry import solve

ROOT = Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "tests/golden/hddl"


def problems() -> list[tuple[Path, Path]]:
    tea = ROOT / "examples/hddl"
    pairs = [(tea / "tea-domain.hddl", tea / "tea-problem.hddl")]
    for domain in sorted(GOLDEN.glob("*-domain.hddl")):
        name = domain.name.removesuffix("-domain.hddl")
        pairs += [(domain, path) for path in sorted(GOLDEN.glob(f"{name}-*.hddl")) if path != domain]
    return pairs


def ours(domain: Path, problem: Path) -> str:
    read = load_problem(domain, problem)
    outcome = solve(read.domain, read)
    return f"{len(outcome.plan.steps)} actions" if outcome.plan else str(outcome.status.value)


def theirs(domain: Path, problem: Path, seconds: float) -> str:
    import unified_planning.shortcuts as up
    from unified_planning.exceptions import UPNoSuitableEngineAvailableException
    from unified_planning.io import PDDLReader

    up.get_environment().credits_stream = None
    try:
        read = PDDLReader().parse_problem(str(domain), str(problem))
    except Exception as error:
        return f"not read: {type(error).__name__}"
    try:
        with up.OneshotPlanner(problem_kind=read.kind) as engine:
            found = engine.solve(read, timeout=seconds)
    except UPNoSuitableEngineAvailableException:
        return "no engine for its kind"
    if found.plan is None:
        return f"{engine.name}: {found.status.name.lower()}"
    return f"{engine.name}: {len(list(found.plan.action_plan.actions))} actions"


def start(module: str) -> float:
    """Return the CPU seconds that importing a module takes in a process of its own."""
    code = f"import time; import {module}; print(time.process_time())"
    return min(float(subprocess.check_output([sys.executable, "-c", code])) for _ in range(5))


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 10.0
    print(f"unified-planning {version('unified-planning')}, up-aries {version('up-aries')}")
    print(
        f"import, CPU: planvow {start('planvow'):.2f} s, unified-planning {start('unified_planning.shortcuts'):.2f} s"
    )
    for domain, problem in problems():
        begun = time.process_time()
        mine = ours(domain, problem)
        spent = time.process_time() - begun
        print(f"{problem.stem:24} planvow {mine:14} {spent:6.2f} s   {theirs(domain, problem, seconds)}", flush=True)


if __name__ == "__main__":
    main()
