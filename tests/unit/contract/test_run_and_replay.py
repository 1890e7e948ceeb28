"""Runs in memory and their replay: what must match, what may differ."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from planvow.canonical import canonical_bytes
from planvow.contract import StubPlanner
from planvow.contract.errors import InvalidPlanError, SandboxRefusedError, SkillFailedError
from planvow.contract.replaying.recordings import Recording, read_recording
from planvow.contract.replaying.replay import compare_runs, replay_plan, replay_run
from planvow.contract.running.run import run_plan
from planvow.contract.running.run_document import read_run, run_data
from planvow.contract.running.sandbox import SandboxPolicy
from planvow.errors import InputError
from planvow.execution import StepStatus
from planvow.retry import ErrorClass, Failure

MANIFEST = [
    {"skill_id": "fetch", "version": "1.2.0", "cost_estimate_cents": 0.4},
    {"skill_id": "save", "version": "2.0.0", "side_effects": True},
    {"skill_id": "say"},
]


def step(step_id, skill, *depends_on, **fields):
    return {"step_id": step_id, "skill": skill, "params": {}, "depends_on": list(depends_on), **fields}


PLAN = {
    "steps": [
        step("get", "fetch", params={"url": "{{input.url}}"}, retry_count=2),
        step("keep", "save", "get", params={"body": "{{get.body}}", "idempotency_key": "k1"}),
        step("tell", "say", "keep", params={"text": "kept {{keep.bytes}} bytes"}),
    ]
}


class World:
    """A small world whose first answers can be made to fail."""

    def __init__(self, *failures, body="tea"):
        self.failures = list(failures)
        self.calls = []
        self.body = body

    def __call__(self, call):
        self.calls.append((call.step_id, call.attempt, dict(call.params)))
        if self.failures:
            failure = self.failures.pop(0)
            if failure is not None:
                raise failure
        return {"fetch": {"body": self.body}, "save": {"bytes": len(self.body)}, "say": "said"}[call.skill]


def run(world, plan=PLAN, **options):
    return run_plan(plan, world, inputs={"url": "x"}, tool_manifest=MANIFEST, **options)


def statuses(record):
    return [(s.step_id, s.status.value) for s in record.steps]


def test_a_run_fills_placeholders_and_records_every_step():
    world = World()
    record = run(world)
    assert [c[2] for c in world.calls] == [
        {"url": "x"}, {"body": "tea", "idempotency_key": "k1"}, {"text": "kept 3 bytes"},
    ]  # fmt: skip
    assert statuses(record) == [("get", "succeeded"), ("keep", "succeeded"), ("tell", "succeeded")]
    assert record.outputs() == {"get": {"body": "tea"}, "keep": {"bytes": 3}, "tell": "said"}
    assert record.run_id == run(World()).run_id
    assert [s.skill_version for s in record.steps] == ["1.2.0", "2.0.0", "0.0.0"]


def test_retryable_failures_are_retried_and_their_waits_are_recorded():
    waits = []
    record = run(World(TimeoutError("slow"), ConnectionError("gone")), wait=waits.append)
    first = record.steps[0]
    assert [a.error_code for a in first.attempts] == ["TimeoutError", "ConnectionError", None]
    assert [a.delay_ms for a in first.attempts[:2]] == waits
    assert all(w > 0 for w in waits)
    assert first.cost_cents == 2  # three attempts at 0.4 cents, rounded up
    assert record.succeeded


def test_after_the_last_attempt_abort_starts_nothing_else():
    record = run(World(*[TimeoutError()] * 3))
    assert statuses(record) == [("get", "failed"), ("keep", "skipped"), ("tell", "skipped")]
    assert record.steps[0].reason == "all 3 attempts failed"
    assert record.steps[2].reason == "the plan was stopped by get"
    assert not record.succeeded


def test_continue_runs_what_is_independent():
    plan = {"steps": [step("a", "say", on_error="continue"), step("b", "say", "a"), step("c", "say")]}
    record = run(World(PermissionError()), plan)
    assert statuses(record) == [("a", "failed"), ("b", "skipped"), ("c", "succeeded")]


def test_a_skill_can_say_itself_how_it_failed():
    failure = Failure(code="BUSY", error_class=ErrorClass.TRANSIENT, retry_after_ms=70_000)
    record = run(World(SkillFailedError(failure)))
    assert record.steps[0].attempts[0].error_code == "BUSY"
    assert record.steps[0].attempts[0].delay_ms == 70_000
    assert record.succeeded


def test_an_input_that_nothing_fills_fails_the_step_and_calls_nothing():
    world = World()
    record = run_plan(PLAN, world, tool_manifest=MANIFEST)
    assert record.steps[0].attempts[0].error_code == "UNRESOLVED_REFERENCE"
    assert world.calls == []


def test_filled_parameters_are_checked_against_the_schema_and_the_sandbox():
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}}
    plan = {"steps": [step("a", "count", params={"n": "{{input.n}}", "path": "{{input.p}}"})]}
    manifest = [{"skill_id": "count", "input_schema": schema}]

    def code(**inputs):
        return run_plan(plan, lambda _: 1, inputs=inputs, tool_manifest=manifest).steps[0].attempts[0].error_code

    assert code(n=1, p="ok.txt") is None
    assert code(n="one", p="ok.txt") == "INVALID_INPUT"
    assert code(n=1, p="../../etc/passwd") == "SANDBOX_REFUSED"


def test_what_may_not_run_does_not_start():
    world = World()
    with pytest.raises(SandboxRefusedError, match=r"\$.steps\[1\].skill"):
        run(world, policy=SandboxPolicy(forbidden_skills=frozenset({"save"})))
    with pytest.raises(InvalidPlanError):
        run(world, {"steps": []})
    assert world.calls == []


def test_an_output_that_is_not_json_is_a_failure_of_the_step():
    record = run_plan({"steps": [step("a", "say")]}, lambda _: object())
    assert record.steps[0].attempts[0].error_code == "NOT_CANONICAL"


def test_a_stored_run_replays_with_parity_in_every_mode():
    record = run(World(TimeoutError("slow")))
    stored = read_run(json.loads(canonical_bytes(run_data(record))))
    assert stored == record
    assert replay_run(stored).parity
    assert replay_run(stored, mode="dry_run").parity
    assert replay_run(stored, mode="full_replay", perform=World(TimeoutError("other text"))).parity


def test_a_failed_run_replays_too():
    record = run(World(*[TimeoutError()] * 3))
    assert replay_run(read_run(run_data(record))).parity


def test_another_response_keeps_parity():
    assert compare_runs(run(World()), run(World(body="much more tea"))).parity
    assert replay_run(run(World()), mode="full_replay", perform=World(body="coffee")).parity


@pytest.mark.parametrize(
    ("change", "path"),
    [
        (lambda s: replace(s, skill="say"), "$.steps[0].skill"),
        (lambda s: replace(s, skill_version="9.9.9"), "$.steps[0].skill_version"),
        (lambda s: replace(s, params={"url": "other"}), "$.steps[0].params.url"),
        (lambda s: replace(s, status=StepStatus.FAILED), "$.steps[0].status"),
        (lambda s: replace(s, attempts=(*s.attempts, *s.attempts)), "$.steps[0].attempts[1]"),
        (lambda s: replace(s, cost_cents=99), "$.steps[0].cost_cents"),
        (lambda s: replace(s, has_side_effects=True), "$.side_effects[0]"),
    ],
)
def test_any_other_change_breaks_parity_and_is_named(change, path):
    record = run(World())
    changed = replace(record, steps=(change(record.steps[0]), *record.steps[1:]))
    result = compare_runs(record, changed)
    assert not result.parity
    assert result.first_divergence.path == path


def test_a_missing_step_and_another_order_break_parity():
    record = run(World())
    shorter = compare_runs(record, replace(record, steps=record.steps[:2]))
    assert shorter.first_divergence.path == "$.steps[2]"
    turned = compare_runs(record, replace(record, steps=record.steps[::-1]))
    assert turned.first_divergence.path.startswith("$.s")


def test_messages_and_waits_are_not_compared():
    left, right = run(World(TimeoutError("a")), run_id="one"), run(World(TimeoutError("b")), run_id="two")
    assert left.steps[0].attempts[0].delay_ms != right.steps[0].attempts[0].delay_ms
    assert compare_runs(left, right).parity


def test_a_full_replay_needs_something_that_performs():
    with pytest.raises(InputError, match="perform"):
        replay_run(run(World()), mode="full_replay")


@pytest.mark.parametrize("data", [None, {}, {"format": "planvow-run/1"}, {"format": "planvow-run/1", "run_id": 1}])
def test_what_is_no_run_is_refused(data):
    with pytest.raises(InputError):
        read_run(data)


def recorded(goal="echo hello"):
    planner = StubPlanner()
    output = planner.plan("a", goal)
    request = planner.call_history[0].as_dict()
    return Recording(maker="stub", maker_version="1.0.0", request=request, answer=output.as_dict())


def test_a_recorded_plan_replays_byte_for_byte():
    assert replay_plan(recorded(), StubPlanner()).parity


def test_a_planner_that_changed_is_caught_with_the_first_difference():
    planner = StubPlanner(rules=[replace(StubPlanner().rules[0], priority=7)])
    result = replay_plan(recorded(), planner)
    assert result.first_divergence.path == "$.metadata.planner_version"
    planner = StubPlanner(rules=[])
    assert not replay_plan(recorded(), planner).parity


def test_a_structural_planner_is_held_to_the_structure_only():
    class Varied(StubPlanner):
        def get_determinism_mode(self):
            return "structural"

    kept = recorded()
    other = {**kept.answer, "plan": json.loads(json.dumps(kept.answer["plan"]).replace("hello", "goodbye"))}
    assert replay_plan(replace(kept, answer=other), Varied()).parity
    assert not replay_plan(replace(kept, answer=other), StubPlanner()).parity
    other["plan"]["steps"][0]["skill"] = "shout"
    assert replay_plan(replace(kept, answer=other), Varied()).first_divergence.path == "$[0].skill"
    longer = {
        **kept.answer,
        "plan": {"steps": [*kept.answer["plan"]["steps"], {"step_id": "s9", "skill": "echo", "params": {}}]},
    }
    assert not replay_plan(replace(kept, answer=longer), Varied()).parity


def test_a_recording_survives_a_trip_through_json():
    kept = recorded()
    assert read_recording(json.loads(canonical_bytes(kept.as_dict()))) == kept
