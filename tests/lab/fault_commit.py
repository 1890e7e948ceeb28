"""Commits on PostgreSQL that fail or wait: whatever is worked on is answered, and then the commit itself does not come.

A constraint trigger that is deferred runs inside the commit, after the rows of the statement are on their way. One lets
the first commits fail, counted by a sequence (which a rollback does not wind back); the other waits for a lock, so that
somebody has all the time to shut the server down between statement and commit.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import psycopg

from postgres_server import PostgresServer

GATE = 4711
PATIENCE_SECONDS = 300  # of busy machines: eight workers may have to start again first

_TRIGGER = """
CREATE FUNCTION {schema}.{name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {body} RETURN NULL; END $$;
CREATE CONSTRAINT TRIGGER {name} AFTER INSERT ON {schema}.{table} DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION {schema}.{name}();
"""


def fail_commits(conninfo: str, schema: str, *, every: int, until: int, table: str = "cassette_receipts") -> None:
    """Let every n-th commit that adds to a table fail, up to the commit with the number `until`."""
    body = f"""
      IF pg_sequence_last_value('{schema}.commits') IS NULL OR pg_sequence_last_value('{schema}.commits') < {until} THEN
        IF nextval('{schema}.commits') % {every} = 0 THEN RAISE EXCEPTION 'no room for this commit'; END IF;
      END IF;"""
    with psycopg.connect(conninfo, autocommit=True) as owner:
        owner.execute(f"CREATE SEQUENCE {schema}.commits")
        owner.execute(_TRIGGER.format(schema=schema, name="commits_fail", table=table, body=body))


def failed_commits(conninfo: str, schema: str, *, every: int) -> int:
    with psycopg.connect(conninfo) as owner:
        return (owner.execute("SELECT pg_sequence_last_value(%s)", (f"{schema}.commits",)).fetchone()[0] or 0) // every


def let_commits_wait(conninfo: str, schema: str) -> None:
    """Let each commit of a receipt wait while somebody keeps the gate shut."""
    body = f"PERFORM pg_advisory_xact_lock({GATE});"
    with psycopg.connect(conninfo, autocommit=True) as owner:
        owner.execute(_TRIGGER.format(schema=schema, name="commits_wait", table="cassette_receipts", body=body))


@contextmanager
def shut_gate(server: PostgresServer) -> Iterator[Gate]:
    """Keep commits waiting until the block ends, or the server does."""
    owner = psycopg.connect(server.conninfo, autocommit=True)
    try:
        owner.execute("SELECT pg_advisory_lock(%s)", (GATE,))
        yield Gate(owner)
    finally:
        owner.close()


class Gate:
    """A gate that is shut, and who stands before it."""

    def __init__(self, owner: psycopg.Connection) -> None:
        self._owner = owner

    def somebody_waits(self, expected: Callable[[], bool] = lambda: True) -> int | None:
        """Wait until a commit stands before the gate; return the number of its process, None if none is expected."""
        asked = "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objid = %s AND NOT granted"
        end = time.monotonic() + PATIENCE_SECONDS
        while (found := self._owner.execute(asked, (GATE,)).fetchone()) is None:
            if not expected():
                return None
            assert time.monotonic() < end, "no commit came to the gate"
            time.sleep(0.01)
        return int(found[0])

    def end(self, pid: int) -> None:
        """End the connection of a commit that waits, as an administrator may."""
        self._owner.execute("SELECT pg_terminate_backend(%s)", (pid,))
