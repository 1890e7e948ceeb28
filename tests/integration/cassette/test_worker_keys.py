"""Workers with keys: their receipts are theirs, and `cassette verify` finds those that are not, on both databases.

The adversaries here own the database: they write what they like and put every hash and the log in order afterwards.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from command_line import planvow
from forgers import Owned
from ledgers import chained, post
from planvow.adapters.checkers.signing import load_signer
from planvow.cassette.ledger.model import Outcome
from planvow.cassette.ledger.schedule import Decider
from planvow.cassette.proof.verify import verify_ledger
from planvow.cassette.signing.receipts import signed_body
from planvow.errors import PlanvowError
from vandals import login


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text("HANDLERS = {'NOTE': lambda context: context.payload['message']}\n")
    for name in ("press", "thief"):
        assert run("keygen", name)[0] == 0
    return tmp_path


@pytest.fixture(params=["sqlite", "postgres"])
def ledger(request, tmp_path):
    owned = Owned.new(request.param, tmp_path)
    with owned.open() as store:
        post(store, chained(2))
    return owned


def run(*words) -> tuple[int, str]:
    done = planvow(Path.cwd(), "cassette", *words)
    return done.returncode, done.stdout + done.stderr


def register(ledger, name="press", key="press"):
    code, said = run("worker-key", name, f"{key}.pub", "--store", ledger.where)
    assert code == 0, said


def work(ledger, *words, code=0):
    done, said = run("work", "--store", ledger.where, "--operations", "mine.py", *words)
    assert done == code, said
    return said


def report(ledger, *, worker="press@host:1:a", key=None, count=1):
    """Do steps under a name, signed with some key or not at all, as whoever has a worker's rights can."""
    with ledger.open() as store:
        for _ in range(count):
            claim = store.claim(worker)
            body = {"op": claim.op, "step_id": claim.step_id, "output": 1}
            signed = body if key is None else signed_body(load_signer(Path(key)), claim, Outcome.SUCCESS, body)
            store.complete(claim, "SUCCESS", signed)


def verified(ledger, *words):
    return run("verify", "--store", ledger.where, *words)


def rules_alone(ledger):
    """What verify finds when it does not look at signatures: the forgeries leave nothing else to find."""
    with ledger.open() as store:
        return [str(fault) for fault in verify_ledger(store).faults]


def test_a_worker_with_a_key_signs_what_it_reports(ledger):
    register(ledger)
    work(ledger, "--key", "press")
    code, said = verified(ledger, "--worker-key", "press=press.pub")
    assert (code, "2 receipts signed by their workers" in said) == (0, True), said
    assert [set(body) for body in ledger.bodies()] == [{"op", "output", "signature", "step_id"}] * 2


def test_several_processes_work_under_one_key(ledger):
    with ledger.open() as store:
        post(store, chained(4, request_id="more"))
    register(ledger)
    command = [sys.executable, "-m", "planvow", "cassette", "work", "--store", ledger.where, "--operations", "mine.py"]
    done = subprocess.run([*command, "--key", "press", "--workers", "2"], capture_output=True, text=True, check=False)
    assert "6 committed" in done.stdout, done.stderr
    code, said = verified(ledger)
    assert (code, "6 receipts signed" in said) == (0, True), said


def test_without_keys_nothing_is_signed_and_nothing_is_asked_for(ledger):
    work(ledger)
    code, said = verified(ledger)
    assert (code, "signed" in said) == (0, False), said
    assert [set(body) for body in ledger.bodies()] == [{"op", "output", "step_id"}] * 2


def test_a_key_that_is_not_registered_does_no_work(ledger):
    register(ledger)
    assert "no worker of this ledger has the key" in work(ledger, "--key", "thief", code=1)
    assert ledger.bodies() == []


def test_a_new_key_is_in_force_from_then_on_and_the_old_receipts_hold(ledger):
    register(ledger)
    work(ledger, "--key", "press")
    with ledger.open() as store:
        post(store, chained(1, request_id="later"))
    register(ledger, key="thief")
    assert "no worker of this ledger has the key" in work(ledger, "--key", "press", code=1)
    work(ledger, "--key", "thief")
    code, said = verified(ledger)
    assert (code, "3 receipts signed" in said) == (0, True), said
    code, said = verified(ledger, "--worker-key", "press=press.pub")
    assert (code, "is of another key than the one given" in said) == (1, True), said


def test_who_works_under_a_registered_name_without_its_key_is_found(ledger):
    register(ledger)
    report(ledger, count=2)
    code, said = verified(ledger)
    assert (code, said.count("is by press, who is registered, and is not signed")) == (1, 2), said
    assert rules_alone(ledger) == [line for line in rules_alone(ledger) if "not signed" in line]


def test_a_receipt_signed_by_another_worker_is_found(ledger):
    register(ledger)
    register(ledger, "thief", "thief")
    report(ledger, worker="thief@host:1:a", key="thief")
    report(ledger, worker="press@host:1:a", key="thief")
    code, said = verified(ledger)
    assert (code, said.count("is not signed with the key that press had")) == (1, 1), said
    assert rules_alone(ledger) == []


