"""`planvow goal 'open youtube and search nvidia'`: the fewest tool calls for a wish, or why there are none."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

from planvow.adapters.cli.frame import typer_later as typer
from planvow.adapters.cli.frame.lazy import examples
from planvow.adapters.cli.frame.output import note, print_json, print_result
from planvow.adapters.machine.files import read_json, read_text
from planvow.canonical import canonical_json, to_jsonable
from planvow.contract.interface.inputs import read_inputs
from planvow.errors import EXIT_REFUSED, InputError
from planvow.goals.plan.explain import what_would_help
from planvow.goals.plan.orchestrator import OrchestratorResult, PlanGraph
from planvow.goals.plan.planner import VERSION
from planvow.goals.plan.tools import ToolRegistry
from planvow.goals.understand.interpreter import Interpretation
from planvow.goals.values.config import default_config, load_config
from planvow.goals.values.data import meta_goal_from_data, world_from_data
from planvow.goals.values.values import WorldState
from planvow.service.declare.setting import Setting
from planvow.service.operations.goals import PLAN_GOAL, GoalQuestion

app = typer.Typer()


@app.command(
    epilog=examples(
        "planvow goal 'open youtube and search nvidia'",
        "planvow goal 'create a folder called notes' --run",
    )
)
def goal(
    wish: Annotated[str | None, typer.Argument(metavar="WISH", help="What is wanted, in English.")] = None,
    file: Annotated[Path | None, typer.Option("--file", help="Goals as JSON, in place of a sentence.")] = None,
    capabilities: Annotated[Path | None, typer.Option(help="Tools as JSON; default: those that ship.")] = None,
    world: Annotated[Path | None, typer.Option(help="The world as JSON; default: nothing runs.")] = None,
    config: Annotated[Path | None, typer.Option(help="A TOML file that extends platforms, apps and more.")] = None,
    workspace: Annotated[Path, typer.Option(help="Folder that file goals are about.")] = Path(),
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    run: Annotated[bool, typer.Option("--run", help="Store the plan and run it; a dry run unless --yes.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="With --run: really do it.")] = False,
    remember: Annotated[
        int | None, typer.Option(min=1, metavar="SECONDS", help="Use what runs of the last so many seconds brought.")
    ] = None,
) -> None:
    """Turn a wish into the fewest tool calls, or say what stands in the way. Exit code 0: a plan; 1: none."""
    if yes and not run:
        raise InputError("--yes goes with --run", hint="planvow goal '…' --run --yes")
    if (wish is None) == (file is None):
        raise InputError("give either a wish in words or --file GOAL.json", hint="planvow goal 'open notepad'")
    if wish is not None and not wish.strip():
        raise InputError("the wish is empty", hint="planvow goal 'open notepad'")
    settings = load_config(config) if config else default_config()
    wanted = None if file is None else _checked(file, meta_goal_from_data)
    own_tools = None if capabilities is None else _checked(capabilities, ToolRegistry.from_data)
    seen = None if world is None else _checked(world, world_from_data)
    snapshot = WorldState() if seen is None else world_from_data(seen)
    if remember is not None:
        tools = ToolRegistry.default(settings) if own_tools is None else ToolRegistry.from_data(own_tools)
        snapshot = _with_memory(snapshot, tools, workspace, remember)
        seen = to_jsonable(snapshot)
    asked = GoalQuestion(wish=wish or "", goals=wanted, capabilities=own_tools, world=seen)
    anchors = _anchors(workspace)
    found = PLAN_GOAL(asked, Setting(goal_config=settings, anchors=anchors)).whole
    if isinstance(found, Interpretation):
        _answer_doubt(found, as_json)
        raise typer.Exit(EXIT_REFUSED)
    result, why = found
    receipts = None
    if run and result.graph is not None and result.status == "success":  # all of what was wanted, or nothing
        from planvow.adapters.cli.goals.run import run_graph

        receipts = run_graph(result.graph, workspace=workspace, config=settings, world=snapshot, really=yes)
    elif run:
        note("nothing was run: not every goal has a plan")
    extra: dict[str, Any] = {
        "world": to_jsonable(snapshot),
        "workspace": anchors["workspace"],
        "anchors": anchors,
        **({} if own_tools is None else {"capabilities": own_tools}),
        **({} if config is None else {"config": tomllib.loads(read_text(config))}),
    }
    goal_text = wish if file is None else canonical_json(wanted)
    _show(result, why, as_json, receipts, {"agent_id": "cli", "goal": goal_text, **extra})
    if result.status != "success" or any(receipt["outcome"] != "SUCCESS" for receipt in receipts or ()):
        raise typer.Exit(EXIT_REFUSED)


def _checked(path: Path, convert: Callable[[Any], Any]) -> Any:
    """Return a JSON file whose content can be read as what it should hold; a fault names the file."""
    data = read_json(path)
    try:
        convert(data)
    except InputError as error:
        error.place = f"{path}: {error.place}" if error.place else str(path)
        raise
    return data


def _with_memory(world: WorldState, tools: ToolRegistry, workspace: Path, window_s: int) -> WorldState:
    """Return the world with what earlier runs in this workspace taught; what the snapshot itself says stays."""
    from planvow.adapters.databases.opening import open_ledger
    from planvow.goals.run.recall import memory_of_goals
    from planvow.goals.run.workspace import DATA_FOLDER

    with open_ledger(str(workspace / DATA_FOLDER / "cassette.db"), must_exist=True, looking=True) as store:
        now_s = store.now_ms() // 1000
        memory = memory_of_goals(store, tools.capabilities(), now_s=now_s, window_s=window_s)
    found = memory.recall(now_s=now_s, window_s=window_s)
    for fact in found:
        note(f"remembered {fact.key}, {now_s - fact.timestamp} s old, from {fact.source_tool}")
    said = {fact.key for fact in world.recent_facts}
    return replace(world, recent_facts=(*world.recent_facts, *(fact for fact in found if fact.key not in said)))


def _anchors(workspace: Path) -> dict[str, str]:
    home = Path.home()
    folders = {name: str(home / name.title()) for name in ("desktop", "documents", "downloads")}
    return {"workspace": str(workspace.resolve()), "home": str(home), **folders}


def _answer_doubt(found: Interpretation, as_json: bool) -> None:
    if as_json:
        print_json({"status": found.status, "reason": found.reason, "choices": found.choices})
        return
    print_result(f"{found.status.replace('_', ' ')}: {found.reason}")
    for choice in found.choices:
        print_result(f"  perhaps: {choice}")


def _show(
    result: OrchestratorResult,
    why: Mapping[str, str],
    as_json: bool,
    receipts: list[dict[str, Any]] | None,
    request: Mapping[str, Any],
) -> None:
    if as_json:
        graph = result.graph
        print_json(
            {
                "status": result.status,
                "reason": result.reason,
                "actions": graph.nodes if graph else [],
                "execution_order": graph.execution_order if graph else [],
                "why": why,
                "failed_goals": result.failed_goals,
                "warnings": result.warnings,
                "planner": {"id": "goal", "version": VERSION},
                "request": read_inputs(**request).as_dict(),
                **({} if receipts is None else {"receipts": receipts}),
            }
        )
        return
    if result.graph is not None:
        print_result(_table(result.graph, why))
    for failure in result.failed_goals:
        print_result(f"{failure.status}: goal {failure.index + 1} ({failure.goal.goal_type}): {failure.reason}")
        help_text = what_would_help(failure)
        if help_text is not None:
            print_result(f"  what would unblock it: {help_text}")
    for warning in result.warnings:
        note(f"note: {warning}")
    for receipt in receipts or ():
        print_result(f"{receipt['step_id']:10} {receipt['outcome']:8} {receipt['said']}")


def _table(graph: PlanGraph, why: Mapping[str, str]) -> str:
    """Return the plan as text: id, tool, arguments, what it brings about, what it waits for, why this tool."""
    lines = []
    for action in graph.nodes:
        words = ", ".join(f"{key}={value}" for key, value in action.args.items())
        waits = f", after {', '.join(action.depends_on)}" if action.depends_on else ""
        lines.append(f"{action.action_id:8} {action.tool}({words})\n{'':8} → {action.expected_effect}{waits}")
        lines.append(f"{'':8} why: {why[action.action_id]}")
    count = len(graph.nodes)
    return "\n".join([*lines, f"{count} tool call{'s' if count != 1 else ''}"])
