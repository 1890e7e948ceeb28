"""`planvow plan`: a plan for a Python problem (`MODULE.py[:name]`) or an HDDL one (`DOMAIN.hddl PROBLEM.hddl`)."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from planvow.adapters.cli.frame import typer_later as typer
from planvow.adapters.cli.frame.lazy import examples
from planvow.adapters.cli.frame.output import failure_line, keep_stdout_for_results, note, print_json, print_result
from planvow.adapters.machine.files import write_text
from planvow.adapters.machine.memory import memory_limit
from planvow.canonical import canonical_json
from planvow.errors import EXIT_REFUSED, InputError

_LINE_BREAKS = frozenset("\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029")
app = typer.Typer()


@app.command(
    epilog=examples(
        "planvow plan examples/travel.py --tree",
        "planvow plan examples/dinner_party.py --html dinner.html",
        "planvow plan examples/robot_tea.py --explain --certificate tea.json",
        "planvow plan examples/hddl/tea-domain.hddl examples/hddl/tea-problem.hddl --plan-out tea.plan",
    )
)
def plan(
    files: Annotated[
        list[str], typer.Argument(help="MODULE.py[:problem], or DOMAIN.hddl PROBLEM.hddl.", metavar="FILE")
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    tree: Annotated[bool, typer.Option("--tree", help="Show how tasks were broken down.")] = False,
    timeline: Annotated[bool, typer.Option("--timeline", help="Show when each command runs.")] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Say why each method was chosen, or why none.")] = False,
    certificate: Annotated[Path | None, typer.Option(help="Write a certificate to this file.")] = None,
    request_out: Annotated[
        Path | None, typer.Option("--request-out", help="Write what was asked, to hold a certificate against it.")
    ] = None,
    plan_out: Annotated[Path | None, typer.Option("--plan-out", help="Write the plan to this file.")] = None,
    html: Annotated[
        Path | None, typer.Option("--html", help="Write a report to look at in a browser, one file (extra [http]).")
    ] = None,
    max_iterations: Annotated[int | None, typer.Option(min=0, help="Nodes allowed; decides the answer.")] = None,
    max_depth: Annotated[int | None, typer.Option(min=0, help="Depth of decomposition allowed.")] = None,
    max_seconds: Annotated[float | None, typer.Option(help="Interrupt after this long; never changes a plan.")] = None,
    max_memory_mb: Annotated[
        int | None, typer.Option(min=1, help="Interrupt beyond this much memory; never changes a plan.")
    ] = None,
    search: Annotated[
        str | None, typer.Option(help="auto, lifted, grounded or sat (HDDL); auto when not given.")
    ] = None,
    improve: Annotated[
        int | None, typer.Option(min=0, help="Effort for a better HDDL plan once there is one; 0 keeps the first.")
    ] = None,
) -> None:
    """Find a plan. Exit code 0: a plan; 1: none, with the reason.

    MODULE.py is a program and is executed, with your rights: plan only for modules you trust. HDDL files are only read.
    """
    _check(files, html)
    if files[0].lower().endswith(".hddl"):
        if len(files) != 2:
            raise InputError(
                "an HDDL problem is two files", place=files[0], hint="planvow plan DOMAIN.hddl PROBLEM.hddl"
            )
        from planvow.adapters.cli.planning.plan_hddl import plan_hddl

        if request_out is not None:
            raise InputError("an HDDL problem is a request already", place="--request-out")
        if timeline:
            raise InputError("an HDDL plan has no times, so there is no timeline", place="--timeline")
        plan_hddl(
            Path(files[0]),
            Path(files[1]),
            plan_out=plan_out,
            as_json=as_json,
            max_iterations=max_iterations,
            max_depth=max_depth,
            max_seconds=max_seconds,
            max_memory_mb=max_memory_mb,
            search=search or "auto",
            improve=improve,
            certificate=certificate,
            tree=tree,
            explain=explain,
            html=html,
        )
        return
    if len(files) != 1:
        raise InputError("expected one Python file, or a domain and a problem in HDDL", place=files[1])
    if search is not None:
        raise InputError("only HDDL problems have several searches to choose from", place="--search")
    if improve is not None:
        raise InputError("only HDDL plans are improved after they are found", place="--improve")
    keep_stdout_for_results()
    with memory_limit(max_memory_mb):
        result = _solve(files[0], max_iterations, max_depth, max_seconds)
    written = [certificate] if certificate is not None and result.success else []
    if request_out is not None:
        from planvow.contract.certificate.asked import request_of

        write_text(request_out, canonical_json(request_of(result.problem)) + "\n")
        written.append(request_out)
    if certificate is not None and result.success:
        write_text(certificate, result.certificate().canonical_bytes().decode("utf-8") + "\n")
    if html is not None:
        from planvow.adapters.cli.planning.plan_html import write_report

        write_report(html, result, files[0])
        written.append(html)
    text = "".join(_line(step) + "\n" for step in result.plan)
    if plan_out is not None and result.success:
        write_text(plan_out, text)
        written.append(plan_out)
    if as_json:
        print_json({**result.as_dict(), **({"explanation": result.explain_plan()} if explain else {})})
    else:
        _show(result, text, tree=tree, timeline=timeline, explain=explain)
        for path in written:
            note(f"planvow: wrote {path}")
    if not result.success:
        raise typer.Exit(EXIT_REFUSED)


def _check(files: list[str], html: Path | None) -> None:
    """Raise what can be known before planning, which may take long."""
    if html is not None:
        from planvow.adapters.cli.planning.plan_html import report_writer

        report_writer()
    if files[0].lower().endswith(".pddl"):
        raise InputError(
            "HDDL files end in .hddl", place=files[0],
            hint="a hierarchical domain may be renamed; for classical planning take an engine of unified-planning",
        )  # fmt: skip


def _solve(target: str, max_iterations: int | None, max_depth: int | None, max_seconds: float | None) -> Any:
    from planvow.adapters.machine.modules import named_problem
    from planvow.service.declare.setting import Setting
    from planvow.service.operations.making import PlanQuestion, derived

    asked = PlanQuestion(max_iterations=max_iterations, max_depth=max_depth, max_seconds=max_seconds)
    return derived(asked, Setting(domains={"": named_problem(target)}))


def _show(result: Any, text: str, *, tree: bool, timeline: bool, explain: bool) -> None:
    if result.success:
        note(f"{result.status}: {len(result.plan)} step{'' if len(result.plan) == 1 else 's'}")
    else:
        print_result(failure_line(result))
        if not explain:
            note("  hint: --explain says how far the search came and what stopped it")
    if result.success:
        print_result(result.to_text() if tree else text or "(nothing to do)")
    if timeline and result.success:
        from planvow.adapters.cli.frame.table import terminal_width
        from planvow.kernel.answer.timeline import fitted_timeline, timeline_text

        if not result.time_allocations:
            note("planvow: no command of this domain has a duration, so there is no timeline")
        else:
            columns, times = terminal_width(), result.time_allocations
            print_result(timeline_text(times) if columns is None else fitted_timeline(times, columns))
    if explain:
        print_result(result.explain_text() if result.success else result.explanation.text(solved=False))


def _line(step: tuple[Any, ...]) -> str:
    """Return a step as one line, whatever its arguments hold: a line break in a name must not look like a step."""
    text = " ".join([step[0], *(str(argument) for argument in step[1:])])
    return "".join(f"\\u{ord(character):04x}" if character in _LINE_BREAKS else character for character in text)
