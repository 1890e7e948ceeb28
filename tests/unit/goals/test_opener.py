"""Opening apps: the program's own words, no shell in between, and a clear answer when there is no such program."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

from planvow.adapters.machine.opener import is_running, open_with_platform
from planvow.errors import RefusedError

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="names of programs are those of Linux desktops")


@pytest.fixture
def programs(tmp_path, monkeypatch):
    """A PATH with nothing on it; returns a function that adds a program which writes its arguments into a pipe."""
    monkeypatch.setenv("PATH", str(tmp_path))
    report = tmp_path / "report"
    os.mkfifo(report)

    def add(name):
        path = tmp_path / name
        path.write_text(f'#!/bin/sh\nprintf "%s\\n" "{name}" "$@" > "{report}"\n')
        path.chmod(0o755)
        return report

    return add


def test_an_address_is_one_argument_whatever_it_holds(programs):
    report = programs("firefox")
    url = "https://example.org/?a=1&b=$(touch x);c='d'"
    assert open_with_platform("firefox", url) == f"started firefox with {url}"
    assert report.read_text().splitlines() == ["firefox", url]


def test_an_app_is_started_under_the_name_it_has_here(programs):
    report = programs("gnome-calculator")
    assert open_with_platform("Calculator", None) == "started Calculator"
    assert report.read_text().splitlines() == ["gnome-calculator"]


def test_a_page_is_opened_with_the_default_program_when_the_browser_is_not_there(programs):
    report = programs("xdg-open")
    open_with_platform("opera", "https://example.org")
    assert report.read_text().splitlines() == ["xdg-open", "https://example.org"]


def test_an_app_that_is_not_there_is_refused(programs):
    with pytest.raises(RefusedError, match="nosuchapp"):
        open_with_platform("nosuchapp", None)


def test_an_app_that_runs_is_seen(tmp_path):
    app = f"p{os.getpid()}-calculator"  # a name nobody else has; the process keeps only its first 15 letters
    program = tmp_path / app
    shutil.copy(shutil.which("cat"), program)
    assert is_running(app) is False
    with subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) as process:
        process.stdin.write(b"?\n")
        assert process.stdout.read(1) == b"?"  # only now it surely runs under its own name
        assert is_running(app) is True
        process.kill()
    assert is_running(app) is False
