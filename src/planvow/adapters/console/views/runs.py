"""The list of runs: one line for each, with a state in words, how far it is, and what it waits for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from planvow.adapters.console.views.texts import cut, item_text
from planvow.cassette.ledger.model import JobStatus

RUNNING, WAITING, HELD, STUCK, FAILED, DONE, CANCELLED = (
    "running", "waiting", "held", "stuck", "failed", "done", "cancelled",
)  # fmt: skip
STATES = (HELD, STUCK, RUNNING, WAITING, FAILED, DONE, CANCELLED)
WORDS = {HELD: "waits for a person"}
_VERBS = {each: f"is {each}" for each in STATES} | {HELD: "waits for a person", WAITING: "waits", FAILED: "failed"}
SINCE = {"hour": 3_600_000, "day": 86_400_000, "week": 604_800_000}


@dataclass(frozen=True, kw_only=True)
class RunLine:
    """One run in the list."""

    run_id: str
    state: str
    title: str
    note: str
    planner: str
    plan_hash: str
    job_id: str
    done: int
    steps: int
    plans: int
    created_at: int


@dataclass(frozen=True, kw_only=True)
class RunsView:
    """The page of runs."""

    lines: tuple[RunLine, ...]
    counts: tuple[tuple[str, int], ...]
    planners: tuple[str, ...]
    looked_at: int
    counted: int
    """How many runs the counts are of; the newest that fit."""
    has_more: bool
    older: str | None
    empty: str
    """Why nothing is shown; empty where something is."""
    mark: str = ""


def lines_of(seen: Any, state: str = "") -> tuple[RunLine, ...]:
    """Return the runs of a page that are in a state, or all."""
    lines = (_line(list(jobs), seen) for jobs in seen.runs.values())
    return tuple(line for line in lines if state in ("", line.state))


def runs_view(
    pages: Sequence[Any], newest: Any, planners: Iterable[str], asked: Mapping[str, str], mark: str = ""
) -> RunsView:
    """Return the list of those that were asked for, and how many of the newest are in each state."""
    state = asked.get("state", "")
    lines = tuple(line for seen in pages for line in lines_of(seen, state))
    counts = Counter(line.state for line in lines_of(newest))
    return RunsView(
        lines=lines,
        counts=tuple((each, counts[each]) for each in STATES if counts[each] or each == state),
        planners=tuple(planners),
        looked_at=sum(len(seen.runs) for seen in pages),
        counted=len(newest.runs),
        has_more=newest.older is not None,
        older=pages[-1].older,
        empty="" if lines else _why_empty(asked, pages[-1].older is not None),
        mark=mark,
    )


def _why_empty(asked: Mapping[str, str], has_older: bool) -> str:
    words = {"state": "that {}", "find": "with “{}”", "planner": "of the planner “{}”", "since": "of the last {}"}
    told = [text.format(_VERBS.get(asked[name], asked[name])) for name, text in words.items() if asked.get(name)]
    if not told:
        return "No older run is here." if asked.get("before") else "Nothing was posted to this ledger yet."
    return f"There is no run {' and '.join(told)}{' among those looked at; older ones follow' if has_older else ''}."


def _line(jobs: list[JobStatus], seen: Any) -> RunLine:
    head = jobs[0]
    request = seen.requests.get(head.job_id)
    ended = _ended(request)
    question = next((q for q in seen.questions if q.run_id == head.run_id), None)
    planned = [job for job in jobs if job.steps] or [head]
    latest = planned[0]
    state = FAILED if ended else state_of(latest, late=latest.job_id in seen.late, asked=question is not None)
    repairs = len(planned) - 1
    note = ended or (f"“{question.reason}”" if question is not None and state == HELD else "")
    if not note and repairs:
        note = f"repaired {'once' if repairs == 1 else f'{repairs} times'}"
    done = sum(job.committed for job in planned)
    return RunLine(
        run_id=head.run_id,
        state=state,
        title=asked_text(seen.asked.get(head.run_id)) or latest.intent,
        note=cut(note),
        planner=latest.planner_id,
        plan_hash=latest.plan_hash,
        job_id=latest.job_id,
        done=done,
        steps=done - latest.committed + latest.steps,
        plans=len(planned),
        created_at=jobs[-1].created_at,
    )


def _ended(request: Any) -> str:
    """Return why an agent gave a run up; empty where it did not."""
    origin = request.get("origin") if isinstance(request, Mapping) else None
    if not isinstance(origin, Mapping) or origin.get("kind") != "ended":
        return ""
    return f"{origin.get('status')}: {origin.get('reason')}"


def state_of(job: JobStatus, *, late: bool, asked: bool) -> str:
    """Return one word for where a job stands."""
    if job.cancelled:
        return CANCELLED
    if job.failed or job.dead:
        return FAILED
    if job.finished:
        return DONE
    if late:
        return STUCK
    if asked and not job.leased:
        return HELD
    return RUNNING if job.leased or job.committed else WAITING


def asked_text(asked: Any) -> str:
    """Return what was asked, in a line: an agenda, a goal, or the words with which a plan was posted."""
    if not isinstance(asked, Mapping):
        return ""
    agenda = asked.get("agenda")
    if isinstance(agenda, list):
        return cut(", ".join(item_text(_plain(item)) for item in agenda))
    inputs = asked.get("inputs")
    if isinstance(inputs, Mapping):
        return cut(f"“{inputs.get('goal', '')}”")
    return cut(str(asked.get("why") or ""))


def _plain(item: Any) -> Any:
    return item["item"] if isinstance(item, Mapping) and "item" in item else item
