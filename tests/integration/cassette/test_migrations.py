"""Used SQLite ledgers of every earlier migration: opened as they are, with the same rows, proofs and work left."""

from __future__ import annotations

import json
import sqlite3

import pytest

from ledgers import as_migrated_to, chained, plan_of, post, sqlite_ledger, step
from planvow.cassette.dossier import Dossier, Privacy, observe, store_plan_with_dossier
from planvow.cassette.errors import TamperedError
from planvow.cassette.ledger.statements import migrations
from planvow.cassette.proof.archive import archive_run, check_archived
from planvow.cassette.proof.bundle import export_run
from planvow.cassette.proof.seal import seal_run
from planvow.cassette.proof.verify import verify_ledger

EARLIER = [migration.version for migration in migrations("sqlite")][:-1]
AUDITED = ("audit_jobs", "audit_receipts", "audit_events")


def used(folder, version: int) -> tuple[dict, object]:
    """A ledger with all that there was at a version; return what it shows, and its checkpoint."""
    with sqlite_ledger(folder) as store:
        post(store, plan_of(step("x", on_error="continue"), step("y", "x"), step("z"), request_id="mixed"))
        store.complete(store.claim("w"), "FAILURE", {"error": {"code": "X"}}, retry_after_ms=0)
        store.complete(store.claim("w"), "ABORTED")
        while claim := store.claim("w"):
            store.complete(claim, "SUCCESS", {"output": "ä" * 2000})
        seal_run(store, "run")
        if version >= 5:
            why = Dossier(asked="what", state=[["ill", "ann", "flu"]])
            plan = plan_of(step("p"), request_id="why")
            told = store_plan_with_dossier(store, "run", plan, why, privacy=Privacy(predicates={"ill"}))
            store.complete(store.claim("w"), "SUCCESS")
            observe(store, told.job_id, "p", {"seen": "ä"})
        made = store.checkpoint() if version >= 6 else None  # with 0006 notes came into the log
        post(store, chained(3, request_id="open"), run_id="left")
        store.complete(store.claim("w"), "SUCCESS")
        shown = {name: store.rows(name) for name in AUDITED} | {"bundle": export_run(store, "run")}
    as_migrated_to(version, folder / "cassette.db")
    return shown, made


@pytest.mark.parametrize("version", EARLIER)
def test_a_used_ledger_of_an_earlier_migration_shows_the_same_and_goes_on(tmp_path, version):
    shown, made = used(tmp_path, version)
    kept = [made] if made else []
    with sqlite_ledger(tmp_path) as store:
        assert {name: store.rows(name) for name in AUDITED} | {"bundle": export_run(store, "run")} == shown
        assert verify_ledger(store, checkpoints=kept).faults == ()
        assert store.integrity_check() == "ok"
        while claim := store.claim("w"):
            store.complete(claim, "SUCCESS", {"output": 1})
        newest = store.checkpoint()
        archive_run(store, "run", tmp_path)
        assert verify_ledger(store, checkpoints=[*kept, newest]).faults == ()
        bundles = [json.loads(path.read_text()) for path in tmp_path.glob("*.json")]
        assert (len(bundles), list(check_archived(store, bundles))) == (1, [])


def test_rows_that_no_rule_let_in_stop_the_migration_and_the_file_stays_as_it_was(tmp_path):
    used(tmp_path, 6)
    raw = sqlite3.connect(tmp_path / "cassette.db", isolation_level=None)
    raw.execute("DROP TRIGGER cassette_receipts_no_update")
    raw.execute("PRAGMA ignore_check_constraints = ON")
    raw.execute("UPDATE cassette_receipts SET outcome = 'MAYBE'")
    before = list(raw.iterdump())
    with pytest.raises(TamperedError, match="migration 7 met rows that the ledger's rules forbid"):
        sqlite_ledger(tmp_path)
    assert list(raw.iterdump()) == before
    raw.close()
