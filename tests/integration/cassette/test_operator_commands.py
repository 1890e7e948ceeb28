"""The operator's commands as people run them, on real ledgers: narrow terminals and read-only media too."""

from __future__ import annotations

import inspect
import json
import os
import pty
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote, urlencode

import psycopg
import pytest

from command_line import on_screen, planvow, planvow_process
from ledgers import chained, independent, plan_of, post, step
from planvow.adapters.cli.frame.table import Column, table
from planvow.adapters.cli.ledger.cassette import app
from planvow.adapters.databases.opening import open_ledger
from planvow.cassette.databases.postgres import PostgresStore
from planvow.cassette.ledger.schedule import Schedule
from postgres_server import running_server
from vandals import login

OPERATIONS = """
import os, signal

def die(context):
    os.kill(os.getpid(), signal.SIGKILL)

def fail(context):
    raise ValueError("the disk is purple")

HANDLERS = {"NOTE": lambda context: {"said": context.payload["message"]}, "DIE": die, "FAIL": fail}
"""


def cassette(*words: str, code: int = 0) -> str:
    run = planvow_process if code < 0 else planvow  # what is killed is not the test
    done = run(Path.cwd(), "cassette", *words)
    assert done.returncode == code, done.stderr
    return done.stdout


def answer(*words: str, code: int = 0) -> dict:
    return json.loads(cassette(*words, "--json", code=code))


# What operators decide is the same on both: test_operators.py shows that without starting commands.
@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.slow)])
def where(request, tmp_path):
    if request.param == "sqlite":
        return str(tmp_path / "cassette.db")
    server = running_server()
    name = f"commands_{os.getpid()}_{id(request)}"
    with psycopg.connect(server.conninfo, autocommit=True) as owner:
        owner.execute(f"CREATE DATABASE {name}")
    return f"postgresql:///{name}?{urlencode({'host': str(server.folder), 'user': 'postgres'})}"


@pytest.fixture
def operations(tmp_path):
    path = tmp_path / "operations.py"
    path.write_text(OPERATIONS)
    return str(path)


def work(where: str, operations: str, folder: Path, code: int = 0) -> None:
    options = ("--operations", operations, "--repo-root", str(folder))
    cassette("work", "--store", where, *options, code=code)


def test_show_tells_of_a_job_and_of_a_step_why_it_failed(where, operations, tmp_path):
    with open_ledger(where) as store:
        job = post(store, plan_of(step("good"), step("bad", "good", op="FAIL"), step("left", "bad")))
        child = post(store, independent(1, request_id="child", parent_job_id=job))
    work(where, operations, tmp_path, code=1)
    text = cassette("show", job[:12], "--store", where)
    assert "failed" in text
    assert child in text
    assert "the disk is purple" in text
    told = answer("show", job, "--store", where)
    assert [s["status"] for s in told["steps"]] == ["COMMITTED", "FAILED", "SKIPPED"]
    assert told["steps"][0]["output"] == {"said": "good"}
    one = answer("show", f"{job[:12]}/2", "--store", where)
    assert one["arguments"] == {"message": "bad"}
    assert one["attempts"][0]["error"]["message"] == "the disk is purple"
    assert one["attempts"][0]["worker_id"]
    assert answer("show", child, "--store", where)["parent_job_id"] == job
    assert "attempt 1" in cassette("show", f"{job}/2", "--store", where)
    assert "AMBIGUOUS_ID" in cassette("show", "job_", "--store", where, "--json", code=2)


def test_a_job_is_scheduled_limited_and_cancelled_from_the_command_line(where, operations, tmp_path):
    with open_ledger(where) as store:
        jobs = [post(store, chained(2, request_id=f"q{n}")) for n in range(2)]
    told = answer(
        "schedule", jobs[1], "--priority", "3", "--start", "+1h", "--why", "tonight", "--by", "ann", "--store", where
    )
    assert told["open_steps"] == 2
    answer("limit", "--operation", "NOTE", "--at-once", "2", "--per-minute", "100", "--store", where)
    assert answer("limits", "--store", where)["limits"][0]["at_once"] == 2
    assert "NOTE" in cassette("limits", "--store", where)
    work(where, operations, tmp_path)
    assert answer("cancel", jobs[1], "--why", "not needed", "--by", "ann", "--store", where)["cancelled"] == 2
    states = [job["state"] for job in answer("status", "--store", where)["jobs"]]
    assert states == ["committed", "cancelled"]
    text = cassette("show", jobs[1], "--store", where)
    assert "cancelled by ann: not needed" in text
    assert "priority 3" in text
    assert "ENDED_ALREADY" in cassette("cancel", jobs[1], "--why", "x", "--store", where, "--json", code=1)
    answer("limit", "--operation", "NOTE", "--remove", "--store", where)
    assert answer("limits", "--store", where) == {"limits": []}
    cassette("verify", "--store", where)


