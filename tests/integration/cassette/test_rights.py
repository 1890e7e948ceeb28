"""Rules and rights: from the first migration to the last on real rows, and what verify says of the rules in force."""

from __future__ import annotations

import json
import sqlite3
import sys
from pathlib import Path

import psycopg
import pytest

from ledgers import chained, independent, plan_of, post, sqlite_ledger, step
from planvow.adapters.checkers.signing import signer_from_seed
from planvow.cassette.databases import attested
from planvow.cassette.databases.postgres import PostgresStore
from planvow.cassette.errors import MigrationError, RoleMissingError, WrongWorkerError
from planvow.cassette.ledger.migrations import outstanding
from planvow.cassette.ledger.statements import migrations, named_statements, postgres_statements
from planvow.cassette.proof.seal import seal_run
from planvow.cassette.proof.verify import verify_ledger
from postgres_server import postgres_ledger, running_server
from vandals import CLAIM, first_ledger, login, post_in_first, raw_connection

NEWEST = migrations("postgres")[-1].version
SCRIPTS = Path(__file__).parents[3] / "scripts"


def opened_by(user: str, schema: str) -> PostgresStore:
    conninfo = running_server().conninfo.replace("user=postgres", f"user={user}")
    return PostgresStore(conninfo, driver=psycopg, schema=schema)


def messages(store) -> list[str]:
    return [fault.message for fault in verify_ledger(store).faults]


# From the first migration.


def used_first_ledger(schema: str, *, role: str | None = None) -> str:
    """A ledger of the first migration with a job that is half done: committed, retried, leased and waiting steps."""
    first_ledger(schema, role=role)
    job = post_in_first(schema, chained(4, request_id="old"))
    with raw_connection(schema) as raw:
        raw.execute(CLAIM.format(worker="w", job=job))
        raw.execute(f"SELECT cassette_complete('run', '{job}', 1, 1, 'w', 'SUCCESS', '{{}}', 0, NULL)")
        raw.execute(CLAIM.format(worker="w", job=job))
        raw.execute(f"SELECT cassette_complete('run', '{job}', 2, 1, 'w', 'FAILURE', '{{}}', 0, 0)")
        raw.execute(CLAIM.format(worker="w", job=job))
    return job


def test_a_used_ledger_of_the_first_migration_goes_on_under_the_second():
    job = used_first_ledger("from_first")
    with postgres_ledger("from_first") as store:
        assert [row["version"] for row in store.rows("rows_migrations")] == [m.version for m in migrations("postgres")]
        assert messages(store) == []
        lease = store.steps(job)[1]
        with raw_connection("from_first") as raw:  # a lease from before is completed by whoever held it
            raw.execute(f"SELECT cassette_complete('run', '{job}', 2, {lease.fence}, 'w', 'SUCCESS', '{{}}', 0, NULL)")
        while claim := store.claim("w"):
            store.complete(claim, "SUCCESS")
        post(store, independent(1, request_id="new"))
        assert store.job(job).committed == 4
        seal_run(store, "run", signer_from_seed(b"k" * 32))
        assert messages(store) == []


def test_a_role_of_the_first_migration_keeps_its_work_and_loses_the_direct_way():
    login("old_application")
    used_first_ledger("old_role", role="old_application")
    with postgres_ledger("old_role"), opened_by("old_application", "old_role") as store:
        job = post(store, independent(1, request_id="by the old role"))
        store.complete(store.claim("x", job_id=job), "SUCCESS")
        seal_run(store, "run", signer_from_seed(b"k" * 32))
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            store._connection.execute("INSERT INTO cassette_seals VALUES ('run', 1, '', '', 1)")
        assert messages(store) == []


def test_a_ledger_that_is_too_old_for_a_role_that_may_not_change_it_is_refused_by_version():
    login("old_worker")
    first_ledger("too_old", role="old_worker")
    with pytest.raises(MigrationError, match=rf"version 1.*needs {NEWEST}"):
        opened_by("old_worker", "too_old")


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_a_ledger_that_is_too_new_is_refused_by_version(kind, tmp_path):
    def opened():
        return sqlite_ledger(tmp_path) if kind == "sqlite" else postgres_ledger("too_new")

    with opened() as store:
        newest = migrations(kind)[-1].version
        store.rows("insert_migration", version=newest + 1, name="of the future", sha256="0" * 64)
    with pytest.raises(MigrationError, match=f"version {newest + 1}, this planvow knows up to {newest}"):
        opened()


