"""`planvow certify-planner` as the author of a planner uses it: the real command in a folder of their own."""

from __future__ import annotations

import json

import pytest

from command_line import planvow, planvow_process
from planvow.contract import default_registry

PLANNERS = """
import os
import sys
from planvow.contract import PlannerOutput, PlannerError


class Waiter:
    planner_id = "waiter"
    version = "1.0.0"

    def get_determinism_mode(self):
        return "full"

    def plan(self, agent_id, goal, tool_manifest=None, **others):
        if not isinstance(goal, str) or not goal.strip() or isinstance(tool_manifest, str):
            return PlannerError(code="PLANNER_INVALID_GOAL", message="pardon?")
        return PlannerOutput(plan={"steps": [self.step(goal)]}, deterministic=True)

    def step(self, goal):
        return {"step_id": "s1", "skill": "serve", "params": {"words": sorted(set(goal.split()))[:9]}}


class Salted(Waiter):
    def step(self, goal):
        return {"step_id": "s1", "skill": "serve", "params": {"words": list(set(goal.split()))[:9]}}


class Chatty(Waiter):
    def step(self, goal):
        print("I am thinking")
        return super().step(goal)


class Tidy(Waiter):
    def plan(self, agent_id, goal, tool_manifest=None, **others):
        if isinstance(tool_manifest, list):
            for tool in tool_manifest:
                tool.pop("input_schema", None)
        return super().plan(agent_id, goal, tool_manifest, **others)


class Forgetful(Waiter):
    def plan(self, agent_id, goal, tool_manifest=None, memory_snippets=None, **others):
        if isinstance(memory_snippets, list):
            memory_snippets.clear()
        return super().plan(agent_id, goal, tool_manifest, **others)


class Leaving(Waiter):
    def step(self, goal):
        os._exit(0)


class Slow(Waiter):
    def step(self, goal):
        while True:
            pass


class Greedy(Waiter):
    def step(self, goal):
        held = bytearray(3 * 2**30)
        return super().step(goal)
"""
QUESTIONS = [{"goal": "green tea with milk and honey for five guests at the long table"}]


@pytest.fixture
def certify(tmp_path):
    (tmp_path / "planners.py").write_text(PLANNERS)
    (tmp_path / "questions.json").write_text(json.dumps(QUESTIONS))

    def run(name, *words, questions=True):
        asked = ["--questions", "questions.json"] if questions else []
        return planvow(tmp_path, "certify-planner", name, *asked, *words)

    run.folder = tmp_path
    return run


def broken(done):
    report = json.loads(done.stdout)
    assert report["keeps_contract"] is (done.returncode == 0)
    return [finding["promise"] for finding in report["findings"] if finding["outcome"] == "broken"]


def test_a_planner_that_keeps_the_contract_gets_a_report_to_publish(certify):
    done = certify("planners.py:Waiter", "--report", "report.json")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith("the planner keeps the contract\n")
    report = (certify.folder / "report.json").read_bytes()
    assert json.loads(report)["questions"]["planned"] == 1
    assert certify("planners.py:Waiter", "--report", "again.json").returncode == 0
    assert (certify.folder / "again.json").read_bytes() == report


@pytest.mark.parametrize(
    ("name", "words", "promise"),
    [
        ("Salted", (), "gives the same over hash seeds, processes, threads and calls"),
        ("Chatty", (), "prints nothing on standard output"),
        ("Leaving", (), "runs within its limits in a process of its own"),
        pytest.param(
            "Slow", ("--max-seconds", 4), "runs within its limits in a process of its own", marks=pytest.mark.slow
        ),
        ("Greedy", ("--max-memory-mb", 1024), "answers with values and raises nothing"),
    ],
)
def test_a_planner_that_breaks_one_promise_is_told_which(certify, name, words, promise):
    assert promise in broken(certify(f"planners.py:{name}", "--json", *words))


