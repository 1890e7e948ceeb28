"""Forgeries that are about what an item means and what a plan may take: goals that nobody would look at, limits."""

from __future__ import annotations

import copy
import json

import pytest

from planvow import Budgets, Domain, Goal, MultiGoal, State, make_problem, replan
from planvow.adapters.checkers.minizinc import check_with_minizinc
from planvow.canonical import to_jsonable
from planvow.contract.certificate.asked import asked_of, request_of
from planvow.contract.certificate.faithful import check_against_problem, check_against_request
from planvow.contract.certificate.reexecute import check_by_running
from planvow.contract.checking.check import certificate_hash, check_certificate, inputs_hash
from planvow.contract.checking.verdict import still_unproved
from planvow.kernel.answer.planning import solve
from planvow.kernel.domain.terms import attach_metadata
from planvow.kernel.time.timing import Timing
from planvow.temporal import before

doors = Domain("doors")


@doors.command(cost=lambda state, door: 100)
def push(state, door):
    state.pushed[door] = True
    return state


@doors.command
def unlock(state, door):
    state.locked[door] = False
    return state


@doors.method(goal="locked")
def in_vain(state, door, wanted):
    return [("push", door)]


@doors.method(goal="locked")
def with_the_key(state, door, wanted):
    return [("unlock", door)]


@doors.method(task="open")
def by_force(state, door):
    return [("push", door)]


@doors.method(task="open")
def carefully(state, door):
    return [("unlock", door)]


@doors.method(task="count")
def down(state, number):
    return [("count", number - 1)] if number else [("unlock", "front")]


@doors.method(task="wide")
def many(state, number):
    return [("unlock", "front")] * number


vain = Domain("doors", commands=doors.commands)
vain.add_task_methods("locked", in_vain)
"""The same doors where "locked" is a task: nobody looks whether it holds in the end."""


def problem(*agenda, domain=doors, **how):
    return make_problem(domain, State(locked={"front": True}, pushed={}), agenda, **how)


def certified(made):
    return json.loads(solve(made).certificate().canonical_bytes())


def sealed(document):
    document["inputs_hash"] = inputs_hash(document)
    document["hash"] = certificate_hash(document)
    return document


def as_if_asked(document, made):
    """The certificate of another plan, which says that it is what was asked here."""
    return sealed(document | {"asked": to_jsonable(asked_of(made)), "domain": certified(problem())["domain"]})


def faults(document, made):
    verdicts = (
        check_certificate(document),
        check_against_problem(document, made),
        check_by_running(document, made.domain, made),
    )
    return [None if verdict.accepted else verdict.fault.condition for verdict in verdicts]


def a_goal_reached_in_vain(asked):
    forged = certified(problem(("locked", "front", False), domain=vain))
    forged["nodes"][0]["item"] = to_jsonable(asked_of(asked))["agenda"][0]["item"]
    return as_if_asked(forged, asked)


def test_a_goal_that_stands_there_as_a_task_is_caught_in_the_document():
    asked = problem(Goal("locked", "front", False))
    assert faults(a_goal_reached_in_vain(asked), asked) == ["decomposition"] * 3
    assert faults(certified(asked), asked) == [None] * 3


@pytest.mark.parametrize("item", [MultiGoal(locked={"front": False}), [("unlock", "front")]])
def test_what_says_what_it_is_stands_there_as_nothing_else(item):
    asked = problem(item)
    document = certified(asked)
    called = {"method": "magic", "ordinal": 0, "relations": [], "reads": [], "scans": []}
    document["nodes"][0].update(kind="task", call=document["nodes"][0]["call"] or called)
    assert faults(sealed(document), asked) == ["decomposition"] * 3


def test_a_goal_asked_for_as_a_tuple_is_known_by_the_domain_and_by_the_request():
    asked = problem(("locked", "front", False))
    forged = a_goal_reached_in_vain(asked)
    assert faults(forged, asked) == [None, "agenda", "re-execution"]
    assert check_against_request(forged, request_of(asked)).fault.condition == "agenda"
    assert faults(certified(asked), asked) == [None] * 3
    assert check_against_request(certified(asked), request_of(asked)).accepted


def test_an_older_request_does_not_say_what_its_items_are_and_still_serves():
    asked = problem(Goal("locked", "front", False))
    request = request_of(asked)
    del request["kinds"]
    assert check_against_request(certified(asked), request).accepted


def test_a_plan_that_costs_too_much_is_caught_where_everything_is_run_again():
    asked = problem(("open", "front"), max_cost=10)
    dear = as_if_asked(certified(problem(("open", "front"))), asked)
    assert faults(dear, asked) == [None, None, "re-execution"]
    assert faults(certified(asked), asked) == [None] * 3


def test_who_did_not_add_up_the_cost_says_so():
    asked = problem(("open", "front"), max_cost=10)
    document = certified(asked)
    alone, faithful = check_certificate(document), check_against_problem(document, asked)
    assert any("costs no more" in words for words in still_unproved([alone, faithful]))
    assert any("costs no more" in words for words in check_by_running(document, doors).not_proved)
    everything = [alone, faithful, check_by_running(document, doors, asked)]
    assert not any("costs no more" in words for words in still_unproved(everything))


