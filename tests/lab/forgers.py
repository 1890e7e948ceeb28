"""What the owner of a ledger can do to it: everything. Each forgery leaves rules and hashes in order as far as it can.

Rules are off while it is done and back afterwards, so that nothing but what was done can be found.
"""

from __future__ import annotations

import itertools
import json
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg

from planvow.adapters.databases.opening import open_ledger
from planvow.cassette import Store
from planvow.cassette.ledger.chain import receipt_hash, receipt_id, sha256_text
from planvow.cassette.ledger.log_entries import leaf_line
from planvow.hash_tree import GrowingTree
from postgres_server import running_server

_databases = itertools.count(1)
OF_A_JOB = ("cassette_notes", "cassette_actions", "cassette_receipts", "cassette_step_events", "cassette_step_states",
            "cassette_step_dependencies", "cassette_step_definitions", "cassette_plans", "cassette_jobs")  # fmt: skip
OF_THE_LOG = ("cassette_checkpoint_signatures", "cassette_checkpoints", "cassette_log")


class Owned:
    """A ledger where the command finds it, in the hands of its owner."""

    def __init__(self, where: str) -> None:
        self.where = where

    @classmethod
    def new(cls, kind: str, folder: Path) -> Owned:
        number = next(_databases)
        if kind == "sqlite":
            return cls(str(folder / f"ledger-{number}.db"))
        name = f"owned_{os.getpid()}_{number}"
        with psycopg.connect(running_server().conninfo, autocommit=True) as raw:
            raw.execute(f"CREATE DATABASE {name}")
        return cls(f"postgresql://postgres@/{name}?host={running_server().folder}")

    def open(self) -> Store:
        return open_ledger(self.where)

    def copy(self, folder: Path) -> Owned:
        """A second ledger with the same history up to now."""
        if not self.where.startswith("postgresql"):
            other = Owned.new("sqlite", folder)
            shutil.copyfile(self.where, other.where)
            return other
        name, fork = self.where.split("/")[3].partition("?")[0], f"fork_{os.getpid()}_{next(_databases)}"
        with psycopg.connect(running_server().conninfo, autocommit=True) as raw:
            raw.execute(f"CREATE DATABASE {fork} TEMPLATE {name}")
        return Owned(self.where.replace(name, fork))

    @contextmanager
    def without_rules(self) -> Iterator[Callable[[str], list[Any]]]:
        """Yield a function that runs SQL which no trigger and no foreign key stops."""
        if self.where.startswith("postgresql"):
            with psycopg.connect(self.where, options="-c search_path=planvow") as raw:
                raw.execute("SET session_replication_role = replica")
                yield lambda sql: _answer(raw.execute(sql))
            return
        raw = sqlite3.connect(self.where, isolation_level=None)
        rules = raw.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY rowid").fetchall()
        for name, _ in rules:
            raw.execute(f"DROP TRIGGER {name}")
        yield lambda sql: raw.execute(sql).fetchall()
        for _, rule in rules:
            raw.execute(rule)
        raw.close()

    def remove_job(self, job: str) -> None:
        with self.without_rules() as sql:
            _remove_job(sql, job)

    def remove_job_and_its_places(self, job: str) -> None:
        """The entries go too, and leave a gap."""
        with self.without_rules() as sql:
            (first,) = sql(f"SELECT message_seq FROM cassette_jobs WHERE job_id = '{job}'")[0]
            numbers = [seq for (seq,) in sql(f"SELECT seq FROM cassette_step_events WHERE job_id = '{job}'")]
            sql(f"DELETE FROM cassette_log WHERE kind = 'post' AND seq = {first}")
            sql(f"DELETE FROM cassette_log WHERE kind = 'event' AND seq IN ({', '.join(map(str, numbers))})")
            _remove_job(sql, job)

    def remove_job_and_write_the_log_anew(self, job: str) -> None:
        self.remove_job(job)
        self.write_the_log_anew()

    def write_the_log_anew(self) -> None:
        """Every leaf, root and number computed again, over what is here now."""
        with self.without_rules() as sql:
            for table in OF_THE_LOG:
                sql(f"DELETE FROM {table}")
            kinds = ("posts", "events", "notes", "actions")
            marks = [f"{kind}_to = 0" for kind in kinds]
            if "postgresql" in self.where:
                marks += [*(f"{kind}_seen = 0" for kind in kinds), "horizon = NULL"]
            sql(f"UPDATE cassette_log_state SET tree_size = 0, peaks = '', {', '.join(marks)}")
        with self.open() as store:
            store.checkpoint()

    def cut_to(self, size: int) -> None:
        """Take away all entries from a place on, with the jobs posted there, and all checkpoints that covered them."""
        with self.without_rules() as sql:
            posts = sql(f"SELECT j.job_id FROM cassette_log l JOIN cassette_jobs j ON j.message_seq = l.seq"
                        f" WHERE l.kind = 'post' AND l.log_index >= {size}")  # fmt: skip
            for (job,) in posts:
                _remove_job(sql, job)
            _end_log_at(sql, size)

    def cut_last_receipt(self) -> None:
        """The last thing that happened has not happened: its receipt and event are gone, the step is leased."""
        with self.without_rules() as sql:
            event = sql("SELECT seq, job_id, ordinal, fence, worker_id FROM cassette_step_events"
                        " WHERE to_status = 'COMMITTED' ORDER BY seq DESC LIMIT 1")[0]  # fmt: skip
            seq, job, ordinal, fence, worker = event
            ((place,),) = sql(f"SELECT log_index FROM cassette_log WHERE kind = 'event' AND seq = {seq}")
            sql(f"DELETE FROM cassette_receipts WHERE job_id = '{job}' AND ordinal = {ordinal} AND fence = {fence}")
            sql(f"DELETE FROM cassette_step_events WHERE seq = {seq}")
            sql(f"UPDATE cassette_step_states SET status = 'LEASED', worker_id = '{worker}', lease_ms = 1,"
                f" lease_expires_at = 1 WHERE job_id = '{job}' AND ordinal = {ordinal}")  # fmt: skip
            _end_log_at(sql, place)

    def bodies(self) -> list[dict[str, Any]]:
        """What the receipts say, in order."""
        with self.without_rules() as sql:
            return [
                json.loads(text) for (text,) in sql("SELECT receipt_json FROM cassette_receipts ORDER BY chain_seq")
            ]

    def rewrite_last_receipt(self, said: Any = None) -> None:
        """Another result, with every hash in order, and a log over it."""
        names = ("job_id", "ordinal", "fence", "chain_seq", "worker_id", "outcome", "bytes_used", "bytes_total",
                 "retry_after_ms", "prev_sha256", "created_at")  # fmt: skip
        with self.without_rules() as sql:
            ((job,),) = sql("SELECT job_id FROM cassette_jobs ORDER BY message_seq DESC LIMIT 1")
            found = sql(f"SELECT {', '.join(names)} FROM cassette_receipts WHERE job_id = '{job}'"
                        " ORDER BY chain_seq DESC LIMIT 1")[0]  # fmt: skip
            row = dict(zip(names, found, strict=True))
            body = json.dumps(said or {"output": "forged"}, separators=(",", ":"), sort_keys=True)
            row["receipt_json_sha256"] = sha256_text(body)
            digest = receipt_hash(row)
            sql(f"UPDATE cassette_receipts SET receipt_json = '{body}', receipt_json_sha256 = '{sha256_text(body)}',"
                f" sha256 = '{digest}', receipt_id = '{receipt_id(digest)}'"
                f" WHERE job_id = '{job}' AND chain_seq = {row['chain_seq']}")  # fmt: skip
        self.write_the_log_anew()


