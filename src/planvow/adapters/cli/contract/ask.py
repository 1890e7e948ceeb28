"""`planvow ask PLANNER GOAL`: one call through the contract, and, if wanted, its recording for `planvow replay`."""

from __future__ import annotations

from importlib.metadata import entry_points
from pathlib import Path
from typing import Annotated, Any

from planvow.adapters.cli.frame import typer_later as typer
from planvow.adapters.cli.frame.completion import among
from planvow.adapters.cli.frame.lazy import examples
from planvow.adapters.cli.frame.output import keep_stdout_for_results, note, print_json, print_result
from planvow.adapters.cli.options.model import BaseUrl, ModelName, Prices, Recordings
from planvow.adapters.machine.files import read_json, write_bytes
from planvow.adapters.machine.yaml_files import read_data
from planvow.adapters.models.planners import REPLIES, Service, make_planner
from planvow.canonical import canonical_bytes
from planvow.contract.errors import PlannerFailedError, ReplayMismatchError
from planvow.contract.interface.interface import PlannerInterface
from planvow.contract.planners.registry import GROUP
from planvow.contract.replaying.recordings import Recording
from planvow.errors import InputError, expect
from planvow.service.declare.setting import Setting
from planvow.service.operations.making import MAKE_PLAN, PlanQuestion

app = typer.Typer()


def _planners() -> list[str]:
    return [point.name for point in entry_points(group=GROUP)]


@app.command(
    epilog=examples(
        "planvow ask stub 'Say hello' --record hello.json",
        "planvow ask goal 'open youtube' --json",
        "planvow ask chat 'Say hello' --model qwen3 --base-url http://127.0.0.1:11434/v1",
    )
)
def ask(
    planner_id: Annotated[
        str,
        typer.Argument(
            metavar="PLANNER", help="A planner's id; see `planvow planners`.", autocompletion=among(_planners)
        ),
    ],
    goal: Annotated[
        str, typer.Argument(metavar="GOAL", help="What is wanted, as this planner reads it: most take words.")
    ],
    agent: Annotated[str, typer.Option(help="Who asks.")] = "cli",
    context: Annotated[str | None, typer.Option(help="What the planner should know.")] = None,
    manifest: Annotated[
        Path | None,
        typer.Option(
            help="JSON list of skills, or of tools in any shape that `planvow tools` reads; without it, all count."
        ),
    ] = None,
    memory: Annotated[Path | None, typer.Option(help="JSON list of memory snippets.")] = None,
    extra: Annotated[
        Path | None, typer.Option(help="JSON object of further arguments: world, workspace, request, domain …")
    ] = None,
    record: Annotated[Path | None, typer.Option(help="Write a recording for `planvow replay`.")] = None,
    certificate: Annotated[Path | None, typer.Option(help="Write the plan's certificate to this file.")] = None,
    model: ModelName = None,
    base_url: BaseUrl = None,
    prices: Prices = None,
    recordings: Recordings = None,
    repeat: Annotated[int, typer.Option(min=1, help="Ask so many times and say how many plans came out.")] = 1,
    json_: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Ask one planner for a plan."""
    keep_stdout_for_results()
    service = Service(model=model, base_url=base_url, prices=prices, recordings=recordings)
    planner, replies = make_planner(planner_id, service)
    arguments: dict[str, Any] = {
        "agent_id": agent,
        "context_summary": context,
        "memory_snippets": None if memory is None else read_json(memory),
        "tool_manifest": None if manifest is None else _skills(manifest),
    }
    if extra is not None:
        arguments |= _further(read_json(extra), {**arguments, "goal": goal}, str(extra))
    if repeat > 1 and service.is_named:
        raise InputError("--repeat asks a planner as it is installed, without options of its own", place="--repeat")
    if repeat > 1:
        _ask_again(planner, {**arguments, "goal": goal}, repeat)
    try:
        made = MAKE_PLAN(PlanQuestion(planner=planner_id, goal=goal, arguments=arguments), Setting(planner=planner))
    except PlannerFailedError as error:
        if json_:
            print_json({"error": error.details})
        raise
    _, inputs, answer = made.whole
    said = {**answer.as_dict(), **({} if replies is None else {REPLIES: replies.as_data()})}
    if record is not None:
        recording = Recording(
            maker=planner.planner_id,
            maker_version=planner.version,
            request=inputs.as_dict(),
            answer=said,
        )
        write_bytes(record, canonical_bytes(recording.as_dict()))
        note(f"recorded in {record}")
    if certificate is not None:
        document = made.documents["certificate", made.output.plan_hash]()
        write_bytes(certificate, canonical_bytes(document) + b"\n")
        note(f"wrote {certificate}")
    if json_:
        print_json({**said, "request": inputs.as_dict()})
        return
    for step in answer.plan["steps"]:
        after = f"  after {', '.join(step['depends_on'])}" if step["depends_on"] else ""
        print_result(f"{step['step_id']:6} {step['skill']:20} {canonical_bytes(step['params']).decode()}{after}")


def _skills(path: Path) -> Any:
    """Return a manifest; a tool list of another known shape as one."""
    from planvow.tools.export import to_skills
    from planvow.tools.shapes import SKILLS, read_tools, shape_of

    data = read_data(path)
    return data if shape_of(data) in (None, SKILLS) else to_skills(read_tools(data, place=str(path)))


def _further(data: Any, given: dict[str, Any], place: str) -> dict[str, Any]:
    expect(data, dict, place, "an object of arguments")
    for name in data:
        if name in given:
            raise InputError(f"{name!r:.80} has an option or argument of its own", place=place)
    return dict(data)


def _ask_again(planner: PlannerInterface, arguments: dict[str, Any], repeat: int) -> None:
    """Ask in so many fresh interpreters, each with another hash seed, and hold what came to the planner's promise."""
    from planvow.adapters.testing.fresh import trials
    from planvow.contract.promise.report import Conditions, Outcome, deterministic, first_broken, seen

    seeds = range(repeat)
    made = trials(planner.planner_id, [arguments], hash_seeds=seeds)
    answers, structures = seen(made)
    verdict = f"{repeat} fresh interpreters: {answers} answers, {structures} structures"
    mode = planner.get_determinism_mode()
    conditions = Conditions(target=planner.planner_id, questions=[arguments], hash_seeds=seeds)
    found = deterministic(made, conditions)
    if found.outcome is Outcome.BROKEN:
        raise ReplayMismatchError(
            f"{verdict}; that is not {mode} determinism: {found.detail}", place=planner.planner_id
        )
    broken = first_broken(made, conditions)
    if broken is not None:
        raise ReplayMismatchError(f"it breaks a promise: {broken.promise}: {broken.detail}", place=planner.planner_id)
    if found.outcome is Outcome.KEPT:
        note(f"{verdict}, as {mode} determinism promises")
    else:
        note(f"{verdict}; nothing was shown: the planner promises nothing, or gave no plan")
