"""F18: the database refuses every change of what is written; what its owner changes all the same, verify finds."""

from __future__ import annotations

import random
import sqlite3

import psycopg
import pytest

from command_line import planvow
from ledgers import chained, independent, plan_of, post, sqlite_ledger, step
from planvow.adapters.checkers.signing import signer_from_seed
from planvow.cassette import Worker, WorkerOptions
from planvow.cassette.databases.postgres import PostgresStore
from planvow.cassette.dossier import Dossier, Needs, Privacy, approve, observe, store_plan_with_dossier
from planvow.cassette.errors import CassetteError
from planvow.cassette.ledger.schedule import Decider, Limit
from planvow.cassette.proof.checkpoint import sign_checkpoint
from planvow.cassette.proof.seal import seal_run
from planvow.cassette.proof.verify import verify_ledger
from postgres_server import postgres_ledger, running_server

KEY = signer_from_seed(b"k" * 32)
TABLES = (
    "cassette_messages", "cassette_jobs", "cassette_plans", "cassette_step_definitions", "cassette_step_dependencies",
    "cassette_step_states", "cassette_step_events", "cassette_receipts", "cassette_seals", "cassette_seal_leaves",
    "cassette_log", "cassette_checkpoints", "cassette_checkpoint_signatures", "cassette_archives",
    "cassette_archived_jobs", "cassette_archived_places", "cassette_documents", "cassette_dossiers",
    "cassette_notes", "cassette_private", "cassette_migrations",
)  # fmt: skip
FLIPS = 2000


def fill(store, open_store, *, owner: bool = True) -> None:
    """A sealed run with every kind of row; the owner has archived another."""
    if owner:
        old = post(store, chained(2, request_id="old"), run_id="archived")
        while claim := store.claim("w"):
            store.complete(claim, "SUCCESS")
        sign_checkpoint(store, store.checkpoint(), KEY)
        store.archive("archived", [old], bundle_sha256="ab" * 32)
    post(store, chained(3, request_id="plain", budgets={"max_bytes": 100}, index_hash="i"))
    post(store, plan_of(step("x", on_error="continue", output_key="k"), step("y", "x"), step("z"), request_id="mixed"))
    for _ in range(3):
        store.complete(store.claim("w"), "SUCCESS", {"output": "ä"}, bytes_used=3)
    store.claim("zombie", lease_ms=0)
    store.complete(store.claim("w"), "FAILURE", {"error": {"code": "X"}}, retry_after_ms=0)
    store.complete(store.claim("w"), "FAILURE")
    store.complete(store.claim("w"), "ABORTED")
    Worker(open_store, {"NOTE": lambda c: {"n": 0.5}}, WorkerOptions(checkpoint_seconds=None)).run()
    why = Dossier(asked="secret plan", state=[["at", "a", "b"], ["ill", "ann", "flu"]])
    needs = Needs(steps={"q": "costs"})
    plan = plan_of(step("p"), step("q", "p"), request_id="why")
    told = store_plan_with_dossier(store, "run", plan, why, privacy=Privacy(predicates={"ill"}), needs_approval=needs)
    observe(store, told.job_id, "p", {"seen": "ä"})
    approve(store, told.job_id, "q", by="ann", expires_at=store.now_ms() + 3_600_000)
    Worker(open_store, {"NOTE": lambda c: None}, WorkerOptions(checkpoint_seconds=None)).run()
    parent = store.jobs()[0].job_id
    job = post(store, independent(1, request_id="child", parent_job_id=parent))
    store.complete(store.claim("w", job_id=job), "SUCCESS")
    seal_run(store, "run", KEY)
    sign_checkpoint(store, store.checkpoint(), KEY)


def primary_key(columns: list[tuple]) -> list[str]:
    return [name for name, is_key in columns if is_key]


# SQLite: vandalism through a connection that knows nothing of us.


def sqlite_columns(raw, table):
    return [(row[1], bool(row[5])) for row in raw.execute(f"PRAGMA table_info({table})")]


