"""Every snippet of the documentation runs, and every console transcript shows what the program really prints.

A ```python block runs as it stands; the blocks of one page share their names, in order. In a ```console block the
lines after `$ command` are what it prints on stdout; a line `...` stands for any number of lines, and `...` inside a
line for any text. A ```python block that begins with a comment that names a file (`# garden.py`) is in that file when
the console blocks of its page run. A picture `pictures/NAME.svg` on a page is what its blocks write to `NAME.svg`.

The first command of each program on a page starts that program, and so does every line that needs the shell; the
others call in this process what the program calls.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from command_line import ENTRIES, program

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
FENCE = re.compile(r"^```(\w+)[^\n]*\n(.*?)^```", re.M | re.S)
PICTURE = re.compile(r"!\[[^\]]*\]\((pictures/[\w-]+\.svg)\)")
FILE_NAME = re.compile(r"# (\w+\.py)\n")
PROGRAMS = {*ENTRIES, "python", "cat", "ls"}
FOR_THE_SHELL = set("|&;<>$`*")
LOOKS = {"COLUMNS": "100", "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8"}


def blocks(page: Path, language: str) -> list[str]:
    return [body for lang, body in FENCE.findall(page.read_text("utf-8")) if lang == language]


def pages_with(language: str) -> list[Path]:
    return [page for page in PAGES if page.exists() and blocks(page, language)]


def page_id(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.fixture
def workplace(tmp_path, monkeypatch):
    """A scratch folder that looks like the project to a reader who types along."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("page", pages_with("python"), ids=page_id)
def test_python_blocks_run(page, workplace):
    script = "\n\n".join(blocks(page, "python"))
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    for picture in PICTURE.findall(page.read_text("utf-8")):
        drawn = (workplace / Path(picture).name).read_text("utf-8")
        assert drawn == (page.parent / picture).read_text("utf-8"), f"{picture} is not what the page's code draws"


@pytest.mark.parametrize("page", pages_with("console"), ids=page_id)
def test_console_blocks_show_what_is_printed(page, workplace):
    for block in blocks(page, "python"):
        if named := FILE_NAME.match(block):
            (workplace / named[1]).write_text(block, encoding="utf-8")
    started: set[str] = set()
    for block in blocks(page, "console"):
        for command, expected in transcript(block):
            printed = run(command, workplace, started)
            assert matches(expected, printed), f"$ {command}\n--- documented\n{expected}\n--- printed\n{printed}"


def transcript(block: str) -> list[tuple[str, str]]:
    commands: list[tuple[str, list[str]]] = []
    for line in block.splitlines():
        if line.startswith("$ "):
            commands.append((line[2:], []))
        elif commands:
            commands[-1][1].append(line)
    return [(command, "\n".join(lines).strip()) for command, lines in commands]


def run(command: str, folder: Path, started: set[str]) -> str:
    first, *words = shlex.split(command)
    assert first in PROGRAMS, f"not a program the documentation may call: {first}"
    if first in ENTRIES and first in started and not FOR_THE_SHELL & set(command):
        done = program(first, folder, *words, **LOOKS)
    else:
        done = run_in_shell(command)
    started.add(first)
    assert done.returncode in (0, 1), done.stderr[-3000:]
    return done.stdout.strip()


def run_in_shell(command: str) -> subprocess.CompletedProcess[str]:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, **LOOKS}
    return subprocess.run(
        command, shell=True, capture_output=True, text=True, env=environment, timeout=120, check=False
    )


def matches(expected: str, printed: str) -> bool:
    if not expected:
        return True
    pattern = "\n".join(re.escape(line.rstrip()) for line in expected.splitlines())
    pattern = re.sub(r"(?m)^\\\.\\\.\\\.$", r"(?s:.*?)", pattern).replace(r"\.\.\.", ".*?")
    shown = "\n".join(line.rstrip() for line in printed.splitlines())
    return re.fullmatch(pattern, shown) is not None
