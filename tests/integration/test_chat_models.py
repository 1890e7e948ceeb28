"""The planners `openai` (real SDK) and `chat` (plain HTTP) against chat completions on the loopback interface."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys

import pytest

from messages_api import MessagesServer, completion, plan_text
from planvow.adapters.models.prices import read_prices
from planvow.contract import CostModel, default_registry, unwrap
from planvow.contract.errors import GenerationFailedError
from planvow.contract.plan.manifest import read_manifest
from planvow.contract.planners.answer_schema import MAX_PROPERTIES, plan_schema
from planvow.errors import EXIT_INVALID, InputError

pytest.importorskip("openai", reason="needs the extra [openai]")

GOOD = plan_text(("echo", {"message": "tea"}, []))
ASK = {"agent_id": "a", "goal": "say tea", "tool_manifest": [{"skill_id": "echo"}]}
BOTH = pytest.mark.parametrize("planner_id", ["openai", "chat"])


@pytest.fixture(scope="module")
def server():
    running = MessagesServer()
    yield running
    running.close()


@pytest.fixture
def make(server, monkeypatch):
    server.requests.clear()
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-first-service")
    monkeypatch.delenv("PLANVOW_MODEL_KEY", raising=False)

    def make(planner_id, **options):
        return default_registry().create(planner_id, base_url=f"{server.url}/v1", model="qwen", **options)

    return make


def sends(text, **options):
    return MessagesServer.sends(200, completion(text, **options))


@BOTH
def test_a_valid_answer_becomes_the_same_plan_through_both_clients(server, make, planner_id):
    server.answers(sends(GOOD, cached=1000))
    output = make(planner_id).plan(**ASK)
    assert output.plan["steps"][0]["params"] == {"message": "tea"}
    assert (output.metadata["input_tokens"], output.metadata["cached_tokens"]) == (1500, 1000)
    assert "cost_cents" not in output.metadata  # nobody said what this model costs
    (request,) = server.requests
    body = request["body"]
    assert request["path"] == "/v1/chat/completions"
    assert body["response_format"]["json_schema"]["strict"] is True
    assert [message["role"] for message in body["messages"]] == ["system", "user"]
    manifest, goal = (body["messages"][1]["content"].index(part) for part in ("skill_id", "say tea"))
    assert manifest < goal


@BOTH
def test_the_key_of_one_service_is_never_sent_to_another(server, make, planner_id, monkeypatch):
    server.answers(sends(GOOD))
    make(planner_id).plan(**ASK)
    assert "sk-of-the-first-service" not in json.dumps(server.requests)
    monkeypatch.setenv("PLANVOW_MODEL_KEY", "key-for-this-one")
    make(planner_id).plan(**ASK)
    headers = {name.lower(): value for name, value in server.requests[1]["headers"].items()}
    assert headers["authorization"] == "Bearer key-for-this-one"


@BOTH
@pytest.mark.parametrize(
    ("entry", "code", "retryable", "words"),
    [
        (MessagesServer.fails(429, "rate_limit", "slow down", retry_after="7"), "PLANNER_RATE_LIMITED", True, "slow"),
        (MessagesServer.fails(404, "model_not_found", "no model is called qwen"), "PLANNER_GENERATION_FAILED", False,
         "no model is called qwen"),
        (MessagesServer.fails(400, "bad", "maximum context length is 8"), "PLANNER_CONTEXT_TOO_LONG", False, "is 8"),
        (MessagesServer.fails(500, "oops", "out of memory"), "PLANNER_GENERATION_FAILED", True, "out of memory"),
        (MessagesServer.sends(302, {}, location="http://127.0.0.1:9/"), "PLANNER_GENERATION_FAILED", None, ""),
        (MessagesServer.sends(200, b"<html>"), "PLANNER_GENERATION_FAILED", False, "could not be used"),
        (MessagesServer.sends(200, {"choices": []}), "PLANNER_GENERATION_FAILED", False, "could not be used"),
        (MessagesServer.sends(200, {"choices": [{"message": {"content": 7}}]}), "PLANNER_GENERATION_FAILED", False, ""),
        (MessagesServer.breaks_off, "PLANNER_GENERATION_FAILED", True, "could not be reached"),
        (sends("", refusal="I will not"), "PLANNER_GENERATION_FAILED", False, "refused"),
        (sends("no", finish_reason="content_filter"), "PLANNER_GENERATION_FAILED", False, "refused"),
        (sends(GOOD[:20], finish_reason="length"), "PLANNER_INVALID_PLAN", False, "cut off"),
    ],
)  # fmt: skip
def test_every_way_the_service_can_fail_has_a_code_and_its_own_words(
    server, make, planner_id, entry, code, retryable, words
):
    server.answers(entry)
    answer = make(planner_id).plan(**ASK)
    assert answer.code == code
    assert retryable is None or answer.retryable is retryable
    assert words in answer.message
    json.dumps(answer.as_dict())


@BOTH
def test_a_service_that_hangs_is_a_timeout(server, make, planner_id):
    server.answers(server.hangs())
    answer = make(planner_id, timeout_s=0.3).plan(**ASK)
    assert (answer.code, answer.retryable) == ("PLANNER_TIMEOUT", True)


@BOTH
def test_waiting_without_holding_up_others_gives_the_same_plan(server, make, planner_id):
    server.answers(sends(GOOD))
    planner = make(planner_id)
    assert asyncio.run(planner.aplan(**ASK)).plan == planner.plan(**ASK).plan


@BOTH
def test_without_a_key_the_answer_names_the_variable(planner_id, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    answer = default_registry().create(planner_id).plan(**ASK)
    assert answer.details["error"] == "MISSING_CREDENTIALS"
    assert "OPENAI_API_KEY" in answer.details["hint"]
    with pytest.raises(GenerationFailedError) as failed:
        unwrap(answer)
    assert failed.value.exit_code == EXIT_INVALID  # the environment lacks something: nothing was refused


@BOTH
@pytest.mark.parametrize("url", ["ftp://host", "host:80", "https://user:secret@host/v1"])
def test_what_is_no_address_of_a_service_is_refused(planner_id, url):
    with pytest.raises(InputError, match="address") as caught:
        default_registry().create(planner_id, base_url=url)
    assert "secret" not in str(caught.value)


# --- the schema of every skill in the structured output ----------------------------------------------------------

BOOK = {
    "skill_id": "book",
    "input_schema": {
        "type": "object",
        "properties": {
            "room": {"type": "string", "description": "which room"},
            "nights": {"type": "integer", "minimum": 1},
            "guest": {"$ref": "#/$defs/Guest"},
            "meals": {"type": "array", "items": {"enum": ["breakfast", "dinner"]}},
        },
        "required": ["room", "nights"],
        "$defs": {"Guest": {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}},
    },
}


def params_of(schema, skill):
    items = schema["properties"]["steps"]["items"]
    kinds = items.get("anyOf", [items])
    (found,) = (kind for kind in kinds if kind["properties"]["skill"].get("enum") == [skill])
    return found["properties"]["params"]


def test_the_answers_schema_has_the_parameters_of_every_skill():
    params = params_of(plan_schema(read_manifest([BOOK, {"skill_id": "echo"}])), "book")
    assert params["additionalProperties"] is False
    assert params["required"] == ["guest", "meals", "nights", "room"]  # all: what is not needed may be null
    assert params["properties"]["room"] == {"type": "string", "description": "which room"}
    whole = params["properties"]["nights"]["anyOf"]
    assert whole[0] == {"type": "integer"}
    assert {"type": "null"} not in whole
    assert {"type": "null"} in params["properties"]["guest"]["anyOf"]
    assert "name" in params["properties"]["guest"]["anyOf"][0]["properties"]


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "properties": {}, "additionalProperties": True},
        {"type": "object", "properties": {"a": {}}},
        {"type": "object", "properties": {"a": {"$ref": "#/$defs/A"}},
         "$defs": {"A": {"type": "object", "properties": {"again": {"$ref": "#/$defs/A"}}}}},
        {"type": "object",
         "properties": {"x": {"$ref": "#/$defs/d0"}},
         "$defs": {
             f"d{n}": {"type": "object", "properties": {k: {"$ref": f"#/$defs/d{min(n + 1, 11)}"} for k in "abcdefgh"}}
             for n in range(12)
         }},
    ],
)  # fmt: skip
def test_parameters_that_no_closed_schema_can_say_stay_text(schema):
    params = params_of(plan_schema(read_manifest([{"skill_id": "odd", "input_schema": schema}])), "odd")
    assert params["type"] == "string"


def test_a_manifest_too_large_for_a_schema_leaves_parameters_as_text():
    wide = {"type": "object", "properties": {f"p{n}": {"type": "string"} for n in range(MAX_PROPERTIES // 2 + 1)}}
    many = [{"skill_id": name, "input_schema": wide} for name in ("one", "two")]
    schema = plan_schema(read_manifest(many))
    assert schema["properties"]["steps"]["items"]["properties"]["skill"]["enum"] == ["one", "two"]


def test_parameters_come_as_an_object_and_nulls_are_left_out(server, make):
    step = {"step_id": "s1", "skill": "book", "depends_on": [], "on_error": "abort",
            "params": {"room": "12", "nights": "{{input.nights}}", "guest": None, "meals": ["dinner"]}}  # fmt: skip
    server.answers(sends(json.dumps({"steps": [step]})))
    output = make("chat").plan(**{**ASK, "tool_manifest": [BOOK]})
    assert output.plan["steps"][0]["params"] == {"room": "12", "nights": "{{input.nights}}", "meals": ["dinner"]}


# --- the command -------------------------------------------------------------------------------------------------


def planvow(*arguments, **environment):
    return subprocess.run(
        [sys.executable, "-m", "planvow", *map(str, arguments)], capture_output=True, text=True, check=False,
        env={**os.environ, **environment}, timeout=60,
    )  # fmt: skip


@pytest.mark.long
def test_a_recorded_plan_of_a_model_is_replayed_without_any_service(tmp_path):
    server = MessagesServer()
    server.answers(sends('{"broken'), sends(GOOD))
    kept = tmp_path / "tea.json"
    prices = tmp_path / "prices.toml"
    prices.write_text("[qwen]\ninput = 100\noutput = 1000\n")
    try:
        made = planvow(
            "ask", "chat", "say tea", "--model", "qwen", "--base-url", server.url, "--prices", prices,
            "--record", kept, "--json", PLANVOW_MODEL_KEY="key-4711",
        )  # fmt: skip
        assert made.returncode == 0, made.stderr
        asked = len(server.requests)
    finally:
        server.close()
    assert asked == 2  # the answer and its repair
    found = json.loads(made.stdout)["metadata"]
    assert found["cost_cents_exact"] == str(CostModel.read(
        {"per_input_token_cents": "0.0001", "per_output_token_cents": "0.001"}
    ).cost(input_tokens=3000, output_tokens=400))  # fmt: skip
    assert "key-4711" not in kept.read_text()
    again = planvow("replay", kept, OPENAI_API_KEY="", PLANVOW_MODEL_KEY="")  # the service is gone, and so is its key
    assert (again.returncode, "same" in again.stdout) == (0, True), again.stderr
    other = json.loads(kept.read_text())
    other["answer"]["replies"][1]["answer"]["text"] = GOOD.replace("echo", "shout")
    (tmp_path / "other.json").write_text(json.dumps(other))
    changed = planvow("replay", tmp_path / "other.json")
    assert changed.returncode == 1, changed.stderr
    assert "first difference at" in changed.stderr
    without = json.loads(kept.read_text())
    del without["answer"]["replies"]
    kept.write_text(json.dumps(without))
    refused = planvow("replay", kept, OPENAI_API_KEY="sk-x")
    assert refused.returncode == 2
    assert "a replay never asks a service" in refused.stderr


def test_what_a_model_said_and_was_printed_is_replayed_without_any_service(tmp_path):
    server = MessagesServer()
    server.answers(sends(GOOD))
    printed = tmp_path / "printed.json"
    try:
        made = planvow(
            "ask",
            "chat",
            "say tea",
            "--model",
            "qwen",
            "--base-url",
            server.url,
            "--json",
            PLANVOW_MODEL_KEY="key-4711",
        )
        printed.write_text(made.stdout)
        again = planvow("replay", printed)
        verified, replanned = planvow("verify", printed), planvow("verify", printed, "--replan")
        document = json.loads(made.stdout)
        del document["replies"]
        printed.write_text(json.dumps(document))
        refused = planvow("replay", printed)
        assert len(server.requests) == 1
    finally:
        server.close()
    assert (again.returncode, "same" in again.stdout) == (0, True), again.stderr
    assert "key-4711" not in made.stdout
    assert (verified.returncode, replanned.returncode) == (0, 2)
    assert "a check calls no service" in replanned.stderr
    assert refused.returncode == 2
    assert "a replay never asks a service" in refused.stderr


@pytest.mark.long
def test_a_planner_that_asks_no_model_refuses_a_model(tmp_path):
    refused = planvow("ask", "stub", "say tea", "--model", "qwen")
    assert refused.returncode == 2
    assert "asks no model" in refused.stderr


@pytest.mark.parametrize(
    ("table", "place"),
    [("[m]\ninput = 1\n", "m.output"), ("[m]\ninput = -1\noutput = 1\n", "m.input"), ("[m]\ninptu = 1", "'inptu'"),
     ("m = 1", "m"), ("[m", "TOML"), ("[m]\ninput = nan\noutput = 1", "m.input")],
)  # fmt: skip
def test_a_table_of_prices_with_a_fault_is_refused_with_its_place(tmp_path, table, place):
    (tmp_path / "prices.toml").write_text(table)
    with pytest.raises(InputError) as caught:
        read_prices(tmp_path / "prices.toml")
    assert place in f"{caught.value.place} {caught.value.message}"
