"""`planvow plan DOMAIN.hddl PROBLEM.hddl`: find a plan and print it in the IPC-2020 format.

`planvow plan` sends files that end in `.hddl` here. `solve` gives out no plan that the independent verifier has not
accepted.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from planvow.adapters.cli.frame import typer_later as typer
from planvow.adapters.cli.frame.output import failure_line, note, print_document, print_json, print_result
from planvow.adapters.machine.deadline import deadline
from planvow.adapters.machine.files import write_text
from planvow.adapters.machine.memory import memory_limit
from planvow.canonical import canonical_json
from planvow.errors import EXIT_REFUSED, InputError
from planvow.hddl.language.plan_format import format_plan
from planvow.hddl.parsing.files import read_file
from planvow.hddl.solve.entry import SEARCHES
from planvow.hddl.solve.outcome import Outcome
from planvow.service.common.hddl_view import NOT_CERTIFIED, drawn, explained, explanation_text, kernel_result
from planvow.service.declare.setting import Setting
from planvow.service.operations.hddl import SOLVE_HDDL, HddlAnswer, HddlQuestion

_FIRST_PROGRESS = 10_000
_MADE_BETWEEN_COLLECTIONS = 10_000
"""A search keeps nearly all it makes: looking for garbage every few hundred objects is a tenth of its time."""


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
    improve: int | None = None,
    certificate: Path | None = None,
    tree: bool = False,
    explain: bool = False,
    html: Path | None = None,
) -> None:
    """Solve and print; exit 1 when there is no plan."""
    if search not in SEARCHES:
        raise InputError(f"expected auto, lifted, grounded or sat, found {search!r}", place="--search")
    gc.set_threshold(_MADE_BETWEEN_COLLECTIONS)  # this process is the command's own; `solve` changes nothing of it
    late = deadline(max_seconds)  # one moment for everything, the explanation included
    with memory_limit(max_memory_mb):
        asked = HddlQuestion(
            domain=read_file(domain_file),
            problem=read_file(problem_file),
            search=search,
            improve=improve,
            max_iterations=max_iterations,
            max_depth=max_depth,
            prove=certificate is not None or html is not None,
        )
    setting = Setting(
        called={"domain": str(domain_file), "problem": str(problem_file)},
        interrupt=late,
        limited=partial(memory_limit, max_memory_mb),
        progress=_report(),
    )
    made = SOLVE_HDDL(asked, setting)
    problem, outcome = made.whole
    for remark in made.output.remarks or ():
        note(f"planvow: remark {remark}")
    text = None if outcome.plan is None else format_plan(outcome.plan)
    if text is not None and plan_out is not None:
        write_text(plan_out, text)
    told: Any = None
    if outcome.plan is not None and (certificate or html):
        with memory_limit(max_memory_mb):
            told = kernel_result(problem, outcome, late)
    if outcome.plan is not None and certificate is not None:
        write_text(certificate, told.certificate().canonical_bytes().decode("utf-8") + "\n")
    proof = made.output.statistics.get("proof_hash")
    proved = None if proof is None else setting.shelf.read("certificate", proof)
    if proved is not None and certificate is not None:
        write_text(certificate, canonical_json(proved) + "\n")
    if html is not None and problem is not None:
        from planvow.adapters.cli.planning.plan_html import write_hddl_report

        write_hddl_report(html, problem, outcome, told, proved, late)
        note(f"planvow: wrote {html}")
    wants_words = explain and problem is not None
    if as_json:
        explanation = {"explanation": explained(problem, outcome, told, late)} if wants_words else {}
        print_json({**_record(made.output), **explanation})
    else:
        shown = drawn(problem, outcome) if tree and problem is not None else text
        _show(outcome, shown, plan_out, print_result if tree else print_document)
        if text is None and not explain:
            note("  hint: --explain says how far the search came and what stopped it")
        if proof is not None and certificate is not None:
            note(f"planvow: wrote a proof that there is none to {certificate}")
        elif proof is None and "certified" in made.output.statistics:
            note(f"planvow: {NOT_CERTIFIED}")
        if wants_words:
            print_result(explanation_text(problem, outcome, told, late))
    if not outcome.status.is_success:
        raise typer.Exit(EXIT_REFUSED)


def _show(outcome: Outcome, text: str | None, plan_out: Path | None, write: Callable[[str], None]) -> None:
    if text is None:
        print_result(failure_line(outcome))
    elif plan_out is None:
        write(text)
    else:
        print_result(f"{outcome.status}: {_length(outcome)}, verified, written to {plan_out}")
    if text is not None and plan_out is None:
        note(f"{outcome.status}: {_length(outcome)}, verified")


def _length(outcome: Outcome) -> str:
    count = len(outcome.plan.steps) if outcome.plan else 0
    return f"{count} action{'' if count == 1 else 's'}"


def _record(output: HddlAnswer) -> dict[str, Any]:
    told = {name: value for name, value in vars(output).items() if name not in ("remarks", "refusal", "hddl_plan_hash")}
    return {**told, "plan_hash": output.hddl_plan_hash}


def _report() -> Callable[[float, str], None]:
    """Return a reporter that speaks at 10,000 expansions and at every doubling after that."""
    threshold = _FIRST_PROGRESS

    def report(expansions: float, words: str) -> None:
        nonlocal threshold
        if expansions >= threshold:
            note(f"planvow: {words}")
            while threshold <= expansions:
                threshold *= 2

    return report
