"""What is handed out is complete: the wheel has everything the package reads at run time."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_wheel_has_every_file_of_the_package_and_the_licence(tmp_path):
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    tracked = subprocess.run(
        ["git", "ls-files", "src/planvow"], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.splitlines()
    assert {path.removeprefix("src/") for path in tracked} <= names
    assert [name for name in names if name.endswith("licenses/LICENSE")]
    assert wheel.stat().st_size < 2_000_000