def sqlite_vandalism(raw, table):
    columns = [name for name, _ in sqlite_columns(raw, table)]
    row = dict(zip(columns, raw.execute(f"SELECT * FROM {table} LIMIT 1").fetchone(), strict=True))
    names, marks = ", ".join(columns), ", ".join(f":{name}" for name in columns)
    last = columns[-1]
    yield f"UPDATE {table} SET {last} = {last}", {}
    yield f"UPDATE {table} SET {columns[1]} = 'x'", {}
    yield f"DELETE FROM {table}", {}
    yield f"INSERT OR REPLACE INTO {table} ({names}) VALUES ({marks})", row
    yield f"REPLACE INTO {table} ({names}) VALUES ({marks})", row
    yield f"INSERT INTO {table} ({names}) VALUES ({marks}) ON CONFLICT DO UPDATE SET {last} = excluded.{last}", row
    yield f"UPDATE OR REPLACE {table} SET {last} = {last}", {}


def test_f18_a_strangers_connection_cannot_change_what_is_written_in_sqlite(tmp_path, fault_table):
    with sqlite_ledger(tmp_path) as store:
        fill(store, lambda: sqlite_ledger(tmp_path))
        raw = sqlite3.connect(store.path, isolation_level=None)
        tried = done = 0
        for table in TABLES:
            for statement, values in list(sqlite_vandalism(raw, table)):
                tried += 1
                before = list(store._connection.execute(f"SELECT * FROM {table}"))
                try:
                    raw.execute(statement, values)
                except sqlite3.DatabaseError:
                    continue
                done += list(store._connection.execute(f"SELECT * FROM {table}")) != before
        raw.close()
        fault_table.add("F18 vandals on SQLite", f"{tried} attempts on {len(TABLES)} tables", changes=done)
        assert done == 0
        assert verify_ledger(store, accepted=[KEY.verifier()]).accepted


@pytest.mark.parametrize("word", ["INSERT OR REPLACE", "REPLACE"])
def test_f18_a_true_receipt_cannot_take_the_place_of_another_in_sqlite(tmp_path, word):
    """Rows have numbers of their own: a receipt that is in order could name an old one's."""
    with sqlite_ledger(tmp_path) as store:
        post(store, chained(2))
        store.complete(store.claim("w"), "SUCCESS")
        claim = store.claim("w")
        (old,) = store.receipts(claim.job_id)
        raw = sqlite3.connect(store.path, isolation_level=None)
        columns = [name for name, _ in sqlite_columns(raw, "cassette_receipts")]
        row = dict(zip(columns, raw.execute("SELECT * FROM cassette_receipts").fetchone(), strict=True))
        row |= {"ordinal": 2, "fence": claim.fence, "chain_seq": 2, "prev_sha256": old.sha256}
        marks = ", ".join(f":{name}" for name in columns)
        statement = f"{word} INTO cassette_receipts (rowid, {', '.join(columns)}) VALUES (:number, {marks})"
        with pytest.raises(sqlite3.DatabaseError, match="this receipt exists"):
            raw.execute(statement, {**row, "number": 1})
        assert store.receipts(claim.job_id) == (old,)
        raw.execute(statement, {**row, "number": 77})  # the same receipt is in order where no other stands
        assert [receipt.chain_seq for receipt in store.receipts(claim.job_id)] == [1, 2]
        raw.close()


NUMBERED = {
    "cassette_receipts": "rowid",
    "cassette_messages": "seq",
    "cassette_actions": "seq",
    "cassette_notes": "seq",
}


