"""The planner `claude` with the real SDK against a Messages API on the loopback interface."""

from __future__ import annotations

import asyncio
import json
import sys

import pytest

from messages_api import MessagesServer, message, plan_text
from planvow.adapters.models.anthropic_client import ClaudeAdapter
from planvow.adapters.models.recording_files import DirectoryRecordings
from planvow.clock import LogicalClock
from planvow.contract import CostModel, MemoPlanner, PlannerErrorCode, PlannerOutput, default_registry
from planvow.contract.replaying.recordings import MemoryRecordings

anthropic = pytest.importorskip("anthropic", reason="needs the extra [llm]")

GOOD = plan_text(("echo", {"message": "tea"}, []))
ASK = {"agent_id": "a", "goal": "say tea", "tool_manifest": [{"skill_id": "echo"}]}


@pytest.fixture(scope="module")
def server():
    running = MessagesServer()
    yield running
    running.close()


@pytest.fixture
def make(server):
    server.requests.clear()

    def make(**options):
        client = anthropic.Anthropic(base_url=server.url, api_key="test-key")
        return ClaudeAdapter(client, **options)

    return make


def test_a_valid_answer_becomes_a_plan_with_its_accounts(server, make):
    server.answers(GOOD)
    output = make(clock=LogicalClock()).plan(**ASK)
    assert output.plan["steps"][0] == {
        "step_id": "s1", "skill": "echo", "params": {"message": "tea"}, "depends_on": [], "on_error": "abort",
        "retry_count": 3, "output_key": "s1",
    }  # fmt: skip
    assert {k: output.metadata[k] for k in ("input_tokens", "output_tokens", "cost_cents", "cost_cents_exact")} == {
        "input_tokens": 1500, "output_tokens": 200, "cost_cents": 6, "cost_cents_exact": "5.100",
    }  # fmt: skip
    assert output.metadata["generated_at"] == "1970-01-01T00:00:00.000Z"
    assert "generated_at" not in output.plan["metadata"]
    assert output.plan["metadata"]["model"] == output.metadata["model"]


def test_the_request_binds_the_answer_to_the_schema_and_has_no_sampling_knob(server, make):
    server.answers(GOOD)
    make().plan(**ASK)
    (request,) = server.requests
    body = request["body"]
    assert request["path"] == "/v1/messages"
    schema = body["output_config"]["format"]["schema"]
    assert schema["properties"]["steps"]["items"]["properties"]["skill"]["enum"] == ["echo"]
    assert not {"temperature", "top_p", "top_k"} & set(body)
    _, asked = body["messages"][0]["content"]
    assert '"goal":"say tea"' in asked["text"]
    assert "cache_control" not in asked


def test_the_manifest_comes_before_the_goal_and_is_marked_for_the_cache(server, make):
    server.answers(GOOD)
    make().plan(**ASK)
    make().plan(**{**ASK, "goal": "say coffee"})
    first, second = (request["body"]["messages"][0]["content"] for request in server.requests)
    assert first[0] == second[0]
    assert first[0]["cache_control"] == {"type": "ephemeral"}
    assert '"skill_id":"echo"' in first[0]["text"]
    assert "skill_id" not in first[1]["text"]


def test_cached_and_written_tokens_are_counted_and_priced(server, make):
    usage = {
        "input_tokens": 100, "output_tokens": 10, "cache_read_input_tokens": 900, "cache_creation_input_tokens": 50,
    }  # fmt: skip
    server.answers(server.sends(200, {**message(GOOD), "usage": usage}))
    rates = CostModel.read(
        {"per_input_token_cents": 1, "per_output_token_cents": 10, "per_cached_token_cents": "0.1",
         "per_written_token_cents": 2}
    )  # fmt: skip
    found = make(rates=rates).plan(**ASK).metadata
    assert (found["input_tokens"], found["cached_tokens"], found["written_tokens"]) == (1050, 900, 50)
    assert found["cost_cents"] == 100 + 90 + 100 + 100


def test_waiting_without_holding_up_others_gives_the_same_plan(server, make):
    server.answers(GOOD)
    planner = make()

    async def both():
        return await asyncio.gather(planner.aplan(**ASK), planner.aplan(**ASK))

    first, second = asyncio.run(both())
    assert first.plan == second.plan == planner.plan(**ASK).plan
    server.answers(MessagesServer.fails(429, "rate_limit_error", "slow down", retry_after="7"))
    answer = asyncio.run(planner.aplan(**ASK))
    assert (answer.code, answer.details["retry_after_ms"]) == ("PLANNER_RATE_LIMITED", 7000)


