"""The command line in rough surroundings: closed streams, poor encodings, wrong words, narrow windows, interrupts."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import signal
import struct
import subprocess
import sys
import termios
from contextlib import suppress
from pathlib import Path

import pytest

import command_line

ROOT = Path(__file__).resolve().parents[2]
TRAVEL = str(ROOT / "examples/travel.py")
PROGRAM = [sys.executable, "-m", "planvow"]


def planvow(*words, **options):
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "encoding": "utf-8", **options}
    return subprocess.run([*PROGRAM, *words], check=False, timeout=120, **options)


@pytest.fixture
def nobody_reads():
    reader, writer = os.pipe()
    os.close(reader)
    yield writer
    os.close(writer)


@pytest.mark.parametrize("words", [["explain-error"], ["plan", TRAVEL], ["plan", "no-such-file.py", "--json"], ["-h"]])
def test_a_reader_that_went_away_ends_the_command_as_a_closed_pipe_does(nobody_reads, words):
    done = planvow(*words, stdout=nobody_reads)
    assert done.returncode == 141
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr


def test_remarks_that_nobody_reads_cost_no_result(nobody_reads):
    done = planvow("plan", TRAVEL, stderr=nobody_reads)
    assert (done.returncode, done.stdout.splitlines()[0]) == (0, "call_taxi taxi1 home_a")


def test_a_closed_stderr_costs_no_result():
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" 2>&-', "sh", *PROGRAM, "plan", TRAVEL], stdout=subprocess.PIPE, text=True, check=False
    )
    assert (done.returncode, done.stdout.splitlines()[0]) == (0, "call_taxi taxi1 home_a")


def test_a_closed_stdout_is_an_error_with_its_place():
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" >&-', "sh", *PROGRAM, "plan", TRAVEL], stderr=subprocess.PIPE, text=True, check=False
    )
    assert done.returncode == 2
    assert "INVALID_INPUT standard output: " in done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["plna", "x.py"], "planvow: there is no command 'plna'\n  hint: did you mean 'plan'?"),
        (["plan"], "planvow plan: missing argument"),
        (["plan", TRAVEL, "--max-depth", "many"], "planvow plan: invalid value for '--max-depth'"),
        (["cortex", "sectons"], "planvow cortex: no such command 'sectons'"),
    ],
)
def test_wrong_words_are_told_like_every_other_error(words, said):
    done = planvow(*words, "--json")
    assert done.returncode == 2
    assert said in done.stderr
    assert json.loads(done.stdout)["error"]["code"] == "USAGE"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["diff", "first.json", "second.json"], "first.json: there is no such file"),
        (["goal", " "], "the wish is empty\n  hint: planvow goal 'open notepad'"),
    ],
)
def test_what_is_missing_is_told_as_what_was_meant(words, said):
    done = planvow(*words)
    assert done.returncode == 2
    assert said in done.stderr


def test_a_value_that_is_given_twice_is_not_silently_the_last(tmp_path):
    (tmp_path / "tools.json").write_text("[]", encoding="utf-8")
    done = planvow("tools", "plan", "lamp", "--tools", str(tmp_path / "tools.json"), "--given", "a=1", "--given", "a=2")
    assert (done.returncode, "--given: 'a' is given twice" in done.stderr) == (2, True)


def test_what_may_be_left_out_is_in_brackets_once():
    assert planvow("tools", "plan", "-h").stdout.splitlines()[0].endswith("tools plan [OPTIONS] [CONDITION]...")


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_help_is_shown_on_terminals_without_its_characters(encoding):
    done = planvow("plan", "--help", env={**os.environ, "PYTHONIOENCODING": encoding})
    assert (done.returncode, done.stderr) == (0, "")
    assert "--max-iterations" in done.stdout


TEA = str(ROOT / "examples/robot_tea.py")
HDDL = [str(ROOT / f"examples/hddl/tea-{name}.hddl") for name in ("domain", "problem")]
FOR_PEOPLE = (
    ["plan", TEA, "--tree", "--timeline", "--explain"],
    ["plan", *HDDL, "--tree", "--explain"],
    ["goal", "open youtube"],
    ["planners"],
    ["examples", "list"],
)


@pytest.mark.parametrize("change", [{"PYTHONIOENCODING": "ascii"}, {"PLANVOW_ASCII": "1"}])
@pytest.mark.parametrize("words", FOR_PEOPLE)
def test_what_is_drawn_and_said_is_ascii_where_nothing_else_can_be_shown(words, change, tmp_path):
    done = planvow(*words, cwd=tmp_path, env={**os.environ, **change})
    assert done.returncode == 0
    assert done.stdout.isascii()
    assert done.stderr.isascii()


@pytest.mark.parametrize("ascii_only", ["", "1"])
@pytest.mark.parametrize("words", FOR_PEOPLE)
def test_lines_are_folded_at_the_width_of_a_terminal(words, ascii_only, tmp_path, monkeypatch):
    monkeypatch.setenv("PLANVOW_ASCII", ascii_only)
    done = command_line.on_screen(tmp_path, *words, columns=50)
    assert done.returncode == 0
    assert [line for line in done.stdout.splitlines() if len(line) > 50] == []


@pytest.mark.parametrize(
    "words",
    [
        ["plan", f"{TEA}:nothing"],
        ["show", "something-that-is-not-here-at-all"],
        ["agent", "run", str(ROOT / "examples/bring_lamp.py"), "--run-id", "lamp"],
    ],
)
def test_errors_and_remarks_are_folded_at_the_width_of_their_terminal(words, tmp_path):
    out, said = with_remarks_on_a_terminal(words, tmp_path, columns=50)
    assert said
    assert [line for line in said.splitlines() if len(line) > 50 and len(line.split()) > 1] == []  # paths stay whole
    assert " ".join(out.split()) == " ".join(planvow(*words, cwd=tmp_path / "anew").stdout.split())


def test_a_timeline_in_a_file_is_whole_however_narrow_the_terminal_is_where_remarks_go(tmp_path):
    words = ["plan", TEA, "--timeline"]
    out, said = with_remarks_on_a_terminal(words, tmp_path, columns=50)
    assert out == planvow(*words, cwd=tmp_path).stdout
    assert said == "solved: 6 steps\n"


def with_remarks_on_a_terminal(words, folder, *, columns):
    """Run a command whose results go into a pipe and whose remarks go to a terminal of so many columns."""
    (folder / "anew").mkdir()
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    command = [sys.executable, "-m", "planvow", *words]
    with subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=theirs) as process:
        os.close(theirs)
        said = b""
        with suppress(OSError):  # how a terminal says that everybody has left
            while part := os.read(ours, 4096):
                said += part
        out = process.stdout.read().decode()
    os.close(ours)
    return out, said.decode().replace("\r\n", "\n")


def test_a_document_is_printed_as_it_is_however_narrow_the_terminal(tmp_path):
    for words in (["plan", TEA, "--json"], ["schema", "certificate"], ["plan", *HDDL]):
        wide, narrow = (command_line.on_screen(tmp_path, *words, columns=columns) for columns in (400, 50))
        assert wide.stdout == narrow.stdout
        assert wide.returncode == 0


@pytest.mark.parametrize("command", ["plan", "check"])
def test_a_folder_in_place_of_a_file_is_called_a_folder(tmp_path, command):
    done = planvow(command, str(tmp_path))
    assert done.returncode == 2
    assert f"{tmp_path}: this is a folder" in done.stderr


def test_a_certificate_can_come_from_standard_input(tmp_path):
    kept = tmp_path / "plan.json"
    assert planvow("plan", TRAVEL, "--certificate", str(kept)).returncode == 0
    done = planvow("verify", "-", input=kept.read_text("utf-8"))
    assert (done.returncode, done.stdout.split()[:3]) == (0, ["planvow", "consistent", "accepted"])
    assert "INVALID_INPUT -:1:1: not JSON" in planvow("verify", "-", input="").stderr


ENDLESS = """
import sys
import termios
from contextlib import suppress
from planvow import Domain, State, make_problem

