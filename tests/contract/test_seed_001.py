"""Seed 001 by its own names: PlannerPlan, PlannerResult, PlannerState, PlannerDomain, and the limits it states."""

from __future__ import annotations

import inspect

import pytest

from planvow import Status
from planvow.budgets import SEED_BUDGETS
from planvow.kernel import (
    Goal,
    PlannerDomain,
    PlannerPlan,
    PlannerResult,
    PlannerSolutionGraph,
    PlannerState,
    simulate,
)  # fmt: skip
from planvow.kernel.search.scoring import GROWTH, Scores


def open_door(state, door):
    if state.get_predicate(door, "is_locked"):
        return False
    return state.set_predicate(door, "is_open", True, {"type": "fact", "timestamp": 3, "confidence": 1.0})


def unlock(state, door):
    return state.set_predicate(door, "is_locked", False)


def kick(state, door):
    state.is_open[door] = True
    return state


def just_open(state, door):
    return [["open_door", door]]


def with_key(state, door):
    return [["unlock", door], ["open_door", door]]


def by_force(state, door):
    return [["kick", door]] if state.strength["hero"] > 5 else False


def domain():
    built = PlannerDomain("doors")
    built.add_actions([open_door, unlock, kick])
    built.add_task_methods("get_through", [just_open, with_key, by_force])
    return built


def start():
    state = PlannerState()
    state.set_predicate("door_1", "is_locked", True, {"type": "belief", "confidence": 0.8, "source": "guard"})
    state.set_predicate("hero", "strength", 9, None)
    state.set_predicate("door_1", "is_open", False)
    return state


def test_find_plan_takes_state_todo_list_and_domain():
    result = PlannerPlan().find_plan(start(), [["get_through", "door_1"]], domain())
    assert isinstance(result, PlannerResult)
    assert result.success is True
    assert result.plan == (("unlock", "door_1"), ("open_door", "door_1"))
    assert isinstance(result.solution_graph, PlannerSolutionGraph)
    assert result.time_allocations == {}


def test_the_limits_of_find_plan_are_those_of_the_seed():
    assert (SEED_BUDGETS.max_depth, SEED_BUDGETS.max_iterations) == (10, 50_000)
    assert SEED_BUDGETS.max_stack_size is not None
    deep = PlannerDomain("deep")
    deep.add_task_methods("down", lambda state, n: [["down", n - 1]] if n else [])
    assert PlannerPlan(deep).find_plan(PlannerState(), [["down", 9]]).success
    too_deep = PlannerPlan(deep).find_plan(PlannerState(), [["down", 10]])
    assert (too_deep.status, too_deep.hit.budget) == (Status.BUDGET_EXCEEDED, "max_depth")


def test_a_command_may_fail_with_false_or_nothing_and_the_search_backtracks():
    for failure in (False, None):
        fallible = domain()
        fallible.add_actions(named("open_door", lambda state, door, failure=failure: failure))
        assert PlannerPlan(fallible).find_plan(start(), [["get_through", "door_1"]]).plan == (("kick", "door_1"),)


def named(name, function):
    function.__name__ = name
    return function


def test_a_goal_is_a_list_of_name_and_arguments_and_a_multigoal_a_sequence_of_them():
    result = PlannerPlan(domain()).find_plan(start(), [[["unlock", "door_1"], ["get_through", "door_1"]]])
    assert result.plan == (("unlock", "door_1"), ("open_door", "door_1"))


def test_multigoal_methods_handle_sets_of_goals():
    built = domain()

    def open_all(state, multigoal):
        closed = [door for door in multigoal.is_open if not state.is_open[door]]
        return [["get_through", closed[0]], multigoal] if closed else []

    built.add_multigoal_methods([open_all])
    result = PlannerPlan(built).find_plan(start(), [{"is_open": {"door_1": True}}])
    assert result.final_state.is_open["door_1"] is True
    assert result.solution_graph[1].method == "open_all"


def test_blacklisted_commands_are_kept_out_until_cleared():
    planner = PlannerPlan(domain())
    planner.blacklist_command(["unlock", "door_1"])
    assert planner.find_plan(start(), [["get_through", "door_1"]]).plan == (("kick", "door_1"),)
    planner.clear_blacklist()
    assert planner.find_plan(start(), [["get_through", "door_1"]]).plan[0] == ("unlock", "door_1")


