"""A domain function as text: its syntax tree, the items it returns, and what it does with the state.

Source that cannot be read (a lambda in a larger expression, a C function) has no tree, and nothing is said of it. What
is found is what stands there literally: a name or a number of arguments that is computed is left alone.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from types import FunctionType
from typing import NamedTuple

_BY_NAME = {"get_predicate": 1, "set_predicate": 1, "has": 1, "remove": 1, "get_metadata": 1}
"""Functions of a state that take a predicate by name, and at which place."""


class Returned(NamedTuple):
    """An item that a method returns."""

    name: str
    arguments: int | None
    """How many arguments it has; None where they are not written out one by one."""
    node: ast.AST


class Use(NamedTuple):
    """A predicate that a function reads or writes."""

    predicate: str
    makes_it: bool
    """Whether the predicate exists afterwards even if it did not before: `state.day = 3`."""
    node: ast.AST


@dataclass(frozen=True, kw_only=True)
class Source:
    """A function with its syntax tree, if its source can be read."""

    name: str
    function: Callable[..., object]
    tree: ast.AST | None
    file: str
    first_line: int

    @classmethod
    def of(cls, name: str, function: Callable[..., object]) -> Source:
        code = getattr(function, "__code__", None)
        file, line = (code.co_filename, code.co_firstlineno) if code is not None else ("", 0)
        try:
            lines, line = inspect.getsourcelines(function)
            tree: ast.AST | None = ast.parse(textwrap.dedent("".join(lines)))
        except (OSError, TypeError, SyntaxError, ValueError):
            tree = None
        return cls(name=name, function=function, tree=tree, file=file, first_line=line)

    def place(self, node: ast.AST | None = None) -> str:
        return f"{self.file}:{self.first_line + getattr(node, 'lineno', 1) - 1}" if self.file else self.name

    def nodes(self) -> Iterator[ast.AST]:
        return iter(()) if self.tree is None else ast.walk(self.tree)


def with_helpers(sources: Iterable[Source]) -> list[Source]:
    """Return the functions and those of the same files that they call, however far down."""
    found = list(sources)
    known = {source.function for source in found}
    for source in found:  # grows while it is walked
        scope = getattr(source.function, "__globals__", {})
        for node in source.nodes():
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
                continue
            target = scope.get(node.func.id)
            if not isinstance(target, FunctionType) or target in known:
                continue
            if target.__code__.co_filename == source.file:
                known.add(target)
                found.append(Source.of(target.__name__, target))
    return found


def accepts(function: Callable[..., object], arguments: int) -> bool:
    """Whether a function can be called with the state and so many arguments."""
    try:
        inspect.signature(function).bind(*range(arguments + 1))
    except TypeError:
        return False
    except ValueError:  # no signature can be read
        return True
    return True


def signature_text(function: Callable[..., object], *, after: int = 0) -> str:
    """Return the names of a function's parameters in parentheses, without the first `after` of them."""
    parameters = list(inspect.signature(function).parameters.values())[after:]
    return f"({', '.join(str(p).partition(':')[0].partition('=')[0] for p in parameters)})"


def returned(source: Source) -> Iterator[Returned]:
    """Yield the items in lists that a method returns or yields, directly or through a variable."""
    results = [n.value for n in source.nodes() if isinstance(n, ast.Return | ast.Yield) and n.value is not None]
    results += [n.body for n in source.nodes() if isinstance(n, ast.Lambda)]
    names = {n.id for result in results for n in ast.walk(result) if isinstance(n, ast.Name)}
    for node in source.nodes():
        targets = node.targets if isinstance(node, ast.Assign) else []
        if isinstance(node, ast.AugAssign):
            targets = [node.target]
        if any(isinstance(target, ast.Name) and target.id in names for target in targets):
            results.append(node.value)  # type: ignore[attr-defined]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and _is_growing(node.func, names):
            results.append(ast.List(elts=node.args, ctx=ast.Load()))
    for result in results:
        for node in ast.walk(result):
            parts = node.elts if isinstance(node, ast.List) else []
            if isinstance(node, ast.ListComp | ast.GeneratorExp):
                parts = [node.elt]
            yield from (item for part in parts if (item := _item(part)) is not None)


def _item(part: ast.expr) -> Returned | None:
    is_wrapped = isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id == "attach_metadata"
    if is_wrapped and part.args:  # type: ignore[attr-defined]
        part = part.args[0]  # type: ignore[attr-defined]
    if not (isinstance(part, ast.Tuple) and part.elts and isinstance(part.elts[0], ast.Constant)):
        return None
    name, arguments = part.elts[0].value, part.elts[1:]
    if not isinstance(name, str):
        return None
    is_written_out = not any(isinstance(argument, ast.Starred) for argument in arguments)
    return Returned(name, len(arguments) if is_written_out else None, part)


def _is_growing(function: ast.Attribute, names: set[str]) -> bool:
    is_ours = isinstance(function.value, ast.Name) and function.value.id in names
    return is_ours and function.attr in ("append", "extend", "insert")


def _state_name(source: Source) -> str | None:
    """Return what a function calls the state: its first parameter."""
    function = next((n for n in source.nodes() if isinstance(n, ast.FunctionDef | ast.Lambda)), None)
    parameters = [] if function is None else [*function.args.posonlyargs, *function.args.args]
    return parameters[0].arg if parameters else None


def asked_classes(source: Source) -> Iterator[tuple[ast.AST, type]]:
    """Yield the classes that a function asks the state for: `isinstance(state, State)`."""
    state, scope = _state_name(source), getattr(source.function, "__globals__", {})
    for node in source.nodes():
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "isinstance"):
            continue
        match node.args:
            case [ast.Name(id=name), ast.Name(id=asked)] if name == state:
                kind = scope.get(asked)
            case [ast.Name(id=name), ast.Attribute(value=ast.Name(id=module), attr=asked)] if name == state:
                kind = getattr(scope.get(module), asked, None)
            case _:
                continue
        if isinstance(kind, type):
            yield node, kind


def state_uses(source: Source) -> Iterator[Use]:
    """Yield the predicates that a function reads or writes through its first parameter."""
    state = _state_name(source)
    if state is None:
        return
    called = {id(n.func) for n in source.nodes() if isinstance(n, ast.Call)}
    for node in source.nodes():
        if not (isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == state):
            continue
        if id(node) not in called and not node.attr.startswith("_"):
            yield Use(node.attr, isinstance(node.ctx, ast.Store), node)
    for node in source.nodes():
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            continue
        place = _BY_NAME.get(node.func.attr)
        is_state = isinstance(node.func.value, ast.Name) and node.func.value.id == state
        if place is None or not is_state or len(node.args) <= place:
            continue
        predicate = node.args[place]
        if isinstance(predicate, ast.Constant) and isinstance(predicate.value, str):
            yield Use(predicate.value, node.func.attr == "set_predicate", node)
