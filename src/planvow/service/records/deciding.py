"""What a person decides about a posted plan: approve, deny, cancel, put back; each with a name and a reason."""

from __future__ import annotations

from typing import Literal

from planvow.cassette.dossier.approvals import approve, deny, open_questions
from planvow.cassette.ledger.schedule import Decider
from planvow.cassette.operate.requeue import WHY, requeue_dead
from planvow.errors import InputError
from planvow.service.declare.document import document
from planvow.service.declare.operation import COMMAND_LINE, MCP, Answer, Operation, Right
from planvow.service.declare.setting import Setting
from planvow.service.records.audit import note_call
from planvow.service.records.runs import QuestionLine, question_line


@document
class DecideQuestion:
    """A job that waits for a person, and the person's answer."""

    job_id: str
    decision: Literal["approve", "deny"]
    by: str
    """Who decides: a name."""
    step_id: str = ""
    """One step; empty: the plan as a whole."""
    reason: str = ""
    """Why; a denial needs one."""
    plan_hash: str = ""
    """The plan that was looked at; another one is refused."""


@document
class DecideAnswer:
    """What was recorded, and what still waits."""

    job_id: str
    recorded: str
    by: str
    sha256: str
    """The decision's hash; receipts of what it let run repeat it."""
    waiting: list[QuestionLine]


def decide(asked: DecideQuestion, setting: Setting) -> Answer:
    """Record a person's answer to a question of the ledger."""
    step_id, seen = asked.step_id or None, asked.plan_hash or None
    if asked.decision == "deny" and not asked.reason.strip():
        raise InputError("a denial needs a reason", place="reason", hint="a repair is made with it")
    with setting.open_ledger(looking=False) as ledger:
        ledger.check_known(job_id=asked.job_id)
        with ledger.transaction():
            if asked.decision == "approve":
                sha256 = approve(ledger, asked.job_id, step_id, by=asked.by, note=asked.reason, plan_hash=seen)
            else:
                sha256 = deny(ledger, asked.job_id, step_id, by=asked.by, reason=asked.reason, plan_hash=seen)
            note_call(ledger, asked.job_id, f"decide {asked.decision}", setting)
        waiting = open_questions(ledger, job_id=asked.job_id)
    output = DecideAnswer(
        job_id=asked.job_id,
        recorded="approved" if asked.decision == "approve" else "denied",
        by=asked.by,
        sha256=sha256,
        waiting=[question_line(question) for question in waiting],
    )
    return Answer(output=output)


@document
class OperateQuestion:
    """A job that somebody wants to end, or the steps that dead workers hold."""

    action: Literal["cancel", "requeue"]
    """requeue puts back what workers hold that are known to be dead."""
    by: str
    """Who decides: a name."""
    reason: str
    """Why; kept with the job."""
    job_id: str = ""
    """The job to cancel."""


@document
class OperateAnswer:
    """What was done."""

    action: str
    by: str
    steps: int
    """Steps that were cancelled or put back."""
    running: int
    """Steps that run still: cancelled ones end when their workers hear of it, others wait for their lease."""
    left: list[str]
    """Why what was not put back stays where it is."""


def operate(asked: OperateQuestion, setting: Setting) -> Answer:
    """End a job, or put back what dead workers held."""
    if not asked.reason.strip():
        raise InputError("a decision needs a reason", place="reason", hint="it is kept with the job")
    with setting.open_ledger(looking=False) as ledger:
        if asked.action == "cancel":
            ledger.check_known(job_id=asked.job_id)
            with ledger.transaction():
                done = ledger.cancel(asked.job_id, Decider(made_by=asked.by, why=asked.reason))
                note_call(ledger, asked.job_id, "operate cancel", setting)
            steps, running, left = done.cancelled, done.running, list[str]()
        else:
            with ledger.transaction():
                put = requeue_dead(ledger, asked.by, why=f"{asked.reason} ({WHY})")
                for job_id in sorted({row.job_id for row in put.put_back}):
                    note_call(ledger, job_id, "operate requeue", setting)
            steps, running = put.expired + len(put.put_back), len(put.left)
            left = [f"{row.lease.worker_id} holds {row.lease.step_id}: {row.why}" for row in put.left]
    output = OperateAnswer(action=asked.action, by=asked.by, steps=steps, running=running, left=left)
    return Answer(output=output)


DECIDE = Operation(
    name="decide",
    summary="Approve or deny a posted plan or one of its steps, as a person, with a reason.",
    question=DecideQuestion,
    output=DecideAnswer,
    run=decide,
    right=Right.APPROVE,
    read_only=False,
    missing={
        COMMAND_LINE: "`cassette approve` and `cassette deny` do it there, and can sign it",
        MCP: "a person decides and not a model; ask_approval asks one",
    },
)
OPERATE = Operation(
    name="operate",
    summary="Cancel a job, or put back what dead workers held, with a name and a reason.",
    question=OperateQuestion,
    output=OperateAnswer,
    run=operate,
    right=Right.OPERATE,
    read_only=False,
    missing={
        COMMAND_LINE: "`cassette cancel` and `cassette requeue` do it there",
        MCP: "an operator decides and not a model",
    },
)