def test_replan_resumes_from_a_failed_node_of_a_previous_result():
    planner = PlannerPlan(domain())
    result = planner.find_plan(start(), [["get_through", "door_1"]])
    failed = next(node.node_id for node in result.solution_graph if node.item == ("open_door", "door_1"))
    repaired = planner.replan(result, simulate(result)[1], failed)
    assert repaired.plan == (("kick", "door_1"),)
    assert repaired.find_failed_nodes()[-1]["id"] == failed


def test_lazy_lookahead_executes_commands_as_they_are_planned():
    def world(state, command):
        return None if command[0] == "open_door" else domain().commands[command[0]].model(state, *command[1:])

    done = PlannerPlan(domain()).run_lazy_lookahead(start(), [["get_through", "door_1"]], 5, execute=world)
    assert done.success
    assert done.executed == (("unlock", "door_1"), ("kick", "door_1"))


def test_metadata_attached_to_an_item_reaches_the_schedule():
    planner = PlannerPlan(domain())
    item = planner.attach_metadata(["unlock", "door_1"], {"duration": "PT2M"}, None)
    assert item.metadata == {"temporal": {"duration": "PT2M"}}
    from planvow.kernel.time.timing import Timing

    timed = PlannerPlan(domain(), propagators=[Timing()]).find_plan(start(), [item])
    assert timed.time_allocations[0].end == 2 * 60 * 1_000_000


def test_explain_plan_is_a_dictionary_of_decisions_and_scores():
    decisions = PlannerPlan(domain()).find_plan(start(), [["get_through", "door_1"]]).explain_plan()["decisions"]
    assert decisions[0]["method"] == "with_key"
    assert set(decisions[0]["score"]) == {"activity", "history_bonus", "score"}
    assert [a["verdict"] for a in decisions[0]["alternatives"]] == ["tried_and_failed", "not_tried"]


def test_triples_have_predicate_subject_object_and_metadata_and_come_sorted():
    rows = start().get_triples_as_array()
    assert [(row["subject"], row["predicate"]) for row in rows] == [
        ("door_1", "is_locked"), ("door_1", "is_open"), ("hero", "strength"),
    ]  # fmt: skip
    assert rows[0]["metadata"] == {"type": "belief", "confidence": 0.8, "source": "guard"}
    assert start().get_predicate("door_1", "is_locked") is True


def test_activity_grows_by_application_and_more_by_success_and_old_activity_decays():
    scores = Scores()
    method = domain().task_methods["get_through"][0]
    scores.applied(method)
    scores.applied(method)
    assert scores.activity[method.method_id] == 1.0  # once per search
    scores.solved([method], plan_length=1)
    assert scores.activity[method.method_id] == pytest.approx(1.0 + 10 / 2)
    assert scores.score(method) == scores.activity[method.method_id] + scores.history_bonus(method)
    for _ in range(100):
        scores.solved([method], plan_length=1)
    assert scores.increment == pytest.approx(GROWTH)


def test_methods_are_tried_by_score_and_not_only_by_declaration():
    planner = PlannerPlan(domain())
    first = planner.find_plan(start(), [["get_through", "door_1"]])
    learned = PlannerPlan(domain(), scores=first.scores).find_plan(start(), [["get_through", "door_1"]])
    assert first.statistics.backtracks > learned.statistics.backtracks == 0
    assert learned.plan == first.plan


def test_a_goal_that_holds_needs_no_command():
    result = PlannerPlan(domain()).find_plan(start(), [Goal("is_open", "door_1", False)])
    assert (result.status, result.plan) == (Status.SATISFIED, ())


def test_the_interfaces_have_the_seeds_arguments():
    def names(function):
        return list(inspect.signature(function).parameters)[1:]

    assert names(PlannerPlan.find_plan)[:3] == ["state", "todo_list", "domain"]
    assert names(PlannerPlan.run_lazy_lookahead)[:3] == ["state", "todo_list", "max_tries"]
    assert names(PlannerPlan.attach_metadata) == ["item", "temporal_constraints", "entity_constraints"]
    assert names(PlannerPlan.replan)[:3] == ["result", "state", "fail_node_id"]
    assert names(PlannerState.get_predicate) == ["subject", "predicate"]
    assert names(PlannerState.set_predicate) == ["subject", "predicate", "value", "metadata"]
