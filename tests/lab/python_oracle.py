"""The definitions of a Python text as the interpreter's own parser sees them: what the scanner is held to."""

from __future__ import annotations

import ast

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def parsed_definitions(text: str) -> list[tuple[tuple[str, ...], int, int]]:
    """Return path, first line and end of every definition; overloads and the parts of a property are one."""
    found: list[tuple[tuple[str, ...], int, int]] = []
    _walk(ast.parse(text), (), found)
    return found


def _walk(node: ast.AST, above: tuple[str, ...], found: list[tuple[tuple[str, ...], int, int]]) -> None:
    for _, value in ast.iter_fields(node):
        before = None
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST):
                continue
            if isinstance(child, DEFINITIONS):
                path = (*above, child.name)
                start = min([child.lineno, *(d.lineno for d in child.decorator_list)]) - 1
                if before is not None and before[0].name == child.name and _one_with(before[0], child):
                    position = before[1]
                    found[position] = (path, found[position][1], child.end_lineno)
                else:
                    position = len(found)
                    found.append((path, start, child.end_lineno))
                _walk(child, path, found)
                before = (child, position)
            else:
                before = None
                _walk(child, above, found)


def _one_with(before: ast.AST, child: ast.AST) -> bool:
    overloaded = any(_dotted(d).split(".")[-1] == "overload" for d in before.decorator_list)
    return overloaded or any(_dotted(d).startswith(f"{child.name}.") for d in child.decorator_list)


def _dotted(node: ast.AST) -> str:
    node = node.func if isinstance(node, ast.Call) else node
    return ast.unparse(node)
