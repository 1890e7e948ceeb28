"""Plans and steps that wait for a person, on both databases; and everybody who would like to do without one."""

from __future__ import annotations

import json
import sqlite3
import time

import psycopg
import pytest

from ledgers import plan_of, post, sqlite_ledger, statuses, step
from planvow.adapters.checkers.signing import signer_from_seed
from planvow.canonical import canonical_json
from planvow.cassette import Worker
from planvow.cassette.dossier import (
    Dossier,
    Needs,
    approvals_of,
    approve,
    decisions_after,
    deny,
    open_questions,
    require,
    store_plan_with_dossier,
)
from planvow.cassette.errors import CassetteError, NothingToDecideError, UnknownStepError
from planvow.cassette.jobs.replan import progress
from planvow.cassette.ledger.chain import note_hash, receipt_hash, receipt_id, sha256_text
from planvow.cassette.ledger.notes import NoteKind
from planvow.cassette.ledger.schedule import Decider
from planvow.cassette.proof.bundle import export_run, verify_bundle
from planvow.cassette.proof.seal import seal_run
from planvow.cassette.proof.verify import verify_ledger
from planvow.cassette.work.confidential import needs_approval
from planvow.errors import InputError
from postgres_server import postgres_ledger
from vandals import raw_connection

ANN = signer_from_seed(b"a" * 32)
BOB = signer_from_seed(b"b" * 32)


def posted(store, plan, needs, **more):
    return store_plan_with_dossier(store, "run", plan, Dossier(asked="x"), needs_approval=needs, **more).job_id


def two_steps(**more):
    return plan_of(step("look"), step("pay", "look", op="PAY"), **more)


def run(store, job, *, times=1):
    """Claim and commit steps; return those that could be claimed."""
    done = []
    for _ in range(times):
        claim = store.claim("w", job_id=job)
        if claim is None:
            break
        store.complete(claim, "SUCCESS", {"output": claim.step_id})
        done.append(claim.step_id)
    return done


def test_a_step_that_needs_a_person_waits_and_the_others_do_not(store):
    job = posted(store, two_steps(), Needs(steps={"pay": "moves money"}))
    assert store.job(job).state == "held"
    assert run(store, job, times=3) == ["look"]
    assert (store.job(job).state, store.job(job).held) == ("held", 1)
    (question,) = open_questions(store)
    assert (question.job_id, question.step_id, question.op, question.reason) == (job, "pay", "PAY", "moves money")
    assert store.has_open_steps(job_id=job)
    approval = approve(store, job, "pay", by="ann", note="fine")
    assert open_questions(store) == ()
    assert run(store, job, times=3) == ["pay"]
    assert store.receipts(job)[-1].body["approval"] == approval
    assert "approval" not in store.receipts(job)[0].body
    assert store.job(job).state == "committed"
    assert verify_ledger(store).accepted


def test_a_plan_that_needs_a_person_waits_as_a_whole(store):
    job = posted(store, plan_of(step("a"), step("b")), Needs(plan="touches production"))
    assert run(store, job) == []
    approve(store, job, by="ann")
    assert run(store, job, times=3) == ["a", "b"]
    assert verify_ledger(store).accepted


def test_plan_step_operation_and_policy_are_asked_about_one_by_one(store):
    def dear(plan):
        costs = {s.step_id: s.payload.get("message") for s in plan.steps}
        return Needs(steps={name: f"costs {cost}" for name, cost in costs.items() if name == "b"})

    needs = Needs(plan="the plan", operations={"PAY": "moves money"}, steps={"b": "written down"}, policy=dear)
    job = posted(store, plan_of(step("a"), step("b"), step("c", op="PAY")), needs)
    asked = [(q.step_id, q.reason) for q in open_questions(store, job_id=job)]
    assert asked == [(None, "the plan"), ("b", "written down; costs b"), ("c", "moves money")]
    approve(store, job, by="ann")
    assert run(store, job, times=3) == ["a"]
    approve(store, job, "c", by="ann")
    approve(store, job, "b", by="bob")
    assert run(store, job, times=3) == ["b", "c"]
    assert verify_ledger(store).accepted


