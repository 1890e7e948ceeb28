"""What the playground loads: planvow's wheel, the one package it stands on, and the examples to begin with."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import zipfile
from importlib.metadata import distribution
from pathlib import Path

from staging import ROOT
from vendored import PYODIDE, fetched

PYTHON = (
    ("Two ways to the park", "travel.py"),
    ("Tea in time", "robot_tea.py"),
    ("Blocks", "blocks.py"),
    ("Fox, goose and corn: the shortest plan", "fox_goose_corn.py"),
    ("Two robots side by side", "two_robots.py"),
    ("Dinner party", "dinner_party.py"),
)


def equip(site: Path) -> None:
    """Put beside the playground what it loads."""
    vendor = site / "assets/vendor"
    shutil.copytree(fetched(PYODIDE), vendor / "pyodide", dirs_exist_ok=True)
    wheels(vendor / "wheels")
    (site / "assets/playground/samples.json").write_text(json.dumps(samples()), encoding="utf-8")


def samples() -> list[dict[str, str]]:
    """Return the examples that the page offers."""
    examples = ROOT / "examples"
    found = [{"name": name, "kind": "python", "first": (examples / file).read_text("utf-8")} for name, file in PYTHON]
    first, second = ((examples / "hddl" / file).read_text("utf-8") for file in ("tea-domain.hddl", "tea-problem.hddl"))
    return [*found, {"name": "HDDL: tea for two guests", "kind": "hddl", "first": first, "second": second}]


def wheels(folder: Path) -> tuple[Path, Path]:
    """Build planvow's wheel and pack what is installed of rfc8785; return both, the latter first."""
    folder.mkdir(parents=True, exist_ok=True)
    own, canonical = folder / "planvow.whl", folder / "rfc8785.whl"
    with tempfile.TemporaryDirectory() as scratch:
        command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", scratch]
        subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
        [made] = Path(scratch).iterdir()
        shutil.copy(made, own)
    with zipfile.ZipFile(canonical, "w") as archive:
        for file in sorted(distribution("rfc8785").files or (), key=str):
            if "__pycache__" not in file.parts and ".." not in file.parts:
                archive.writestr(zipfile.ZipInfo(str(file)), file.read_binary())
    return canonical, own
