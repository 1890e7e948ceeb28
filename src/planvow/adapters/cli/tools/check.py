"""`planvow tools check` and `export`: what is wrong with a manifest, and the manifest as others want it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from planvow.adapters.cli.frame import typer_later as typer
from planvow.adapters.cli.frame.output import print_json, print_result
from planvow.adapters.cli.frame.paragraphs import counted
from planvow.adapters.cli.options.tool_policy import DEFAULT, found_list, read_list
from planvow.canonical import to_jsonable
from planvow.errors import EXIT_REFUSED, InputError, did_you_mean
from planvow.tools.check import check_tools
from planvow.tools.export import EXPORTS

Review = Annotated[Path | None, typer.Option(help="What a person says of the tools, as TOML.")]
ToolList = Annotated[
    Path | None,
    typer.Argument(metavar="TOOLS", help=f"The review (.toml), its manifest, or a list of any shape.  {DEFAULT}"),
]


def check(
    tools: ToolList = None,
    review: Review = None,
    known: Annotated[list[str] | None, typer.Option(help="A key that the world shows by itself.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Find what nobody produces, what can never be called and near-miss names. Exit code 1 when something is found."""
    read = read_list(found_list(tools, review), review)
    found = check_tools(read, known=known or ())
    if as_json:
        print_json({"tools": len(read), "mistakes": [to_jsonable(mistake) for mistake in found]})
    else:
        for mistake in found:
            print_result(f"{mistake.tool}: {mistake.message}" + (f"\n  hint: {mistake.hint}" if mistake.hint else ""))
        waiting = sum(bool(tool.proposed) for tool in read)
        left = f"; {waiting} with proposals that nobody has confirmed" if waiting else ""
        print_result(f"{counted(len(read), 'tool')}, {counted(len(found), 'finding')}{left}")
    raise typer.Exit(EXIT_REFUSED if found else 0)


def export(
    tools: ToolList = None,
    target: Annotated[str, typer.Option("--as", help=f"For whom: {', '.join(EXPORTS)}.")] = "mcp",
    review: Review = None,
) -> None:
    """Print the manifest as MCP, OpenAI, Anthropic or a skill manifest."""
    if target not in EXPORTS:
        raise InputError(
            f"nothing is written as {target!r:.40}", place="--as",
            hint=did_you_mean(target, EXPORTS) or f"known are {', '.join(EXPORTS)}",
        )  # fmt: skip
    print_json(EXPORTS[target](read_list(found_list(tools, review), review)))
