"""Who changes what people decided, or takes it away, is found by the command `cassette verify`: on both databases.

The adversary owns the database and puts hashes in order afterwards; each attack has its control. One of them is met by
commands in processes of their own.
"""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest

from command_line import planvow, planvow_process
from forgers import Owned
from ledgers import chained, post
from planvow.cassette.dossier import approve, observe
from planvow.cassette.dossier.approvals import require
from planvow.cassette.ledger.chain import note_hash, sha256_text


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text("HANDLERS = {'NOTE': lambda context: context.payload['message']}\n")


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.slow)])
def ledger(request, tmp_path):
    return Owned.new(request.param, tmp_path)


def run(*words, how=planvow) -> tuple[int, str]:
    """Run a command; return its exit code and what it printed."""
    done = how(Path.cwd(), "cassette", *words)
    return done.returncode, done.stdout + done.stderr


def decided(ledger: Owned) -> str:
    """A job with a question, its answer, something observed, and a step done."""
    with ledger.open() as store:
        job = post(store, chained(1))
        require(store, job, "s1", by="plan", reason="costly")
        approve(store, job, "s1", by="ann")
        claim = store.claim("w")
        store.complete(claim, "SUCCESS", {"output": 1})
        observe(store, job, "s1", {"lamp": "on"})
    return job


def rewrite_last_note(ledger: Owned, said: dict) -> None:
    """Other words in the last note, with its document and its own hash in order."""
    text = json.dumps(said, separators=(",", ":"), sort_keys=True)
    with ledger.open() as store:
        note = dict(store.rows("rows_notes", job_id=store.jobs()[0].job_id)[-1])
    note["document_sha256"] = sha256_text(text)
    with ledger.without_rules() as sql:
        sql(f"INSERT INTO cassette_documents (sha256, content) VALUES ('{sha256_text(text)}', '{text}')")
        sql(f"UPDATE cassette_notes SET document_sha256 = '{sha256_text(text)}', sha256 = '{note_hash(note)}'"
            f" WHERE seq = {note['seq']}")  # fmt: skip


def said_by_the_last_note(ledger: Owned) -> dict:
    with ledger.open() as store:
        note = store.rows("rows_notes", job_id=store.jobs()[0].job_id)[-1]
        return json.loads(store.rows("document", sha256=note["document_sha256"])[0]["content"])


def test_a_note_that_was_changed_after_a_checkpoint_is_found(ledger):
    decided(ledger)
    code, said = run("checkpoint", "--store", ledger.where, "--checkpoint-to", "kept.json")
    assert code == 0, said
    rewrite_last_note(ledger, {**said_by_the_last_note(ledger), "observed": {"lamp": "off"}})
    code, said = run("verify", "--store", ledger.where)
    assert (code, "its note (number 3) is not what was logged" in said) == (1, True), said
    ledger.write_the_log_anew()
    assert run("verify", "--store", ledger.where)[0] == 0  # control
    code, said = run("verify", "--store", ledger.where, "--checkpoint", "kept.json")
    assert (code, "entries are not those of then" in said) == (1, True), said


def test_control_a_note_that_no_checkpoint_covers_can_be_changed(ledger):
    decided(ledger)
    rewrite_last_note(ledger, {**said_by_the_last_note(ledger), "observed": {"lamp": "off"}})
    assert run("verify", "--store", ledger.where)[0] == 0


def test_an_approval_that_somebody_else_is_said_to_have_given_is_found(ledger):
    """Not yet used by any step, so that no receipt repeats it."""
    with ledger.open() as store:
        job = post(store, chained(1))
        require(store, job, "s1", by="plan", reason="costly")
        approve(store, job, "s1", by="ann")
        store.checkpoint()
    rewrite_last_note(ledger, {**said_by_the_last_note(ledger), "by": "eve"})
    code, said = run("verify", "--store", ledger.where)
    assert (code, "its note (number 2) is not what was logged" in said) == (1, True), said


