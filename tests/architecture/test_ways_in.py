"""Every operation is declared once, and every way in has it or says why not."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path

import pytest

from planvow.adapters.cli.frame import typer_later as typer
from planvow.adapters.cli.governed.cortex import app as cortex
from planvow.adapters.cli.ledger.cassette import app as cassette
from planvow.adapters.cli.main import COMMANDS
from planvow.adapters.http.description import served
from planvow.adapters.mcp.tools import offered
from planvow.service.catalogue import OPERATIONS
from planvow.service.declare.operation import COMMAND_LINE, DOORS, HTTP, MCP, Operation

ROOT = Path(__file__).resolve().parents[2]
CLI = ROOT / "src/planvow/adapters/cli"
FRAMEWORKS = {"typer", "rich", "fastapi", "starlette", "uvicorn", "mcp", "mcp_types"}
MODULES = {name: entry.module for section in COMMANDS.values() for name, entry in section.items()}
LEAST_REASON = 15


def imported(path: Path) -> set[str]:
    """Return what a module imports, by full name, inside its functions too."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {f"{node.module}.{alias.name}" for alias in node.names} | {node.module}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return found


def reaches(path: Path, wanted: str, seen: set[Path] | None = None) -> bool:
    """Say whether a module of the command line imports something, itself or through its neighbours."""
    seen = seen if seen is not None else set()
    seen.add(path)
    names = imported(path)
    if wanted in names:
        return True
    neighbours = {CLI.joinpath(*name.split(".")[3:]).with_suffix(".py") for name in names if "adapters.cli." in name}
    return any(reaches(each, wanted, seen) for each in sorted(neighbours) if each.is_file() and each not in seen)


def module_of(command: str) -> Path:
    """Return the module of a command as people type it: `planvow plan`, `cassette post`, `cortex plan --dry-run`."""
    program, *words = command.split()
    if program == "planvow":
        return CLI / Path(*MODULES[words[0]].split(".")).with_suffix(".py")
    group: typer.Typer = {"cassette": cassette, "cortex": cortex}[program]
    for known in group.registered_commands:
        if known.name == words[0]:
            return Path(inspect.getfile(known.callback))
    (found,) = [each for each in group.registered_groups if each.name == words[0]]
    return Path(inspect.getfile(found.typer_instance.registered_callback.callback))


def lacking(operation: Operation) -> list[str]:
    """Return the ways in that neither have an operation nor say why not."""
    found = []
    for door in DOORS:
        reason = operation.missing.get(door)
        has = {
            COMMAND_LINE: bool(operation.commands),
            MCP: operation.name in offered(posting=True) and reason is None,
            HTTP: operation.name in routes() and reason is None,
        }[door]
        if has == (reason is not None) or (reason is not None and len(reason) < LEAST_REASON):
            found.append(door)
    return found


def routes() -> set[str]:
    """Return the operations that HTTP has."""
    return set(served())


@pytest.mark.parametrize("name", OPERATIONS)
def test_an_operation_has_every_way_in_or_says_why_not(name):
    assert lacking(OPERATIONS[name]) == []


@pytest.mark.parametrize(("name", "command"), [(n, c) for n, o in OPERATIONS.items() for c in o.commands])
def test_a_command_calls_the_operation_it_is_declared_for(name, command):
    function = OPERATIONS[name].run
    path = module_of(command)
    assert reaches(path, function.__module__), f"{path} does not call {function.__module__}"


def test_control_an_operation_without_a_way_in_is_found():
    known = OPERATIONS["diff"]
    without = Operation(
        name="unheard",
        summary=known.summary,
        question=known.question,
        output=known.output,
        run=known.run,
        right=known.right,
        missing={HTTP: "no"},
    )
    assert lacking(without) == list(DOORS)


def test_the_service_knows_no_framework():
    for path in sorted((ROOT / "src/planvow/service").rglob("*.py")):
        assert not {name.split(".")[0] for name in imported(path)} & FRAMEWORKS, path


def test_mcp_holds_no_logic_of_planning():
    """The ways in read, call and write: of the layers below they import the service and the base."""
    allowed = {"adapters", "service", "errors", "_version"}
    for path in sorted((ROOT / "src/planvow/adapters/mcp").glob("*.py")):
        own = {name.split(".")[1] for name in imported(path) if name.startswith("planvow.")}
        assert own <= allowed, path
