"""Certificates built from real plans: right ones are accepted, and they say what the plan really did."""

from __future__ import annotations

import json

import pytest

import planvow
from planvow.adapters.checkers.minizinc import check_with_minizinc
from planvow.contract.certificate.build import build_certificate
from planvow.contract.certificate.reexecute import check_by_running
from planvow.contract.checking.check import certificate_hash, check_certificate
from planvow.errors import InputError, RefusedError
from planvow.kernel.answer.planning import plan
from planvow.kernel.domain.domain import Domain, refuse
from planvow.kernel.domain.terms import Goal, MultiGoal, attach_metadata
from planvow.kernel.time.timing import Timing
from planvow.kernel.world.state import State


def travel():
    domain = Domain("travel")

    @domain.command(duration="PT30M")
    def walk(state, who, there):
        state.at[who] = there
        return state

    @domain.command(duration="PT5M")
    def ride(state, who, there):
        if state.cash[who] < state.fare:
            return refuse("too dear")
        state.cash[who] -= state.fare
        state.at[who] = there
        if "tip" in state.at:
            del state.at["tip"]
        return state

    @domain.method(goal="at")
    def by_taxi(state, who, there):
        return [("ride", who, there)]

    @domain.method(goal="at")
    def on_foot(state, who, there):
        return [("walk", who, there)]

    @domain.method(task="tour")
    def tour(state, who, *places):
        return [Goal("at", who, place) for place in places]

    return domain


def start():
    return State(at={"ann": "home", "bob": "home"}, cash={"ann": 20, "bob": 0}, fare=8)


AGENDAS = {
    "tasks": [("tour", "ann", "park", "zoo", "home", "park")],
    "goals": [Goal("at", "ann", "park"), Goal("at", "bob", "home"), ("at", "bob", "zoo")],
    "multigoal": [MultiGoal(at={"ann": "zoo", "bob": "zoo"})],
    "sequence": [[("ride", "ann", "zoo"), ("walk", "ann", "home")]],
    "timed": [attach_metadata(("tour", "ann", "park"), {"deadline": "PT1H", "not_before": "PT10M"})],
    "nothing to do": [Goal("at", "ann", "home")],
    "empty": [],
}


@pytest.mark.parametrize("name", AGENDAS)
@pytest.mark.long
def test_the_certificate_of_a_plan_is_accepted_by_both_checkers(name):
    result = plan(travel(), start(), AGENDAS[name], time=Timing(horizon="P1D"))
    assert result.success
    document = json.loads(build_certificate(result).canonical_bytes())
    assert check_certificate(document).fault is None
    assert check_with_minizinc(document).fault is None


def test_reads_and_writes_are_those_of_the_commands():
    document = build_certificate(plan(travel(), start(), [("ride", "ann", "zoo")])).document
    [step] = document["steps"]
    assert step["reads"] == [["at", "tip"], ["cash", "ann", 20], ["fare", "", 8]]
    assert step["writes"] == [["at", "ann", "zoo"], ["cash", "ann", 12]]
    assert [row for row in document["initial"] if row[0] != "#table"] == step["reads"]


def test_a_deletion_and_a_read_of_what_is_not_there_are_on_record():
    state = start()
    state.at["tip"] = "jar"
    document = build_certificate(plan(travel(), state, [("ride", "ann", "a"), ("ride", "ann", "b")])).document
    first, second = document["steps"]
    assert ["at", "tip", "jar"] in first["reads"]
    assert ["at", "tip"] in first["writes"]
    assert ["at", "tip"] in second["reads"]


def test_what_is_asked_for_by_name_is_on_record_even_where_no_predicate_holds_it():
    domain = Domain("lamp")

    @domain.command
    def switch_on(state, room):
        if state.has(room, "lit") or state.get_predicate("", "power") is None:
            return refuse("lit already, or no power")
        return state.set_predicate(room, "lit", True)

    @domain.command
    def cut(state, at_once):
        state.log.append("cut")
        return state.remove("", "power").remove(at_once, "never")

    start = State({"power": "mains", "log": []})
    document = build_certificate(plan(domain, start, [("switch_on", "hall"), ("cut", True)])).document
    first, second = document["steps"]
    assert first["reads"] == [["lit", "hall"], ["power", "", "mains"]]
    assert second["reads"] == [["log", "", []], ["never", True], ["power", "", "mains"]]
    assert check_certificate(document).accepted
    assert check_by_running(document, domain).fault is None


def test_the_same_plan_gives_the_same_bytes():
    first, second = (build_certificate(plan(travel(), start(), AGENDAS["goals"])).canonical_bytes() for _ in range(2))
    assert first == second


def test_there_is_no_certificate_without_a_plan():
    with pytest.raises(RefusedError):
        build_certificate(plan(travel(), start(), [("ride", "bob", "zoo")]))


def test_a_command_that_returns_a_copy_is_recorded_too():
    domain = Domain("copies")

    @domain.command
    def paint(state, thing):
        other = state.copy()
        other.colour[thing] = "red" if other.colour[thing] == "blue" else "blue"
        return other

    result = plan(domain, State(colour={"x": "blue"}), [("paint", "x"), ("paint", "x")])
    document = build_certificate(result).document
    assert [step["reads"] for step in document["steps"]] == [[["colour", "x", "blue"]], [["colour", "x", "red"]]]
    assert check_certificate(json.loads(json.dumps(document))).accepted


def sealed(document):
    document["hash"] = certificate_hash(document)
    return document


@pytest.mark.parametrize("name", AGENDAS)
def test_running_the_commands_again_confirms_the_certificate(name):
    result = plan(travel(), start(), AGENDAS[name])
    document = json.loads(result.certificate().canonical_bytes())
    assert check_by_running(document, travel()).fault is None


@pytest.mark.long
def test_running_catches_a_forgery_that_is_consistent_in_itself():
    document = json.loads(plan(travel(), start(), [("ride", "ann", "zoo")]).certificate().canonical_bytes())
    document["steps"][0]["writes"] = [["at", "ann", "zoo"], ["cash", "ann", 20]]  # a free ride
    sealed(document)
    assert check_certificate(document).accepted
    assert check_with_minizinc(document).accepted
    fault = check_by_running(document, travel()).fault
    assert fault is not None
    assert (fault.condition, fault.place) == ("re-execution", "step 1")


def test_a_certificate_can_be_checked_as_text():
    certificate = plan(travel(), start(), [("ride", "ann", "zoo")]).certificate()
    assert planvow.verify(certificate).accepted
    assert planvow.verify(certificate.canonical_bytes()).accepted
    assert not planvow.verify("{}").accepted
    with pytest.raises(InputError):
        planvow.verify("{")


def test_what_people_print_fits_on_a_line():
    result = plan(travel(), start(), AGENDAS["tasks"])
    assert repr(travel()) == "<Domain travel: 2 commands, 3 methods>"
    assert repr(result.certificate()) == f"<Certificate {result.certificate().hash[:16]}: {len(result.plan)} steps>"
