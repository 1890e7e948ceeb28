"""The mutation bench, as CI runs it: about 200 mutants through MiniZinc, thousands through the own checker."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
def test_every_mutant_of_every_example_is_judged_as_the_oracle_judges_it():
    done = subprocess.run(
        [sys.executable, "bench/certificates.py", "--mutants", "2000", "--minizinc", "200"],
        cwd=ROOT, capture_output=True, text=True, timeout=280, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
