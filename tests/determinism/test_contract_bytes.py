"""The same plan from processes with other hash seeds, from many threads, and after a round trip through JSON."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from generated_calls import GOALS, planner_for_calls
from planvow.canonical import canonical_bytes
from planvow.contract import StubPlanner, default_registry, normalise_plan, plan_hash, structural_signature

CALL = {
    "agent_id": "agent", "goal": "Summarize https://x.test/Page and explain it", "context_summary": "path=$.x",
    "memory_snippets": [{"b": [1, 2.5], "a": {"é": None}}],
    "tool_manifest": [{"skill_id": s} for s in ("llm_invoke", "http_call", "json_transform")], "mood": "calm",
}  # fmt: skip
CHILD = """
import json, sys
from planvow.canonical import canonical_json
from planvow.contract import StubPlanner, plan_hash, structural_signature
from planvow.contract.running.run import run_plan
from planvow.contract.running.run_document import run_data
call = json.load(sys.stdin)
output = StubPlanner().plan(**call)
record = run_plan(output.plan, lambda c: {"x": c.attempt}, inputs={"url": "u"})
print(canonical_json([output.as_dict(), plan_hash(output.plan), structural_signature(output.plan), run_data(record)]))
"""
OTHER_PYTHONS = sorted(Path.home().glob(".pyenv/versions/3.1[23]*/bin/python3"))


def in_a_process(seed, python=sys.executable, path=""):
    env = {**os.environ, "PYTHONHASHSEED": str(seed), "PYTHONPATH": path}
    done = subprocess.run(
        [python, "-c", CHILD], input=json.dumps(CALL), env=env, capture_output=True, text=True, check=True
    )
    return done.stdout


def test_plans_hashes_and_runs_are_the_same_bytes_under_every_hash_seed():
    (only,) = {in_a_process(seed) for seed in (0, 1, 2, 4242)}
    here = StubPlanner().plan(**CALL)
    assert json.loads(only)[:3] == [
        json.loads(canonical_bytes(here.as_dict())), plan_hash(here.plan), structural_signature(here.plan),
    ]  # fmt: skip


@pytest.mark.parametrize("python", OTHER_PYTHONS, ids=lambda path: path.parts[-3])
def test_other_versions_of_python_give_the_same_bytes(python):
    import rfc8785

    source = Path(__file__).resolve().parents[2] / "src"
    path = os.pathsep.join([str(source), str(Path(rfc8785.__file__).parents[1])])
    assert in_a_process(5, str(python), path) == in_a_process(6)


@pytest.mark.parametrize("planner_id", ["stub", "memo:stub"])
def test_fifty_threads_and_one_give_the_same_bytes(planner_id):
    planner = default_registry().create(planner_id)
    alone = canonical_bytes(planner.plan(**CALL).plan)
    with ThreadPoolExecutor(50) as pool:
        assert {canonical_bytes(a.plan) for a in pool.map(lambda _: planner.plan(**CALL), range(400))} == {alone}


def test_a_thousand_calls_give_one_plan():
    planner = StubPlanner()
    assert len({canonical_bytes(planner.plan(**CALL).plan) for _ in range(1000)}) == 1


def test_a_plan_is_the_same_after_a_round_trip_through_json():
    plan = StubPlanner().plan(**CALL).plan
    for text in (json.dumps(plan), json.dumps(plan, indent=3, sort_keys=True), canonical_bytes(plan).decode()):
        again = normalise_plan(json.loads(text))
        assert canonical_bytes(again) == canonical_bytes(plan)
        assert plan_hash(again) == plan_hash(plan)


FULL = [name for name in default_registry().ids() if default_registry().described(name).determinism == "full"]


@pytest.mark.parametrize("planner_id", FULL)
def test_a_planner_that_claims_full_determinism_is_asked_again_and_from_fifty_threads(planner_id):
    planner, other = planner_for_calls(planner_id), planner_for_calls(planner_id)
    assert planner.get_determinism_mode() == "full"
    goals = [*GOALS.get(planner_id, ()), "echo hello", "[]"]

    def answer(goal, asked=planner):
        said = asked.plan("agent", goal)
        return canonical_bytes(getattr(said, "plan", None) or said.as_dict())

    alone = [answer(goal) for goal in goals]
    assert [answer(goal, other) for goal in goals] == alone
    with ThreadPoolExecutor(50) as pool:
        assert list(pool.map(answer, goals * 10)) == alone * 10