def test_an_error_shows_the_services_own_words(server, make):
    server.answers(MessagesServer.fails(400, "invalid_request_error", "your credit balance is too low"))
    assert "your credit balance is too low" in make().plan(**ASK).message


def test_a_broken_answer_is_repaired_once_and_both_attempts_are_paid_for(server, make):
    server.answers('{"steps": [{"step_id": "s1", "ski', GOOD)
    output = make().plan(**ASK)
    assert isinstance(output, PlannerOutput)
    assert (output.metadata["attempts"], output.metadata["input_tokens"]) == (2, 3000)
    assert "not JSON" in server.requests[1]["body"]["messages"][0]["content"][1]["text"]


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("Here is your plan: " + GOOD, "$"),
        ('{"steps": "none"}', "$.steps"),
        ('{"steps": []}', "$.steps"),
        ('{"plan": {}}', "$.steps"),
        (plan_text(("shout", {}, [])), "$.steps[0].skill"),
        (plan_text(("echo", {}, ["s9"])), "$.steps[0].depends_on[0]"),
        (GOOD.replace('"s1"', '"first"'), "$.steps[0].step_id"),
        (GOOD.replace('"{\\"message\\": \\"tea\\"}"', '"not an object"'), "$.steps[0].params"),
        (GOOD.replace("tea", "{{s7.x}}"), "$.steps[0].params.message"),
        ('{"steps": [NaN]}', "$"),
        ("[" * 100_000, "$"),
    ],
)
def test_what_is_still_no_plan_after_the_repair_is_an_error_and_nothing_is_made_up(server, make, text, path):
    server.answers(text)
    answer = make().plan(**ASK)
    assert answer.code == PlannerErrorCode.INVALID_PLAN
    assert answer.details["problems"][0]["path"] == path
    assert answer.details["attempts"] == len(server.requests) == 2
    assert answer.details["cost_cents"] == 11  # 2 · 1700 tokens · 0.003 cents = 10.2, rounded up


def test_an_answer_cut_off_by_its_token_limit_is_asked_for_again(server, make):
    server.answers(server.says(GOOD[:30], stop_reason="max_tokens"), GOOD)
    assert isinstance(make().plan(**ASK), PlannerOutput)
    assert "cut off" in server.requests[1]["body"]["messages"][0]["content"][1]["text"]


@pytest.mark.parametrize(
    ("entry", "code", "retryable", "details"),
    [
        (MessagesServer.fails(429, "rate_limit_error", "slow down", retry_after="7"), "PLANNER_RATE_LIMITED", True,
         {"retry_after_ms": 7000, "http_status": 429}),
        (MessagesServer.fails(429, "rate_limit_error", "slow down", retry_after_ms="250"), "PLANNER_RATE_LIMITED", True,
         {"retry_after_ms": 250}),
        (MessagesServer.fails(529, "overloaded_error", "busy"), "PLANNER_RATE_LIMITED", True,
         {"retry_after_ms": 5000, "http_status": 529}),
        (MessagesServer.fails(400, "invalid_request_error", "prompt is too long: 9 tokens > 8 maximum"),
         "PLANNER_CONTEXT_TOO_LONG", False, {"http_status": 400}),
        (MessagesServer.fails(413, "request_too_large", "too big"), "PLANNER_CONTEXT_TOO_LONG", False, {}),
        (MessagesServer.fails(504, "timeout_error", "late"), "PLANNER_TIMEOUT", True, {}),
        (MessagesServer.fails(500, "api_error", "oops"), "PLANNER_GENERATION_FAILED", True, {"http_status": 500}),
        (MessagesServer.fails(401, "authentication_error", "who?"), "PLANNER_GENERATION_FAILED", False, {}),
        (MessagesServer.sends(400, b"<html>"), "PLANNER_GENERATION_FAILED", False, {"http_status": 400}),
        (MessagesServer.sends(200, b'{"id": "msg'), "PLANNER_GENERATION_FAILED", False, {}),
        (MessagesServer.sends(200, {"content": None}), "PLANNER_GENERATION_FAILED", False, {}),
        (MessagesServer.sends(200, [1, 2]), "PLANNER_GENERATION_FAILED", False, {}),
        (MessagesServer.breaks_off, "PLANNER_GENERATION_FAILED", True, {}),
        (MessagesServer.says("no", stop_reason="refusal"), "PLANNER_GENERATION_FAILED", False, {"output_tokens": 200}),
        (MessagesServer.says("", stop_reason="model_context_window_exceeded"), "PLANNER_CONTEXT_TOO_LONG", False, {}),
    ],
)  # fmt: skip
def test_every_way_the_service_can_fail_has_a_code(server, make, entry, code, retryable, details):
    server.answers(entry)
    answer = make().plan(**ASK)
    assert (answer.code, answer.retryable) == (code, retryable)
    assert details.items() <= answer.details.items()
    assert len(server.requests) == 1  # neither the SDK nor the adapter retried behind the caller's back
    json.dumps(answer.as_dict())


