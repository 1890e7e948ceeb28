"""Which step of a SQLite ledger comes next: along one index, or past what limits stop.

Everything happens inside the claim's write transaction, in which this process is alone. Nothing walks over steps that
cannot be had: sleeping steps are in no index of ready ones, and behind a limit that is reached each operation, and each
key, is asked for its first step by one look.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from planvow.cassette.databases.sqlite_notes import SqliteNotes
from planvow.cassette.ledger.model import Claim, Ticket, Wanted
from planvow.cassette.ledger.schedule import EACH_KEY
from planvow.cassette.ledger.stored_rows import Row, claim_from

MINUTE_MS = 60_000
ROUSED_AT_ONCE = 100
_LEAST, _MOST = -(2**31), 2**62


class SqliteQueue(SqliteNotes):
    """A ledger file that hands out steps."""

    def _claim(self, worker_id: str, wanted: Wanted, limit: int, ticket: Ticket | None = None) -> tuple[Claim, ...]:
        with self._relaxed(), self.transaction():
            return self._claimed(worker_id, wanted, limit, ticket)

    def _claimed(self, worker_id: str, wanted: Wanted, limit: int, ticket: Ticket | None) -> tuple[Claim, ...]:
        """Lease steps inside the transaction that is under way."""
        number = None if ticket is None else ticket.number
        look = self.rows("look")[0]
        if look["run_out"]:
            self._put_back_expired()
            self._lapse_approvals()
            look = self.rows("look")[0]
        if look["due"]:
            self.rows("rouse", now_ms=look["now_ms"], limit=ROUSED_AT_ONCE)
        again = ticket is not None and ticket.again
        found = self.rows("leased_before", worker_id=worker_id, ticket=number) if again else []
        if found:
            return tuple(claim_from(row, worker_id) for row in found)
        if look["limited"]:
            while len(found) < limit and (picked := self._pick_limited(wanted)) is not None:
                found.append(self._lease(picked, worker_id, wanted, number))
                self._count_start(picked)
        else:
            found = [self._lease(row, worker_id, wanted, number) for row in self._ready(wanted, limit)]
        return tuple(claim_from(row, worker_id) for row in found)

    def _lease(self, row: Row, worker_id: str, wanted: Wanted, ticket: int | None) -> Row:
        leased = {**row, "lease_expires_at": row["now_ms"] + wanted.lease_ms}
        rests_on = self.rows("lease", worker_id=worker_id, lease_ms=wanted.lease_ms, ticket=ticket, **leased)
        return {**leased, **rests_on[0]}

    def _ready(self, wanted: Wanted, limit: int) -> list[Row]:
        """Return the wanted steps that come next, along the index of their order.

        Foreign operations cost nothing while none of them comes next. Else the search begins at the first ready step
        of an own operation, found by one look for each, however many foreign steps stand before; in a run of its own
        and with `spread`, some may still be passed over one by one.
        """
        if wanted.job_id is not None:
            statement = "ready_in_job"
        elif wanted.spread:
            statement = "ready_spread"
        else:
            statement = "ready_by_age" if wanted.run_id is None else "ready_by_run"
        scope = {"run_id": wanted.run_id, "job_id": wanted.job_id, "limit": limit}
        found = self.rows(statement, **scope, operations=None, from_rank=_LEAST, from_seq=0, from_ordinal=0)
        own = wanted.operations
        if own is None or all(row["op"] in own for row in found):
            return found
        place = self._place_of(wanted.job_id)
        firsts = () if place is None else (self._firsts_of(op, {"run_id": None, **place}) for op in own)
        first = [_order(row) for rows in firsts for row in rows]
        if not first:
            return []
        from_rank, from_seq, from_ordinal = min(first)
        begin = {"from_rank": from_rank, "from_seq": from_seq, "from_ordinal": from_ordinal}
        return self.rows(statement, **scope, operations="\n".join(("", *own, "")), **begin)

    def _place_of(self, job_id: str | None) -> Mapping[str, int] | None:
        """Return the bounds between which a job's steps stand in the queue; None when there is no such job."""
        if job_id is None:
            return {"least_rank": _LEAST, "most_rank": _MOST, "least_seq": 0, "most_seq": _MOST}
        for row in self.rows("place_of_job", job_id=job_id):
            rank, seq = row["rank"], row["message_seq"]
            return {"least_rank": rank, "most_rank": rank, "least_seq": seq, "most_seq": seq}
        return None

    def _firsts_of(self, op: str, scope: Mapping[str, Any]) -> list[Row]:
        """Return the first ready step of an operation without a key, and the first with one."""
        return [*self.rows("first_unkeyed", op=op, **scope), *self.rows("first_keyed", op=op, **scope)]

    # Limits.

    def _pick_limited(self, wanted: Wanted) -> Row | None:
        """Return the first ready step that no limit stops."""
        first = self._first_of_all(wanted)
        if first is not None:
            return first
        place = self._place_of(wanted.job_id)
        if place is None:
            return None
        scope = {"run_id": wanted.run_id, **place}
        operations = self._ready_operations() if wanted.operations is None else wanted.operations
        free = [
            row
            for op in operations
            if not self._reached("operation", op)
            for row in self._first_free(op, scope)
        ]  # fmt: skip
        if not free:
            return None
        spread = wanted.spread and wanted.job_id is None
        return min(free, key=lambda row: (row["rank"], row["ordinal"] if spread else 0, *_order(row)[1:]))

    def _first_of_all(self, wanted: Wanted) -> Row | None:
        """Return the first ready step if it is wanted and its own limits let it begin, which is so most of the time."""
        if wanted.spread or wanted.run_id is not None or wanted.job_id is not None:
            return None
        begin = {"from_rank": _LEAST, "from_seq": 0, "from_ordinal": 0}
        for row in self.rows("ready_by_age", operations=None, limit=1, **begin):
            own = wanted.operations is None or row["op"] in wanted.operations
            if own and not self._reached("operation", row["op"]):
                return row if row["limit_key"] is None or not self._reached("key", row["limit_key"]) else None
        return None

    def _first_free(self, op: str, scope: Mapping[str, Any]) -> Iterable[Row]:
        """Yield the first steps of an operation that no key stops: without a key, and of the keys that are free."""
        yield from self.rows("first_unkeyed", op=op, **scope)
        keyed = self.rows("first_keyed", op=op, **scope)
        if not keyed or not self._reached("key", keyed[0]["limit_key"]):
            yield from keyed
            return
        key = ""
        while following := self.rows("next_key", op=op, key=key):
            key = following[0]["limit_key"]
            if not self._reached("key", key):
                yield from self.rows("first_of_key", op=op, key=key, **scope)

    def _ready_operations(self) -> Iterable[str]:
        op = ""
        while following := self.rows("next_operation", op=op):
            op = following[0]["op"]
            yield op

    def _limit_on(self, scope: str, name: str) -> Row | None:
        found = self.rows("limit", scope=scope, name=name)
        if not found and scope == "key":
            found = self.rows("limit", scope=scope, name=EACH_KEY)
        return found[0] if found else None

    def _reached(self, scope: str, name: str) -> bool:
        """Say whether no further step may begin under a limit now."""
        limit = self._limit_on(scope, name)
        if limit is None:
            return False
        if limit["at_once"] is not None:
            running = self.rows(f"running_of_{scope}", name=name, limit=limit["at_once"])
            if len(running) >= limit["at_once"]:
                return True
        if limit["per_minute"] is None:
            return False
        begun = self.rows("start_before", scope=scope, name=name, back=limit["per_minute"] - 1)
        return bool(begun) and begun[0]["now_ms"] - MINUTE_MS < begun[0]["at"] <= begun[0]["now_ms"]

    def _count_start(self, row: Row) -> None:
        for scope, name in (("operation", row["op"]), ("key", row["limit_key"])):
            limit = self._limit_on(scope, name) if name is not None else None
            if limit is not None and limit["per_minute"] is not None:
                self.rows("insert_start", scope=scope, name=name, at=row["now_ms"])
                oldest = row["now_ms"] - MINUTE_MS
                self.rows("forget_starts", scope=scope, name=name, kept=limit["per_minute"], oldest=oldest)

    def requeue_expired(self) -> int:
        with self.transaction():
            return self._put_back_expired()

    def _put_back_expired(self) -> int:
        """One at a time: burying one step may give up the next."""
        count = 0
        while expired := self.rows("expired"):
            self.rows("put_back", **expired[0])
            count += 1
        return count


def _order(row: Row) -> tuple[int, int, int]:
    return (row["rank"], row["message_seq"], row["ordinal"])
