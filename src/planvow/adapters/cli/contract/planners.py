"""`planvow planners`: which planners are installed, what they promise and what they cost."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from planvow.adapters.cli.frame.lazy import examples
from planvow.adapters.cli.frame.output import print_json, print_result
from planvow.contract.planners.registry import Registry, default_registry
from planvow.errors import PlanvowError

app = typer.Typer()


@app.command(epilog=examples("planvow planners"))
def planners(json_: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False) -> None:
    """List the installed planners, sorted by id. `memo:<id>` wraps any of them."""
    registry = default_registry()
    rows = [_row(registry, planner_id) for planner_id in registry.ids()]
    if json_:
        print_json({"default": registry.default_id, "planners": rows})
        return
    for row in rows:
        mark = "*" if row["planner_id"] == registry.default_id else " "
        cost = ", ".join(f"{name} {rate}" for name, rate in row["cost_model"].items())
        origin = f"{row['distribution']} {row['distribution_version']}"
        print_result(
            f"{mark} {row['planner_id']:12} {row['determinism']:12} {cost:28} {origin}  {row['problem']}".rstrip()
        )
    print_result("* the default; memo:<id> answers from recordings around any of them")


def _row(registry: Registry, planner_id: str) -> dict[str, Any]:
    entry = registry.entry(planner_id)
    problem = ""
    try:
        entry = registry.described(planner_id)
    except PlanvowError as error:  # another package's broken planner must not hide the rest
        problem = f"broken: {error.message}"
    return {
        "planner_id": entry.planner_id,
        "target": entry.target,
        "determinism": entry.determinism.value if entry.determinism else "unknown",
        "cost_model": entry.cost_model.as_dict() if entry.cost_model else {},
        "distribution": entry.distribution,
        "distribution_version": entry.distribution_version,
        "problem": problem,
    }
