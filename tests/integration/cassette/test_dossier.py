"""What is stored beside a plan: documents, private values, observations; on both databases, up to erasure."""

from __future__ import annotations

import json
import sqlite3

import pytest

from ledgers import plan_of, post, sqlite_ledger, step
from planvow.canonical import canonical_json
from planvow.cassette import StepResult, Worker
from planvow.cassette.dossier import (
    Dossier,
    Erased,
    Privacy,
    dossier_of,
    erase,
    hide_arguments,
    observations_of,
    observe,
    outputs_of,
    private_arguments,
    state_document,
    store_plan_with_dossier,
)
from planvow.cassette.errors import CassetteError, IdempotencyConflictError, PrivateLeakError, UnknownStepError
from planvow.cassette.jobs.htn_jobs import htn_dossier, post_htn_plan
from planvow.cassette.ledger.chain import sha256_text
from planvow.cassette.ledger.job_rows import load_job
from planvow.cassette.proof.beside import ERASED
from planvow.cassette.proof.bundle import export_run, verify_bundle
from planvow.cassette.proof.seal import seal_run
from planvow.cassette.proof.verify import verify_ledger
from planvow.contract import Step
from planvow.kernel import Domain, Planner, State
from postgres_server import postgres_ledger

FACTS = [["at", "lamp", "shop"], ["at", "ann", "home"], ["ill", "ann", "influenza"]]
ILLNESS = Privacy(predicates={"ill"}, arguments={"mail": {"text"}}, outputs={"look"})
WHOLE = Dossier(
    asked=[["bring", "lamp", "ann"]],
    state=FACTS[:2],
    domain={"name": "errands", "sha256": "ab" * 32},
    certificate={"reads": [["at", "lamp"]]},
    decisions=[{"chose": "by bus", "because": "cheapest"}],
    options={"max_iterations": 100},
)


def rows(store, table, columns="*"):
    found = store._connection.execute(f"SELECT {columns} FROM {table}")
    return [dict(row) for row in found.fetchall()]


def erased_in(verdict):
    return [said for said in verdict.not_proved if said.startswith(ERASED)]


def everything(store):
    """All text of all tables that is not kept apart."""
    tables = [
        "messages",
        "jobs",
        "plans",
        "step_definitions",
        "step_events",
        "receipts",
        "documents",
        "dossiers",
        "notes",
    ]
    return "\n".join(json.dumps(rows(store, f"cassette_{name}"), default=str) for name in tables)


def test_a_dossier_is_read_back_as_it_was_given(store):
    posted = store_plan_with_dossier(store, "run", plan_of(step("a")), WHOLE)
    found = dossier_of(store, posted.job_id)
    assert found.asked == WHOLE.asked
    assert found.options == WHOLE.options
    assert found.decisions == WHOLE.decisions
    assert sorted(found.state) == sorted(FACTS[:2])
    assert verify_ledger(store).accepted


def test_a_job_without_a_dossier_has_an_empty_one_and_an_unknown_one_none(store):
    job = post(store, plan_of(step("a")))
    assert dossier_of(store, job) == Dossier()
    with pytest.raises(UnknownStepError):
        dossier_of(store, "job_nothing")


def test_documents_are_stored_once_under_the_hash_of_their_text(store):
    for number in range(3):
        store_plan_with_dossier(store, "run", plan_of(step("a"), request_id=f"r{number}"), WHOLE)
    documents = rows(store, "cassette_documents")
    assert len(documents) == 7  # six parts and the manifest, for all three jobs
    assert all(row["sha256"] == sha256_text(row["content"]) for row in documents)
    assert all(canonical_json(json.loads(row["content"])) == row["content"] for row in documents)


def test_the_head_of_the_chain_covers_the_dossier(store):
    plain = store.post("run", {"x": 1}, plan_of(step("a"), request_id="plain"))
    posted = store_plan_with_dossier(store, "run", plan_of(step("a")), WHOLE, payload={"x": 1})
    job = load_job(store, posted.job_id)
    assert job.head() == job.job["head_sha256"]
    assert load_job(store, plain.job_id).dossier is None
    other = type(job)(**{**vars(job), "dossier": {**job.dossier, "manifest_sha256": "0" * 64}})
    assert other.head() != job.job["head_sha256"]


def test_posting_again_changes_nothing_and_another_request_is_a_conflict(store):
    first = store_plan_with_dossier(store, "run", plan_of(step("a")), WHOLE)
    again = store_plan_with_dossier(store, "run", plan_of(step("a")), WHOLE)
    assert (again.job_id, again.created) == (first.job_id, False)
    with pytest.raises(IdempotencyConflictError):
        store_plan_with_dossier(store, "run", plan_of(step("a")), Dossier(asked="something else"))


