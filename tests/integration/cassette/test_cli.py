"""The ledger from the command line, as a newcomer would use it."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from command_line import planvow
from ledgers import independent, plan_of, post, sqlite_ledger, statuses, step
from planvow.adapters.databases.opening import open_ledger
from planvow.cassette.work import pool
from postgres_server import PostgresServer, running_server

PROGRAM = [sys.executable, "-m", "planvow", "cassette"]

REQUEST = {
    "run_id": "r1",
    "request_id": "q1",
    "intent": "review",
    "inputs": {
        "files": ["a.md"],
        "notes": ["look at it"],
        "ops": [{"op": "WRITE_FILE", "refs": {"file_path": "out/b.txt", "content": "hi\n"}}],
    },
    "budgets": {"max_steps": 10},
}


@pytest.fixture(scope="module")
def planned(tmp_path_factory):
    """A tree with an index and a stored plan, made once by the commands."""
    root = tmp_path_factory.mktemp("planned")
    (root / "a.md").write_text("# Title\n\nhello\n")
    (root / "request.json").write_text(json.dumps(REQUEST))
    for words in (["sections", "build"], ["plan", "--request-file", "request.json"]):
        assert planvow(root, "cortex", *words).returncode == 0
    return root


@pytest.fixture
def repo(planned, tmp_path, monkeypatch):
    """A copy of that tree, which a test may spoil."""
    shutil.copytree(planned, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def answer(*words):
    """Run a command in this process; return its exit code and what it printed on stdout."""
    done = planvow(Path.cwd(), "cassette", *words)
    return done.returncode, done.stdout


def refusal(*words):
    """Run a command that is refused; return what it said."""
    done = planvow(Path.cwd(), "cassette", *words)
    assert (done.returncode in (1, 2), done.stdout) == (True, "")
    return done.stderr


def tamper(path, statement):
    """Change the file as its owner can: without the triggers."""
    raw = sqlite3.connect(path)
    for (name,) in raw.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        raw.execute(f"DROP TRIGGER {name}")
    raw.execute(statement)
    raw.commit()
    raw.close()


def test_a_request_is_worked_off_sealed_and_carried_away(repo):
    assert answer("work")[0] == 0
    assert (repo / "out/b.txt").read_text() == "hi\n"
    (job,) = json.loads(answer("status", "--json")[1])["jobs"]
    assert (job["state"], job["committed"]) == ("committed", 3)
    assert "COMMITTED" in answer("status", "--job-id", job["job_id"])[1]
    assert answer("plan-verify", "--run-id", "r1", "--request-id", "q1")[0] == 0
    assert answer("keygen", "key") == (0, "key.pub\n")
    assert answer("backup", "unsealed.db")[0] == 0
    assert json.loads(answer("seal", "--run-id", "r1", "--key", "key", "-o", "kept.json")[1])["tree_size"] == 5
    assert answer("verify", "--key", "key.pub", "--seal", "kept.json")[0] == 0
    code, text = answer("verify", "--store", "unsealed.db", "--seal", "kept.json")
    assert (code, "it covers 5 leaves, only 0 are here" in text) == (1, True)
    assert answer("export", "--run-id", "r1", "-o", "bundle.json")[0] == 0
    assert json.loads(answer("verify", "--bundle", "bundle.json", "--key", "key.pub", "--json")[1])["ok"]
    assert answer("backup", "copy.db")[0] == 0
    assert answer("verify", "--store", "copy.db")[0] == 0


def test_tampering_is_found_by_verify_and_plan_verify(repo):
    answer("work")
    tamper(".planvow/cassette.db", "UPDATE cassette_step_definitions SET op = 'RUN_TEST' WHERE ordinal = 2")
    code, text = answer("verify")
    assert code == 1
    assert "does not have the hash the chain begins with" in text
    code, text = answer("plan-verify", "--run-id", "r1", "--request-id", "q1", "--json")
    assert code == 1
    assert json.loads(text)["plans"][0]["changed"] == ["stored bytes"]


def test_plan_verify_names_the_substrate_when_a_file_has_changed(repo):
    (repo / "a.md").write_text("# Title\n\nchanged\n")
    assert planvow(repo, "cortex", "sections", "build").returncode == 0
    code, text = answer("plan-verify", "--run-id", "r1", "--request-id", "q1")
    assert code == 1
    assert "substrate" in text
    assert answer("plan-verify", "--run-id", "r1", "--request-id", "unknown")[0] == 1


def test_a_failed_step_gives_exit_code_one(repo):
    (repo / "a.md").write_text("changed behind the plan's back")
    code, text = answer("work")
    assert code == 1
    assert "1 failed" in text


def test_own_operations_come_from_a_python_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with sqlite_ledger(tmp_path) as store:
        job = post(store, independent(2))
    (tmp_path / "mine.py").write_text("HANDLERS = {'NOTE': lambda step: step.payload['message'].upper()}\n")
    assert answer("work", "--store", "cassette.db", "--operations", "mine.py")[0] == 0
    with sqlite_ledger(tmp_path) as store:
        assert store.outputs(job) == {"s1": "S1", "s2": "S2"}


@pytest.mark.parametrize("processes", ["1", "2"])
def test_what_is_left_for_other_workers_is_said_and_is_exit_1(tmp_path, processes):
    with sqlite_ledger(tmp_path) as store:
        job = post(store, plan_of(step("a", op="MINE"), step("b", op="MIME"), step("c", "b", op="MINE")))
    (tmp_path / "mine.py").write_text("HANDLERS = {'MINE': lambda step: None}\n")
    words = ["cassette", "work", "--store", "cassette.db", "--operations", "mine.py", "--workers", processes]
    done = planvow(tmp_path, *words)
    assert (done.returncode, done.stdout) == (1, "1 committed, 0 failed; left for a worker that has MIME\n")
    assert ("did you mean 'MINE'?" in done.stderr) == (processes == "1")
    again = planvow(tmp_path, *words, "--json")
    assert json.loads(again.stdout)["missing_operations"] == ["MIME"]
    with sqlite_ledger(tmp_path) as store:
        assert statuses(store, job) == ["COMMITTED", "PENDING", "PENDING"]
    (tmp_path / "mine.py").write_text("HANDLERS = dict.fromkeys(('MINE', 'MIME'), lambda step: None)\n")
    done = planvow(tmp_path, *words)
    assert (done.returncode, done.stdout) == (0, "2 committed, 0 failed\n")


MEETS_THE_OTHERS = """
import os, pathlib, time

