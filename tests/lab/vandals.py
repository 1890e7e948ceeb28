"""Attacks on a PostgreSQL ledger by a login that may work there and wants more.

Every attack is a list of statements sent by the vandal's own connection; it succeeds when none of them is refused.
Where a database lets it pass without harm, the last statement fails unless the harm is done (`1 / count`). Beside them
stands a ledger as the first migration made it, on which most of them succeed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import psycopg

from planvow.cassette import StoredPlan
from planvow.cassette.ledger.chain import head_hash
from planvow.cassette.ledger.model import Source
from planvow.cassette.ledger.statements import migrations, postgres_statements
from planvow.cassette.ledger.stored_rows import identified, posting_of
from postgres_server import running_server

RIGHTS_OF_THE_FIRST = (  # what an application's role had before it was given functions instead
    "GRANT USAGE ON SCHEMA {schema} TO {role}",
    "GRANT SELECT ON ALL TABLES IN SCHEMA {schema} TO {role}",
    "GRANT INSERT ON cassette_messages, cassette_jobs, cassette_plans, cassette_step_definitions,"
    " cassette_step_dependencies, cassette_step_states, cassette_step_events, cassette_receipts, cassette_seals,"
    " cassette_seal_leaves TO {role}",
    "GRANT UPDATE ON cassette_step_states TO {role}",
)


HARMLESS = "harmless"
REFUSALS = {"42501", "CA003", "22012", HARMLESS}  # no right, another's lease, the harm was not done


def raw_connection(schema: str, user: str = "postgres") -> Any:
    conninfo = running_server().conninfo.replace("user=postgres", f"user={user}")
    return psycopg.connect(conninfo, autocommit=True, options=f"-c search_path={schema}")


def login(name: str, *, member_of: str | None = None) -> str:
    """Make a role that can connect, once per server."""
    with raw_connection("public") as raw:
        if not raw.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (name,)).fetchone():
            raw.execute(f"CREATE ROLE {name} LOGIN")
        if member_of is not None:
            raw.execute(f"GRANT {member_of} TO {name}")
    return name


def first_ledger(schema: str, *, role: str | None = None) -> None:
    """Make a ledger that has only the first migration, with a role as it was then."""
    statements = postgres_statements("postgres.sql")
    first = migrations("postgres")[0]
    with raw_connection(schema) as raw, raw.transaction():
        raw.execute(f"CREATE SCHEMA {schema}")
        raw.execute(statements["create_migrations"].named)
        raw.execute(first.sql, prepare=False)
        facts = {"version": first.version, "name": first.name, "sha256": first.sha256}
        raw.execute(statements["insert_migration"].named, facts)
        for statement in RIGHTS_OF_THE_FIRST if role else ():
            raw.execute(statement.format(schema=schema, role=role))


def post_in_first(schema: str, plan: StoredPlan) -> str:
    """Post by plain inserts, the only way there was."""
    posting = identified(
        posting_of("run", {"request_id": plan.request_id}, plan, idempotency_key=plan.request_id, source=Source.USER)
    )
    with raw_connection(schema) as raw, raw.transaction():
        now = raw.execute("SELECT cassette_now()").fetchone()[0]
        message, stored_plan = {**posting.message, "created_at": now}, {**posting.plan, "created_at": now}
        message["seq"] = _insert(raw, "cassette_messages", message, returning="seq")
        job = {**posting.job, "message_seq": message["seq"], "created_at": now}
        job["head_sha256"] = head_hash(message, job, stored_plan, posting.steps, posting.dependencies)
        _insert(raw, "cassette_jobs", job)
        _insert(raw, "cassette_plans", stored_plan)
        for row in posting.steps:
            _insert(raw, "cassette_step_definitions", row)
        for ordinal, needs in posting.dependencies:
            row = {"job_id": job["job_id"], "ordinal": ordinal, "needs_ordinal": needs}
            _insert(raw, "cassette_step_dependencies", row)
        for row in posting.steps:
            waiting = sum(ordinal == row["ordinal"] for ordinal, _ in posting.dependencies)
            state = {"job_id": job["job_id"], "ordinal": row["ordinal"], "run_id": "run", "message_seq": message["seq"],
                     "op": row["op"], "status": "PENDING", "fence": 0, "attempts": 0, "failures": 0,
                     "waiting_for": waiting, "not_before": now}  # fmt: skip
            _insert(raw, "cassette_step_states", state)
    return str(job["job_id"])


def _insert(raw: Any, table: str, row: dict[str, Any], *, returning: str = "1") -> Any:
    names, marks = ", ".join(row), ", ".join(f"%({name})s" for name in row)
    return raw.execute(f"INSERT INTO {table} ({names}) VALUES ({marks}) RETURNING {returning}", row).fetchone()[0]


CLAIM = "SELECT * FROM cassette_claim('{worker}', NULL, '{job}', NULL, 600000, 1, false, false)"
SHADOW_RECEIPTS = "CREATE TEMP TABLE cassette_receipts (LIKE {schema}.cassette_receipts)"
SHADOW_REPORT = (
    "INSERT INTO cassette_receipts SELECT 'x', job_id, ordinal, fence, 1, worker_id, '{outcome}', '{{}}', '', 0, 0,"
    " NULL, '', '', 0 FROM {schema}.cassette_step_states WHERE job_id = '{job}' AND status = 'LEASED'"
)
SHADOW_STATES = "CREATE TEMP TABLE cassette_step_states (LIKE {schema}.cassette_step_states)"
SHADOW_OF_THE_SECOND = (
    "INSERT INTO cassette_step_states"
    " SELECT * FROM {schema}.cassette_step_states WHERE job_id = '{job}' AND ordinal = 2"
)
ENDED = "worker_id = NULL, lease_expires_at = NULL, lease_ms = NULL WHERE job_id = '{job}' AND status = 'LEASED'"


@dataclass(frozen=True)
class Attack:
    """What a vandal sends; step 1 of the job is leased to somebody else's login, step 2 is free."""

    name: str
    statements: tuple[str, ...]
    of_the_first: bool = True
    """Whether a ledger of the first migration lets it happen."""


