"""What is a plan and what is not, with the path to every breach."""

from __future__ import annotations

import pytest

from planvow.contract.errors import InvalidPlanError
from planvow.contract.plan.normalise import normalise_plan, plan_hash, read_plan, structural_signature
from planvow.contract.plan.validate import MAX_PROBLEMS, require_valid_plan, validate_plan


def step(step_id="s1", skill="echo", **fields):
    return {"step_id": step_id, "skill": skill, "params": {}, **fields}


def problems(*steps, manifest=None):
    return [(p.code, p.path) for p in validate_plan({"steps": list(steps)}, manifest)]


def test_a_plan_with_the_required_fields_only_is_valid():
    assert problems(step()) == []


def test_defaults_are_those_of_the_contract():
    only = read_plan({"steps": [step()]}).steps[0]
    assert only.as_dict() == {
        "step_id": "s1", "skill": "echo", "params": {}, "depends_on": [], "on_error": "abort", "retry_count": 3,
        "output_key": "s1",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("plan", "found"),
    [
        (None, ("type", "$")),
        ([], ("type", "$")),
        ({}, ("type", "$.steps")),
        ({"steps": []}, ("no_steps", "$.steps")),
        ({"steps": [1]}, ("type", "$.steps[0]")),
        ({"steps": [step()], "metadata": 1}, ("type", "$.metadata")),
        ({"steps": [step()], "extra": 1}, ("unknown_field", "$.extra")),
        ({"steps": [{"skill": "x", "params": {}}]}, ("missing", "$.steps[0].step_id")),
        ({"steps": [{"step_id": "a", "params": {}}]}, ("missing", "$.steps[0].skill")),
        ({"steps": [{"step_id": "a", "skill": "x"}]}, ("missing", "$.steps[0].params")),
        ({"steps": [step("S1")]}, ("bad_id", "$.steps[0].step_id")),
        ({"steps": [step("é")]}, ("bad_id", "$.steps[0].step_id")),
        ({"steps": [step(7)]}, ("bad_id", "$.steps[0].step_id")),
        ({"steps": [step("s1\n")]}, ("bad_id", "$.steps[0].step_id")),
        ({"steps": [step(skill=" ")]}, ("type", "$.steps[0].skill")),
        ({"steps": [step(params=[])]}, ("type", "$.steps[0].params")),
        ({"steps": [step(depends_on="s1")]}, ("type", "$.steps[0].depends_on")),
        ({"steps": [step(on_error="explode")]}, ("bad_policy", "$.steps[0].on_error")),
        ({"steps": [step(on_error=[])]}, ("bad_policy", "$.steps[0].on_error")),
        ({"steps": [step(retry_count=-1)]}, ("bad_retry_count", "$.steps[0].retry_count")),
        ({"steps": [step(retry_count=True)]}, ("bad_retry_count", "$.steps[0].retry_count")),
        ({"steps": [step(retry_count=1.5)]}, ("bad_retry_count", "$.steps[0].retry_count")),
        ({"steps": [step(params={"x": float("nan")})]}, ("not_json", "$.steps[0].params.x")),
        ({"steps": [step(params={1: "x"})]}, ("not_json", "$.steps[0].params")),
        ({"steps": [step(params={"x": object()})]}, ("not_json", "$.steps[0].params.x")),
        ({"steps": [step(dependson=[])]}, ("unknown_field", "$.steps[0].dependson")),
    ],
)
def test_what_is_not_a_plan_is_named_with_its_path(plan, found):
    assert [(p.code, p.path) for p in validate_plan(plan)] == [found]


def test_ids_output_keys_and_dependencies_must_fit_together():
    assert problems(step(), step()) == [
        ("duplicate_id", "$.steps[1].step_id"),
        ("duplicate_output_key", "$.steps[1].output_key"),
    ]
    assert problems(step(), step("s2", output_key="s1")) == [("duplicate_output_key", "$.steps[1].output_key")]
    assert problems(step("input")) == [("duplicate_output_key", "$.steps[0].output_key")]
    assert problems(step(depends_on=["s1"])) == [
        ("self_dependency", "$.steps[0].depends_on[0]"),
        ("cycle", "$.steps[0].depends_on"),
    ]
    assert problems(step(depends_on=["nobody"])) == [("unknown_dependency", "$.steps[0].depends_on[0]")]
    assert problems(step("a", depends_on=["b"]), step("b", depends_on=["a"])) == [
        ("cycle", "$.steps[0].depends_on"),
        ("cycle", "$.steps[1].depends_on"),
    ]


