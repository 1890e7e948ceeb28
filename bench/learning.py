"""What learned method selection saves when methods are declared in a bad order: nodes, not seconds.

Ten small domains, each with its methods in a bad order. For each: the iterations of the declared order, of the best of
all orders of its methods, and of learned selection, which starts with nothing and sees the bad order. Counts are the
same in every run, so the table can be published. The last line is the verdict, and the exit code is 1 when a gate is
missed.

    python bench/learning.py [--json FILE]
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

from planvow import Budgets, Domain, Goal, State, plan, refuse

GATES = {"two dead ends first": 1.2}
"""How many times the best order's iterations learned selection may need."""
MEAN_GATE = 1.5
"""The same in the geometric mean over the domains in which one order of the methods is best."""
ENOUGH = Budgets(max_iterations=2_000_000)
Built = tuple[Domain, State, list[Any]]


def _world(name: str) -> Domain:
    """A domain with a command that counts, one that never applies, and one that applies under a condition."""
    domain = Domain(name)

    @domain.command
    def ok(state: Any, *_: Any) -> Any:
        state.n += 1
        return state

    @domain.command
    def never(state: Any, *_: Any) -> Any:
        return refuse("never")

    @domain.command
    def only(state: Any, holds: bool) -> Any:
        return state if holds else refuse("not here")

    @domain.command
    def put(state: Any, key: str, value: Any) -> Any:
        state.at[key] = value
        return state

    @domain.command
    def need(state: Any, key: str, value: Any) -> Any:
        return state if state.at.get(key) == value else refuse(f"{key} is not {value}")

    return domain


def _methods(domain: Domain, task: str, *bodies: Callable[..., Any]) -> None:
    for number, body in enumerate(bodies):
        domain.method(task=task, name=f"{task}_{number}")(body)


def two_dead_ends_first() -> Built:
    domain = _world("two dead ends first")

    def dead_end(state: Any, i: int) -> Any:
        return [("ok", i)] * 50 + [("never",)]

    _methods(domain, "t", dead_end, lambda state, i: dead_end(state, i), lambda state, i: [("ok", i)])
    return domain, State(n=0, at={}), [("t", i) for i in range(500)]


def the_last_of_six() -> Built:
    domain = _world("the last of six")
    dead_ends = [lambda state, i, k=k: [("ok",)] * k + [("never",)] for k in range(2, 7)]
    _methods(domain, "t", *dead_ends, lambda state, i: [("ok", i)])
    return domain, State(n=0, at={}), [("t", i) for i in range(300)]


def deep_dead_end() -> Built:
    """The wrong method is seen to be wrong eight levels further down."""
    domain = _world("deep dead end")
    _methods(
        domain, "t", lambda state, i: [("down", 8)], lambda state, i: [("ok", i)],
    )  # fmt: skip
    domain.method(task="down", name="step")(lambda state, k: [("ok",), ("down", k - 1)] if k else [("never",)])
    return domain, State(n=0, at={}), [("t", i) for i in range(200)]


def walk_the_wrong_way() -> Built:
    """Recursion: each step tries the wrong direction first."""
    domain = _world("walk the wrong way")

    def wrong(state: Any, left: int) -> Any:
        return [("ok",), ("ok",), ("ok",), ("never",)]

    def right(state: Any, left: int) -> Any:
        return [("ok",), ("walk", left - 1)] if left else []

    _methods(domain, "walk", wrong, right)
    return domain, State(n=0, at={}), [("walk", 300)]


def goals_by_the_wrong_tool() -> Built:
    domain = _world("goals by the wrong tool")
    domain.method(goal="at", name="by_hand")(lambda state, key, value: [("ok",)] * 20 + [("never",)])
    domain.method(goal="at", name="by_tool")(lambda state, key, value: [("put", key, value)])
    todo = [Goal("at", f"box{i}", "shelf") for i in range(200)]
    return domain, State(n=0, at={}), todo


def spent_too_early() -> Built:
    """The wrong method is done each time, and leaves too little for what comes next."""
    domain = _world("spent too early")
    _methods(
        domain,
        "buy",
        lambda state, i: [("ok",)] * 10 + [("put", "purse", "empty")],
        lambda state, i: [("ok",)] * 10 + [("put", "purse", "half")],
    )
    domain.method(task="round", name="round")(lambda state, i: [("buy", i), ("need", "purse", "half"), ("ok", i)])
    return domain, State(n=0, at={}), [("round", i) for i in range(200)]


