"""Whether a plan is right, by code that shares nothing with what made it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from planvow.errors import InputError, MissingExtraError
from planvow.hddl.language.model import HddlProblem
from planvow.hooks import hook
from planvow.service.declare.document import document
from planvow.service.declare.operation import Answer, Operation, Right
from planvow.service.declare.setting import Setting
from planvow.service.operations.hddl import read_problem
from planvow.verdict import Verdict

if TYPE_CHECKING:
    from planvow.kernel.search.problem import Problem


@document
class VerifyQuestion:
    """A certificate (itself or by the plan's hash), or an HDDL plan; and what to hold it against."""

    plan_hash: str = ""
    """A plan made here a moment ago: its certificate is checked."""
    certificate: dict[str, Any] | None = None
    """A certificate from elsewhere."""
    domain: str = ""
    """Python domain from list_planners: run commands and methods again."""
    request: dict[str, Any] | None = None
    """What was asked, to compare."""
    hddl_domain: str = ""
    hddl_problem: str = ""
    hddl_plan: str = ""
    """Plan in the IPC-2020 format, or a proof that there is none (JSON), with hddl_domain and hddl_problem."""
    replan: bool = False
    """Ask the planner again (certificates of contract plans)."""
    minizinc: bool = False
    """Ask the MiniZinc solver too."""


@document
class VerifyAnswer:
    """The verdict: whether it holds, to which level, and what that does not prove."""

    accepted: bool
    verdicts: list[dict[str, Any]]
    not_proved: list[str]
    level: str | None = None
    """consistent, faithful (it is what was asked) or re-executed."""
    fault: str | None = None
    """The first thing that is wrong."""
    unavailable: str | None = None
    """A checker that was asked for and is not installed."""


def verify(asked: VerifyQuestion, setting: Setting) -> Answer:
    """Check an HDDL plan, or a certificate as far as what was given allows."""
    if asked.hddl_plan:
        return _hddl(asked, setting)
    document = asked.certificate
    if asked.plan_hash:
        document = setting.shelf.read("certificate", asked.plan_hash)
    if document is None:
        raise InputError("there is nothing to verify", hint="give plan_hash, certificate, or hddl_plan with its texts")
    from planvow.contract.checking.check import check_certificate

    verdicts, missing = [check_certificate(document)], None
    if asked.minizinc:
        try:
            verdicts.append(hook("check_with_minizinc")(document))
        except MissingExtraError as error:  # said after what the others have to say
            missing = error
    if verdicts[0].accepted:
        verdicts += _further(document, asked, setting)
    return Answer(output=_told(verdicts, missing), whole=(verdicts, missing))


def _told(verdicts: list[Verdict], missing: MissingExtraError | None) -> VerifyAnswer:
    from planvow.contract.checking.verdict import LEVELS, still_unproved

    accepted = all(verdict.accepted for verdict in verdicts)
    reached = [level for level in LEVELS if any(v.level == level for v in verdicts)] if accepted else []
    faults = [str(verdict.fault) for verdict in verdicts if verdict.fault is not None]
    return VerifyAnswer(
        accepted=accepted,
        level=reached[-1] if reached else None,
        not_proved=list(still_unproved(verdicts)) if accepted else [],
        verdicts=[verdict.as_dict() for verdict in verdicts],
        fault=faults[0] if faults else None,
        unavailable=None if missing is None else missing.message,
    )


def _hddl(asked: VerifyQuestion, setting: Setting) -> Answer:
    from planvow.hddl.verify.verifier import verify_text

    problem = read_problem(setting, asked.hddl_domain, asked.hddl_problem)
    place = setting.called.get("plan", "plan")
    if asked.hddl_plan.lstrip().startswith("{"):
        verdict = _proof(problem, asked.hddl_plan, place)
    else:
        verdict = verify_text(problem, asked.hddl_plan, file=place)
    fault = None if verdict.fault is None else str(verdict.fault)
    output = VerifyAnswer(accepted=verdict.accepted, verdicts=[verdict.as_dict()], not_proved=[], fault=fault)
    return Answer(output=output, whole=([verdict], None))


def _proof(problem: HddlProblem, text: str, place: str) -> Verdict:
    from planvow.hddl.verify.no_plan import check_no_plan

    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"expected a plan in the IPC format or a JSON document: {error}", place=place) from None
    return check_no_plan(problem, document)


def _further(document: Any, asked: VerifyQuestion, setting: Setting) -> list[Verdict]:
    found: list[Verdict] = []
    if asked.request is not None:
        from planvow.contract.certificate.faithful import check_against_request

        found.append(check_against_request(document, asked.request))
    if asked.domain or asked.hddl_domain:
        found += _against_domain(document, asked, setting)
    if asked.replan:
        from planvow.contract.certificate.of_contract import check_by_asking
        from planvow.contract.planners.llm import ModelPlanner
        from planvow.service.common.asked_planners import asked_planner

        if document.get("kind") != "contract":
            hint = "--domain MODULE.py runs its commands and methods again"
            raise InputError("this certificate's plan did not go through the contract", place="--replan", hint=hint)
        planner = asked_planner(setting, document["planner"]["id"])
        if isinstance(planner, ModelPlanner):
            hint = "a recording is replayed without the model: planvow replay FILE"
            raise InputError(
                "a model would have to be asked, and a check calls no service", place="--replan", hint=hint
            )
        found.append(check_by_asking(document, planner))
    return found


def _against_domain(document: Any, asked: VerifyQuestion, setting: Setting) -> list[Verdict]:
    """Run everything again; with a problem, see first that it is what was asked."""
    from planvow.contract.certificate.faithful import check_against_problem
    from planvow.contract.certificate.reexecute import check_by_running
    from planvow.kernel.search.problem import Problem, make_problem
    from planvow.service.common import domains

    if asked.hddl_domain:
        from planvow.hddl.bind.binding import bind

        bound = bind(read_problem(setting, asked.hddl_domain, asked.hddl_problem))
        problem = make_problem(bound.domain, bound.state, bound.todo)
    else:
        known = domains.find(setting, asked.domain)
        if not isinstance(known, Problem):
            return [check_by_running(document, known)]
        problem = _as_asked(known, asked, setting)
    faithful = check_against_problem(document, problem)
    return [faithful, check_by_running(document, problem.domain, problem)] if faithful.accepted else [faithful]


def _as_asked(known: Problem, asked: VerifyQuestion, setting: Setting) -> Problem:
    """A plan made here is held against the question that it was made for."""
    if not asked.plan_hash or not setting.shelf.knows("question", asked.plan_hash):
        return known
    question = setting.shelf.read("question", asked.plan_hash)
    from planvow.service.common import domains

    limits = {name: question.get(name) for name in ("max_iterations", "max_depth")}
    return domains.asked_problem(setting, asked.domain, question.get("goal", ""), question.get("facts"), **limits)


VERIFY = Operation(
    name="verify",
    summary="Check a plan or certificate with code that shares nothing with the planner.",
    question=VerifyQuestion,
    output=VerifyAnswer,
    run=verify,
    right=Right.READ,
    advanced=frozenset(("minizinc", "request")),
    commands=("planvow verify",),
)
