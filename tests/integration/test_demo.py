"""`planvow demo` runs through every part, and what it shows is true."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def shown() -> str:
    done = subprocess.run(
        [sys.executable, "-m", "planvow", "demo"],
        capture_output=True, text=True, timeout=240, check=False, encoding="utf-8",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(
    "sentence",
    [
        "served[grandmother] = tea  [bring_tea]",
        "tea became coffee, hash left alone:  rejected, hash",
        "MiniZinc on the forgery:             rejected, reads",
        "deadline forged, all hashes fit:     consistent: accepted; not proved: that this is what was asked",
        "held against what was asked:         faithful: rejected, agenda: item 1 of the agenda: its deadline is",
        "stopped at go(library, front door): the front door is locked",
        "repaired plan:      go(library, garden door), serve(cup, grandmother)",
        "old job failed (1 done), new job committed (2 done); chains and hashes hold",
        "a receipt edited by hand: caught",
        "PLAN_BUDGET_EXCEEDED",
        "'open youtube and search nvidia': 1 call",
        "verifier: the plan is right",
        "'The tram will cost 300 million euros'",
    ],
)
def test_the_tour_shows(shown, sentence):
    assert sentence in shown


def test_every_part_points_to_a_command_that_works_with_the_copied_examples(shown, tmp_path):
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    commands = [line.removeprefix("   → ") for line in shown.splitlines() if line.startswith("   → ")]
    assert len(commands) == 7
    for command in ["planvow examples copy", *commands]:
        done = subprocess.run(
            command, shell=True, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120,
            env={**os.environ, "PATH": path},
        )  # fmt: skip
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"


def test_the_debate_is_read_by_what_everybody_has_and_the_better_reader_is_named(shown):
    assert "(read by the back-end lite; pip install 'planvow[debate]' brings one that reads better)" in shown


def test_nothing_goes_unnoticed(shown):
    assert "not noticed" not in shown
