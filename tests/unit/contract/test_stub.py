"""The rule planner: whole words, priorities, manifests, placeholders."""

from __future__ import annotations

import pytest

from planvow.clock import LogicalClock
from planvow.contract import PlannerErrorCode, PlanRule, StubPlanner
from planvow.contract.plan.placeholders import references, resolve
from planvow.contract.planners.stub import RuleStep

ALL = [{"skill_id": s} for s in ("echo", "http_call", "json_transform", "llm_invoke")]


def skills(goal, manifest=None, **more):
    return [s["skill"] for s in StubPlanner().plan("a", goal, tool_manifest=manifest, **more).plan["steps"]]


@pytest.mark.parametrize(
    ("goal", "chain"),
    [
        ("Say hello", ["echo"]),
        ("Fetch user data from API", ["http_call"]),
        ("extract the names", ["json_transform"]),
        ("Write a poem", ["llm_invoke"]),
        ("Summarize the page", ["http_call", "json_transform", "llm_invoke"]),
        ("print what you get", ["http_call"]),
        ("get and pick", ["http_call"]),
        ("explain and print", ["http_call", "json_transform", "llm_invoke"]),
    ],
)
def test_the_rule_with_the_highest_priority_wins_and_the_first_declared_among_equals(goal, chain):
    assert skills(goal) == chain


@pytest.mark.parametrize("goal", ["hit the target", "the capital of essays", "rapid therapies", "forget it"])
def test_keywords_match_whole_words_only(goal):
    answer = StubPlanner().plan("a", goal)
    assert answer.code == PlannerErrorCode.GENERATION_FAILED
    assert "fetch" in answer.details["known_keywords"]


def test_a_fetch_without_a_url_keeps_a_placeholder_and_invents_nothing():
    (step,) = StubPlanner().plan("a", "Fetch user data from API").plan["steps"]
    assert step["params"] == {"method": "GET", "url": "{{input.url}}"}


def test_context_goal_and_extra_arguments_fill_what_they_name():
    def params(goal, **more):
        return StubPlanner().plan("a", goal, **more).plan["steps"][0]["params"]

    assert params("fetch https://x.test/a now")["url"] == "https://x.test/a"
    assert params("fetch it", context_summary="see https://x.test/b")["url"] == "https://x.test/b"
    assert params("fetch it", context_summary="url: ftp://x.test")["url"] == "ftp://x.test"
    assert params("fetch it", url="https://x.test/c")["url"] == "https://x.test/c"
    assert params("pick names", context_summary="operation=select path=$.names") == {
        "data": "{{input.data}}", "operation": "select", "path": "$.names",
    }  # fmt: skip


def test_the_chain_is_linked_by_dependencies_and_placeholders():
    steps = StubPlanner().plan("a", "Analyze sales").plan["steps"]
    assert [s["depends_on"] for s in steps] == [[], ["s1"], ["s2"]]
    assert steps[1]["params"]["data"] == "{{s1}}"
    assert steps[2]["params"] == {"prompt": "Analyze sales", "context": "{{s2}}"}


def test_the_goal_keeps_its_case_and_cannot_smuggle_a_placeholder_in():
    (step,) = StubPlanner().plan("a", "Echo {{input.password}} NOW").plan["steps"]
    assert list(references(step["params"])) == []
    assert resolve(step["params"], {}) == {"message": "Echo {{input.password}} NOW"}


def test_a_rule_whose_skills_are_missing_gives_way_to_the_next():
    assert skills("summarize and say it", [{"skill_id": "echo"}]) == ["echo"]
    assert skills("summarize", ALL) == ["http_call", "json_transform", "llm_invoke"]


def test_without_the_skills_the_answer_lists_what_is_missing():
    answer = StubPlanner().plan("a", "summarize it", tool_manifest=[{"skill_id": "http_call"}])
    assert answer.code == PlannerErrorCode.NO_SKILLS_AVAILABLE
    assert answer.details["missing_skills"] == ["json_transform", "llm_invoke"]
    assert StubPlanner().plan("a", "echo x", tool_manifest=[]).code == PlannerErrorCode.NO_SKILLS_AVAILABLE


def test_metadata_names_the_planner_and_its_cost():
    output = StubPlanner().plan("a", "echo x")
    assert output.deterministic is True
    assert {k: output.metadata[k] for k in ("planner", "planner_version", "input_tokens", "cost_cents")} == {
        "planner": "stub", "planner_version": "1.0.0", "input_tokens": 0, "cost_cents": 0,
    }  # fmt: skip
    assert "generated_at" not in output.metadata


def test_a_time_stamp_stands_only_in_the_outputs_metadata():
    planner = StubPlanner(clock=LogicalClock(start_ms=1_764_547_200_000, tick_ms=1000))
    first, second = planner.plan("a", "echo x"), planner.plan("a", "echo x")
    assert first.metadata["generated_at"] == "2025-12-01T00:00:00.000Z"
    assert second.metadata["generated_at"] == "2025-12-01T00:00:01.000Z"
    assert first.plan == second.plan


def test_history_records_calls_until_it_is_reset():
    planner = StubPlanner()
    planner.plan("a", "echo one")
    planner.plan("b", "echo two")
    assert [(c.agent_id, c.goal) for c in planner.call_history] == [("a", "echo one"), ("b", "echo two")]
    planner.reset()
    assert planner.call_history == ()


def test_rules_can_be_added_and_cleared_and_are_part_of_the_version():
    planner, other = StubPlanner(), StubPlanner()
    planner.add_rule(
        PlanRule(keywords=("dance",), steps=(RuleStep(skill="move", params={"to": "<goal>"}),), priority=9)
    )
    assert planner.plan("a", "dance and fetch").plan["steps"][0]["skill"] == "move"
    assert planner.version.startswith("1.0.0+rules.")
    assert other.version == "1.0.0"
    assert other.plan("a", "dance").code == PlannerErrorCode.GENERATION_FAILED  # two planners do not interfere
    planner.clear_rules()
    assert planner.plan("a", "fetch").code == PlannerErrorCode.GENERATION_FAILED


def test_parameters_that_break_a_skills_schema_do_not_leave_the_planner():
    strict = {"skill_id": "echo", "input_schema": {"type": "object", "properties": {}, "additionalProperties": False}}
    assert StubPlanner().plan("a", "echo x", tool_manifest=[strict]).code == PlannerErrorCode.INVALID_PLAN