def _answer(cursor: Any) -> list[Any]:
    return cursor.fetchall() if cursor.description else []


def _remove_job(sql: Callable[[str], list[Any]], job: str) -> None:
    ((message,),) = sql(f"SELECT message_id FROM cassette_jobs WHERE job_id = '{job}'")
    for table in OF_A_JOB:
        sql(f"DELETE FROM {table} WHERE job_id = '{job}'")
    sql(f"DELETE FROM cassette_messages WHERE message_id = '{message}'")


def _end_log_at(sql: Callable[[str], list[Any]], size: int) -> None:
    """Let the log end at a place, with a checkpoint over what is left and its end written down as it must be."""
    sql(f"DELETE FROM cassette_checkpoint_signatures WHERE tree_size >= {size}")
    sql(f"DELETE FROM cassette_checkpoints WHERE tree_size >= {size}")
    sql(f"DELETE FROM cassette_log WHERE log_index >= {size}")
    tree = GrowingTree()
    for entry in sql("SELECT kind, seq, leaf_sha256 FROM cassette_log ORDER BY log_index"):
        tree.add(leaf_line(*entry))
    sql(f"INSERT INTO cassette_checkpoints VALUES ({size}, '{tree.root}', 1)")
    ends = {kind: sql(f"SELECT coalesce(max(seq), 0) FROM cassette_log WHERE kind = '{kind}'")[0][0]
            for kind in ("post", "event")}  # fmt: skip
    peaks = "".join(peak.hex() for peak in tree.peaks)
    sql(f"UPDATE cassette_log_state SET tree_size = {size}, peaks = '{peaks}', posts_to = {ends['post']},"
        f" events_to = {ends['event']}")  # fmt: skip