def test_a_post_that_fails_leaves_no_document(store):
    with pytest.raises(UnknownStepError):
        store_plan_with_dossier(store, "run", plan_of(step("a"), parent_job_id="job_gone"), WHOLE)
    assert rows(store, "cassette_documents") == []
    assert rows(store, "cassette_dossiers") == []


def test_nobody_lays_down_a_dossier_without_its_job_or_after_it(store):
    job = post(store, plan_of(step("a")))
    store._connection.execute(
        "INSERT INTO cassette_documents (sha256, content) VALUES ('{}', '{{}}')".format(sha256_text("{}"))
    )
    for name in (job, "job_to_come"):
        statement = f"INSERT INTO cassette_dossiers VALUES ('{name}', '{sha256_text('{}')}')"
        with pytest.raises(Exception, match=r"before its job|FOREIGN KEY|foreign key"):
            store._connection.execute(statement)
    assert rows(store, "cassette_dossiers") == []


def test_a_big_state_is_stored_once_and_a_changed_one_as_its_difference(store):
    facts = [["at", f"box{number}", f"shelf{number % 7}"] for number in range(2000)]
    prepared = state_document(facts)
    parent = None
    sizes = []
    for number in range(4):
        moved = [*facts[:-1], ["at", "box1999", f"van{number}"]] if number else facts
        given = prepared if number == 0 else moved
        plan = plan_of(step("a"), request_id=f"r{number}", parent_job_id=parent)
        parent = store_plan_with_dossier(store, "run", plan, Dossier(asked=number, state=given)).job_id
        assert sorted(dossier_of(store, parent).state) == sorted(moved)
        sizes.append(sum(len(row["content"]) for row in rows(store, "cassette_documents")))
    assert sizes[3] - sizes[0] < len(prepared.text) / 20
    assert verify_ledger(store).accepted
    assert verify_bundle(json.loads(json.dumps(export_run(store, "run")))).accepted


def test_observations_are_notes_in_order_and_cannot_be_of_an_unknown_step(store):
    posted = store_plan_with_dossier(store, "run", plan_of(step("a"), step("b", "a")), WHOLE)
    observe(store, posted.job_id, "a", {"lamp": "on"})
    store.complete(store.claim("w"), "SUCCESS")
    observe(store, posted.job_id, None, ["all well"])
    assert [(o.step_id, o.document) for o in observations_of(store, posted.job_id)] == [
        ("a", {"lamp": "on"}),
        (None, ["all well"]),
    ]
    with pytest.raises(UnknownStepError):
        observe(store, posted.job_id, "z", {})
    assert verify_ledger(store).accepted


# Privacy.


def private_job(store, **more):
    steps = [
        {"step_id": "s1", "skill": "look", "params": {"at": "lamp"}},
        {"step_id": "s2", "skill": "mail", "params": {"to": "ann", "text": "get well, influenza passes"}},
    ]
    shown, hidden = hide_arguments(steps, ILLNESS)
    made = [Step(step_id=s["step_id"], skill=s["skill"], params=s["params"], retry_count=0) for s in shown]
    dossier = Dossier(asked=[["comfort", "ann"]], state=FACTS, certificate={"reads": [["ill", "ann"]]}, **more)
    plan = plan_of(*made, plan={"steps": shown})
    return store_plan_with_dossier(store, "run", plan, dossier, privacy=ILLNESS, arguments=hidden)


def handlers(seen):
    return {
        "look": lambda context: {"seen": "influenza germs"},
        "mail": lambda context: seen.append(dict(context.payload)) or f"sent {context.payload['text']}",
    }


def test_what_is_private_stands_nowhere_in_the_chain_and_the_worker_gets_it_all_the_same(open_store):
    seen = []
    with open_store() as store:
        job = private_job(store).job_id
        Worker(open_store, handlers(seen)).run()
        assert seen == [{"to": "ann", "text": "get well, influenza passes"}]
        assert dossier_of(store, job).certificate == {"reads": [["ill", "ann"]]}
        assert ["ill", "ann", "influenza"] in dossier_of(store, job).state
        assert outputs_of(store, job)["s1"] == {"seen": "influenza germs"}
        assert outputs_of(store, job)["s2"] == "sent {{private.s2_text}}"
        assert "influenza" not in everything(store)
        assert "get well" not in everything(store)
        assert "{{private.s2_text}}" in everything(store)
        assert verify_ledger(store).accepted
        assert not erased_in(verify_ledger(store))


