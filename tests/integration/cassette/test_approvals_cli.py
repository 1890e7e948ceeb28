"""Approving, denying, reading a dossier and erasing with the command, on both databases."""

from __future__ import annotations

import itertools
import json
import os
import sqlite3
import subprocess
import sys

import pytest

from command_line import planvow, planvow_process
from ledgers import plan_of, step
from planvow.adapters.databases.opening import open_ledger
from planvow.cassette.dossier import Dossier, Needs, Privacy, observe, store_plan_with_dossier
from planvow.contract import Step
from postgres_server import running_server

_runs = itertools.count(1)
OPERATIONS = """
from planvow.cassette import needs_approval

@needs_approval("moves money")
def pay(context):
    return {"paid": context.payload["amount"], "with": context.payload.get("token")}

HANDLERS = {"PAY": pay, "NOTE": lambda context: "noted"}
"""


class Ledger:
    def __init__(self, where, folder):
        self.where, self.folder = where, folder
        self.run_id = f"approvals-{os.getpid()}-{next(_runs)}"

    def __call__(self, *words, code=0, **environment):
        done = planvow(self.folder, "cassette", *words, "--store", self.where, **environment)
        assert done.returncode == code, (done.stdout, done.stderr)
        return done.stdout

    def json(self, *words, code=0, **environment):
        return json.loads(self(*words, "--json", code=code, **environment))

    def post(self, plan, dossier=None, **more):
        with open_ledger(self.where) as store:
            given = dossier or Dossier(asked=[["buy", "lamp"]])
            return store_plan_with_dossier(store, self.run_id, plan, given, **more).job_id


# What the commands do is the same on both; that both databases decide alike is shown by test_approvals.py.
@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.slow)])
def cassette(request, tmp_path):
    (tmp_path / "operations.py").write_text(OPERATIONS)
    if request.param == "sqlite":
        return Ledger(str(tmp_path / "cassette.db"), tmp_path)
    return Ledger(f"postgresql://postgres@/postgres?host={running_server().folder}", tmp_path)


def buying(**params):
    return plan_of(step("look"), Step(step_id="pay", skill="PAY", params={"amount": 7, **params}, depends_on=("look",)))


def test_from_the_question_to_the_receipt(cassette):
    job = cassette.post(buying(), needs_approval=Needs(steps={"pay": "more than 5"}))
    work = ["work", "--operations", "operations.py", "--job-id", job]
    assert "1 committed, 0 failed; 1 waits for a person: cassette approvals" in cassette(*work)
    assert "held" in cassette("status", "--job-id", job)
    assert "HELD" in cassette("status", "--job-id", job)
    told = cassette("approvals", "--run-id", cassette.run_id)
    assert "pay" in told
    assert "more than 5" in told
    assert job in told
    cassette("approve", job, "--step", "pay", "--by", "ann", "--plan-hash", "1" * 64, code=1)
    assert cassette("approve", job, "--step", "pay", "--by", "ann", "--note", "fine").startswith("approved step pay of")
    cassette("approve", job, "--step", "pay", "--by", "ann", code=1)
    assert cassette("approvals", "--run-id", cassette.run_id) == "nothing waits for a person\n"
    assert cassette.json(*work)["committed"] == 1
    history = cassette("approvals", "--job-id", job)
    assert "requirement of step pay by plan" in history
    assert "approval of step pay by ann" in history
    assert "fine" in history
    assert cassette.json("verify")["ok"] is True


def test_an_operation_marks_itself_and_a_denial_stops_the_job(cassette):
    job = cassette.post(buying())
    work = ["work", "--operations", "operations.py", "--job-id", job]
    assert cassette.json(*work)["held"] == 1
    (question,) = cassette.json("approvals", "--job-id", job)["waiting"]
    assert (question["step_id"], question["reason"]) == ("pay", "moves money")
    said = cassette.json("deny", job, "--step", "pay", "--by", "ann", "--reason", "too dear")
    assert (said["decision"], said["waiting"]) == ("denied", 0)
    assert cassette.json("status", "--job-id", job)["jobs"][0]["state"] == "failed"
    assert cassette.json("verify")["ok"] is True


def test_signed_by_a_key_that_verify_is_given(cassette):
    job = cassette.post(buying(), needs_approval=Needs(plan="r"))
    assert planvow(cassette.folder, "cassette", "keygen", "ann.pem").returncode == 0
    cassette("approve", job, "--by", "ann", "--key", "ann.pem", "--expires-in", "3600")
    bundle = cassette.folder / "bundle.json"
    cassette("export", "--run-id", cassette.run_id, "-o", str(bundle))
    verify = ["cassette", "verify", "--bundle", bundle, "--approver"]
    assert planvow(cassette.folder, *verify, "ann.pem.pub").returncode == 0
    assert planvow(cassette.folder, "cassette", "keygen", "bob.pem").returncode == 0
    other = planvow(cassette.folder, *verify, "bob.pem.pub")
    assert other.returncode == 1
    assert "who decided is not certain" in other.stdout


