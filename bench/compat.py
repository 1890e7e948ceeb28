"""`planvow.compat.gtpyhop` beside GTPyhop 2.0.2 on the peer's own files and on commands that change values in place.

Each file of the installed distribution is loaded twice, unchanged: once with GTPyhop, once with the drop-in standing in
for it. Both plan the same problems in one process, in turns. Prints CPU seconds, plan lengths and ratios; the last line
is the verdict. Gates: faster than the peer on every problem that takes it more than 10 ms, and no plan longer than its
plan. The exit code is 1 when one is missed. Needs `pip install gtpyhop==2.0.2` (dependency group `bench`).

    python bench/compat.py [--quick] [--json FILE]
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import importlib.util
import io
import json
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

with contextlib.redirect_stdout(io.StringIO()):  # it greets when imported
    import gtpyhop as peer

from planvow.compat import gtpyhop as ours

EXAMPLES = Path(peer.__file__).parent / "examples"
WORTH_A_RATIO = 0.010
TOO_LONG = 4.0
GOALS = {"Childsnack": "served", "Blocksworld-GTOHP": "on"}
"""Packages that give the goal as a dictionary: the state variable it is for."""


def loaded(folder: Path, *, stands_in: bool) -> Any:
    """Return a package of examples, loaded under a name of its own."""
    name = f"{'ours' if stands_in else 'theirs'}_{folder.name.replace('-', '_')}"
    spec = importlib.util.spec_from_file_location(
        name, folder / "__init__.py", submodule_search_locations=[str(folder)]
    )
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    with contextlib.redirect_stdout(io.StringIO()), ours.standing_in() if stands_in else contextlib.nullcontext():
        spec.loader.exec_module(module)
    return module


def seconds(call: Callable[[], Any], rounds: int = 3) -> tuple[float, Any]:
    """Return the least CPU time of some rounds, and the answer."""
    best, answer = float("inf"), None
    for _ in range(rounds):
        gc.collect()
        start = time.process_time()
        answer = call()
        best = min(best, time.process_time() - start)
        if best > TOO_LONG / 4:
            break
    return best, answer


def planner(front: Any, domain: Any, state: Any, todo: Any) -> Callable[[], Any]:
    def find() -> Any:
        front.current_domain = domain
        if front is peer:
            front.set_current_domain(domain)
        return front.find_plan(state, todo)

    return find


def packaged(quick: bool) -> Iterator[tuple[str, Callable[[], Any], Callable[[], Any]]]:
    """Yield (name, the peer's call, ours) for the problems of the distribution's packages."""
    for path in sorted(EXAMPLES.rglob("domain.py")):
        folder = path.parent
        if "memory_tracking" in str(path):  # they measure memory while they plan
            continue
        theirs, mine = (loaded(folder, stands_in=stands_in) for stands_in in (False, True))
        with contextlib.redirect_stdout(io.StringIO()):
            problems = theirs.get_problems(), mine.get_problems()
        names = list(problems[0])
        for name in names[:2] if quick else dict.fromkeys([*names[:12], *names[-2:]]):
            calls = []
            for front, module, held in ((peer, theirs, problems[0]), (ours, mine, problems[1])):
                state, todo, *_ = held[name]
                if isinstance(todo, dict):
                    todo = [front.Multigoal(name, **{GOALS[folder.name]: todo})]
                calls.append(planner(front, module.the_domain, state, todo))
            yield f"{folder.name} {name}"[:52], calls[0], calls[1]


def in_place(front: Any, count: int, kind: str) -> Callable[[], Any]:
    """A walk that notes where it has been: in a set, a list, sets by subject, or a dictionary inside one."""
    domain = front.Domain(f"in place {kind}")

    def visit(state: Any, place: int) -> Any:
        if kind == "set":
            state.visited.add(place)
        elif kind == "list":
            state.trail.append(place)
        elif kind == "sets by subject":
            state.seen["me"].add(place)
        else:
            state.stock[place % 10]["left"] -= 1
        state.at["me"] = place
        return state

    def onward(state: Any, goal: int) -> Any:
        return [("visit", state.at["me"] + 1), ("walk", goal)] if state.at["me"] < goal else []

    front.declare_actions(visit)
    front.declare_task_methods("walk", onward)
    state = front.State("start", at={"me": 0}, visited=set(), trail=[], seen={"me": set(), "you": set()})
    state.stock = {shelf: {"left": 10_000} for shelf in range(10)}
    state.map = {place: place + 1 for place in range(count)}
    return planner(front, domain, state, [("walk", count)])


def in_place_problems(quick: bool) -> Iterator[tuple[str, Callable[[], Any], Callable[[], Any]]]:
    for kind in ("set", "list", "sets by subject", "dictionary"):
        for count in (200,) if quick else (200, 1000):
            yield f"in place: {kind}, {count} steps", in_place(peer, count, kind), in_place(ours, count, kind)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="two problems of each package, short walks")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    peer.set_verbose_level(0)
    ours.set_verbose_level(0)
    peer.set_recursive_planning("iterative_dfs_backtracking")
    rows, slower, longer = [], [], []
    for problems in (in_place_problems, packaged):
        for name, theirs, mine in problems(arguments.quick):
            try:
                with contextlib.redirect_stdout(io.StringIO()):
                    their_seconds, their_plan = seconds(theirs)
            except Exception as error:
                print(f"{name:52} the peer raises {type(error).__name__}")
                continue
            with contextlib.redirect_stdout(io.StringIO()):
                our_seconds, our_plan = seconds(mine)
            ratio = their_seconds / our_seconds
            lengths = [
                len(steps) if steps is not None and steps is not False else None for steps in (their_plan, our_plan)
            ]
            rows.append({"problem": name, "peer_s": their_seconds, "ours_s": our_seconds, "lengths": lengths})
            if lengths[0] is not None and (lengths[1] is None or lengths[1] > lengths[0]):
                longer.append(name)
            if their_seconds > WORTH_A_RATIO:
                times = f"{their_seconds:8.4f} s {our_seconds:8.4f} s {ratio:6.1f}×"
                print(f"{name:52} {times}   {lengths[0]} {lengths[1]} steps")
                slower += [name] if ratio < 1 else []
    told = [row["peer_s"] / row["ours_s"] for row in rows if row["peer_s"] > WORTH_A_RATIO]
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, indent=2) + "\n", encoding="utf-8")
    print(f"{len(rows)} problems, {len(told)} of them over 10 ms; least ratio {min(told):.1f}×")
    verdict = [f"slower: {', '.join(slower)}"] if slower else []
    verdict += [f"longer or no plan: {', '.join(longer)}"] if longer else []
    print("; ".join(verdict) or "faster on each, and no plan is longer: gates hold")
    return 1 if verdict else 0


if __name__ == "__main__":
    raise SystemExit(main())