@pytest.mark.parametrize(
    "words",
    [
        ("schedule", "job_x"),
        ("limit", "--at-once", "1"),
        ("limit", "--key", "k"),
        ("schedule", "job_x", "--start", "soon"),
    ],
)
def test_what_makes_no_sense_is_said(words, tmp_path):
    with open_ledger(str(tmp_path / "c.db")) as store:
        post(store, independent(1))
    cassette(*words, "--store", str(tmp_path / "c.db"), code=2)


@pytest.mark.parametrize("number", ["/²", "/१", "/-1", "\udcff"])
def test_what_names_no_step_is_told_as_such(number, tmp_path):
    with open_ledger(str(tmp_path / "c.db")) as store:
        job_id = post(store, independent(1))
    cassette("show", job_id + number, "--store", str(tmp_path / "c.db"), code=2)


def test_a_folder_in_place_of_a_ledger_is_called_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for place in (".", str(tmp_path)):
        done = planvow(Path.cwd(), "cassette", "status", "--store", place)
        assert (done.returncode, f"{place}: this is a folder" in done.stderr) == (2, True)


def test_a_proof_of_nothing_names_what_was_asked(tmp_path):
    with open_ledger(str(tmp_path / "c.db")) as store:
        post(store, independent(1))
    done = planvow(tmp_path, "cassette", "prove", "--receipt", "", "--store", "c.db")
    assert (done.returncode, "no entry for ''" in done.stderr) == (2, True)


def test_the_step_of_a_killed_worker_is_put_back_at_once_on_its_machine(where, operations, tmp_path):
    """Its lease would last five minutes."""
    with open_ledger(where) as store:
        job = post(store, plan_of(step("a", op="DIE"), max_attempts={"a": 2}))
    work(where, operations, tmp_path, code=-9)
    listed = answer("workers", "--store", where)["workers"]
    assert [(one["life"], one["step"]["ordinal"]) for one in listed] == [("dead", 1)]
    assert "dead" in cassette("workers", "--store", where)
    done = answer("requeue", "--store", where)
    assert (done["requeued"], [one["became"] for one in done["put_back"]], done["left"]) == (1, ["PENDING"], [])
    work(where, operations, tmp_path, code=-9)
    assert answer("requeue", "--store", where)["put_back"][0]["became"] == "DEAD"
    assert "taken from" in cassette("show", job, "--store", where)
    cassette("verify", "--store", where)


def test_requeue_says_what_it_left_and_why(tmp_path):
    where = str(tmp_path / "c.db")
    with open_ledger(where) as store:
        post(store, independent(1))
        store.claim("stranger")
    done = answer("requeue", "--store", where)
    assert done["requeued"] == 0
    assert "never made itself known" in done["left"][0]["why"]
    assert "stays leased to stranger" in cassette("requeue", "--store", where)


# Tables.


@pytest.mark.parametrize("width", [50, 60, 80, 120, 200])
def test_tables_fit_the_terminal(width, tmp_path):
    """At one width it is a terminal of the system, at the others a stream that says it is one."""
    where = str(tmp_path / "c.db")
    with open_ledger(where) as store:
        for number in range(3):
            post(
                store,
                independent(3, request_id=f"a long request number {number}"),
                run_id="a long run with a long name",
            )
        job = store.jobs()[0].job_id
        store.claim("a-machine-with-a-long-name:12345:abcdef01")
    for words in (("status",), ("status", "--job-id", job), ("show", job)):
        command = ["cassette", *words, "--store", where]
        shown = _on_terminal(command, width) if width == 60 else on_screen(tmp_path, *command, columns=width).stdout
        assert job[:12] in shown
        if words[0] == "status":
            assert max(len(line) for line in shown.splitlines()) <= width, shown


