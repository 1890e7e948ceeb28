"""Write the files that are made from code. Tests fail when one of them is out of date.

Made so far: the error reference, the table of troubleshooting, the tree drawn at the top of `errors.py`, the JSON
Schemas, the rooms in ARCHITECTURE.md, the page of conformance, and the table of forged certificates.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from importlib import import_module
from pathlib import Path

from planvow.adapters.documents.error_index import errors_page, errors_table, errors_tree
from planvow.adapters.documents.goal_schemas import goal_schema_text, goal_schemas
from planvow.adapters.documents.json_schemas import SCHEMAS as CONTRACT_SCHEMAS
from planvow.adapters.documents.json_schemas import made_schema, operation_schemas
from planvow.adapters.http.description import openapi
from planvow.contract.checking.schema import CERTIFICATE_SCHEMA
from planvow.governed.compile.schemas import SCHEMAS

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))


def generated_files() -> dict[Path, str]:
    """Return every generated file with the text it should have."""
    import conformance  # beside this file, however this one was loaded

    return {
        ROOT / "ARCHITECTURE.md": _architecture(),
        ROOT / "docs/conformance.md": conformance.page(),
        ROOT / "docs/explanation/certificates.md": _certificates_page(),
        ROOT / "docs/reference/errors.md": errors_page(),
        ROOT / "docs/reference/troubleshooting.md": _between(
            "docs/reference/troubleshooting.md", "<!-- codes: written by scripts/generate.py -->", errors_table()
        ),
        **{ROOT / f"src/planvow/schemas/{name}.schema.json": made_schema(name) for name in CONTRACT_SCHEMAS},
        **{ROOT / f"src/planvow/schemas/{name}.schema.json": goal_schema_text(name) for name in goal_schemas()},
        **{ROOT / f"src/planvow/schemas/{name}.schema.json": text for name, text in operation_schemas().items()},
        ROOT / "src/planvow/schemas/certificate.schema.json": _schema_text(CERTIFICATE_SCHEMA),
        ROOT / "src/planvow/schemas/openapi.json": _schema_text(openapi()),
        ROOT / "src/planvow/errors.py": _with_tree(ROOT / "src/planvow/errors.py"),
        **{ROOT / f"src/planvow/schemas/{name}.schema.json": _schema_text(schema) for name, schema in SCHEMAS.items()},
    }


def _schema_text(schema: object) -> str:
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def _with_tree(path: Path) -> str:
    tree = errors_tree()
    return re.sub(r"^    PlanvowError .*?(?=\n\n)", lambda _: tree, path.read_text("utf-8"), count=1, flags=re.M | re.S)


def _between(page: str, mark: str, made: str) -> str:
    """Return a page with what stands behind a mark, to its end, made anew."""
    before, _, _ = (ROOT / page).read_text("utf-8").partition(mark)
    return f"{before}{mark}\n\n{made}\n"


FORGERIES = "<!-- forgeries: written by scripts/generate.py from bench/forgeries*.py -->", "<!-- end of forgeries -->"


def _certificates_page() -> str:
    """The page on certificates with the table of the forgeries that the bench makes."""
    sys.path.insert(0, str(ROOT / "bench"))
    try:
        kinds = import_module("forgeries").KINDS
        import_module("forgeries_contract")  # declares its own among them
    finally:
        sys.path.pop(0)
    text = (ROOT / "docs/explanation/certificates.md").read_text("utf-8")
    before, rest = text.split(FORGERIES[0], 1)
    _, after = rest.split(FORGERIES[1], 1)
    subjects = {"derivation": "plan of a domain", "contract": "contract plan"}
    rows = [f"| {subjects[k.subject]} | {k.name} | {k.level} | {', '.join(k.named)} |" for k in kinds]
    table = "| certificate of a | forgery | caught at | named |\n|---|---|---|---|\n" + "\n".join(rows)
    return f"{before}{FORGERIES[0]}\n\n{table}\n\n{FORGERIES[1]}{after}"


LAYERS = (
    "",
    "temporal",
    "kernel",
    "beliefs",
    "compat",
    "hddl",
    "contract",
    "tools",
    "cassette",
    "goals",
    "governed",
    "debate",
    "agent",
    "service",
    "adapters",
)
MARKS = "<!-- rooms: made by scripts/generate.py from the rooms' docstrings -->", "<!-- end of rooms -->"


def _architecture() -> str:
    """ARCHITECTURE.md with a line for every room, layer by layer, from its docstring."""
    text = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    before, rest = text.split(MARKS[0], 1)
    _, after = rest.split(MARKS[1], 1)
    return f"{before}{MARKS[0]}\n{''.join(_rooms(layer) for layer in LAYERS)}\n{MARKS[1]}{after}"


def _rooms(layer: str) -> str:
    package = ROOT / "src/planvow" / layer
    rooms = [package] if not layer else sorted(init.parent for init in package.rglob("__init__.py"))
    rows = [f"| `{room.relative_to(ROOT / 'src/planvow')}/` | {_doc(room)} |" for room in rooms if room != package]
    table = "\n| room | what lives there |\n|---|---|\n" + "\n".join(rows) + "\n" if rows else ""
    modules = ", ".join(f"`{path.stem}`" for path in sorted(package.glob("*.py")) if not path.stem.startswith("_"))
    return f"\n### {layer or 'base'}\n\n{_doc(package)}{f' Modules: {modules}.' if modules else ''}\n{table}"


def _doc(room: Path) -> str:
    """The docstring of a room's door without its examples, on one line."""
    text = ast.get_docstring(ast.parse((room / "__init__.py").read_text("utf-8"))) or ""
    prose = [part for part in text.split("\n\n") if not part.startswith(("    ", "```"))][:2]
    return " ".join(" ".join(prose).split()).replace("|", "\\|")


def main() -> None:
    for path, text in generated_files().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        print(f"wrote {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