def test_a_need_for_a_step_that_is_not_in_the_plan_stores_nothing(store):
    with pytest.raises(InputError, match="no such step"):
        posted(store, two_steps(), Needs(steps={"fly": "why"}))
    assert store.jobs() == ()


def test_a_denied_step_fails_before_it_began_and_the_reason_is_what_went_wrong(store):
    job = posted(store, plan_of(step("a"), step("b", "a"), step("c", "b")), Needs(steps={"b": "r"}))
    run(store, job)
    deny(store, job, "b", by="ann", reason="too dear")
    assert statuses(store, job) == ["COMMITTED", "FAILED", "SKIPPED"]
    stopped = progress(store, job)
    assert (stopped.failed, stopped.error) == (2, {"code": "DENIED", "message": "too dear", "by": "ann"})
    assert verify_ledger(store).accepted


def test_after_a_denial_the_steps_on_error_decides(store):
    plan = plan_of(step("a", on_error="continue"), step("b", "a"), step("c"))
    job = posted(store, plan, Needs(steps={"a": "r"}))
    deny(store, job, "a", by="ann", reason="no")
    assert statuses(store, job) == ["FAILED", "SKIPPED", "PENDING"]
    assert run(store, job, times=2) == ["c"]
    assert verify_ledger(store).accepted


def test_a_denied_plan_is_left_out_as_a_whole(store):
    plan = plan_of(step("a", on_error="continue"), step("b"), step("c", "b"))
    job = posted(store, plan, Needs(plan="r"))
    deny(store, job, by="ann", reason="not today")
    assert statuses(store, job) == ["FAILED", "SKIPPED", "SKIPPED"]
    assert progress(store, job).error["message"] == "not today"
    assert verify_ledger(store).accepted
    assert verify_bundle(json.loads(json.dumps(export_run(store, "run")))).accepted


def test_an_approval_may_be_taken_back_until_the_step_has_begun(store):
    job = posted(store, plan_of(step("a"), step("b")), Needs(steps={"a": "r", "b": "r"}))
    approve(store, job, "a", by="ann")
    approve(store, job, "b", by="ann")
    store.claim("w", job_id=job)
    with pytest.raises(NothingToDecideError):
        deny(store, job, "a", by="ann", reason="too late")
    deny(store, job, "b", by="ann", reason="on second thoughts")
    assert statuses(store, job) == ["LEASED", "FAILED"]
    assert verify_ledger(store).accepted


def test_what_was_not_asked_was_decided_or_is_another_plan_cannot_be_decided(store):
    job = posted(store, two_steps(), Needs(steps={"pay": "r"}))
    for wrong in (
        lambda: approve(store, job, by="ann"),
        lambda: approve(store, job, "look", by="ann"),
        lambda: approve(store, job, "pay", by="ann", plan_hash="1" * 64),
        lambda: approve(store, job, "pay", by="ann", expires_at=1),
    ):
        with pytest.raises(NothingToDecideError):
            wrong()
    with pytest.raises(UnknownStepError):
        approve(store, job, "nothing", by="ann")
    with pytest.raises(UnknownStepError):
        approve(store, "job_none", by="ann")
    with pytest.raises(InputError):
        approve(store, job, "pay", by="")
    assert [d.kind for d in approvals_of(store, job)] == [NoteKind.REQUIREMENT]
    approve(store, job, "pay", by="ann")
    with pytest.raises(NothingToDecideError):
        approve(store, job, "pay", by="bob")


