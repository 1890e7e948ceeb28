"""The planner `htn` behind the planner contract."""

from __future__ import annotations

import json

from planvow import Domain, State, refuse
from planvow.contract.interface.interface import PlannerError, PlannerOutput
from planvow.contract.planners.registry import default_registry


def lamps() -> Domain:
    domain = Domain("lamps")

    @domain.command
    def press(state, room):
        if state.lit.get(room):
            return refuse(f"the lamp in the {room} is on")
        state.lit[room] = True
        return state

    @domain.command
    def candle(state, room):
        state.lit[room] = True
        return state

    @domain.method(task="light")
    def by_switch(state, room):
        return [("press", room)]

    @domain.method(task="light")
    def by_candle(state, room):
        return [("candle", room)]

    @domain.interpret
    def words(text):
        return [("light", word) for word in text.split() if word in ("hall", "attic")]

    return domain


def htn(**options):
    return default_registry().create("htn", **options)


def planner():
    return htn(domain=lamps(), state=State(lit={}))


def test_a_json_agenda_becomes_a_chain_of_steps_with_named_parameters():
    answer = planner().plan("a1", json.dumps([["light", "hall"], ["light", "attic"]]))
    assert isinstance(answer, PlannerOutput), answer
    first, second = answer.plan["steps"]
    assert (first["skill"], first["params"], first["depends_on"]) == ("press", {"room": "hall"}, [])
    assert (second["skill"], second["params"], second["depends_on"]) == ("press", {"room": "attic"}, ["s1"])
    assert answer.deterministic


def test_words_go_through_the_domains_interpreter():
    answer = planner().plan("a1", "please light the hall and the attic")
    assert [step["params"]["room"] for step in answer.plan["steps"]] == ["hall", "attic"]


def test_the_state_may_come_with_the_call():
    agenda = '[["press", "hall"]]'
    assert isinstance(planner().plan("a1", agenda, state={"lit": {"hall": True}}), PlannerError)
    triples = [{"subject": "hall", "predicate": "lit", "object": False}]
    assert isinstance(planner().plan("a1", agenda, state=triples), PlannerOutput)


def test_a_command_that_is_no_skill_of_the_manifest_is_not_used():
    answer = planner().plan("a1", "light the hall", tool_manifest=[{"skill_id": "candle"}])
    assert [step["skill"] for step in answer.plan["steps"]] == ["candle"]


def test_every_failure_is_a_value():
    cases = {
        "PLANNER_INVALID_INPUT": htn().plan("a1", "[]"),
        "PLANNER_INVALID_GOAL": planner().plan("a1", "[[broken"),
        "PLANNER_GENERATION_FAILED": planner().plan("a1", '[["press", "hall"], ["press", "hall"]]'),
        "PLANNER_BUDGET_EXCEEDED": planner().plan("a1", "light hall", max_iterations=1),
    }
    for code, answer in cases.items():
        assert isinstance(answer, PlannerError), code
        assert answer.code == code
    assert "the lamp in the hall is on" in cases["PLANNER_GENERATION_FAILED"].message


def test_an_unknown_domain_or_item_or_argument_is_a_value_too():
    assert "is installed" in htn().plan("a1", "[]", domain="nowhere").message
    assert "handles 'pres'" in planner().plan("a1", '[["pres", "hall"]]').message
    assert isinstance(planner().plan("a1", "[]", colour="red"), PlannerError)


def test_nothing_to_do_is_a_success_without_steps():
    answer = planner().plan("a1", "[]")
    assert isinstance(answer, PlannerOutput), answer
    assert (answer.plan["steps"], answer.metadata["status"]) == ([], "satisfied")
