"""F19: paths that lead outside, and folders exchanged for links while they are being used."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from planvow.cassette.errors import PathRefusedError
from planvow.cassette.files.below_root import Root

SECONDS = 4.0

SWAPPER = """
import os, sys
folder, outside = sys.argv[1:]
os.chdir(folder)
print("ready", flush=True)
while True:
    os.rename("sub", "kept"); os.symlink(outside, "sub"); os.unlink("sub"); os.rename("kept", "sub")
"""


class Race:
    """A process that keeps exchanging a folder for a link to a secret one, and back."""

    def __init__(self, folder: Path) -> None:
        self.root, self.outside = folder / "root", folder / "outside"
        for home, text in ((self.root / "sub", "inside"), (self.outside, "SECRET")):
            home.mkdir(parents=True)
            (home / "file.txt").write_text(text)
        command = [sys.executable, "-c", SWAPPER, str(self.root), str(self.outside)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE)
        assert self.process.stdout.readline() == b"ready\n"

    def during(self, attempt, seconds: float = SECONDS) -> tuple[int, int]:
        """Repeat an attempt until the time is up; return how often it was made and how often it said yes."""
        tried = hits = 0
        end = time.monotonic() + seconds
        while time.monotonic() < end and self.process.poll() is None:
            tried += 1
            hits += bool(attempt())
        self.process.kill()
        self.process.wait()
        return tried, hits


def race_reading(folder: Path, seconds: float = SECONDS) -> tuple[int, int]:
    """Return how often a file was read while its folder was being exchanged, and how often that led outside."""
    race = Race(folder)
    with Root(race.root) as root:

        def read():
            try:
                return root.read("sub/file.txt") != b"inside"
            except PathRefusedError:
                return False

        return race.during(read, seconds)


def race_writing(folder: Path, seconds: float = SECONDS) -> tuple[int, int]:
    race = Race(folder)
    with Root(race.root) as root:

        def write():
            try:
                root.write("sub/new.txt", b"x", token="t", make_folders=False)
            except (PathRefusedError, FileNotFoundError):
                return False
            return (race.outside / "new.txt").exists()

        tried, escaped = race.during(write, seconds)
    return tried, escaped + (sorted(os.listdir(race.outside)) != ["file.txt"])


def test_f19_no_race_leads_outside_when_reading(tmp_path, fault_table):
    tried, escaped = race_reading(tmp_path)
    fault_table.add("F19 races while reading", f"{tried} reads in {SECONDS:.0f} s", escapes=escaped)
    assert tried > 100
    assert escaped == 0


def test_f19_no_race_leads_outside_when_writing(tmp_path, fault_table):
    tried, escaped = race_writing(tmp_path)
    fault_table.add("F19 races while writing", f"{tried} writes in {SECONDS:.0f} s", escapes=escaped)
    assert tried > 20
    assert escaped == 0


def test_control_checking_before_opening_leaks(tmp_path):
    """The usual way, resolve and compare and then open, must be caught by the same race."""
    race = Race(tmp_path)
    path = race.root / "sub/file.txt"

    def naive():
        try:
            if os.path.realpath(path).startswith(str(race.root)):
                return path.read_text() == "SECRET"
        except OSError:
            return False
        return False

    _, leaked = race.during(naive)
    assert leaked > 0


parts = st.sampled_from(
    [
        "..",
        ".",
        "",
        "sub",
        "link",
        "up",
        "file.txt",
        "a",
        "/",
        "\\",
        "\x00",
        "sub/../..",
        "//",
        "%2e%2e",
        "．．",
        "~",
        "C:",
    ]
)


@settings(max_examples=1500, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(parts | st.text(max_size=3), max_size=6))
def test_f19_no_path_of_any_shape_leads_outside(tmp_path, names):
    root = tmp_path / "repo"
    if not root.exists():
        (root / "sub").mkdir(parents=True)
        (root / "sub/file.txt").write_text("inside")
        (tmp_path / "file.txt").write_text("SECRET")
        os.symlink(tmp_path, root / "up")
        os.symlink("../file.txt", root / "link")
    with Root(root) as opened, contextlib.suppress(PathRefusedError):
        assert opened.read("/".join(names)) == b"inside"
