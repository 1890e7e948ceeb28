"""`planvow plan` and `planvow check` on Python domains."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def planvow(*words, cwd=None):
    return subprocess.run(
        [sys.executable, "-m", "planvow", *map(str, words)],
        capture_output=True, text=True, check=False, cwd=cwd,
    )  # fmt: skip


def test_the_plan_goes_to_stdout_one_command_a_line():
    done = planvow("plan", EXAMPLES / "travel.py")
    assert done.returncode == 0
    assert done.stdout.splitlines() == [
        "call_taxi taxi1 home_a", "ride_taxi alice taxi1 park", "pay_driver alice", "walk bob home_b park",
    ]  # fmt: skip
    assert done.stderr == "solved: 4 steps\n"


def test_a_line_break_in_an_argument_does_not_look_like_another_step(tmp_path):
    (tmp_path / "letters.py").write_text(
        "from planvow import Domain, State, make_problem\n"
        "letters = Domain('letters')\n"
        "@letters.command\n"
        "def write(state, who):\n"
        "    return state\n"
        "problem = make_problem(letters, State(), [('write', 'ann\\npay bob\\u2028pay eve')])\n"
    )
    done = planvow("plan", "letters.py", "--plan-out", "plan.txt", cwd=tmp_path)
    assert done.stdout == "write ann\\u000apay bob\\u2028pay eve\n"
    assert (tmp_path / "plan.txt").read_text() == done.stdout


def test_tree_timeline_and_explanation_are_shown_when_asked_for():
    done = planvow("plan", EXAMPLES / "robot_tea.py", "--tree", "--timeline", "--explain")
    assert "└─ serve_tea(robot, grandmother)  [any_kind_there_is]" in done.stdout
    assert "boil(robot, kettle)" in done.stdout
    assert "through_the_garden was tried and failed" in done.stdout
    assert "at least 1 minute too late for: deadline of serve_tea(robot, grandmother) (PT15M)\n" in done.stdout
    assert "        go(robot, garden) takes PT6M\n        together PT16M\n" in done.stdout


def test_a_named_problem_without_a_plan_exits_1_and_says_why():
    done = planvow("plan", f"{EXAMPLES / 'travel.py'}:poor", "--explain")
    assert done.returncode == 1
    assert done.stdout.splitlines()[:2] == [
        "no_plan: every alternative was looked at",
        "The search came furthest at pay_driver(alice) (in travel(alice, park)): alice has 1 and owes 5.5.",
    ]
    assert "pay_driver: alice has 1 and owes 5.5" in done.stdout


def test_json_is_one_document_and_the_same_bytes_every_time():
    first, second = (planvow("plan", EXAMPLES / "travel.py", "--json", "--explain") for _ in range(2))
    assert first.stdout == second.stdout
    document = json.loads(first.stdout)
    assert document["status"] == "solved"
    assert document["plan"][-1] == ["walk", "bob", "home_b", "park"]
    assert document["explanation"]["decisions"][0]["method"] == "by_taxi"


def test_a_certificate_is_written_and_verifies(tmp_path):
    done = planvow("plan", EXAMPLES / "travel.py", "--certificate", tmp_path / "c.json")
    assert done.returncode == 0
    assert planvow("verify", tmp_path / "c.json", "--domain", EXAMPLES / "travel.py").returncode == 0


def test_a_limit_ends_the_search_with_exit_1_and_its_name():
    done = planvow("plan", EXAMPLES / "logistics.py", "--max-iterations", "5")
    assert done.returncode == 1
    assert "max_iterations = 5 was reached; raise max_iterations" in done.stdout


def test_no_seconds_at_all_interrupt_a_long_search(tmp_path):
    (tmp_path / "endless.py").write_text(
        "from planvow import Domain, State\nd = Domain('d')\n"
        "d.add_task_methods('t', lambda state, n: [('t', n + 1)])\nproblem = (d, State(), [('t', 0)])\n"
    )
    done = planvow("plan", tmp_path / "endless.py", "--max-seconds", "0")
    assert done.returncode == 1
    assert done.stdout.startswith("interrupted")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("x = 1\n", "there is no 'problem' in this file"),
        ("problem = 3\n", "'problem' is a int, not a problem"),
        ("1/0\n", "ZeroDivisionError"),
        ("def f(:\n", "SyntaxError"),
    ],
)
def test_a_file_that_is_no_problem_exits_2_and_says_what_is_wrong(tmp_path, text, says):
    (tmp_path / "bad.py").write_text(text)
    done = planvow("plan", tmp_path / "bad.py")
    assert done.returncode == 2
    assert says in done.stderr
    assert "Traceback" not in done.stderr


def test_a_domain_function_that_raises_is_reported_with_file_and_line(tmp_path):
    (tmp_path / "raises.py").write_text(
        "from planvow import Domain, State\nd = Domain('d')\n\n@d.command\ndef c(state):\n    return state.nope['x']\n"
        "\nproblem = (d, State(), [('c',)])\n"
    )
    done = planvow("plan", tmp_path / "raises.py")
    assert done.returncode == 2
    assert "raises.py:6" in done.stderr
    assert "Traceback" not in done.stderr
    assert "Traceback" in planvow("--debug", "plan", tmp_path / "raises.py").stderr


def test_check_finds_unknown_items_clocks_chance_and_set_order(tmp_path):
    (tmp_path / "bad.py").write_text(
        "import random, time\nfrom planvow import Domain, State, make_problem\nd = Domain('bad')\n\n"
        "@d.command\ndef walk(state, to):\n    state.at['me'] = random.choice([to])\n    return state\n\n"
        "@d.command\ndef tick(state):\n    state.now = time.time()\n    return state\n\n"
        "@d.method(task='go')\ndef m(state):\n    for x in {'a', 'b'}:\n        return [('wlak', x), ('tick',)]\n\n"
        "@d.method(task='unused')\ndef u(state):\n    steps = []\n    steps.append(('walk', 'x'))\n    return steps\n\n"
        "problem = make_problem(d, State(at={}), [('go',)])\n"
    )
    done = planvow("check", tmp_path / "bad.py", "--json")
    assert done.returncode == 1
    found = [(f["code"], f["place"].rpartition(":")[2]) for f in json.loads(done.stdout)["findings"]]
    assert found == [
        ("UNKNOWN_ITEM", "18"), ("UNREACHABLE", "20"), ("SET_ORDER", "17"),
        ("CLOCK_OR_CHANCE", "7"), ("CLOCK_OR_CHANCE", "12"),
    ]  # fmt: skip


def test_check_is_content_with_the_examples():
    done = planvow("check", EXAMPLES / "logistics.py")
    assert (done.returncode, done.stdout) == (0, "logistics: nothing found\n")


@pytest.mark.parametrize(
    ("text", "place", "said"),
    [
        ("def problem():\n    return 1 / 0\n", "w.py:2", "ZeroDivisionError: division by zero"),
        ("def problem(x):\n    return x\n", "w.py", "missing 1 required positional argument"),
        ("problem = (1, 2, 3)\n", "w.py", "the domain must be a planvow Domain"),
        ("problem = 3\n", "w.py", "'problem' is a int, not a problem"),
    ],
)
def test_what_is_no_problem_is_named_with_the_file(tmp_path, text, place, said):
    (tmp_path / "w.py").write_text(text)
    done = planvow("plan", "w.py", cwd=tmp_path)
    assert done.returncode == 2
    assert f"INVALID_INPUT {place}: " in done.stderr
    assert said in done.stderr


def test_a_file_with_problems_of_other_names_lists_them(tmp_path):
    text = (EXAMPLES / "travel.py").read_text().replace("problem = ", "first = ")
    (tmp_path / "w.py").write_text(text)
    done = planvow("plan", "w.py", cwd=tmp_path)
    assert "hint: there are first, poor" in done.stderr
    assert "planvow plan w.py:first" in done.stderr


def test_an_option_for_hddl_is_refused_for_a_python_domain():
    done = planvow("plan", EXAMPLES / "travel.py", "--search", "lifted")
    assert (done.returncode, done.stdout) == (2, "")
    assert "--search: only HDDL problems have several searches" in done.stderr
