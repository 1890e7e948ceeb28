"""The published schemas describe what planvow really writes, and refuse what it would refuse."""

from __future__ import annotations

import json

import pytest
from jsonschema import Draft202012Validator

from planvow import Domain, Goal, State, plan
from planvow.adapters.documents.json_schemas import SCHEMAS, schema_names, schema_text
from planvow.canonical import to_jsonable
from planvow.contract import StubPlanner
from planvow.contract.checking.form import well_formed
from planvow.contract.interface.inputs import read_inputs
from planvow.contract.replaying.golden import make_golden
from planvow.contract.replaying.recordings import Recording
from planvow.contract.running.run import run_plan
from planvow.contract.running.run_document import run_data
from planvow.hddl import parse_domain, parse_problem
from planvow.hddl.solve.no_plan import prove_no_plan

HEATING = """(define (domain heating) (:predicates (lit) (hot)) (:task heat :parameters ())
  (:method m :parameters () :task (heat) :ordered-subtasks (boil))
  (:action boil :parameters () :precondition (lit) :effect (hot)))"""
IMPOSSIBLE = "(define (problem p) (:domain heating) (:htn :ordered-subtasks (heat)) (:init))"


def check(name, value):
    return Draft202012Validator(json.loads(schema_text(name))).is_valid(value)


@pytest.fixture
def output():
    return StubPlanner().plan("a", "summarize it")


@pytest.mark.long
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
        "no_plan": prove_no_plan(parse_problem(IMPOSSIBLE, parse_domain(HEATING))),
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


def kettle(state):
    state.hot["kettle"] = state.content["kettle"] == "water"
    return state


@pytest.fixture
def certificates():
    """A timed certificate with tasks and goals, and one without times."""
    domain = Domain("tea")
    domain.command(kettle, name="boil")
    domain.method(goal="hot", name="by_boiling")(lambda state, what, wanted: [("boil",)])
    timed = Domain("timed", commands=dict(domain.commands), goal_methods=dict(domain.goal_methods))
    timed.command(kettle, name="boil", duration=5)
    start = State(hot={"kettle": False}, content={"kettle": "water"})
    todo = [Goal("hot", "kettle", True), {"hot": {"kettle": True}}]
    return [plan(each, start, todo).certificate().document for each in (domain, timed)]


def mutants(value):
    """Yield the value with one part of it replaced by something of another kind, dropped or added."""
    for wrong in (None, 3, -1.5, "x", [], {}, True, ["a"], ["a", "b"], {"extra": 1}):
        if wrong != value:
            yield wrong
    if isinstance(value, dict):
        yield {**value, "extra": 1}
        for key in value:
            yield {k: v for k, v in value.items() if k != key}
            yield from ({**value, key: changed} for changed in mutants(value[key]))
    elif isinstance(value, list):
        yield [*value, 7]
        for index in range(min(len(value), 2)):
            yield value[:index] + value[index + 1 :]
            yield from ([*value[:index], changed, *value[index + 1 :]] for changed in mutants(value[index]))


@pytest.mark.long
def test_the_schema_of_certificates_and_the_checker_agree_on_every_mutant(certificates):
    validator = Draft202012Validator(json.loads(schema_text("certificate")))
    judged = 0
    for document in certificates:
        document = json.loads(json.dumps(to_jsonable(document)))
        assert validator.is_valid(document)
        for mutant in mutants(document):
            assert validator.is_valid(mutant) == (well_formed(mutant) is None), mutant
            judged += 1
    assert judged > 1_000
