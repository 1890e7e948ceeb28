"""Calls that would have changed something and were refused: noted in the ledger, so that trying leaves a trace.

A refusal that is about a job stands in that job's chain. Others (no right, no such job) stand in the chain of a job
without steps, one for each day. Whoever asks over and over makes one note a minute with a count, so that nobody fills a
ledger by being refused.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from planvow.cassette.dossier.model import Dossier
from planvow.cassette.dossier.observe import observe
from planvow.cassette.dossier.post import store_plan_with_dossier
from planvow.cassette.errors import UnknownStepError
from planvow.cassette.jobs.from_contract import stored_plan
from planvow.cassette.ledger.model import Source
from planvow.contract.plan.plan import build_plan
from planvow.errors import PlanvowError
from planvow.service.declare.document import Refusal
from planvow.service.declare.setting import Setting
from planvow.service.records.audit import CALLED

RUN = "refused-calls"
SECONDS = 60.0
_MOST = 1000
_LONGEST = 300


class Refusals:
    """Notes what was refused; of one caller, operation and code once a minute, with how often it was since."""

    def __init__(self, setting: Setting, clock: Callable[[], float], told: Callable[[str], None]) -> None:
        self._setting, self._clock, self._told = setting, clock, told
        self._lock = threading.Lock()
        self._seen: dict[tuple[str, str, str], tuple[float, int]] = {}

    def note(self, operation: str, refusal: Refusal, *, by: str, origin: str, job_id: str = "") -> None:
        """Note a refusal. A ledger that is away, or takes no notes from this login, is told of and nothing more."""
        times = self._counted((by, operation, refusal.code))
        if not times:
            return
        said = {"operation": operation, "by": by, "origin": origin, "times": times}
        said |= {"refused": refusal.code, "reason": refusal.reason[:_LONGEST]}
        try:
            with self._setting.open_ledger(looking=False) as ledger:
                observe(ledger, _place(ledger, job_id), None, {CALLED: said})
        except PlanvowError as problem:
            self._told(f"planvow: {by} was refused {operation} ({refusal.code}); not noted: {problem.message[:200]}")

    def _counted(self, key: tuple[str, str, str]) -> int:
        """Return how many refusals the next note stands for; 0 where it is too early for one."""
        now = self._clock()
        with self._lock:
            since, count = self._seen.get(key, (now - SECONDS, 0))
            if now - since < SECONDS:
                self._seen[key] = (since, count + 1)
                return 0
            if len(self._seen) >= _MOST:
                self._seen = {each: held for each, held in self._seen.items() if now - held[0] < SECONDS}
            if len(self._seen) < _MOST:
                self._seen[key] = (now, 0)
                return count + 1
            return 0  # more callers than anybody has, within a minute


def _place(ledger: Any, job_id: str) -> str:
    """Return the job in whose chain a refusal is noted."""
    if job_id:
        with suppress(UnknownStepError):
            ledger.check_known(job_id=job_id)
            return job_id
    day = datetime.fromtimestamp(ledger.now_ms() / 1000, UTC).date().isoformat()
    plan = stored_plan(build_plan({"steps": []}), planner_id="service", planner_version="1", request_id=f"{RUN}-{day}")
    posted = store_plan_with_dossier(
        ledger,
        f"{RUN}-{day}",
        plan,
        Dossier(asked={"why": "calls that were refused"}),
        payload={"format": "refused-calls/1", "day": day},
        idempotency_key=RUN,
        source=Source.PLANNER,
    )
    return str(posted.job_id)
