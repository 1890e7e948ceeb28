"""The planner contract: the stub's golden files, hashes of inputs and plans, recordings, runs, prompts, schemas."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from golden.corpus import workshop
from golden.corpus.case import Case, as_json
from golden.corpus.command import printed
from golden.corpus.versions import PLANNERS
from planvow import canonical_bytes
from planvow.adapters.documents.json_schemas import made_schema
from planvow.contract import (
    CostModel,
    MemoPlanner,
    PlannerOutput,
    PlanRule,
    StubPlanner,
    default_registry,
    estimate,
    normalise_plan,
    plan_hash,
    plan_input_hash,
    safe_plan,
    structural_signature,
)
from planvow.contract.checking.schema import CERTIFICATE_SCHEMA
from planvow.contract.interface.inputs import read_inputs
from planvow.contract.plan.difference import differences
from planvow.contract.plan.normalise import read_plan
from planvow.contract.planners.conversation import ModelReply, ModelRequest
from planvow.contract.planners.llm import ModelPlanner
from planvow.contract.planners.stub import RuleStep
from planvow.contract.replaying.golden import make_golden
from planvow.contract.replaying.recordings import MemoryRecordings
from planvow.contract.running.run import Call, run_plan
from planvow.contract.running.run_document import run_data
from planvow.execution import StepStatus, next_steps
from planvow.governed.compile.schemas import SCHEMAS as REQUEST_SCHEMAS

SKILLS = [{"skill_id": skill, "version": "1.0.0"} for skill in ("echo", "http_call", "json_transform", "llm_invoke")]
STUB_CALLS: dict[str, dict[str, Any]] = {
    "echo": {"goal": "Say hello"},
    "fetch": {"goal": "Fetch user data from API", "tool_manifest": SKILLS},
    "fetch-with-url": {"goal": "fetch https://x.test/users?page=1", "context_summary": "the first page is enough"},
    "transform": {"goal": "extract names", "context_summary": "operation=pick path=$.users[*].name"},
    "compose": {"goal": "Write a poem about {{tea}} and “quotes”", "memory_snippets": [{"text": "likes haiku"}]},
    "chain": {"goal": "Summarize the page", "tool_manifest": SKILLS, "url": "https://x.test"},
    "two-rules": {"goal": "fetch it, then summarize and write about it"},
    "no-skills": {"goal": "Summarize the page", "tool_manifest": SKILLS[:1]},
    "no-rule": {"goal": "hit the target"},
    "empty-goal": {"goal": "   "},
}
CALL: dict[str, Any] = {
    "agent_id": "golden",
    "goal": "  Summarize   https://x.test/Page and EXPLAIN it ",
    "context_summary": " path=$.x ",
    "memory_snippets": [{"b": [1, 2.5], "a": {"é": None}}],
    "tool_manifest": [{"skill_id": s} for s in ("llm_invoke", "http_call", "json_transform")],
    "mood": "calm",
}
MANIFEST = [
    {
        "skill_id": "http_call", "version": "2.1.0", "cost_estimate_cents": 0.4, "timeout_ms": 900,
        "permissions": ["net", "dns"], "retry": {"max": 2, "retryable_codes": ["SLOW"]},
    },
    {"skill_id": "json_transform", "version": "1.0.0", "permissions": ["cpu"], "cost_estimate_cents": 1},
    {"skill_id": "llm_invoke", "version": "3.0.0", "side_effects": True, "cost_estimate_cents": 12},
]  # fmt: skip


def stub_golden(name: str) -> bytes:
    golden = make_golden(StubPlanner(), {"agent_id": "golden", **STUB_CALLS[name]})
    return canonical_bytes(golden.as_dict())


def stub_plan() -> dict[str, Any]:
    answer = StubPlanner().plan(**CALL)
    assert isinstance(answer, PlannerOutput)
    return dict(answer.plan)


def hashes() -> str:
    inputs = read_inputs(**CALL)
    rules = (PlanRule(keywords=("tea",), steps=(RuleStep(skill="brew", params={"b": "1", "a": "2"}),)),)
    named = default_registry().create("htn", domain=workshop.workshop, state=workshop.start())
    return as_json(
        {
            "inputs": inputs.as_dict(),
            "input hash": inputs.input_hash,
            "full input hash": inputs.full_hash,
            "coarse input hash": inputs.coarse_hash,
            "seed input hash": plan_input_hash(CALL["agent_id"], CALL["goal"], CALL["context_summary"]),
            "plan hash": plan_hash(stub_plan()),
            "structure": structural_signature(stub_plan()),
            "stub with own rules": StubPlanner(rules).version,
            "htn with a domain": named.version,
            "hddl with a domain": default_registry().create("hddl", domain="(define (domain d))").version,
        }
    )


def normalised() -> str:
    short = {"steps": [{"step_id": "s1", "skill": "echo", "params": {"z": 1, "a": [2]}, "on_error": "continue"}]}
    return as_json([normalise_plan(short), normalise_plan(stub_plan())])


def registered(planner_id: str, goal: str, **extra: Any) -> bytes:
    made = default_registry().create(planner_id, **extra)
    return canonical_bytes(safe_plan(made, agent_id="golden", goal=goal).as_dict())


def htn_planner() -> bytes:
    return registered("htn", '[["table"]]', domain=workshop.workshop, state=workshop.start())


def recorded() -> str:
    memo = MemoPlanner(StubPlanner())
    answers = [memo.plan(**{**CALL, "goal": goal}) for goal in ("summarize tea", "explain cups", "summarize tea")]
    kept = [[recording.key, recording.as_dict()] for recording in memo.recordings.all()]
    replaying = MemoPlanner(StubPlanner(), recordings=memo.recordings, mode="replay")
    missed = safe_plan(replaying, **{**CALL, "goal": "summarize teas"})
    empty = safe_plan(MemoPlanner(StubPlanner(), mode="replay"), **CALL)
    return as_json([*kept, *(answer.as_dict() for answer in answers), missed.as_dict(), empty.as_dict()])


class Scripted:
    """A model that first answers nonsense and then a plan."""

    def complete(self, request: ModelRequest) -> ModelReply:
        if "It cannot be used" not in request.prompt:
            return ModelReply(text="a plan? {", input_tokens=100, output_tokens=7)
        steps = (
            '[{"step_id":"s1","skill":"http_call","params":"{\\"url\\":\\"u\\"}","depends_on":[],"on_error":"abort"}]'
        )
        return ModelReply(text=f'{{"steps":{steps}}}', input_tokens=210, output_tokens=33)


def by_a_model() -> str:
    kept = MemoryRecordings()
    asked: list[ModelRequest] = []

    class Listening(Scripted):
        def complete(self, request: ModelRequest) -> ModelReply:
            asked.append(request)
            return super().complete(request)

    rates = CostModel.read({"per_input_token_cents": "0.0003", "per_output_token_cents": "0.0015", "base_cents": 1})
    planner = ModelPlanner(Listening(), model="some-model", cost_model=rates, recordings=kept)
    answer = safe_plan(planner, **CALL)
    return as_json([answer.as_dict(), *asked, *([r.key, r.as_dict()] for r in kept.all()), rates.as_dict()])


PLAN = {
    "steps": [
        {"step_id": "b", "skill": "http_call", "params": {"url": "{{input.url}}"}, "on_error": "retry"},
        {"step_id": "a", "skill": "http_call", "params": {"url": "u", "b": 1, "a": 2}, "output_key": "page"},
        {"step_id": "c", "skill": "json_transform", "params": {"data": "{{page}}", "n": "{{b.x}}"},
         "depends_on": ["b", "a"], "retry_count": 1},
        {"step_id": "d", "skill": "llm_invoke", "params": {"prompt": "say {{c}}", "idempotency_key": "d-1"},
         "depends_on": ["c"], "on_error": "continue"},
        {"step_id": "e", "skill": "echo", "params": {}, "depends_on": ["d"]},
    ]
}  # fmt: skip


def performing(call: Call) -> Any:
    if call.step_id == "b" and call.attempt == 1:
        raise TimeoutError("slow")
    if call.step_id == "d":
        raise ValueError("no model")
    return {"x": call.attempt, "got": dict(call.params)}


def run_record() -> str:
    record = run_plan(PLAN, performing, inputs={"url": "https://x.test", "a": 1}, tool_manifest=MANIFEST)
    return as_json(run_data(record))


def estimated() -> str:
    return as_json(
        [
            estimate(PLAN, MANIFEST, budget_cents=20),
            estimate(PLAN, MANIFEST[:1]),
            estimate(PLAN, [*MANIFEST, {"skill_id": "echo"}], permissions=["net"]),
            estimate({"steps": PLAN["steps"][:4]}, MANIFEST, permissions=["net", "dns", "cpu"], budget_cents=40),
        ]
    )


def next_ones() -> str:
    """Which steps may start, be skipped or end a run, as it goes on."""
    steps = read_plan(PLAN).steps
    done, failed = StepStatus.SUCCEEDED, StepStatus.FAILED
    told = ({}, {"a": done}, {"a": done, "b": done}, {"a": failed}, {"a": done, "b": done, "c": done, "d": failed})
    return as_json([next_steps(steps, statuses) for statuses in told])


def compared() -> str:
    found = differences({"b": 1, "a": [1, {"y": 2, "x": 3}], "c": 0}, {"c": 0, "a": [2, {"x": 4, "y": 5}, 6], "d": 1})
    return as_json([str(difference) for difference in found])


def planner_ids() -> str:
    """The planners that come with planvow; others may be installed beside them."""
    return as_json([name for name in default_registry().ids() if name in (*PLANNERS, "claude")])


def cases() -> Iterator[Case]:
    for name in STUB_CALLS:
        yield Case(f"contract/stub.{name}", "stub plan", lambda n=name: stub_golden(n))
    for name in ("certificate", "debate", "golden", "recording", "run"):
        yield Case(f"contract/schema.{name}", "schema", lambda n=name: printed("schema", n))
    yield Case("contract/made-schema.certificate", "schema", lambda: json.dumps(CERTIFICATE_SCHEMA, indent=1))
    yield Case("contract/made-schema.request", "governed plan", lambda: json.dumps(REQUEST_SCHEMAS, indent=1))
    for name in ("golden", "no_plan", "recording", "run", "plan"):
        yield Case(f"contract/made-schema.{name}", "schema", lambda n=name: made_schema(n))


CASES = (
    *cases(),
    Case("contract/hashes", "contract hashes", hashes),
    Case("contract/normalised", "contract plan", normalised),
    Case("contract/htn", "htn plan", htn_planner),
    Case("contract/recorded", "recording", recorded),
    Case("contract/by-a-model", "prompt", by_a_model),
    Case("contract/run", "run", run_record),
    Case("contract/next-steps", "run", next_ones),
    Case("contract/simulated", "contract plan", estimated),
    Case("contract/differences", "contract plan", compared),
    Case("contract/planners", "planners", planner_ids),
)
