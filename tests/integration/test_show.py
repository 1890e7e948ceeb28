"""`planvow show` takes what planvow writes, whatever it is, and its text fits from 50 columns on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from planvow.adapters.cli.frame.paragraphs import counted
from planvow.adapters.cli.viewing.show import document_text
from planvow.contract.planners.stub import StubPlanner
from planvow.contract.replaying.golden import make_golden
from planvow.contract.running.run import run_plan
from planvow.contract.running.run_document import run_data
from planvow.errors import InputError

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
SHOP = ["--tools", EXAMPLES / "tools" / "shop.json", "--review", EXAMPLES / "tools" / "shop.toml"]
NARROW = 50


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with one of each, made by the commands that make them."""
    folder = tmp_path_factory.mktemp("documents")
    hddl = [str(EXAMPLES / "hddl" / name) for name in ("tea-domain.hddl", "tea-problem.hddl")]
    made = {
        "plan.json": ["plan", EXAMPLES / "robot_tea.py", "--json", "--certificate", "certificate.json"],
        "request.out": ["plan", EXAMPLES / "travel.py", "--request-out", "request.json"],
        "hddl.json": ["plan", *hddl, "--json", "--plan-out", "hddl.plan"],
        "answer.json": ["ask", "stub", "Say hello", "--json", "--record", "recording.json"],
        "calls.out": [
            "tools",
            "plan",
            *SHOP,
            "--want=order_id",
            "--given=customer_id=c7",
            "--certificate",
            "calls.json",
        ],
        "manifest.out": ["tools", "import", EXAMPLES / "tools" / "shop.json", "-o", "manifest.json"],
        "goal.json": ["goal", "open youtube and search nvidia", "--json"],
        "debate.json": ["debate", EXAMPLES / "debate.txt", "--language", "lite", "--json"],
        "agent.json": ["agent", "run", EXAMPLES / "bring_lamp.py", "--run-id", "lamp", "--store", "c.db", "--json"],
        "report.out": ["certify-planner", "stub", "--report", "report.json"],
        "batch.out": ["batch", "plan", EXAMPLES / "travel.py:problem", "-o", "all.jsonl", "--workers", "1"],
        "bundle.json": ["cassette", "export", "--run-id", "lamp", "--store", "c.db"],
    }
    for name, words in made.items():
        done = planvow(*words, cwd=folder)
        assert done.returncode == 0, done.stderr
        (folder / name).write_text(done.stdout, encoding="utf-8")
    problem = (EXAMPLES / "hddl" / "tea-problem.hddl").read_text("utf-8")
    (folder / "no-kettle.hddl").write_text(problem.replace("(kettle kitchen)", ""), encoding="utf-8")
    assert planvow("plan", hddl[0], "no-kettle.hddl", "--certificate", "none.json", cwd=folder).returncode == 1
    golden = make_golden(StubPlanner(), {"agent_id": "a", "goal": "say tea"})
    (folder / "golden.json").write_text(json.dumps(golden.as_dict()))
    steps = [{"step_id": "get", "skill": "fetch", "params": {"url": "https://x.test"}, "retry_count": 1}]
    run = run_plan({"steps": steps}, fetched_at_the_second_try)
    (folder / "run.json").write_text(json.dumps(run_data(run)))
    return folder


def fetched_at_the_second_try(call):
    if call.attempt == 1:
        raise ConnectionError("the line was down")
    return {"title": "Tea"}


def planvow(*words, cwd, **options):
    command = [sys.executable, "-m", "planvow", *map(str, words)]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False, encoding="utf-8", **options)


SHOWN = {
    "plan.json": ["plan: solved, 6 steps", "4. brew(robot, kettle, cup, black)"],
    "certificate.json": ["checker     accepted (consistent)", "[any_kind_there_is]", "PT6M to PT10M"],
    "calls.json": ["checker     accepted (consistent)", 'asked       {"conditions"', "s2  create_order"],
    "manifest.json": ["manifest: 12 tools", "add_item(item_id, order_id)"],
    "none.json": ["proof that two-guests in tea-round has no plan", "facts, 2 calls"],
    "request.json": ["request to htn", "1. travel(alice, park)"],
    "hddl.json": ["HDDL plan of two-guests in tea-round: solved, 13 actions", "the verifier accepts it"],
    "hddl.plan": ["HDDL plan: 13 actions, 12 tasks broken down", "1. move(Robby, hall, kitchen)"],
    "answer.json": ["plan by stub 1.0.0: 1 step", "s1  echo"],
    "recording.json": ["recording of stub 1.0.0", "asked  Say hello"],
    "golden.json": ["golden file of stub 1.0.0", "asked     say tea"],
    "goal.json": ["goal plan: success, 1 call", "because the only tool for browser_search"],
    "run.json": ["run run_", "succeeded, 1 step", "2 attempts", "failed: ConnectionError the line was down"],
    "debate.json": ["debate debate: 9 turns, 28 claims", "most worth checking, 5 of 28:"],
    "agent.json": ["run lamp: solved, 2 plans", "borrow(lamp)"],
    "bundle.json": [
        "bundle of run lamp: 2 jobs, 4 receipts, 0 seals",
        "every hash, chain and state holds",
        "not proved",
    ],
    "report.json": ["report on stub 1.0.0: 11 of 11 promises kept", "has a semantic version"],
    "all.jsonl": ["answers of a batch: 1 input", "solved  1", "travel.py:problem: travel"],
    "all.jsonl.manifest.json": ["batch of kind plan: 1 input, 0 without a plan", "solved  1"],
}


