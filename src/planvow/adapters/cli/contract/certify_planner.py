"""`planvow certify-planner TARGET`: does a planner keep the contract? A report that can be published."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from planvow.adapters.cli.contract.default_questions import default_questions
from planvow.adapters.cli.frame import typer_later as typer
from planvow.adapters.cli.frame.lazy import examples
from planvow.adapters.cli.frame.output import note, print_json, print_result
from planvow.adapters.machine.files import read_json, write_bytes
from planvow.adapters.testing.fresh import DEFAULT_HASH_SEEDS, trials
from planvow.canonical import canonical_bytes
from planvow.contract.interface.inputs import read_inputs
from planvow.contract.planners.registry import default_registry
from planvow.contract.promise.report import Conditions, Outcome, Report, report_on
from planvow.errors import EXIT_REFUSED, InputError, expect

app = typer.Typer()

_MARKS = {Outcome.KEPT: "kept", Outcome.BROKEN: "BROKEN", Outcome.NOT_TRIED: "not tried"}


@app.command(
    name="certify-planner",
    epilog=examples(
        "planvow certify-planner stub",
        "planvow certify-planner goal --report goal-report.json",
    ),
)
def certify_planner(
    target: Annotated[
        str, typer.Argument(metavar="TARGET", help="package.module:Class, file.py:Class or a planner's id. It is run.")
    ],
    questions: Annotated[
        Path | None,
        typer.Option(help="JSON list of questions, each an object of arguments of plan(): goal, tool_manifest …"),
    ] = None,
    calls: Annotated[int, typer.Option(min=1, help="Calls of every question in each interpreter.")] = 2,
    threads: Annotated[int, typer.Option(min=0, help="Threads that then ask at once.")] = 3,
    max_seconds: Annotated[float, typer.Option(min=0.1, help="Wall time for each interpreter.")] = 120.0,
    max_memory_mb: Annotated[int, typer.Option(min=64, help="Address space of each interpreter.")] = 4096,
    report: Annotated[Path | None, typer.Option(help="Write the report to this file.")] = None,
    json_: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Try a planner in fresh interpreters and say which promises of the contract it keeps."""
    names = _entry_points(target)
    asked = default_questions(names) if questions is None else _read_questions(questions)
    made = trials(
        target, asked, hash_seeds=DEFAULT_HASH_SEEDS, calls=calls, threads=threads, bad=True,
        max_seconds=max_seconds, max_memory_mb=max_memory_mb, folder=Path.cwd(),
    )  # fmt: skip
    conditions = Conditions(
        target=target, questions=asked, hash_seeds=DEFAULT_HASH_SEEDS, entry_points=names, chosen=questions is not None
    )
    found = report_on(made, conditions)
    if report is not None:
        write_bytes(report, canonical_bytes(found.as_dict()) + b"\n")
        note(f"wrote {report}")
    if json_:
        print_json(found.as_dict())
    else:
        _show(found)
    raise typer.Exit(0 if found.keeps_contract else EXIT_REFUSED)


def _read_questions(path: Path) -> list[dict[str, Any]]:
    data = read_json(path)
    expect(data, list, str(path), "a list of questions")
    if not data:
        raise InputError("there is no question in it", place=str(path))
    for number, question in enumerate(data):
        expect(question, dict, f"{path}: $[{number}]", "an object of arguments of plan()")
        if "goal" not in question:
            raise InputError("a question has a goal", place=f"{path}: $[{number}].goal")
        try:
            read_inputs(**{"agent_id": "kit", **question})
        except InputError as error:  # it is the question's fault, and no planner is blamed for it
            error.place = f"{path}: $[{number}]" + (f".{error.place}" if error.place else "")
            raise
    return list(data)


def _entry_points(target: str) -> list[str]:
    registry = default_registry()
    if target in registry.ids():
        return [target]
    return [entry.planner_id for entry in registry.entries() if entry.target == target]


def _show(found: Report) -> None:
    who = found.identity
    if who:
        print_result(f"{who['planner_id']} {who['version']}, which promises {who['determinism']} determinism")
    for finding in found.findings:
        print_result(f"  {_MARKS[finding.outcome]:9} {finding.promise}")
        if finding.detail:
            print_result("".join(f"              {line}\n" for line in finding.detail.splitlines()))
    seeds = ", ".join(map(str, found.hash_seeds))
    print_result(f"{found.answered} of {found.questions} questions planned, in interpreters with hash seeds {seeds}")
    if found.answered == 0:
        print_result("give it questions that it can plan: --questions FILE")
    kept = "the planner keeps the contract" if found.answered else "no promise was found broken, and no plan was seen"
    print_result(kept if found.keeps_contract else "the planner breaks the contract")
