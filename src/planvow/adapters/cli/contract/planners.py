"""`planvow planners`: which planners are installed, what they promise and what they cost."""

from __future__ import annotations

from typing import Annotated

from planvow.adapters.cli.frame import typer_later as typer
from planvow.adapters.cli.frame.lazy import examples
from planvow.adapters.cli.frame.output import print_json, print_result
from planvow.service.declare.setting import Setting
from planvow.service.operations.planners import LIST_PLANNERS, PlannersQuestion

app = typer.Typer()


@app.command(epilog=examples("planvow planners"))
def planners(json_: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False) -> None:
    """List the installed planners, sorted by id. `memo:<id>` wraps any of them."""
    found = LIST_PLANNERS(PlannersQuestion(), Setting()).output
    if json_:
        print_json({"default": found.default, "planners": [vars(row) for row in found.planners]})
        return
    for row in found.planners:
        mark = "*" if row.planner_id == found.default else " "
        cost = ", ".join(f"{name} {rate}" for name, rate in row.cost_model.items())
        origin = f"{row.distribution} {row.distribution_version}"
        print_result(f"{mark} {row.planner_id:12} {row.determinism:12} {cost:28} {origin}  {row.problem}".rstrip())
    print_result("* the default; memo:<id> answers from recordings around any of them")
