"""What `scripts/check` runs needs no Debian package, also where they are all installed."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from conftest import NOT_QUICK, QUICK

ROOT = Path(__file__).resolve().parents[2]


def test_no_program_of_a_debian_package_is_found():
    named = re.findall(r"\bdebian (.+)", (ROOT / "scripts/test").read_text("utf-8"))
    programs = set(re.findall(r"([\w-]+):[\w-]+", " ".join(named)))
    assert {"minizinc", "chromium", "bwrap", "gcc"} <= programs
    assert {name: shutil.which(name) for name in programs if shutil.which(name)} == {}


def test_the_quick_tests_are_those_that_the_script_names():
    line = re.search(r'-m "([^"]*)" (.*) "\$@"', (ROOT / "scripts/check").read_text("utf-8"))
    assert line is not None
    assert line[1] == " and ".join(f"not {mark}" for mark in NOT_QUICK)
    assert line[2].split() == [str(folder.relative_to(ROOT)) for folder in QUICK]
