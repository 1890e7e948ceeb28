"""What happened to a run, one event after the other: for those who watch it."""

from __future__ import annotations

from planvow.service.declare.document import document
from planvow.service.declare.operation import COMMAND_LINE, MCP, Answer, Operation, Right
from planvow.service.declare.setting import Setting


@document
class EventsQuestion:
    """A run, and the last event that was seen of it."""

    run_id: str
    after: int = 0
    """Number of the last event seen; 0 for all."""
    limit: int = 100


@document
class EventLine:
    """A step that changed its state."""

    seq: int
    job_id: str
    step: int
    status: str
    at: int
    """Milliseconds since 1970."""
    worker_id: str | None = None


@document
class EventsAnswer:
    """Events in their order."""

    events: list[EventLine]
    finished: bool
    """Whether nothing of the run is left to do."""


def run_events(asked: EventsQuestion, setting: Setting) -> Answer:
    """Return what happened to a run after an event."""
    most = max(1, min(asked.limit, 1000))
    with setting.open_ledger() as ledger:
        ledger.check_known(run_id=asked.run_id)
        finished = not ledger.has_open_steps(run_id=asked.run_id)
        rows = ledger.rows("events_of_run", run_id=asked.run_id, after=asked.after, most=most)
    events = [
        EventLine(
            seq=row["seq"],
            job_id=row["job_id"],
            step=row["ordinal"],
            status=row["to_status"],
            at=row["at"],
            worker_id=row["worker_id"],
        )
        for row in rows
    ]
    return Answer(output=EventsAnswer(events=events, finished=finished and len(rows) < most))


RUN_EVENTS = Operation(
    name="run_events",
    summary="List what happened to a run after an event, in order.",
    question=EventsQuestion,
    output=EventsAnswer,
    run=run_events,
    right=Right.READ,
    missing={
        COMMAND_LINE: "`cassette status --watch` follows a run, `cassette show` has its history",
        MCP: "a model asks where a run stands (runs); it need not follow every event",
    },
)
