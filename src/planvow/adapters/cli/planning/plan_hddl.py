"""`planvow plan DOMAIN.hddl PROBLEM.hddl`: find a plan and print it in the IPC-2020 format.

`planvow plan` sends files that end in `.hddl` here. `solve` gives out no plan that the independent verifier has not
accepted.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import typer

from planvow.adapters.cli.frame.output import failure_line, note, print_json, print_result
from planvow.adapters.machine.deadline import deadline
from planvow.adapters.machine.files import write_text
from planvow.adapters.machine.memory import memory_limit
from planvow.budgets import Budgets
from planvow.canonical import full_hash
from planvow.errors import EXIT_REFUSED, InputError, MemoryLimitError
from planvow.hddl.language.cost import plan_cost
from planvow.hddl.language.model import HddlProblem
from planvow.hddl.language.plan_format import format_plan
from planvow.hddl.parsing.files import load_problem
from planvow.hddl.solve.outcome import Outcome, Progress
from planvow.status import Status

_FIRST_PROGRESS = 10_000
_EXPLAINED_ITERATIONS = 20_000


def plan_hddl(
    domain_file: Path,
    problem_file: Path,
    *,
    plan_out: Path | None = None,
    as_json: bool = False,
    max_iterations: int | None = None,
    max_depth: int | None = None,
    max_seconds: float | None = None,
    max_memory_mb: int | None = None,
    search: str = "auto",
    certificate: Path | None = None,
    tree: bool = False,
    explain: bool = False,
) -> None:
    """Solve and print; exit 1 when there is no plan."""
    from planvow.hddl.solve.entry import solve

    if search not in ("auto", "lifted", "grounded"):
        raise InputError(f"expected auto, lifted or grounded, found {search!r}", place="--search")
    interrupt = deadline(max_seconds)
    limits = {"max_iterations": max_iterations, "max_depth": max_depth}
    budgets = Budgets(**{name: value for name, value in limits.items() if value is not None})
    with memory_limit(max_memory_mb):
        problem = load_problem(domain_file, problem_file)
    for remark in (*problem.domain.remarks, *problem.remarks):
        note(f"planvow: remark {remark}")
    try:
        with memory_limit(max_memory_mb):
            outcome = solve(
                problem.domain,
                problem,
                budgets=budgets,
                search=search,  # type: ignore[arg-type]
                interrupt=interrupt,
                progress=_report(),
            )
    except MemoryLimitError as error:
        outcome = Outcome(status=Status.INTERRUPTED, reason=error.message, search=search)
    text = None if outcome.plan is None else format_plan(outcome.plan)
    if text is not None and plan_out is not None:
        write_text(plan_out, text)
    told: Any = _kernel_result(problem, outcome) if certificate or tree or explain else None
    if outcome.plan is not None and certificate is not None:
        write_text(certificate, told.certificate().canonical_bytes().decode("utf-8") + "\n")
    if as_json:
        explanation = {"explanation": _explained(outcome, told)} if explain else {}
        print_json({**_record(problem, outcome, text), **explanation})
    else:
        _show(outcome, told.to_text() if tree and outcome.plan else text, plan_out)
        if text is None and not explain:
            note("  hint: --explain says how far the search came and what stopped it")
        if explain:
            print_result(_explanation_text(outcome, told))
    if not outcome.status.is_success:
        raise typer.Exit(EXIT_REFUSED)


def _kernel_result(problem: HddlProblem, outcome: Outcome) -> Any:
    """Return the kernel's view: it follows the plan that was found, or looks for itself what stands in the way."""
    from planvow.hddl.bind.binding import bind
    from planvow.hddl.bind.follow import follow
    from planvow.kernel.answer.planning import plan

    bound = bind(problem)
    if outcome.plan is not None:
        return follow(bound, outcome.plan)
    return plan(bound.domain, bound.state, bound.todo, budgets=Budgets(max_iterations=_EXPLAINED_ITERATIONS))


def _explained(outcome: Outcome, told: Any) -> dict[str, Any]:
    """Return the explanation as data; the answer in it is the solver's, whatever the kernel's own search came to."""
    is_success = outcome.status.is_success
    own = {"success": is_success, "status": outcome.status, "reason": told.reason if is_success else outcome.reason}
    return {**told.explain_plan(), **own}


def _explanation_text(outcome: Outcome, told: Any) -> str:
    if outcome.plan is not None:
        return str(told.explain_text())
    seen = str(told.explanation.text(solved=False))
    if told.hit is None:
        return seen
    limit = f"{_EXPLAINED_ITERATIONS:,}"
    return f"{seen}\n(This is what the first {limit} nodes of a plain search show; the answer does not rest on it.)"


def _show(outcome: Outcome, text: str | None, plan_out: Path | None) -> None:
    if text is None:
        print_result(failure_line(outcome))
    elif plan_out is None:
        print_result(text)
    else:
        print_result(f"{outcome.status}: {_length(outcome)}, verified, written to {plan_out}")
    if text is not None and plan_out is None:
        note(f"{outcome.status}: {_length(outcome)}, verified")


def _length(outcome: Outcome) -> str:
    count = len(outcome.plan.steps) if outcome.plan else 0
    return f"{count} action{'' if count == 1 else 's'}"


def _record(problem: HddlProblem, outcome: Outcome, text: str | None) -> dict[str, Any]:
    steps = outcome.plan.steps if outcome.plan else ()
    return {
        "status": outcome.status,
        "reason": outcome.reason,
        "domain": problem.domain.name,
        "problem": problem.name,
        "search": outcome.search,
        "actions": [[step.action, *step.arguments] for step in steps] if text is not None else None,
        "cost": plan_cost(problem, outcome.plan) if outcome.plan else None,
        "plan": text,
        "plan_hash": full_hash(text, tag="hddl-plan/1") if text is not None else None,
        "verified": text is not None,
        "statistics": dict(outcome.statistics),
        "budget": {"name": outcome.budget.budget, "limit": outcome.budget.limit} if outcome.budget else None,
    }


def _report() -> Callable[[Progress], None]:
    """Return a reporter that speaks at 10,000 expansions and at every doubling after that."""
    threshold = _FIRST_PROGRESS

    def report(progress: Progress) -> None:
        nonlocal threshold
        if progress.expansions >= threshold:
            best = "" if progress.best_heuristic is None else f", best estimate {progress.best_heuristic}"
            note(f"planvow: {progress.search}: {progress.expansions} expansions, depth {progress.depth}{best}")
            while threshold <= progress.expansions:
                threshold *= 2

    return report
