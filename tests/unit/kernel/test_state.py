"""The triple store: reads, writes, undo, snapshots, and values that cannot change unseen."""

from __future__ import annotations

import copy
import pickle
from dataclasses import dataclass
from enum import Enum

import pytest

from planvow import Domain, Goal, MultiGoal, State, plan, verify
from planvow.kernel.errors import DomainError, MutableValueError, SealedStateError
from planvow.kernel.world.variable import undo_to


def test_predicates_read_like_dictionaries_and_like_triples():
    state = State(pos={"b": "a", "a": "table"}, day=3)
    assert state.pos["a"] == state["pos"]["a"] == state.get_predicate("a", "pos") == "table"
    assert state.get_predicate("b", "pos") == "a"
    assert state.day == 3
    assert state.get_predicate("a", "colour") is None
    assert state.has("a", "pos")
    assert not state.has("c", "pos")
    assert "pos" in state
    assert "colour" not in state


def test_set_predicate_takes_subject_predicate_value_and_metadata():
    state = State()
    assert state.set_predicate("door_1", "is_open", True, {"confidence": 0.5, "source": "guard"}) is state
    assert state.is_open["door_1"] is True
    assert state.get_metadata("door_1", "is_open") == {"confidence": 0.5, "source": "guard"}


def test_metadata_of_a_replaced_object_is_not_told_of_the_new_one():
    state = State().set_predicate("door", "is_open", True, {"confidence": 0.5})
    state.is_open["door"] = False
    assert state.get_metadata("door", "is_open") == {}


def test_confidence_outside_zero_to_one_is_refused():
    with pytest.raises(Exception, match="confidence"):
        State().set_predicate("door", "is_open", True, {"confidence": 1.5})


def test_equality_and_hash_ignore_time_stamps_but_not_confidence():
    one = State().set_predicate("d", "open", True, {"confidence": 0.5, "timestamp": 1})
    later = State().set_predicate("d", "open", True, {"confidence": 0.5, "timestamp": 9})
    surer = State().set_predicate("d", "open", True, {"confidence": 0.9, "timestamp": 1})
    assert one == later
    assert hash(one) == hash(later)
    assert one != surer


def test_triples_come_sorted_by_subject_and_predicate_and_read_back_equal():
    state = State(pos={"b": "a", "a": "table"}, clear={"b": True}, km={("x", "y"): [1, 2]}, seen={"a": {1, 2}}, day=3)
    state.set_predicate("a", "pos", "table", {"confidence": 0.25})
    rows = state.get_triples_as_array()
    strings = [(r["subject"], r["predicate"]) for r in rows if isinstance(r["subject"], str)]
    assert strings == sorted(strings)
    assert State.from_triples(rows) == state


def test_undo_restores_values_deletions_new_predicates_and_the_order_of_subjects():
    state = State(pos={"a": 1, "b": 2, "c": 3}, day=1).journaled()
    before, order = state.snapshot(), list(state.pos)
    state.pos["a"] = 9
    del state.pos["b"]
    state.pos["b"] = 7
    state.pos.pop("c")
    state.pos.setdefault("d", 4)
    state.pos.update(e=5)
    state.new = {"x": 1}
    state.day = 2
    state.set_predicate("a", "pos", 8, {"confidence": 0.1})
    undo_to(state._log, 0)
    assert state == before
    assert list(state.pos) == list(state.pos.keys()) == [k for k, _ in state.pos.items()] == order
    assert "new" not in state


def test_assigning_a_whole_predicate_replaces_it_and_can_be_undone():
    state = State(pos={"a": 1, "b": 2}).journaled()
    state.pos = {"b": 5, "c": 6}
    assert dict(state.pos) == {"b": 5, "c": 6}
    assert list(state.pos) == ["b", "c"]
    undo_to(state._log, 0)
    assert list(state.pos.items()) == [("a", 1), ("b", 2)]


def test_a_list_inside_the_state_compares_like_a_list_but_cannot_be_changed_in_place():
    state = State(seen={"a": ["x"]}, tools={"b": {"hammer": 1}})
    assert state.seen["a"] == ["x"]
    assert state.seen["a"] + ["y"] == ["x", "y"]
    with pytest.raises(MutableValueError):
        state.seen["a"].append("y")
    with pytest.raises(MutableValueError):
        state.tools["b"]["hammer"] = 2
    assert state.seen["a"] == ["x"]


