"""What a search learns while it runs: which methods it tries first, and what it does not try again."""

from __future__ import annotations

import pytest

from planvow import Budgets, Domain, Planner, State, Status, plan, refuse
from planvow.kernel import Scores
from planvow.kernel.search.learning import NOGOOD
from planvow.trace import TraceRecorder


def bad_methods_first(depth: int) -> Domain:
    """Two methods that fail after `depth` commands stand before the one that works."""
    domain = Domain("bad first")

    @domain.command
    def ok(state, i):
        state.n += 1
        return state

    @domain.command
    def nope(state, i):
        return refuse("no")

    @domain.method(task="t")
    def bad1(state, i):
        return [("ok", i)] * depth + [("nope", i)]

    @domain.method(task="t")
    def bad2(state, i):
        return [("ok", i)] * depth + [("nope", i)]

    @domain.method(task="t")
    def good(state, i):
        return [("ok", i)]

    return domain


def best_order(domain: Domain) -> Domain:
    domain.task_methods["t"].reverse()
    return domain


TODO = [("t", i) for i in range(500)]


def test_a_method_that_failed_once_is_not_tried_first_five_hundred_times():
    best = plan(best_order(bad_methods_first(50)), State(n=0), TODO)
    learned = plan(bad_methods_first(50), State(n=0), TODO, selection="learned")
    assert learned.plan == best.plan
    assert best.statistics.iterations == 1001
    assert learned.statistics.iterations < 1.2 * best.statistics.iterations


def test_failures_count_in_the_history_bonus_and_successes_in_the_activity():
    scores = plan(bad_methods_first(3), State(n=0), TODO[:2], selection="learned").scores
    bad1, _, good = bad_methods_first(3).task_methods["t"]
    assert scores.activity.get(bad1.method_id, 0.0) == 0.0 < scores.activity[good.method_id]
    assert scores.history_bonus(bad1) < 0 < scores.history_bonus(good)
    assert scores.score(good) == scores.activity[good.method_id] + scores.history_bonus(good)


def shops() -> Domain:
    """A method that is always done, and leaves nothing for what comes next."""
    domain = Domain("shops")

    @domain.command
    def pay(state, amount):
        state.cash -= amount
        return state

    @domain.command
    def post(state):
        return state if state.cash >= 1 else refuse("no money for the stamp")

    @domain.command
    def earn(state):
        state.cash = 5
        return state

    @domain.method(task="buy")
    def dear(state):
        return [("pay", 5)]

    @domain.method(task="buy")
    def cheap(state):
        return [("pay", 4)]

    return domain


def test_a_method_that_leaves_nothing_for_what_comes_next_has_led_into_a_conflict():
    todo = [("buy",), ("post",), ("earn",)] * 50
    learned = plan(shops(), State(cash=5), todo, selection="learned")
    assert learned.success
    assert learned.statistics.backtracks == 1
    dear, cheap = shops().task_methods["buy"]
    assert learned.scores.strikes[dear.method_id] > 0
    assert learned.scores.score(dear) < learned.scores.score(cheap)


def test_high_activity_does_not_keep_a_method_first_that_fails_now():
    """Scores of another world come in: the favourite fails here, and is soon tried last."""
    favourite = bad_methods_first(3).task_methods["t"][0]
    scores = Scores()
    scores.activity[favourite.method_id] = 60.0
    learned = plan(bad_methods_first(3), State(n=0), TODO, selection="learned", scores=scores)
    assert learned.statistics.backtracks < 20


def dead_door(ways: int) -> Domain:
    """Many ways to the same place, where a task fails whatever is done."""
    domain = Domain("dead door")

    @domain.command
    def walk(state):
        state.at = "door"
        return state

    @domain.command
    def push(state, hard):
        return refuse("the door is locked")

    for number in range(ways):
        domain.method(task="go", name=f"way_{number}")(lambda state: [("walk",)])

    for number in range(ways):
        domain.method(task="open", name=f"push_{number}")(lambda state, n=number: [("push", n)])
    return domain


def test_a_task_that_failed_by_itself_is_not_broken_down_again_in_the_same_state():
    declared = plan(dead_door(20), State(at="home"), [("go",), ("open",)])
    trace = TraceRecorder()
    learned = plan(dead_door(20), State(at="home"), [("go",), ("open",)], selection="learned", trace=trace)
    assert declared.status is learned.status is Status.NO_PLAN
    assert learned.statistics.iterations < declared.statistics.iterations / 4
    reasons = [event.data.get("reason") for event in trace if event.event_type == "dead_end"]
    assert reasons.count(NOGOOD) == 19


def test_what_failed_for_want_of_depth_is_tried_again_where_there_is_more():
    domain = dead_door(1)

    @domain.command
    def unlock(state):
        state.at = "inside"
        return state

    @domain.method(task="deep")
    def deeper(state):
        return [("open",)]

    domain.task_methods["open"].clear()

    @domain.method(task="open")
    def with_key(state):
        return [("unlock",)]

    @domain.method(task="visit")
    def too_deep(state):
        return [("deep",)]

    @domain.method(task="visit")
    def at_once(state):
        return [("open",)]

    result = plan(domain, State(at="door"), [("visit",)], selection="learned", budgets=Budgets(max_depth=3))
    assert result.plan == (("unlock",),)


def test_a_planner_remembers_only_when_it_is_asked_to_and_by_value():
    forgetful = Planner(bad_methods_first(5))
    counts = [forgetful.find_plan(State(n=0), TODO[:3]).statistics.iterations for _ in range(2)]
    assert counts[0] == counts[1]
    assert forgetful.scores is None

    given = Scores()
    planner = Planner(bad_methods_first(5), scores=given, remember=True)
    first = planner.find_plan(State(n=0), TODO[:3])
    assert given.as_dict() == Scores().as_dict()
    kept = planner.scores.content_hash
    assert kept == first.scores.content_hash
    second = planner.find_plan(State(n=0), TODO[:3])
    assert second.statistics.iterations < first.statistics.iterations
    assert second.problem.scores.content_hash == kept  # what went in is part of what was asked
    assert first.scores.content_hash == kept  # and what was given back before stays as it was


def test_what_a_planner_remembers_is_in_the_hash_of_the_inputs():
    planner = Planner(bad_methods_first(5), remember=True)
    documents = [planner.find_plan(State(n=0), TODO[:1]).certificate().document for _ in range(2)]
    assert documents[0]["inputs_hash"] != documents[1]["inputs_hash"]


def test_scores_of_version_one_are_read():
    data = plan(bad_methods_first(2), State(n=0), TODO[:2], selection="learned").scores.as_dict()
    del data["strikes"]
    assert Scores.from_dict(data).strikes == {}


@pytest.mark.parametrize("selection", ["declared", "learned"])
def test_no_plan_is_said_after_the_same_alternatives(selection):
    domain = bad_methods_first(2)
    domain.task_methods["t"].pop()
    assert plan(domain, State(n=0), TODO[:3], selection=selection).status is Status.NO_PLAN
