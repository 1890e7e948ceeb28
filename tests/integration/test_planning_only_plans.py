"""Seed 002, "What the planner is not" and hard laws 4 and 5: planning runs nothing, calls nobody, writes nothing and
remembers nothing. The interpreter's own audit events are the witness."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from planvow.governed import RequestPlanner
from planvow.governed.compile.schemas import PLAN_OUTPUT
from planvow.governed.substrate.index import build_index
from planvow.governed.substrate.symbols import add_symbol, find_section
from planvow.governed.substrate.working_tree import open_working_tree

REQUEST = {
    "run_id": "r1",
    "request_id": "q1",
    "intent": "debug_function",
    "inputs": {
        "symbols": ["@DOC/install"],
        "files": ["calc.py"],
        "notes": ["careful"],
        "ops": [
            {"op": "WRITE_FILE", "refs": {"file_path": "new.txt", "content": "new\n"}},
            {"op": "RUN_TEST", "refs": {"test_name": "unit"}},
        ],
    },
    "budgets": {"max_steps": 20, "max_bytes": 10_000, "max_symbols": 5},
}

WITNESSED = """
import json, os, sys
from planvow.governed import RequestPlanner

seen = []
RUNS = ("subprocess.", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.fork", "os.startfile", "pty.")
CALLS = ("socket.", "urllib.", "http.", "ftplib.", "smtplib.")
CHANGES = ("os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.truncate", "os.link", "os.symlink", "shutil.")

def witness(event, arguments):
    if event.startswith(RUNS + CALLS + CHANGES):
        seen.append(event)
    if event == "open" and isinstance(arguments[2], int) and arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
        seen.append(f"open to write: {arguments[0]}")

request = json.loads(sys.argv[1])
planner = RequestPlanner(repo_root=".")
sys.addaudithook(witness)
plan = planner.plan_request(request, repo_root=".", substrate=sys.argv[2])
if sys.argv[3] == "control":
    import socket, subprocess
    subprocess.run(["true"])
    socket.socket().close()
    open("written", "w").close()
print(json.dumps({"ops": [step["op"] for step in plan["steps"]], "seen": seen}))
"""


@pytest.fixture(params=["sqlite", "jsonl"])
def repo(tmp_path, request):
    (tmp_path / "guide.md").write_text("# Guide\n\n## Install\n\nRun it.\n")
    (tmp_path / "calc.py").write_text("def add(a, b):\n    return a + b\n")
    index(tmp_path, request.param)
    with open_working_tree(tmp_path, kind=request.param, data_folder=tmp_path / ".planvow", writable=True) as tree:
        section = find_section(tree.sections, "guide.md", ("Guide", "Install"))
        add_symbol(tree.symbols, tree.sections, tree.text, symbol_id="@DOC/install", section_id=section.section_id,
                   default_slice="head(3)", now="t")  # fmt: skip
    return tmp_path, request.param


def index(root: Path, kind: str) -> None:
    with open_working_tree(root, kind=kind, data_folder=root / ".planvow", writable=True) as tree:
        build_index(root, tree.sections)


def witnessed(root: Path, kind: str, mode: str) -> dict:
    command = [sys.executable, "-c", WITNESSED, json.dumps(REQUEST), kind, mode]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_planning_runs_no_step_and_starts_no_process(repo):
    found = witnessed(*repo, "plan")
    assert {"WRITE_FILE", "RUN_TEST"} <= set(found["ops"])
    assert [event for event in found["seen"] if not event.startswith("socket.")] == []
    assert not (repo[0] / "new.txt").exists()


def test_planning_calls_nobody(repo):
    assert [event for event in witnessed(*repo, "plan")["seen"] if event.startswith(("socket.", "http", "url"))] == []


def test_control_a_run_a_call_and_a_write_would_have_been_seen(repo):
    seen = " ".join(witnessed(*repo, "control")["seen"])
    assert all(word in seen for word in ("subprocess.Popen", "socket.__new__", "open to write: written"))


def test_a_plan_is_its_steps_alone_and_nothing_is_remembered_between_two(repo):
    root, kind = repo
    request = {**REQUEST, "inputs": {"files": ["calc.py"]}}
    with RequestPlanner(root, root / ".planvow" / ("index.db" if kind == "sqlite" else "index")) as planner:
        before = planner.plan_request(request, substrate=kind)
        (root / "calc.py").write_text("def add(a, b):\n    return b + a\n")
        index(root, kind)
        after = planner.plan_request(request, substrate=kind)
        (root / "calc.py").write_text("def add(a, b):\n    return a + b\n")
        index(root, kind)
        again = planner.plan_request(request, substrate=kind)
    assert before["plan_hash"] != after["plan_hash"]
    assert again == before
    assert set(before) == set(PLAN_OUTPUT["properties"])
    assert not {"bundle", "cache", "translation"} & set(json.dumps(before).replace('"', " ").split())


def test_the_minimal_request_of_the_seed_prints_a_valid_plan_on_the_command_line(repo):
    import jsonschema

    root, kind = repo
    minimal = {
        "run_id": "run_001",
        "request_id": "req_001",
        "intent": "look",
        "inputs": {},
        "budgets": {"max_steps": 1},
    }
    (root / "plan_request_min.json").write_text(json.dumps(minimal))
    command = [sys.executable, "-m", "planvow", "cortex", "plan", "--request-file",
               "plan_request_min.json", "--dry-run", "--substrate", kind]  # fmt: skip
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    plan = json.loads(done.stdout)
    jsonschema.validate(plan, PLAN_OUTPUT)
    assert (plan["run_id"], plan["request_id"]) == ("run_001", "req_001")
