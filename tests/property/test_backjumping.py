"""Passing over choice points that a conflict of times does not depend on finds what trying everything finds."""

from __future__ import annotations

from itertools import islice
from unittest.mock import PropertyMock, patch

from hypothesis import given, settings
from hypothesis import strategies as st

from planvow import Budgets, Domain, Goal, State, plan, plans
from planvow.kernel import attach_metadata
from planvow.kernel.search.conditions import Conditions

PLACES, VALUES, TASKS = "abcdef", (0, 1), 5
MOST = 1_500  # iterations: trying everything can take exponentially many

places = st.sampled_from(PLACES)
conditions = st.none() | st.none() | st.none() | st.tuples(places, st.sampled_from(VALUES))
writes = st.tuples(places, st.sampled_from(VALUES))
steps = st.tuples(st.just("do"), st.sampled_from((0, 1, 3)), conditions, writes)


def parts(below: int):
    """What a method of a task may ask for: commands, goals, and tasks with higher numbers."""
    rare = [st.tuples(st.just("goal"), places, st.sampled_from(VALUES))]
    rare += [st.tuples(st.just("task"), st.integers(below, TASKS - 1))] if below < TASKS else []
    return st.lists(st.one_of(steps, steps, steps, st.one_of(rare)), min_size=1, max_size=2)


methods = st.tuples(
    *(
        st.lists(st.tuples(conditions, parts(number + 1), st.booleans()), min_size=2, max_size=2)
        for number in range(TASKS)
    )
)
tasks = st.tuples(st.just("task"), st.integers(0, TASKS - 1))
needing = st.tuples(st.just("do"), st.integers(1, 3), st.tuples(places, st.sampled_from(VALUES)), writes)
agendas = st.builds(
    lambda free, last: [*((part, None) for part in free), *last],
    st.lists(tasks, min_size=3, max_size=5),
    st.lists(st.tuples(needing | tasks, st.integers(1, 5)), min_size=1, max_size=2),
)
"""Tasks in two ways each, and behind them something that reads what one of them wrote, below a deadline."""


def item(part):
    kind, *rest = part
    if kind == "do":
        return ("do", *rest)
    return (f"t{rest[0]}",) if kind == "task" else Goal("at", rest[0], rest[1])


def domain_of(listed) -> Domain:
    domain = Domain("any")

    @domain.command(name="do", duration=lambda state, ticks, need, put: ticks)
    def do(state, ticks, need, put):
        if need is not None and state.at[need[0]] != need[1]:
            return None
        if put is not None:
            state.at[put[0]] = put[1]
        return state

    @domain.method(goal="at")
    def reach(state, place, value):
        yield [("do", 1, None, (place, value))]
        yield [("do", 2, None, (place, value)), ("do", 0, (place, value), None)]

    def declare(number, place, condition, subtasks, is_generator):
        def method(state):
            if condition is not None and state.at[condition[0]] != condition[1]:
                return None
            return [item(part) for part in subtasks]

        def generator(state):
            yield [item(part) for part in subtasks]
            if condition is None or state.at[condition[0]] == condition[1]:
                yield [item(part) for part in reversed(subtasks)]

        made = generator if is_generator else method
        domain.method(task=f"t{number}", name=f"m{number}_{place}")(made)

    for ticks in (9, 6, 1):
        domain.method(task="make", name=f"in_{ticks}")(lambda state, ticks=ticks: [("do", ticks, None, ("made", 1))])
    for number, ways in enumerate(listed):
        for place, way in enumerate(ways):
            declare(number, place, *way)
    return domain


def answers(listed, agenda, is_late):
    todo = [
        item(part) if deadline is None else attach_metadata(item(part), {"deadline": deadline})
        for part, deadline in agenda
    ]
    if is_late:  # something made before all that, in three ways, is wanted soon after it
        todo = [("make",), *todo, attach_metadata(("do", 1, ("made", 1), None), {"deadline": 4})]
    domain, state = domain_of(listed), State(at=dict.fromkeys((*PLACES, "made"), 0))
    first = plan(domain, state, todo, budgets=Budgets(max_iterations=MOST))
    found = [result.plan for result in islice(plans(domain, state, todo, budgets=Budgets(max_iterations=MOST)), 6)]
    spans = [(a.item, a.start, a.end, a.latest_end) for a in first.time_allocations] if first.success else None
    return first.status, first.plan, spans, found, first.statistics.iterations


@settings(max_examples=40, deadline=None)
@given(methods, agendas, st.booleans())
def test_the_same_plans_are_found_and_the_same_is_proved_as_without(listed, agenda, is_late):
    jumping = answers(listed, agenda, is_late)
    with patch.object(Conditions, "may_be_passed_over", PropertyMock(return_value=False)):
        trying_everything = answers(listed, agenda, is_late)
    if MOST in (trying_everything[-1], jumping[-1]) or trying_everything[0] == "budget_exceeded":
        return  # too much to try: only what both went through can be compared
    assert jumping[:3] == trying_everything[:3]
    further = trying_everything[3]  # the limit may have cut these short, and not those
    assert jumping[3][: len(further)] == further
    assert jumping[-1] <= trying_everything[-1]