def test_placeholders_may_refer_only_to_what_is_certain_to_have_run():
    a, b = step("a"), step("b", depends_on=["a"])
    assert problems(a, b, step("c", depends_on=["b"], params={"x": "{{a.y}} and {{b.z}} and {{input.q}}"})) == []
    assert problems(a, step("c", params={"x": ["{{a.y}}"]})) == [("unresolved_reference", "$.steps[1].params.x[0]")]
    assert problems(step("c", params={"x": "{{nobody}}"})) == [("unresolved_reference", "$.steps[0].params.x")]
    assert problems(step("c", params={"x": "{{not one}}"})) == [("bad_placeholder", "$.steps[0].params.x")]
    assert problems(step("c", params={"x": "{{c.self}}"})) == [("unresolved_reference", "$.steps[0].params.x")]


def test_placeholders_follow_output_keys_not_step_ids():
    a = step("a", output_key="page")
    assert problems(a, step("b", depends_on=["a"], params={"x": "{{page.body}}"})) == []
    assert problems(a, step("b", depends_on=["a"], params={"x": "{{a.body}}"})) == [
        ("unresolved_reference", "$.steps[1].params.x")
    ]


def test_with_a_manifest_skills_and_parameters_are_checked():
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    manifest = [{"skill_id": "count", "input_schema": schema}]
    assert problems(step(skill="count", params={"n": 1}), manifest=manifest) == []
    assert problems(step(skill="count", params={"n": "{{input.n}}"}), manifest=manifest) == []
    assert problems(step(skill="count"), manifest=manifest) == [("params", "$.steps[0].params.n")]
    assert problems(step(skill="cuont", params={"n": 1}), manifest=manifest) == [("unknown_skill", "$.steps[0].skill")]
    (found,) = validate_plan({"steps": [step(skill="cuont")]}, manifest)
    assert "did you mean 'count'?" in found.message


def test_no_manifest_filters_nothing_and_an_empty_one_allows_nothing():
    assert problems(step(), manifest=None) == []
    assert problems(step(), manifest=[]) == [("unknown_skill", "$.steps[0].skill")]


def test_a_broken_manifest_is_reported_not_raised():
    assert problems(step(), manifest=[{"name": "x"}]) == [("bad_manifest", "tool_manifest[0].skill_id")]
    assert problems(step(), manifest={"skill_id": "x"}) == [("bad_manifest", "tool_manifest")]


def test_require_valid_plan_raises_with_every_problem_in_the_details():
    with pytest.raises(InvalidPlanError, match=r"\$.steps\[0\].on_error: .*and 1 more") as caught:
        require_valid_plan({"steps": [step(on_error="x", retry_count="y")]})
    assert [p["code"] for p in caught.value.details["problems"]] == ["bad_policy", "bad_retry_count"]


def test_a_plan_with_a_million_faults_reports_the_first_hundred():
    assert len(validate_plan({"steps": [None] * 50_000})) == MAX_PROBLEMS


@pytest.mark.long
def test_a_long_chain_with_placeholders_is_validated_in_one_pass():
    chain = [step("s0")] + [
        step(f"s{i}", depends_on=[f"s{i - 1}"], params={"x": f"{{{{s{i - 1}.y}}}}"}) for i in range(1, 20_000)
    ]
    assert problems(*chain) == []


def test_written_out_defaults_do_not_change_a_plan():
    short, long = {"steps": [step()]}, normalise_plan({"steps": [step()]})
    assert plan_hash(short) == plan_hash(long)
    assert normalise_plan(long) == long
    said = {"steps": [step(on_error="abort", retry_count=3)]}
    assert plan_hash(said) == plan_hash(short)


def test_the_structural_signature_ignores_values_and_nothing_else():
    base = step(params={"a": 1, "b": 2})
    signature = structural_signature({"steps": [base]})
    assert structural_signature({"steps": [{**base, "params": {"b": "other", "a": None}}]}) == signature
    for change in ({"skill": "x"}, {"step_id": "z"}, {"on_error": "retry"}, {"retry_count": 1}, {"params": {"a": 1}}):
        assert structural_signature({"steps": [{**base, **change}]}) != signature
    two = [base, step(step_id="s2")]
    assert structural_signature({"steps": [base, {**two[1], "depends_on": ["s1"]}]}) != structural_signature(
        {"steps": two}
    )
