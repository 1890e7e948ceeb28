"""Schedules against CP-SAT on generated job shops, and against Aries on small temporal hierarchies, in one run.

A shop of n jobs and m machines: every job visits every machine once, in an order and for times that derive from a seed.
Ours plans it as a hierarchy (a task per job, a command per operation that needs its machine) with
`optimal="makespan"` at the default iteration budget; CP-SAT gets one thread and a fixed deterministic time. Every
schedule is checked here from the shop alone, and by the plan's certificate. Gates: every schedule is valid; the
makespan is at most 1.25 times CP-SAT's in the geometric mean over 20 shops from 6×6 to 10×10 (aim 1.10; the worst is
reported).

The hierarchies are deliveries by trucks with durations; Aries plans them through the Unified Planning library, and both
makespans are shown. Where a peer is not installed, its part is left out and said so; CP-SAT is needed for the gate.

    python bench/schedules.py [--shops 20] [--deterministic-time 10] [--json FILE]
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import sys
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

from planvow import Domain, State, plan
from planvow.kernel import attach_metadata
from planvow.kernel.domain.entities import Entity
from planvow.kernel.time.timing import Timing

GATE, AIM = 1.25, 1.10
SIZES = ((6, 6), (7, 7), (8, 8), (9, 9), (10, 10))
Jobs = list[tuple[tuple[int, int], ...]]
"""For each job its operations in order: machine and time."""


def numbers(*key: object) -> Iterator[int]:
    """Yield numbers that derive from a key."""
    place = 0
    while True:
        digest = hashlib.sha256(repr((*key, place)).encode()).digest()
        yield from (int.from_bytes(digest[k : k + 4], "big") for k in range(0, 32, 4))
        place += 1


def job_shop(seed: int, jobs: int, machines: int) -> Jobs:
    drawn = numbers("shop", seed, jobs, machines)
    shop = []
    for _ in range(jobs):
        order = sorted(range(machines), key=lambda _: next(drawn))
        shop.append(tuple((machine, 1 + next(drawn) % 99) for machine in order))
    return shop


def as_hierarchy() -> Domain:
    """A job is its operations, each of which needs the one before it to be done and its machine to be free."""
    domain = Domain("job shop")

    @domain.command(duration=lambda state, job, place, machine, ticks: ticks)
    def operate(state, job, place, machine, ticks):
        if state.done[job] != place:
            return None
        state.done[job] = place + 1
        return state

    @domain.method(task="make")
    def in_order(state, job, operations):
        return [
            attach_metadata(("operate", job, place, machine, ticks), None, {"entity_id": f"m{machine}"})
            for place, (machine, ticks) in enumerate(operations)
        ]

    return domain


def ours(shop: Jobs) -> tuple[Any, float]:
    machines = sorted({machine for job in shop for machine, _ in job})
    entities = tuple(Entity(entity_id=f"m{machine}", type="machine") for machine in machines)
    start = State(done=dict.fromkeys(range(len(shop)), 0))
    begin = time.process_time()
    result = plan(
        as_hierarchy(),
        start,
        [("make", job, operations) for job, operations in enumerate(shop)],
        optimal="makespan",
        time=Timing(entities=entities),
    )
    return result, time.process_time() - begin


def faults(shop: Jobs, result: Any) -> list[str]:
    """Check a schedule from the shop alone."""
    spans = {a.item[1:3]: (a.start, a.end, a.item[3]) for a in result.time_allocations}
    found = []
    for job, operations in enumerate(shop):
        before = 0
        for place, (machine, ticks) in enumerate(operations):
            start, end, on = spans.pop((job, place), (-1, -1, -1))
            if start < before or end - start != ticks or on != machine:
                found.append(f"operation {place} of job {job}")
            before = end
    found += [f"too much: {key}" for key in spans]
    busy: dict[int, list[tuple[int, int]]] = {}
    for allocation in result.time_allocations:
        busy.setdefault(allocation.item[3], []).append((allocation.start, allocation.end))
    for machine, listed in busy.items():
        listed.sort()
        if any(first[1] > second[0] for first, second in pairwise(listed)):
            found.append(f"machine {machine}")
    if max(a.end for a in result.time_allocations) != result.values["makespan"]:
        found.append("the makespan")
    return found


def cp_sat(shop: Jobs, deterministic_time: float) -> tuple[int, int]:
    """Return the makespan that CP-SAT finds and its bound."""
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    horizon = sum(ticks for job in shop for _, ticks in job)
    on_machine: dict[int, list[Any]] = {}
    ends = []
    for job, operations in enumerate(shop):
        before = None
        for place, (machine, ticks) in enumerate(operations):
            start = model.new_int_var(0, horizon, f"{job}.{place}")
            on_machine.setdefault(machine, []).append(
                model.new_fixed_size_interval_var(start, ticks, f"i{job}.{place}")
            )
            if before is not None:
                model.add(start >= before)
            before = start + ticks
        ends.append(before)
    for intervals in on_machine.values():
        model.add_no_overlap(intervals)
    makespan = model.new_int_var(0, horizon, "makespan")
    model.add_max_equality(makespan, ends)
    model.minimize(makespan)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_deterministic_time = deterministic_time
    solver.solve(model)
    return round(solver.objective_value), round(solver.best_objective_bound)


def shops(count: int, deterministic_time: float) -> list[dict[str, Any]]:
    rows = []
    print(
        f"{'seed':>4} {'size':>6} {'ours':>6} {'bound':>6} {'cp-sat':>7} {'bound':>6} {'ratio':>6} {'cpu s':>6}  valid"
    )
    for seed in range(count):
        size = SIZES[seed % len(SIZES)]
        shop = job_shop(seed, *size)
        result, seconds = ours(shop)
        found = faults(shop, result) + [str(fault) for fault in result.certificate().verify().faults]
        peer, peer_bound = cp_sat(shop, deterministic_time)
        makespan, bound = result.values["makespan"], (result.bound or {}).get("makespan", 0)
        row = {
            "seed": seed, "size": f"{size[0]}x{size[1]}", "ours": makespan, "bound": bound, "cp_sat": peer,
            "cp_sat_bound": peer_bound, "ratio": makespan / peer, "cpu_s": seconds, "faults": found,
        }  # fmt: skip
        rows.append(row)
        print(
            f"{seed:>4} {row['size']:>6} {makespan:>6} {bound:>6} {peer:>7} {peer_bound:>6} {row['ratio']:>6.3f} "
            f"{seconds:>6.2f}  {'yes' if not found else found[0]}",
            flush=True,
        )
    return rows


FETCH, STACK = 7, 3


def deliveries() -> Domain:
    """A box is fetched by one robot and stacked by the same or another one."""
    domain = Domain("deliveries")

    @domain.command(duration=FETCH)
    def fetch(state, box):
        state.ready[box] = True
        return state

    @domain.command(duration=STACK)
    def stack(state, box):
        state.done[box] = state.ready[box]
        return state

    @domain.method(task="deliver")
    def by_two(state, box):
        return [attach_metadata((name, box), None, {"type": "robot"}) for name in ("fetch", "stack")]

    return domain


def our_deliveries(boxes: int) -> Any:
    robots = tuple(Entity(entity_id=f"r{k}", type="robot") for k in range(2))
    start, todo = State(ready={}, done={}), [("deliver", k) for k in range(boxes)]
    return plan(deliveries(), start, todo, optimal="makespan", time=Timing(entities=robots))


def aries(boxes: int) -> float | None:
    """Return the makespan of the same hierarchy as Aries plans it, at its best within its time; None without Aries."""
    try:
        import up_aries  # noqa: F401
        from unified_planning import shortcuts as up
        from unified_planning.model.htn import HierarchicalProblem, Method
    except ImportError:
        return None
    up.get_environment().credits_stream = None
    problem = HierarchicalProblem("deliveries")
    robot, box = up.UserType("robot"), up.UserType("box")
    free = problem.add_fluent("free", up.BoolType(), r=robot, default_initial_value=True)
    ready = problem.add_fluent("ready", up.BoolType(), b=box, default_initial_value=False)
    done = problem.add_fluent("done", up.BoolType(), b=box, default_initial_value=False)
    actions = []
    for name, ticks, needs, gives in (("fetch", FETCH, None, ready), ("stack", STACK, ready, done)):
        action = up.DurativeAction(name, r=robot, b=box)
        action.set_fixed_duration(ticks)
        action.add_condition(up.StartTiming(), free(action.r))
        action.add_effect(up.StartTiming(), free(action.r), False)
        action.add_effect(up.EndTiming(), free(action.r), True)
        if needs is not None:
            action.add_condition(up.StartTiming(), needs(action.b))
        action.add_effect(up.EndTiming(), gives(action.b), True)
        problem.add_action(action)
        actions.append(action)
    task = problem.add_task("deliver", b=box)
    method = Method("by_two", b=box, r=robot, q=robot)
    method.set_task(task, method.b)
    first = method.add_subtask(actions[0], method.r, method.b)
    method.set_ordered(first, method.add_subtask(actions[1], method.q, method.b))
    problem.add_method(method)
    for k in range(2):
        problem.add_object(f"r{k}", robot)
    for k in range(boxes):
        problem.task_network.add_subtask(task, problem.add_object(f"b{k}", box))
    problem.add_quality_metric(up.MinimizeMakespan())
    best = None
    with up.AnytimePlanner(name="aries", anytime_guarantee="INCREASING_QUALITY") as planner:
        for answer in planner.get_solutions(problem, timeout=60):
            if answer.plan is not None:
                timed = answer.plan.action_plan.timed_actions
                best = max(float(start) + float(ticks or 0) for start, _, ticks in timed)
    return best


def hierarchies() -> list[dict[str, Any]]:
    rows = []
    print("boxes   ours  proved   aries (which keeps steps 0.1 apart)")
    for boxes in (2, 3, 4, 5):
        result, peer = our_deliveries(boxes), aries(boxes)
        found = [str(fault) for fault in result.certificate().verify().faults]
        makespan = result.values["makespan"]
        rows.append({"boxes": boxes, "ours": makespan, "proved": result.proven_optimal, "aries": peer, "faults": found})
        shown = "not installed" if peer is None else f"{peer:7.1f}"
        print(f"{boxes:>5} {makespan:>6}  {'yes' if result.proven_optimal else 'no':>6} {shown}", flush=True)
    return rows


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shops", type=int, default=20)
    parser.add_argument("--deterministic-time", type=float, default=10.0)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    rows = shops(options.shops, options.deterministic_time)
    mean = math.exp(sum(math.log(row["ratio"]) for row in rows) / len(rows))
    worst = max(row["ratio"] for row in rows)
    small = hierarchies()
    is_valid = not any(row["faults"] for row in (*rows, *small))
    passed = is_valid and mean <= GATE
    print(f"{'PASS' if is_valid else 'FAIL'}: every schedule valid")
    print(f"{'PASS' if mean <= GATE else 'FAIL'}: {mean:.3f} times CP-SAT in the geometric mean, at most {GATE:g}")
    print(f"aim: {AIM:g}; worst {worst:.3f}")
    figures: dict[str, Any] = {"shops": rows, "mean_ratio": mean, "worst_ratio": worst, "hierarchies": small}
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
