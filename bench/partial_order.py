"""How long it takes to derive the order of a plan's steps: it must grow with what was read and written.

Prints CPU seconds of planning and of `partial_order()`, links and rounds, by shape and size; the exit code is 1 when
a step of the largest plans takes more than GROWTH_GATE times as long as one of the second-largest. `--json FILE` writes
the figures.
"""

from __future__ import annotations

import argparse
import gc
import json
import sys
import time
from pathlib import Path
from typing import Any

from planvow import Domain, State, plan

SIZES = (10, 1_000, 100_000)
GROWTH_GATE = 3.0


def robots(size: int) -> tuple[Domain, State, list[Any]]:
    """A hundred robots side by side, each with its own places; every task looks at its robot."""
    domain = Domain("robots")

    @domain.command
    def drive(state: Any, robot: int, there: int) -> Any:
        state.at[robot] = there
        return state

    @domain.method(task="tour")
    def tour(state: Any, robot: int, count: int) -> Any:
        return [("drive", robot, state.at[robot] + 1), ("tour", robot, count - 1)] if count else []

    team = min(100, size)
    return domain, State(at=dict.fromkeys(range(team), 0)), [("tour", robot, size // team) for robot in range(team)]


def chain(size: int) -> tuple[Domain, State, list[Any]]:
    """One task below another, as deep as the plan is long; each looks at a place of its own, one last step at all."""
    domain = Domain("chain")

    @domain.command
    def mark(state: Any, i: int) -> Any:
        state.done[i] = True
        return state

    @domain.command
    def sweep(state: Any) -> Any:
        state.cell = dict.fromkeys(state.cell, 1)
        return state

    @domain.method(task="walk")
    def walk(state: Any, i: int) -> Any:
        return [("mark", i), ("walk", i + 1)] if i < size and state.cell[i] == 0 else []

    return domain, State(cell=dict.fromkeys(range(size), 0), done={}), [("walk", 0), ("sweep",)]


def crowd(size: int) -> tuple[Domain, State, list[Any]]:
    """Half of the steps write places, a look at all of them, the other half writes them again."""
    domain = Domain("crowd")

    @domain.command
    def put(state: Any, i: int) -> Any:
        state.box[i] = state.box.get(i, 0) + 1
        return state

    @domain.command
    def count(state: Any) -> Any:
        state.total = len(state.box)
        return state

    @domain.method(task="half")
    def half(state: Any) -> Any:
        return [("put", i) for i in range(size // 2)]

    return domain, State(box={}, total=0), [("half",), ("count",), ("half",)]


def guarded(size: int) -> tuple[Domain, State, list[Any]]:
    """Many tasks that look at a whole predicate, each with a step that writes to it: all in line."""
    domain = Domain("guarded")

    @domain.command
    def take(state: Any, i: int) -> Any:
        state.free[i % 50] = i
        return state

    @domain.method(task="one")
    def one(state: Any, i: int) -> Any:
        return [("take", i)] if len(state.free) else None

    return domain, State(free=dict.fromkeys(range(50), 0)), [("one", i) for i in range(size)]


SHAPES = (robots, chain, crowd, guarded)


def measured(shape: Any, size: int) -> dict[str, Any]:
    domain, state, todo = shape(size)
    gc.collect()
    start = time.process_time()
    result = plan(domain, state, todo)
    planned = time.process_time() - start
    start = time.process_time()
    order = result.partial_order()
    derived = time.process_time() - start
    return {
        "shape": shape.__name__,
        "steps": len(order.steps),
        "planning": round(planned, 4),
        "deriving": round(derived, 4),
        "links": len(order.links),
        "rounds": len(order.levels),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    rows, missed = [], []
    for shape in SHAPES:
        found = [measured(shape, size) for size in SIZES]
        rows += found
        for row in found:
            print("  ".join(f"{key} {value}" for key, value in row.items()))
        middle, large = found[-2:]
        growth = (large["deriving"] / large["steps"]) / (middle["deriving"] / middle["steps"])
        if growth > GROWTH_GATE:
            missed.append(f"{shape.__name__}: {growth:.1f} times as long per step")
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, indent=1))
    print("missed: " + "; ".join(missed) if missed else "all gates hold")
    return bool(missed)


if __name__ == "__main__":
    sys.exit(main())
