"""The clauses of the seeds as data: read `docs/conformance/*.toml` and make the page that people read.

A row says where a clause lives and which tests show it. A row may carry mutants: changes of one text in one module that
break the clause, after which one of the row's tests fails (`bench/conformance_mutants.py` tries them).
"""

from __future__ import annotations

import textwrap
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src/planvow"
WIDTH = 100

HEAD = """\
# Conformance

Every clause of the five seed documents: what it says, where it lives, which tests show it. Made by
`python scripts/generate.py` from [docs/conformance](conformance); change it there. Modules are
paths below `src/planvow` (or of the repository), tests are pytest node ids. Where a row ends with
"broken on trial", `bench/conformance_mutants.py` breaks the clause in so many ways and sees a test
of the row fail each time.
"""


@dataclass(frozen=True)
class Mutant:
    """A change of one text in one module that breaks a clause."""

    file: str
    find: str
    replace: str


@dataclass(frozen=True)
class Row:
    """One clause of a seed: what it says in our words, where it lives, what shows it."""

    id: str
    section: str
    says: str
    modules: tuple[str, ...]
    tests: tuple[str, ...]
    mutants: tuple[Mutant, ...] = ()


@dataclass(frozen=True)
class Seed:
    """A seed document: the clauses it has, and a row for each."""

    seed: str
    title: str
    clauses: tuple[str, ...]
    rows: tuple[Row, ...]


def seeds() -> list[Seed]:
    """Return every seed in order; a key that nobody knows is a TypeError."""
    return [_seed(tomllib.loads(path.read_text("utf-8"))) for path in sorted(ROOT.glob("docs/conformance/*.toml"))]


def place(module: str) -> Path:
    """Return the path of a module as a row names it."""
    return ROOT / module if module.startswith(("scripts/", "tests/")) else SOURCE / module


def page() -> str:
    """Return docs/conformance.md, grouped by seed and section, no line wider than a screen."""
    parts = [HEAD]
    for seed in seeds():
        parts.append(f"\n## Seed {seed.seed}: {seed.title}\n")
        for section, rows in groupby(seed.rows, key=lambda row: row.section):
            parts.append(f"\n### {section}\n")
            parts.extend(_shown(row) for row in rows)
    return "".join(parts)


def _seed(document: dict[str, Any]) -> Seed:
    rows = tuple(_row(**row) for row in document.pop("row"))
    return Seed(clauses=tuple(document.pop("clauses")), rows=rows, **document)


def _row(*, modules: list[str], tests: list[str], mutants: Sequence[dict[str, str]] = (), **rest: str) -> Row:
    return Row(modules=tuple(modules), tests=tuple(tests), mutants=tuple(Mutant(**each) for each in mutants), **rest)


def _shown(row: Row) -> str:
    says = textwrap.fill(f"**{row.id}**: {row.says}", WIDTH, break_long_words=False, break_on_hyphens=False)
    modules = textwrap.fill(", ".join(f"`{module}`" for module in row.modules), WIDTH - 2, subsequent_indent="  ")
    lines = ["", says, "", f"- {modules}"]
    for file, tests in groupby(row.tests, key=lambda test: test.split("::")[0]):
        lines.append(f"- `{file}`")
        lines.extend(f"  - `{test.split('::', 1)[1]}`" for test in tests)
    if row.mutants:
        lines.append(f"- broken on trial: {len(row.mutants)}")
    return "\n".join(lines) + "\n"