count = Domain("count")


@count.command
def say(state, number):
    return state


@count.method(task="count")
def on(state, number):
    if number == 0:
        print("started", file=sys.stderr, flush=True)
    return [("say", number), ("count", number + 1)]


problem = make_problem(count, State(), [("count", 0)])
"""


def test_an_interrupt_ends_a_search_quietly(tmp_path):
    module = tmp_path / "count.py"
    module.write_text(ENDLESS)
    with subprocess.Popen(
        [*PROGRAM, "plan", module],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a shell's background jobs ignore it
    ) as run:
        assert run.stderr.readline() == "started\n"
        run.send_signal(signal.SIGINT)
        out, err = run.communicate(timeout=60)
    assert (run.returncode, out, err) == (130, "", "")


WAITING = """
import sys
import threading
from planvow import Domain, State, make_problem

wait = Domain("wait")


@wait.command
def hold(state):
    return state


def hold_on():
    print("held", file=sys.stderr, flush=True)
    threading.Event().wait()


problem = make_problem(wait, State(), [("hold",)])
tools = {"hold": hold_on}
"""


def test_an_interrupted_agent_says_how_it_goes_on(tmp_path):
    (tmp_path / "wait.py").write_text(WAITING)
    with subprocess.Popen(
        [*PROGRAM, "agent", "run", "wait.py", "--run-id", "w"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as run:
        while run.stderr.readline() not in ("held\n", ""):
            pass
        run.send_signal(signal.SIGINT)
        out, err = run.communicate(timeout=60)
    assert (run.returncode, out) == (130, "")
    assert err.endswith("planvow: interrupted; planvow agent resume wait.py w goes on\n")


def test_an_interrupt_that_wakes_nobody_is_heard_all_the_same(tmp_path):
    """The system may give a signal to a thread beside the loop, or just before the loop waits: neither wakes it."""
    beside = WAITING.replace(
        "    threading.Event().wait()",
        "    signal.pthread_kill(threading.get_ident(), signal.SIGINT)\n    threading.Event().wait()",
    ).replace("import sys", "import signal\nimport sys")
    (tmp_path / "wait.py").write_text(beside)
    done = subprocess.run(
        [*PROGRAM, "agent", "run", "wait.py", "--run-id", "w"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        timeout=120,
        check=False,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr.endswith("planvow: interrupted; planvow agent resume wait.py w goes on\n")


@pytest.mark.parametrize("words", [[], ["cassette"], ["cortex"], ["cortex", "sections"], ["cortex", "symbols"]])
def test_the_lists_of_commands_cut_no_sentence(words):
    done = planvow(*words, "--help")
    listed = done.stdout.split("--help", 1)[1]
    assert (done.returncode, "..." in listed) == (0, False)


def test_nothing_is_coloured_unless_a_terminal_reads():
    for words in (["--help"], ["plan", TRAVEL, "--tree", "--explain"], ["nonsense"]):
        done = planvow(*words, env={**os.environ, "FORCE_COLOR": "1", "COLUMNS": "40"})
        assert "\x1b" not in done.stdout + done.stderr