def _on_terminal(words: list[str], width: int) -> str:
    """Run a command with a terminal of so many columns as its output."""
    leader, follower = pty.openpty()
    env = {**os.environ, "COLUMNS": str(width), "TERM": "dumb"}
    with subprocess.Popen(
        [sys.executable, "-m", "planvow", *words], stdout=follower, stderr=follower, env=env
    ) as process:
        os.close(follower)
        pieces = []
        with suppress(OSError):
            while piece := os.read(leader, 65536):
                pieces.append(piece)
        assert process.wait() == 0
    os.close(leader)
    return b"".join(pieces).decode().replace("\r\n", "\n")


def test_a_table_that_is_piped_is_whole_and_one_that_is_narrow_keeps_what_matters():
    columns = (Column(name="job", is_id=True), Column(name="note", weight=1), Column(name="state"))
    rows = [("job_0123456789abcdef", "x" * 40, "failed"), ("job_1123456789abcdef", "漢字" * 9, "committed")]
    assert "job_0123456789abcdef  " + "x" * 40 in table(columns, rows)
    narrow = table(columns, rows, 50)
    assert "note" not in narrow
    assert "committed" in narrow
    assert "job_01234567 " in table(columns, rows, 66)


# Media that cannot be written.


def looked_at(where: str) -> None:
    for words in (("status",), ("show", "job_"), ("verify",), ("export", "--run-id", "run"), ("workers",), ("limits",)):
        done = planvow(Path.cwd(), "cassette", *words, "--store", where)
        assert done.returncode == 0, (words, done.stderr)
        assert done.stdout


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="needs bubblewrap")
@pytest.mark.parametrize("mode", ["wal", "delete"])
def test_a_ledger_on_a_read_only_mount_can_be_looked_at(mode, tmp_path):
    where = tmp_path / "ledger" / "cassette.db"
    with open_ledger(str(where)) as store:
        store.post("run", {}, independent(2), schedule=Schedule(priority=1))
        store.complete(store.claim("w"), "SUCCESS")
        driver = store.driver
    raw = driver.connect(str(where))
    raw.execute(f"PRAGMA journal_mode = {mode}")
    raw.close()
    bwrap = ["bwrap", "--dev-bind", "/", "/", "--ro-bind", str(where.parent), str(where.parent)]
    if subprocess.run([*bwrap, "true"], check=False).returncode != 0:
        pytest.skip("no namespaces here")
    looks = f"from {Path(__file__).stem} import looked_at; looked_at({str(where)!r})"
    path = {"PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), *filter(None, sys.path)])}
    command = [*bwrap, sys.executable, "-c", looks]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **path}, check=False)
    assert done.returncode == 0, done.stderr
    command = [*bwrap, sys.executable, "-m", "planvow", "cassette", "cancel", "job_", "--why", "x", "--store", where]
    refused = subprocess.run(command, capture_output=True, text=True, check=False)
    assert refused.returncode == 3
    assert "STORAGE" in refused.stderr


def test_a_ledger_can_be_looked_at_by_a_role_that_only_reads():
    server = running_server()
    name = f"reading_{os.getpid()}"
    with psycopg.connect(server.conninfo, autocommit=True) as owner:
        owner.execute(f"CREATE DATABASE {name}")
    conninfo = server.conninfo.replace("dbname=postgres", f"dbname={name}")
    with PostgresStore(conninfo, driver=psycopg) as store:
        post(store, independent(1))
        store.grant(login("only_looks"), "reader")
    where = f"postgresql:///{name}?" + urlencode(
        {"host": str(server.folder), "user": "only_looks", "options": "-c default_transaction_read_only=on"},
        quote_via=quote,
    )
    looked_at(where)


def test_every_command_of_the_ledger_answers_in_json_when_asked_to():
    asked = {each.name: inspect.signature(each.callback).parameters for each in app.registered_commands}
    assert [name for name, parameters in asked.items() if "as_json" not in parameters] == []


def test_a_proof_that_goes_to_a_file_is_told_of_in_json(tmp_path):
    with open_ledger(str(tmp_path / "cassette.db")) as store:
        job = post(store, independent(1))
        store.complete(store.claim("w"), "SUCCESS")
    words = ["cassette", "prove", "--job-id", job, "--store", "cassette.db", "-o", "proof.json", "--json"]
    told = json.loads(planvow(tmp_path, *words).stdout)
    assert (told["file"], told["tree_size"]) == ("proof.json", 3)
    assert planvow(tmp_path, "cassette", "check-proof", "proof.json").returncode == 0
