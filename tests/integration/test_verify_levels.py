"""`planvow verify` on the command line: which level, what is not proved, and what is missing on this machine."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TEA = ROOT / "examples/robot_tea.py"


def planvow(*arguments, **environment):
    return subprocess.run(
        [sys.executable, "-m", "planvow", *map(str, arguments)],
        capture_output=True, text=True, check=False, encoding="utf-8", env={**os.environ, **environment},
    )  # fmt: skip


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("verify")
    done = planvow("plan", TEA, "--certificate", folder / "tea.json", "--request-out", folder / "request.json")
    assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.parametrize(
    ("options", "level", "unproved"),
    [
        ([], "consistent", "that this is what was asked"),
        (["--domain", TEA], "re-executed", "that this is what was asked"),
        (["--domain", f"{TEA}:problem"], "re-executed", "that the domain describes the world"),
        (["--request", "request.json"], "faithful", "that commands and methods"),
    ],
)
def test_the_level_reached_and_what_it_does_not_prove_are_said(made, options, level, unproved):
    options = [made / option if option == "request.json" else option for option in options]
    done = planvow("verify", made / "tea.json", *options)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert f"level        {level}" in lines
    assert next(line for line in lines if line.startswith("not proved")).startswith(f"not proved   {unproved}")
    assert ("not faithful" in done.stdout) == (options == ["--domain", TEA])
    answer = json.loads(planvow("verify", made / "tea.json", *options, "--json").stdout)
    assert (answer["accepted"], answer["level"]) == (True, level)
    assert answer["not_proved"][0].startswith(unproved)


def test_a_certificate_of_another_problem_is_rejected_by_name(made):
    done = planvow("verify", made / "tea.json", "--domain", f"{TEA}:unhurried")
    assert done.returncode == 1
    assert "faithful    REJECTED  agenda: item 1 of the agenda: its deadline is" in done.stdout


def test_without_the_package_of_minizinc_the_other_verdicts_are_printed(made, tmp_path):
    (tmp_path / "minizinc.py").write_text("raise ImportError('not here')\n")
    done = planvow("verify", made / "tea.json", "--minizinc", PYTHONPATH=str(tmp_path))
    assert done.returncode == 2
    assert "planvow      consistent  accepted" in done.stdout
    assert "MISSING_EXTRA" in done.stderr or "verify" in done.stderr


def test_a_plan_of_any_planner_is_certified_and_asked_for_again(made):
    kept = made / "hello.json"
    assert planvow("ask", "stub", "Say hello", "--certificate", kept).returncode == 0
    done = planvow("verify", kept, "--replan")
    assert done.returncode == 0, done.stderr
    assert "re-asked     re-executed accepted" in done.stdout
    request = made / "hello-request.json"
    request.write_text(json.dumps({"agent_id": "cli", "goal": "Say goodbye"}))
    done = planvow("verify", kept, "--request", request)
    assert done.returncode == 1
    assert "REJECTED  goal: $.asked.goal" in done.stdout
