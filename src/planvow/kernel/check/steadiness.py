"""Finding what makes a domain function give another answer to the same question: clocks, chance, the order of sets.

Read from the source of the function and of its helpers in the same file. What a name stands for is looked up in the
function's globals and in the imports inside it.
"""

from __future__ import annotations

import ast
import builtins
import inspect
from collections.abc import Iterator
from types import ModuleType, SimpleNamespace

from planvow.kernel.check.source import Source

_UNSTEADY_MODULES = {"time", "datetime", "random", "uuid", "secrets"}
_STEADY = {
    "timedelta",
    "date",
    "strptime",
    "fromisoformat",
    "fromtimestamp",
    "UUID",
    "uuid5",
    "uuid3",
    "timezone",
    "UTC",
}
_UNSTEADY_OF_OS = {"urandom", "getpid", "getrandom", "getenv", "environ", "times", "getloadavg"}
_UNSTEADY_BUILTINS = {"id", "input", "hash"}
_ORDER_FREE = {"sorted", "min", "max", "len", "any", "all", "sum", "set", "frozenset", "bool"}
_ORDER_KEEPING = {"list", "tuple", "iter", "enumerate", "zip", "map", "filter"}
_SET_FUNCTIONS = {"union", "intersection", "difference", "symmetric_difference"}


def clocks_and_chance(source: Source) -> Iterator[tuple[ast.AST, str]]:
    """Yield the places where a function asks a clock, chance or the machine, with the name it calls."""
    scope = {**getattr(source.function, "__globals__", {}), **_imported_inside(source)}
    for node in source.nodes():
        if isinstance(node, ast.Call):
            culprit = _clock_or_chance(node.func, scope)
            if culprit is not None:
                yield node, culprit
        elif isinstance(node, ast.Subscript) and _dotted(node.value, scope) == (scope.get("os"), ["environ"]):
            yield node, "os.environ"


def _imported_inside(source: Source) -> dict[str, object]:
    """Return what the imports within a function bind: stand-ins that know the module and nothing else."""
    found: dict[str, object] = {}
    for node in source.nodes():
        if isinstance(node, ast.Import):
            found |= {alias.asname or alias.name: ModuleType(alias.name) for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {alias.asname or alias.name: SimpleNamespace(__module__=node.module) for alias in node.names}
    return found


def _dotted(node: ast.expr, scope: dict[str, object]) -> tuple[object, list[str]]:
    """Return what the first name of `a.b.c` stands for, and the names after it."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return (scope.get(node.id) if isinstance(node, ast.Name) else None), parts[::-1]


def _clock_or_chance(function: ast.expr, scope: dict[str, object]) -> str | None:
    """Return the dotted name of a call that reads a clock, chance or the machine, or None."""
    target, parts = _dotted(function, scope)
    first = function
    while isinstance(first, ast.Attribute):
        first = first.value
    if not isinstance(first, ast.Name):
        return None
    dotted, last = ".".join([first.id, *parts]), parts[-1] if parts else first.id
    if target is None:
        is_built_in = not parts and first.id in _UNSTEADY_BUILTINS and hasattr(builtins, first.id)
        return dotted if is_built_in else None
    home = target.__name__ if isinstance(target, ModuleType) else getattr(target, "__module__", None)
    if home in ("os", "posix", "nt") or (inspect.ismodule(target) and target.__name__ == "os"):
        return dotted if _UNSTEADY_OF_OS & {last, *parts} else None
    if home not in _UNSTEADY_MODULES or last in _STEADY:
        return None
    if home == "datetime" and last not in ("now", "today", "utcnow"):
        return None
    return dotted


def walked_sets(source: Source) -> Iterator[ast.AST]:
    """Yield sets whose order can reach a result: in a loop, a comprehension, or a call that keeps the order."""
    sets = _Sets(source)
    free: set[int] = set()
    for node in source.nodes():
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _ORDER_FREE:
            free |= {id(part) for argument in node.args for part in ast.walk(argument)}
        elif isinstance(node, ast.SetComp):
            free |= {id(part) for part in ast.walk(node)}
    for node in source.nodes():
        if id(node) in free:
            continue
        if isinstance(node, ast.For | ast.comprehension) and id(node.iter) not in free:
            walked: list[ast.expr] = [node.iter]
        elif isinstance(node, ast.Starred):
            walked = [node.value]
        elif isinstance(node, ast.Call):
            walked = _walked_by(node)
        else:
            continue
        yield from (part for part in walked if part in sets)


def _walked_by(call: ast.Call) -> list[ast.expr]:
    """Return what a call goes through in order: `list(x)`, `", ".join(x)`, `x.pop()`."""
    if isinstance(call.func, ast.Name):
        return call.args if call.func.id in _ORDER_KEEPING else []
    if isinstance(call.func, ast.Attribute) and call.func.attr == "pop" and not call.args:
        return [call.func.value]
    return call.args if isinstance(call.func, ast.Attribute) and call.func.attr == "join" else []


class _Sets:
    """Which expressions of a function are sets: written as one, made by one, or a variable that only ever is one."""

    def __init__(self, source: Source) -> None:
        given: dict[str, list[ast.expr | None]] = {}
        for node in source.nodes():
            for bound, value in _bindings(node):
                given.setdefault(bound, []).append(value)
        self._variables: set[str] = set()
        for _ in range(2):  # a variable may be made from another
            for name, values in given.items():
                if all(value is not None and value in self for value in values):
                    self._variables.add(name)

    def __contains__(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Set | ast.SetComp):
            return True
        if isinstance(node, ast.Name):
            return node.id in self._variables
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitAnd | ast.BitOr | ast.BitXor | ast.Sub):
            return node.left in self or node.right in self
        if not isinstance(node, ast.Call):
            return False
        if isinstance(node.func, ast.Name):
            return node.func.id in ("set", "frozenset")
        return isinstance(node.func, ast.Attribute) and node.func.attr in _SET_FUNCTIONS and node.func.value in self


def _bindings(node: ast.AST) -> Iterator[tuple[str, ast.expr | None]]:
    """Yield the names that a statement binds, with the value where it is the whole of it."""
    if isinstance(node, ast.arg):
        yield node.arg, None
    elif isinstance(node, ast.Assign | ast.For | ast.comprehension | ast.NamedExpr | ast.AnnAssign):
        value = getattr(node, "value", None)
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            for part in ast.walk(target):
                if isinstance(part, ast.Name):
                    yield part.id, value if target is part else None