def note(step):
    pathlib.Path(f"{os.getpid()}.met").touch()
    give_up = time.monotonic() + 60
    while len(list(pathlib.Path().glob("*.met"))) < 3 and not os.path.exists("alone"):
        if time.monotonic() > give_up:
            pathlib.Path("alone").touch()
        step.stop.wait(0.02)

HANDLERS = {"NOTE": note}
"""


def test_several_worker_processes_share_the_steps(tmp_path):
    """No step ends before three processes are at one at the same time, so none can have done the work of another."""
    with sqlite_ledger(tmp_path) as store:
        job = post(store, independent(30))
    (tmp_path / "mine.py").write_text(MEETS_THE_OTHERS)
    words = ["work", "--store", "cassette.db", "--operations", "mine.py", "--workers", "3"]
    with subprocess.Popen([*PROGRAM, *words], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as pool:
        pool.communicate()
    assert (pool.returncode, (tmp_path / "alone").exists()) == (0, False)
    processes = {int(path.stem) for path in tmp_path.glob("*.met")}
    assert len(processes) == 3
    assert pool.pid not in processes
    with sqlite_ledger(tmp_path) as store:
        assert store.job(job).committed == len(store.receipts(job)) == 30
        assert len({receipt.worker_id for receipt in store.receipts(job)}) >= 3


KILLED_IN_ITS_SECOND_STEP = """
import os, pathlib, signal

def note(step):
    try:
        if step.claim.ordinal == 1:
            pathlib.Path("first").write_text(str(os.getpid()))
        while step.claim.ordinal != 1 and not os.path.exists("killed"):
            if pathlib.Path("first").read_text() == str(os.getpid()):
                pathlib.Path("killed").touch()
                os.kill(os.getpid(), signal.SIGKILL)
            step.stop.wait(0.02)
    except FileNotFoundError:
        return note(step)

HANDLERS = {"NOTE": note}
"""


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_what_a_killed_process_committed_is_in_the_sum(tmp_path, kind):
    """The process that does the first step is killed in its second, while the other one waits for that."""
    where = "cassette.db" if kind == "sqlite" else f"postgresql://postgres@/postgres?host={running_server().folder}"
    with open_ledger(str(tmp_path / where) if kind == "sqlite" else where) as store:
        job = post(store, independent(8, request_id=f"killed on {kind}"), run_id="killed")
    (tmp_path / "mine.py").write_text(KILLED_IN_ITS_SECOND_STEP)
    words = ["work", "--store", where, "--operations", "mine.py", "--workers", "2", "--run-id", "killed"]
    done = subprocess.run(
        [*PROGRAM, *words, "--lease-seconds", "1", "--json"], cwd=tmp_path, check=True, capture_output=True, text=True
    )
    assert "was killed by signal 9" in done.stderr
    assert json.loads(done.stdout)["committed"] == 8
    with open_ledger(str(tmp_path / where) if kind == "sqlite" else where) as store:
        assert store.job(job).committed == 8


ENDS_BADLY_ONCE = """
import os, pathlib