@pytest.mark.parametrize("name", SHOWN)
def test_a_document_is_shown_by_what_it_holds(place, name):
    told = "\n".join(document_text((place / name).read_text("utf-8"), None, place=name))
    assert [text for text in SHOWN[name] if text not in told] == [], told


@pytest.mark.parametrize("name", SHOWN)
def test_it_fits_fifty_columns(place, name):
    lines = "\n".join(document_text((place / name).read_text("utf-8"), NARROW, place=name)).splitlines()
    assert [line for line in lines if len(line) > NARROW] == []


def test_of_many_answers_the_first_are_listed_with_why_there_is_no_plan():
    hashed = {"input_hash": "0" * 64, "kind": "plan"}
    lines = [{**hashed, "id": f"q{number}", "status": "solved", "answer": {}} for number in range(1, 31)]
    refusal = {"code": "PLANNER_GENERATION_FAILED"}
    lines[1] |= {"status": "no_plan", "answer": {"refusal": refusal}}
    lines[2] |= {"status": "rejected", "refusal": {"code": "INVALID_INPUT"}}
    text = "".join(f"{json.dumps(line, sort_keys=True)}\n" for line in lines)
    told = "\n".join(document_text(text, None, place="x"))
    for said in ("30 inputs", "no_plan   1", "q2     no_plan   PLANNER_GENERATION_FAILED", "q20", "10 more answers"):
        assert said in told
    assert "INVALID_INPUT" in told
    assert "q21" not in told
    with pytest.raises(InputError, match="x:31:8"):
        list(document_text(text + '{"id": ', None, place="x"))


def test_the_command_reads_files_and_standard_input_and_ids_of_the_ledger(place):
    by_name = planvow("show", "certificate.json", cwd=place)
    by_input = planvow("show", "-", cwd=place, input=(place / "certificate.json").read_text())
    assert by_name.returncode == 0
    assert by_name.stdout == by_input.stdout != ""
    run = planvow("show", "lamp", "--store", "c.db", cwd=place)
    assert "Asked was bring(lamp, ann)." in run.stdout
    job = json.loads((place / "bundle.json").read_text())["jobs"][0]["job"]["job_id"]
    assert planvow("show", job[:16], "--store", "c.db", cwd=place).stdout.startswith(job)


def test_a_forged_certificate_and_a_forged_bundle_are_said_to_be_so(place):
    for name, old, new, said in (
        ("certificate.json", '"kettle"', '"coffee"', "REJECTED"),
        ("bundle.json", "FAILED", "COMMITTED", "BROKEN"),
    ):
        forged = (place / name).read_text("utf-8").replace(old, new)
        assert said in "\n".join(document_text(forged, None, place=name))


def test_ascii_is_drawn_where_nothing_else_can_be_shown(place):
    for change in ({"PYTHONIOENCODING": "ascii"}, {"PLANVOW_ASCII": "1"}):
        done = planvow("show", "certificate.json", cwd=place, env={**os.environ, **change})
        assert done.stdout.isascii()
        assert "`- serve_tea(robot, grandmother)" in done.stdout


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[]", "no document of planvow"),
        ("{", "not JSON"),
        ('{"id": 1}\n{"id": 2}', "not JSON"),
        ('{"format": "certificate/2"}', "damaged"),
        ('{"format": "planvow-run/1"}', "missing field"),
        ('{"format": "planvow-bundle/1", "jobs": 3}', "malformed"),
        ('{"steps": [3]}', "damaged"),
    ],
)
def test_what_is_none_or_is_damaged_is_refused_without_a_traceback(tmp_path, text, said):
    (tmp_path / "x.json").write_text(text)
    done = planvow("show", "x.json", cwd=tmp_path)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_what_is_neither_a_file_nor_in_a_ledger_is_said_to_be_so(tmp_path):
    done = planvow("show", "nothing", cwd=tmp_path)
    assert done.returncode == 2
    assert "there is no such file, and no ledger here" in done.stderr


@pytest.mark.parametrize(
    ("count", "word", "said"), [(1, "step", "1 step"), (0, "step", "0 steps"), (2, "entry", "2 entries")]
)
def test_one_is_no_plural(count, word, said):
    assert counted(count, word) == said
