"""The examples that show time and beliefs do what they say."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from planvow.adapters.machine.modules import load_module, load_problem
from planvow.beliefs import Persona, act_on_beliefs
from planvow.kernel.answer.planning import solve
from planvow.status import Status

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
HOUR = 3_600_000_000


def test_the_dinner_shares_the_oven_and_is_on_time():
    result = solve(load_problem(EXAMPLES / "dinner_party.py"))
    baking = [a for a in result.time_allocations if a.item[0] == "bake"]
    assert [a.entities for a in baking] == [("oven",), ("oven",)]
    assert baking[0].end <= baking[1].start
    assert max(a.end for a in result.time_allocations) <= 2.5 * HOUR


def test_a_timed_plan_draws_itself():
    result = solve(load_problem(EXAMPLES / "dinner_party.py"))
    assert result.to_timeline().count("\n") == len(result.plan) + 1
    assert result.to_timeline_svg().count("<g>") == len(result.plan)


def test_a_dinner_in_a_hurry_is_refused_with_the_reason():
    result = solve(load_problem(EXAMPLES / "dinner_party.py", "in_a_hurry"))
    assert result.status is Status.NO_PLAN
    assert "all done by PT1H" in str(result.explain_plan())


def test_two_robots_work_side_by_side_but_for_the_lift_and_the_pile():
    result = solve(load_problem(EXAMPLES / "two_robots.py"))
    spans = {a.item[:2]: (a.start, a.end) for a in result.time_allocations if a.item[0] in ("take", "stack")}
    assert spans["take", "ann"][1] <= spans["take", "bob"][0]
    assert spans["stack", "ann"][1] <= spans["stack", "bob"][0]
    in_turn = solve(load_problem(EXAMPLES / "two_robots.py", "one_after_the_other"))
    ends = [max(a.end for a in each.time_allocations) for each in (result, in_turn)]
    assert ends == [23 * HOUR // 60, 40 * HOUR // 60]
    assert result.partial_order().ignored == {"drive": ("log",)}


@pytest.fixture
def heist(monkeypatch):
    monkeypatch.syspath_prepend(str(EXAMPLES))
    monkeypatch.delitem(sys.modules, "npc_heist", raising=False)
    return load_module(EXAMPLES / "heist_beliefs.py")


def test_vera_believes_plans_fails_learns_and_plans_again(heist):
    world = heist.museum()
    run = act_on_beliefs(world, "vera", heist.heist, heist.TODO)
    assert run.success
    assert [(s.command, s.reason) for s in run.surprises] == [
        (("sneak", "vera", "hall"), "the guard of the hall is awake")
    ]
    assert ("distract", "vera", "hall") not in run.plans[0].plan
    assert ("distract", "vera", "hall") in run.plans[1].plan
    assert world.facts.owner["diamond"] == "vera"


def test_max_was_warned_and_is_not_surprised(heist):
    world = heist.museum()
    heist.rumour(world)
    run = act_on_beliefs(world, "max", heist.heist, [("perform_heist", "max", "diamond")])
    assert run.success
    assert run.surprises == ()
    assert run.executed[0] == ("distract", "max", "hall")


def test_a_persona_that_cannot_open_the_vault_gives_up(heist):
    world = heist.museum()
    world.register(Persona.basic("statue"))
    for subject in ("statue", "hall", "vault", "diamond"):
        world.sense("statue", subject)
    world.observe("statue", {"subject": "statue", "predicate": "at", "value": "street", "is_fact": True})
    run = act_on_beliefs(world, "statue", heist.heist, [("perform_heist", "statue", "diamond")])
    assert not run.success
    assert run.executed == ()
    assert "compute" in str(run.plans[0].explain_plan())
