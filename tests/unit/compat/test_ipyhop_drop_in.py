"""`from planvow.compat import ipyhop`: programs written in IPyHOP's style, and its own files where they are.

IPyHOP has no distribution. `PLANVOW_IPYHOP` may name a folder that holds its repository: then its files are run too.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import os
import sys
from pathlib import Path

import pytest

from planvow import Status
from planvow.compat import ipyhop
from planvow.compat.ipyhop import Actions, IPyHOP, Methods, MonteCarloExecutor, MultiGoal, State, mgm_split_multigoal


def open_gate(state, before, after):
    """Gates stand in a row: one that is open lets the next one be opened."""
    if state.gate[before] is True:
        state.gate[after] = True
        return state
    return None


def gates(**methods):
    """Methods that ask for gates, by task: each a list of lists of items."""
    declared, actions = Methods(), Actions()
    for task, ways in methods.items():
        made = []
        for items in ways:

            def way(state, items=items):  # all of them share one name
                return list(items)

            made.append(way)
        declared.declare_task_methods(task, made)
    actions.declare_actions([open_gate])
    return declared, actions


def closed() -> State:
    state = State("closed")
    state.gate = dict.fromkeys(range(10), False)
    state.gate[0] = True
    return state


def opening(*pairs):
    return [("open_gate", before, after) for before, after in pairs]


def test_backtracking_over_two_and_three_levels():
    methods, actions = gates(
        outer=[opening((0, 1), (1, 2), (3, 4)), opening((0, 1), (1, 2)), opening((0, 1), (1, 2), (2, 3), (3, 4))],
        inner=[opening((3, 4), (4, 5), (6, 7)), opening((4, 5), (5, 6))],
    )
    planner = IPyHOP(methods, actions)
    assert planner.plan(closed(), [("outer",), ("inner",)]) == opening((0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6))
    assert planner.iterations > 0


def test_a_task_closed_by_an_empty_list_is_reconsidered():
    methods, actions = gates(maybe=[[], opening((0, 1))], needed=[opening((1, 2))])
    assert IPyHOP(methods, actions).plan(closed(), [("maybe",), ("needed",)]) == opening((0, 1), (1, 2))


def test_replanning_after_a_failure_keeps_what_was_done():
    methods, actions = gates(
        first=[[("second",), *opening((3, 4))]],
        second=[opening((0, 1), (1, 3)), opening((0, 2), (2, 3))],
        last=[opening((4, 8)), opening((4, 9))],
    )
    planner = IPyHOP(methods, actions)
    plan = planner.plan(closed(), [("first",), ("last",)])
    assert plan == opening((0, 1), (1, 3), (3, 4), (4, 8))
    reached = planner.simulate(closed())
    assert [state.gate[8] for state in reached] == [False, False, False, False, True]
    planner.blacklist_command(plan[-1])
    failed = next(node for node in planner.sol_tree.nodes if planner.sol_tree.nodes[node]["info"] == plan[-1])
    assert planner.replan(reached[-2], failed) == opening((4, 9))
    assert planner.sol_plan == opening((4, 9))
    tags = [planner.sol_tree.nodes[node]["tag"] for node in planner.sol_tree]
    assert tags.count("old") > tags.count("new") > 0


def test_an_empty_list_is_told_apart_by_the_result():
    methods, actions = gates(nothing=[[]], never=[opening((5, 6))])
    planner = IPyHOP(methods, actions)
    assert planner.plan(closed(), [("nothing",)]) == []
    assert planner.result.status is Status.SATISFIED
    assert planner.plan(closed(), [("never",)]) == []
    assert planner.result.status is Status.NO_PLAN
    assert "`state.gate[before] is True` is false" in planner.result.explain_text()


def blocks():
    actions, methods = Actions(), Methods()

    def a_put(state, block, place):
        if state.on[block] == place:
            return None
        state.on[block] = place
        state.moves.append(block)
        return state

    def gm_put(state, block, place):
        return [("a_put", block, place)]

    actions.declare_actions([a_put])
    methods.declare_goal_methods("on", [gm_put])
    methods.declare_multigoal_methods(None, [mgm_split_multigoal])
    return methods, actions


def test_goals_and_multigoals_in_the_order_in_which_they_are_written():
    state = State("start")
    state.on = {"a": "floor", "b": "floor"}
    state.moves = []
    goal = MultiGoal("goal")
    goal.on = {"b": "a"}
    goal.on["a"] = "table"
    planner = IPyHOP(*blocks())
    assert planner.plan(state, [goal]) == [("a_put", "b", "a"), ("a_put", "a", "table")]
    assert planner.plan(state, [("on", "a", "floor")]) == []
    assert planner.simulate(state)[-1].moves == []


def test_tagged_multigoals_find_their_methods():
    methods, actions = blocks()
    methods.declare_multigoal_methods(
        "backwards", [lambda state, goal: [*reversed(mgm_split_multigoal(state, goal)[:-1]), goal]]
    )
    methods.declare_multigoal_methods(None, [])
    goal = MultiGoal("goal", "backwards")
    goal.on = {"b": "a", "a": "table"}
    state = State("start")
    state.update(State("other", on={"a": "floor", "b": "floor"}, moves=[]))
    assert IPyHOP(methods, actions).plan(state, [goal]) == [("a_put", "a", "table"), ("a_put", "b", "a")]


def test_an_executor_stops_at_the_first_failure():
    methods, actions = gates(t=[opening((0, 1), (1, 2))])
    plan = IPyHOP(methods, actions).plan(closed(), [("t",)])
    done = MonteCarloExecutor(actions, works=lambda action: action[2] != 2).execute(closed(), plan)
    assert [action for action, _ in done] == [None, *plan]
    assert done[-1][1] is None
    assert done[1][1].gate[1] is True


def test_what_is_printed_is_readable(capsys):
    methods, actions = gates(t=[opening((0, 1))])
    planner = IPyHOP(methods, actions)
    planner.plan(closed(), [("t",)], verbose=1)
    ipyhop.planar_plot(planner.sol_tree, root_node=0)
    print(methods, actions)
    shown = capsys.readouterr().out
    assert "a plan was found" in shown
    assert "open_gate(0, 1)" in shown
    assert "ACTIONS: open_gate" in shown


def files_of_ipyhop() -> list[str]:
    root = Path(os.environ.get("PLANVOW_IPYHOP", "/nowhere"))
    found = [*root.glob("ipyhop_tests/*_test*.py"), *root.glob("examples/**/*_example*.py")]
    return sorted(".".join(path.relative_to(root).with_suffix("").parts) for path in found)


@pytest.mark.parametrize("name", files_of_ipyhop() or [None])
def test_the_files_of_ipyhop_run_unchanged(name, monkeypatch):
    if name is None:
        pytest.skip("no IPyHOP here: PLANVOW_IPYHOP names no folder with its repository")
    monkeypatch.syspath_prepend(os.environ["PLANVOW_IPYHOP"])
    before = set(sys.modules)
    try:
        with ipyhop.standing_in(), contextlib.redirect_stdout(io.StringIO()):
            importlib.import_module(name).main()
    finally:
        for module in set(sys.modules) - before:
            if module.split(".")[0] in ("examples", "ipyhop_tests"):
                del sys.modules[module]
