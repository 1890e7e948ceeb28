"""The reference of the Python interface, made from the live objects: names, signatures and docstrings of every door."""

from __future__ import annotations

import ast
import dataclasses
import enum
import inspect
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

import api  # noqa: E402

WORLD = (
    "In the examples `travel` is the domain of the [first page](../../index.md), `start` a state with ann at home, "
    '`todo` is `[("travel", "ann", "park")]` and `result` what `plan(travel, start, todo)` returned.'
)
_MOST_SHOWN = 200  # characters of a value
_ROLE = re.compile(r"``([^`]+)``")


def pages() -> Iterator[tuple[str, str]]:
    """Yield the page of every door, and the list of them."""
    doors = [door for door in api.doors() if getattr(import_module(door), "__all__", ())]
    rows = [f"| [`{door}`]({door}.md) | {_line(import_module(door))} |" for door in doors]
    head = (
        "# The Python interface\n\nWhat is listed here is public and [stays](../deprecation.md); "
        "everything else may change in any release.\n\n| package | what it is |\n|---|---|\n"
    )
    yield "reference/python/index.md", head + "\n".join(rows) + "\n"
    for door in doors:
        yield f"reference/python/{door}.md", "\n\n".join(_door(door)) + "\n"


def _line(module: Any) -> str:
    first = (inspect.getdoc(module) or "").partition("\n\n")[0]
    return " ".join(first.split()).replace("|", "\\|")


def _door(door: str) -> Iterator[str]:
    module = import_module(door)
    yield f"# {door}"
    yield markdown(inspect.getdoc(module) or "")
    yield WORLD
    for name in sorted(module.__all__, key=str.casefold):
        yield from _entry(door, name, getattr(module, name))


def _entry(door: str, name: str, value: Any) -> Iterator[str]:
    yield f"## {name.replace('__', chr(92) + '_' + chr(92) + '_')}"
    if inspect.isclass(value) and issubclass(value, enum.Enum):
        yield markdown(inspect.getdoc(value) or "")
        yield f"One of {', '.join(f'`{member}`' for member in value.__members__)}."
    elif inspect.isclass(value):
        yield _signature(name, value)
        if value.__name__ != name:
            yield f"Another name of `{value.__name__}`."
        yield markdown(inspect.getdoc(value) or "")
        yield from _fields(value)
        yield from _members(value)
    elif inspect.isroutine(value):
        yield _signature(name, value)
        yield markdown(inspect.getdoc(value) or "")
    else:
        shown = repr(value)
        if len(shown) <= _MOST_SHOWN and " at 0x" not in shown:
            yield f"```python\n{name} = {shown}\n```"
        yield markdown(said_below(door, name))


def _fields(cls: type) -> Iterator[str]:
    """What the fields of a data class are for, from the texts that stand below them in its source."""
    if not dataclasses.is_dataclass(cls):
        return
    said: dict[str, str] = {}
    for ancestor in reversed(cls.__mro__):
        said |= _texts_in_class(ancestor)
    rows = [
        f"| `{field.name}` | `{_type(field.type)}` | {' '.join(said.get(field.name, '').split())} |"
        for field in dataclasses.fields(cls)
        if not field.name.startswith("_")
    ]
    if rows:
        yield "| field | type | |\n|---|---|---|\n" + "\n".join(rows)


def _members(cls: type) -> Iterator[str]:
    fields = {field.name for field in dataclasses.fields(cls)} if dataclasses.is_dataclass(cls) else set()
    for name, held in vars(cls).items():
        inner = held.__func__ if isinstance(held, classmethod | staticmethod) else held
        text = inspect.getdoc(inner) if callable(inner) or isinstance(inner, property) else None
        if name.startswith("_") or name in fields or not text:
            continue
        yield f"### {cls.__name__}.{name}"
        if callable(inner):
            yield _signature(name, inner)
        yield markdown(text)


class _Text(str):
    """An annotation that was written as text: shown as it was written."""

    def __repr__(self) -> str:
        return str(self)


def _signature(name: str, value: Any) -> str:
    """A signature as people write it: one line where it fits, else one argument a line."""
    try:
        formal = inspect.signature(value)
    except (TypeError, ValueError):
        return f"```python\n{name}(…)\n```"
    parameters = [each.replace(annotation=_written(each.annotation)) for each in formal.parameters.values()]
    parameters = [each for each in parameters if each.name not in ("self", "cls")]
    if inspect.isclass(value):
        formal = formal.replace(return_annotation=formal.empty)
    formal = formal.replace(parameters=parameters, return_annotation=_written(formal.return_annotation))
    line = f"{name}{_clean(str(formal))}"
    if len(line) > 88:
        arguments, star = [], False
        for each in parameters:
            if each.kind is each.KEYWORD_ONLY and not star:
                arguments.append("*")
            star = star or each.kind in (each.KEYWORD_ONLY, each.VAR_POSITIONAL)
            arguments.append(_clean(str(each)))
        result = line.rpartition(" -> ")[2] if formal.return_annotation is not formal.empty else ""
        line = f"{name}(\n" + "".join(f"    {argument},\n" for argument in arguments) + f"){result and f' -> {result}'}"
    return f"```python\n{line}\n```"


def _written(annotation: Any) -> Any:
    return _Text(annotation) if isinstance(annotation, str) else annotation


def _clean(text: str) -> str:
    return re.sub(r"<factory>|<[\w. ]+ object at 0x\w+>|<function [^>]+>|<class '[^']+'>", "…", text)


def _type(annotation: Any) -> str:
    text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    return text.replace("|", "\\|")


def markdown(text: str) -> str:
    """A docstring as Markdown: what is indented or follows `>>>` is code."""
    parts = []
    for part in text.split("\n\n"):
        if part.lstrip().startswith(">>>"):
            parts.append(f"```pycon\n{inspect.cleandoc(part)}\n```")
        elif part.startswith("    "):
            parts.append(f"```python\n{inspect.cleandoc(part)}\n```")
        else:
            parts.append(_ROLE.sub(r"`\1`", part))
    return "\n\n".join(parts).replace("\n```\n\n```python\n", "\n\n")


def said_below(door: str, name: str) -> str:
    """Return the text below the assignment of a constant, where the module that makes it has one."""
    module = import_module(door)
    homes = {
        alias.name: str(found.module)
        for found in ast.walk(ast.parse(inspect.getsource(module)))
        if isinstance(found, ast.ImportFrom)
        for alias in found.names
    }
    if name in homes:  # a room's door passes on what one of its modules makes
        return said_below(homes[name], name)
    return _texts(ast.parse(inspect.getsource(module)).body).get(name, "")


def _texts_in_class(cls: type) -> dict[str, str]:
    try:
        [tree] = ast.parse(inspect.cleandoc(inspect.getsource(cls))).body
    except (OSError, TypeError, SyntaxError, ValueError):
        return {}
    return _texts(tree.body) if isinstance(tree, ast.ClassDef) else {}


def _texts(body: list[ast.stmt]) -> dict[str, str]:
    found = {}
    for statement, after in pairwise(body):
        targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
        said = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant) and after.value.value
        for target in targets:
            if isinstance(target, ast.Name) and isinstance(said, str):
                found[target.id] = inspect.cleandoc(said)
    return found
