"""`cassette show`: one job or one step as a whole."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Annotated, Any

from planvow.adapters.cli.frame import typer_later as typer
from planvow.adapters.cli.frame.output import print_json, print_result
from planvow.adapters.cli.frame.table import Column, table, terminal_width
from planvow.adapters.cli.ledger.moments import moment_text
from planvow.adapters.cli.options.ledger import AsJson, RepoRoot, StoreLocation, looked_at
from planvow.adapters.cli.options.working_tree import HERE
from planvow.cassette.ledger.store import Store
from planvow.cassette.operate.look import AttemptView, JobView, StepView, find, view_job
from planvow.service.declare.document import data_of
from planvow.service.records.audit import CalledLine, calls_of

STEP_COLUMNS = (
    Column(name="step"),
    Column(name="op"),
    Column(name="status"),
    Column(name="tries", weight=2),
    Column(name="worker", weight=3),
    Column(name="id", weight=4, is_id=True),
    Column(name="why", weight=1),
)


def show(
    what: Annotated[str, typer.Argument(metavar="JOB|STEP", help="A job, a step, or JOB/NUMBER; ids may be short.")],
    repo_root: RepoRoot = HERE,
    store: StoreLocation = None,
    as_json: AsJson = False,
) -> None:
    """Show a job with its steps, or one step: arguments, output, workers, attempts, why it failed, parent, children."""
    with looked_at(repo_root, store) as ledger:
        view, step = _found(ledger, what)
        called = calls_of(ledger, view.status.job_id)
    if as_json:
        told = _step_document(step) if step is not None else {**_job_document(view), "called": data_of(called)}
        print_json({"job_id": view.status.job_id, **told})
    else:
        print_result("\n".join(_lines(view, step, called)))


def shown_lines(ledger: Store, what: str) -> Iterator[str]:
    """Yield the text of a job or a step, by its id."""
    view, step = _found(ledger, what)
    return _lines(view, step, calls_of(ledger, view.status.job_id))


def _found(ledger: Store, what: str) -> tuple[JobView, StepView | None]:
    found = find(ledger, what)
    view = view_job(ledger, found.job_id)
    return view, None if found.ordinal is None else view.steps[found.ordinal - 1]


def _lines(view: JobView, step: StepView | None, called: list[CalledLine]) -> Iterator[str]:
    return _job_lines(view, called) if step is None else _step_lines(view, step)


def _job_document(view: JobView) -> dict[str, Any]:
    return {
        **asdict(view.status),
        "state": view.status.state,
        "request": view.request,
        "children": view.children,
        "actions": [asdict(action) for action in view.actions],
        "steps": [_step_document(step) for step in view.steps],
    }


def _step_document(step: StepView) -> dict[str, Any]:
    facts = asdict(step)
    return {**facts.pop("state"), **facts, "output": step.output, "reason": step.reason}


def _job_lines(view: JobView, called: list[CalledLine]) -> Iterator[str]:
    job = view.status
    yield f"{job.job_id}  {job.state}"
    facts = {
        "run": job.run_id,
        "request": job.request_id,
        "intent": job.intent,
        "planner": job.planner_id,
        "plan": job.plan_hash,
        "posted": moment_text(job.created_at),
        "priority": str(job.priority) if job.priority else "",
        "starts": moment_text(job.starts_at) if job.starts_at else "",
        "parent": job.parent_job_id or "",
        "children": ", ".join(view.children),
    }
    yield from _facts(facts)
    yield from (f"  {moment_text(line.at)} {line.operation} by {line.by}, {line.origin}" for line in called)
    yield from (f"  {_action_line(action)}" for action in view.actions)
    rows = [
        (
            str(step.state.ordinal),
            step.state.op,
            step.state.status.value,
            str(step.state.attempts),
            _last_worker(step),
            step.state.step_id,
            step.reason or _held(step) or "",
        )
        for step in view.steps
    ]
    yield ""
    yield table(STEP_COLUMNS, rows, terminal_width())


def _action_line(action: Any) -> str:
    what = {
        "CANCEL": "cancelled",
        "SCHEDULE": "scheduled" + _if(" priority ", action.priority) + (
            f" to start {moment_text(action.starts_at)}" if action.starts_at is not None else ""
        ),
        "REQUEUE": f"step {action.ordinal} taken from {action.worker_id}",
    }.get(action.kind, action.kind.lower())  # fmt: skip
    why = f": {action.why}" if action.why else ""
    return f"{moment_text(action.at)} {what} by {action.made_by}{why}"


def _if(label: str, value: object) -> str:
    return "" if value is None else f"{label}{value}"


def _facts(facts: dict[str, str]) -> Iterator[str]:
    size = max(map(len, facts))
    yield from (f"  {name.ljust(size)}  {value}" for name, value in facts.items() if value)


def _last_worker(step: StepView) -> str:
    return (step.attempts[-1].worker_id or "") if step.attempts else ""


def _held(step: StepView) -> str | None:
    state = step.state
    if state.status != "PENDING":
        return None
    if state.waiting_for:
        return f"waits for {state.waiting_for} of {', '.join(map(str, step.needs))}"
    if state.hold == "TIME" and state.wake_at is not None:
        return f"waits until {moment_text(state.wake_at)}"
    return f"held: {state.hold.lower()}" if state.hold else None


def _step_lines(view: JobView, step: StepView) -> Iterator[str]:
    state = step.state
    yield f"{view.status.job_id}/{state.ordinal}  {state.op}  {state.status.value}"
    facts = {
        "id": state.step_id,
        "run": view.status.run_id,
        "parent": view.status.parent_job_id or "",
        "needs": ", ".join(map(str, step.needs)),
        "needed by": ", ".join(map(str, step.needed_by)),
        "on error": step.on_error + (f", up to {step.retry_count} retries" if step.retry_count else ""),
        "key": state.limit_key or "",
        "why": step.reason or _held(step) or "",
        "arguments": _json(step.arguments),
        "output": _json(step.output) if state.status == "COMMITTED" else "",
    }
    yield from _facts(facts)
    for attempt in step.attempts:
        yield f"  attempt {attempt.token}  {_attempt_line(attempt)}"


def _attempt_line(attempt: AttemptView) -> str:
    ended = f" to {moment_text(attempt.ended_at)}" if attempt.ended_at is not None else ", still running"
    said = attempt.outcome or ("put back by " + attempt.put_back_by if attempt.put_back_by else "no report")
    became = "" if attempt.ended_at is None else f" ({said}), became {attempt.became}"
    error = f": {attempt.error.get('code')} {attempt.error.get('message')}" if attempt.error else ""
    decision = f"; {attempt.decision}" if attempt.decision else ""
    return f"{attempt.worker_id} {moment_text(attempt.begun_at)}{ended}{became}{error}{decision}"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
