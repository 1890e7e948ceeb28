"""`planvow replay FILE`: do it again; exit 0 if it comes out the same, 1 with the first difference if not."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from planvow.adapters.cli.frame import typer_later as typer
from planvow.adapters.cli.frame.lazy import examples
from planvow.adapters.cli.frame.output import keep_stdout_for_results, print_json, print_result
from planvow.adapters.cli.options.printed import is_printed_plan, printed_hddl_text, printed_recording, solved_again
from planvow.adapters.machine.files import read_json
from planvow.adapters.models.planners import never_a_service, recorded_planner
from planvow.canonical import to_jsonable
from planvow.contract.errors import ReplayMismatchError
from planvow.contract.plan.difference import first_difference
from planvow.contract.planners.registry import default_registry
from planvow.contract.replaying import golden, recordings, replay
from planvow.contract.replaying.replay import ReplayMode, ReplayResult
from planvow.contract.running import run
from planvow.contract.running.run_document import read_run
from planvow.errors import EXIT_REFUSED, InputError

app = typer.Typer()


@app.command(name="replay", epilog=examples("planvow replay hello.json"))
def replay_file(
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="A recording, run or golden file, or what --json printed."),
    ],
    mode: Annotated[
        ReplayMode, typer.Option(help="For a run: with stored responses, or only what would be attempted.")
    ] = ReplayMode.MOCK_REPLAY,
    domain: Annotated[
        str | None, typer.Option("--domain", help="For what `plan --json` printed: MODULE.py:problem (it is executed).")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Replay a recorded plan, run or golden file, or a printed answer. Exit 0 same, 1 with the first difference."""
    keep_stdout_for_results()
    data = read_json(file)
    kind = data.get("format") if isinstance(data, dict) else None
    if kind == recordings.FORMAT:
        result = _replay_recording(data, str(file))
    elif kind == run.FORMAT:
        result = replay.replay_run(read_run(data, place=str(file)), mode=mode)
    elif kind == golden.FORMAT:
        result = _replay_golden(data, str(file))
    elif is_printed_plan(data):
        result = _replay_printed_plan(data, domain, str(file))
    elif (printed := printed_recording(data, place=str(file))) is not None:
        result = replay.replay_plan(printed, recorded_planner(printed, place=str(file)))
    else:
        known = ", ".join((recordings.FORMAT, run.FORMAT, golden.FORMAT))
        raise InputError(
            f"this is nothing that can be replayed; its format must be one of {known}", place=str(file),
            hint="what ask, goal, tools plan and plan print with --json is taken as well",
        )  # fmt: skip
    if as_json:
        print_json({"file": str(file), **to_jsonable(result)})
        raise typer.Exit(0 if result.parity else EXIT_REFUSED)
    if result.first_divergence is not None:
        raise ReplayMismatchError(f"first difference at {result.first_divergence}", place=str(file))
    print_result(f"{file}: same {result.compared}")


def _replay_recording(data: Any, place: str) -> ReplayResult:
    recording = recordings.read_recording(data, place=place)
    if "goal" not in recording.request:
        raise InputError("this records a model's answer, not a plan; its planner replays it", place=place)
    return replay.replay_plan(recording, recorded_planner(recording, place=place))


def _replay_printed_plan(data: Any, domain: str | None, place: str) -> ReplayResult:
    if printed_hddl_text(data, place=place) is not None:
        raise InputError("an HDDL plan is verified, not replayed", place=place,
                         hint="planvow verify DOMAIN.hddl PROBLEM.hddl FILE")  # fmt: skip
    again = to_jsonable(solved_again(domain, place=place).as_dict())
    difference = first_difference({name: data.get(name) for name in again}, again)
    return ReplayResult(parity=difference is None, first_divergence=difference, compared="plan, tree and statistics")


def _replay_golden(data: Any, place: str) -> ReplayResult:
    kept = golden.read_golden(data, place=place)
    planner_id = kept.meta.get("planner")
    if not isinstance(planner_id, str):
        raise InputError("a golden file names its planner", place=f"{place}: $.meta.planner")
    planner = default_registry().create(planner_id)
    never_a_service(planner, place=place)
    checked = golden.check_golden(kept, planner)
    first = checked.differences[0] if checked.differences else None
    return ReplayResult(parity=checked.match, first_divergence=first, compared="answer")
