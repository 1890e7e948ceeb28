"""Costs are exact inside, rounded up outside; an estimate never promises too little."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planvow.contract.running.cost import CostModel, Feasibility, estimate, whole_cents
from planvow.errors import InputError


def step(step_id, skill, **fields):
    return {"step_id": step_id, "skill": skill, "params": {}, **fields}


MANIFEST = [
    {"skill_id": "cheap", "cost_estimate_cents": 0.1, "timeout_ms": 100},
    {"skill_id": "dear", "cost_estimate_cents": 40, "timeout_ms": 1000, "permissions": ["pay"], "side_effects": True},
    {"skill_id": "endless"},
]


def test_the_formula_is_base_call_and_tokens():
    model = CostModel.read({"base_cents": 1, "per_call_cents": 0.5, "per_token_cents": 0.003})
    assert model.cost(input_tokens=1500, output_tokens=200) == Decimal("6.6")
    assert whole_cents(Decimal("6.6")) == 7
    assert whole_cents(Decimal("6")) == 6


def test_the_seeds_own_numbers_give_an_exact_sum():
    assert CostModel.read({"base_cents": 0, "per_token_cents": 0.003}).cost(
        input_tokens=1500, output_tokens=200
    ) == Decimal("5.1")


@pytest.mark.parametrize("rates", [{"per_moon": 1}, {"base_cents": -1}, {"base_cents": "x"}, {"base_cents": True},
                                   {"base_cents": float("nan")}, {"base_cents": None}])  # fmt: skip
def test_a_rate_that_is_none_is_refused(rates):
    with pytest.raises(InputError, match="cost_model"):
        CostModel.read(rates)


def test_a_feasible_plan_is_costed_once_and_in_the_worst_case():
    result = estimate({"steps": [step("a", "cheap"), step("b", "cheap", retry_count=1)]}, MANIFEST)
    assert (result.status, result.cost_cents, result.worst_cost_cents, result.latency_ms) == ("feasible", 1, 1, 200)
    result = estimate({"steps": [step("a", "dear", retry_count=2)]}, MANIFEST, permissions=["pay"])
    assert (result.status, result.cost_cents, result.worst_cost_cents) == (Feasibility.FEASIBLE, 40, 120)
    assert "a changes the world through dear" in result.risks


def test_whatever_stands_in_the_way_is_named():
    plan = {"steps": [step("a", "dear"), step("b", "unheard-of"), step("c", "endless")]}
    result = estimate(plan, MANIFEST)
    assert (result.status, result.unknown_skills) == ("skill_unavailable", ("unheard-of",))
    result = estimate({"steps": [step("a", "dear")]}, MANIFEST)
    assert (result.status, result.missing_permissions) == ("permission_denied", ("pay",))
    result = estimate({"steps": [step("a", "dear")]}, MANIFEST, permissions={"pay"}, budget_cents=39)
    assert result.status == "budget_insufficient"
    result = estimate({"steps": [step("a", "dear")]}, MANIFEST, permissions={"pay"}, budget_cents=100)
    assert (result.status, result.risks[-1]) == (
        "feasible",
        "with every retry it costs 160 cents, more than the 100 allowed",
    )
    result = estimate({"steps": []}, MANIFEST)
    assert (result.status, result.problems[0].code) == ("invalid_plan", "no_steps")
    assert estimate({"steps": [step("c", "endless")]}, MANIFEST).risks == ("c has no time limit",)


def test_without_a_manifest_no_skill_is_known_and_nothing_is_called_free():
    assert estimate({"steps": [step("a", "cheap")]}, None).status == "skill_unavailable"


@given(st.decimals(min_value=0, max_value=1000, places=6), st.integers(0, 10**6), st.integers(0, 10**6))
def test_rounding_up_never_charges_less_than_the_exact_cost(rate, given_tokens, made_tokens):
    exact = CostModel(per_token_cents=rate).cost(input_tokens=given_tokens, output_tokens=made_tokens)
    assert 0 <= whole_cents(exact) - exact < 1
