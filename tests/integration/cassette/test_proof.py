"""Verifying, sealing, exporting and recomputing, on real ledgers."""

from __future__ import annotations

import copy
import json

import pytest

from ledgers import chained, independent, plan_of, post, sqlite_ledger, step
from planvow.adapters.checkers.signing import signer_from_seed
from planvow.canonical import full_hash
from planvow.cassette import Worker, WorkerOptions
from planvow.cassette.errors import SignatureError, UnknownStepError
from planvow.cassette.proof.bundle import FORMAT, export_run, verify_bundle
from planvow.cassette.proof.kept_seal import read_kept_seal
from planvow.cassette.proof.seal import PAYLOAD_TYPE, seal_run
from planvow.cassette.proof.verify import verify_ledger
from planvow.cassette.signing.dsse import envelope
from planvow.errors import InputError

KEY = signer_from_seed(b"k" * 32)


def eventful(store, open_store):
    """Jobs in which everything happens once: success, retry, failure, burial, skipping, handing back, expiry."""
    post(store, chained(3, request_id="plain", budgets={"max_bytes": 100}))
    steps = [step("x", on_error="continue", retry_count=1), step("y", "x"), step("z"), step("w")]
    post(store, plan_of(*steps, request_id="mixed"))
    store.claim("zombie", lease_ms=0)
    first = store.claim("w", lease_ms=60_000)
    store.complete(first, "SUCCESS", {"output": "ä"}, bytes_used=3)
    Worker(open_store, {"NOTE": lambda c: None}, WorkerOptions(run_id="run", max_steps=2)).run()
    store.complete(store.claim("w"), "FAILURE", retry_after_ms=0)
    store.complete(store.claim("w"), "FAILURE")
    store.complete(store.claim("w"), "ABORTED")
    Worker(open_store, {"NOTE": lambda c: {"n": 0.5}}).run()
    post(store, plan_of(step("deadly"), step("never", "deadly"), request_id="deadly", max_attempts={"deadly": 1}))
    store.claim("w", lease_ms=0)
    store.requeue_expired()


def test_a_clean_ledger_verifies_at_every_moment(store, open_store):
    assert verify_ledger(store).accepted
    eventful(store, open_store)
    verdict = verify_ledger(store)
    assert verdict.faults == ()
    assert (verdict.counts["jobs"], verdict.counts["receipts"]) == (3, 8)
    post(store, independent(3, request_id="more"))
    store.claim("w")
    assert verify_ledger(store).faults == ()


def test_a_dependency_that_commits_after_its_job_was_aborted_verifies(store):
    post(store, plan_of(step("a"), step("b"), step("c", "b")))
    a, b = store.claim("w"), store.claim("w")
    store.complete(a, "FAILURE")
    store.complete(b, "SUCCESS")
    assert verify_ledger(store).faults == ()


def test_a_run_is_sealed_once_and_again_when_more_is_finished(store, open_store):
    eventful(store, open_store)
    first = seal_run(store, "run", KEY)
    assert first.created
    assert seal_run(store, "run", KEY).merkle_root == first.merkle_root
    job = post(store, chained(1, request_id="later"))
    assert not seal_run(store, "run", KEY).created  # not finished yet
    store.complete(store.claim("w", job_id=job), "SUCCESS")
    second = seal_run(store, "run", KEY)
    assert second.tree_size == first.tree_size + 3
    verdict = verify_ledger(store, accepted=[KEY.verifier()])
    assert (verdict.faults, verdict.counts["seals"]) == ((), 2)
    assert not verify_ledger(store, accepted=[signer_from_seed(b"x" * 32).verifier()]).accepted


def test_a_run_without_finished_jobs_has_nothing_to_seal(store):
    post(store, chained(1))
    with pytest.raises(UnknownStepError):
        seal_run(store, "run")


def did(store, output):
    """Do a job of one step in the same run, under the same names, with this output."""
    job = post(store, chained(1, request_id="only"))
    store.complete(store.claim("w", job_id=job), "SUCCESS", {"output": output})


def test_a_history_that_was_written_anew_is_caught_by_a_seal_kept_elsewhere(store, tmp_path):
    did(store, "rejected")
    kept = read_kept_seal(json.loads(json.dumps(seal_run(store, "run", KEY).envelope)), accepted=[KEY.verifier()])
    did_more = post(store, chained(1, request_id="later"))
    store.complete(store.claim("w", job_id=did_more), "SUCCESS")
    seal_run(store, "run", KEY)
    assert verify_ledger(store, kept=[kept]).faults == ()  # it grew, and still begins as it did
    assert verify_bundle(export_run(store, "run"), kept=[kept]).faults == ()
    with sqlite_ledger(tmp_path / "forged") as forged:  # what the owner of a database can always make
        did(forged, "accepted")
        assert [finding.message for finding in verify_ledger(forged, kept=[kept]).faults] == [
            "it covers 3 leaves, only 0 are here"
        ]
        seal_run(forged, "run", KEY)
        assert verify_ledger(forged).faults == ()
        for verdict in (verify_ledger(forged, kept=[kept]), verify_bundle(export_run(forged, "run"), kept=[kept])):
            assert [finding.message for finding in verdict.faults] == ["what is here now is not what was sealed then"]


