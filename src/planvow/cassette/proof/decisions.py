"""Whether what operators decided about a job fits what happened to it. Reads rows, trusts none of them.

Nothing is cancelled, moved in the queue or taken from its worker without a decision that is written down, and what was
decided took effect.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from planvow.cassette.ledger.chain import ACTION_FIELDS, HashedList
from planvow.verdict import Fault

Row = Mapping[str, Any]
OPEN = ("PENDING", "LEASED")


class Decisions:
    """The decisions about one job, held against its steps one after the other."""

    def __init__(self, job_id: str, actions: Iterable[Row]) -> None:
        self.actions = tuple(actions)
        self._job_id = job_id
        self._cancelled = any(action["kind"] == "CANCEL" for action in self.actions)
        placed = [action for action in self.actions if action["kind"] == "SCHEDULE"]
        self._ranks = [0, *(-action["priority"] for action in placed if action["priority"] is not None)]
        self._starts = [0, *(action["starts_at"] for action in placed if action["starts_at"] is not None)]
        self._keys: dict[str, str] = {}
        for line in (line for action in placed for line in (action["step_keys"] or "").split("\n") if line):
            number, _, key = line.partition("=")
            self._keys[number] = key
        requeued = [action for action in self.actions if action["kind"] == "REQUEUE"]
        self._taken = {(a["ordinal"], a["fence"], a["worker_id"]): a["seq"] for a in requeued}

    def problems(self, state: Row, events: Sequence[Row]) -> Iterator[str]:
        """Yield what of a step nobody decided, and what was decided of it and is not so."""
        if state["status"] == "CANCELLED" and not self._cancelled:
            yield "was cancelled, though nobody decided that"
        if state["status"] == "PENDING" and self._cancelled:
            yield "waits, though its job was cancelled"
        for event in events:
            if event["to_status"] == "LEASED":
                self._taken.pop((event["ordinal"], event["fence"], event["worker_id"]), None)
        if "rank" in state:  # bundles from before there were any have no places
            yield from self._place_problems(state)

    def _place_problems(self, state: Row) -> Iterator[str]:
        """Hold a step's place against the decisions about it: the last one while it is open, else any."""
        newest = slice(-1, None) if state["status"] in OPEN else slice(None)
        if state["rank"] not in self._ranks[newest]:
            yield f"has the priority {-state['rank']}, which nobody gave it"
        if state["starts_at"] not in self._starts[newest]:
            yield f"may start at {state['starts_at']}, which nobody decided"
        if state["limit_key"] != self._keys.get(str(state["ordinal"])):
            yield f"has the key {state['limit_key']!r}, which nobody gave it"
        sleeping = state["status"] == "PENDING" and state["hold"] == "TIME"
        if sleeping and state["wake_at"] not in (state["not_before"], state["starts_at"]):
            yield f"sleeps until {state['wake_at']}, which nobody decided"

    def left(self) -> Iterator[Fault]:
        """Yield decisions about leases that none of the steps had."""
        for seq in self._taken.values():
            yield Fault(place=f"{self._job_id} action {seq}", message="puts back a lease that there never was")

    def end(self, tail: HashedList) -> None:
        """Add the decisions to the hash over what happened."""
        if self.actions:
            tail.begin()
            for action in self.actions:
                tail.add([action[name] for name in ACTION_FIELDS])
            tail.end()