ATTACKS = (
    Attack("a step is committed without a receipt, by a shadow of the receipts", (
        CLAIM.replace("{worker}", "vandal"), SHADOW_RECEIPTS, SHADOW_REPORT.replace("{outcome}", "SUCCESS"),
        "UPDATE {schema}.cassette_step_states SET status = 'COMMITTED', " + ENDED)),
    Attack("somebody's lease is ended, by a shadow of the receipts", (
        SHADOW_RECEIPTS, SHADOW_REPORT.replace("{outcome}", "ABORTED"),
        "UPDATE {schema}.cassette_step_states SET status = 'PENDING', " + ENDED)),
    Attack("somebody's lease is completed under their name", (
        "SELECT cassette_complete('run', '{job}', 1, 1, 'victim', 'ABORTED', '{{}}', 0, NULL)",)),
    Attack("somebody's lease is prolonged", (
        "SELECT cassette_heartbeat('run', '{job}', 1, 1, 'victim', 900000000)",)),
    Attack("an event is forged, from a trigger of one's own", (
        "CREATE TEMP TABLE own (x int)",
        "CREATE FUNCTION pg_temp.forge() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
        " INSERT INTO {schema}.cassette_step_events (job_id, ordinal, from_status, to_status, fence, worker_id, at)"
        " VALUES ('{job}', 2, 'PENDING', 'LEASED', 77, 'nobody', 1); RETURN NEW; END $$",
        "CREATE TRIGGER forging BEFORE INSERT ON own FOR EACH ROW EXECUTE FUNCTION pg_temp.forge()",
        "INSERT INTO own VALUES (1)")),
    Attack("an event is forged directly", (
        "INSERT INTO cassette_step_events (job_id, ordinal, from_status, to_status, fence, worker_id, at)"
        " VALUES ('{job}', 2, 'PENDING', 'LEASED', 1, 'nobody', 1)",), of_the_first=False),
    Attack("a receipt for a step nobody leased, by a shadow of the states", (
        SHADOW_STATES, SHADOW_OF_THE_SECOND,
        "UPDATE cassette_step_states SET status = 'LEASED', fence = 1, worker_id = 'ghost'",
        "INSERT INTO {schema}.cassette_receipts (receipt_id, job_id, ordinal, fence, chain_seq, worker_id, outcome,"
        " receipt_json, receipt_json_sha256, bytes_used, bytes_total, prev_sha256, sha256, created_at)"
        " VALUES ('', '{job}', 2, 1, 1, 'ghost', 'SUCCESS', '{{}}', '', 0, 0, '', '', 0)")),
    Attack("a claim is answered from a shadow of the states", (
        SHADOW_STATES, SHADOW_OF_THE_SECOND,
        "UPDATE cassette_step_states SET fence = 76",
        "SELECT 1 / count(*) FROM (" + CLAIM.replace("{worker}", "vandal") + ") c WHERE fence = 77")),
    Attack("others wait for an advisory lock", ("SELECT pg_advisory_lock(hashtextextended('{job}', 20))",)),
    Attack("rows of jobs are locked", ("SELECT 1 FROM cassette_jobs FOR UPDATE",), of_the_first=False),
    Attack("a table is locked", ("DO $$ BEGIN LOCK TABLE cassette_step_states IN EXCLUSIVE MODE; END $$",)),
    Attack("leaves are poisoned", ("INSERT INTO cassette_seal_leaves VALUES ('run {job}', 0, '{job}', '00')",)),
    Attack("a seal is poisoned", (
        "INSERT INTO cassette_seal_leaves VALUES ('one {job}', 0, '{job}', '00')",
        "INSERT INTO cassette_seals VALUES ('one {job}', 1, '00', '{{}}', 1)")),
    Attack("a message is posted by hand", (
        "INSERT INTO cassette_messages (message_id, run_id, source, idempotency_key, payload_json, payload_sha256,"
        " created_at) VALUES ('{job}', 'run', 'USER', '{job}', '', '', 0)",)),
    Attack("a step is leased by hand", (
        "UPDATE cassette_step_states SET status = 'LEASED', fence = fence + 1, attempts = attempts + 1,"
        " worker_id = 'x', lease_expires_at = 1, lease_ms = 1 WHERE job_id = '{job}' AND ordinal = 2",)),
    Attack("the role of the owner is taken", ("SET ROLE postgres",), of_the_first=False),
    Attack("the session is given to another login", ("SET SESSION AUTHORIZATION postgres",), of_the_first=False),
    Attack("the role of a sealer is taken", ("SET ROLE somebody_who_seals",), of_the_first=False),
    Attack("triggers are switched off", ("SET session_replication_role = replica",), of_the_first=False),
    Attack("a function of the ledger guards the vandal's own table", (
        "CREATE TEMP TABLE own (x int)",
        "CREATE TRIGGER append_only BEFORE UPDATE ON own FOR EACH ROW EXECUTE FUNCTION cassette_append_only()")),
    Attack("a function is put into the schema", (
        "CREATE FUNCTION cassette_now(x int) RETURNS bigint LANGUAGE sql AS 'SELECT 1::bigint'",), of_the_first=False),
)  # fmt: skip
AGAINST_FUNCTIONS = (
    Attack("a worker posts", (
        "SELECT cassette_post('run', 'USER', 'k', '{{}}', 'i', NULL, 'r', 'p', '1', 'h', NULL, '{{}}', '{{}}', NULL,"
        " '{{}}', '{{}}', '{{}}', '{{}}', '{{}}', '{{}}', '{{}}', '{{}}', '{{}}')",)),
    Attack("a worker seals", ("SELECT cassette_add_seal('run', '{{}}', '{{}}', '00', '{{}}', 1)",)),
    Attack("a worker keeps sealers out", ("SELECT cassette_lock_seals()",)),
    Attack("a worker gives itself more", ("SELECT cassette_grant('vandal', 'sealer')",)),
)  # fmt: skip


def refusal(attack: Attack, schema: str, job: str, *, vandal: str) -> str | None:
    """Send an attack; return how it was refused, HARMLESS for a lock nobody waits for, None when it succeeded."""
    with raw_connection(schema, vandal) as raw:
        try:
            for statement in attack.statements:
                raw.execute(statement.format(schema=schema, job=job))
        except psycopg.Error as error:
            return error.sqlstate
        return HARMLESS if "advisory" in attack.name and not _has_to_wait(schema, job) else None


def _has_to_wait(schema: str, job: str) -> bool:
    with raw_connection(schema) as owner:
        owner.execute("SET lock_timeout = 300")
        try:
            owner.execute(f"SELECT cassette_complete('run', '{job}', 1, 1, 'victim', 'SUCCESS', '{{}}', 0, NULL)")
        except psycopg.errors.LockNotAvailable:
            return True
    return False


def lease_to_victim(schema: str, job: str) -> None:
    with raw_connection(schema) as owner:
        taken = owner.execute(CLAIM.format(worker="victim", job=job)).fetchone()
        assert taken[2:4] == (1, 1)