def half_time() -> Built:
    """One method works for the first half of the tasks and another for the second."""
    domain = _world("half time")
    _methods(
        domain,
        "t",
        lambda state, i: [("ok",)] * 15 + [("never",)],
        lambda state, i: [("ok",)] * 15 + [("only", i < 150)],
        lambda state, i: [("ok",)] * 15 + [("only", i >= 150)],
    )
    return domain, State(n=0, at={}), [("t", i) for i in range(300)]


def two_storeys() -> Built:
    """A bad strategy above, and below each strategy a bad way of doing it."""
    domain = _world("two storeys")
    _methods(domain, "t", lambda state, i: [("work", i), ("never",)], lambda state, i: [("work", i)])
    _methods(domain, "work", lambda state, i: [("ok",)] * 8 + [("never",)], lambda state, i: [("ok", i)])
    return domain, State(n=0, at={}), [("t", i) for i in range(200)]


def many_ways_to_one_dead_door() -> Built:
    """Ways that lead to the same state, in which a task fails whatever is done: a nogood."""
    domain = _world("many ways to one dead door")
    ways = [lambda state, k=k: [("ok",), ("put", "me", "door")] for k in range(5)]
    _methods(domain, "go", *ways)
    _methods(domain, "open", *[lambda state: [("ok",)] * 30 + [("never",)] for _ in range(2)])
    domain.method(task="leave", name="by_the_door")(lambda state: [("go",), ("open",)])
    domain.method(task="leave", name="by_the_window")(lambda state: [("ok",)])
    domain.method(task="go", name="go_nowhere")(lambda state: [("never",)])
    return domain, State(n=0, at={}), [("leave",)] * 20


def it_depends() -> Built:
    """No order is best: which method works depends on the argument, and a score per method cannot know."""
    domain = _world("it depends")
    _methods(
        domain,
        "t",
        lambda state, i: [("ok",)] * 10 + [("only", i % 2 == 0)],
        lambda state, i: [("ok",)] * 10 + [("only", i % 2 == 1)],
    )
    return domain, State(n=0, at={}), [("t", i) for i in range(200)]


DOMAINS = (
    two_dead_ends_first, the_last_of_six, deep_dead_end, walk_the_wrong_way, goals_by_the_wrong_tool, spent_too_early,
    half_time, two_storeys, many_ways_to_one_dead_door, it_depends,
)  # fmt: skip
WITHOUT_A_BEST_ORDER = ("it depends",)


def iterations(built: Built, **options: Any) -> int:
    domain, state, todo = built
    result = plan(domain, state, todo, budgets=ENOUGH, **options)
    assert result.success, (domain.name, result.reason)
    return result.statistics.iterations


def best_order(make: Callable[[], Built]) -> int:
    """Return the least iterations over all orders of the methods of every task and goal."""
    domain = make()[0]
    tables = [("task_methods", name) for name in domain.task_methods] + [
        ("goal_methods", n) for n in domain.goal_methods
    ]
    orders = [itertools.permutations(range(len(getattr(domain, kind)[name]))) for kind, name in tables]
    least = None
    for chosen in itertools.product(*orders):
        built = make()
        for (kind, name), order in zip(tables, chosen, strict=True):
            held = getattr(built[0], kind)[name]
            held[:] = [held[place] for place in order]
        count = iterations(built)
        least = count if least is None else min(least, count)
    assert least is not None
    return least


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    rows = []
    print(f"{'domain':28} {'declared':>9} {'best':>7} {'learned':>8}   learned / best   saved of what could be saved")
    for make in DOMAINS:
        declared, best = iterations(make()), best_order(make)
        learned = iterations(make(), selection="learned")
        name = make.__name__.replace("_", " ")
        saved = (declared - learned) / (declared - best) if declared > best else 0.0
        rows.append({"domain": name, "declared": declared, "best": best, "learned": learned, "ratio": learned / best})
        print(f"{name:28} {declared:9,} {best:7,} {learned:8,}   {learned / best:14.2f}   {saved:10.0%}")
    clear = [row["ratio"] for row in rows if row["domain"] not in WITHOUT_A_BEST_ORDER]
    mean = math.prod(clear) ** (1 / len(clear))
    missed = [name for name, gate in GATES.items() for row in rows if row["domain"] == name and row["ratio"] >= gate]
    missed += ["geometric mean"] if mean > MEAN_GATE else []
    if arguments.json:
        arguments.json.write_text(json.dumps({"rows": rows, "mean": mean}, indent=2) + "\n", encoding="utf-8")
    told = f"learned selection needs {mean:.2f} times the best order's iterations in the geometric mean"
    print(f"{told}; {'gates hold' if not missed else 'missed: ' + ', '.join(missed)}")
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
