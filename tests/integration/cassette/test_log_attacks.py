"""Who rewrites, cuts, swaps, replays or splits: found by the command `cassette verify`, on both databases.

Each attack comes with its control: the same command without the check that finds it lets it pass.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command_line import planvow
from forgers import Owned
from ledgers import chained, post
from planvow.adapters.checkers.signing import load_signer
from planvow.cassette.ledger.log_entries import Checkpoint
from planvow.cassette.proof.checkpoint import checkpoint_envelope, read_checkpoint

KINDS = ["sqlite", "postgres"]


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run("keygen", "key")[0] == run("keygen", "thief")[0] == 0
    return tmp_path


def run(*words) -> tuple[int, str]:
    """Run a command; return its exit code and what it printed."""
    done = planvow(Path.cwd(), "cassette", *words)
    return done.returncode, done.stdout + done.stderr


def do_job(ledger: Owned, name: str, *, output: str = "true", run_id: str = "run") -> str:
    with ledger.open() as store:
        job = post(store, chained(2, request_id=name), run_id=run_id)
        while claim := store.claim("w", job_id=job):
            store.complete(claim, "SUCCESS", {"output": output})
    return job


def kept(ledger: Owned, where: str, *, key: str = "key") -> str:
    code, said = run("checkpoint", "--store", ledger.where, "--key", key, "--checkpoint-to", where)
    assert code == 0, said
    return where


def size_of(where: str) -> int:
    with open(where) as file:
        return read_checkpoint(json.load(file)).tree_size


@pytest.fixture(params=KINDS)
def ledger(request, tmp_path):
    return Owned.new(request.param, tmp_path)


def test_a_ledger_with_kept_checkpoints_verifies_and_goes_on(ledger):
    do_job(ledger, "one")
    first = kept(ledger, "first.json")
    do_job(ledger, "two")
    second = kept(ledger, "second.json")
    code, said = run(
        "verify", "--store", ledger.where, "--checkpoint", first, "--checkpoint", second, "--key", "key.pub"
    )
    assert (code, "10 log entries, 10 of them signed" in said) == (0, True), said
    do_job(ledger, "three")
    code, said = run("verify", "--store", ledger.where, "--checkpoint", second)
    assert (code, "5 rows have no place in the log yet" in said) == (0, True), said


# A whole job is deleted.


def test_a_deleted_job_is_missed_by_the_log_alone(ledger):
    gone = do_job(ledger, "one")
    do_job(ledger, "two")
    kept(ledger, "kept.json")
    ledger.remove_job(gone)
    code, said = run("verify", "--store", ledger.where)
    assert (code, "log entry 0: its post (number 1) is gone, and no archive has it" in said) == (1, True), said


def test_control_a_deleted_job_is_missed_by_nobody_where_nothing_was_logged(ledger):
    gone = do_job(ledger, "one")
    do_job(ledger, "two")
    ledger.remove_job(gone)
    assert run("verify", "--store", ledger.where)[0] == 0


def test_a_job_deleted_with_its_places_leaves_a_gap(ledger):
    gone = do_job(ledger, "one")
    do_job(ledger, "two")
    kept(ledger, "kept.json")
    ledger.remove_job_and_its_places(gone)
    code, said = run("verify", "--store", ledger.where)
    assert (code, "log: entry 0 is missing: the next one has the place 1" in said) == (1, True), said


def test_a_job_deleted_with_a_log_written_anew_is_missed_by_a_kept_checkpoint(ledger):
    gone = do_job(ledger, "one")
    do_job(ledger, "two")
    where = kept(ledger, "kept.json")
    ledger.remove_job_and_write_the_log_anew(gone)
    assert run("verify", "--store", ledger.where)[0] == 0  # control
    code, said = run("verify", "--store", ledger.where, "--checkpoint", where)
    assert (code, "kept checkpoint 10: it covers 10 entries, only 5 are here" in said) == (1, True), said


# The end is cut off.


def test_a_cut_of_the_last_receipt_is_found_by_a_kept_checkpoint(ledger):
    do_job(ledger, "one")
    where = kept(ledger, "kept.json")
    ledger.cut_last_receipt()
    assert run("verify", "--store", ledger.where)[0] == 0  # control
    code, said = run("verify", "--store", ledger.where, "--checkpoint", where)
    assert (code, "it covers 5 entries, only 4 are here" in said) == (1, True), said


def test_a_cut_of_everything_after_a_point_is_found_by_a_kept_checkpoint(ledger):
    do_job(ledger, "one")
    first = kept(ledger, "first.json")
    do_job(ledger, "two")
    do_job(ledger, "three")
    last = kept(ledger, "last.json")
    ledger.cut_to(size_of(first))
    assert run("verify", "--store", ledger.where)[0] == 0  # control
    assert run("verify", "--store", ledger.where, "--checkpoint", first)[0] == 0  # control: it does not cover the cut
    code, said = run("verify", "--store", ledger.where, "--checkpoint", first, "--checkpoint", last)
    assert (code, "it covers 15 entries, only 5 are here" in said) == (1, True), said


def test_checkpoints_that_were_left_behind_a_cut_are_found(ledger):
    do_job(ledger, "one")
    kept(ledger, "kept.json")
    with ledger.without_rules() as sql:
        sql("DELETE FROM cassette_log WHERE log_index >= 3")
    code, said = run("verify", "--store", ledger.where)
    assert (code, "checkpoint 5: it covers more than the log has (3 entries)" in said) == (1, True), said


# History is written anew.


def test_a_result_written_anew_with_every_hash_is_found_by_a_kept_checkpoint(ledger):
    do_job(ledger, "one")
    where = kept(ledger, "kept.json")
    ledger.rewrite_last_receipt()
    assert run("verify", "--store", ledger.where)[0] == 0  # control
    code, said = run("verify", "--store", ledger.where, "--checkpoint", where)
    assert (code, "kept checkpoint 5: the first 5 entries are not those of then" in said) == (1, True), said


def test_another_ledger_in_the_place_of_the_first_is_found(ledger, tmp_path):
    do_job(ledger, "one")
    where = kept(ledger, "kept.json")
    other = Owned.new("sqlite", tmp_path)
    do_job(other, "one", output="false")
    kept(other, "others.json")
    assert run("verify", "--store", other.where)[0] == 0  # control
    code, said = run("verify", "--store", other.where, "--checkpoint", where)
    assert (code, "another ledger, or written anew" in said) == (1, True), said


# The checkpoint is swapped.


@pytest.mark.parametrize("signed", [True, False], ids=["by the thief", "by nobody"])
def test_a_swapped_checkpoint_is_found_by_its_signature(ledger, signed):
    do_job(ledger, "one")
    ledger.rewrite_last_receipt()
    words = ("--key", "thief") if signed else ()
    assert run("checkpoint", "--store", ledger.where, *words, "--checkpoint-to", "kept.json")[0] == 0
    assert run("verify", "--store", ledger.where, "--checkpoint", "kept.json")[0] == 0  # control
    code, said = run("verify", "--store", ledger.where, "--checkpoint", "kept.json", "--key", "key.pub")
    assert (code, "no signature was made with an accepted key" in said) == (1, True), said


def test_a_checkpoint_whose_statement_was_changed_is_found_by_its_signature(ledger):
    do_job(ledger, "one")
    kept(ledger, "kept.json")
    with open("kept.json") as file:
        wrapped = json.load(file)
    other = Checkpoint(**{**vars(read_checkpoint(wrapped)), "tree_size": 4})
    wrapped["payload"] = checkpoint_envelope(other)["payload"]
    with open("kept.json", "w") as file:
        json.dump(wrapped, file)
    assert run("verify", "--store", ledger.where, "--checkpoint", "kept.json", "--key", "key.pub")[0] == 1


# An older checkpoint is shown instead of the newest.


def test_a_replayed_checkpoint_is_found_by_its_age(ledger):
    do_job(ledger, "one")
    kept(ledger, "newest.json")
    with open("newest.json") as file:
        newest = read_checkpoint(json.load(file))
    an_hour_ago = Checkpoint(**{**vars(newest), "created_at": newest.created_at - 3_600_000})
    with open("old.json", "w") as file:
        json.dump(checkpoint_envelope(an_hour_ago, load_signer(Path("key"))), file)
    words = ("verify", "--store", ledger.where, "--key", "key.pub")
    assert run(*words, "--checkpoint", "old.json")[0] == 0  # control: it is genuine
    code, said = run(*words, "--checkpoint", "old.json", "--max-age", 1800)
    assert (code, "the newest one given is" in said) == (1, True), said
    assert run(*words, "--checkpoint", "newest.json", "--max-age", 1800)[0] == 0


def test_whoever_keeps_checkpoints_notices_a_cut_before_it_replaces_the_newer_one(ledger):
    do_job(ledger, "one")
    first = kept(ledger, "first.json")
    do_job(ledger, "two")
    kept(ledger, "kept.json")
    before = Path("kept.json").read_text()
    ledger.cut_to(size_of(first))
    do_job(ledger, "other")
    do_job(ledger, "and another")
    code, said = run("checkpoint", "--store", ledger.where, "--checkpoint-to", "kept.json")
    assert (code, "the log does not begin with the 10 entries that were kept here" in said) == (1, True), said
    assert Path("kept.json").read_text() == before
    assert run("checkpoint", "--store", ledger.where, "--checkpoint-to", "elsewhere.json")[0] == 0  # control


# Two people are shown two histories.


def test_a_split_view_is_found_when_two_compare_their_checkpoints(ledger, tmp_path):
    do_job(ledger, "one")
    kept(ledger, "both.json")
    fork = ledger.copy(tmp_path)
    do_job(ledger, "two", output="for Ann")
    do_job(fork, "two", output="for Bob")
    kept(ledger, "ann.json")
    kept(fork, "bob.json")
    for view, own in ((ledger, "ann.json"), (fork, "bob.json")):  # control: each alone sees nothing
        words = ("verify", "--store", view.where, "--key", "key.pub", "--checkpoint", "both.json", "--checkpoint", own)
        assert run(*words)[0] == 0
    for view in (ledger, fork):
        words = ("verify", "--store", view.where, "--checkpoint", "ann.json", "--checkpoint", "bob.json")
        code, said = run(*words)
        assert (code, "somebody was shown another history" in said) == (1, True), said
    assert run("verify", "--store", fork.where, "--checkpoint", "ann.json")[0] == 1


# Keys.


def test_a_key_never_passes_where_nothing_was_signed(ledger):
    do_job(ledger, "one")
    assert run("checkpoint", "--store", ledger.where)[0] == 0
    code, said = run("verify", "--store", ledger.where, "--key", "key.pub")
    assert (code, "nothing here was signed, so no key vouches for it" in said) == (1, True), said
    assert run("verify", "--store", ledger.where)[0] == 0  # control
    kept(ledger, "kept.json")
    assert run("verify", "--store", ledger.where, "--key", "key.pub")[0] == 0


def test_a_stored_signature_by_another_key_is_found(ledger):
    do_job(ledger, "one")
    kept(ledger, "kept.json", key="thief")
    code, said = run("verify", "--store", ledger.where, "--key", "key.pub")
    assert (code, "signature of checkpoint 5: no signature was made with an accepted key" in said) == (1, True), said
    assert run("verify", "--store", ledger.where, "--key", "thief.pub")[0] == 0


def test_a_stored_signature_moved_to_another_checkpoint_is_found(ledger):
    do_job(ledger, "one")
    kept(ledger, "first.json")
    do_job(ledger, "two")
    kept(ledger, "second.json")
    with ledger.without_rules() as sql:
        sql("DELETE FROM cassette_checkpoint_signatures WHERE tree_size = 10")
        sql("UPDATE cassette_checkpoint_signatures SET tree_size = 10")
    code, said = run("verify", "--store", ledger.where, "--key", "key.pub")
    assert (code, "signature of checkpoint 10: the envelope says something else than the row" in said) == (1, True), (
        said
    )
