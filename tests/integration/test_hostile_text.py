"""Text from outside on a real terminal: it shows what it is and steers nothing; a pipe gets it byte for byte."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys

import pytest

HOSTILE = "# Title\x1b]0;owned\x07\n\nold\rnew \x9b31m \u202edrow\u202c\n"


@pytest.fixture
def repo(tmp_path):
    (tmp_path / "hostile.md").write_text(HOSTILE)
    command = [sys.executable, "-m", "planvow"]
    subprocess.run([*command, "cortex", "sections", "build"], cwd=tmp_path, capture_output=True, check=True)
    listed = subprocess.run(
        [*command, "cortex", "sections", "list", "--json"], cwd=tmp_path, capture_output=True, check=True
    )
    whole = next(section for section in json.loads(listed.stdout) if not section["heading_path"])

    def run(*words, terminal):
        ours, theirs = pty.openpty()
        streams = {"stdout": theirs, "stderr": theirs} if terminal else {"stdout": subprocess.PIPE, "stderr": theirs}
        done = subprocess.Popen([*command, *words], cwd=tmp_path, **streams)
        os.close(theirs)
        said = b""
        while True:
            try:
                chunk = os.read(ours, 4096)
            except OSError:  # how a terminal says that everybody has left
                break
            if not chunk:
                break
            said += chunk
        out = b"" if terminal else done.stdout.read()
        done.wait()
        os.close(ours)
        return said, out

    run.section_id = whole["section_id"]
    return run


def steering(data: bytes) -> list[str]:
    return [c for c in data.decode("utf-8").replace("\r\n", "\n") if c in "\x1b\x07\x9b\r\u202e\u202c"]


@pytest.mark.parametrize("words", [("cortex", "sections", "get", "ID"), ("cortex", "sections", "list"),
                                   ("cortex", "sections", "get", "ID", "--json")])  # fmt: skip
def test_a_terminal_is_not_steered_by_a_file(repo, words):
    said, _ = repo(*(repo.section_id if word == "ID" else word for word in words), terminal=True)
    assert b"Title\\u001b]0;owned\\u0007" in said or b"sections" in said
    assert steering(said) == []


def test_nor_by_a_name_in_an_error(repo):
    said, _ = repo("cortex", "plan", "--request-file", "\x1b[2Jno.json", terminal=True)
    assert b"\\u001b[2Jno.json: there is no such file" in said
    assert steering(said) == []


def test_nor_by_the_words_of_a_traceback(repo, tmp_path):
    (tmp_path / "raises.py").write_text("raise ValueError('\\x1b[2J at postgresql://ann:sesame@host/db')")
    said, _ = repo("--debug", "plan", "raises.py", terminal=True)
    assert b"Traceback" in said
    assert b"ValueError: \\u001b[2J at postgresql://ann:" in said
    assert b"INVALID_INPUT" in said
    assert steering(said) == []
    assert b"sesame" not in said


def test_a_pipe_gets_the_payload_byte_for_byte(repo):
    said, out = repo("cortex", "sections", "get", repo.section_id, terminal=False)
    assert out.decode("utf-8") == HOSTILE.replace("\r", "\n")  # the text rules of sections
    assert steering(said) == []


def test_help_says_that_a_module_is_executed():
    done = subprocess.run(
        [sys.executable, "-m", "planvow", "plan", "--help"], capture_output=True, text=True, check=True
    )
    assert "MODULE.py is a program and is executed" in " ".join(done.stdout.split())
