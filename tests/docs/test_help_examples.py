"""Every example below a command's help works in a checkout, in the order of the commands."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from planvow.adapters.cli.main import COMMANDS

ROOT = Path(__file__).resolve().parents[2]
ENTRIES = {name: entry for section in COMMANDS.values() for name, entry in section.items()}
SERVICE = "--base-url"  # asks a model's service: tried against one in test_chat_models and test_proposals_of_models
WITHOUT_EXAMPLES = {"serve", "lsp", "demo", "cortex", "cassette", "debate-facts", "debate-matches", "debate-train"}


def examples(name: str) -> list[str]:
    app = import_module(f"planvow.adapters.cli.{ENTRIES[name].module}").app
    shown = "\n".join(command.settings.get("epilog") or "" for command in app.registered_commands)
    return [line.strip() for line in shown.splitlines() if line.startswith("  planvow ")]


@pytest.mark.slow
def test_the_examples_in_the_help_work(tmp_path):
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    names = list(ENTRIES)
    assert {name for name in names if not examples(name)} == WITHOUT_EXAMPLES
    search = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    commands = [command for name in names for command in examples(name)]
    for command in (command for command in commands if SERVICE not in command):
        done = subprocess.run(
            command, shell=True, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120,
            env={**os.environ, "PATH": search},
        )  # fmt: skip
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
