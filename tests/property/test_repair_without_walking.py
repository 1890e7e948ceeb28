"""A rest that is kept because the state is the one it was planned in is the rest that calling every function keeps."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from planvow import Budgets, Domain, State, plan, replan
from planvow.kernel import simulate
from planvow.kernel.errors import DomainFunctionError
from planvow.kernel.world.values import is_same, is_same_mapping
from random_domains import agenda_of, domain_of, random_description, start_of

ENOUGH = Budgets(max_iterations=600)


def observed_states(expected, chance):
    """Yield what an agent may see where a plan expected a state: that, equal copies, and others."""
    yield expected
    yield State.from_triples(expected.get_triples_as_array()).seal()
    content = {predicate: dict(value) for predicate, value in vars(expected).items()}
    names = list(content["v"])
    if names:
        changed = chance.choice(names)
        yield State({**content, "v": {**content["v"], changed: 1 - content["v"][changed]}})
        yield State({**content, "v": {**content["v"], changed: bool(content["v"][changed])}})
        yield State({**content, "v": {name: content["v"][name] for name in reversed(names)}})
        yield State({**content, "v": {name: value for name, value in content["v"].items() if name != changed}})
    yield State({**content, "more": {"x": 1}})


def outcome(result, state, node_id, blacklist):
    """Return everything that can be seen of a repair, and whether its rest was kept unseen."""
    try:
        answer = replan(result, state, node_id, blacklist=blacklist)
    except DomainFunctionError as error:
        return repr(error), None
    if not answer.success:
        return answer.as_dict(), answer
    final = answer.final_state
    seen = {
        **answer.as_dict(),
        "stability": answer.repair.stability,
        "redone": answer.repair.redone_node_id,
        "trail": [(parent, item, how.name, ordinal) for parent, item, how, ordinal in answer.repair.trail],
        "final": [(predicate, list(value.items())) for predicate, value in vars(final).items()],
        "repr": repr(final),
        "decisions": repr(answer.explanation),
    }
    return seen, answer


@pytest.mark.parametrize("block", range(5))
def test_a_rest_kept_unseen_is_the_rest_that_walking_keeps(block):
    compared = unseen = again = 0
    for seed in range(block * 120, block * 120 + 120):
        chance = random.Random(seed)
        description = random_description(seed, recursive=seed % 2 == 0)
        result = plan(domain_of(description), start_of(description), agenda_of(description), budgets=ENOUGH)
        commands = result.solution_graph.commands() if result.success else []
        states = list(simulate(result)) if commands else []
        for place in chance.sample(range(len(commands)), min(3, len(commands))):
            for state in observed_states(states[place], chance):
                blacklist = chance.random() < 0.4
                node_id = commands[place].node_id
                quick, answer = outcome(result, state, node_id, blacklist)
                walked, _ = outcome(replace(result, history=None), state, node_id, blacklist)
                assert quick == walked, (seed, place)
                compared += 1
                if answer is None or not answer.success or answer.history.older is None:
                    continue
                unseen += 1
                later = [n for n in answer.solution_graph.commands() if n.tag == "new"]
                if later:  # the repaired plan fails as well
                    failed = chance.randrange(len(later))
                    state = list(simulate(answer))[failed]
                    node_id = later[failed].node_id
                    quick, second = outcome(answer, state, node_id, False)
                    walked, _ = outcome(replace(answer, history=None), state, node_id, False)
                    assert quick == walked, (seed, place, failed)
                    again += second is not None and second.success and second.history.older is not None
    assert compared > 300
    assert unseen > 40
    assert again > 10


def counting_domain(calls):
    domain = Domain("counting")

    @domain.command
    def walk(state, place):
        calls.append(place)
        state.at["me"] = place
        return state

    @domain.command
    def forget(state, name):
        state.at.pop(name, None)
        return state

    @domain.method(task="tour")
    def tour(state, *places):
        return [("walk", place) for place in places]

    return domain


def test_no_function_of_the_rest_is_called_when_the_state_is_as_planned():
    calls = []
    result = plan(counting_domain(calls), State(at={"me": "home"}), [("tour", "a", "b"), ("tour", "c", "d")])
    calls.clear()
    repaired = replan(result, State(at={"me": "a"}), result.solution_graph.commands()[1].node_id, blacklist=False)
    assert repaired.plan == (("walk", "b"), ("walk", "c"), ("walk", "d"))
    assert calls == ["b"]
    assert repaired.final_state == result.final_state


@pytest.mark.parametrize(
    "observed",
    [
        State(at={"me": "a", "you": True}),  # equal to what was planned, but not the same
        State(at={"you": 1, "me": "a"}),
        State(at={"me": "a", "you": 1}, more={}),
        State(at={"me": "a", "you": 1}, day=3),
        State(at={"me": "a"}),
        State(at={"me": "a", "you": 1}).set_predicate("you", "at", 1, {"confidence": 0.5}),
        State("elsewhere", at={"me": "a", "you": 1}),
    ],
    ids=repr,
)
def test_the_rest_is_walked_through_when_anything_can_be_told_apart(observed):
    calls = []
    start = State(at={"me": "home", "you": 1})
    result = plan(counting_domain(calls), start, [("tour", "a", "b"), ("tour", "c", "d")])
    calls.clear()
    repaired = replan(result, observed, result.solution_graph.commands()[1].node_id, blacklist=False)
    assert repaired.plan == (("walk", "b"), ("walk", "c"), ("walk", "d"))
    assert calls == ["b", "c", "d"]


def test_the_history_knows_removed_and_new_predicates_and_metadata():
    domain = Domain("d")

    @domain.command
    def change(state, day):
        state.day = day
        state.tools = {"hammer": day}
        state.tools["saw"] = day
        state.set_predicate("me", "at", day, {"confidence": 0.5})
        return state

    @domain.command
    def drop(state):
        del state.tools
        state.at.pop("you", None)
        return state

    todo = [("change", 1), ("drop",), ("change", 2), ("drop",), ("change", 3)]
    result = plan(domain, State(at={"me": 0, "you": 1}, day=0), todo)
    for place, state in enumerate(list(simulate(result))[:-1]):
        assert result.history.is_at(place, state)
        assert not any(result.history.is_at(other, state) for other in range(len(todo)) if other != place)


def test_values_that_are_equal_and_can_be_told_apart_are_not_the_same():
    nan = float("nan")
    assert is_same(("a", 1, 2.5, None, b"x", ("b", True)), ("a", 1, 2.5, None, b"x", ("b", True)))
    assert is_same(nan, nan)
    pairs = [(1, True), (1, 1.0), (0.0, -0.0), (("a", 1), ("a", True)), ([1], (1,)), ("a", "b"), (nan, float("nan"))]
    assert not any(is_same(a, b) for a, b in pairs)
    assert is_same_mapping({"a": 1, "b": 2}, {"a": 1, "b": 2})
    assert not is_same_mapping({"a": 1, "b": 2}, {"b": 2, "a": 1})
    assert not is_same_mapping({1: "x"}, {True: "x"})
    assert not is_same_mapping({"a": 1}, {"a": True})
