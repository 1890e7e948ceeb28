"""What the tests of the architecture ask about the modules of `src`, read from each once.

Only the answers are kept. A thousand syntax trees would stay in memory until the last test, and the garbage collector
would walk them again and again.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cache
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2] / "src"


@dataclass(frozen=True)
class Written:
    """A class as it is written: its name, the plain names it is derived from, and its own functions."""

    name: str
    bases: frozenset[str]
    functions: frozenset[str]


@dataclass(frozen=True)
class Module:
    """A module: its door sentence, what it imports anywhere, and the words it uses."""

    name: str
    path: Path
    text: str
    docstring: str
    imports: tuple[tuple[str, str | None], ...]
    """(module, None) for `import module`, (module, name) for `from module import name`; types and lazy ones too."""
    words: frozenset[str]
    """Every name and attribute that stands in it."""
    calls: frozenset[str]
    """The plain names it calls."""
    assigned: frozenset[str]
    """The names that are set at its top."""
    classes: tuple[Written, ...]


def _name(path: Path) -> str:
    return ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")


def _class(node: ast.ClassDef) -> Written:
    bases = frozenset(base.id for base in node.bases if isinstance(base, ast.Name))
    return Written(node.name, bases, frozenset(part.name for part in node.body if isinstance(part, ast.FunctionDef)))


def _imports(node: ast.Import | ast.ImportFrom) -> list[tuple[str, str | None]]:
    if isinstance(node, ast.Import):
        return [(alias.name, None) for alias in node.names]
    return [(node.module, alias.name) for alias in node.names] if node.module and node.level == 0 else []


def _read(path: Path) -> Module:
    text = path.read_text("utf-8")
    tree = ast.parse(text)
    imports, words, calls, classes = [], set(), set(), []
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            words.add(node.id)
        elif isinstance(node, ast.Attribute):
            words.add(node.attr)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            calls.add(node.func.id)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            imports += _imports(node)
        elif isinstance(node, ast.ClassDef):
            classes.append(_class(node))
    targets = [node.targets[0] for node in tree.body if isinstance(node, ast.Assign)]
    return Module(
        name=_name(path),
        path=path,
        text=text,
        docstring=ast.get_docstring(tree) or "",
        imports=tuple(imports),
        words=frozenset(words),
        calls=frozenset(calls),
        assigned=frozenset(target.id for target in targets if isinstance(target, ast.Name)),
        classes=tuple(classes),
    )


@cache
def modules() -> dict[str, Module]:
    """Return every module of `src` by its dotted name."""
    found = (_read(path) for path in sorted((SOURCE / "planvow").rglob("*.py")))
    return {module.name: module for module in found}
