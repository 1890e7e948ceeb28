"""The rooms inside the packages: few modules each, a sentence at the door, and no two that need each other."""

from __future__ import annotations

import ast
from collections import defaultdict
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src"
MODULES = {
    ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted((SOURCE / "planvow").rglob("*.py"))
}
ROOMS = sorted({path.parent for path in MODULES.values()})
MOST_MODULES = 15
BY_STRING = {  # the front doors' lazy tables, and names that a user or a table hands over
    "planvow._lazy",
    "planvow.contract",
    "planvow.contract.planners.registry",
    "planvow.adapters.cli.frame.lazy",
    "planvow.adapters.documents.error_index",
    "planvow.adapters.documents.json_schemas",
    "planvow.adapters.models.anthropic_client",
    "planvow.adapters.models.openai_client",
    "planvow.adapters.testing.fresh_child",
}


def imports_of(path: Path) -> set[str]:
    """Return the modules of planvow that a module imports: at the top, inside functions, and for types alone."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names if alias.name in MODULES}
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {
                name if name in MODULES else node.module for name in inner if name in MODULES or node.module in MODULES
            }
    return found


def room_of(module: str) -> Path:
    return MODULES[module].parent


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: str(room.relative_to(SOURCE)))
def test_a_room_holds_at_most_fifteen_modules(room):
    assert len([path for path in room.glob("*.py") if path.name != "__init__.py"]) <= MOST_MODULES


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: str(room.relative_to(SOURCE)))
def test_a_room_says_at_the_door_what_lives_there(room):
    assert len(ast.get_docstring(ast.parse((room / "__init__.py").read_text("utf-8"))) or "") >= 20


def test_no_two_rooms_need_each_other():
    # A package's front door re-exports what its rooms hold, so it is no room of its own; nor is the program's start.
    needs = defaultdict(set)
    for module, path in MODULES.items():
        if path.name in ("__init__.py", "__main__.py"):
            continue
        others = {room_of(name) for name in imports_of(path) if MODULES[name].name != "__init__.py"}
        needs[room_of(module)] |= others - {room_of(module)}
    try:
        list(TopologicalSorter(needs).static_order())
    except CycleError as error:
        circle = " → ".join(str(room.relative_to(SOURCE)) for room in error.args[1])
        raise AssertionError(f"rooms need each other: {circle}") from None


def test_nothing_is_imported_by_string_but_by_the_tables_of_front_doors():
    users = {module for module, path in MODULES.items() if "import_module" in path.read_text("utf-8")}
    assert users == BY_STRING