def test_an_action_and_a_note_that_are_gone_are_missed(ledger):
    job = decided(ledger)
    code, said = run("limit", "--operation", "NOTE", "--at-once", "3", "--by", "ann", "--store", ledger.where)
    assert code == 0, said
    assert run("checkpoint", "--store", ledger.where)[0] == 0
    assert run("verify", "--store", ledger.where)[0] == 0
    with ledger.without_rules() as sql:
        sql("DELETE FROM cassette_actions")
        sql(f"DELETE FROM cassette_notes WHERE job_id = '{job}' AND note_seq = 3")
    code, said = run("verify", "--store", ledger.where)
    assert code == 1
    assert "its note (number 3) is gone, and no archive has it" in said
    assert "its action (number 1) is gone, and no archive has it" in said


def test_a_job_with_decisions_is_archived_with_them_and_its_bundle_fits_the_log(ledger):
    decided(ledger)
    code, said = run("archive", "--store", ledger.where, "--before", "2999-01-01", "--to", "kept", "--json")
    assert code == 0, said
    (bundle,) = Path("kept").glob("*.json")  # the checkpoint over them is in it
    places = json.loads(bundle.read_text())["log"]["entries"]
    assert sorted(kind for _, kind, _ in places) == ["event", "event", "note", "note", "note", "post"]
    assert run("verify", "--store", ledger.where, "--archived", bundle)[0] == 0
    spoilt = json.loads(bundle.read_text())
    spoilt["jobs"][0]["notes"][2]["sha256"] = "0" * 64
    Path("spoilt.json").write_text(json.dumps(spoilt))
    code, said = run("verify", "--bundle", "spoilt.json")
    assert (code, "its rows are not what the log had in these places" in said) == (1, True), said


def test_a_job_deleted_behind_the_log_is_found_by_the_command_in_its_own_process(ledger):
    with ledger.open() as store:
        for name in ("one", "two"):
            gone = post(store, chained(1, request_id=name))
    start = partial(run, how=planvow_process)
    assert start("work", "--store", ledger.where, "--operations", "mine.py")[0] == 0
    assert start("checkpoint", "--store", ledger.where, "--checkpoint-to", "kept.json")[0] == 0
    ledger.remove_job_and_write_the_log_anew(gone)
    assert start("verify", "--store", ledger.where)[0] == 0  # control
    code, said = start("verify", "--store", ledger.where, "--checkpoint", "kept.json")
    assert (code, "it covers 6 entries, only 3 are here" in said) == (1, True), said


def test_a_receipt_forged_under_a_registered_name_is_found_in_the_ledger_and_in_a_bundle(ledger):
    with ledger.open() as store:
        post(store, chained(1))
    code, said = run("keygen", "press", "--json")
    key = json.loads(said)
    assert (code, key["public"]) == (0, "press.pub")
    code, said = run("worker-key", "press", "press.pub", "--store", ledger.where)
    assert code == 0, said
    code, said = run("work", "--store", ledger.where, "--operations", "mine.py", "--key", "press")
    assert code == 0, said
    assert run("export", "--run-id", "run", "--store", ledger.where, "-o", "good.json")[0] == 0
    code, said = run("verify", "--bundle", "good.json", "--worker-key", "press=press.pub", "--json")
    assert (code, json.loads(said)["signed_receipts"]) == (0, 1), said
    with ledger.open() as store:  # somebody else takes the name, and signs nothing
        post(store, chained(1, request_id="two"))
        store.complete(store.claim("press@elsewhere:1:a"), "SUCCESS", {"output": 1})
    assert "is by press, who is registered, and is not signed" in run("verify", "--store", ledger.where)[1]
    assert run("export", "--run-id", "run", "--store", ledger.where, "-o", "bad.json")[0] == 0
    code, said = run("verify", "--bundle", "bad.json")
    assert (code, "is by press, who is registered, and is not signed" in said) == (1, True), said
    stripped = json.loads(Path("good.json").read_text())
    del stripped["worker_keys"]
    Path("stripped.json").write_text(json.dumps(stripped))
    assert "no key of press was registered then" in run("verify", "--bundle", "stripped.json")[1]