def test_an_approval_runs_out_and_is_a_question_again(store):
    job = posted(store, plan_of(step("a")), Needs(steps={"a": "r"}))
    until = store.now_ms() + 400  # time enough to decide, also on a busy machine
    approve(store, job, "a", by="ann", expires_at=until)
    while store.now_ms() <= until:
        time.sleep(0.005)
    assert store.claim("w", job_id=job) is None
    (question,) = open_questions(store)
    assert question.lapsed
    assert store.job(job).state == "held"
    approve(store, job, "a", by="bob", expires_at=store.now_ms() + 3_600_000)
    assert run(store, job) == ["a"]
    kinds = [(d.kind.value, d.by) for d in approvals_of(store, job)]
    assert kinds == [("requirement", "plan"), ("approval", "ann"), ("lapse", None), ("approval", "bob")]
    assert verify_ledger(store).accepted


def test_a_step_that_was_out_when_its_approval_ran_out_waits_when_it_comes_back(store):
    job = posted(store, plan_of(step("a"), step("b")), Needs(plan="r"))
    until = store.now_ms() + 1000
    approve(store, job, by="ann", expires_at=until)
    claim = store.claim("w", job_id=job)
    while store.now_ms() <= until:
        time.sleep(0.01)
    assert store.claim("other", job_id=job) is None  # b is a question again
    store.complete(claim, "ABORTED")
    assert store.claim("other", job_id=job) is None
    assert store.job(job).held == 2
    approve(store, job, by="ann")
    assert run(store, job, times=3) == ["a", "b"]
    assert verify_ledger(store).accepted


def test_an_operation_that_needs_a_person_is_never_run_without_whatever_the_plan_says(open_store):
    paid = []
    handlers = {"NOTE": lambda c: None, "PAY": needs_approval("moves money")(lambda c: paid.append(c.claim.step_id))}
    with open_store() as store:
        job = post(store, two_steps())
        report = Worker(open_store, handlers).run()
        assert (report.committed, report.held, paid) == (1, 1, [])
        (question,) = open_questions(store)
        assert (question.step_id, question.reason) == ("pay", "moves money")
        assert Worker(open_store, handlers).run().held == 1
        approve(store, job, "pay", by="ann")
        assert Worker(open_store, handlers).run().committed == 1
        assert paid == ["pay"]
        assert verify_ledger(store).accepted


def test_decisions_can_be_watched(store):
    first = posted(store, two_steps(), Needs(steps={"pay": "r"}))
    seen = decisions_after(store)
    assert [(d.kind.value, d.job_id) for d in seen] == [("requirement", first)]
    approve(store, first, "pay", by="ann", note="ok")
    (new,) = decisions_after(store, seen[-1].seq)
    assert (new.kind, new.by, new.reason, new.step_id) == (NoteKind.APPROVAL, "ann", "ok", "pay")
    assert decisions_after(store, new.seq) == ()


def test_on_postgres_others_are_told_of_decisions():
    with postgres_ledger() as store, raw_connection(store.schema) as listening:
        listening.execute("LISTEN cassette_approvals")
        job = posted(store, two_steps(), Needs(steps={"pay": "r"}))
        approve(store, job, "pay", by="ann")
        told = [int(one.payload) for one in listening.notifies(timeout=10, stop_after=2)]
    assert len(told) == 2
    assert told == sorted(told)


def test_signed_decisions_are_checked_against_the_keys_of_people(store):
    job = posted(store, two_steps(), Needs(plan="p", steps={"pay": "r"}))
    approve(store, job, by="ann", signer=ANN)
    assert verify_ledger(store, approvers=[ANN.verifier()]).accepted
    approve(store, job, "pay", by="ann", signer=BOB)
    assert verify_ledger(store).accepted
    assert verify_ledger(store, approvers=[ANN.verifier(), BOB.verifier()]).accepted
    (fault,) = verify_ledger(store, approvers=[ANN.verifier()]).faults
    assert "who decided is not certain" in fault.message


