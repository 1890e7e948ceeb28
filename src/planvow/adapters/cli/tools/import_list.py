"""`planvow tools import SOURCE`: a tool list of any known shape becomes one manifest and a file to review."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Annotated, Any

import typer

from planvow.adapters.cli.frame.output import keep_stdout_for_results, note, print_json, print_result
from planvow.adapters.machine.files import read_json, write_bytes, write_text
from planvow.adapters.machine.modules import load_module
from planvow.canonical import canonical_bytes
from planvow.errors import InputError
from planvow.kernel.domain.domain import Domain
from planvow.tools.domains import of_domain
from planvow.tools.proposals import propose
from planvow.tools.python import of_functions, of_models
from planvow.tools.review import read_review, write_review
from planvow.tools.shapes import read_tools, shape_of
from planvow.tools.tool import ToolEntry, tools_data, tools_hash, unique


def import_list(
    source: Annotated[
        str,
        typer.Argument(
            metavar="SOURCE",
            help="A JSON file (MCP, OpenAPI 3, OpenAI, Anthropic, skills, capabilities), MODULE.py (it is executed), "
            "or - for standard input.",
        ),
    ],
    output: Annotated[Path, typer.Option("-o", "--output", help="Where the manifest goes.")] = Path("tools.json"),
    review: Annotated[Path, typer.Option(help="Where the file to review goes; never replaced.")] = Path("tools.toml"),
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Import a tool list. What it does not say is proposed, for a person to correct and confirm."""
    keep_stdout_for_results()
    shape, tools = _read(source)
    proposed = propose(tools)
    write_bytes(output, canonical_bytes(tools_data(proposed)) + b"\n")
    kept = _keep_review(review, proposed)
    digest = tools_hash(proposed)
    if as_json:
        told = {"shape": shape, "tools": len(proposed), "hash": digest, "manifest": output, "review": review}
        print_json({**{name: str(value) if isinstance(value, Path) else value for name, value in told.items()}})
        return
    print_result(f"{len(proposed)} tools from {shape}, hash {digest}: {output}")
    waiting = [tool.name for tool in proposed if tool.proposed]
    if kept:
        print_result(f"{review} was there already and stays as it is")
    elif waiting:
        print_result(f"{len(waiting)} have proposals for you to confirm: {review}")


def _read(source: str) -> tuple[str, tuple[ToolEntry, ...]]:
    if source.endswith(".py"):
        return "Python", _of_module(Path(source))
    data = read_json(Path(source))
    return shape_of(data) or "a tool list", read_tools(data, place=source)


def _of_module(path: Path) -> tuple[ToolEntry, ...]:
    """Return what a module offers: its domain's commands, else its public functions and models."""
    module = load_module(path)
    own = {name: value for name, value in vars(module).items() if not name.startswith("_")}
    domains = [value for value in own.values() if isinstance(value, Domain)]
    if domains:
        return unique(tool for domain in domains for tool in of_domain(domain))
    mine = {name: value for name, value in own.items() if getattr(value, "__module__", None) == module.__name__}
    functions = [value for value in mine.values() if inspect.isfunction(value)]
    models = [value for value in mine.values() if _is_model(value)]
    if not functions and not models:
        raise InputError(
            "there is no domain, no public function and no model in this file",
            place=str(path),
            hint="functions whose names begin with _ are left out",
        )
    return unique([*of_functions(functions), *of_models(models)])


def _is_model(value: Any) -> bool:
    return isinstance(value, type) and hasattr(value, "model_json_schema")


def _keep_review(path: Path, tools: tuple[ToolEntry, ...]) -> bool:
    """Write the review file; one that is there is somebody's work and stays."""
    if not path.exists():
        write_text(path, write_review(tools))
        return False
    known = read_review(path.read_text(encoding="utf-8"), place=str(path))
    new = [tool.name for tool in tools if tool.name not in known]
    if new:
        note(f"{path} says nothing of {', '.join(new[:5])}{' …' if len(new) > 5 else ''}")
    return True
