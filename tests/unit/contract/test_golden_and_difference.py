"""Golden files and the comparison under them."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planvow.canonical import canonical_bytes
from planvow.clock import LogicalClock
from planvow.contract import StubPlanner
from planvow.contract.plan.difference import differences, first_difference, value_at
from planvow.contract.replaying.golden import Golden, check_golden, compare_golden, make_golden, read_golden
from planvow.errors import InputError

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-100, 100) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)


def test_differences_are_named_by_path_in_a_fixed_order():
    found = differences({"b": [1, 2], "a": 1, "c": 3}, {"a": 2, "b": [1, 3, 4], "d": None})
    assert [(d.path, d.expected, d.found) for d in found] == [
        ("$.a", "1", "2"), ("$.b[1]", "2", "3"), ("$.b[2]", None, "4"), ("$.c", "3", None), ("$.d", None, "null"),
    ]  # fmt: skip


def test_types_count():
    assert first_difference({"a": True}, {"a": 1}).path == "$.a"
    assert first_difference({"a": "1"}, {"a": 1}).path == "$.a"
    assert first_difference({"a": 1.0}, {"a": 1}) is None


def test_fields_are_ignored_by_path_and_never_by_name():
    left, right = {"id": 1, "steps": [{"id": 1}, {"id": 2}]}, {"id": 2, "steps": [{"id": 9}, {"id": 2}]}
    assert first_difference(left, right, ignored=["$.id"]).path == "$.steps[0].id"
    assert first_difference(left, right, ignored=["$.id", "$.steps[*].id"]) is None
    assert first_difference({"x": 1}, {}, ignored=["$.x"]) is None
    assert first_difference({}, {"x": 1}, ignored=["$.x"]) is None


def test_long_values_are_shortened_in_the_report():
    assert len(str(first_difference("x" * 10_000, "y" * 10_000))) < 500


@pytest.mark.long
@given(JSON, JSON)
def test_there_is_a_difference_exactly_when_the_bytes_differ(left, right):
    assert (first_difference(left, right) is None) == (canonical_bytes(left) == canonical_bytes(right))


def test_a_value_is_found_by_its_path():
    assert value_at({"a": [{"b": 1}]}, "$.a[0].b") == 1
    with pytest.raises(LookupError):
        value_at({"a": []}, "$.a[0]")


def test_a_golden_file_matches_the_planner_that_made_it():
    golden = make_golden(StubPlanner(clock=LogicalClock()), {"agent_id": "a", "goal": "echo hello"})
    assert golden.expected["metadata"]["generated_at"]
    assert check_golden(golden, StubPlanner(clock=LogicalClock(start_ms=99_000))).match
    again = read_golden(json.loads(canonical_bytes(golden.as_dict())))
    assert again == golden


@pytest.mark.parametrize("name", ["input_tokens", "output_tokens", "generated_at", "cost_cents"])
def test_what_the_seed_lets_vary_may_vary_and_nothing_else_of_the_metadata(name):
    golden = make_golden(StubPlanner(), {"agent_id": "a", "goal": "echo hello"})
    metadata = golden.expected["metadata"]
    varied = replace(golden, expected={**golden.expected, "metadata": {**metadata, name: 17}})
    assert check_golden(varied, StubPlanner()).match
    other = replace(golden, expected={**golden.expected, "metadata": {**metadata, "planner_version": "17.0.0"}})
    assert not check_golden(other, StubPlanner()).match


def test_a_changed_answer_is_reported_with_every_difference():
    golden = make_golden(StubPlanner(), {"agent_id": "a", "goal": "echo hello"})
    other = replace(golden, expected={**golden.expected, "deterministic": False})
    assert [d.path for d in check_golden(other, StubPlanner()).differences] == ["$.deterministic"]


def test_only_the_named_fields_are_compared_when_fields_are_named():
    golden = make_golden(StubPlanner(), {"agent_id": "a", "goal": "echo hello"})
    answer = StubPlanner().plan("other", "echo hello there")
    named = replace(golden, deterministic_fields=("$.plan.steps",))
    (difference,) = compare_golden(named, answer).differences
    assert difference.path == "$.plan.steps[0].params.message"
    loose = replace(named, ignored_fields=("$.plan.steps[*].params",))
    assert compare_golden(loose, answer).match
    absent = replace(named, deterministic_fields=("$.plan.steps[5].skill", "$.no.where"))
    assert compare_golden(absent, answer).match


def test_errors_can_be_golden_too():
    golden = make_golden(StubPlanner(), {"agent_id": "a", "goal": ""})
    assert golden.expected["error"]["code"] == "PLANNER_INVALID_GOAL"
    assert check_golden(golden, StubPlanner()).match


@pytest.mark.parametrize(
    "data",
    [None, {}, {"format": "planvow-golden/1"}, {**Golden(input={}, expected={}).as_dict(), "more": 1},
     {**Golden(input={}, expected={}).as_dict(), "input": 1},
     {**Golden(input={}, expected={}).as_dict(), "ignored_fields": [1]}],
)  # fmt: skip
def test_what_is_no_golden_file_is_refused(data):
    with pytest.raises(InputError):
        read_golden(data)
