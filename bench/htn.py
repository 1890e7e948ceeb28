"""planvow beside GTPyhop 2.0.2 (iterative depth-first search with backtracking) on the same functions, in one process.

A bare core (`bench/bare_core.py`) shows what the same functions cost with nothing around them.
Prints CPU seconds and the ratios per problem, then flatness, memory and repair figures; the last line is the verdict,
and the exit code is 1 when a gate is missed. `--json FILE` writes the figures. Needs
`pip install gtpyhop==2.0.2` (dependency group `bench`).
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import io
import json
import sys
import time
import tracemalloc
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
import htn_domains as domains
from bare_core import bare_plan
from planvow import Domain, MultiGoal, State, plan, replan
from planvow.kernel import simulate

with contextlib.redirect_stdout(io.StringIO()):  # it greets when imported
    import gtpyhop

KINDS = {"blocks 400": (3.0, 4.0), "logistics 200": (20.0, 40.0), "chain": (8.0, 15.0), "branching": (8.0, 15.0)}
"""What the ratio to GTPyhop must be and should be, for one problem or for every size of a kind; 1 for the others."""
FLATNESS_GATE = 1.5
REPAIR_AIM = 0.05
BARE_AIM = 2.0
ROUND_SECONDS = 0.02
MEMORY_AIM_BYTES = 1024


def cpu_seconds(*calls: Any, rounds: int) -> list[tuple[float, Any]]:
    """Return each call's least CPU time and its answer, measured in turns: the machine is shared, and noise only adds.

    A call that is over in less than ROUND_SECONDS is repeated until they are spent, so that caches are as warm for it
    as for a long one.
    """
    answers = [call() for call in calls]
    best = [float("inf")] * len(calls)
    for _ in range(rounds):
        for place, call in enumerate(calls):
            gc.collect()
            count, start = 0, time.process_time()
            while (spent := time.process_time() - start) < ROUND_SECONDS:
                call()
                count += 1
            best[place] = min(best[place], spent / count)
    return list(zip(best, answers, strict=True))


def with_gtpyhop(functions: dict[str, Any], content: dict[str, Any], todo: list[Any]) -> Any:
    with contextlib.redirect_stdout(io.StringIO()):
        gtpyhop.current_domain = gtpyhop.Domain("bench")
        gtpyhop.declare_actions(*functions["actions"])
        for task, methods in functions["task_methods"].items():
            gtpyhop.declare_task_methods(task, *methods)
        gtpyhop.set_verbose_level(0)
        gtpyhop.set_recursive_planning("iterative_dfs_backtracking")
    state = gtpyhop.State("start", **{key: dict(value) for key, value in content.items()})
    return lambda: gtpyhop.find_plan(state, todo)


def with_planvow(functions: dict[str, Any], content: dict[str, Any], todo: list[Any]) -> Any:
    domain = Domain.from_functions("bench", **functions)
    state = State(content)
    return lambda: planned(plan(domain, state, todo))


def planned(result: Any) -> Any:
    assert result.plan  # it is made when it is first asked for: that counts too
    return result


def problems(quick: bool) -> list[tuple[str, dict[str, Any], dict[str, Any], list[Any], list[Any]]]:
    """Return (name, functions, state, agenda for GTPyhop, agenda for planvow)."""
    rows = []
    for count in (10, 50, 400) if quick else (10, 25, 50, 100, 200, 400):
        content, goal = domains.blocks_problem(count)
        theirs = gtpyhop.Multigoal("goal", pos=goal)
        rows.append(
            (f"blocks {count}", domains.BLOCKS, content, [("arrange", theirs)], [("arrange", MultiGoal(pos=goal))])
        )
    for count in (10, 200) if quick else (10, 25, 50, 100, 200):
        content, todo = domains.logistics_problem(count)
        rows.append((f"logistics {count}", domains.LOGISTICS, content, todo, todo))
    for length in (300, 3000) if quick else (100, 300, 1000, 3000, 10_000):
        rows.append((f"chain {length}", domains.CHAIN, {"count": {"n": 0}}, [("until", length)], [("until", length)]))
    for length in (12,) if quick else (8, 12, 14):
        content, todo = domains.branching_problem(length)
        rows.append((f"branching {2**length}", domains.BRANCHING, content, todo, todo))
    return rows


def compare(quick: bool, only: list[str]) -> list[dict[str, Any]]:
    figures = []
    for name, functions, content, todo_theirs, todo_ours in problems(quick):
        if only and name.split()[0] not in only:
            continue
        gate, aim = KINDS.get(name) or KINDS.get(name.split()[0]) or (1.0, 1.0)
        (theirs, their_plan), (ours, result), (bare, bare_steps) = cpu_seconds(
            with_gtpyhop(functions, content, todo_theirs),
            with_planvow(functions, content, todo_ours),
            partial(bare_plan, functions, content, todo_ours),
            rounds=2 if name in ("branching 16384", "blocks 400") else 5,
        )
        for steps in (their_plan, bare_steps):
            assert list(result.plan) == [tuple(step) for step in steps], f"{name}: the plans differ"
        row = {
            "problem": name,
            "steps": len(result.plan),
            "gtpyhop_s": theirs,
            "planvow_s": ours,
            "bare_s": bare,
            "ratio": theirs / ours,
            "over_bare": ours / bare,
            "gate": gate,
            "aim": aim,
        }
        figures.append(row)
        print(
            f"{name:16} {row['steps']:6} steps   gtpyhop {theirs:8.5f} s   planvow {ours:8.5f} s   "
            f"{row['ratio']:5.1f}×   bare core {bare:8.5f} s, planvow takes {row['over_bare']:4.2f} times that"
        )
    return figures


def flatness() -> dict[str, Any]:
    per_step = {}
    for length in (1_000, 10_000, 100_000):
        run = with_planvow(domains.CHAIN, {"count": {"n": 0}}, [("until", length)])
        [(seconds, result)] = cpu_seconds(run, rounds=3)
        assert len(result.plan) == length
        per_step[length] = seconds / length * 1e6
        print(f"chain {length:7} steps   {per_step[length]:.2f} µs a step")
    worst = max(per_step.values()) / per_step[1_000]
    print(f"per-step cost from 1,000 to 100,000 steps grows by at most {worst:.2f}×")
    return {"microseconds_per_step": per_step, "growth": worst}


def memory() -> dict[str, Any]:
    """Bytes a step that planning needs at its peak, beyond the plan itself."""
    length = 20_000
    run = with_planvow(domains.CHAIN, {"count": {"n": 0}}, [("until", length)])
    gc.collect()
    tracemalloc.start()
    result = run()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    plan_bytes = sum(sys.getsizeof(step) for step in result.plan) + sys.getsizeof(result.plan)
    per_step = (peak - plan_bytes) / length
    print(f"memory: {per_step:.0f} bytes a step beyond the plan (aim ≤ {MEMORY_AIM_BYTES})")
    return {"bytes_per_step": per_step}


def repair() -> dict[str, Any]:
    """CPU time to repair the 200-package plan after its middle command failed, beside planning it."""
    content, todo = domains.logistics_problem(200)
    domain, state = Domain.from_functions("bench", **domains.LOGISTICS), State(content)
    result = planned(plan(domain, state, todo))
    middle = result.solution_graph.commands()[len(result.plan) // 2]
    observed = simulate(result)[len(result.plan) // 2]
    (planning, _), (repairing, repaired) = cpu_seconds(
        lambda: planned(plan(domain, state, todo)),
        lambda: planned(replan(result, observed, middle.node_id, blacklist=False)),
        rounds=15,
    )
    share = repairing / planning
    print(
        f"repair after the middle command of {len(result.plan)}: {repairing * 1000:.2f} ms, {share:.1%} of planning, "
        f"{repaired.statistics.iterations} of {result.statistics.iterations} nodes visited, "
        f"stability {repaired.repair.stability:.0%}"
    )
    return {"planning_s": planning, "repair_s": repairing, "share": share, "stability": repaired.repair.stability}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--quick", action="store_true", help="fewer sizes")
    parser.add_argument("--only", nargs="*", default=[], help="kinds of problems, such as chain branching")
    args = parser.parse_args()
    figures = compare(args.quick, args.only)
    flat = flatness()
    spent = memory()
    mended = repair()
    missed = [
        f"{row['problem']}: {row['ratio']:.1f}× < {row['gate']:g}×" for row in figures if row["ratio"] < row["gate"]
    ]
    if flat["growth"] > FLATNESS_GATE:
        missed.append(f"per-step cost grows {flat['growth']:.2f}× > {FLATNESS_GATE}×")
    below_aim = [] if mended["share"] <= REPAIR_AIM else [f"repair {mended['share']:.1%} > {REPAIR_AIM:.0%}"]
    if spent["bytes_per_step"] > MEMORY_AIM_BYTES:
        below_aim.append(f"memory {spent['bytes_per_step']:.0f} bytes a step")
    below_aim += [
        f"{row['problem']} {row['over_bare']:.2f} times the bare core > {BARE_AIM:g}"
        for row in figures
        if row["over_bare"] > BARE_AIM
    ]
    below_aim += [
        f"{row['problem']} {row['ratio']:.1f}× < {row['aim']:g}×" for row in figures if row["ratio"] < row["aim"]
    ]
    print("aims not reached: " + ("; ".join(below_aim) or "none"))
    if args.json:
        args.json.write_text(
            json.dumps(
                {"compared": figures, "flatness": flat, "memory": spent, "repair": mended, "missed": missed}, indent=2
            )
            + "\n"
        )
    print("FAIL " + "; ".join(missed) if missed else "PASS every gate")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