def test_after_an_erasure_verify_says_erased_and_the_chain_holds(open_store):
    with open_store() as store:
        job = private_job(store).job_id
        Worker(open_store, handlers([])).run()
        sealed = seal_run(store, "run")
        gone = erase(store, job, by="dora", reason="ann asked for it")
        assert len(gone) == 4  # facts, certificate, argument, output
        verdict = verify_ledger(store)
        assert verdict.accepted
        assert sorted(said.split(", by")[0].split(" ", 2)[2] for said in erased_in(verdict)) == [
            "the argument s2_text",
            "the certificate of its dossier",
            "the output of step 1",
            "the state of its dossier",
        ]
        assert all(said.startswith("erased: ") and "dora: ann asked for it" in said for said in erased_in(verdict))
        found = dossier_of(store, job)
        assert isinstance(found.certificate, Erased)
        assert isinstance(found.state, Erased)
        assert found.asked == [["comfort", "ann"]]
        assert rows(store, "cassette_private") == []
        assert seal_run(store, "run").merkle_root == sealed.merkle_root
        bundle = json.loads(json.dumps(export_run(store, "run")))
        assert verify_bundle(bundle).accepted
        assert len(erased_in(verify_bundle(bundle))) == 4
        assert erase(store, job, by="dora", reason="again") == ()


def test_a_step_whose_argument_was_erased_fails_and_says_so(open_store):
    with open_store() as store:
        job = private_job(store).job_id
        erase(store, job, by="dora", reason="asked")
        Worker(open_store, handlers([])).run()
        failed = [receipt for receipt in store.receipts(job) if receipt.outcome == "FAILURE"]
        assert [receipt.body["error"]["code"] for receipt in failed] == ["ERASED"]


def test_an_erased_text_is_not_left_in_the_file(tmp_path):
    with sqlite_ledger(tmp_path) as store:
        job = private_job(store).job_id
        assert b"get well" in store.path.read_bytes() or store.journal_mode == "wal"
        erase(store, job, by="dora", reason="asked")
        store.forget_log()
        left = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert b"get well" not in left


def test_nothing_private_is_removed_without_a_note(store):
    private_job(store)
    for statement in ("DELETE FROM cassette_private", "UPDATE cassette_private SET content = '{}'"):
        with pytest.raises(Exception, match=r"noted first|append-only|not changed"):
            store._connection.execute(statement)
    assert len(rows(store, "cassette_private")) == 3


def test_private_texts_that_vanished_without_a_note_are_found(tmp_path):
    with sqlite_ledger(tmp_path) as store:
        private_job(store)
    raw = sqlite3.connect(tmp_path / "cassette.db")
    raw.execute("DROP TRIGGER cassette_private_erased")
    raw.execute("DELETE FROM cassette_private")
    raw.commit()
    raw.close()
    with sqlite_ledger(tmp_path) as store:
        said = [str(fault) for fault in verify_ledger(store).faults]
    assert sum("is missing, and nobody noted its erasure" in text for text in said) == 3


@pytest.mark.parametrize(
    ("payload", "params", "place"),
    [
        ({"note": "influenza"}, {"to": "ann"}, "request.note"),
        (None, {"to": "ann", "drug": "influenza"}, "plan.steps[0].params.drug"),
        (None, {"to": "ann", "drug": "against influenza"}, "plan.steps[0].params.drug"),
    ],
)
def test_a_private_value_in_the_request_or_the_plan_is_refused_with_its_place(store, payload, params, place):
    shown = [{"step_id": "s1", "skill": "give", "params": params}]
    plan = plan_of(Step(step_id="s1", skill="give", params=params, retry_count=0), plan={"steps": shown})
    with pytest.raises(PrivateLeakError) as refused:
        store_plan_with_dossier(store, "run", plan, Dossier(asked="x", state=FACTS), payload=payload, privacy=ILLNESS)
    assert refused.value.place == place
    assert store.jobs() == ()
    assert rows(store, "cassette_documents") == []


def test_a_private_request_is_kept_apart_and_still_told_from_another(store):
    def posted(text):
        dossier = Dossier(asked=[["mail", text]], state=[["ill", "ann", text]])
        return store_plan_with_dossier(store, "run", plan_of(step("a")), dossier, privacy=Privacy(predicates={"ill"}))

    job = posted("measles").job_id
    assert "measles" not in everything(store)
    assert dossier_of(store, job).asked == [["mail", "measles"]]
    assert posted("measles").created is False
    with pytest.raises(IdempotencyConflictError):
        posted("mumps")