@pytest.mark.parametrize("table", NUMBERED)
def test_f18_no_row_takes_the_number_that_stands_for_none_and_shuts_out_the_others(tmp_path, table):
    """Before a row is written, SQLite shows rules -1 for a number that is not chosen yet."""
    with sqlite_ledger(tmp_path) as store:
        job = post(store, chained(3))
        old = store.complete(store.claim("w"), "SUCCESS")
        claim = store.claim("w")
        observe(store, job, "s1", {"seen": 1})
        store.set_limit(Limit(scope="operation", name="NOTE", at_once=3), Decider(made_by="ann"))
        changed = {
            "cassette_receipts": {"ordinal": 2, "fence": claim.fence, "chain_seq": 2, "prev_sha256": old.sha256},
            "cassette_messages": {"message_id": "m", "idempotency_key": "k"},
            "cassette_actions": {},
            "cassette_notes": {"note_seq": 2},
        }[table]
        raw = sqlite3.connect(store.path, isolation_level=None)
        columns = [name for name, _ in sqlite_columns(raw, table)]
        row = dict(zip(columns, raw.execute(f"SELECT * FROM {table}").fetchone(), strict=True)) | changed
        if table == "cassette_notes":
            row["prev_sha256"] = row["sha256"]
        row[NUMBERED[table]] = -1
        marks = ", ".join(f":{name}" for name in row)
        with pytest.raises(sqlite3.DatabaseError, match=r"numbers begin at 1|rowid >= 1"):
            raw.execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({marks})", row)
        raw.close()
        assert store.complete(claim, "SUCCESS").chain_seq == 2


def test_f18_rows_renumbered_behind_the_rules_are_found(tmp_path):
    with sqlite_ledger(tmp_path) as store:
        post(store, chained(2))
        store.complete(store.claim("w"), "SUCCESS")
    raw = sqlite3.connect(store.path, isolation_level=None)
    (rule,) = raw.execute("SELECT sql FROM sqlite_master WHERE name = 'cassette_receipts_no_update'").fetchone()
    raw.execute("DROP TRIGGER cassette_receipts_no_update")
    raw.execute("PRAGMA ignore_check_constraints = ON")
    raw.execute("UPDATE cassette_receipts SET rowid = -1")
    raw.execute(rule)
    raw.close()
    done = planvow(tmp_path, "cassette", "verify", "--store", store.path)
    assert (done.returncode, "CHECK constraint failed in cassette_receipts" in done.stdout) == (1, True), done


@pytest.mark.parametrize("name", ["evil", "sqlite_evil"])
def test_f18_a_trigger_is_found_also_under_a_name_of_sqlites_own(tmp_path, name):
    sqlite_ledger(tmp_path).close()
    raw = sqlite3.connect(tmp_path / "cassette.db", isolation_level=None)
    raw.execute("PRAGMA writable_schema = ON")
    rule = f"CREATE TRIGGER {name} BEFORE INSERT ON cassette_messages BEGIN SELECT RAISE(ABORT, 'evil'); END"
    raw.execute("INSERT INTO sqlite_master VALUES ('trigger', ?, 'cassette_messages', 0, ?)", (name, rule))
    raw.close()
    with sqlite_ledger(tmp_path) as store, pytest.raises(CassetteError, match="evil"):
        post(store, chained(1))
    done = planvow(tmp_path, "cassette", "verify", "--store", store.path)
    found = f"trigger {name} does not come from a migration" in done.stdout
    assert (done.returncode, found) == (1, True), done


def test_f18_what_analyze_leaves_is_no_finding(tmp_path):
    with sqlite_ledger(tmp_path) as store:
        post(store, chained(1))
        raw = sqlite3.connect(store.path, isolation_level=None)
        raw.execute("ANALYZE")
        raw.close()
        assert verify_ledger(store).accepted


def test_f18_a_temporary_table_takes_no_tables_place_in_the_triggers_of_sqlite(tmp_path):
    with sqlite_ledger(tmp_path) as store:
        job = post(store, independent(1))
        store.claim("w")
        raw = sqlite3.connect(store.path, isolation_level=None)
        raw.execute("CREATE TEMP TABLE cassette_receipts AS SELECT * FROM main.cassette_receipts")
        raw.execute(
            "INSERT INTO temp.cassette_receipts (job_id, ordinal, fence, worker_id, outcome)"
            " VALUES (?, 1, 1, 'w', 'SUCCESS')",
            (job,),
        )
        assert raw.execute("SELECT count(*) FROM cassette_receipts").fetchone() == (1,)  # for the vandal it does
        with pytest.raises(sqlite3.DatabaseError, match="cassette"):
            raw.execute(
                "UPDATE main.cassette_step_states SET status = 'COMMITTED', worker_id = NULL, lease_expires_at = NULL,"
                " lease_ms = NULL"
            )
        raw.close()
        assert verify_ledger(store).accepted