def test_an_unsigned_decision_does_not_pass_for_a_signed_one(store):
    job = posted(store, two_steps(), Needs(steps={"pay": "r"}))
    approve(store, job, "pay", by="ann")
    (fault,) = verify_ledger(store, approvers=[ANN.verifier()]).faults
    assert "who decided is not certain" in fault.message


def test_a_cancelled_job_asks_nobody_any_more(store):
    job = posted(store, two_steps(), Needs(steps={"pay": "r"}))
    store.cancel(job, Decider(made_by="ann", why="changed my mind"))
    assert open_questions(store) == ()
    with pytest.raises(NothingToDecideError):
        approve(store, job, "pay", by="ann")
    assert verify_ledger(store).accepted


# Vandals. Those who only have a connection are refused by the database.


def held_job(store):
    return posted(store, plan_of(step("a")), Needs(steps={"a": "r"}))


BY_HAND = (
    "UPDATE cassette_step_states SET questions = 0, waiting_for = 0 WHERE job_id = '{job}'",
    "UPDATE cassette_step_states SET waiting_for = 0 WHERE job_id = '{job}'",
    "UPDATE cassette_step_states SET questions = 0 WHERE job_id = '{job}'",
    "UPDATE cassette_step_states SET approval_sha256 = 'x', questions = 0, waiting_for = 0 WHERE job_id = '{job}'",
    "UPDATE cassette_step_states SET approved_until = 9999999999999 WHERE job_id = '{job}'",
    "UPDATE cassette_step_states SET status = 'FAILED' WHERE job_id = '{job}'",
    "UPDATE cassette_step_states SET status = 'LEASED', fence = 1, attempts = 1, worker_id = 'w',"
    " lease_expires_at = 9999999999999, lease_ms = 1000 WHERE job_id = '{job}'",
    "UPDATE cassette_notes SET kind = 'approval' WHERE job_id = '{job}'",
    "DELETE FROM cassette_notes WHERE job_id = '{job}'",
    "DELETE FROM cassette_dossiers WHERE job_id = '{job}'",
    "DELETE FROM cassette_documents",
)


@pytest.mark.parametrize("statement", BY_HAND)
def test_a_requirement_is_not_removed_by_hand(store, statement):
    job = held_job(store)
    with pytest.raises((sqlite3.DatabaseError, psycopg.Error)):
        store._connection.execute(statement.format(job=job))
    assert store.claim("w") is None
    assert verify_ledger(store).accepted


def test_an_approval_cannot_be_bound_to_another_plan_step_or_question(store):
    one = held_job(store)
    other = posted(store, plan_of(step("a"), request_id="other", plan_hash="1" * 64), Needs(steps={"a": "r"}))
    approve(store, one, "a", by="ann")
    said = json.loads(store.rows("decisions_of_job", job_id=one)[-1]["content"])
    asked = store.rows("last_word", job_id=other, ordinal=1)[0]["sha256"]
    for forged in (
        said,
        {**said, "job_id": other},
        {**said, "job_id": other, "answers": asked},
        {**said, "job_id": other, "answers": asked, "plan_hash": "1" * 64, "step_id": None},
        {**said, "job_id": other, "plan_hash": "1" * 64},
    ):
        with pytest.raises(NothingToDecideError):
            store.add_note(other, NoteKind.APPROVAL, 1, canonical_json(forged))
    assert store.claim("w", job_id=other) is None