def test_a_service_that_hangs_is_a_timeout(server, make):
    server.answers(server.hangs())
    answer = make(timeout_s=0.3).plan(**ASK)
    assert (answer.code, answer.retryable) == (PlannerErrorCode.TIMEOUT, True)


def test_a_service_that_is_not_there_can_be_tried_again():
    gone = MessagesServer()
    gone.close()
    client = anthropic.Anthropic(base_url=gone.url, api_key="test-key")
    answer = ClaudeAdapter(client).plan(**ASK)
    assert (answer.code, answer.retryable) == (PlannerErrorCode.GENERATION_FAILED, True)


def test_without_credentials_the_answer_says_so(monkeypatch, tmp_path):
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("ANTHROPIC_CONFIG_DIR", str(tmp_path))
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:9")
    answer = default_registry().create("claude").plan(**ASK)
    assert answer.code == PlannerErrorCode.GENERATION_FAILED
    assert not answer.retryable
    assert answer.details["error"] == "MISSING_CREDENTIALS"
    assert "set ANTHROPIC_API_KEY" in answer.details["hint"]


def test_without_the_sdk_the_answer_names_the_extra_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "anthropic", None)
    answer = default_registry().create("claude").plan(**ASK)
    assert answer.code == PlannerErrorCode.GENERATION_FAILED
    assert answer.details["error"] == "MISSING_EXTRA"
    assert answer.details["hint"] == "pip install 'planvow[llm]'"


def test_recordings_answer_the_same_prompt_with_the_same_bytes_and_no_request(server, make, tmp_path):
    store = DirectoryRecordings(tmp_path)
    server.answers('{"broken', GOOD)
    first = make(recordings=store).plan(**ASK)
    assert len(server.requests) == 2
    again = make(recordings=store, mode="replay").plan(**ASK)
    assert len(server.requests) == 2
    assert again.plan == first.plan
    assert again.metadata["cost_cents"] == first.metadata["cost_cents"]
    assert len(list(tmp_path.glob("*.json"))) == 2  # the answer and its repair
    assert list(tmp_path.glob("*.draft")) == []


def test_a_miss_in_replay_mode_fails_closed_and_shows_what_changed(server, make):
    store = MemoryRecordings()
    server.answers(GOOD)
    make(recordings=store).plan(**ASK)
    answer = make(recordings=store, mode="replay").plan(**{**ASK, "goal": "say coffee"})
    assert len(server.requests) == 1
    assert answer.details["error"] == "RECORDING_MISSING"
    assert '$.request.inputs.goal: expected "say tea", found "say coffee"' in answer.message


def test_another_model_does_not_answer_from_this_ones_recordings(server, make):
    store = MemoryRecordings()
    server.answers(GOOD)
    make(recordings=store).plan(**ASK)
    answer = make(recordings=store, mode="replay", model="another").plan(**ASK)
    assert "$.maker" in answer.message


def test_recording_again_replaces_the_answer(server, make, tmp_path):
    store = DirectoryRecordings(tmp_path)
    server.answers(GOOD)
    make(recordings=store).plan(**ASK)
    server.answers(GOOD.replace("tea", "more tea"))
    assert "more" not in json.dumps(make(recordings=store).plan(**ASK).plan)
    assert "more" in json.dumps(make(recordings=store, mode="record").plan(**ASK).plan)
    assert "more" in json.dumps(make(recordings=store).plan(**ASK).plan)


def test_memo_makes_a_model_fully_deterministic(server, make):
    server.answers(GOOD, GOOD.replace("tea", "other"))
    memo = MemoPlanner(make())
    assert memo.plan(**ASK).plan == memo.plan(**ASK).plan
    assert len(server.requests) == 1
    assert memo.get_determinism_mode() == "full"


def test_an_edited_recording_is_not_trusted(server, make, tmp_path):
    store = DirectoryRecordings(tmp_path)
    server.answers(GOOD)
    make(recordings=store).plan(**ASK)
    (path,) = tmp_path.glob("*.json")
    path.write_text(path.read_text().replace("say tea", "say beer"))
    answer = make(recordings=store, mode="replay").plan(**ASK)
    assert answer.code == PlannerErrorCode.INVALID_INPUT
    assert "edited" in answer.message