def note(step):
    if step.claim.ordinal == 2 and not os.path.exists("ended"):
        pathlib.Path("ended").touch()
        os._exit(3)

HANDLERS = {"NOTE": note}
"""


def test_a_process_that_ends_badly_is_replaced_and_what_it_committed_is_in_the_sum(tmp_path):
    with sqlite_ledger(tmp_path) as store:
        post(store, independent(4))
    (tmp_path / "mine.py").write_text(ENDS_BADLY_ONCE)
    words = ["work", "--store", "cassette.db", "--operations", "mine.py", "--workers", "2", "--lease-seconds", "1"]
    done = subprocess.run([*PROGRAM, *words], cwd=tmp_path, check=False, capture_output=True, text=True)
    assert "ended with exit code 3; starting another" in done.stderr
    assert (done.returncode, done.stdout) == (0, "4 committed, 0 failed\n")


def test_processes_that_all_end_badly_are_not_replaced_for_ever(tmp_path, monkeypatch):
    monkeypatch.setattr(pool, "PAUSE_SECONDS", 0)
    replaced = []
    broken = [sys.executable, "-c", "raise SystemExit(3)"]
    assert pool.run_pool(broken, 1, stop=threading.Event(), note=replaced.append) == 1
    assert len(replaced) == pool.RESTARTS_PER_WORKER
    invalid = [sys.executable, "-c", "raise SystemExit(2)"]  # what is wrong about a command is wrong every time
    assert pool.run_pool(invalid, 2, stop=threading.Event(), note=replaced.append) == 2
    assert len(replaced) == pool.RESTARTS_PER_WORKER


@pytest.mark.parametrize("workers", ["1", "2"])
def test_workers_that_find_the_database_away_at_the_start_wait_for_it(tmp_path, workers):
    server = PostgresServer()
    try:
        where = f"postgresql://postgres@/postgres?host={server.folder}"
        with open_ledger(where) as store:
            post(store, independent(3))
        server.stop()
        (tmp_path / "mine.py").write_text("HANDLERS = {'NOTE': lambda step: None}\n")
        words = ["work", "--store", where, "--operations", "mine.py", "--workers", workers]
        worker = subprocess.Popen(
            [*PROGRAM, *words], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert worker.stderr.readline().startswith("waiting for the ledger, a minute at most: LEDGER_UNREACHABLE")
        server.start()
        printed, _ = worker.communicate()
        assert (worker.returncode, printed) == (0, "3 committed, 0 failed\n")
    finally:
        server.remove()


def test_a_signal_lets_the_current_step_finish(tmp_path):
    with sqlite_ledger(tmp_path) as store:
        job = post(store, independent(2))
    (tmp_path / "mine.py").write_text(
        "def wait(step):\n    print('started', flush=True)\n    step.stop.wait()\nHANDLERS = {'NOTE': wait}\n"
    )
    words = ["work", "--store", "cassette.db", "--operations", "mine.py"]
    worker = subprocess.Popen(
        [*PROGRAM, *words], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert worker.stderr.readline() == "started\n"  # stdout is for the result
    os.kill(worker.pid, signal.SIGTERM)
    printed, _ = worker.communicate()
    assert printed == "1 committed, 0 failed\n"
    with sqlite_ledger(tmp_path) as store:
        assert (store.job(job).committed, store.job(job).pending) == (1, 1)


IN_THE_MIDDLE = """
import signal
from planvow.adapters.cli.ledger.work import _stopping_on_signals
with _stopping_on_signals() as stop:
    with stop._cond:  # as a main thread has it that is about to wait
        signal.raise_signal(signal.SIGTERM)
    print(stop.wait(100))