@pytest.mark.parametrize(
    "statement",
    [
        "DROP TABLE cassette_receipts", "DROP TRIGGER cassette_receipts_no_update", "ATTACH ':memory:' AS other",
        "ALTER TABLE cassette_jobs ADD COLUMN x", "PRAGMA writable_schema = ON", "PRAGMA foreign_keys = OFF",
        "PRAGMA journal_mode = OFF", "PRAGMA synchronous = OFF", "CREATE TABLE x (y)",
        "PRAGMA ignore_check_constraints = ON",
    ],
)  # fmt: skip
def test_f18_our_own_connection_cannot_change_the_schema(tmp_path, statement):
    with sqlite_ledger(tmp_path) as store, pytest.raises(sqlite3.DatabaseError):
        store._connection.execute(statement)


LET_GO = "worker_id = NULL, lease_expires_at = NULL, lease_ms = NULL"  # as the shape of a row demands it


@pytest.mark.parametrize(
    "change",
    [
        "status = 'COMMITTED'", f"status = 'COMMITTED', {LET_GO}", f"status = 'PENDING', {LET_GO}", "fence = fence + 1",
        f"status = 'DEAD', {LET_GO}", "worker_id = 'thief'", "worker_id = NULL", f"status = 'CANCELLED', {LET_GO}",
        "lease_expires_at = lease_expires_at - 1", "lease_expires_at = NULL", "attempts = 0", "waiting_for = 1",
        f"status = 'FAILED', {LET_GO}, failures = 1", "failures = 7", "not_before = 0", f"status = 'SKIPPED', {LET_GO}",
        "ordinal = 9", "run_id = 'other'",
    ],
)  # fmt: skip
@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_f18_a_leased_step_moves_only_as_its_machine_allows(tmp_path, kind, change):
    opened = sqlite_ledger(tmp_path) if kind == "sqlite" else postgres_ledger("moves")
    with opened as store:
        job = post(store, independent(1, request_id=f"leased {change}"))
        store.claim("w", job_id=job)
        statement = f"UPDATE cassette_step_states SET {change} WHERE job_id = '{job}'"
        with pytest.raises((sqlite3.DatabaseError, psycopg.Error)):
            store._connection.execute(statement)


@pytest.mark.parametrize(
    "change",
    [
        "status = 'LEASED', worker_id = 'w', lease_expires_at = 1", "status = 'COMMITTED'", "status = 'SKIPPED'",
        "status = 'LEASED', worker_id = 'w', lease_expires_at = 1, fence = 1, attempts = 1", "waiting_for = 0",
        "waiting_for = NULL", "status = NULL", "fence = 1",
    ],
)  # fmt: skip
@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_f18_a_waiting_step_moves_only_as_its_machine_allows(tmp_path, kind, change):
    opened = sqlite_ledger(tmp_path) if kind == "sqlite" else postgres_ledger("moves")
    with opened as store:
        job = post(store, chained(2, request_id=f"waiting {change}"[:200]))
        statement = f"UPDATE cassette_step_states SET {change} WHERE job_id = '{job}' AND ordinal = 2"
        with pytest.raises((sqlite3.DatabaseError, psycopg.Error)):
            store._connection.execute(statement)


# PostgreSQL: as the application's role and as the owner.