def test_on_postgres_neither_worker_nor_planner_answers_for_the_human():
    with postgres_ledger() as owner:
        job = held_job(owner)
        owner.grant("busy_worker", "worker")
        owner.grant("busy_planner", "planner")
        owner.grant("a_person", "approver")
        for role in ("busy_worker", "busy_planner"):
            owner._connection.execute(f"SET ROLE {role}")
            for attempt in (
                lambda: approve(owner, job, "a", by="ann"),
                lambda: deny(owner, job, "a", by="ann", reason="r"),
                lambda: owner.rows("note_erasure", job_id=job, content="{}"),
            ):
                with pytest.raises(CassetteError, match="permission denied"):
                    attempt()
        owner._connection.execute("SET ROLE a_person")
        with pytest.raises(CassetteError, match="permission denied"):
            owner.claim("w")
        approve(owner, job, "a", by="ann")
        owner._connection.execute("SET ROLE busy_worker")
        assert run(owner, job) == ["a"]
        owner._connection.execute("RESET ROLE")
        assert approvals_of(owner, job)[-1].login == "postgres"  # whose session it is; a role that is set is not
        assert verify_ledger(owner).accepted


# Those who own the file can switch every rule off and compute every hash; verify finds what they did.


class Owner:
    """Somebody with the file, no triggers, and the ledger's own hash functions."""

    def __init__(self, path):
        self.raw = sqlite3.connect(path)
        self.raw.row_factory = sqlite3.Row
        triggers = self.raw.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        self.rules = [row["sql"] for row in triggers]
        for row in triggers:
            self.raw.execute(f"DROP TRIGGER {row['name']}")

    def leave(self):
        """Put the rules back, so that nobody sees that they were gone."""
        for sql in self.rules:
            self.raw.execute(sql)
        self.raw.commit()
        self.raw.close()

    def notes(self, job):
        return [dict(r) for r in self.raw.execute("SELECT * FROM cassette_notes WHERE job_id = ? ORDER BY seq", (job,))]

    def document(self, content):
        text = canonical_json(content)
        self.raw.execute("INSERT OR IGNORE INTO cassette_documents VALUES (?, ?)", (sha256_text(text), text))
        return sha256_text(text)

    def said(self, note):
        found = self.raw.execute("SELECT content FROM cassette_documents WHERE sha256 = ?", (note["document_sha256"],))
        return json.loads(found.fetchone()["content"])

    def write(self, job, notes):
        """Replace a job's notes by these, with a chain that holds."""
        before = self.raw.execute("SELECT head_sha256 FROM cassette_jobs WHERE job_id = ?", (job,)).fetchone()[0]
        self.raw.execute("DELETE FROM cassette_notes WHERE job_id = ?", (job,))
        for number, note in enumerate(notes, 1):
            row = {**note, "note_seq": number, "prev_sha256": before, "job_id": job}
            row["seq"] = self.raw.execute("SELECT coalesce(max(seq), 0) + 1 FROM cassette_notes").fetchone()[0]
            before = row["sha256"] = note_hash(row)
            names = ", ".join(row)
            marks = ", ".join(f":{name}" for name in row)
            self.raw.execute(f"INSERT INTO cassette_notes ({names}) VALUES ({marks})", row)

    def approval(self, job, question, **more):
        """An approval as Ann would have given it."""
        said = {**self.said(question), "decision": "approval", "by": "ann", "answers": question["sha256"]}
        return {**question, "kind": "approval", "document_sha256": self.document(said), **more}

    def free(self, job, **more):
        """Let the held step be claimed."""
        changes = {"questions": 0, "waiting_for": 0, **more}
        names = ", ".join(f"{name} = :{name}" for name in changes)
        self.raw.execute(f"UPDATE cassette_step_states SET {names} WHERE job_id = :job", {**changes, "job": job})


@pytest.fixture
def ledger(tmp_path):
    with sqlite_ledger(tmp_path) as store:
        job = held_job(store)
    return tmp_path, job


def findings(folder):
    with sqlite_ledger(folder) as store:
        return [str(fault) for fault in verify_ledger(store).faults]


def work(folder, job):
    with sqlite_ledger(folder) as store:
        return run(store, job)


