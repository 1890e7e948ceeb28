"""A proposed method is looked at, never run: what can be said of it from its text alone."""

from __future__ import annotations

import ast
import inspect

from planvow.contract.plan.validate import PlanProblem
from planvow.contract.planners.conversation import Problems, single
from planvow.kernel.domain.domain import Domain

_FORBIDDEN = (ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal, ast.AsyncFunctionDef, ast.Await, ast.ClassDef)
_CALLABLE = frozenset(
    {"len", "sorted", "min", "max", "sum", "any", "all", "range", "enumerate", "zip", "list", "tuple", "abs", "round"}
    | {"refuse"}
)
_MOST = 20_000


def method_problems(source: str, domain: Domain, task: str) -> Problems:
    """Return what is wrong with the text of a method: its shape, what it reaches for, and the tasks it names."""
    if len(source) > _MOST:
        return single("length", "$.source", f"the method is longer than {_MOST} characters")
    try:
        body = ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return single("syntax", "$.source", f"this is not Python: {error}"[:200])
    if len(body) != 1 or not isinstance(body[0], ast.FunctionDef) or body[0].decorator_list:
        return single("shape", "$.source", "exactly one function without decorators was expected")
    function = body[0]
    return (*_arity(function, domain, task), *_reaches(function), *_unknown_items(function, domain))


def _arity(function: ast.FunctionDef, domain: Domain, task: str) -> Problems:
    methods = domain.task_methods.get(task, ())
    if not methods:
        return ()
    wanted = len(inspect.signature(methods[0].function).parameters)
    given = len(function.args.posonlyargs) + len(function.args.args)
    if given == wanted:
        return ()
    return _at(function, "arity", f"methods of {task} take the state and {wanted - 1} arguments; this takes {given}")


def _reaches(function: ast.FunctionDef) -> Problems:
    """Return what a method has no business with: imports, other people's functions, hidden attributes."""
    found: list[PlanProblem] = []
    for node in ast.walk(function):
        if isinstance(node, _FORBIDDEN):
            found += _at(node, "forbidden", f"a method has no {type(node).__name__}")
        elif isinstance(node, ast.Attribute) and node.attr.startswith("_"):
            found += _at(node, "forbidden", f"a method does not reach for {node.attr}")
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id not in _CALLABLE:
            found += _at(node, "forbidden", f"a method does not call {node.func.id}")
    return tuple(found)


def _unknown_items(function: ast.FunctionDef, domain: Domain) -> Problems:
    """Return tasks and commands in returned lists that the domain does not have, or with other numbers of arguments."""
    counts = {name: _count(command.model) for name, command in domain.commands.items()}
    counts |= {name: _count(methods[0].function) for name, methods in domain.task_methods.items()}
    found: list[PlanProblem] = []
    for item in _returned_items(function):
        name, given = item.elts[0].value, len(item.elts) - 1  # type: ignore[attr-defined]
        if name not in counts:
            found += _at(item, "unknown_item", f"the domain {domain.name} has no task or command {name!r:.60}")
        elif given != counts[name] and not any(isinstance(part, ast.Starred) for part in item.elts):
            found += _at(item, "arity", f"{name} takes {counts[name]} arguments, here are {given}")
    return tuple(found)


def _returned_items(function: ast.FunctionDef) -> list[ast.Tuple]:
    """Return the tuples with a name in front that stand in lists which are returned."""
    returns = [node for node in ast.walk(function) if isinstance(node, ast.Return)]
    lists = [node for one in returns for node in ast.walk(one) if isinstance(node, ast.List)]
    tuples = [item for one in lists for item in one.elts if isinstance(item, ast.Tuple) and item.elts]
    return [item for item in tuples if isinstance(item.elts[0], ast.Constant)]


def _count(function: object) -> int:
    return len(inspect.signature(function).parameters) - 1  # type: ignore[arg-type]


def _at(node: ast.AST, code: str, message: str) -> Problems:
    return single(code, f"$.source line {getattr(node, 'lineno', 1)}", message)
