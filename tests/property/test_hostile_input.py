"""Every public entry of base, contract, goals and governed, given hostile things: a value or an error with a code."""

from __future__ import annotations

import pytest

from planvow.budgets import Budgets
from planvow.canonical import canonical_bytes, content_hash, derived_id, is_canonical
from planvow.contract import (
    MemoPlanner,
    StubPlanner,
    default_registry,
    normalize_context,
    normalize_goal,
    plan_hash,
    plan_input_hash,
    structural_signature,
    unwrap,
)
from planvow.contract.plan.difference import first_difference
from planvow.contract.plan.manifest import read_manifest
from planvow.contract.plan.placeholders import resolve
from planvow.contract.plan.validate import validate_plan
from planvow.contract.replaying.golden import read_golden
from planvow.contract.replaying.recordings import read_recording
from planvow.contract.replaying.replay import replay_run
from planvow.contract.running.cost import CostModel, estimate
from planvow.contract.running.run import run_plan
from planvow.contract.running.run_document import read_run
from planvow.errors import PlanvowError, error_for_code
from planvow.goals import (
    Fact,
    GoalInterpreter,
    GoalOrchestrator,
    GoalPlanner,
    MetaGoal,
    ToolCapability,
    ToolGoal,
    ToolRegistry,
    WorldState,
)
from planvow.goals.values.data import meta_goal_from_data, world_from_data
from planvow.governed import RequestPlanner, post_request_and_plan
from planvow.trace import TraceRecorder


def nested(levels):
    deep = {}
    for _ in range(levels):
        deep = {"steps": deep}
    return deep


def nested_list(levels):
    deep = []
    for _ in range(levels):
        deep = [deep]
    return deep


def looped():
    loop = {"steps": []}
    loop["steps"].append(loop)
    return loop


HOSTILE = {
    "deep object": nested(100_000),
    "deep list": nested_list(100_000),
    "contains itself": looped(),
    "ten megabytes": "x" * 10_000_000,
    "ten megabytes of steps": {"steps": ["y" * 1000] * 10_000},
    "many steps": {"steps": [{"step_id": f"s{n}", "skill": "x", "params": {}} for n in range(20_000)]},
    "none": None,
    "true": True,
    "huge integer": 10**5000,
    "not a number": float("nan"),
    "bytes": b"\xff\xfe",
    "an object": object(),
    "a class": dict,
    "a function": len,
    "a set": {1, "a", None},
    "wrong keys": {1: 2, None: 3},
    "lone surrogate": "\ud800",
    "surrogate key": {"\udfff": {"\ud800": 1}},
    "nul and direction marks": "\x00\u202e\u2066",
    "combining": "e" + "\u0301" * 5000,
    "empty": "",
    "empty list": [],
    "empty object": {},
    "list of nothing": [None],
    "format only": {"format": "planvow-run/1", "steps": [None], "plan": None},
    "placeholders": {"steps": [{"step_id": "a", "skill": "b", "params": {"x": "{{" * 10_000 + "}}" * 10_000}}]},
}

GOOD_PLAN = {"steps": [{"step_id": "a", "skill": "b", "params": {"x": "{{input.x}}"}}]}

NEW_FILE = {"goal_type": "file_operation", "action": "create", "target": "/w/a.txt", "object_type": "file"}
WORLD, TOOLS = WorldState(), [ToolCapability(name="t", can_achieve={"create_file", "browser_search"})]
REQUEST = {"run_id": "r", "request_id": "q", "intent": "i", "inputs": {"notes": ["n"]}, "budgets": {"max_steps": 3}}

