"""The plugin as its users meet it: a test folder of their own, pytest started on it."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

BROKEN = """
class Salted:
    planner_id = "salted"
    version = "1.0.0"

    def get_determinism_mode(self):
        return "full"

    def plan(self, agent_id, goal, **others):
        from planvow.contract import PlannerOutput
        words = list({word for word in goal.split()})
        step = {"step_id": "s1", "skill": "echo", "params": {"words": words}}
        return PlannerOutput(plan={"steps": [step]}, deterministic=True)


class Errs(Salted):
    def plan(self, agent_id, goal, **others):
        from planvow.contract import PlannerError
        return PlannerError(code="GENERATION_FAILED", message="not today")


class One(Salted):
    version = "one"

    def plan(self, agent_id, goal, **others):
        return super().plan(agent_id, "word")


def bag(size):
    return sorted(range(size))
"""

TESTS = """
import pytest

from planvow.contract import StubPlanner


def test_same_request_gives_same_bytes(assert_replays):
    plan = assert_replays("planvow.contract.planners.stub:StubPlanner", goal="echo hello")
    assert b'"message":"echo hello"' in plan


@pytest.mark.deterministic(hash_seeds=(7, 8))
def test_registered_ids_and_functions_are_targets_too(assert_replays):
    assert assert_replays("stub", goal="say x") == assert_replays("memo:stub", goal="say x").replace(b"memo:", b"")
    assert assert_replays("broken:bag", size=3) == b"[0,1,2]"


@pytest.mark.deterministic(hash_seeds=tuple(range(8)))
def test_a_planner_that_iterates_over_a_set_is_caught(assert_replays):
    assert_replays("broken:Salted", goal="many words in no order at all")


def test_a_planner_without_a_semantic_version_is_caught(assert_replays):
    assert_replays("broken:One", goal="anything")


def test_a_planner_that_only_errs_shows_nothing(assert_replays):
    assert_replays("broken:Errs", goal="anything")


def test_a_refusal_is_the_same_every_time(assert_refuses):
    assert b"not today" in assert_refuses("broken:Errs", "GENERATION_FAILED", goal="anything")


def test_another_answer_is_no_refusal(assert_refuses):
    assert_refuses("stub", "GENERATION_FAILED", goal="echo x")


def test_recorded(recorded_planner):
    assert recorded_planner(StubPlanner()).plan("a", "echo tea").plan["steps"]
"""


@pytest.fixture
def project(tmp_path, request):
    if not request.config.pluginmanager.hasplugin("planvow"):
        pytest.skip("the package was installed before it had the pytest11 entry point: install it again")
    (tmp_path / "broken.py").write_text(BROKEN)
    (tmp_path / "test_mine.py").write_text(TESTS)
    (tmp_path / "pytest.ini").write_text("[pytest]\npythonpath = .\naddopts = --strict-markers\n")

    def run(*words):
        others = ("cacheprovider", "langsmith_plugin", "schemathesis")  # they take longer to load than all the rest
        without = [word for name in others for word in ("-p", f"no:{name}")]
        command = [sys.executable, "-m", "pytest", "-q", *without, *words]
        env = {**os.environ, "PYTEST_ADDOPTS": ""}
        return subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)

    run.folder = tmp_path / "tests/recordings"
    return run


@pytest.mark.slow
def test_deterministic_targets_pass_and_a_salted_one_is_named_with_the_first_difference(project):
    done = project("-k", "not recorded")
    assert "4 failed, 3 passed" in done.stdout
    assert "broken:One breaks a promise: has a semantic version: 'one' is no semantic version" in done.stdout
    assert "broken:Errs gave no plan: GENERATION_FAILED: not today" in done.stdout
    assert "stub shall refuse with GENERATION_FAILED, it answers with a plan" in done.stdout
    assert "differ at $.steps[0].params.words[0]" in done.stdout


@pytest.mark.slow
def test_planners_answer_from_recordings_as_the_options_say(project):
    missed = project("-k", "recorded", "--planvow-replay")
    assert missed.returncode == 1  # nothing recorded: fails closed
    assert "AttributeError: there is no plan: PLANNER_" in missed.stdout
    assert not project.folder.exists()
    assert project("-k", "recorded").returncode == 0
    (kept,) = project.folder.glob("*.json")
    assert project("-k", "recorded", "--planvow-replay").returncode == 0
    kept.write_bytes(kept.read_bytes().replace(b'"echo tea"}', b'"echo old"}'))
    assert project("-k", "recorded", "--planvow-record").returncode == 0
    assert b"echo old" not in kept.read_bytes()
    assert project("--planvow-record", "--planvow-replay").returncode == 4


def test_loading_the_plugin_imports_nothing_of_the_planners():
    code = (
        "import sys; import planvow.adapters.testing.pytest_plugin\n"
        "print([m for m in sys.modules if m.startswith(('planvow.contract', 'planvow.kernel', 'rfc8785'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
