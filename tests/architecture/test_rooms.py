"""The rooms inside the packages: few modules each, a sentence at the door, and no two that need each other."""

from __future__ import annotations

from collections import defaultdict
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

from source_code import SOURCE, Module, modules

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


def rooms() -> dict[Path, list[Module]]:
    found = defaultdict(list)
    for module in modules().values():
        found[module.path.parent].append(module)
    return found


def imports_of(module: Module) -> set[str]:
    """Return the modules of planvow that a module imports: at the top, inside functions, and for types alone."""
    inner = {f"{name}.{part}" if f"{name}.{part}" in modules() else name for name, part in module.imports}
    return inner & modules().keys()


def test_a_room_holds_at_most_fifteen_modules():
    counts = {room: sum(module.path.name != "__init__.py" for module in inside) for room, inside in rooms().items()}
    assert {room: count for room, count in counts.items() if count > MOST_MODULES} == {}


def test_a_room_says_at_the_door_what_lives_there():
    doors = {module.path.parent: module.docstring for module in modules().values() if module.path.name == "__init__.py"}
    assert [room for room in rooms() if len(doors.get(room, "")) < 20] == []


def test_no_two_rooms_need_each_other():
    # A package's front door re-exports what its rooms hold, so it is no room of its own; nor is the program's start.
    needs = defaultdict(set)
    for room, inside in rooms().items():
        for module in inside:
            if module.path.name not in ("__init__.py", "__main__.py"):
                others = (modules()[name].path for name in imports_of(module))
                needs[room] |= {path.parent for path in others if path.name != "__init__.py"} - {room}
    try:
        list(TopologicalSorter(needs).static_order())
    except CycleError as error:
        circle = " → ".join(str(room.relative_to(SOURCE)) for room in error.args[1])
        raise AssertionError(f"rooms need each other: {circle}") from None


def test_nothing_is_imported_by_string_but_by_the_tables_of_front_doors():
    assert {name for name, module in modules().items() if "import_module" in module.text} == BY_STRING