def test_a_signature_that_is_moved_to_another_receipt_is_found(ledger):
    register(ledger)
    work(ledger, "--key", "press")
    first, last = ledger.bodies()
    ledger.rewrite_last_receipt({**last, "signature": first["signature"]})
    assert rules_alone(ledger) == []
    code, said = verified(ledger)
    assert (code, said.count("is not signed with the key that press had")) == (1, 1), said


@pytest.mark.parametrize(
    "forged",
    [
        {"output": "forged"},
        {"signature": {}},
        {"signature": "no"},
        {"signature": {"keyid": "x", "sig": "AA=="}},
        {"signature": {"keyid": 1, "sig": None}},
    ],
)
def test_a_receipt_whose_body_was_changed_is_found(ledger, forged):
    register(ledger)
    work(ledger, "--key", "press")
    ledger.rewrite_last_receipt({**ledger.bodies()[-1], **forged})
    assert rules_alone(ledger) == []
    code, said = verified(ledger)
    assert (code, said.count("is not signed with the key that press had")) == (1, 1), said


def test_a_signature_that_was_taken_off_is_found(ledger):
    register(ledger)
    work(ledger, "--key", "press")
    body = ledger.bodies()[-1]
    del body["signature"]
    ledger.rewrite_last_receipt(body)
    code, said = verified(ledger)
    assert (code, said.count("is by press, who is registered, and is not signed")) == (1, 1), said


def swap_key(ledger, verifier):
    details = json.dumps({"key_id": verifier.key_id, "public_key": verifier.public_hex}, separators=(",", ":"))
    with ledger.without_rules() as sql:
        sql(f"UPDATE cassette_actions SET details_json = '{details}' WHERE kind = 'KEY'")


def test_a_key_that_was_swapped_no_longer_fits_what_was_signed(ledger):
    register(ledger)
    work(ledger, "--key", "press")
    swap_key(ledger, load_signer(Path("thief")).verifier())
    code, said = verified(ledger)
    assert (code, said.count("is not signed with the key that press had")) == (1, 2), said


def test_a_key_that_was_swapped_before_anything_was_signed_is_found_by_the_key_that_was_kept(ledger):
    register(ledger)
    swap_key(ledger, load_signer(Path("thief")).verifier())
    report(ledger, key="thief", count=2)
    assert verified(ledger)[0] == 0  # the ledger alone cannot know
    code, said = verified(ledger, "--worker-key", "press=press.pub")
    assert (code, "is of another key than the one given" in said) == (1, True), said


def test_a_registration_that_was_spoilt_or_taken_away_is_found(ledger):
    register(ledger)
    work(ledger, "--key", "press")
    with ledger.without_rules() as sql:
        sql("UPDATE cassette_actions SET details_json = '[]' WHERE kind = 'KEY'")
    code, said = verified(ledger)
    assert (code, "holds no key with the id it says" in said) == (1, True), said
    with ledger.without_rules() as sql:
        sql("DELETE FROM cassette_actions WHERE kind = 'KEY'")
    code, said = verified(ledger)
    assert (code, said.count("no key of press was registered then")) == (1, 2), said
    assert "none is registered" in verified(ledger, "--worker-key", "press=press.pub")[1]


def test_a_key_that_is_registered_afterwards_makes_nothing_good(ledger):
    report(ledger, key="thief", count=2)
    code, said = verified(ledger)
    assert (code, said.count("no key of press was registered then")) == (1, 2), said
    register(ledger, key="thief")
    with ledger.without_rules() as sql:  # both within one tick of the clock would be at once
        sql("UPDATE cassette_actions SET at = at + 5 WHERE kind = 'KEY'")
    code, said = verified(ledger)
    assert (code, said.count("registered then, only afterwards")) == (1, 2), said


def test_one_key_is_one_worker(ledger):
    register(ledger)
    code, said = run("worker-key", "other", "press.pub", "--store", ledger.where)
    assert (code, "registered for press already" in said) == (2, True), said
    assert run("worker-key", "a@b", "thief.pub", "--store", ledger.where)[0] == 2
    assert run("worker-key", "press", "--store", ledger.where)[0] == 2
    listed = json.loads(run("worker-key", "--store", ledger.where, "--json")[1])
    assert [key["name"] for key in listed] == ["press"]


@pytest.mark.parametrize("ledger", ["postgres"], indirect=True)
def test_parts_are_granted_by_command_and_keys_registered_by_the_owner_only(ledger):
    name = login("keyless_worker")
    code, said = run("grant", name, "worker", "--store", ledger.where)
    assert (code, "keyless_worker: worker" in said) == (0, True), said
    register(ledger)
    other = Owned(ledger.where.replace("postgres@", f"{name}@"))
    with other.open() as store:
        claim = store.claim("press@host:1:a")
        store.complete(claim, "SUCCESS", {})
        with pytest.raises(PlanvowError):
            store.register_key("press", "x", "y", Decider(made_by="me"))
    code, said = run("worker-key", "mine", "thief.pub", "--store", other.where)
    assert code != 0
    assert "permission denied" in said
    assert verified(ledger)[0] == 1
    code, said = run("grant", name, "king", "--store", ledger.where)
    assert (code != 0, "the parts are" in said) == (True, True), said


@pytest.mark.parametrize("ledger", ["sqlite"], indirect=True)
def test_a_ledger_in_a_file_grants_nothing(ledger):
    code, said = run("grant", "somebody", "worker", "--store", ledger.where)
    assert (code, "has no roles" in said) == (2, True), said
