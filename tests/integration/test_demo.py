"""`planvow demo` runs through every part, and what it shows is true."""

from __future__ import annotations

import subprocess
import sys

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
        "stopped at go(library, front door): the front door is locked",
        "repaired plan:      go(library, garden door), serve(cup, grandmother)",
        "old job failed (1 steps), new job committed (2 steps); chains and hashes hold",
        "a receipt edited by hand: caught",
        "PLAN_BUDGET_EXCEEDED",
        "'open youtube and search nvidia': 1 call",
        "verifier: the plan is right",
        "'The tram will cost 300 million euros'",
    ],
)
def test_the_tour_shows(shown, sentence):
    assert sentence in shown


def test_nothing_goes_unnoticed(shown):
    assert "not noticed" not in shown
