"""What a person decides about a posted plan: approve, deny, cancel, put back, repair; each with a name and a reason."""

from __future__ import annotations

from typing import Any, Literal

from planvow.agent.record.jobs import INTENT
from planvow.agent.record.wanted import want_repair
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
    """A job that somebody wants to end or to have repaired, or the steps that dead workers hold."""

    action: Literal["cancel", "requeue", "repair"]
    """requeue puts back what workers hold that are known to be dead; repair lets the agent plan the rest anew."""
    by: str
    """Who decides: a name."""
    reason: str
    """Why; kept with the job."""
    job_id: str = ""
    """The job to cancel, or any job of the agent's run to repair."""
    observed: dict[str, Any] | None = None
    """For a repair: what is the case now, as somebody saw it: {"open": {"shop": true}}."""


@document
class OperateAnswer:
    """What was done."""

    action: str
    by: str
    steps: int
    """Steps that were cancelled or put back, or that a repair plans anew."""
    running: int
    """Steps that run still: cancelled ones end when their workers hear of it, others wait for their lease."""
    left: list[str]
    """Why what was not put back stays where it is."""
    sha256: str = ""
    """Of a repair: the hash of the note that asks for it; who pursues the run next takes it up."""


def operate(asked: OperateQuestion, setting: Setting) -> Answer:
    """End a job, put back what dead workers held, or ask for a repair."""
    if not asked.reason.strip():
        raise InputError("a decision needs a reason", place="reason", hint="it is kept with the job")
    with setting.open_ledger(looking=False) as ledger, ledger.transaction():
        done = _DONE[asked.action](asked, ledger, setting)
    return Answer(output=OperateAnswer(action=asked.action, by=asked.by, **done))


def _cancelled(asked: OperateQuestion, ledger: Any, setting: Setting) -> dict[str, Any]:
    ledger.check_known(job_id=asked.job_id)
    done = ledger.cancel(asked.job_id, Decider(made_by=asked.by, why=asked.reason))
    note_call(ledger, asked.job_id, "operate cancel", setting)
    return {"steps": done.cancelled, "running": done.running, "left": []}


def _put_back(asked: OperateQuestion, ledger: Any, setting: Setting) -> dict[str, Any]:
    put = requeue_dead(ledger, asked.by, why=f"{asked.reason} ({WHY})")
    for job_id in dict.fromkeys(row.job_id for row in put.put_back):
        note_call(ledger, job_id, "operate requeue", setting)
    left = [f"{row.lease.worker_id} holds {row.lease.step_id}: {row.why}" for row in put.left]
    return {"steps": put.expired + len(put.put_back), "running": len(put.left), "left": left}


def _repair_asked(asked: OperateQuestion, ledger: Any, setting: Setting) -> dict[str, Any]:
    """Planning the rest takes the agent's code, and going on its tools: who has them takes the note up."""
    ledger.check_known(job_id=asked.job_id)
    job = ledger.job(asked.job_id)
    if job.intent != INTENT:
        hint = "who planned it posts what replaces the rest: post_plan, or planvow cassette post"
        raise InputError("this plan was posted by a planner and not by an agent", place="job_id", hint=hint)
    sha256 = want_repair(ledger, job.run_id, by=asked.by, reason=asked.reason, observed=asked.observed)
    last = ledger.jobs(run_id=job.run_id)[-1].job_id
    note_call(ledger, last, "operate repair", setting)
    open_steps = [step for step in ledger.steps(last) if step.status in ("PENDING", "LEASED")]
    running = sum(step.status == "LEASED" for step in open_steps)
    return {"steps": len(open_steps) - running, "running": running, "left": [], "sha256": sha256}


_DONE = {"cancel": _cancelled, "requeue": _put_back, "repair": _repair_asked}


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
    summary="Cancel a job, put back what dead workers held, or ask for a repair, with a name and a reason.",
    question=OperateQuestion,
    output=OperateAnswer,
    run=operate,
    right=Right.OPERATE,
    read_only=False,
    missing={
        COMMAND_LINE: "`cassette cancel`, `cassette requeue` and `agent repair` do it there",
        MCP: "an operator decides and not a model",
    },
)
