"""Seed 004, "Replay Testing Contract": the two tests it names, with the bodies it gives."""

from __future__ import annotations

import pytest

from messages_api import MessagesServer, plan_text
from planvow.canonical import canonical_json
from planvow.contract import ClaudeAdapter, PlannerError, PlannerOutput, StubPlanner, unwrap


def get_test_manifest():
    return [{"skill_id": "http_call", "version": "1.0.0"}, {"skill_id": "echo"}]


@pytest.fixture
def service(monkeypatch):
    """The Messages API on the loopback interface, found by the SDK through its own environment variables."""
    server = MessagesServer()
    monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "test-key")
    yield server
    server.close()


def test_planner_determinism():
    """Verify planner produces identical output for same inputs."""
    planner = StubPlanner()

    inputs = {"agent_id": "test-agent", "goal": "Fetch user data from API", "tool_manifest": get_test_manifest()}

    # First call
    output1 = planner.plan(**inputs)

    # Second call with identical inputs
    output2 = planner.plan(**inputs)

    # Must be byte-identical
    assert canonical_json(output1.plan) == canonical_json(output2.plan)
    assert output1.deterministic is True


def test_planner_structural_determinism(service):
    """Verify planner produces structurally equivalent plans."""
    pytest.importorskip("anthropic", reason="the structural test drives the real SDK (extra [llm])")
    # The two answers differ in a parameter, as a model's do; the structure is the same.
    service.answers(
        plan_text(("http_call", {"url": "{{input.url}}"}, []), ("echo", {"message": "done"}, ["s1"])),
        plan_text(("http_call", {"url": "{{input.url}}"}, []), ("echo", {"message": "finished"}, ["s1"])),
    )
    planner = ClaudeAdapter()

    inputs = {"agent_id": "test-agent", "goal": "Fetch user data", "tool_manifest": get_test_manifest()}

    output1 = planner.plan(**inputs)
    output2 = planner.plan(**inputs)

    # Structure must match
    assert len(output1.plan["steps"]) == len(output2.plan["steps"])
    for s1, s2 in zip(output1.plan["steps"], output2.plan["steps"], strict=True):
        assert s1["skill"] == s2["skill"]
        assert s1["step_id"] == s2["step_id"]
    assert output1.plan != output2.plan
    assert planner.get_determinism_mode() == "structural"
    assert output1.deterministic is False


def test_the_seeds_output_and_error_examples_are_written_as_it_writes_them():
    output = PlannerOutput(plan={"steps": []}, metadata={"planner": "stub", "version": "1.0.0"}, deterministic=True)
    assert (output.plan, output.metadata["planner"], output.deterministic) == ({"steps": []}, "stub", True)
    assert output.as_dict() == {
        "plan": {"steps": []}, "metadata": {"planner": "stub", "version": "1.0.0"}, "deterministic": True,
    }  # fmt: skip
    error = PlannerError(
        code="PLANNER_RATE_LIMITED",
        message="Planner API rate limited",
        retryable=True,
        details={"retry_after_ms": 5000},
    )
    assert error.as_dict() == {
        "code": "PLANNER_RATE_LIMITED", "message": "Planner API rate limited", "retryable": True,
        "details": {"retry_after_ms": 5000},
    }  # fmt: skip


def test_the_seeds_plan_structure_is_a_valid_plan_and_metadata_of_the_call_stays_outside():
    output = unwrap(StubPlanner().plan("agent", "say hello"))
    (step,) = output.plan["steps"]
    assert set(step) >= {"step_id", "skill", "params", "depends_on", "on_error", "retry_count"}
    assert "generated_at" not in output.plan["metadata"]
    assert output.plan["metadata"]["planner_version"] == "1.0.0"
