"""Explanations that are true for the best plan, for generators, and for functions that just return None."""

from __future__ import annotations

import sys

import pytest

from planvow import Budgets, Domain, State, plan, refuse, replan
from planvow.kernel.answer.explanation import DEARER, NOT_APPLICABLE, NOT_TRIED, TRIED_AND_FAILED


def summaries() -> Domain:
    domain = Domain("summaries")

    @domain.command(cost=5)
    def big_model(state, doc):
        state.summary[doc] = "good"
        return state

    @domain.command(cost=lambda state, doc: len(state.text[doc]) / 10)
    def human(state, doc):
        state.summary[doc] = "best"
        return state

    @domain.method(task="summarise")
    def small(state, doc):
        return refuse("too poor")

    @domain.method(task="summarise")
    def big(state, doc):
        return [("big_model", doc)]

    @domain.method(task="summarise")
    def by_hand(state, doc):
        return [("human", doc)]

    return domain


DOCS = State(text={"long": "x" * 100, "short": "y" * 5}, summary={})
BOTH = [("summarise", "long"), ("summarise", "short")]


def test_the_cheapest_plan_is_not_said_to_have_come_first():
    result = plan(summaries(), DOCS, BOTH, optimal="cost")
    assert (result.plan, result.cost) == ((("big_model", "long"), ("human", "short")), 5.5)
    first, second = result.explanation.decisions
    assert [(a.method, a.verdict) for a in first.alternatives] == [
        ("small", NOT_APPLICABLE), ("by_hand", TRIED_AND_FAILED),
    ]  # fmt: skip
    assert "it would cost at least 10, and a plan for 5.5 is known" in first.alternatives[1].reason
    assert [(a.method, a.verdict) for a in second.alternatives] == [("small", NOT_APPLICABLE), ("big", DEARER)]
    assert second.alternatives[1].reason == "the cheapest plan with it comes to 10"
    assert first.why == second.why == "the cheapest plan goes this way"
    assert "came first" not in result.explain_text()


def test_a_best_plan_that_is_not_proved_is_explained_as_far_as_the_search_went():
    result = plan(summaries(), DOCS, BOTH, optimal="cost", budgets=Budgets(max_iterations=6))
    assert (result.success, result.proven_optimal) == (True, False)
    first = result.explanation.decisions[0]
    assert first.why == "the cheapest plan that was found goes this way"
    assert first.alternatives[-1].reason == "the search was ended before its turn came"


def test_the_shortest_plan_is_explained_in_steps_whatever_they_cost():
    domain = summaries()

    @domain.method(task="summarise", name="twice")
    def twice(state, doc):
        return [("human", doc), ("human", doc)]

    domain.task_methods["summarise"].reverse()
    result = plan(domain, DOCS, [("summarise", "long")], optimal="steps")
    (decision,) = result.explanation.decisions
    assert (decision.method, decision.why) == ("by_hand", "the shortest plan goes this way")
    (said,) = [a.reason for a in decision.alternatives if a.method == "twice"]
    assert said == "the shortest plan with it comes to 2"


def test_a_search_for_the_best_plan_that_was_cut_off_is_followed_as_far_as_it_went():
    """The explaining run must not go on to the end of a search that has none."""
    domain, calls = summaries(), []

    @domain.command(cost=0)
    def wait(state, doc):
        calls.append(doc)
        state.waited += 1
        return state

    @domain.method(task="summarise")
    def later(state, doc):
        return [("wait", doc), ("summarise", doc)]

    budgets = Budgets(max_iterations=300)
    result = plan(domain, DOCS.draft().set_predicate("", "waited", 0), BOTH, optimal="cost", budgets=budgets)
    assert (result.success, result.proven_optimal) == (True, False)
    count = len(calls)
    assert result.explanation.decisions[0].why == "the cheapest plan that was found goes this way"
    assert len(calls) <= 2 * count + 1


def test_the_dearer_way_is_dearer_when_it_is_the_only_one_left():
    """The explanation is confirmed by planning again without what was chosen."""
    domain = summaries()
    result = plan(domain, DOCS, BOTH, optimal="cost")
    said = result.explanation.decisions[1].alternatives[1]
    without = plan(domain, DOCS, BOTH, optimal="cost", blacklist=[("human", "short")])
    assert said.reason.endswith(f"{without.cost:g}")


def trains(works: str) -> Domain:
    domain = Domain("trains")

    @domain.command
    def board(state, train):
        if train != works:
            return refuse(f"{train} is full")
        state.at = "there"
        return state

    @domain.method(task="travel")
    def by_train(state):
        for train in state.timetable:
            yield [("board", train)]

    @domain.method(task="travel")
    def nowhere(state):
        for train in ():
            yield [("board", train)]

    return domain


TRAINS = State(at="here", timetable=["ic1", "ic2", "ic3", "ic4"])


