"""The same small agent four times: what survives kill -9, measured, and how many lines it takes.

    python bench/side_by_side.py

Each agent of `bench/side_by_side/` reserves, charges and ships. It is killed with -9 right after the charge has
happened and before anybody could note it, then started again as it stands. Printed is what was done how often, whether
the second process came to the end, and the lines of code without blank ones. Exits 1 if planvow did anything twice or
did not end.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections import Counter
from importlib.metadata import version
from pathlib import Path

HERE = Path(__file__).resolve().parent / "side_by_side"
AGENTS = {"planvow": "planvow", "langgraph": "langgraph", "dbos": "dbos", "pydantic_ai": "pydantic-ai-slim"}


def trial(name: str) -> tuple[Counter[str], str]:
    """Run one agent until the plug is pulled, and once more; return what was done and how it ended."""
    with tempfile.TemporaryDirectory(prefix="planvow-side-") as folder:
        (Path(folder) / "plug").touch()
        command = [sys.executable, str(HERE / f"with_{name}.py"), folder]
        first = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        if first.returncode != -9:
            raise SystemExit(f"{name} was not killed: {first.stderr[-2000:]}")
        second = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        done = Counter((Path(folder) / "effects").read_text().split())
        words = second.stdout.split()
        return done, words[-1] if words and not second.returncode else f"failed: {second.stderr[-300:]}"


def main() -> int:
    fine = False
    for name, package in AGENTS.items():
        lines = sum(bool(line.strip()) for line in (HERE / f"with_{name}.py").read_text().splitlines())
        done, ending = trial(name)
        told = ", ".join(f"{word} {count}×" for word, count in done.items())
        print(f"{name:12} {version(package):8} {lines:3} lines: {told}; the second process: {ending}")
        if name == "planvow":
            fine = set(done.values()) == {1} and ending == "solved"
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
