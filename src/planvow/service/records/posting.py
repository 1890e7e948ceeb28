"""Handing a plan to workers, and asking for the approval it waits for. Nothing here executes anything."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from planvow.canonical import content_hash
from planvow.cassette.dossier.approvals import approve, deny, open_questions
from planvow.cassette.dossier.model import Dossier, Needs
from planvow.cassette.dossier.observe import observe
from planvow.cassette.dossier.post import store_plan_with_dossier
from planvow.cassette.errors import CassetteError
from planvow.cassette.jobs.from_contract import stored_plan
from planvow.cassette.ledger.model import Source
from planvow.contract.plan.normalise import document_hash, read_plan
from planvow.contract.plan.plan import build_plan
from planvow.errors import InputError
from planvow.service.declare.document import document
from planvow.service.declare.errors import RightMissingError, UnknownDocumentError
from planvow.service.declare.operation import COMMAND_LINE, HTTP, Answer, Operation, Right
from planvow.service.declare.setting import Setting
from planvow.service.records.audit import note_call
from planvow.service.records.runs import QuestionLine, question_line

UNAUTHENTICATED = "unauthenticated"
"""Who approved, where nobody knows: the client of the agent that planned may answer for itself."""
ANY = "*"


@document
class PostQuestion:
    """A plan and the run it belongs to."""

    run_id: str
    """Name of the run; several plans may belong to one."""
    plan_hash: str = ""
    """A plan made here."""
    plan: dict[str, Any] | None = None
    """A plan from elsewhere (schema://plan)."""
    why: str = ""
    """What it is for, kept with it."""
    approval: str = "posted by a planning agent"
    """Why a person must agree before it runs; empty: nobody must."""
    idempotency_key: str = ""
    """The same key posts once; default: the plan's hash."""


@document
class PostAnswer:
    """Where the plan is now."""

    job_id: str
    run_id: str
    plan_hash: str
    step_ids: list[str]
    created: bool
    """Whether it is new; false if it was posted before."""
    waiting: list[QuestionLine]
    """What a person must approve first."""


def post_plan(asked: PostQuestion, setting: Setting) -> Answer:
    """Store a plan for workers, with what must be approved first."""
    held = _named_plan(asked, setting) if asked.plan_hash else asked.plan
    if held is None:
        raise InputError("there is no plan to post", place="plan_hash", hint="give plan_hash or plan")
    brought = held.get("plan", held)
    try:
        plan = build_plan(brought)
    except (KeyError, TypeError, ValueError, AttributeError):
        plan = read_plan(brought)  # it says every problem
    told = {**plan.metadata, **held}
    request = {"plan_hash": document_hash(plan.as_dict()), "why": asked.why, "posted_by": setting.client or "somebody"}
    stored = stored_plan(
        plan,
        planner_id=str(told.get("planner") or "unknown"),
        planner_version=str(told.get("planner_version") or "0"),
        request_id=f"{asked.run_id}-{content_hash([request, asked.idempotency_key])[:12]}",
    )
    needs = Needs(plan=asked.approval) if asked.approval.strip() else Needs()
    if not needs.plan and not setting.knows_callers and not _all_accepted((step.op for step in stored.steps), setting):
        hint = "leave approval out; whoever starts the server decides otherwise (--accept-unauthenticated OPERATION)"
        raise RightMissingError("a plan that is posted here waits for a person", place="approval", hint=hint)
    with setting.open_ledger(looking=False, must_exist=False) as ledger:
        with ledger.transaction():
            posted = store_plan_with_dossier(
                ledger,
                asked.run_id,
                stored,
                Dossier(asked={"why": asked.why, "posted_by": request["posted_by"]}),
                payload=request,
                idempotency_key=asked.idempotency_key or stored.plan_hash,
                source=Source.PLANNER,
                needs_approval=needs,
            )
            if posted.created:
                note_call(ledger, posted.job_id, "post_plan", setting)
        waiting = open_questions(ledger, job_id=posted.job_id)
        if not posted.created:
            with suppress(CassetteError):  # what is in an archive by now takes no more notes
                note_call(ledger, posted.job_id, "post_plan", setting)
    output = PostAnswer(
        job_id=posted.job_id,
        run_id=asked.run_id,
        plan_hash=posted.plan_hash,
        step_ids=list(posted.step_ids),
        created=posted.created,
        waiting=[question_line(question) for question in waiting],
    )
    return Answer(output=output, whole=posted)


def _named_plan(asked: PostQuestion, setting: Setting) -> Any:
    """Return the plan of a hash: made here, or posted before in the same run by a program that has ended since."""
    try:
        return setting.shelf.read("plan", asked.plan_hash)
    except UnknownDocumentError:
        try:
            with setting.open_ledger() as ledger:
                found = [plan for plan in ledger.plans(run_id=asked.run_id) if plan.plan_hash == asked.plan_hash]
        except CassetteError:  # no ledger yet, or no such run
            found = []
        if not found:
            raise
        first = found[0]
        return {"plan": first.plan, "planner": first.planner_id, "planner_version": first.planner_version}


@document
class ApprovalQuestion:
    """A job that waits for a person, and what the person answered."""

    job_id: str
    step_id: str = ""
    """One step; empty: the plan as a whole."""
    answer: str = ""
    """What the person said; filled in by the way in that asked."""


@document
class ApprovalAnswer:
    """What was recorded, and whether the plan may go on."""

    job_id: str
    recorded: str
    """approved, denied, or noted (the policy asks for more than this answer)"""
    by: str
    satisfied: bool
    """Whether nothing of the job waits for a person any more."""
    waiting: list[QuestionLine]
    change: str = ""
    """What has to happen now."""


def questions(setting: Setting, job_id: str) -> list[QuestionLine]:
    """Return what of a job waits for a person: what is put before somebody who is asked."""
    with setting.open_ledger() as ledger:
        ledger.check_known(job_id=job_id)
        return [question_line(question) for question in open_questions(ledger, job_id=job_id)]


def answer_approval(asked: ApprovalQuestion, setting: Setting) -> Answer:
    """Record an answer of which nobody knows who gave it; it satisfies a question only where the policy says so."""
    who = f"{UNAUTHENTICATED}: {setting.client or 'a client'}"[:200]
    step_id = asked.step_id or None
    with setting.open_ledger(looking=False) as ledger:
        ledger.check_known(job_id=asked.job_id)
        if asked.answer not in ("yes", "no"):
            raise InputError("nobody has answered", place="answer", hint="ask a person, then say yes or no")
        allowed = asked.answer == "yes" and _is_accepted(ledger, asked.job_id, step_id, setting)
        if asked.answer == "no":
            deny(ledger, asked.job_id, step_id, by=who, reason="denied when asked")
            recorded = "denied"
        elif allowed:
            approve(ledger, asked.job_id, step_id, by=who, note="answered through the client")
            recorded = "approved"
        else:
            said = {"approval": UNAUTHENTICATED, "answer": asked.answer, "by": who, "step_id": step_id}
            observe(ledger, asked.job_id, step_id, said)
            recorded = "noted"
        note_call(ledger, asked.job_id, "ask_approval", setting)
        waiting = open_questions(ledger, job_id=asked.job_id)
    change = ""
    if recorded == "noted":
        change = f"a person decides with: planvow cassette approve {asked.job_id} --by NAME"
    output = ApprovalAnswer(
        job_id=asked.job_id,
        recorded=recorded,
        by=who,
        satisfied=recorded != "denied" and not waiting,
        waiting=[question_line(question) for question in waiting],
        change=change,
    )
    return Answer(output=output)


def _is_accepted(ledger: Any, job_id: str, step_id: str | None, setting: Setting) -> bool:
    """Say whether an answer from anybody is enough: for every operation that it would let run."""
    steps = [state for state in ledger.steps(job_id) if step_id in (None, state.step_id)]
    return _all_accepted((state.op for state in steps), setting)


def _all_accepted(operations: Iterable[str], setting: Setting) -> bool:
    accepted = setting.accepts_unauthenticated
    return ANY in accepted or accepted.issuperset(operations)


POST_PLAN = Operation(
    name="post_plan",
    summary="Store a plan in the ledger for workers to run; it waits for approval unless told otherwise.",
    question=PostQuestion,
    output=PostAnswer,
    run=post_plan,
    right=Right.OPERATE,
    read_only=False,
    commands=("cassette post",),
)
ASK_APPROVAL = Operation(
    name="ask_approval",
    summary="Ask the user, through the client, to approve a posted plan; recorded as unauthenticated.",
    question=ApprovalQuestion,
    output=ApprovalAnswer,
    run=answer_approval,
    right=Right.APPROVE,
    read_only=False,
    missing={
        COMMAND_LINE: "a person at the command line decides with `cassette approve` and `cassette deny`",
        HTTP: "it asks back through an agent's client, which HTTP callers do not have",
    },
)
