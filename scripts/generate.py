"""Write the files that are made from code. Tests fail when one of them is out of date.

Made so far: the error reference, the tree drawn at the top of `errors.py`, the JSON Schemas, and the list of modules in
ARCHITECTURE.md.
"""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

from planvow.adapters.documents.error_index import errors_page, errors_tree
from planvow.adapters.documents.json_schemas import SCHEMAS as CONTRACT_SCHEMAS
from planvow.adapters.documents.json_schemas import made_schema
from planvow.contract.certificate.schema import CERTIFICATE_SCHEMA
from planvow.governed.compile.schemas import SCHEMAS

ROOT = Path(__file__).resolve().parent.parent


def generated_files() -> dict[Path, str]:
    """Return every generated file with the text it should have."""
    return {
        ROOT / "ARCHITECTURE.md": _architecture(),
        ROOT / "docs/reference/errors.md": errors_page(),
        **{ROOT / f"src/planvow/schemas/{name}.schema.json": made_schema(name) for name in CONTRACT_SCHEMAS},
        ROOT / "src/planvow/schemas/certificate.schema.json": _schema_text(CERTIFICATE_SCHEMA),
        ROOT / "src/planvow/errors.py": _with_tree(ROOT / "src/planvow/errors.py"),
        **{ROOT / f"src/planvow/schemas/{name}.schema.json": _schema_text(schema) for name, schema in SCHEMAS.items()},
    }


def _schema_text(schema: object) -> str:
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def _with_tree(path: Path) -> str:
    tree = errors_tree()
    return re.sub(r"^    PlanvowError .*?(?=\n\n)", lambda _: tree, path.read_text("utf-8"), count=1, flags=re.M | re.S)


LAYERS = (
    "",
    "temporal",
    "kernel",
    "hddl",
    "beliefs",
    "contract",
    "cassette",
    "goals",
    "governed",
    "debate",
    "adapters",
)


def _architecture() -> str:
    """ARCHITECTURE.md with the first line of every module's docstring, layer by layer."""
    text = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    before, rest = text.split("docstrings -->\n", 1)
    _, after = rest.split("<!-- end of modules -->", 1)
    source = ROOT / "src/planvow"
    parts = []
    for layer in LAYERS:
        files = sorted(source.glob("*.py") if not layer else (source / layer).rglob("*.py"))
        rows = [f"| `{path.relative_to(source)}` | {_first_line(path)} |" for path in files if _first_line(path)]
        parts.append(f"\n### {layer or 'base'}\n\n| module | what it is |\n|---|---|\n" + "\n".join(rows) + "\n")
    return f"{before}docstrings -->\n{''.join(parts)}\n<!-- end of modules -->{after}"


def _first_line(path: Path) -> str:
    lines = (ast.get_docstring(ast.parse(path.read_text("utf-8"))) or "").splitlines()
    return lines[0].replace("|", "\\|") if lines else ""


def main() -> None:
    for path, text in generated_files().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        print(f"wrote {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
