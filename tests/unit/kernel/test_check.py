"""What `domain.check` finds in functions before anything is planned, and what it leaves alone."""

import os
import random
import time

import pytest

from planvow import Domain, Goal, MultiGoal, State, refuse
from planvow.kernel.domain.terms import attach_metadata


def findings(*commands, methods=(), todo=(), states=()):
    domain = Domain("checked")
    domain.add_actions(*commands)
    for number, method in enumerate(methods):
        domain.method(task=f"task{number}")(method)
    return [(finding.code, finding.severity, finding.message) for finding in domain.check(todo, states)]


def codes(*commands, **options):
    return [code for code, _, _ in findings(*commands, **options)]


def move(state, robot, here, there):
    state.pos[robot] = there
    return state


def test_a_subtask_with_too_few_arguments_is_found():
    def fetch(state, robot):
        return [("move", robot, "kitchen")]

    [(code, severity, message)] = findings(move, methods=[fetch])
    assert (code, severity) == ("WRONG_ARGUMENTS", "error")
    assert "method 'fetch' returns 'move' with 2 arguments, but command 'move' takes (robot, here, there)" in message


def test_a_subtask_with_metadata_and_one_added_later_are_found_too():
    def fetch(state, robot):
        todo = []
        todo.append(("move", robot))
        return [*todo, attach_metadata(("move", robot, 1, 2, 3), {"deadline": 5})]

    assert codes(move, methods=[fetch]) == ["WRONG_ARGUMENTS", "WRONG_ARGUMENTS"]


def test_what_is_not_written_out_one_by_one_is_not_judged():
    def fetch(state, *where):
        return [("move", *where), ("task0",), ("task0", 1, 2)]

    assert codes(move, methods=[fetch]) == []


def test_the_agenda_is_counted_as_well():
    def fetch(state, robot):
        return [("move", robot, "hall", "kitchen")]

    todo = [attach_metadata(("task0", "r1", "cup"), {"deadline": 5})]
    [(_, _, message)] = findings(move, methods=[fetch], todo=todo)
    assert message == "the agenda asks for 'task0' with 2 arguments, but method 'fetch' takes (robot)"


def test_goal_and_multigoal_methods_must_take_what_they_are_given():
    domain = Domain("goals")
    domain.add_actions(move)

    @domain.method(goal="pos")
    def reach(state, who):
        return [("pos", who)]

    @domain.method(multigoal=True)
    def all_of_them(state):
        return []

    assert [finding.message for finding in domain.check()] == [
        "goal method 'reach' is called as (state, subject, value), but it takes (state, who)",
        "multigoal method 'all_of_them' is called as (state, multigoal), but it takes (state)",
        "method 'reach' returns 'pos' with 1 argument, but a goal has a subject and a value",
    ]


def test_a_command_without_a_state_is_found():
    def shout():
        return "no"

    [(_, _, message)] = findings(shout)
    assert message == "command 'shout' is called as (state, …), but it takes ()"


def test_a_command_that_refuses_and_forgets_to_return_the_state_is_found():
    def drive(state, robot, there):  # noqa: RET503
        if state.pos[robot] == there:
            return refuse("there already")
        if state.broken[robot]:
            return None
        state.pos[robot] = there

    [(code, severity, message)] = findings(drive)
    assert (code, severity) == ("NO_RETURN", "error")
    assert "end it with `return state`" in message


def test_a_misspelt_predicate_is_found_when_a_state_is_known():
    def shift(state, robot, there):
        state.pso[robot] = there
        return state if state.has(robot, "poss") else None

    assert codes(shift) == []
    found = findings(shift, states=[State(pos={"r": "hall"})])
    assert [code for code, _, _ in found] == ["UNKNOWN_PREDICATE", "UNKNOWN_PREDICATE"]
    assert found[0][1:] == (
        "error",
        "'shift' uses the predicate 'pso', which is not in the state of this file's problem; did you mean 'pos'?",
    )


def test_a_predicate_like_no_other_is_only_warned_about():
    def weigh(state, what):
        return state if state.weight[what] < 3 else None

    [(code, severity, _)] = findings(weigh, states=[State(pos={})])
    assert (code, severity) == ("UNKNOWN_PREDICATE", "warning")


def test_predicates_that_a_function_makes_or_one_of_the_states_has_are_known():
    def day(state, what):
        state.day = 3
        state.set_predicate(what, "seen", True)
        return state.copy() if state.day and state.seen and state.empty else None

    def later(state):
        return [] if state.day and state.seen[1] else None

    assert codes(day, methods=[later], states=[State(pos={}), State(empty={})]) == []


def test_goals_of_an_agenda_need_a_method():
    def go(state, who):
        return [("move", who, 1, 2)]

    todo = [("task0", "r"), Goal("pso", "r", 1), MultiGoal(psi={"r": 2})]
    assert codes(move, methods=[go], todo=todo) == ["UNKNOWN_ITEM", "UNKNOWN_ITEM"]


def helper_with_chance():
    return random.choice([1, 2])


def inner_import(state):
    import random as dice

    state.x = dice.random()
    return state


def from_import(state):
    from time import monotonic

    state.x = monotonic()
    return state


def through_a_helper(state):
    state.x = helper_with_chance()
    return state


def of_the_machine(state):
    state.x = os.environ["HOME"]
    return state


def by_address(state):
    state.x = id(state)
    return state


def by_clock(state):
    state.x = time.time()
    return state


@pytest.mark.parametrize("command", [inner_import, from_import, through_a_helper, of_the_machine, by_address, by_clock])
def test_clocks_and_chance_are_found_wherever_they_hide(command):
    assert codes(command) == ["CLOCK_OR_CHANCE"]


def set_in_a_variable(state):
    found = {"a", "b"}
    wanted = found | set(state.x)
    for one in wanted:
        state.x = one
    return state


def set_operation(state, a, b):
    state.x = [one for one in set(a) & set(b)]  # noqa: C416
    return state


def set_pop(state):
    state.x = {"a", "b"}.pop()
    return state


def set_join(state):
    state.x = ",".join({"a", "b"}.union("c"))
    return state


@pytest.mark.parametrize("command", [set_in_a_variable, set_operation, set_pop, set_join])
def test_the_order_of_a_set_is_found_wherever_it_can_show(command):
    assert codes(command) == ["SET_ORDER"]


def sorted_set(state, names):
    found = {"a", "b"}
    for one in sorted(found - set(names)):
        state.x = one
    state.size = len(found)
    found = sorted(found)
    state.y = list(found)
    return state


def test_a_set_in_a_fixed_order_is_left_alone():
    assert codes(sorted_set) == []


class Theirs:
    """Stands for the state class of another planner."""


def test_a_function_that_only_takes_the_state_of_another_planner_is_found():
    def walk(state, who):
        if not isinstance(state, Theirs):
            return False
        return state

    def ride(state, who):
        return state if isinstance(state, State) and isinstance(who, str) else None

    [(code, severity, message)] = findings(walk, ride)
    assert (code, severity) == ("FOREIGN_STATE", "error")
    assert "'walk' asks whether the state is a" in message
    assert "write `from planvow import State` there" in message
