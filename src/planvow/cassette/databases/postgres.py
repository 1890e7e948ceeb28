"""The ledger on PostgreSQL, for many machines.

The database does the work: claiming is `FOR UPDATE SKIP LOCKED` in one function, completing another, so each is one
round trip and no worker can act on something it read earlier. The driver (psycopg 3) is passed in. A lost connection
raises a retryable error and is opened anew at the next call; every operation may be sent again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import contextmanager, suppress
from functools import lru_cache
from typing import Any

from planvow.cassette.databases.arrays import column
from planvow.cassette.databases.attested import attested_postgres, excess, hashed_rules
from planvow.cassette.databases.pipeline import PreparedStatements
from planvow.cassette.databases.postgres_log import PostgresLog
from planvow.cassette.databases.postgres_notes import PostgresNotes
from planvow.cassette.databases.postgres_operated import PostgresOperated
from planvow.cassette.errors import (
    ArchivedError,
    CassetteError,
    CommitFailedError,
    EndedAlreadyError,
    JobBudgetError,
    LedgerUnreachableError,
    MigrationError,
    NothingToDecideError,
    NotLeasedError,
    RoleMissingError,
    StaleFenceError,
    UnknownStepError,
    WrongWorkerError,
)
from planvow.cassette.ledger.migrations import outstanding
from planvow.cassette.ledger.model import DEFAULT_LEASE_MS, Claim, Receipt, Ticket, Wanted
from planvow.cassette.ledger.statements import migrations, postgres_statements
from planvow.cassette.ledger.stored_rows import Completion, Leaf, Posting, Row, claim_from, same_receipt
from planvow.errors import InputError, PlanvowError

SCHEMA = "planvow"
STATEMENT_TIMEOUT_MS = 60_000
MANY_OLD_VERSIONS = 5_000  # autovacuum comes long before where nobody keeps an old snapshot open
PATIENCE_MS = STATEMENT_TIMEOUT_MS + 15_000  # a server that is silent for longer is gone

_ERRORS: Mapping[str, type[PlanvowError]] = {
    "CA000": CassetteError,
    "CA001": UnknownStepError,
    "CA002": NotLeasedError,
    "CA003": WrongWorkerError,
    "CA004": StaleFenceError,
    "CA006": JobBudgetError,
    "CA007": ArchivedError,
    "CA008": EndedAlreadyError,
    "CA011": NothingToDecideError,
    "42501": RoleMissingError,
}

# The ledger always reads by key. Tables that were never analysed would otherwise get sequential scans, cached for the
# life of the connection; compiling such short statements costs more than running them. What is acknowledged is on the
# disk, also where the server's own default is not to wait for it; and each statement sees what was committed before it,
# also where the server's default is an older picture: the ledger refuses what is decided from one.
_SETTINGS = (
    "-c enable_seqscan=off -c jit=off -c plan_cache_mode=force_generic_plan -c synchronous_commit=on "
    r"-c default_transaction_isolation=read\ committed "
    "-c idle_in_transaction_session_timeout="
)

# How long the other side may be silent before it counts as lost. Without this a worker whose server vanished, and not
# merely closed, waits for hours. What the connection string says goes before.
_PATIENCE = {
    "connect_timeout": 10,
    "keepalives_idle": 15,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 30_000,
}


class PostgresStore(PostgresLog, PostgresNotes, PostgresOperated):
    """A connection to a ledger in one schema of a PostgreSQL database."""

    dialect = "postgres"

    def __init__(self, conninfo: str, *, driver: Any, schema: str = SCHEMA) -> None:
        super().__init__()
        if not schema.isidentifier() or not schema.isascii():
            raise InputError(f"a schema name is a plain identifier, found {schema!r}")
        self.conninfo = conninfo
        self.schema = schema
        self._driver = driver
        files = ("queries.sql", "log.sql", "audit.sql", "postgres.sql", "postgres_log.sql")
        self._sql = {name: statement for file in files for name, statement in postgres_statements(file).items()}
        self._connection: Any = None
        self._in_transaction = self._ready_to_commit = False
        self._connect()
        with self._translating():
            self._migrate_if_needed()
        self._opened()

    def _connect(self) -> None:
        own = f"-c search_path={self.schema} {_SETTINGS}{STATEMENT_TIMEOUT_MS}"
        try:
            given = self._driver.conninfo.conninfo_to_dict(self.conninfo)
            self._connection = self._driver.connect(
                self.conninfo,
                autocommit=True,
                prepare_threshold=None,  # its own preparing ends in DEALLOCATE ALL at a rollback, which takes ours too
                row_factory=self._driver.rows.dict_row,
                options=f"{own} -c statement_timeout={STATEMENT_TIMEOUT_MS} {given.get('options') or ''}",
                **{name: value for name, value in _PATIENCE.items() if name not in given},
            )
        except self._driver.OperationalError as error:
            raise LedgerUnreachableError(str(error).strip()) from error
        except self._driver.ProgrammingError as error:
            raise InputError(f"this is not a connection string: {str(error).strip()}") from None
        self._prepared = PreparedStatements(self._connection, self._driver, patience_ms=PATIENCE_MS)

    def close(self) -> None:
        if self._connection is not None:
            self.check_process()
            self._connection.close()
            self._connection = None
            self._closed()

    def _migrate_if_needed(self) -> None:
        recorded = self.rows("rows_migrations") if self.rows("has_migrations")[0]["found"] else []
        if not outstanding(migrations("postgres"), recorded):
            return
        if recorded and not self.rows("may_migrate")[0]["may"]:
            raise MigrationError(
                f"the ledger has schema version {recorded[-1]['version']}, "
                f"this planvow needs {migrations('postgres')[-1].version}",
                hint="let the owner of the ledger open it once, which brings it up to date",
            )
        lock = f"planvow migration {self.schema}"
        self.rows("migration_lock", name=lock)
        try:
            with self._connection.transaction():
                self._connection.execute(f"CREATE SCHEMA IF NOT EXISTS {self.schema}")
                self.rows("create_migrations")
                for migration in outstanding(migrations("postgres"), self.rows("rows_migrations")):
                    self._connection.execute(migration.sql, prepare=False)
                    facts = {"version": migration.version, "sha256": migration.sha256}
                    self.rows("insert_migration", **facts, name=migration.name)
            self._connection.execute("ANALYZE cassette_jobs, cassette_step_definitions, cassette_step_states")
        finally:
            with suppress(self._driver.Error):
                self.rows("migration_unlock", name=lock)

    @contextmanager
    def _translating(self) -> Iterator[None]:
        try:
            yield
        except self._driver.Error as error:
            raise self._translated(error) from error

    def _translated(self, error: Any) -> PlanvowError:
        known = _ERRORS.get(error.sqlstate or "")
        if known is not None:
            return known(getattr(error.diag, "message_primary", None) or str(error))
        gone = self._connection is None or self._connection.closed  # whatever name the driver has for it
        if gone or isinstance(error, self._driver.OperationalError | self._driver.InterfaceError):
            return LedgerUnreachableError(str(error).strip())
        return CassetteError(f"{type(error).__name__}: {str(error).strip()}")

    def _use(self) -> Any:
        self.check_process()
        if self._connection is None or self._connection.closed:
            if self._in_transaction:
                raise LedgerUnreachableError("the connection was lost inside a transaction")
            self._connect()
        return self._connection

    @contextmanager
    def transaction(self) -> Iterator[None]:
        if self._in_transaction:
            yield
            return
        with self._translating(), self._committing(), self._use().transaction():
            self._in_transaction = True
            try:
                yield
            finally:
                self._in_transaction = False
            if self._connection.info.transaction_status == self._driver.pq.TransactionStatus.INERROR:
                raise CassetteError("a statement had failed, so nothing of this transaction is stored")
            self._ready_to_commit = True

    @contextmanager
    def _committing(self) -> Iterator[None]:
        """Tell a commit that failed from a statement that failed: only the former may heal by itself."""
        self._ready_to_commit = False
        try:
            yield
        except self._driver.Error as error:
            if not self._ready_to_commit or self._connection.closed:
                raise
            raise CommitFailedError(f"the database could not commit: {str(error).strip()}") from error

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        with self.transaction():
            self._connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield

    def rows(self, name: str, /, **values: Any) -> list[Row]:
        try:
            self._use()
            return self._prepared.run(name, self._sql[name], values)
        except self._driver.Error as error:
            raise self._translated(error) from error

    def warnings(self) -> tuple[str, ...]:
        old = sum(row["old"] for row in self.rows("old_versions"))
        if old < MANY_OLD_VERSIONS:
            return ()
        return (
            f"{old} old versions of steps are kept, and each claim passes over some of them: look for transactions "
            "that are open for long (pg_stat_activity.xact_start), and whether autovacuum runs",
        )

    def now_ms(self) -> int:
        return int(self.rows("now")[0]["now_ms"])

    def _post(self, posting: Posting) -> Row:
        if posting.laid is None:
            return self._post_job(posting)
        with self.transaction():
            self._lay(posting.message, posting.laid)
            return self._post_job(posting)

    def _post_job(self, posting: Posting) -> Row:
        steps = {name: column(row[name] for row in posting.steps) for name in _STEP_ARRAYS}
        return self.rows(
            "post",
            **{**posting.job, **posting.plan, **posting.message, **steps},
            payload=column(row["payload_json"] for row in posting.steps),
            later=column(pair[0] for pair in posting.dependencies),
            earlier=column(pair[1] for pair in posting.dependencies),
        )[0]

    def lock_seals(self) -> None:
        self.rows("lock_seals")

    def add_seal(self, run_id: str, leaves: Sequence[Leaf], *, root: str, envelope_json: str, created_at: int) -> None:
        self.rows(
            "add_seal",
            run_id=run_id,
            job_id=column(job_id for job_id, _ in leaves),
            leaf_sha256=column(leaf for _, leaf in leaves),
            merkle_root=root,
            envelope_json=envelope_json,
            created_at=created_at,
        )

    def _claim(self, worker_id: str, wanted: Wanted, limit: int, ticket: Ticket | None = None) -> tuple[Claim, ...]:
        found = self.rows(
            "claim",
            worker_id=worker_id,
            run_id=wanted.run_id,
            job_id=wanted.job_id,
            operations=_array(wanted.operations),
            lease_ms=wanted.lease_ms,
            limit=limit,
            spread=wanted.spread,
            relaxed=not self._in_transaction,  # a caller's own transaction may hold more than a claim
            **_shown(ticket),
        )
        return tuple(claim_from(row, worker_id) for row in found)

    def grant(self, role: str, *parts: str) -> None:
        """Let a role take parts in this ledger: "reader", "planner", "worker", "sealer", "operator". The owner may.

        A role calls the functions of its parts and reads. It cannot write in any other way.
        """
        if not role.isidentifier() or not role.isascii():
            raise InputError(f"a role name is a plain identifier, found {role!r}")
        with self.transaction():
            if not self.rows("has_role", name=role):
                self._connection.execute(f'CREATE ROLE "{role}" NOLOGIN')
            self.rows("grant", role=role, parts=column(parts))

    def expected_schema(self) -> Mapping[str, str]:
        return attested_postgres().rules

    def live_schema(self) -> Mapping[str, str]:
        return hashed_rules(self.rows("live_schema"))

    def excessive_rights(self) -> tuple[str, ...]:
        allowed = attested_postgres().callable
        found = [right for right in self.rows("live_rights") if excess(right, allowed)]
        return tuple(
            f"{right['role']} has {right['privilege']} on {right['kind']} {right['object']}" for right in found
        )

    def requeue_expired(self) -> int:
        return int(self.rows("requeue")[0]["done"])

    def heartbeat(self, claim: Claim, lease_ms: int = DEFAULT_LEASE_MS) -> int:
        return int(self.rows("heartbeat", lease_ms=lease_ms, **_lease_of(claim))[0]["lease_expires_at"])

    def _complete(self, claim: Claim, completion: Completion) -> Receipt:
        found = self.rows("complete", **_lease_of(claim), **_report_of(completion))
        return same_receipt(found[0], claim, completion)

    def _complete_and_claim(
        self, claim: Claim, completion: Completion, wanted: Wanted, ticket: Ticket | None
    ) -> tuple[Receipt, Claim | None]:
        found = self.rows(
            "complete_and_claim",
            **_lease_of(claim),
            **_report_of(completion),
            next_run_id=wanted.run_id,
            next_job_id=wanted.job_id,
            operations=_array(wanted.operations),
            lease_ms=wanted.lease_ms,
            spread=wanted.spread,
            **_shown(ticket),
        )[0]
        receipt = same_receipt(found, claim, completion)
        if found["next_job_id"] is None:
            return receipt, None
        return receipt, claim_from(found, claim.worker_id, "next_")


_STEP_ARRAYS = ("step_id", "op", "on_error", "retry_count", "output_key", "max_attempts")


def _array(names: Set[str] | None) -> str | None:
    return None if names is None else _cached_column(frozenset(names))


_cached_column = lru_cache(maxsize=16)(column)


def _shown(ticket: Ticket | None) -> dict[str, Any]:
    return {"ticket": None, "again": False} if ticket is None else {"ticket": ticket.number, "again": ticket.again}


def _report_of(completion: Completion) -> dict[str, Any]:
    return {
        "outcome": completion.outcome.value,
        "receipt_json": completion.body_json,
        "bytes_used": completion.bytes_used,
        "retry_after_ms": completion.retry_after_ms,
    }


def _lease_of(claim: Claim) -> dict[str, Any]:
    return {
        "run_id": claim.run_id,
        "job_id": claim.job_id,
        "ordinal": claim.ordinal,
        "fence": claim.fence,
        "worker_id": claim.worker_id,
    }