def test_a_set_inside_the_state_is_a_set_that_cannot_be_changed_and_is_shown_in_order():
    state = State(seen={"a": {"y", "x", "z"}, "b": set()})
    assert isinstance(state.seen["a"], set)
    assert state.seen["a"] | {"w"} == {"w", "x", "y", "z"}
    assert repr(state.seen) == "{'a': {'x', 'y', 'z'}, 'b': set()}"
    assert hash(state.seen["a"]) == hash(frozenset("xyz"))
    assert State(seen={"a": frozenset("xyz"), "b": frozenset()}) == state
    for change in (lambda s: s.add("w"), lambda s: s.discard("x"), lambda s: s.__ior__({"w"}), lambda s: s.pop()):
        with pytest.raises(MutableValueError):
            change(state.seen["a"])
    assert State.from_triples(state.get_triples_as_array()) == state


def test_a_list_kept_by_the_caller_does_not_reach_into_the_state():
    mine = ["x"]
    state = State(seen={"a": mine})
    mine.append("y")
    assert state.seen["a"] == ["x"]


@dataclass
class Loose:
    x: int


@dataclass(frozen=True)
class Firm:
    x: int


class Plain:
    pass


class Colour(Enum):
    RED = 1


@pytest.mark.parametrize(
    "value", [Loose(1), Plain(), bytearray(b"x"), Firm([1])], ids=lambda value: type(value).__name__
)
def test_what_could_change_unseen_is_refused(value):
    with pytest.raises(MutableValueError):
        State(x={"a": value})


@pytest.mark.parametrize("value", [Firm(1), Colour.RED, (1, "a"), frozenset({1}), 1.5, None, b"x"], ids=repr)
def test_values_that_cannot_change_are_kept_as_they_are(value):
    assert State(x={"a": value}).x["a"] is value


def test_a_sealed_state_refuses_every_change_and_a_draft_of_it_takes_them():
    state = State(pos={"a": 1}).snapshot()
    for change in (
        lambda: state.pos.__setitem__("a", 2),
        lambda: state.set_predicate("a", "pos", 2),
        lambda: setattr(state, "pos", {"a": 3}),
        lambda: state.pos.pop("a"),
        lambda: delattr(state, "pos"),
    ):
        with pytest.raises(SealedStateError):
            change()
    assert state.pos == {"a": 1}
    draft = state.draft()
    draft.pos["a"] = 2
    assert (draft.pos["a"], state.pos["a"]) == (2, 1)
    assert state.with_predicate("a", "pos", 5).pos["a"] == 5


def test_hashing_a_state_seals_it():
    state = State(pos={"a": 1})
    hash(state)
    with pytest.raises(SealedStateError):
        state.pos["a"] = 2


def test_copies_and_pickles_are_equal_and_independent():
    state = State(pos={"a": 1}).set_predicate("a", "pos", 1, {"source": "x"})
    for twin in (copy.deepcopy(state), state.copy(), pickle.loads(pickle.dumps(state))):
        assert twin == state
        twin.pos["a"] = 2
        assert state.pos["a"] == 1


def test_a_missing_predicate_is_named_with_the_nearest_known_one():
    with pytest.raises(AttributeError, match="did you mean 'position'"):
        State(position={}).postion


def test_a_predicate_may_not_take_the_name_of_a_state_method():
    with pytest.raises(DomainError, match="name of State"):
        State(snapshot={"a": 1})


@pytest.mark.parametrize("name", ["has", "remove", "copy", "triples"])
def test_a_predicate_may_be_called_as_some_methods_are(name):
    domain = Domain("d")

    @domain.command
    def give(state, who, what):
        getattr(state, name)[who] = what
        return state

    @domain.method(goal=name)
    def by_giving(state, who, what):
        return [("give", who, what)]

    start = State({name: {"ann": None}})
    result = plan(domain, start, [Goal(name, "ann", "key"), MultiGoal({name: {"ann": "key"}})])
    assert result.plan == (("give", "ann", "key"),)
    assert verify(result.certificate()).fault is None
    assert start.snapshot() == State.from_triples(start.get_triples_as_array())
    assert hash(start) == hash(start.draft())
