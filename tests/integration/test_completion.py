"""The shell completes names, codes and ids, as bash asks for them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest


def completed(words, cwd):
    program = Path(sys.executable).parent / "planvow"
    asked = {"_PLANVOW_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(len(words.split()) - 1)}
    done = subprocess.run([program], cwd=cwd, capture_output=True, text=True, check=False, env={**os.environ, **asked})
    assert "Traceback" not in done.stderr
    return done.stdout.split()


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("planvow exam", ["examples"]),
        ("planvow ask st", ["stub"]),
        ("planvow explain-error BUDGET_EX", ["BUDGET_EXCEEDED"]),
        ("planvow schema cert", ["certificate"]),
        ("planvow examples copy trav", ["travel.py"]),
        ("planvow show mine", ["mine.json"]),
        ("planvow show nothing", []),
    ],
)
def test_what_is_known_is_offered(tmp_path, words, offered):
    (tmp_path / "mine.json").write_text("{}")
    assert completed(words, tmp_path) == offered
