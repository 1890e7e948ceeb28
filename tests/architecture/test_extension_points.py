"""What people extend is declared in one place, and a half-added planner, command, error or format is found here.

Operations of governed requests have their own file, `tests/unit/governed/test_operation_kinds.py`; the recipes are in
CONTRIBUTING.md.
"""

from __future__ import annotations

import re
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from planvow.adapters.cli.frame import typer_later as typer
from planvow.adapters.cli.main import COMMANDS
from planvow.adapters.documents.error_index import load_all_errors
from planvow.contract.failure import PlannerErrorCode
from planvow.contract.interface.interface import DeterminismMode
from planvow.contract.planners.registry import GROUP
from planvow.debate.export import FORMATS
from source_code import modules

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
DOCS = "\n".join(path.read_text("utf-8") for path in PAGES)
WRAPPERS = {
    "MemoPlanner",
    "ModelPlanner",
    "PlannerInterface",
}  # made around a planner or a client, not asked for by name
PLANNERS = {point.name: point for point in entry_points(group=GROUP) if point.value.startswith("planvow.")}
COMMAND_MODULES = {name: entry.module for section in COMMANDS.values() for name, entry in section.items()}


def _stands(words):
    """Say whether the pages have these words; asked here, so that a failure does not print all pages."""
    return words in DOCS


def classes():
    return [(module, written) for module in modules().values() for written in module.classes]


@pytest.mark.parametrize("planner_id", PLANNERS)
def test_a_declared_planner_says_what_it_promises_and_costs(planner_id):
    planner = PLANNERS[planner_id].load()
    assert isinstance(planner.determinism, DeterminismMode)
    assert set(planner.cost_model) >= {"base_cents"}
    assert _stands(f"| `{planner_id}` |"), "a row for it is missing in docs/howto/write-a-planner.md"


def test_every_class_with_the_form_of_a_planner_is_declared():
    written = {
        f"{module.name}:{written.name}"
        for module, written in classes()
        if {"plan", "get_determinism_mode"} <= written.functions and written.name not in WRAPPERS
    }
    assert written <= {point.value for point in PLANNERS.values()}


@pytest.mark.parametrize("name", COMMAND_MODULES)
def test_a_declared_command_can_be_loaded_and_is_documented(name):
    application = import_module(f"planvow.adapters.cli.{COMMAND_MODULES[name]}").app
    assert isinstance(application, typer.Typer)
    assert _stands(f"planvow {name}") or _stands(f"\n$ {name} "), f"no page of the docs shows planvow {name}"


def test_every_module_with_commands_belongs_to_a_declared_one():
    room = "planvow.adapters.cli."
    with_app = {name for name, module in modules().items() if name.startswith(room) and "app" in module.assigned}
    with_app -= {f"{room}main"}
    reached = {f"{room}{module}" for module in COMMAND_MODULES.values()}
    for module in sorted(reached):  # groups put further modules together
        taken = [(name, part) for name, part in modules()[module].imports if part]
        reached |= {word for name, part in taken for word in (name, f"{name}.{part}")}
    assert with_app <= reached


def test_errors_are_declared_in_modules_called_errors():
    names = {cls.__name__ for cls in load_all_errors()}
    astray = [
        f"{module.name}.{written.name}"
        for module, written in classes()
        if module.path.name != "errors.py" and written.bases & names
    ]
    assert astray == []


def test_no_two_errors_share_a_name_or_a_code():
    for what in ("__name__", "code"):
        given = [getattr(cls, what) for cls in load_all_errors()]
        assert sorted({word for word in given if given.count(word) > 1}) == []


def test_every_error_is_raised_or_raised_in_another_form():
    """An error that is a leaf of the tree is named somewhere outside the modules that declare errors."""
    used = {
        word
        for module in modules().values()
        if module.path.name != "errors.py" or module.name == "planvow.errors"
        for word in module.words
    }
    codes = {code.value for code in PlannerErrorCode}  # these are raised by code, from an answer that holds one
    unused = [cls for cls in load_all_errors() if not cls.__subclasses__() and cls.__name__ not in used]
    assert [cls.__name__ for cls in unused if cls.code not in codes] == []


@pytest.mark.parametrize("name", FORMATS)
def test_a_declared_format_names_its_files_and_is_documented(name):
    declared = FORMATS[name]
    assert re.fullmatch(r"[a-z]+(\.[a-z]+)*", declared.extension)
    assert re.fullmatch(r"(application|text)/[a-z+-]+", declared.media_type)
    page = "docs/howto/analyse-a-debate.md"
    found = re.search(rf"^\| [^|]*`{name}`", (ROOT / page).read_text("utf-8"), flags=re.MULTILINE)
    assert found is not None, f"a row for it is missing in {page}"


def test_no_two_formats_write_files_of_one_name():
    extensions = [declared.extension for declared in FORMATS.values()]
    assert sorted(set(extensions)) == sorted(extensions)
