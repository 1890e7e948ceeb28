"""Whether what operators decided about a job fits what happened to it. Reads rows, trusts none of them.

Nothing is cancelled, moved in the queue or taken from its worker without a decision that is written down, and what was
decided took effect.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from planvow.cassette.ledger.job_rows import JobRows
from planvow.verdict import Fault

OPEN = ("PENDING", "LEASED")


def check_actions(rows: JobRows) -> Iterator[Fault]:
    """Yield every decision and every effect of one that has no counterpart."""
    kinds = {action["kind"] for action in rows.actions}
    for state in rows.states:
        place = f"{rows.job_id} step {state['ordinal']}"
        if state["status"] == "CANCELLED" and "CANCEL" not in kinds:
            yield Fault(place=place, message="was cancelled, though nobody decided that")
        if state["status"] == "PENDING" and "CANCEL" in kinds:
            yield Fault(place=place, message="waits, though its job was cancelled")
        for message in _place_problems(rows, state):
            yield Fault(place=place, message=message)
    leases = {(e["ordinal"], e["fence"], e["worker_id"]) for e in rows.events if e["to_status"] == "LEASED"}
    for action in rows.actions:
        if action["kind"] == "REQUEUE" and (action["ordinal"], action["fence"], action["worker_id"]) not in leases:
            place = f"{rows.job_id} action {action['seq']}"
            yield Fault(place=place, message="puts back a lease that there never was")


def _place_problems(rows: JobRows, state: Mapping[str, Any]) -> Iterator[str]:
    """Hold a step's place in the queue against the decisions about it: the last one while it is open, else any."""
    decided = [action for action in rows.actions if action["kind"] == "SCHEDULE"]
    ranks = [0, *(-action["priority"] for action in decided if action["priority"] is not None)]
    starts = [0, *(action["starts_at"] for action in decided if action["starts_at"] is not None)]
    newest = slice(-1, None) if state["status"] in OPEN else slice(None)
    if state.get("rank", 0) not in ranks[newest]:
        yield f"has the priority {-state['rank']}, which nobody gave it"
    if state.get("starts_at", 0) not in starts[newest]:
        yield f"may start at {state['starts_at']}, which nobody decided"
    keys = [line for action in decided for line in (action["step_keys"] or "").split("\n")]
    expected = [line.partition("=")[2] for line in keys if line.partition("=")[0] == str(state["ordinal"])]
    if state.get("limit_key") != (expected[-1] if expected else None):
        yield f"has the key {state['limit_key']!r}, which nobody gave it"
    if state["status"] == "PENDING" and state.get("hold") == "TIME":
        if state["wake_at"] not in (state["not_before"], state["starts_at"]):
            yield f"sleeps until {state['wake_at']}, which nobody decided"
