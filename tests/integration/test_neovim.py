"""The language server in a real editor: Neovim opens our example, somebody types, asks, mends, formats and saves."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from planvow.hddl import format_text

ROOT = Path(__file__).resolve().parents[2]
NEOVIM = shutil.which("nvim")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(NEOVIM is None, reason="needs Neovim")]


def test_a_session_in_neovim_from_a_typed_mistake_to_the_saved_file(tmp_path):
    for name in ("domain", "problem"):
        text = (ROOT / f"examples/hddl/tea-{name}.hddl").read_text("utf-8")
        (tmp_path / f"{name}.hddl").write_text(text.replace("A robot", "A 🤖 robot"), "utf-8")
    home = tmp_path / "home"
    environment = {
        **os.environ,
        **{f"XDG_{name}_HOME": str(home / name.lower()) for name in ("CONFIG", "CACHE", "DATA", "STATE")},
        "HOME": str(home),
        "PLANVOW_FOLDER": str(tmp_path),
        "PLANVOW_LSP": json.dumps([sys.executable, "-m", "planvow", "lsp"]),
        "PYTHONPATH": str(ROOT / "src"),
    }
    script = ROOT / "tests/lab/neovim_session.lua"
    words = [NEOVIM, "--headless", "-u", "NONE", "-n", "-i", "NONE", "-S", str(script)]
    done = subprocess.run(words, env=environment, capture_output=True, timeout=600, text=True)
    seen = json.loads((tmp_path / "seen.json").read_text("utf-8"))
    assert (seen["ended"], done.returncode) == ("well", 0), done.stderr
    assert seen["mistake"]["messages"] == [
        "expected a declared task or action, found 'fXtch' (in method 'bring-a-cup', :ordered-subtasks)\n"
        "hint: did you mean 'fetch'?"
    ]
    assert (seen["mistake"]["code"], seen["mistake"]["cut"]) == ("HDDL_NAME", "fXtch")
    assert "(and (fetch ?b ?c) (go ?b ?kitchen)" in seen["fixed"]
    assert seen["definition"] == "domain.hddl:16:serve"
    assert "May make true: `(has-tea ?p)`" in seen["hover"]
    assert (seen["completion"], seen["completed"]) == (["fetch"], "(fetch(")
    assert seen["saved"]
    as_saved = (tmp_path / "domain.hddl").read_text("utf-8")
    original = (ROOT / "examples/hddl/tea-domain.hddl").read_text("utf-8").replace("A robot", "A 🤖 robot")
    assert as_saved == format_text(original)
    logs = [path.read_text("utf-8") for path in home.rglob("lsp.log")]
    assert not [line for text in logs for line in text.splitlines() if line.startswith(("[ERROR]", "[WARN]"))], logs