def test_the_ways_of_a_generator_are_shown_those_that_failed_and_those_not_asked_for():
    result = plan(trains("ic2"), TRAINS, [("travel",)])
    (decision,) = result.explanation.decisions
    assert (decision.method, decision.way, decision.why) == ("by_train", 2, "the first that led to a plan")
    ways = [(a.way, a.offers, a.verdict) for a in decision.alternatives if a.method == "by_train"]
    assert ways == [
        (1, "board(ic1)", TRIED_AND_FAILED), (3, "board(ic3)", NOT_TRIED), (4, "board(ic4)", NOT_TRIED),
    ]  # fmt: skip
    assert "by_train, way 1 (board(ic1)) was tried and failed at board(ic1)" in result.explain_text()
    assert result.explain_plan()["decisions"][0]["alternatives"][0]["offers"] == "board(ic1)"


def test_a_generator_that_offers_nothing_did_not_come_too_late():
    domain = trains("ic1")
    domain.task_methods["travel"].reverse()
    (decision,) = plan(domain, TRAINS, [("travel",)]).explanation.decisions
    (nowhere,) = [a for a in decision.alternatives if a.method == "nowhere"]
    assert nowhere.verdict == NOT_APPLICABLE
    assert "nothing in `()` led to an answer" in nowhere.reason


def test_a_generator_that_would_never_end_does_not_hang_an_explanation():
    domain = trains("ic1")

    @domain.method(task="travel", name="endless")
    def endless(state):
        yield [("board", "ic1")]
        while True:
            pass

    domain.task_methods["travel"].reverse()
    (decision,) = plan(domain, TRAINS, [("travel",)]).explanation.decisions
    assert (decision.method, decision.way) == ("endless", 1)
    assert all(a.method != "endless" for a in decision.alternatives)


def taxi() -> Domain:
    domain = Domain("taxi")

    @domain.command  # noqa: RET503
    def walk(state, who, x, y):
        if who in state.loc and state.loc[who] == x:
            state.loc[who] = y
            return state

    @domain.command
    def pay(state, who):
        state.cash[who] -= 5  # and forgets to return the state

    @domain.command
    def ride(state, who, y):
        if not state.cash[who] >= 5 or y == "sea":
            return None
        state.loc[who] = y
        return state

    @domain.method(task="travel")
    def on_foot(state, who, y):
        return [("walk", who, state.loc[who], y)] if state.dist[y] <= 2 else None

    @domain.method(task="stay")  # noqa: RET503
    def there(state, who, y):
        if state.loc[who] == y: return []  # fmt: skip # noqa: E701

    return domain


TAXI = State(loc={"ann": "home"}, cash={"ann": 1}, dist={"park": 8})


@pytest.mark.parametrize(
    ("item", "said"),
    [
        (("walk", "ann", "park", "home"), "`state.loc[who] == x` is false, state.loc[who] is 'home', x is 'park'"),
        (("walk", "bob", "park", "home"), "`who in state.loc` is false, who is 'bob', state.loc is {'ann': 'home'}"),
        (("pay", "ann"), "without returning anything"),
        (("ride", "ann", "park"), "`not state.cash[who] >= 5` is true, state.cash[who] is 1"),
        (("stay", "ann", "park"), "`state.loc[who] == y` is false, state.loc[who] is 'home', y is 'park'"),
        (("travel", "ann", "park"), "`state.dist[y] <= 2` is false, state.dist[y] is 8"),
    ],
)
def test_the_failing_condition_of_a_function_that_returns_none_is_shown(item, said):
    result = plan(taxi(), TAXI, [item])
    text = result.explain_text()
    assert said in text
    assert "line " in text
    assert result.final_state is None
    assert TAXI.cash == {"ann": 1}


def test_the_line_is_that_of_the_source_file():
    command = taxi().commands["walk"]
    line = command.model.__code__.co_firstlineno + 2  # after the decorator and the name
    assert f"line {line}: " in plan(taxi(), TAXI, [("walk", "ann", "park", "home")]).explain_text()


def test_a_debugger_that_traces_is_left_in_place():
    events = []

    def debugger(frame, event, argument):
        events.append(event)

    result = plan(taxi(), TAXI, [("pay", "ann")])
    before = sys.gettrace()
    sys.settrace(debugger)
    try:
        result.explain_text()
        assert sys.gettrace() is debugger
    finally:
        sys.settrace(before)


def test_a_reason_that_was_given_is_told_as_it_was_given():
    result = plan(trains("none"), TRAINS, [("board", "ic1")])
    assert result.explanation.deepest.reason == "ic1 is full"


def test_the_failed_node_of_a_search_without_a_plan_can_be_replanned():
    domain = Domain("road")

    @domain.command
    def go(state, x):
        if state.blocked:
            return refuse("blocked")
        state.at = x
        return state

    @domain.method(task="visit")
    def directly(state, x):
        return [("go", x)]

    result = plan(domain, State(blocked=True, at=0), [("visit", 1)])
    (failed,) = result.find_failed_nodes()
    again = replan(result, State(blocked=False, at=0), failed["id"])
    assert again.plan == (("go", 1),)
    still = replan(result, State(blocked=True, at=0), failed["id"], blacklist=False)
    assert not still.success
    assert replan(still, State(blocked=False, at=0), still.find_failed_nodes()[0]["id"]).success
    with pytest.raises(Exception, match="no node 7 failed; node 2 did"):
        replan(result, State(blocked=False, at=0), 7)
