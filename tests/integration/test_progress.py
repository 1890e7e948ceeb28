"""The progress bar of the real command: drawn on a terminal, cleared, and never in a file."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

DEBATE = Path(__file__).resolve().parents[2] / "examples/debate.txt"
COMMAND = [sys.executable, "-m", "planvow", "debate", str(DEBATE), "--language", "lite", "--format", "csv"]


def on_a_terminal(*options, **changed):
    """Run the command with a terminal as its stderr; return what was drawn there."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100", **changed}
    child = subprocess.Popen([*COMMAND, *options], stdout=subprocess.DEVNULL, stderr=theirs, env=environment)
    os.close(theirs)
    drawn = b""
    while True:
        try:
            piece = os.read(ours, 65_536)
        except OSError:  # Linux says so when the last writer has gone
            break
        if not piece:
            break
        drawn += piece
    os.close(ours)
    assert child.wait() == 0
    return drawn.decode()


def test_a_terminal_sees_how_far_the_work_is_and_is_left_clean():
    drawn = on_a_terminal()
    assert "turns" in drawn
    assert "100%" in drawn
    assert re.search(r"\d:\d\d:\d\d", drawn)  # for how long
    assert re.search(r"[\d,.]+/s", drawn)  # how fast
    assert "\x1b[2K" in drawn.rpartition("turns")[2]  # the line is cleared after the last drawing


def test_a_narrow_terminal_without_colours_sees_numbers_in_ascii():
    drawn = on_a_terminal(COLUMNS="50", NO_COLOR="1", PLANVOW_ASCII="1")
    assert "turns" in drawn
    assert "\x1b[3" not in drawn  # no colour is set
    lines = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", drawn).replace("\r", "\n").splitlines()
    assert [line for line in lines if len(line) > 50] == []
    assert "━" not in drawn


def test_nothing_is_drawn_when_it_is_not_wanted_or_nobody_looks():
    assert "turns" not in on_a_terminal("--quiet")
    piped = subprocess.run(COMMAND, capture_output=True, text=True, check=True)
    assert "100%" not in piped.stderr