def test_a_kept_seal_must_be_signed_by_an_accepted_key_and_be_a_seal(store):
    did(store, "done")
    unsigned = seal_run(store, "run").envelope
    with pytest.raises(SignatureError):
        read_kept_seal(unsigned, accepted=[KEY.verifier()])
    for payload in (b"7", b"no json", b'{"run_id":"run"}', b'{"run_id":1,"tree_size":"x","merkle_root":2}'):
        with pytest.raises(InputError):
            read_kept_seal(envelope(PAYLOAD_TYPE, payload))
    for wrapped in ([], None, "seal"):
        with pytest.raises(InputError):
            read_kept_seal(wrapped)


def test_a_bundle_is_verified_without_the_ledger(store, open_store):
    eventful(store, open_store)
    seal_run(store, "run", KEY)
    bundle = json.loads(json.dumps(export_run(store, "run")))
    verdict = verify_bundle(bundle, accepted=[KEY.verifier()])
    assert (verdict.faults, verdict.counts["jobs"], verdict.counts["seals"]) == ((), 3, 1)
    with pytest.raises(UnknownStepError):
        export_run(store, "nobody")


def test_a_bundle_says_for_what_nobody_vouches(store, open_store):
    eventful(store, open_store)
    assert "could have written all of it anew" in verify_bundle(export_run(store, "run")).not_proved[0]
    seal_run(store, "run", KEY)
    sealed = export_run(store, "run")
    assert "could have written all of it anew" in verify_bundle(sealed).not_proved[0]
    assert verify_bundle(sealed, accepted=[KEY.verifier()]).not_proved == ()
    post(store, plan_of(step("late"), request_id="late"))
    grown = verify_bundle(export_run(store, "run"), accepted=[KEY.verifier()])
    assert grown.accepted
    assert grown.not_proved[0].startswith("1 jobs and 0 receipts came after the newest seal that counts here")


def test_a_step_that_was_left_out_without_a_failure_is_found(store):
    post(store, plan_of(step("a"), step("b")))
    bundle = export_run(store, "run")
    assert verify_bundle(bundle).accepted
    (job,) = bundle["jobs"]
    state = job["states"][1]
    state["status"] = "SKIPPED"
    skipped = {"from_status": "PENDING", "to_status": "SKIPPED", "fence": 0, "worker_id": None, "ordinal": 2}
    job["events"].append({**skipped, "job_id": state["job_id"], "seq": 1, "at": state["not_before"]})
    content = {name: bundle[name] for name in bundle if name != "bundle_sha256"}
    bundle["bundle_sha256"] = full_hash(content, tag=FORMAT)
    assert [fault.message for fault in verify_bundle(bundle).faults] == ["was skipped, though no failure asks for that"]


def test_any_change_of_a_bundle_is_found(store, open_store):
    eventful(store, open_store)
    seal_run(store, "run", KEY)
    bundle = json.loads(json.dumps(export_run(store, "run")))
    for change in (
        lambda b: b["jobs"][0]["receipts"][0].update(receipt_json='{"output":"ö"}'),
        lambda b: b["jobs"][0]["steps"].pop(),
        lambda b: b["jobs"].pop(),
        lambda b: b["jobs"][1]["events"][0].update(at=1),
        lambda b: b["leaves"].reverse(),
        lambda b: b["seals"][0].update(merkle_root="0" * 64),
        lambda b: b.update(bundle_sha256="0" * 64),
        lambda b: b.update(seals=[], leaves=[]),
    ):
        changed = copy.deepcopy(bundle)
        change(changed)
        assert not verify_bundle(changed, accepted=[KEY.verifier()]).accepted
        if changed["bundle_sha256"] == bundle["bundle_sha256"]:  # with a hash that fits the change it is found as well
            content = {name: changed[name] for name in changed if name != "bundle_sha256"}
            changed["bundle_sha256"] = full_hash(content, tag=FORMAT)
            assert not verify_bundle(changed, accepted=[KEY.verifier()]).accepted


@pytest.mark.parametrize("bundle", [None, {}, [], {"format": "planvow-bundle/1"},
                                    {"format": "planvow-bundle/1", "jobs": [{}]}])  # fmt: skip
def test_what_is_no_bundle_is_said_so(bundle):
    with pytest.raises(InputError):
        verify_bundle(bundle)
