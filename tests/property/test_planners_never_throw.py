"""Gate: every registered planner answers 2,000 generated calls with an output or an error value, never an exception.

`python bench/contract.py` does the same with 100,000 calls per planner. Planners registered later are covered by being
registered.
"""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generated_calls import assert_keeps_contract, generated_calls, planner_for_calls
from planvow.canonical import canonical_bytes
from planvow.contract import PlannerOutput, default_registry, plan_hash

CALLS = 2_000


@pytest.mark.parametrize("planner_id", [*default_registry().ids(), "memo:stub"])
def test_two_thousand_generated_calls_raise_nothing(planner_id):
    planner = planner_for_calls(planner_id)
    seen = [assert_keeps_contract(planner, call) for call in generated_calls(CALLS, planner_id)]
    assert len(seen) == CALLS
    assert "error" in seen
    assert "plan" in seen or planner_id == "governed"  # its requests need a repository


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(exclude_categories=[])) 
    | st.binary() | st.builds(object),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text() | st.integers(), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip
ARGUMENTS = st.dictionaries(
    st.sampled_from(["agent_id", "goal", "context_summary", "memory_snippets", "tool_manifest", "url", "self", "x"]),
    ANYTHING,
)


@settings(max_examples=300, deadline=None)
@given(ARGUMENTS, st.text())
def test_whatever_the_arguments_are_the_answer_is_a_value(arguments, words):
    planner = default_registry().create("stub")
    assert_keeps_contract(planner, arguments)
    assert_keeps_contract(planner, {"agent_id": "a", "goal": f"echo {words}", **arguments})


@settings(max_examples=300, deadline=None)
@given(st.text(), st.text(), st.dictionaries(st.sampled_from(["url", "data", "path"]), st.text()))
def test_a_stub_plan_is_the_same_bytes_after_a_trip_through_json(goal, context, extra):
    answer = default_registry().create("stub").plan("a", f"summarize {goal}", context, **extra)
    assert isinstance(answer, PlannerOutput)
    made = canonical_bytes(answer.plan)
    assert canonical_bytes(json.loads(made)) == made
    assert plan_hash(json.loads(made)) == plan_hash(answer.plan)
