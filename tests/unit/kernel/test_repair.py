"""Repairing and running plans: replan, blacklist, lookahead, simulate."""

from __future__ import annotations

import gc
import weakref

import pytest

from planvow import Domain, Goal, MultiGoal, Planner, State, Status, plan, refuse, replan
from planvow.beliefs import BeliefManager, act_on_beliefs
from planvow.errors import InputError
from planvow.kernel import Method, Patience, run_lazy_lookahead, simulate
from planvow.kernel.domain.terms import attach_metadata
from planvow.kernel.repair.replan import solution_tree
from planvow.kernel.time.timing import Timing


def errands() -> Domain:
    """Three errands; each can be done in two ways, and every way is two commands."""
    domain = Domain("errands")

    @domain.command
    def go(state, place):
        state.at["me"] = place
        return state

    @domain.command
    def do(state, errand, way):
        if state.at["me"] != errand:
            return refuse(f"not at {errand}")
        state.done[errand] = way
        return state

    @domain.method(task="errand")
    def first_way(state, errand):
        return [("go", errand), ("do", errand, "first")]

    @domain.method(task="errand")
    def second_way(state, errand):
        return [("go", errand), ("do", errand, "second")]

    @domain.method(task="day")
    def whole_day(state):
        return [("errand", "bank"), ("errand", "shop"), ("errand", "post")]

    return domain


START = State(at={"me": "home"}, done={})


def node_of(result, command):
    return next(n.node_id for n in result.solution_graph if n.kind == "command" and n.item == command)


def executed_until(result, command):
    steps = result.plan[: result.plan.index(command)]
    return simulate(result, start=0)[len(steps)]


def test_replanning_after_a_middle_command_keeps_what_was_done_and_what_still_holds():
    result = plan(errands(), START, [("day",)])
    failed = ("do", "shop", "first")
    repaired = replan(result, executed_until(result, failed), node_of(result, failed))
    assert repaired.plan == (
        ("go", "shop"), ("do", "shop", "second"), ("go", "post"), ("do", "post", "first"),
    )  # fmt: skip
    assert repaired.final_state.done == {"bank": "first", "shop": "second", "post": "first"}
    assert repaired.repair.failures == (
        {"id": node_of(result, failed), "kind": "command", "item": list(failed), "reason": "reported as failed"},
    )
    assert repaired.repair.stability == pytest.approx(2 / 3)


def test_the_repaired_graph_has_the_old_part_and_the_new_one():
    result = plan(errands(), START, [("day",)])
    failed = ("do", "shop", "first")
    repaired = replan(result, executed_until(result, failed), node_of(result, failed))
    graph = repaired.solution_graph
    old = [n.item for n in graph if n.tag == "old" and n.kind == "command"]
    new = [n.item for n in graph if n.tag == "new" and n.kind == "command"]
    assert old == [("go", "bank"), ("do", "bank", "first")]
    assert tuple(new) == repaired.plan
    assert [graph[child].item for child in graph[1].children] == [
        ("errand", "bank"), ("errand", "shop"), ("errand", "post"),
    ]  # fmt: skip


def test_a_repaired_plan_can_fail_and_be_repaired_again():
    result = plan(errands(), START, [("day",)])
    first = replan(result, executed_until(result, ("do", "shop", "first")), node_of(result, ("do", "shop", "first")))
    failed = ("do", "post", "first")
    again = replan(first, executed_until(first, failed), node_of(first, failed))
    assert again.plan == (("go", "post"), ("do", "post", "second"))
    assert [n.item for n in again.solution_graph if n.kind == "command" and n.tag == "old"] == [
        ("go", "bank"), ("do", "bank", "first"), ("go", "shop"), ("do", "shop", "second"),
    ]  # fmt: skip


def test_replanning_after_the_last_command():
    result = plan(errands(), START, [("day",)])
    failed = ("do", "post", "first")
    repaired = replan(result, executed_until(result, failed), node_of(result, failed))
    assert repaired.plan == (("go", "post"), ("do", "post", "second"))


def test_without_the_blacklist_the_same_command_is_tried_again_first():
    result = plan(errands(), START, [("day",)])
    failed = ("do", "shop", "first")
    repaired = replan(result, executed_until(result, failed), node_of(result, failed), blacklist=False)
    assert repaired.plan == (("do", "shop", "first"), ("go", "post"), ("do", "post", "first"))
    assert repaired.repair.stability == 1.0


def test_when_no_way_is_left_below_the_ancestor_is_broken_down_anew():
    domain = errands()

    @domain.method(task="day")
    def stay_in(state):
        return [("go", "home")]

    result = plan(domain, START, [("day",)])
    result = replan(result, START, node_of(result, ("go", "shop")))
    assert result.plan == (("go", "home"),)
    assert result.repair.redone_node_id == 1


def test_no_repair_is_a_result_and_not_an_exception():
    result = plan(errands(), START, [("errand", "bank")])
    repaired = replan(result, START, node_of(result, ("go", "bank")))
    assert (repaired.status, repaired.plan, repaired.repair) == (Status.NO_PLAN, (), None)


