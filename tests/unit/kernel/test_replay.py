"""Replaying a plan: the reads and writes of every node, absences and scans included."""

from __future__ import annotations

import pytest

from planvow import Domain, Goal, State, plan
from planvow.kernel.errors import NotReproducedError
from planvow.kernel.repair.replay import replay_plan
from planvow.kernel.world.recorder import ABSENT


def warehouse() -> Domain:
    domain = Domain("warehouse")

    @domain.command
    def take(state, thing):
        if thing in state.held or state.at[thing] != state.at["robot"]:
            return None
        del state.at[thing]
        state.held[thing] = True
        state.moves = state.moves + 1
        return state

    @domain.command
    def count(state):
        state.total["all"] = len(state.held)
        return state if state.total["all"] else None

    @domain.method(task="take_all")
    def one_by_one(state):
        for thing in state.at:
            yield [("take", thing), ("count",)]

    return domain


START = State(at={"robot": "dock", "box": "dock"}, held={}, moves=0, total={})


def steps(result):
    return [node for node in replay_plan(result) if node.kind == "command"]


def test_reads_writes_and_absences_of_each_command_are_told():
    result = plan(warehouse(), START, [("take", "box")])
    (step,) = steps(result)
    assert set(step.reads) == {
        ("held", "box", ABSENT), ("at", "box", "dock"), ("at", "robot", "dock"), ("moves", "", 0),
    }  # fmt: skip
    assert set(step.writes) == {("at", "box", ABSENT), ("held", "box", True), ("moves", "", 1)}
    assert step.scans == ()


def test_walking_through_a_predicate_is_a_scan_and_own_writes_are_no_reads():
    result = plan(warehouse(), START, [("take", "box"), ("count",)])
    second = steps(result)[1]
    assert second.scans == ("held",)
    assert second.reads == (("held", "box", True),)
    assert second.writes == (("total", "all", 1),)


def test_every_node_of_the_tree_is_replayed_with_generators_at_the_alternative_taken():
    result = plan(warehouse(), START, [("take_all",)])
    assert result.plan == (("take", "robot"), ("count",))
    nodes = replay_plan(result)
    assert [(n.kind, n.method) for n in nodes] == [("task", "one_by_one"), ("command", None), ("command", None)]
    assert nodes[0].scans == ("at",)
    assert nodes[0].writes == ()


def test_goals_are_replayed_as_reads():
    domain = Domain("goal")
    domain.add_actions(put)
    domain.add_goal_methods("x", lambda state, subject, value: [("put", subject, value)])
    nodes = replay_plan(plan(domain, State(x={"a": 0}), [Goal("x", "a", 1), Goal("x", "a", 1)]))
    assert [n.kind for n in nodes] == ["goal", "command", "check", "satisfied"]
    assert nodes[2].reads == nodes[3].reads == (("x", "a", 1),)


def put(state, subject, value):
    state.x[subject] = value
    return state


def test_a_function_that_answers_differently_the_second_time_is_caught():
    calls = []
    domain = Domain("chance")

    @domain.command
    def moody(state):
        calls.append(1)
        return state if len(calls) == 1 else None

    result = plan(domain, State(), [("moody",)])
    with pytest.raises(NotReproducedError, match="moody"):
        replay_plan(result)


def test_new_predicates_and_replaced_ones_are_written_triple_by_triple():
    domain = Domain("new")

    @domain.command
    def remake(state):
        state.fresh = {"a": 1}
        state.old = {"c": 3}
        return state

    (step,) = steps(plan(domain, State(old={"b": 2}), [("remake",)]))
    assert set(step.writes) == {("fresh", "a", 1), ("old", "b", ABSENT), ("old", "c", 3)}