def test_an_owner_who_frees_the_step_without_an_approval_is_found(ledger):
    folder, job = ledger
    owner = Owner(folder / "cassette.db")
    owner.free(job)
    owner.leave()
    assert findings(folder) == [f"{job} step 1: waits for 0 answers, 1 questions are open"]
    assert work(folder, job) == ["a"]
    assert findings(folder) == [
        f"{job} step 1: was begun while nobody had approved it",
        f"{job} receipt 1: does not name the approval that its step rests on",
    ]


def test_an_owner_who_removes_the_requirement_is_found_by_the_dossier(ledger):
    folder, job = ledger
    owner = Owner(folder / "cassette.db")
    owner.write(job, [])
    owner.free(job)
    owner.leave()
    assert work(folder, job) == ["a"]
    assert findings(folder) == [f"{job}: step 1 needs a person, and nobody was asked"]


def test_an_owner_who_also_rewrites_the_dossier_is_found_by_the_head(ledger):
    folder, job = ledger
    owner = Owner(folder / "cassette.db")
    owner.write(job, [])
    owner.free(job)
    manifest = owner.document({"format": "dossier/1", "documents": {}})
    owner.raw.execute("UPDATE cassette_dossiers SET manifest_sha256 = ?", (manifest,))
    owner.leave()
    work(folder, job)
    assert findings(folder) == [f"{job}: what was posted does not have the hash the chain begins with"]


def test_an_approval_after_the_fact_is_found(ledger):
    folder, job = ledger
    owner = Owner(folder / "cassette.db")
    owner.free(job)
    owner.leave()
    work(folder, job)
    owner = Owner(folder / "cassette.db")
    (asked,) = owner.notes(job)
    receipt = dict(owner.raw.execute("SELECT * FROM cassette_receipts").fetchone())
    event = owner.raw.execute("SELECT max(seq) FROM cassette_step_events").fetchone()[0]
    now = {"after_receipt": 1, "after_sha256": receipt["sha256"], "after_event": event}
    owner.write(job, [asked, owner.approval(job, asked, **now)])
    owner.leave()
    assert findings(folder) == [
        f"{job} step 1: was begun while nobody had approved it",
        f"{job} receipt 1: does not name the approval that its step rests on",
    ]


def test_a_backdated_approval_is_found_because_the_receipt_does_not_know_it(ledger):
    folder, job = ledger
    owner = Owner(folder / "cassette.db")
    owner.free(job)
    owner.leave()
    work(folder, job)
    owner = Owner(folder / "cassette.db")
    (asked,) = owner.notes(job)
    owner.write(job, [asked, owner.approval(job, asked, created_at=asked["created_at"] + 1)])
    owner.leave()
    assert findings(folder) == [f"{job} receipt 1: does not name the approval that its step rests on"]


def test_who_backdates_and_writes_the_receipt_anew_is_found_by_a_seal_kept_elsewhere(ledger):
    folder, job = ledger
    owner = Owner(folder / "cassette.db")
    owner.free(job)
    owner.leave()
    work(folder, job)
    with sqlite_ledger(folder) as store:
        checkpoint = store.checkpoint()
        seal_run(store, "run")
    owner = Owner(folder / "cassette.db")
    (asked,) = owner.notes(job)
    owner.write(job, [asked, owner.approval(job, asked)])
    approval = owner.notes(job)[-1]["sha256"]
    row = dict(owner.raw.execute("SELECT * FROM cassette_receipts").fetchone())
    row["receipt_json"] = canonical_json({**json.loads(row["receipt_json"]), "approval": approval})
    row["receipt_json_sha256"] = sha256_text(row["receipt_json"])
    row["sha256"] = receipt_hash(row)
    row["receipt_id"] = receipt_id(row["sha256"])
    names = ", ".join(f"{name} = :{name}" for name in row)
    owner.raw.execute(f"UPDATE cassette_receipts SET {names}", row)
    owner.leave()
    with sqlite_ledger(folder) as store:
        faults = [str(fault) for fault in verify_ledger(store, checkpoints=[checkpoint]).faults]
    assert f"seals of run run: {job} is not what was sealed" in faults
    assert any("log" in fault for fault in faults)