def postgres_vandalism(raw, table):
    columns = [name for name, _ in postgres_columns(raw, table)]
    last = columns[-1]
    names = ", ".join(columns)
    yield f"UPDATE {table} SET {last} = {last}"
    yield f"UPDATE {table} SET {columns[1]} = NULL"
    yield f"DELETE FROM {table}"
    yield f"TRUNCATE {table} CASCADE"
    yield (
        f"INSERT INTO {table} ({names}) OVERRIDING SYSTEM VALUE SELECT {names} FROM {table} LIMIT 1"
        f" ON CONFLICT ({columns[0]}) DO UPDATE SET {last} = excluded.{last}"
    )


OWNER_ONLY = ("ALTER TABLE {table} DISABLE TRIGGER ALL", "DROP TABLE {table} CASCADE")


@pytest.mark.parametrize("role", ["application", "owner"])
def test_f18_neither_the_application_nor_its_owner_changes_rows_in_postgres(role, fault_table):
    schema = f"vandal_{role}"
    with postgres_ledger(schema) as store:
        fill(store, lambda: postgres_ledger(schema))
        store.grant(f"app_{role}", "planner", "worker", "sealer")
        raw = psycopg.connect(running_server().conninfo, autocommit=True, options=f"-c search_path={schema}")
        if role == "application":
            raw.execute(f"SET ROLE app_{role}")
        tried = done = 0
        for table in TABLES:
            more = [form.format(table=table) for form in OWNER_ONLY] if role == "application" else []
            for statement in [*postgres_vandalism(raw, table), *more, "SET session_replication_role = replica"]:
                if role == "owner" and statement.startswith("SET"):
                    continue  # a superuser may; hashes and seals are there for that
                tried += 1
                before = store._connection.execute(f"SELECT * FROM {table}").fetchall()
                try:
                    raw.execute(statement)
                except psycopg.Error:
                    continue
                after = store._connection.execute(f"SELECT * FROM {table}").fetchall()
                done += after != before or "SET" in statement[:4]
        raw.close()
        fault_table.add(
            f"F18 vandals on PostgreSQL as {role}", f"{tried} attempts on {len(TABLES)} tables", changes=done
        )
        assert done == 0
        assert verify_ledger(store, accepted=[KEY.verifier()]).accepted


def test_the_application_role_can_do_all_that_workers_need():
    with postgres_ledger("app_role") as owner:
        owner.grant("cassette_app", "planner", "worker", "sealer", "approver")
    conninfo = f"{running_server().conninfo} options='-c role=cassette_app'"
    with PostgresStore(conninfo, driver=psycopg, schema="app_role") as store:
        fill(store, lambda: PostgresStore(conninfo, driver=psycopg, schema="app_role"), owner=False)
        assert store._connection.execute("SELECT current_user").fetchone()["current_user"] == "cassette_app"
        assert verify_ledger(store, accepted=[KEY.verifier()]).accepted


# Byte flips: an owner without triggers changes one byte of one value of one row.


def flipped(value, chance: random.Random):
    if isinstance(value, int):
        return value ^ (1 << chance.randrange(12))
    data = bytearray(value.encode("utf-8"))
    place = chance.randrange(len(data))
    data[place] ^= 1 << chance.randrange(7)
    try:
        return data.decode("utf-8").replace("\x00", "\x01")
    except UnicodeDecodeError:
        return value + "x"


def flip_one(raw, chance: random.Random, columns_of, mark: str):
    """Change one value of one row; return how to undo it, or None if this value has nothing to flip."""
    table = chance.choice(TABLES[:-1])  # when a migration was applied is history no hash covers
    columns = columns_of(raw, table)
    keys = primary_key(columns)
    rows = raw.execute(f"SELECT * FROM {table}").fetchall()
    row = dict(zip([name for name, _ in columns], chance.choice(rows), strict=True))
    column = chance.choice(sorted(row))
    if row[column] is None or row[column] == "":
        return None
    new = flipped(row[column], chance)
    where = " AND ".join(f"{key} = {mark}" for key in keys)
    statement = f"UPDATE {table} SET {column} = {mark} WHERE {where}"
    raw.execute(statement, (new, *(row[key] for key in keys)))
    moved = {**row, column: new}
    return table, column, lambda: raw.execute(statement, (row[column], *(moved[key] for key in keys)))