ENTRIES = {
    "canonical_bytes": canonical_bytes,
    "content_hash": content_hash,
    "derived_id": lambda value: derived_id("id", value),
    "is_canonical": lambda value: is_canonical(value) if isinstance(value, str | bytes) else None,
    "Budgets": lambda value: Budgets(max_depth=value),
    "TraceRecorder": lambda value: TraceRecorder(capacity=value) if not isinstance(value, bool) else None,
    "error_for_code": lambda value: error_for_code(value) if isinstance(value, str) else None,
    "plan_input_hash goal": lambda value: plan_input_hash("a", value),
    "plan_input_hash agent": lambda value: plan_input_hash(value, "goal"),
    "plan_input_hash extra": lambda value: plan_input_hash("a", "goal", x=value),
    "validate_plan": validate_plan,
    "validate_plan manifest": lambda value: validate_plan(GOOD_PLAN, value),
    "validate_plan params": lambda value: validate_plan({"steps": [{"step_id": "a", "skill": "b", "params": value}]}),
    "plan_hash": plan_hash,
    "structural_signature": structural_signature,
    "read_manifest": read_manifest,
    "read_manifest schema": lambda value: read_manifest([{"skill_id": "a", "input_schema": value}]),
    "CostModel": lambda value: CostModel.read({"base_cents": value}),
    "estimate": lambda value: estimate(value, []),
    "estimate manifest": lambda value: estimate(GOOD_PLAN, value),
    "run_plan": lambda value: run_plan(value, lambda _: None),
    "run_plan output": lambda value: run_plan(GOOD_PLAN, lambda _: value, inputs={"x": 1}),
    "run_plan inputs": lambda value: run_plan(GOOD_PLAN, lambda _: 1, inputs={"x": value}),
    "resolve": lambda value: resolve("a {{s.x}}", {"s": {"x": value}}),
    "first_difference": lambda value: first_difference({"a": value}, {"a": 1}),
    "read_recording": read_recording,
    "read_golden": read_golden,
    "read_run": read_run,
    "replay_run": lambda value: replay_run(run_plan(GOOD_PLAN, lambda _: 1), mode=value),
    "registry.create": lambda value: default_registry().create(value),
    "registry.entry": lambda value: default_registry().entry(value),
    "MemoPlanner mode": lambda value: MemoPlanner(StubPlanner(), mode=value),
    "normalize_goal": normalize_goal,
    "normalize_context": normalize_context,
    "unwrap": unwrap,
    **{f"goal {name}": lambda value, name=name: GoalPlanner().plan(ToolGoal(**NEW_FILE | {name: value}), WORLD, TOOLS)
       for name in (*NEW_FILE, "platform", "query", "goal_id", "content", "destination", "new_name", "scope",
                    "resolved_path", "recursive")},
    "GoalPlanner goal": lambda value: GoalPlanner().plan(value, WORLD, TOOLS),
    "GoalPlanner world": lambda value: GoalPlanner().plan(ToolGoal(**NEW_FILE), value, TOOLS),
    "GoalPlanner tools": lambda value: GoalPlanner().plan(ToolGoal(**NEW_FILE), WORLD, value),
    "GoalPlanner tool": lambda value: GoalPlanner().plan(ToolGoal(**NEW_FILE), WORLD, [value]),
    "ToolCapability name": lambda value: ToolCapability(name=value),
    "ToolCapability requires": lambda value: ToolCapability(name="t", requires=value),
    "Fact": lambda value: Fact(subject="s", predicate="p", value=value),
    "Fact subject": lambda value: Fact(subject=value, predicate="p", value=1),
    "WorldState apps": lambda value: WorldState(running_apps=value),
    "WorldState facts": lambda value: WorldState(recent_facts=value),
    "MetaGoal": MetaGoal.of,
    "MetaGoal goal": lambda value: MetaGoal.of([value]),
    "GoalOrchestrator": lambda value: GoalOrchestrator(GoalPlanner()).plan(value, WORLD, TOOLS),
    "GoalInterpreter": lambda value: GoalInterpreter().interpret(value),
    "ToolRegistry": ToolRegistry.from_data,
    "meta_goal_from_data": meta_goal_from_data,
    "world_from_data": world_from_data,
    "governed request": lambda value: RequestPlanner().plan_request(value),
    **{f"governed {name}": lambda value, name=name: RequestPlanner().plan_request(REQUEST | {name: value})
       for name in REQUEST},
    "governed note": lambda value: RequestPlanner().plan_request(REQUEST | {"inputs": {"notes": [value]}}),
    "governed operation": lambda value: RequestPlanner().plan_request(REQUEST | {"inputs": {"ops": [value]}}),
    "governed root": lambda value: RequestPlanner(value).plan_request(REQUEST),
    "governed substrate": lambda value: RequestPlanner().plan_request(REQUEST, substrate=value),
    "posted run": lambda value: post_request_and_plan(value, REQUEST),
    "posted key": lambda value: post_request_and_plan("r", REQUEST | {"intent": None}, value),
}  # fmt: skip


@pytest.mark.parametrize("entry", ENTRIES)
def test_hostile_input_gives_a_value_or_an_error_with_a_code(entry, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, value in HOSTILE.items():
        if (entry, name) in READS_LONG:
            value = value[: len(value) // 20]
        ends_well(entry, name, value)


# Every rule of the grammar looks at every character: the whole text takes many seconds.
READS_LONG = {("GoalInterpreter", "ten megabytes")}


@pytest.mark.slow
@pytest.mark.parametrize(("entry", "name"), sorted(READS_LONG))
def test_hostile_input_that_is_read_for_long_ends_well_too(entry, name):
    ends_well(entry, name, HOSTILE[name])


def ends_well(entry, name, value):
    error = refusal(ENTRIES[entry], value)
    if error is not None:
        assert error.code.isupper(), f"{entry} given {name}"
        assert len(str(error)) < 3000, f"{entry} given {name}"


def refusal(function, value):
    try:
        function(value)
    except PlanvowError as error:
        return error
    return None


ARGUMENTS = ("agent_id", "goal", "context_summary", "memory_snippets", "tool_manifest", "mood")


@pytest.mark.parametrize("argument", ARGUMENTS)
def test_hostile_arguments_of_a_planner_come_back_as_error_values(argument):
    for value in HOSTILE.values():
        for given in (value, [value], [{"x": value}]):
            answer = StubPlanner().plan(**{"agent_id": "a", "goal": "echo x", argument: given})
            assert hasattr(answer, "plan") or answer.code.startswith("PLANNER_")
            assert hasattr(answer, "plan") or len(answer.message) < 3000