def test_an_approval_moved_from_another_job_is_found(tmp_path):
    with sqlite_ledger(tmp_path) as store:
        one = held_job(store)
        other = posted(store, plan_of(step("a"), request_id="other", plan_hash="1" * 64), Needs(steps={"a": "r"}))
        approve(store, one, "a", by="ann", signer=ANN)
    owner = Owner(tmp_path / "cassette.db")
    moved = owner.notes(one)[-1]
    (asked,) = owner.notes(other)
    head = {"after_sha256": asked["after_sha256"]}
    owner.write(other, [asked, {**moved, **head}])
    owner.free(other, approval_sha256=owner.notes(other)[-1]["sha256"])
    owner.leave()
    assert work(tmp_path, other) == ["a"]
    assert findings(tmp_path) == [f"{other} note 2: the approval is about something else: job_id, plan_hash, answers"]
    owner = Owner(tmp_path / "cassette.db")
    said = {**owner.said(moved), "job_id": other, "plan_hash": "1" * 64, "answers": asked["sha256"]}
    owner.write(other, [asked, {**moved, **head, "document_sha256": owner.document(said)}])
    owner.leave()
    assert f"{other} note 2: was signed with other words" in findings(tmp_path)


def test_an_approval_in_somebodys_name_fails_where_people_sign(ledger):
    folder, job = ledger
    owner = Owner(folder / "cassette.db")
    (asked,) = owner.notes(job)
    owner.write(job, [asked, owner.approval(job, asked)])
    owner.free(job, approval_sha256=owner.notes(job)[-1]["sha256"])
    owner.leave()
    assert work(folder, job) == ["a"]
    assert findings(folder) == []  # whoever has the file can say that Ann agreed
    with sqlite_ledger(folder) as store:
        (fault,) = verify_ledger(store, approvers=[ANN.verifier()]).faults
    assert "who decided is not certain" in fault.message


def test_an_approval_made_longer_is_found(tmp_path):
    with sqlite_ledger(tmp_path) as store:
        job = held_job(store)
        until = store.now_ms() + 30
        approve(store, job, "a", by="ann", expires_at=until)
        while store.now_ms() <= until:
            time.sleep(0.005)
    owner = Owner(tmp_path / "cassette.db")
    owner.raw.execute("UPDATE cassette_step_states SET approved_until = NULL")
    owner.leave()
    assert work(tmp_path, job) == ["a"]
    assert findings(tmp_path) == [f"{job} step 1: was begun after its approval had run out"]


def test_every_rule_that_guards_approvals_is_missed_when_it_is_gone(ledger):
    folder, _ = ledger
    names = [
        "cassette_notes_linked", "cassette_notes_decide", "cassette_notes_decided", "cassette_notes_denied",
        "cassette_notes_no_delete", "cassette_dossiers_first", "cassette_private_erased", "cassette_step_states_moves",
    ]  # fmt: skip
    raw = sqlite3.connect(folder / "cassette.db")
    for name in names:
        raw.execute(f"DROP TRIGGER {name}")
    raw.commit()
    raw.close()
    assert findings(folder) == [f"schema: trigger {name} is missing" for name in sorted(names)]


def test_a_late_requirement_is_asked_of_a_step_that_nobody_holds(store):
    job = post(store, plan_of(step("a"), step("b")))
    claim = store.claim("w", job_id=job)
    with pytest.raises(NothingToDecideError):
        require(store, job, "a", by="me", reason="r")
    require(store, job, "b", by="me", reason="r")
    with pytest.raises(NothingToDecideError):
        require(store, job, "b", by="me", reason="again")
    store.complete(claim, "SUCCESS")
    assert store.claim("w", job_id=job) is None
    approve(store, job, "b", by="ann")
    assert run(store, job) == ["b"]
    assert verify_ledger(store).accepted