def test_a_failed_command_of_the_agenda_itself_cannot_be_replaced():
    result = plan(errands(), START, [("go", "bank"), ("do", "bank", "first")])
    assert replan(result, START, 1).status is Status.NO_PLAN
    assert replan(result, START, 1, blacklist=False).plan == result.plan


def test_a_late_failure_costs_what_comes_after_it():
    todo = [("errand", f"e{i}") for i in range(200)]
    result = plan(errands(), START, todo)
    failed = ("do", "e150", "first")
    repaired = replan(result, executed_until(result, failed), node_of(result, failed))
    assert len(repaired.plan) == 2 * 50
    assert repaired.statistics.iterations < result.statistics.iterations / 50


def test_goals_are_checked_again_after_a_repair():
    domain = Domain("lamps")

    @domain.command
    def press(state, switch, lamp):
        state.lit[lamp] = not state.lit[lamp]
        return state

    @domain.method(goal="lit")
    def by_any_switch(state, lamp, wanted):
        for switch in ("left", "right"):
            yield [("press", switch, lamp)]

    start = State(lit={"a": False, "b": False})
    result = plan(domain, start, [MultiGoal(lit={"a": True, "b": True})])
    failed = ("press", "left", "b")
    repaired = replan(result, start.with_predicate("a", "lit", True), node_of(result, failed))
    assert repaired.plan == (("press", "right", "b"),)
    # Somebody switched lamp a off in the meantime: the multigoal sees it at the end and repairs that too.
    repaired = replan(result, start, node_of(result, failed))
    assert repaired.plan == (("press", "right", "b"), ("press", "left", "a"))
    assert repaired.final_state.lit == {"a": True, "b": True}


def test_a_node_that_is_not_in_the_graph_is_refused():
    result = plan(errands(), START, [("errand", "bank")])
    with pytest.raises(InputError, match="no node 99"):
        replan(result, START, 99)


def test_the_planners_blacklist_stays_over_calls_until_it_is_cleared():
    planner = Planner(errands())
    planner.blacklist_command(("do", "bank", "first"))
    for _ in range(2):
        assert planner.find_plan(START, [("errand", "bank")]).plan[-1] == ("do", "bank", "second")
    planner.clear_blacklist()
    assert planner.find_plan(START, [("errand", "bank")]).plan[-1] == ("do", "bank", "first")


def closed_shop(state, command):
    if command == ("do", "shop", "first"):
        return refuse("they only take the second way")
    model = errands().commands[command[0]].model
    return model(state, *command[1:])


def test_lookahead_acts_learns_of_the_failure_and_plans_again():
    told = []
    done = run_lazy_lookahead(
        errands(), START, [("errand", "bank"), ("errand", "shop")], execute=closed_shop,
        observe=lambda failure, state: told.append((failure.command, failure.reason, dict(state.done))),
    )  # fmt: skip
    assert done.success
    assert done.tries == 2
    assert done.state.done == {"bank": "first", "shop": "second"}
    assert told == [(("do", "shop", "first"), "they only take the second way", {"bank": "first"})]
    assert START.done == {}


def test_lookahead_ends_when_there_is_no_plan_left_and_says_what_was_done():
    def never(state, command):
        return None if command[0] == "do" else closed_shop(state, command)

    once = Patience(chances=1)
    done = run_lazy_lookahead(errands(), START, [("errand", "bank")], execute=never, patience=once)
    assert (done.success, done.status) == (False, Status.NO_PLAN)
    assert [f.command for f in done.failures] == [("do", "bank", "first"), ("do", "bank", "second")]
    assert done.executed == (("go", "bank"), ("go", "bank"))


def test_lookahead_stops_after_max_tries():
    done = run_lazy_lookahead(errands(), START, [("day",)], 1, execute=lambda state, command: False)
    assert (done.success, done.status, done.tries) == (False, Status.BLOCKED, 1)


def test_lookahead_with_nothing_to_do_succeeds():
    assert run_lazy_lookahead(errands(), START, []).status is Status.SATISFIED
    assert run_lazy_lookahead(errands(), START, [Goal("at", "me", "home")]).status is Status.SATISFIED


def test_a_command_may_run_something_else_than_its_model():
    domain = errands()
    calls = []

    @domain.runtime("go")
    def really_go(state, place):
        calls.append(place)
        state.at["me"] = place
        return state

    done = run_lazy_lookahead(domain, START, [("errand", "bank")])
    assert done.success
    assert calls == ["bank"]


def test_a_planner_sees_only_what_the_view_shows_it():
    # The agent believes the way to be free; the world knows better. Execution runs against the world.
    def blocked_road(state, command):
        return refuse("the road is blocked") if state.blocked and command[0] == "go" else state

    done = run_lazy_lookahead(
        errands(), State(at={"me": "home"}, done={}, blocked=True), [("go", "bank")],
        execute=blocked_road, view=lambda real: real.draft().set_predicate("", "blocked", False),
    )  # fmt: skip
    assert not done.success
    assert done.failures[0].reason == "the road is blocked"