def test_a_program_that_knows_only_the_first_migration_refuses_a_newer_ledger():
    with postgres_ledger() as store, pytest.raises(MigrationError, match="version 2, this planvow knows up to 1"):
        outstanding(migrations("postgres")[:1], store.rows("rows_migrations"))


# What a post is called and hashed as, PostgreSQL computes itself.


@pytest.mark.parametrize("text", ["plain", 'quo"te \\ back', "tab\tline\nfeed\r\b\f", "\x01\x1f\x7f", "ä€😀\u2028/"])
def test_what_postgres_posts_has_the_ids_and_hashes_that_python_expects(text):
    with postgres_ledger() as store:
        name = "".join(filter(str.isprintable, f"a name {text}"))
        one = step("a", op=name, output_key=name)
        plan = plan_of(one, step("b", "a"), request_id=name, intent=name, plan={"x": text}, budgets={"x": text})
        payload = {"text": text, "none": None}
        first = store.post(name, payload, plan, idempotency_key=f"key {name}")
        again = store.post(name, payload, plan, idempotency_key=f"key {name}")
        assert (first.created, again.created, again.job_id) == (True, False, first.job_id)
        assert messages(store) == []
        assert store.plans()[0].plan == {"x": text}


# Rights.


def test_each_part_may_do_its_own_and_no_other():
    with postgres_ledger("parts") as owner:
        for part in ("reader", "planner", "worker", "sealer"):
            owner.grant(login(f"one_{part}"), part)
        done = post(owner, independent(1, request_id="done"))
        owner.complete(owner.claim("w", job_id=done), "SUCCESS")
        acts = {
            "planner": lambda store: post(store, independent(2, request_id=store._connection.info.user)),
            "worker": lambda store: store.complete(store.claim("w"), "SUCCESS"),
            "sealer": lambda store: seal_run(store, "run"),
        }
        for part in ("planner", "reader", "worker", "sealer"):
            with opened_by(f"one_{part}", "parts") as store:
                for act, perform in acts.items():
                    if act == part:
                        perform(store)
                    else:
                        with pytest.raises(RoleMissingError, match="permission denied"):
                            perform(store)
                assert messages(store) == []


def test_a_lease_is_prolonged_and_ended_by_the_login_that_took_it_alone():
    with postgres_ledger("logins") as owner:
        for name in ("one_login", "other_login"):
            owner.grant(login(name), "worker")
        post(owner, independent(1))
        with opened_by("one_login", "logins") as one, opened_by("other_login", "logins") as other:
            claim = one.claim("w")
            with pytest.raises(WrongWorkerError):
                other.heartbeat(claim)
            with pytest.raises(WrongWorkerError):
                other.complete(claim, "FAILURE")
            assert one.complete(claim, "ABORTED").outcome == "ABORTED"
            late = one.claim("w", lease_ms=0)
            with pytest.raises(WrongWorkerError):  # although it has run out
                other.complete(late, "SUCCESS")
            assert other.requeue_expired() == 1
            assert other.complete(other.claim("w"), "SUCCESS").outcome == "SUCCESS"
        assert messages(owner) == []


def test_every_function_has_a_fixed_path_or_names_its_schema():
    with postgres_ledger() as store:
        rows = store._connection.execute(
            "SELECT proname, proconfig, prosrc FROM pg_proc WHERE pronamespace = %s::regnamespace", (store.schema,)
        ).fetchall()
        path = f"search_path=pg_catalog, {store.schema}, pg_temp"
        free = {row["proname"] for row in rows if path not in (row["proconfig"] or ())}
        assert free == {"cassette_now", "cassette_run_out", "cassette_sha256", "cassette_quoted"}
        assert all("pg_catalog." in row["prosrc"] for row in rows if row["proname"] in free)


# Verify looks at the rules.


def test_the_list_of_rules_is_what_the_migrations_make():
    sys.path.insert(0, str(SCRIPTS))
    from attest import attestation

    shipped = json.loads((Path(attested.__file__).parents[1] / attested.FILE).read_text("utf-8"))
    assert attestation() == shipped, "run python scripts/attest.py"


