"""`cassette approvals`, `approve`, `deny`: what waits for a person, and the person's answer."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

from planvow.adapters.cli.frame import typer_later as typer
from planvow.adapters.cli.frame.output import note, print_json, print_result
from planvow.adapters.cli.frame.table import Column, table, terminal_width
from planvow.adapters.cli.ledger.moments import moment_text
from planvow.adapters.cli.ledger.status import REFRESH_SECONDS
from planvow.adapters.cli.options.ledger import AsJson, RepoRoot, StoreLocation, looked_at, opened
from planvow.adapters.cli.options.working_tree import HERE
from planvow.cassette.dossier.approvals import Question, approve, deny, open_questions
from planvow.cassette.dossier.decisions import Decision, approvals_of, decisions_after
from planvow.cassette.ledger.store import Store
from planvow.cassette.signing.dsse import Signer

JobId = Annotated[str, typer.Argument(metavar="JOB", help="Job that is decided about.")]
StepId = Annotated[str | None, typer.Option("--step", help="Step id; without it the plan as a whole.")]
By = Annotated[str, typer.Option("--by", help="Who decides: the person's name.")]
PlanHash = Annotated[
    str | None, typer.Option("--plan-hash", help="Hash of the plan that was looked at; another plan is refused.")
]
COLUMNS = (
    Column(name="job", is_id=True),
    Column(name="run", weight=2),
    Column(name="step"),
    Column(name="op", weight=1),
    Column(name="since", weight=4),
    Column(name="plan", weight=3),
    Column(name="why"),
)
PrivateKey = Annotated[Path | None, typer.Option("--key", help="Private key (PEM) to sign the decision with.")]


def approvals(
    run_id: Annotated[str | None, typer.Option("--run-id", help="Only this run.")] = None,
    job_id: Annotated[str | None, typer.Option("--job-id", help="Only this job, with what was decided so far.")] = None,
    watch: Annotated[bool, typer.Option("--watch", help="Print decisions as they come, one a line.")] = False,
    repo_root: RepoRoot = HERE,
    store: StoreLocation = None,
    as_json: AsJson = False,
) -> None:
    """Show which plans and steps wait for a person, and why."""
    with looked_at(repo_root, store) as ledger:
        ledger.check_known(run_id=run_id, job_id=job_id)
        if watch:
            _watch(ledger, as_json)
            return
        waiting = open_questions(ledger, run_id=run_id, job_id=job_id)
        decided = approvals_of(ledger, job_id) if job_id is not None else ()
    if as_json:
        history = {"decisions": [vars(one) for one in decided]} if job_id is not None else {}
        print_json({"waiting": [vars(question) for question in waiting], **history})
        return
    print_result(_waiting(waiting))
    if decided:
        print_result("\n" + "\n".join(map(_sentence, decided)))


def approve_command(
    job: JobId,
    by: By,
    step: StepId = None,
    why: Annotated[str, typer.Option("--note", help="A word on why, for those who read it later.")] = "",
    expires_in: Annotated[
        float | None, typer.Option("--expires-in", min=1, help="Seconds after which it must have begun.")
    ] = None,
    plan_hash: PlanHash = None,
    key: PrivateKey = None,
    repo_root: RepoRoot = HERE,
    store: StoreLocation = None,
    as_json: AsJson = False,
) -> None:
    """Let a plan or a step run. The approval holds for this plan and this step only."""
    signer = _signer(key)
    with opened(repo_root, store) as ledger:
        until = None if expires_in is None else ledger.now_ms() + int(expires_in * 1000)
        sha256 = approve(ledger, job, step, by=by, note=why, expires_at=until, plan_hash=plan_hash, signer=signer)
        left = open_questions(ledger, job_id=job)
    _say("approved", job, step, by, sha256, left, signed=signer is not None, as_json=as_json)


def deny_command(
    job: JobId,
    by: By,
    reason: Annotated[str, typer.Option("--reason", help="Why not; a repair is made with it.")],
    step: StepId = None,
    plan_hash: PlanHash = None,
    key: PrivateKey = None,
    repo_root: RepoRoot = HERE,
    store: StoreLocation = None,
    as_json: AsJson = False,
) -> None:
    """Keep a plan or a step from running. It fails with the reason, before it has begun."""
    signer = _signer(key)
    with opened(repo_root, store) as ledger:
        sha256 = deny(ledger, job, step, by=by, reason=reason, plan_hash=plan_hash, signer=signer)
        left = open_questions(ledger, job_id=job)
    _say("denied", job, step, by, sha256, left, signed=signer is not None, as_json=as_json)


def _say(
    word: str,
    job: str,
    step: str | None,
    by: str,
    sha256: str,
    left: tuple[Question, ...],
    *,
    signed: bool,
    as_json: bool,
) -> None:
    if as_json:
        print_json({"decision": word, "job_id": job, "step_id": step, "by": by, "sha256": sha256, "waiting": len(left)})
        return
    what = "the plan" if step is None else f"step {step}"
    print_result(f"{word} {what} of {job} by {by}: {sha256[:16]}")
    if left:
        note(f"{len(left)} more wait in this job: cassette approvals --job-id {job}")
    if not signed:
        note("unsigned: that it was you is your word; sign with --key where others must be sure")


def _waiting(questions: tuple[Question, ...]) -> str:
    if not questions:
        return "nothing waits for a person"
    rows = [
        (
            question.job_id,
            question.run_id,
            question.step_id or "(plan)",
            question.op or "·",
            moment_text(question.at),
            question.plan_hash[:16],
            question.reason,
        )
        for question in questions
    ]
    return table(COLUMNS, rows, terminal_width())


def _watch(ledger: Store, as_json: bool) -> None:
    """Print what was decided so far and what comes, until stopped."""
    seen = 0
    while True:
        for decision in decisions_after(ledger, seen):
            seen = decision.seq
            if as_json:
                print_json(vars(decision))
            else:
                print_result(f"{decision.job_id} {_sentence(decision)}")
        time.sleep(REFRESH_SECONDS)


def _sentence(decision: Decision) -> str:
    what = "plan" if decision.step_id is None else f"step {decision.step_id}"
    who = f" by {decision.by}" if decision.by else ""
    via = f" through the login {decision.login}" if decision.login else ""
    until = f", until {moment_text(decision.expires_at)}" if decision.expires_at is not None else ""
    signed = ", signed" if decision.signed else ""
    why = f": {decision.reason}" if decision.reason else ""
    return f"{moment_text(decision.at)} {decision.kind.value} of {what}{who}{via}{until}{signed}{why}"


def _signer(path: Path | None) -> Signer | None:
    if path is None:
        return None
    from planvow.adapters.checkers.signing import load_signer

    return load_signer(path)