@pytest.mark.parametrize("name", ["Tidy", "Forgetful"])  # one spoils the manifest, one what is remembered
def test_the_questions_that_are_asked_unless_told_have_arguments_that_can_be_spoilt(certify, name):
    found = certify(f"planners.py:{name}", "--json", "--calls", 1, "--threads", 0, questions=False)
    assert "leaves its inputs as they are" in broken(found)


def test_what_cannot_be_loaded_or_asked_is_said(certify):
    done = certify("planners.py:Nobody")
    assert done.returncode == 2
    assert "planners.py has no Nobody" in done.stderr
    (certify.folder / "questions.json").write_text('[{"gaol": "tea"}]')
    done = certify("planners.py:Waiter")
    assert done.returncode == 2
    assert "a question has a goal" in done.stderr
    (certify.folder / "questions.json").write_text('[{"goal": "tea"}, {"goal": "tea", "memory_snippets": ["hot"]}]')
    done = certify("planners.py:Waiter")
    assert done.returncode == 2
    assert "questions.json: $[1].memory_snippets[0]: an object was expected" in done.stderr


NEED_A_PLACE = {"htn": "no domain was given", "governed": "expected a plan request"}
SERVICES = {"claude", "openai", "chat"}


@pytest.mark.parametrize("planner_id", [name for name in default_registry().ids() if name not in SERVICES])
def test_no_shipped_planner_is_called_broken_for_questions_that_nobody_chose(certify, planner_id):
    done = certify(planner_id, "--json", "--calls", 1, "--threads", 0, questions=False)
    report = json.loads(done.stdout)
    assert broken(done) == []
    found = {finding["promise"]: finding for finding in report["findings"]}
    not_tried = [name for name, finding in found.items() if finding["outcome"] == "not tried"]
    if planner_id not in NEED_A_PLACE:
        assert (not_tried, report["questions"]["planned"] > 1) == ([], True)
        return
    assert "gives the same over hash seeds, processes, threads and calls" in not_tried
    plans = found["gives a plan to one question at least"]
    assert plans["outcome"] == "not tried"
    assert NEED_A_PLACE[planner_id] in plans["detail"]


def test_a_planner_that_plans_none_of_the_questions_chosen_for_it_breaks_the_contract(certify):
    assert broken(certify("htn", "--json", "--calls", 1)) == ["gives a plan to one question at least"]
    done = certify("htn", "--calls", 1, "--threads", 0, questions=False)
    assert done.stdout.endswith("no promise was found broken, and no plan was seen\n")


ENTRY = "[planvow.planners]\n{name} = planners:{cls}\n"


def installed(folder, name, cls):
    """Declare a planner as an installed package does."""
    info = folder / "theirs-1.0.dist-info"
    info.mkdir(exist_ok=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(ENTRY.format(name=name, cls=cls))
    return {"PYTHONPATH": str(folder)}


def test_asking_several_times_catches_what_one_process_never_shows(certify):
    env = installed(certify.folder, "waiter", "Salted")
    done = planvow_process(certify.folder, "ask", "waiter", QUESTIONS[0]["goal"], "--repeat", "5", **env)
    assert done.returncode == 1
    assert "that is not full determinism" in done.stderr


def test_what_a_planner_prints_goes_to_stderr(certify):
    env = installed(certify.folder, "waiter", "Chatty")
    done = planvow_process(certify.folder, "ask", "waiter", "tea", "--json", **env)
    assert json.loads(done.stdout)["plan"]["steps"]
    assert "I am thinking" in done.stderr


def test_a_planner_registered_under_another_name_is_refused(certify):
    env = installed(certify.folder, "butler", "Waiter")
    done = planvow_process(certify.folder, "ask", "butler", "tea", **env)
    assert done.returncode != 0
    assert "registered as 'butler' and calls itself 'waiter'" in done.stderr


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("planvow.no_such_room:Planner", "there is no module planvow.no_such_room"),
        ("planvow.goals:NoSuchPlanner", "planvow.goals has no NoSuchPlanner"),
    ],
)
def test_a_planner_that_is_not_there_is_an_input_error(target, said, tmp_path):
    done = planvow(tmp_path, "certify-planner", target)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stdout + done.stderr
