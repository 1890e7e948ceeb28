"""The mistakes everybody makes in a first domain: each is named with its place, and stdout stays clean."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

DOMAIN = """
from planvow import Domain, State, make_problem

robot = Domain("robot")


@robot.command
def drive(state, there):
    state.at["robot"] = there
    return state


@robot.method(task="deliver")
def directly(state, there):
    return [("drive", there)]


problem = make_problem(robot, State(at={"robot": "dock"}, seen={"robot": []}), [("deliver", "desk")])
"""


def planvow(*words):
    command = [sys.executable, "-m", "planvow", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture
def written(tmp_path):
    def write(*changes):
        text = DOMAIN
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        path = tmp_path / "robot.py"
        path.write_text(text)
        return path

    return write


@pytest.mark.parametrize(
    ("old", "new", "code", "said"),
    [
        ('[("drive", there)]', '("drive", there)', "UNKNOWN_ITEM", "hint: write a list of items"),
        ("    return state", "    return True", "WRONG_RETURN", "robot.py:7: drive returned True"),
        ('state.at["robot"] = there', 'state.at["robot"] = bytearray(b"x")', "MUTABLE_VALUE", "robot.py:9: "),
        ("    return [", '    state.seen["robot"].append(1)\n    return [', "MUTABLE_VALUE", "robot.py:15: "),
        ("    return [", '    state.at["robot"] = 1\n    return [', "METHOD_WROTE", "hint: methods only look"),
        ("robot = Domain", "raise SystemExit(0)\nrobot = Domain", "INVALID_INPUT", "robot.py:4: SystemExit"),
        ("robot = Domain", "import no_such_module\nrobot = Domain", "INVALID_INPUT", "robot.py:4: ModuleNotFound"),
    ],
)
def test_a_mistake_in_a_module_is_exit_2_with_its_place_or_a_hint(written, old, new, code, said):
    done = planvow("plan", written((old, new)))
    assert (done.returncode, done.stdout) == (2, "")
    assert code in done.stderr
    assert said in done.stderr


@pytest.mark.parametrize("command", ["plan", "check"])
def test_what_a_module_prints_stays_out_of_the_result(written, command):
    path = written(
        ("    return state", '    print("driving")\n    return state'), ("robot = ", 'print("hi")\nrobot = ')
    )
    done = planvow(command, path, "--json")
    assert json.loads(done.stdout)
    assert "hi\n" in done.stderr


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('[("deliver", "desk")]', '[("delivr", "desk")]', "the agenda asks for 'delivr'"),
        ('= there\n    return state', "= there", "command 'drive' never returns"),
    ],
)  # fmt: skip
def test_check_finds_it_before_planning(written, old, new, said):
    done = planvow("check", written((old, new)))
    assert done.returncode == 1
    assert said in done.stdout


def test_an_error_is_one_json_document_when_json_is_asked_for(written):
    done = planvow("plan", written(('[("drive", there)]', '[("drvie", there)]')), "--json")
    told = json.loads(done.stdout)["error"]
    assert (done.returncode, told["code"], told["place"]) == (2, "UNKNOWN_ITEM", "deliver(desk)")
    assert told["hint"] == "did you mean 'drive'?"


def test_the_package_runs_as_a_module_like_the_program(tmp_path):
    answer = subprocess.run(
        [sys.executable, "-m", "planvow", "plan", "nowhere.py"], cwd=tmp_path, capture_output=True, text=True
    )
    assert (answer.returncode, answer.stdout) == (2, "")
    assert "nowhere.py" in answer.stderr
    assert "Traceback" not in answer.stderr
