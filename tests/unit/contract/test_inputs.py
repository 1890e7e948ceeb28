"""Inputs are normalised once, and their hash names exactly what the planner sees."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planvow.contract.errors import InvalidGoalError
from planvow.contract.interface.inputs import normalize_context, normalize_goal, plan_input_hash, read_inputs
from planvow.errors import InputError


def test_the_seeds_normalisation_strips_and_lowers_goals_and_strips_contexts():
    assert normalize_goal("  Fetch The Data ") == "fetch the data"
    assert normalize_context("  As it IS ") == "As it IS"
    assert normalize_context(None) is None


def test_the_hash_has_sixteen_hex_digits_and_is_always_the_same():
    assert plan_input_hash("agent", "Fetch user data from API") == "951a704203e971f6"


def test_white_space_does_not_count_and_case_does():
    assert plan_input_hash("a", "  echo   the\nword ") == plan_input_hash("a", "echo the word")
    assert plan_input_hash("a", "echo Word") != plan_input_hash("a", "echo word")
    assert read_inputs("a", "echo Word").coarse_hash == read_inputs("a", "echo word").coarse_hash


def test_every_argument_counts():
    base = plan_input_hash("a", "g")
    others = [
        plan_input_hash("b", "g"),
        plan_input_hash("a", "h"),
        plan_input_hash("a", "g", "context"),
        plan_input_hash("a", "g", None, [{"m": 1}]),
        plan_input_hash("a", "g", None, None, []),
        plan_input_hash("a", "g", None, None, [{"skill_id": "s"}]),
        plan_input_hash("a", "g", extra_word=1),
        plan_input_hash("a", "g", extra=1),
    ]
    assert len({base, *others}) == 9


def test_key_order_and_tuples_do_not_count():
    left = plan_input_hash("a", "g", None, [{"x": 1, "y": [1, 2]}])
    assert left == plan_input_hash("a", "g", None, ({"y": (1, 2), "x": 1.0},))


def test_what_a_planner_sees_is_what_was_hashed():
    inputs = read_inputs("a", " g  h ", " c ", [{"m": 1}], [{"skill_id": "s"}], mood="x")
    assert inputs.as_arguments() == {
        "agent_id": "a", "goal": "g h", "context_summary": "c", "memory_snippets": [{"m": 1}],
        "tool_manifest": [{"skill_id": "s"}], "mood": "x",
    }  # fmt: skip
    assert read_inputs(**inputs.as_arguments()) == inputs


def test_bad_inputs_raise_with_their_name():
    with pytest.raises(InvalidGoalError, match="goal"):
        plan_input_hash("a", 5)
    with pytest.raises(InputError, match="agent_id"):
        plan_input_hash("", "g")
    with pytest.raises(InputError, match=r"extra\.x"):
        plan_input_hash("a", "g", x=2**60)


@pytest.mark.long
@given(st.text(min_size=1).filter(lambda t: t.split()), st.text(), st.lists(st.dictionaries(st.text(), st.integers())))
def test_normalising_twice_changes_nothing(goal, context, snippets):
    try:
        once = read_inputs("a", goal, context, snippets)
    except (InputError, InvalidGoalError):
        return  # lone surrogates and huge integers are refused, which other tests check
    assert read_inputs(**once.as_arguments()) == once
