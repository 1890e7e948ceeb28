"""`planvow planners`: which planners are installed, what they promise and what they cost."""

from __future__ import annotations

from typing import Annotated

from planvow.adapters.cli.frame import typer_later as typer
from planvow.adapters.cli.frame.lazy import examples
from planvow.adapters.cli.frame.output import print_json, print_result
from planvow.adapters.cli.frame.table import Column, table, terminal_width
from planvow.service.declare.setting import Setting
from planvow.service.operations.planners import LIST_PLANNERS, PlannersQuestion

app = typer.Typer()
COLUMNS = (
    Column(name="planner"),
    Column(name="determinism"),
    Column(name="cost", weight=1),
    Column(name="from", weight=2),
    Column(name="what is wrong"),
)


@app.command(epilog=examples("planvow planners"))
def planners(json_: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False) -> None:
    """List the installed planners, sorted by id. `memo:<id>` wraps any of them."""
    found = LIST_PLANNERS(PlannersQuestion(), Setting()).output
    if json_:
        print_json({"default": found.default, "planners": [vars(row) for row in found.planners]})
        return
    rows = [
        (
            f"{'*' if row.planner_id == found.default else ' '} {row.planner_id}",
            row.determinism,
            ", ".join(f"{name} {rate}" for name, rate in row.cost_model.items()),
            f"{row.distribution} {row.distribution_version}",
            row.problem,
        )
        for row in found.planners
    ]
    columns = COLUMNS if any(row.problem for row in found.planners) else COLUMNS[:-1]
    print_result(table(columns, rows, terminal_width()))
    print_result("* the default; memo:<id> answers from recordings around any of them")
