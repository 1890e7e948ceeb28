"""The shape of the code base, held by tests: layers, module length, no prints, public names, generated files."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

from source_code import modules

ROOT = Path(__file__).resolve().parents[2]
MAX_LINES = 500
PURE = (
    "errors",
    "canonical",
    "budgets",
    "trace",
    "clock",
    "step",
    "retry",
    "execution",
    "verdict",
    "temporal",
    "kernel",
    "compat",
    "hddl",
    "contract",
)
PURE_APPLICATIONS = ("governed.compile.compiler", "goals.values", "goals.understand", "goals.plan")
MACHINE = {"time", "random", "uuid", "secrets", "os", "subprocess", "socket"}


def test_every_module_is_short_enough_to_hold_one_idea():
    assert [name for name, module in modules().items() if len(module.text.splitlines()) > MAX_LINES] == []


def test_nothing_prints_below_the_adapters():
    below = [module for name, module in modules().items() if not name.startswith("planvow.adapters")]
    assert [module.name for module in below if "print" in module.calls] == []


def test_no_expression_repeats_a_group_possessively_which_early_pythons_misread():
    """Python 3.11.0 to 3.11.4 do not go back within such a group, so the same text would be read otherwise there."""
    possessive = re.compile(r"\)(?:[*+?]|\{\d*,?\d*\})\+|\(\?>")
    assert [name for name, module in modules().items() if possessive.search(module.text)] == []


def test_what_decides_a_plan_has_no_clock_no_chance_and_no_machine():
    pure = tuple(f"planvow.{name}" for name in (*PURE, *PURE_APPLICATIONS))
    decide = [module for name, module in modules().items() if name.startswith(pure)]
    assert len(decide) > len(pure)
    used = {module.name: {name.split(".")[0] for name, _ in module.imports} & MACHINE for module in decide}
    assert {name: machine for name, machine in used.items() if machine} == {}


def test_imports_go_downwards_only():
    done = subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command as c; c()", "--no-cache"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr


def test_import_planvow_loads_only_the_standard_library_and_rfc8785():
    code = (
        "import sys; before = set(sys.modules); import planvow; planvow.canonical_bytes\n"
        "new = {m.split('.')[0] for m in set(sys.modules) - before}\n"
        "print(sorted(m for m in new if m not in sys.stdlib_module_names))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert set(ast.literal_eval(done.stdout)) <= {"planvow", "rfc8785"}
    assert done.stderr == ""


def test_every_public_name_exists_and_there_are_at_most_thirty():
    import planvow

    assert len(planvow.__all__) <= 31  # thirty names and __version__
    for name in planvow.__all__:
        assert getattr(planvow, name) is not None


@pytest.mark.parametrize("package", ["planvow", "planvow.contract", "planvow.goals"])
def test_type_checkers_see_every_public_name_where_it_is_found_at_run_time(package):
    loaded = importlib.import_module(package)
    tree = ast.parse(Path(str(loaded.__file__)).read_text("utf-8"))
    blocks = [node for node in tree.body if isinstance(node, ast.If) and isinstance(node.test, ast.Name)]
    imports = [node for block in blocks for node in block.body if isinstance(node, ast.ImportFrom)]
    seen = {alias.name: str(node.module) for node in imports for alias in node.names if alias.name != "registry"}
    assert {name: home.removeprefix(f"{package}.") for name, home in seen.items()} == loaded._HOMES
    assert set(loaded._HOMES) == set(loaded.__all__) - {"__version__", "ClaudeAdapter", "registry"}


def test_generated_files_are_up_to_date():
    spec = importlib.util.spec_from_file_location("generate", ROOT / "scripts/generate.py")
    assert spec is not None
    assert spec.loader is not None
    generate = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generate)
    stale = [str(p.relative_to(ROOT)) for p, text in generate.generated_files().items() if p.read_text("utf-8") != text]
    assert stale == [], "run: python scripts/generate.py"


def test_every_error_has_its_own_code_and_an_explanation():
    from planvow.adapters.documents.error_index import load_all_errors

    errors = load_all_errors()
    codes = [cls.code for cls in errors]
    assert sorted(set(codes)) == sorted(codes)
    assert [cls.__name__ for cls in errors if len(cls.explanation()) < 40] == []
