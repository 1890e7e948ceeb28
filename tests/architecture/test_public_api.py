"""The public interface is what `public_api.txt` says: a change of a name or a signature is seen in review."""

from __future__ import annotations

import difflib
import importlib.util
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def script():
    spec = importlib.util.spec_from_file_location("api", ROOT / "scripts/api.py")
    assert spec is not None
    assert spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


def test_the_public_interface_is_the_one_that_was_written_down():
    api = script()
    kept, found = api.FILE.read_text("utf-8").splitlines(), api.interface().splitlines()
    changed = [line for line in difflib.unified_diff(kept, found, lineterm="", n=0) if line[:1] in "+-"][2:]
    assert changed == [], "run: python scripts/api.py, and say in the changelog what changed"


def test_control_another_signature_would_be_seen():
    api = script()
    assert list(api._lines("x", lambda one: one)) != list(api._lines("x", lambda one, two=3: one))


def test_the_interface_says_nothing_of_the_machine_it_was_written_on():
    assert [line for line in script().interface().splitlines() if " from '" in line or " at 0x" in line] == []
