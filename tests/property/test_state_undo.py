"""Undo is the identity, whatever is written: values, order, metadata, and the hash."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from planvow import State
from planvow.kernel.world.variable import undo_to

SUBJECTS = st.sampled_from(["a", "b", "c", ("x", 1)])
VALUES = st.one_of(st.integers(0, 2), st.text("xy", max_size=2), st.lists(st.integers(0, 1), max_size=2), st.none())
WRITES = st.lists(
    st.one_of(
        st.tuples(st.just("set"), st.sampled_from("pq"), SUBJECTS, VALUES),
        st.tuples(st.just("delete"), st.sampled_from("pq"), SUBJECTS, st.none()),
        st.tuples(st.just("meta"), st.sampled_from("pq"), SUBJECTS, VALUES),
        st.tuples(st.just("replace"), st.sampled_from("pqr"), SUBJECTS, st.dictionaries(SUBJECTS, VALUES, max_size=3)),
        st.tuples(st.just("scalar"), st.sampled_from("st"), SUBJECTS, VALUES),
        st.tuples(st.just("drop"), st.sampled_from("pqrs"), SUBJECTS, st.none()),
    ),
    max_size=14,
)


def write(state, kind, predicate, subject, value):
    if kind == "set":
        getattr(state, predicate, None) is None and setattr(state, predicate, {})
        state[predicate][subject] = value
    elif kind == "delete" and predicate in state:
        state[predicate].pop(subject, None)
    elif kind == "meta":
        state.set_predicate(subject, predicate, value, {"confidence": 0.5})
    elif kind == "replace" or kind == "scalar":
        setattr(state, predicate, value)
    elif kind == "drop" and predicate in state:
        delattr(state, predicate)


def seen(state):
    """Everything a domain function could see, order included."""
    return {p: list(v.items()) if isinstance(v, dict) else v for p, v in vars(state).items()}


@given(WRITES, WRITES, WRITES)
@settings(max_examples=150, deadline=None)
def test_undoing_restores_all_that_can_be_seen(before, tried, after):
    state = State(p={"a": 1, "b": 2}, q={}, s=0).journaled()
    for each in before:
        write(state, *each)
    mark, view, content = len(state._log), seen(state), state.snapshot()
    for each in tried:
        write(state, *each)
    undo_to(state._log, mark)
    assert seen(state) == view
    assert state == content
    # And what is written afterwards looks as if nothing had been tried.
    twin = content.draft()
    for each in after:
        write(state, *each)
        write(twin, *each)
    assert seen(state) == seen(twin)


@given(WRITES)
@settings(max_examples=100, deadline=None)
def test_triples_round_trip_and_equal_states_have_equal_hashes(writes):
    state = State(p={"a": 1}, q={})
    for each in writes:
        write(state, *each)
    back = State.from_triples(state.get_triples_as_array())
    assert back == state
    assert hash(back) == hash(state)
