"""`planvow tools import SOURCE`: a tool list of any known shape, or what an MCP server offers, becomes one manifest and
a file to review."""

from __future__ import annotations

import inspect
import os
import shlex
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

from planvow.adapters.cli.frame import typer_later as typer
from planvow.adapters.cli.frame.output import keep_stdout_for_results, note, print_json, print_result
from planvow.adapters.cli.frame.paragraphs import counted
from planvow.adapters.machine.files import read_text, write_bytes, write_text
from planvow.adapters.machine.modules import load_module
from planvow.adapters.machine.secrets import read_workers_secret
from planvow.adapters.machine.yaml_files import read_data
from planvow.canonical import canonical_bytes
from planvow.errors import InputError
from planvow.kernel.domain.domain import Domain
from planvow.tools.domains import of_domain
from planvow.tools.proposals import propose
from planvow.tools.python import of_functions, of_models
from planvow.tools.review import read_review, read_whole_review, reviewed, write_review
from planvow.tools.servers import Server
from planvow.tools.shapes import read_tools, shape_of
from planvow.tools.tool import ToolEntry, manifest_hash, tools_data, tools_hash, unique


def import_list(
    source: Annotated[
        str | None,
        typer.Argument(
            metavar="SOURCE",
            help="A JSON or YAML file (MCP, OpenAPI 3, OpenAI, Anthropic, skills, capabilities), MODULE.py (it is "
            "executed), the http:// or https:// address of an MCP server, or - for JSON on standard input.",
        ),
    ] = None,
    command: Annotated[str | None, typer.Option(help="The command of an MCP server, in place of SOURCE.")] = None,
    allow_command: Annotated[bool, typer.Option("--allow-command", help="Start that command.")] = False,
    header: Annotated[
        list[str] | None, typer.Option(help="For an address, NAME=VALUE; {secret.X} is PLANVOW_SECRET_X, or X.")
    ] = None,
    server: Annotated[str, typer.Option(help="What the review file calls who runs the tools.")] = "server",
    output: Annotated[Path, typer.Option("-o", "--output", help="Where the manifest goes.")] = Path("tools.json"),
    review: Annotated[Path, typer.Option(help="Where the file to review goes; never replaced.")] = Path("tools.toml"),
    reviewed_in: Annotated[
        Path | None, typer.Option("--reviewed-in", help="An earlier review: what it says of these tools is taken over.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Import a tool list. What it does not say is proposed, for a person to correct and confirm."""
    keep_stdout_for_results()
    if (source is None) == (command is None):
        raise InputError("give either a SOURCE or --command", hint="planvow tools import tools-list.json")
    shape, tools, runner = _offered(source, command, header or [], server, allow_command)
    proposed = propose(tools)
    write_bytes(output, canonical_bytes(tools_data(proposed)) + b"\n")
    servers = {} if runner is None else {server: runner}
    kept = _keep_review(review, proposed, output, servers, reviewed_in)
    digest = tools_hash(proposed)
    if as_json:
        told = {"shape": shape, "tools": len(proposed), "hash": digest, "manifest": output, "review": review}
        print_json({**{name: str(value) if isinstance(value, Path) else value for name, value in told.items()}})
        return
    print_result(f"{counted(len(proposed), 'tool')} from {shape}, hash {digest}: {output}")
    waiting = [tool.name for tool in proposed if tool.proposed]
    if kept or reviewed_in is not None:
        waiting = []
    if kept:
        print_result(f"{review} was there already and stays as it is")
    elif waiting:
        print_result(f"{len(waiting)} {'has' if len(waiting) == 1 else 'have'} proposals for you to confirm: {review}")


def _offered(
    source: str | None, command: str | None, headers: list[str], name: str, allow_command: bool
) -> tuple[str, tuple[ToolEntry, ...], Server | None]:
    """Return where the tools came from, the tools, and who runs them, as far as that is known."""
    if command is not None:
        runner = Server(command=tuple(shlex.split(command)))
    elif source is not None and source.startswith(("http://", "https://")):
        runner = Server(url=source, headers=dict(_header(text) for text in headers))
    else:
        shape, tools = _read(source or "-")
        return shape, *_with_server(tools, name)
    from planvow.adapters.tool_servers.equipment import list_tools

    found = list_tools(name, runner, allow_command=allow_command, secrets=read_workers_secret)
    return "an MCP server", found, runner


def _header(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise InputError(f"{text!r:.60} is no NAME=VALUE", place="--header")
    return name, value


def _with_server(tools: tuple[ToolEntry, ...], name: str) -> tuple[tuple[ToolEntry, ...], Server | None]:
    """Return HTTP operations as run by a server of this name; its address is the document's, until confirmed."""
    bases = [tool.origin["server"] for tool in tools if tool.origin.get("kind") == "http" and "server" in tool.origin]
    named = tuple(
        replace(tool, origin={**tool.origin, "server": name}) if tool.origin.get("kind") == "http" else tool
        for tool in tools
    )
    if not bases or not str(bases[0]).startswith(("http://", "https://")):
        return named, None
    return named, Server(base=str(bases[0]), confirmed=False)


def _read(source: str) -> tuple[str, tuple[ToolEntry, ...]]:
    if source.endswith(".py"):
        return "Python", _of_module(Path(source))
    data = read_data(Path(source))
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
    return unique(_read_each(functions, models))


def _read_each(functions: list[Any], models: list[Any]) -> list[ToolEntry]:
    """Return what can be a tool and say what is left out: one helper among them need not cost the others."""
    tools: list[ToolEntry] = []
    faults = []
    for source in [*functions, *models]:
        try:
            tools += of_functions([source]) if inspect.isfunction(source) else of_models([source])
        except InputError as error:
            faults.append(error)
    if faults and not tools:
        raise faults[0]
    for fault in faults:
        note(f"{fault.place} is left out: {fault.message}")
    return tools


def _is_model(value: Any) -> bool:
    return isinstance(value, type) and hasattr(value, "model_json_schema")


def _keep_review(
    path: Path,
    tools: tuple[ToolEntry, ...],
    manifest: Path,
    servers: Mapping[str, Server],
    earlier: Path | None,
) -> bool:
    """Write the review file; one that is there is somebody's work and stays."""
    if not path.exists():
        beside = os.path.relpath(manifest.resolve(), path.resolve().parent)
        said = tools if earlier is None else _as_before(tools, earlier)
        write_text(path, write_review(said, manifest=(beside, manifest_hash(tools)), servers=servers))
        return False
    known = read_whole_review(read_text(path), place=str(path))
    new = [tool.name for tool in tools if tool.name not in known.tools]
    if new:
        note(f"{path} says nothing of {', '.join(new[:5])}{' …' if len(new) > 5 else ''}")
    if known.manifest_hash not in (None, manifest_hash(tools)):
        note(f'{path} was written for other tools; once reviewed: manifest_hash = "{manifest_hash(tools)}"')
    return True


def _as_before(tools: tuple[ToolEntry, ...], earlier: Path) -> tuple[ToolEntry, ...]:
    """Return the tools as an earlier review says they are; those it does not know stay proposed."""
    names = {tool.name for tool in tools}
    said = read_review(read_text(earlier), place=str(earlier))
    return reviewed(tools, {name: words for name, words in said.items() if name in names})