"""


def test_a_signal_is_heard_also_by_a_worker_that_is_just_about_to_wait():
    done = subprocess.run([sys.executable, "-c", IN_THE_MIDDLE], capture_output=True, text=True, timeout=100)
    assert done.stdout == "True\n"


def test_a_missing_ledger_is_not_made_by_looking_at_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for words in (["status"], ["verify"], ["requeue"], ["work"]):
        assert "planvow: NO_LEDGER .planvow/cassette.db: there is no ledger" in refusal(*words)
    assert list(tmp_path.iterdir()) == []


def test_requeue_puts_back_what_a_dead_worker_holds(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with sqlite_ledger(tmp_path) as store:
        post(store, independent(2))
        store.claim("dead", lease_ms=0)
    assert json.loads(answer("requeue", "--store", "cassette.db", "--json")[1]) == {
        "requeued": 1,
        "expired": 1,
        "put_back": [],
        "left": [],
    }


def test_a_seal_is_never_taken_for_signed_when_it_is_not(repo):
    answer("work")
    answer("keygen", "key")
    assert answer("seal", "--run-id", "r1")[0] == 0
    assert "sealed already, without this key" in refusal("seal", "--run-id", "r1", "--key", "key")


@pytest.mark.parametrize("content", [b"no database at all\n", None])
def test_a_damaged_ledger_is_exit_1_with_its_place(repo, content):
    path = repo / ".planvow/cassette.db"
    data = path.read_bytes()
    path.write_bytes(content or data[:4096] + b"\x00" * (len(data) - 4096))
    done = planvow(repo, "cassette", "verify")
    assert done.returncode == 1
    assert "TAMPERED" in done.stderr
    assert "cassette.db" in done.stderr


def test_damage_that_sqlite_alone_sees_is_a_finding(repo):
    with sqlite3.connect(".planvow/cassette.db") as raw:
        raw.execute("PRAGMA writable_schema = ON")
        raw.execute("UPDATE sqlite_master SET rootpage = 99999 WHERE type = 'index' AND sql IS NOT NULL AND rowid = "
                    "(SELECT max(rowid) FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL)")  # fmt: skip
    raw.close()
    assert planvow(repo, "cassette", "verify").returncode == 1


@pytest.mark.parametrize("words", [["export", "--run-id", "r1", "-o"], ["keygen"], ["backup"]])
def test_a_file_that_cannot_be_written_is_invalid_input(repo, words):
    done = planvow(repo, "cassette", *words, "no/such/folder/x")
    assert done.returncode == 2
    assert "no/such/folder/x: cannot be written" in done.stderr


def test_an_error_is_one_json_document_when_json_is_asked_for(repo):
    done = subprocess.run([*PROGRAM, "status", "--store", "nix", "--json"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert json.loads(done.stdout)["error"]["code"] == "NO_LEDGER"
    assert "planvow: NO_LEDGER nix" in done.stderr


@pytest.mark.parametrize("more", [[], ["--json"], ["--watch"]])
def test_the_status_of_a_job_that_does_not_exist_is_an_error(repo, more):
    done = planvow(repo, "cassette", "status", "--job-id", "job_x", *more)
    assert done.returncode == 2
    assert "UNKNOWN_STEP there is no job job_x" in done.stderr
    assert "no jobs" not in done.stdout


@pytest.mark.parametrize("command", ["status", "work", "seal", "export"])
def test_a_run_that_does_not_exist_is_an_error_in_every_command(repo, command):
    said = refusal(command, "--run-id", "r11")
    assert "UNKNOWN_STEP there is no run 'r11' in this ledger\n  hint: did you mean 'r1'?\n" in said


@pytest.mark.parametrize("command", ["status", "work"])
def test_a_job_of_another_run_is_an_error(repo, command):
    (job,) = json.loads(answer("status", "--json")[1])["jobs"]
    assert answer("status", "--run-id", "r1", "--job-id", job["job_id"])[0] == 0
    assert "belongs to run 'r1', not to 'other'" in refusal(command, "--run-id", "other", "--job-id", job["job_id"])


def test_several_processes_give_one_answer(repo):
    done = planvow(repo, "cassette", "work", "--workers", "2", "--json")
    assert json.loads(done.stdout) == {
        "committed": 3,
        "failed": 0,
        "lost": 0,
        "missing_operations": [],
        "retried": 0,
        "cancelled": 0,
        "held": 0,
        "later_operations": [],
    }


@pytest.mark.parametrize("kind", ["file", "postgres"])
def test_plan_and_workers_share_the_ledger_that_the_environment_names(repo, kind):
    where = "other.db" if kind == "file" else f"postgresql://postgres@/postgres?host={running_server().folder}"
    for words in (["cortex", "plan", "--request-file", "request.json"], ["cassette", "work"]):
        done = planvow(repo, *words, PLANVOW_CASSETTE=where)
    assert done.stdout == "3 committed, 0 failed\n"


def test_the_data_folder_of_cortex_can_be_named_to_the_cassette_too(repo):
    for words in (["sections", "build"], ["plan", "--request-file", "request.json"]):
        assert planvow(repo, "cortex", *words, "--data", "elsewhere").returncode == 0
    assert answer("plan-verify", "--run-id", "r1", "--request-id", "q1", "--data", "elsewhere")[0] == 0
    assert answer("work", "--data", "elsewhere") == (0, "3 committed, 0 failed\n")
