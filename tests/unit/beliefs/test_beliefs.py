"""Personas and the belief manager: capabilities, asymmetry, and the loop from belief to observation."""

from __future__ import annotations

import pytest

from planvow.beliefs import AI_CAPABILITIES, HIDDEN, HUMAN_CAPABILITIES, Belief, BeliefManager, Persona
from planvow.errors import InputError
from planvow.kernel.answer.planning import plan
from planvow.kernel.domain.domain import Domain, refuse
from planvow.kernel.world.state import State
from planvow.status import Status


@pytest.mark.parametrize(
    ("persona", "kind"),
    [
        (Persona.basic("a"), "basic"),
        (Persona.human("a"), "human"),
        (Persona.ai("a"), "ai"),
        (Persona.hybrid("a"), "hybrid"),
        (Persona(persona_id="a", capabilities=frozenset({"mine"})), "human"),
        (Persona(persona_id="a", capabilities=frozenset({"mine", "learn"})), "hybrid"),
        (Persona(persona_id="a"), "basic"),
    ],
)
def test_the_kind_follows_from_the_capabilities(persona, kind):
    assert persona.kind == kind


def test_the_capability_sets_are_those_of_the_seed():
    assert {"movable", "inventory", "craft", "mine", "build", "interact"} == HUMAN_CAPABILITIES
    assert {"movable", "compute", "optimize", "predict", "learn", "navigate"} == AI_CAPABILITIES


def test_what_is_lacking_is_named():
    assert Persona.ai("a").lacks({"mine", "learn", "craft"}) == ("craft", "mine")


@pytest.mark.parametrize("confidence", [-0.1, 1.1, True])
def test_confidence_lies_between_zero_and_one(confidence):
    with pytest.raises(InputError):
        Belief(value=1, confidence=confidence)


def seen(subject, predicate, value, **more):
    return {"subject": subject, "predicate": predicate, "value": value, **more}


def test_repeated_observation_makes_surer():
    manager = BeliefManager()
    manager.observe("ann", seen("door", "open", True, confidence=0.5))
    manager.observe("ann", seen("door", "open", True, confidence=0.5, time=3))
    belief = manager.get("ann").believes("door", "open")
    assert belief is not None
    assert belief.confidence == pytest.approx(0.55)
    assert belief.timestamp == 3


def test_a_contrary_observation_replaces_the_belief():
    manager = BeliefManager()
    manager.observe("ann", seen("door", "open", True))
    manager.observe("ann", seen("door", "open", False, confidence=0.4, time=1))
    assert manager.get("ann").believes("door", "open").value is False


def test_hearsay_counts_less_than_sight():
    manager = BeliefManager()
    manager.observe("ann", seen("door", "open", True, confidence=1.0))
    manager.communicate("ann", "bob", "door", "open")
    heard = manager.get("bob").believes("door", "open")
    assert heard is not None
    assert heard.confidence == pytest.approx(0.8)
    assert heard.source == "ann"


def test_hearsay_does_not_outweigh_a_surer_belief():
    manager = BeliefManager()
    manager.observe("bob", seen("door", "open", False, confidence=1.0))
    manager.observe("ann", seen("door", "open", True, confidence=1.0))
    manager.communicate("ann", "bob", "door", "open")
    assert manager.get("bob").believes("door", "open").value is False


def test_nobody_reads_another_mind():
    manager = BeliefManager()
    manager.observe("ann", seen("door", "open", True))
    assert manager.planner_state("ann", "bob") == HIDDEN == "hidden"
    assert manager.planner_state("ann", "ann").open["door"] is True


def test_public_facts_are_known_only_of_what_was_sensed():
    facts = State(open={"door": False, "window": True})
    facts.set_predicate("door", "code", "1234", {"accessibility": "private"})
    manager = BeliefManager(facts)
    assert not manager.planner_state("ann", "ann").has("door", "open")
    manager.sense("ann", "door")
    state = manager.planner_state("ann", "ann")
    assert state.open["door"] is False
    assert not state.has("window", "open")
    assert not state.has("door", "code")


def test_beliefs_below_the_threshold_do_not_count():
    manager = BeliefManager(threshold=0.6)
    manager.observe("ann", seen("door", "open", True, confidence=0.5))
    assert not manager.planner_state("ann", "ann").has("door", "open")


def test_a_newer_fact_stands_over_an_older_belief():
    facts = State()
    facts.set_predicate("door", "open", False, {"timestamp": 5})
    manager = BeliefManager(facts)
    manager.observe("ann", seen("door", "open", True, time=3))
    assert manager.planner_state("ann", "ann").open["door"] is False


def test_an_observation_marked_as_fact_changes_the_world():
    manager = BeliefManager(State(open={"door": True}))
    manager.observe("ann", seen("door", "open", False, is_fact=True))
    assert manager.facts.open["door"] is False


def test_a_bad_observation_is_refused():
    with pytest.raises(InputError):
        BeliefManager().observe("ann", {"subject": "door", "seen": True})


def test_a_persona_is_registered_once():
    manager = BeliefManager()
    manager.register(Persona.human("ann"))
    with pytest.raises(InputError):
        manager.register(Persona.ai("ann"))


def house():
    domain = Domain("house")

    @domain.command
    def walk_through(state, who, door):
        if not state.open[door]:
            return refuse(f"{door} is locked")
        state.at[who] = "inside"
        return state

    @domain.command
    def climb(state, who, window):
        state.at[who] = "inside"
        return state

    @domain.method(task="enter")
    def by_the_door(state, who):
        return [("walk_through", who, "door")] if state.open["door"] else refuse("the door is believed locked")

    @domain.method(task="enter")
    def by_the_window(state, who):
        return [("climb", who, "window")]

    return domain


def test_believe_plan_fail_observe_plan_again():
    manager = BeliefManager(State(open={"door": False}, at={"ann": "outside"}))
    manager.sense("ann", "ann")
    manager.observe("ann", seen("door", "open", True))
    domain = house()
    first = plan(domain, manager.planner_state("ann", "ann"), [("enter", "ann")])
    assert first.plan == (("walk_through", "ann", "door"),)
    refused = domain.commands["walk_through"].model(manager.facts.draft(), "ann", "door")
    assert not refused
    manager.observe_failure("ann", ["door"], time=1)
    again = plan(domain, manager.planner_state("ann", "ann"), [("enter", "ann")])
    assert again.plan == (("climb", "ann", "window"),)


def test_two_agents_with_different_beliefs_plan_differently_in_one_world():
    manager = BeliefManager(State(open={"door": False}))
    for who, belief in (("ann", True), ("bob", False)):
        manager.observe(who, seen("door", "open", belief))
        manager.observe(who, seen(who, "at", "outside"))
    plans = {who: plan(house(), manager.planner_state(who, who), [("enter", who)]).plan[0][0] for who in ("ann", "bob")}
    assert plans == {"ann": "walk_through", "bob": "climb"}


def test_a_lacking_capability_prunes_a_method_and_is_named():
    domain = house()

    @domain.method(task="get_ore", requires={"mine"})
    def dig(state, who):
        return [("climb", who, "shaft")]

    human, machine = Persona.human("ann"), Persona.ai("hal")
    state = State(at={})
    assert plan(domain, state, [("get_ore", "ann")], capabilities=human.capabilities).status is Status.SOLVED
    result = plan(domain, state, [("get_ore", "hal")], capabilities=machine.capabilities)
    assert result.status is Status.NO_PLAN
    assert "mine" in str(result.explain_plan())