def test_a_dossier_is_shown_and_its_private_part_erased(cassette):
    privacy = Privacy(predicates={"ill"}, arguments={"PAY": {"for"}})
    dossier = Dossier(asked=[["buy", "lamp"]], state=[["ill", "ann", "influenza"], ["at", "ann", "home"]])
    plan = buying(**{"for": "{{private.pay_for}}", "token": "{{secret.BANK}}"})
    job = cassette.post(plan, dossier, privacy=privacy, arguments={"pay_for": "influenza drops"})
    with open_ledger(cassette.where) as store:
        observe(store, job, "look", {"lamp": "there"})
    shown = cassette("dossier", job)
    assert '[["buy", "lamp"]]' in shown
    assert "influenza" in shown
    assert "there" in shown
    assert json.loads(cassette("dossier", job, "--part", "asked")) == [["buy", "lamp"]]
    cassette("dossier", job, "--part", "ask", code=2)
    work = ["work", "--operations", "operations.py", "--job-id", job]
    cassette(*work)
    cassette("approve", job, "--step", "pay", "--by", "ann")
    cassette(*work, PLANVOW_SECRET_BANK="s3cr3t-token")
    bundle = cassette("export", "--run-id", cassette.run_id)
    assert "influenza" not in bundle
    assert "s3cr3t" not in bundle
    assert "{{secret.BANK}}" in bundle
    assert cassette.json("erase", job, "--by", "dora", "--reason", "asked for")["job_id"] == job
    verdict = cassette.json("verify")
    assert verdict["ok"] is True
    assert sorted(text for text in verdict["erased"] if job in text) == [
        f"{job} the argument pay_for, by dora: asked for",
        f"{job} the state of its dossier, by dora: asked for",
    ]
    assert "erased, neither accepted nor rejected: " in cassette("verify")
    assert "erased by dora: asked for" in cassette("dossier", job)


def test_words_that_are_wrong_end_with_their_exit_code(cassette):
    job = cassette.post(buying())
    cassette("approve", job, "--by", "ann", code=1)
    cassette("approve", job, "--step", "nothing", "--by", "ann", code=2)
    cassette("approve", "job_none", "--by", "ann", code=2)
    cassette("approve", job, code=2)
    cassette("deny", job, "--by", "ann", code=2)
    cassette("erase", job, "--by", "dora", "--reason", "r", "--only", "0" * 64, code=2)
    cassette("dossier", "job_none", code=2)


def test_decisions_are_watched_from_another_process(cassette):
    job = cassette.post(buying(), needs_approval=Needs(plan="watch me"))
    command = [sys.executable, "-m", "planvow", "cassette", "approvals", "--watch", "--store", cassette.where]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=cassette.folder) as watching:
        try:
            line = next(text for text in watching.stdout if job in text)
            assert "requirement of plan by plan" in line
            assert "watch me" in line
            cassette("approve", job, "--by", "ann")
            assert "approval of plan by ann" in next(text for text in watching.stdout if job in text)
        finally:
            watching.terminate()


def test_plan_verify_finds_a_document_that_was_changed(tmp_path):
    (tmp_path / "a.md").write_text("# T\n\nhello\n")
    request = {
        "run_id": "r1", "request_id": "q1", "intent": "review", "inputs": {"files": ["a.md"]},
        "budgets": {"max_steps": 10},
    }  # fmt: skip
    (tmp_path / "request.json").write_text(json.dumps(request))
    for words in (["sections", "build"], ["plan", "--request-file", "request.json"]):
        assert planvow(tmp_path, "cortex", *words).returncode == 0
    verify = ["cassette", "plan-verify", "--run-id", "r1", "--request-id", "q1"]
    assert planvow(tmp_path, *verify).returncode == 0
    raw = sqlite3.connect(tmp_path / ".planvow" / "cassette.db")
    raw.execute("DROP TRIGGER cassette_documents_no_update")
    raw.execute("UPDATE cassette_documents SET content = '{}' WHERE content LIKE '%a.md%'")
    raw.commit()
    raw.close()
    done = planvow_process(tmp_path, *verify)
    assert done.returncode == 1
    assert "does not have its hash" in done.stdout