@pytest.mark.parametrize(
    ("statement", "fault"),
    [
        ("DROP TRIGGER moves ON cassette_step_states", "trigger moves on cassette_step_states is missing"),
        (
            "ALTER TABLE cassette_receipts DISABLE TRIGGER linked",
            "trigger linked on cassette_receipts is not as the migrations make it",
        ),
        (
            "CREATE OR REPLACE FUNCTION cassette_now() RETURNS bigint LANGUAGE sql AS 'SELECT 1::bigint'",
            "function cassette_now() is not as the migrations make it",
        ),
        (
            "ALTER FUNCTION cassette_requeue() RESET search_path",
            "function cassette_requeue() is not as the migrations make it",
        ),
        ("DROP INDEX cassette_one_success", "index cassette_one_success is missing"),
        (
            "ALTER TABLE cassette_messages DROP CONSTRAINT cassette_messages_source_check",
            "constraint cassette_messages_source_check on cassette_messages is missing",
        ),
        (
            "CREATE RULE lost AS ON INSERT TO cassette_receipts DO INSTEAD NOTHING",
            "rule lost on cassette_receipts does not come from a migration",
        ),
        ("GRANT INSERT ON cassette_receipts TO PUBLIC", "everybody has INSERT on table cassette_receipts"),
        (
            "GRANT UPDATE (status) ON cassette_step_states TO PUBLIC",
            "everybody has UPDATE on table cassette_step_states.status",
        ),
        (
            "GRANT EXECUTE ON FUNCTION cassette_grant(text, text[]) TO pg_monitor",
            "pg_monitor has EXECUTE on function cassette_grant",
        ),
        ("ALTER FUNCTION cassette_now() OWNER TO pg_monitor", "pg_monitor has OWN on function cassette_now"),
    ],
)
def test_verify_names_a_rule_of_postgres_that_is_not_in_force(statement, fault):
    with postgres_ledger() as store:
        post(store, independent(1))
        assert messages(store) == []
        with raw_connection(store.schema) as owner:
            owner.execute(statement)
        assert fault in messages(store)


@pytest.mark.parametrize(
    ("statement", "fault"),
    [
        ("DROP TRIGGER cassette_receipts_linked", "trigger cassette_receipts_linked is missing"),
        ("DROP INDEX cassette_one_success", "index cassette_one_success is missing"),
        (
            "CREATE TRIGGER own AFTER INSERT ON cassette_jobs BEGIN SELECT 1; END",
            "trigger own does not come from a migration",
        ),
    ],
)
def test_verify_names_a_rule_of_sqlite_that_is_not_in_force(statement, fault, tmp_path):
    with sqlite_ledger(tmp_path) as store:
        post(store, independent(1))
        assert messages(store) == []
        raw = sqlite3.connect(store.path, isolation_level=None)
        raw.execute(statement)
        raw.close()
        assert messages(store) == [fault]


def test_verify_finds_every_trigger_that_is_dropped(tmp_path):
    with sqlite_ledger(tmp_path) as store:
        raw = sqlite3.connect(store.path, isolation_level=None)
        names = [name for (name,) in raw.execute("SELECT name FROM sqlite_master WHERE type = 'trigger' ORDER BY name")]
        for name in names:
            raw.execute(f"DROP TRIGGER {name}")
        raw.close()
        assert messages(store) == [f"trigger {name} is missing" for name in names]


# Copied rules.


def test_rules_that_came_one_migration_after_the_other_are_those_of_a_new_ledger_on_postgres():
    """Later migrations repeat functions of earlier ones: what is in force in the end is what a new ledger has."""
    statements = postgres_statements("postgres.sql")
    with raw_connection("one_by_one") as raw:
        with raw.transaction():
            raw.execute("CREATE SCHEMA one_by_one")
            raw.execute(statements["create_migrations"].named)
        for migration in migrations("postgres"):
            with raw.transaction():
                raw.execute(migration.sql, prepare=False)
                facts = {"version": migration.version, "name": migration.name, "sha256": migration.sha256}
                raw.execute(statements["insert_migration"].named, facts)
    with postgres_ledger("one_by_one") as grown, postgres_ledger() as fresh:
        assert grown.live_schema() == fresh.live_schema() == fresh.expected_schema()
        assert messages(grown) == []


def test_rules_that_came_one_migration_after_the_other_are_those_of_a_new_ledger_on_sqlite(tmp_path):
    path = tmp_path / "grown" / "cassette.db"
    path.parent.mkdir()
    create = named_statements("sqlite.sql")["create_migrations"]
    for migration in migrations("sqlite"):
        raw = sqlite3.connect(path)
        raw.execute(create)
        raw.executescript(migration.sql)
        facts = (migration.version, migration.name, migration.sha256)
        raw.execute("INSERT INTO cassette_migrations VALUES (?, ?, ?, 1)", facts)
        raw.commit()
        raw.close()
    with sqlite_ledger(path.parent) as grown, sqlite_ledger(tmp_path) as fresh:
        assert grown.live_schema() == fresh.live_schema() == fresh.expected_schema()
        assert messages(grown) == []