def test_secrets_are_named_and_never_stored(open_store):
    seen = []

    def fetch(context):
        seen.append(context.payload["token"])
        raise RuntimeError(f"401 for {context.payload['token']}") if len(seen) == 1 else AssertionError

    def echo(context):
        return {"said": context.payload["token"]}

    plan = plan_of(
        Step(step_id="a", skill="echo", params={"token": "Bearer {{secret.API}}"}, retry_count=0),
        Step(step_id="b", skill="fetch", params={"token": "{{secret.API}}"}, retry_count=0),
        Step(step_id="c", skill="fetch", params={"token": "{{secret.OTHER}}"}, retry_count=0),
    )
    with open_store() as store:
        job = store_plan_with_dossier(store, "run", plan, Dossier(asked="x")).job_id
        Worker(open_store, {"echo": echo, "fetch": fetch}, secrets={"API": "tok-4711", "UNUSED": "x"}).run()
        assert seen == ["tok-4711"]
        assert "tok-4711" not in everything(store)
        assert store.outputs(job)["a"] == {"said": "Bearer {{secret.API}}"}
        errors = [r.body["error"] for r in store.receipts(job) if r.outcome == "FAILURE"]
        assert errors[0]["message"].startswith("401 for {{secret.API}}")


def test_a_result_may_be_private_by_the_operations_own_word(open_store):
    plan = plan_of(
        Step(step_id="a", skill="ask", params={}, retry_count=0, output_key="answer"),
        Step(step_id="b", skill="use", params={"x": "{{answer.pin}}"}, depends_on=("a",), retry_count=0),
    )
    seen = []
    with open_store() as store:
        job = store_plan_with_dossier(store, "run", plan, Dossier(asked="x")).job_id
        use = {
            "ask": lambda c: StepResult(output={"pin": "9999-1"}, private=True),
            "use": lambda c: seen.append(c.payload),
        }
        Worker(open_store, use).run()
        assert seen == [{"x": "9999-1"}]
        assert "9999-1" not in everything(store)
        assert verify_ledger(store).accepted
        erase(store, job, by="d", reason="r")
        assert isinstance(outputs_of(store, job)["answer"], Erased)


def test_a_private_observation_needs_a_worker_that_holds_a_step(store):
    job = private_job(store).job_id
    claim = store.claim("w")
    observe(store, job, "s1", {"predicate": "ill", "subject": "bob", "object": "mumps"}, worker_id="w")
    assert "mumps" not in everything(store)
    assert observations_of(store, job)[0].document["object"] == "mumps"
    store.complete(claim, "SUCCESS")
    assert verify_ledger(store).accepted


def test_on_postgres_an_auditor_verifies_without_reading_what_is_private():
    with postgres_ledger() as owner:
        private_job(owner)
        owner.grant("auditor_of_dossiers", "reader")
        owner._connection.execute("SET ROLE auditor_of_dossiers")
        assert verify_ledger(owner).accepted
        with pytest.raises(CassetteError, match="permission denied"):
            owner.rows("private_of", job_id=owner.jobs()[0].job_id)
        owner._connection.execute("RESET ROLE")


# Plans of the engine.


def errands():
    domain = Domain("errands")

    @domain.command
    def mail(state, who, text):
        state.mailed[who] = True
        return state

    @domain.method(task="comfort")
    def by_mail(state, who):
        return [("mail", who, f"get well, {state.ill[who]} passes")]

    return domain


def test_a_plan_of_the_engine_brings_its_certificate_which_verify_checks(store):
    domain = errands()
    result = Planner(domain).find_plan(
        State({"ill": {"ann": "influenza"}, "mailed": {"ann": False}}), [("comfort", "ann")]
    )
    public = post_htn_plan(store, "open", result, request_id="r1")
    found = dossier_of(store, public.job_id)
    assert found.certificate["format"].startswith("certificate/")
    assert found.asked["agenda"]
    assert found.domain == htn_dossier(result).domain
    assert found.decisions["success"] is True
    privacy = Privacy(predicates={"ill"}, arguments={"mail": {"text"}})
    hidden = post_htn_plan(store, "closed", result, request_id="r1", privacy=privacy)
    assert private_arguments(store, hidden.job_id) == {"s1_text": "get well, influenza passes"}
    bundle = json.dumps(export_run(store, "closed"))
    assert "influenza" not in bundle
    assert "{{private.s1_text}}" in bundle
    assert dossier_of(store, hidden.job_id).certificate == found.certificate
    manifest = json.loads(
        load_job(store, hidden.job_id).documents[load_job(store, hidden.job_id).dossier["manifest_sha256"]]
    )
    assert sorted(manifest["apart"]) == ["asked", "certificate", "decisions", "state"]
    assert verify_ledger(store).accepted


def test_a_forged_certificate_in_a_dossier_is_found(store):
    domain = errands()
    result = Planner(domain).find_plan(State({"ill": {"ann": "flu"}, "mailed": {"ann": False}}), [("comfort", "ann")])
    forged = {**htn_dossier(result).certificate, "status": "satisfied"}
    store_plan_with_dossier(store, "run", plan_of(step("a")), Dossier(asked="x", certificate=forged))
    assert [fault.place.endswith("certificate") for fault in verify_ledger(store).faults] == [True]