def test_simulate_returns_the_states_and_stops_at_the_first_failure():
    result = plan(errands(), START, [("errand", "bank")])
    states = simulate(result)
    assert [s.at["me"] for s in states] == ["home", "bank", "bank"]
    assert states[0] == START
    assert simulate(result, start=1).failure.reason == "not at bank"
    assert len(simulate(result, start=1)) == 1


def test_a_repaired_plan_explains_its_new_part_and_what_was_kept():
    result = plan(errands(), START, [("day",)])
    failed = ("do", "bank", "first")
    repaired = replan(result, executed_until(result, failed), node_of(result, failed))
    bank, shop, post = repaired.explanation.decisions
    assert str(bank.alternatives[0]).startswith("first_way was tried and failed at do(bank, first)")
    assert shop.why == "kept from the plan that was repaired: declared first, and it led to a plan"
    assert [(a.method, a.verdict) for a in post.alternatives] == [("second_way", "not_tried")]
    own = dict(enumerate(repaired.trail, start=1))
    assert all(own[decision.node_id][1] == decision.item for decision in repaired.explanation.decisions)

    failed = ("do", "shop", "first")
    again = replan(repaired, START.with_predicate("me", "at", "shop"), node_of(repaired, failed))
    assert [decision.item[1] for decision in again.explanation.decisions] == ["shop", "post"]
    assert again.explanation.decisions[1].why == shop.why
    assert "kept from the plan that was repaired" in again.explain_text()


def test_what_was_attached_to_a_kept_rest_stays_attached():
    item = attach_metadata(("errand", "post"), {"duration": 5})
    result = plan(errands(), START, [("errand", "bank"), item], time=Timing())
    failed = ("do", "bank", "first")
    repaired = replan(result, executed_until(result, failed), node_of(result, failed))
    [(node_id, told)] = repaired.annotations.items()
    assert (repaired.trail[node_id - 1][1], told) == (("errand", "post"), item.metadata)
    whole = solution_tree(repaired)
    [(node_id, told)] = whole.annotations.items()
    assert (whole.trail.items[node_id - 1], told) == (("errand", "post"), item.metadata)


def timed_errands() -> Domain:
    domain = errands()
    model = domain.commands["go"].model
    domain.command(duration=10)(model)
    return domain


@pytest.mark.parametrize("deadline", [39, 40])
def test_lookahead_plans_again_from_the_time_that_has_passed(deadline):
    failing = ("do", "post", "first")

    def world(state, command):
        return None if command == failing else timed_errands().commands[command[0]].model(state, *command[1:])

    todo = [
        attach_metadata(("errand", "bank"), {"deadline": 100}),
        attach_metadata(("errand", "post"), {"deadline": 40}),
    ]
    done = run_lazy_lookahead(timed_errands(), START, todo, execute=world, time=Timing(horizon=deadline))
    assert [result.time_allocations[0].start for result in done.results if result.success][1:] == [20] * (
        deadline == 40
    )
    assert done.success == (deadline == 40)


def test_acting_on_beliefs_plans_again_from_the_time_that_has_passed():
    domain = timed_errands()

    @domain.runtime("do")
    def do(state, errand, way):
        if way == "first":
            return None
        state.done[errand] = way
        return state

    manager = BeliefManager(START)  # nothing is done yet, and yet the persona knows the word
    manager.sense("ann", "me")
    run = act_on_beliefs(manager, "ann", domain, [("errand", "bank")], max_tries=2)
    assert [result.time_allocations[0].start for result in run.plans] == [0, 10]


def test_a_timing_given_as_propagator_is_the_only_one():
    result = plan(timed_errands(), START, [("errand", "bank")], propagators=[Timing(start_time=7)])
    assert result.time_allocations[0].start == 7
    assert len(result.problem.propagators) == 1


def relay(length: int) -> Domain:
    """A long way in small stages, each of which can be done in two ways."""
    domain = Domain("relay")

    @domain.command
    def move(state, stage, way):
        state.at["me"] = stage
        return state

    @domain.method(task="stage")
    def first(state, stage):
        return [("move", stage, "first")]

    @domain.method(task="stage")
    def second(state, stage):
        return [("move", stage, "second")]

    @domain.method(task="way")
    def stages(state):
        return [("stage", stage) for stage in range(length)]

    return domain


@pytest.mark.long
def test_chained_repairs_keep_no_chain_of_results_alive():
    result = plan(relay(60), State(at={"me": -1}), [("way",)])
    seen = []
    for stage in range(0, 60, 5):
        failed = node_of(result, ("move", stage, "first"))
        seen.append(weakref.ref(result))
        result = replan(result, State(at={"me": stage - 1}), failed)
        assert result.repair.stability > 0.5 or stage > 50
    gc.collect()
    assert [ref for ref in seen if ref() is not None] == []
    links, history = 0, result.history
    while history is not None:
        links, history = links + 1, history.older
    assert links <= 2  # what is new, and the plan that the rest was kept from
    assert [row["item"][1] for row in result.find_failed_nodes()] == list(range(0, 60, 5))
    whys = {decision.why for decision in result.explanation.decisions}
    assert "kept from the plan that was repaired: declared first, and it led to a plan" in whys
    assert len(result.explanation.decisions) == len([n for n in result.trail if isinstance(n[2], Method)])
