"""The bench of forged certificates, as CI runs it: every kind on every example, a share of them through MiniZinc."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
def test_every_forgery_is_caught_and_named_at_the_level_it_concerns():
    done = subprocess.run(
        [sys.executable, "bench/certificates.py", "--each", "2", "--minizinc", "30", "--mutants", "20"],
        cwd=ROOT, capture_output=True, text=True, timeout=280, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