class Nodder:
    def push(self, visit):
        return None

    def mark(self):
        return None

    def undo(self, mark):
        pass

    def report(self):
        return {}


def test_propagators_are_not_asked_again_and_every_level_says_so():
    asked = problem(("open", "front"), propagators=[Nodder])
    verdict = check_by_running(certified(asked), doors, asked)
    assert verdict.accepted
    assert any("propagators" in words for words in verdict.not_proved)


@pytest.mark.parametrize(
    ("item", "tight", "enough"),
    [
        (("count", 5), Budgets(max_depth=6), Budgets(max_depth=7)),
        (("wide", 5), Budgets(max_stack_size=4), Budgets(max_stack_size=5)),
    ],
)
def test_a_plan_beyond_the_limits_of_depth_and_width_is_caught_in_the_document(item, tight, enough):
    asked = problem(item, budgets=tight)
    assert not solve(asked).success
    assert faults(as_if_asked(certified(problem(item)), asked), asked) == ["budgets"] * 3
    allowed = problem(item, budgets=enough)
    assert faults(certified(allowed), allowed) == [None] * 3


slow = Domain("slow")


@slow.command(duration=5)
def begin(state):
    state.done["begin"] = True
    return state


@slow.command(duration=5)
def end_well(state):
    state.done["end"] = True
    return state


@slow.command(duration=3)
def end_otherwise(state):
    state.done["end"] = True
    return state


@slow.method(task="end")
def well(state):
    return [("end_well",)]


@slow.method(task="end")
def otherwise(state):
    return [("end_otherwise",)]


def repaired_and_late():
    """A repaired plan and one that begins too late, where the past says that it does not."""
    end = attach_metadata(("end",), {"relations": [before("begin", "self", at_most=10)]})
    result = solve(make_problem(slow, State(done={}), [("begin",), end], time=Timing(horizon=100)))
    failed = next(node.node_id for node in result.solution_graph if node.item == ("end_well",))
    repaired = replan(result, State(done={"begin": True}), failed)
    document = json.loads(repaired.certificate().canonical_bytes())
    right = copy.deepcopy(document)
    node, step, past = document["nodes"][0], document["steps"][0], document["asked"]["time"]["past"]
    past["points"] |= {"1.start": node["span"][0], "1.end": node["span"][1]}
    step.update(start=step["start"] + 60, end=step["end"] + 60)
    node["span"] = [step["start"], step["end"]]
    return right, sealed(document)


def test_what_a_repair_continues_does_not_speak_for_the_times_of_its_plan():
    right, late = repaired_and_late()
    assert check_certificate(right).accepted
    assert check_certificate(late).fault.condition == "relation"


@pytest.mark.long
def test_the_solver_sees_goals_that_are_called_tasks_and_times_that_the_past_speaks_for():
    assert not check_with_minizinc(a_goal_reached_in_vain(problem(Goal("locked", "front", False)))).accepted
    right, late = repaired_and_late()
    assert check_with_minizinc(right).accepted
    assert not check_with_minizinc(late).accepted


lamps = Domain("lamps")


@lamps.command
def switch(state, lamp):
    state.on[lamp] = 1
    return state


@lamps.method(goal="on")
def by_switching(state, lamp, wanted):
    return [("switch", lamp)]


def lit(**wanted):
    return make_problem(lamps, State(on={"hall": True, "attic": 0}), [MultiGoal(on=wanted)])


@pytest.mark.parametrize("wanted", [{"attic": True}, {"hall": 1}, {"hall": 1.0, "attic": 1}, {"cellar": True}])
def test_a_goal_holds_for_the_checker_where_it_holds_for_the_planner(wanted):
    asked = lit(**wanted)
    assert faults(certified(asked), asked) == [None] * 3


def test_no_is_not_yes_and_text_is_no_number():
    for value in (False, 0, "1", None, [1]):
        document = certified(lit(attic=True))
        document["steps"][0]["writes"][0][2] = value
        assert check_certificate(sealed(document)).fault.condition == "goals"


@pytest.mark.long
def test_a_goal_holds_for_the_solver_where_it_holds_for_the_planner():
    document = certified(lit(hall=1, attic=True))
    assert check_with_minizinc(document).accepted
    document["steps"][0]["writes"][0][2] = 2
    assert not check_with_minizinc(sealed(document)).accepted


@slow.command(duration=1)
def look_at_all(state):
    state.seen["all"] = sorted(state.done)
    return state


def test_a_repair_with_a_step_behind_past_and_new_ones_is_certified():
    """An order behind several steps goes through a point of its own, which belongs to no node."""
    agenda = [("begin",), ("end",), ("look_at_all",)]
    result = solve(make_problem(slow, State(done={}, seen={}), agenda, time=Timing(horizon=100)))
    failed = next(node.node_id for node in result.solution_graph if node.item == ("end_well",))
    repaired = replan(result, State(done={"begin": True}, seen={}), failed)
    document = json.loads(repaired.certificate().canonical_bytes())
    past = document["asked"]["time"]["past"]
    assert any(row[1].endswith(".joint") for row in past["rows"])
    assert check_certificate(document).accepted
    past["points"] = {name: at + 50 if name.endswith(".joint") else at for name, at in past["points"].items()}
    assert check_certificate(sealed(document)).fault.condition == "relation"
