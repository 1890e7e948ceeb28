"""How fast goals are planned, and that a large registry costs nothing: `python bench/goals.py [--json FILE]`.

Prints plans per second for the litmus goal, and the time for a chain of four tools in a registry of 10 and of 10,000
tools, indexed once. Gate: the large registry takes at most 1.5 times as long. CPU time, best of several rounds.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

from planvow.goals import Goal, GoalPlanner, ToolCapability, WorldState
from planvow.goals.plan.chain import ToolIndex
from planvow.goals.values.config import default_config

MAX_RATIO = 1.5
ROUNDS = 15
WORLD = WorldState()
LITMUS = Goal(goal_type="browser_search", platform="youtube", query="nvidia")


def registry(size: int) -> list[ToolCapability]:
    """Return a four-tool chain (search ← tab ← profile ← browser) among tools that share none of its words."""
    chain = [
        ToolCapability(name="search", can_achieve={"browser_search"}, requires={"tab.open"}, effects={"results"}),
        ToolCapability(name="tab", requires={"profile.loaded"}, effects={"tab.open"}),
        ToolCapability(name="profile", requires={"browser_running"}, effects={"profile.loaded"}),
        ToolCapability(name="start", effects={"browser_running"}),
    ]
    others = [
        ToolCapability(name=f"tool{i}", can_achieve={f"goal{i}"}, requires={f"need{i % 97}"}, effects={f"word{i}"})
        for i in range(size - len(chain))
    ]
    return chain + others


def cpu_seconds(work: Callable[[], object], repeat: int) -> float:
    start = time.process_time()
    for _ in range(repeat):
        work()
    return (time.process_time() - start) / repeat


def figures() -> dict[str, float]:
    planner = GoalPlanner()
    shipped = ToolIndex(default_config().tools)
    start = time.process_time()
    large_tools = registry(10_000)
    made = time.process_time()
    large = ToolIndex(large_tools)
    indexed = time.process_time()
    small = ToolIndex(registry(10))
    for index in (small, large):
        plan = planner.plan(LITMUS, WORLD, index).plan
        if plan is None or plan.total_actions != 4:
            raise SystemExit("the chain of four was not found")
    # Rounds alternate, so that whatever else the machine does falls on both.
    rounds = [
        (
            cpu_seconds(lambda: planner.plan(LITMUS, WORLD, small), 100),
            cpu_seconds(lambda: planner.plan(LITMUS, WORLD, large), 100),
        )
        for _ in range(ROUNDS)
    ]
    litmus_s = min(cpu_seconds(lambda: planner.plan(LITMUS, WORLD, shipped), 200) for _ in range(ROUNDS))
    small_s, large_s = (min(column) for column in zip(*rounds, strict=True))
    return {
        "litmus_plans_per_second": 1 / litmus_s,
        "chain_ms_10_tools": small_s * 1000,
        "chain_ms_10000_tools": large_s * 1000,
        "ratio": large_s / small_s,
        "make_10000_tools_ms": (made - start) * 1000,
        "index_10000_tools_ms": (indexed - made) * 1000,
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    found = figures()
    print(f"litmus goal            {found['litmus_plans_per_second']:10.0f} plans/s")
    print(f"chain of 4, 10 tools   {found['chain_ms_10_tools']:10.3f} ms")
    print(f"chain of 4, 10,000     {found['chain_ms_10000_tools']:10.3f} ms")
    print(f"indexing 10,000 once   {found['index_10000_tools_ms']:10.1f} ms")
    passed = found["ratio"] <= MAX_RATIO
    if options.json:
        options.json.write_text(json.dumps({**found, "passed": passed}, indent=2, sort_keys=True) + "\n")
    print(f"{'PASS' if passed else 'FAIL'}: 10,000 tools take {found['ratio']:.2f}× as long as 10 (gate {MAX_RATIO}×)")
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
