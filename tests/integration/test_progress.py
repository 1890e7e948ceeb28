"""The progress bar of the real command: drawn on a terminal, cleared, and never in a file."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

DEBATE = Path(__file__).resolve().parents[2] / "examples/debate.txt"
COMMAND = [sys.executable, "-m", "planvow", "debate", str(DEBATE), "--language", "lite", "--format", "csv"]


def on_a_terminal(*options):
    """Run the command with a terminal as its stderr; return what was drawn there."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100"}
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
    assert "\x1b[2K" in drawn.rpartition("turns")[2]  # the line is cleared after the last drawing


def test_nothing_is_drawn_when_it_is_not_wanted_or_nobody_looks():
    assert "turns" not in on_a_terminal("--quiet")
    piped = subprocess.run(COMMAND, capture_output=True, text=True, check=True)
    assert "100%" not in piped.stderr
