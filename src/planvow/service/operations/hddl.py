"""HDDL problems: solved with a verified plan, or proved to have none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from planvow.budgets import Budgets, Deadline, Interrupted
from planvow.canonical import full_hash
from planvow.contract.plan.hddl_steps import VERSION, plan_steps
from planvow.contract.plan.normalise import document_hash
from planvow.errors import MemoryLimitError
from planvow.hddl.language.cost import plan_cost
from planvow.hddl.language.model import HddlProblem
from planvow.hddl.language.plan_format import format_plan
from planvow.hddl.parsing.text import parse_domain, parse_problem
from planvow.hddl.solve.entry import Search, solve
from planvow.hddl.solve.outcome import Outcome, Progress, interrupted_outcome
from planvow.service.common.findings import documents_of, refusal_for
from planvow.service.common.hddl_view import kernel_result
from planvow.service.declare.document import Refusal, document
from planvow.service.declare.operation import Answer, Operation, Right
from planvow.service.declare.setting import Setting
from planvow.spans import span
from planvow.status import Status


@document
class HddlQuestion:
    """An HDDL domain and a problem, as text."""

    domain: str
    """Text of the HDDL domain."""
    problem: str
    """Text of the HDDL problem."""
    search: Search = "auto"
    """`sat` needs the extra `[sat]` and a totally ordered problem; `auto` never uses it."""
    improve: int | None = None
    """Effort for a better plan (by `:metric`, else shorter) once there is one; 0 keeps the first."""
    max_iterations: int | None = None
    max_depth: int | None = None
    max_seconds: float | None = None
    prove: bool = False
    """Where there is no plan, also prove it: statistics say `certified` and `proof_hash` (read certificate://HASH)."""


@document
class HddlAnswer:
    """A verified plan, the proof that there is none, or the limit that was reached."""

    status: str
    reason: str
    domain: str
    problem: str
    search: str
    verified: bool
    statistics: dict[str, Any]
    actions: list[list[str]] | None = None
    cost: float | None = None
    plan: str | None = None
    """The plan in the IPC-2020 format, with its decomposition."""
    hddl_plan_hash: str | None = None
    plan_hash: str | None = None
    """Read plan://HASH and certificate://HASH."""
    budget: dict[str, Any] | None = None
    remarks: list[str] | None = None
    refusal: Refusal | None = None


def read_problem(setting: Setting, domain: str, problem: str, deadline: Deadline | None = None) -> HddlProblem:
    """Read the texts of a domain and a problem; messages call them as the setting does."""
    named = setting.called
    read = parse_domain(domain, file=named.get("domain", "domain"), deadline=deadline)
    return parse_problem(problem, read, file=named.get("problem", "problem"), deadline=deadline)


def solve_hddl(asked: HddlQuestion, setting: Setting) -> Answer:
    """Search for a plan; none is given out that the independent verifier has not accepted."""
    interrupt = setting.deadline(asked.max_seconds)
    limits = {"max_iterations": asked.max_iterations, "max_depth": asked.max_depth}
    budgets = Budgets(**{name: value for name, value in limits.items() if value is not None})
    reading = Deadline(interrupt)
    reading.doing = "the files were read"
    try:
        with setting.limited(), span("read"):
            problem = read_problem(setting, asked.domain, asked.problem, reading)
    except Interrupted as interrupted:
        return _unread(interrupted_outcome(str(interrupted)))
    told: Callable[[Progress], None] | None = None
    if setting.progress is not None:
        told = _teller(setting.progress)
    try:
        with setting.limited(), span("search"):
            outcome = solve(
                problem.domain,
                problem,
                budgets=budgets,
                search=asked.search,
                improve=asked.improve,
                interrupt=interrupt,
                progress=told,
            )
    except MemoryLimitError as error:
        outcome = Outcome(status=Status.INTERRUPTED, reason=error.message, search=asked.search)
    if outcome.status is Status.NO_PLAN and asked.prove:
        return _proved(_answer(problem, outcome), _proof(problem, setting, interrupt))
    return _answer(problem, outcome)


def _proved(answer: Answer, proof: dict[str, Any] | None) -> Answer:
    """Return an answer that says whether it is certified, and by which document."""
    told = {"certified": proof is not None, **({} if proof is None else {"proof_hash": proof["hash"]})}
    output = replace(answer.output, statistics={**answer.output.statistics, **told})
    documents = {} if proof is None else {("certificate", proof["hash"]): lambda: proof}
    return Answer(output=output, whole=answer.whole, documents=documents)


def _proof(problem: HddlProblem, setting: Setting, interrupt: Callable[[], bool] | None) -> dict[str, Any] | None:
    """Return a proof that there is no plan; None when it would be too large, or time or memory ran out before."""
    from planvow.hddl.solve.no_plan import prove_no_plan

    try:
        with setting.limited():
            return prove_no_plan(problem, interrupt)
    except (Interrupted, MemoryLimitError):
        return None


def _teller(tell: Callable[[float, str], None]) -> Callable[[Progress], None]:
    def told(seen: Progress) -> None:
        best = "" if seen.best_heuristic is None else f", best estimate {seen.best_heuristic}"
        tell(seen.expansions, f"{seen.search}: {seen.expansions} expansions, depth {seen.depth}{best}")

    return told


def _answer(problem: HddlProblem, outcome: Outcome) -> Answer:
    text = None if outcome.plan is None else format_plan(outcome.plan)
    documents, name, refusal = {}, None, None
    if outcome.plan is not None:
        plan = {"steps": plan_steps(problem, outcome.plan)}
        name = document_hash(plan)
        certify: Callable[[], Any] = lambda: kernel_result(problem, outcome).certificate().document  # noqa: E731
        documents = documents_of(plan, ("hddl", VERSION), certify, {"hddl": problem.name})
    else:
        refusal = refusal_for(outcome.status, outcome.reason, _change(outcome.status))
    steps = outcome.plan.steps if outcome.plan else ()
    output = HddlAnswer(
        status=outcome.status.value,
        reason=outcome.reason,
        domain=problem.domain.name,
        problem=problem.name,
        search=outcome.search,
        actions=[[step.action, *step.arguments] for step in steps] if text is not None else None,
        cost=plan_cost(problem, outcome.plan) if outcome.plan else None,
        plan=text,
        hddl_plan_hash=full_hash(text, tag="hddl-plan/1") if text is not None else None,
        plan_hash=name,
        verified=text is not None,
        statistics=dict(outcome.statistics),
        budget={"name": outcome.budget.budget, "limit": outcome.budget.limit} if outcome.budget else None,
        remarks=[str(remark) for remark in (*problem.domain.remarks, *problem.remarks)] or None,
        refusal=refusal,
    )
    return Answer(output=output, whole=(problem, outcome), documents=documents)


def _unread(outcome: Outcome) -> Answer:
    """Return the answer about texts that nobody waited for."""
    output = HddlAnswer(
        status=outcome.status.value,
        reason=outcome.reason,
        domain="",
        problem="",
        search="",
        verified=False,
        statistics={},
        refusal=refusal_for(outcome.status, outcome.reason, _change(outcome.status)),
    )
    return Answer(output=output, whole=(None, outcome))


def _change(status: Status) -> str:
    if status is Status.NO_PLAN:
        return "the problem or the domain: it is proved that no decomposition works"
    if status is Status.BUDGET_EXCEEDED:
        return "raise max_iterations or max_depth, or try search=grounded or search=lifted"
    return "ask again with more time"


SOLVE_HDDL = Operation(
    name="solve_hddl",
    summary="Solve an HDDL problem given as text; the plan is verified, 'no_plan' is a proof.",
    question=HddlQuestion,
    output=HddlAnswer,
    run=solve_hddl,
    right=Right.PLAN,
    is_long=True,
    commands=("planvow plan",),
)
