"""The published schemas describe what planvow really writes, and refuse what it would refuse."""

from __future__ import annotations

import json

import pytest
from jsonschema import Draft202012Validator

from planvow.adapters.json_schemas import SCHEMAS, schema_names, schema_text
from planvow.canonical import to_jsonable
from planvow.contract import StubPlanner
from planvow.contract.golden import make_golden
from planvow.contract.inputs import read_inputs
from planvow.contract.recordings import Recording
from planvow.contract.run import run_plan
from planvow.contract.run_document import run_data


def check(name, value):
    return Draft202012Validator(json.loads(schema_text(name))).is_valid(value)


@pytest.fixture
def output():
    return StubPlanner().plan("a", "summarize it")


@pytest.mark.parametrize("name", schema_names())
def test_every_published_schema_is_a_valid_schema(name):
    Draft202012Validator.check_schema(json.loads(schema_text(name)))


def test_every_document_planvow_writes_fits_its_schema(output):
    inputs = read_inputs("a", "summarize it", None, [{"m": 1}], [{"skill_id": "s"}])
    recording = Recording(maker="stub", maker_version="1.0.0", request=inputs.as_dict(), answer=output.as_dict())
    documents = {
        "plan": output.plan,
        "planner_output": output.as_dict(),
        "planner_error": StubPlanner().plan("a", "").as_dict(),
        "planner_inputs": inputs.as_dict(),
        "recording": recording.as_dict(),
        "golden": make_golden(StubPlanner(), {"agent_id": "a", "goal": "echo x"}).as_dict(),
        "run": run_data(
            run_plan(StubPlanner().plan("a", "echo x").plan, lambda _: None, tool_manifest=[{"skill_id": "echo"}])
        ),
        "skill": {"skill_id": "x", "retry": {"max": 1, "retryable_codes": ["A"]}, "permissions": ["p"]},
    }
    assert sorted(documents) == sorted(SCHEMAS)
    assert [name for name, value in documents.items() if not check(name, to_jsonable(value))] == []


def test_unknown_fields_and_missing_ones_do_not_fit(output):
    assert not check("plan", {**output.plan, "extra": 1})
    assert not check("plan", {"steps": [{"step_id": "a", "skill": "x"}]})
    assert not check("plan", {"steps": [{"step_id": "a", "skill": "x", "params": {}, "on_error": "explode"}]})
    assert check("plan", {"steps": [{"step_id": "a", "skill": "x", "params": {}}]})
    assert not check("planner_error", {"code": "X"})