def postgres_columns(raw, table):
    found = raw.execute(
        "SELECT a.attname, coalesce(i.indisprimary, false) FROM pg_attribute a"
        " LEFT JOIN pg_index i ON i.indrelid = a.attrelid AND i.indisprimary AND a.attnum = ANY (i.indkey)"
        " WHERE a.attrelid = %s::regclass AND a.attnum > 0 ORDER BY a.attnum", (table,))  # fmt: skip
    return [tuple(row) for row in found.fetchall()]


def faults_of_rows(store) -> list:
    """What verify finds in the rows. That the rules which would forbid such changes are gone, it says besides."""
    return [fault for fault in verify_ledger(store, accepted=[KEY.verifier()]).faults if fault.place != "schema"]


def missed_flips(store, raw, columns_of, mark, count, errors) -> list[tuple[str, str]]:
    chance = random.Random(18)
    missed = []
    done = 0
    while done < count:
        try:
            flip = flip_one(raw, chance, columns_of, mark)
        except errors:
            continue  # a constraint of the table refused it: not a flip
        if flip is None:
            continue
        done += 1
        table, column, undo = flip
        if not faults_of_rows(store):
            missed.append((table, column))
        undo()
    return missed


def without_protection(path):
    raw = sqlite3.connect(path, isolation_level=None)
    for (name,) in raw.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        raw.execute(f"DROP TRIGGER {name}")
    raw.execute("PRAGMA foreign_keys = OFF")
    raw.execute("PRAGMA ignore_check_constraints = ON")
    raw.execute("PRAGMA synchronous = OFF")
    return raw


def flips_in_sqlite(folder, count: int) -> list[tuple[str, str]]:
    """Flip bytes of a filled ledger, each alone; return where that was not found."""
    with sqlite_ledger(folder) as store:
        fill(store, lambda: sqlite_ledger(folder))
        raw = without_protection(store.path)
        missed = missed_flips(store, raw, sqlite_columns, "?", count, sqlite3.IntegrityError)
        raw.close()
        assert faults_of_rows(store) == []
    return missed


def flips_in_postgres(count: int) -> list[tuple[str, str]]:
    with postgres_ledger("flips") as store:
        fill(store, lambda: postgres_ledger("flips"))
        raw = psycopg.connect(running_server().conninfo, autocommit=True, options="-c search_path=flips")
        raw.execute("SET session_replication_role = replica")
        raw.execute("SET synchronous_commit = off")
        for table in TABLES:  # identity columns are part of what an owner can change
            for name, _ in postgres_columns(raw, table):
                raw.execute(f"ALTER TABLE {table} ALTER COLUMN {name} DROP IDENTITY IF EXISTS")
        missed = missed_flips(store, raw, postgres_columns, "%s", count, psycopg.errors.IntegrityError)
        raw.close()
    return missed


def test_f18_every_flipped_byte_is_found_in_sqlite(tmp_path, fault_table):
    missed = flips_in_sqlite(tmp_path, FLIPS)
    fault_table.add("F18 byte flips on SQLite", f"{FLIPS} flips in {len(TABLES) - 1} tables", not_found=len(missed))
    assert missed == []


def test_f18_every_flipped_byte_is_found_in_postgres(fault_table):
    missed = flips_in_postgres(300)
    fault_table.add("F18 byte flips on PostgreSQL", f"300 flips in {len(TABLES) - 1} tables", not_found=len(missed))
    assert missed == []


def test_control_flips_in_a_value_no_hash_covers_are_seen_as_missed(tmp_path):
    """The harness must be able to fail: the time of a migration is covered by nothing."""
    with sqlite_ledger(tmp_path) as store:
        fill(store, lambda: sqlite_ledger(tmp_path))
        raw = without_protection(store.path)
        raw.execute("UPDATE cassette_migrations SET applied_at = applied_at + 1")
        raw.close()
        assert faults_of_rows(store) == []
