"""Values for the page that shows the components: made up, and no part of any ledger."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from planvow.adapters.console.views.lanes import every_lanes
from planvow.adapters.console.views.runs import STATES

_NOW = 1_700_000_000_000


def samples() -> Any:
    """Return something for each component to show."""
    return SimpleNamespace(
        states=STATES,
        lanes=every_lanes([_job()], _NOW + 7_205_500),
        now=_NOW,
        tokens=("paper", "card", "ink", "soft", "line", "accent", "good", "bad", "warn", "calm"),
    )


def _job() -> Any:
    attempts = [
        ("buy", "h1", 0, 1200, "FAILURE", "FAILED"),
        ("borrow", "h2", 1500, 4000, "SUCCESS", "COMMITTED"),
        ("hand_over", "h2", 7_202_000, 7_205_500, None, "LEASED"),
    ]
    steps = [
        SimpleNamespace(
            state=SimpleNamespace(op=op, ordinal=number),
            arguments={"thing": "lamp"},
            attempts=[
                SimpleNamespace(
                    worker_id=worker,
                    begun_at=_NOW + begin,
                    ended_at=_NOW + end,
                    outcome=outcome,
                    became=became,
                )
            ],
        )
        for number, (op, worker, begin, end, outcome, became) in enumerate(attempts, start=1)
    ]
    return SimpleNamespace(steps=steps, status=SimpleNamespace(job_id="job_0123456789abcdef"))
