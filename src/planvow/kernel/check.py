"""Finding mistakes in a domain before it plans, by reading its functions' source.

Two kinds. **Names**: an item that a method returns or the agenda holds and nothing handles, a task that nothing asks
for, names so alike that one may be a slip, a command that forgets to return. **Determinism**: clocks, chance, and
walking through a set, whose order differs from run to run. Source that cannot be read (a lambda in a larger
expression, a C function) is skipped; the checks that need it say nothing then.
"""

from __future__ import annotations

import ast
import difflib
import inspect
import textwrap
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from planvow.errors import did_you_mean

if TYPE_CHECKING:
    from planvow.kernel.domain import Domain

ERROR, WARNING = "error", "warning"
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
_ORDER_FREE = {"sorted", "min", "max", "len", "any", "all", "sum", "set", "frozenset", "bool"}
_NEARLY_EQUAL = 0.87


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One thing to mend, with the place of it."""

    code: str
    severity: str
    message: str
    place: str

    def __str__(self) -> str:
        return f"{self.place}: {self.severity}: {self.message}"


def check_domain(domain: Domain, todo: Iterable[Any] = ()) -> list[Finding]:
    """Return what is wrong or suspicious in a domain, in the order of its declarations."""
    todo = list(todo)
    sources = [_Source.of(m.name, m.function) for m in domain.methods()]
    commands = [_Source.of(c.name, c.model) for c in domain.commands.values()]
    runtimes = [_Source.of(c.name, c.runtime) for c in domain.commands.values() if c.runtime is not None]
    findings = [*_unknown_items(domain, sources), *_unknown_in_agenda(domain, todo), *_returnless(commands)]
    findings += [*_unasked_tasks(domain, sources, todo), *_clashes(domain)]
    for source in (*sources, *commands):
        findings += _unsteady(source)
    for source in runtimes:  # acting may look at the clock; but not walk through sets in an order of chance
        findings += [f for f in _unsteady(source) if f.code == "SET_ORDER"]
    return findings


@dataclass(frozen=True, kw_only=True)
class _Source:
    """A domain function with its syntax tree, if its source can be read."""

    name: str
    function: Callable[..., Any]
    tree: ast.AST | None
    file: str
    first_line: int

    @classmethod
    def of(cls, name: str, function: Callable[..., Any]) -> _Source:
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


def _unknown_items(domain: Domain, sources: Iterable[_Source]) -> Iterator[Finding]:
    known = set(domain.names())
    for source in sources:
        for name, node in _returned_names(source):
            if name not in known:
                message = f"method {source.name!r} returns {name!r}, which no command or method handles"
                message += _meant(name, known)
                yield Finding(code="UNKNOWN_ITEM", severity=ERROR, message=message, place=source.place(node))


def _unknown_in_agenda(domain: Domain, todo: list[Any]) -> Iterator[Finding]:
    known = set(domain.names())
    for item in todo:
        if isinstance(item, tuple) and item and isinstance(item[0], str) and item[0] not in known:
            message = f"the agenda asks for {item[0]!r}, which no command or method handles{_meant(item[0], known)}"
            yield Finding(code="UNKNOWN_ITEM", severity=ERROR, message=message, place=domain.name)


def _meant(name: str, known: set[str]) -> str:
    hint = did_you_mean(name, known)
    return f"; {hint}" if hint else ""


def _returnless(commands: Iterable[_Source]) -> Iterator[Finding]:
    """Commands without any `return`: planning takes their None for "not applicable", always."""
    for source in commands:
        function = source.tree.body[0] if isinstance(source.tree, ast.Module) and source.tree.body else None
        if not isinstance(function, ast.FunctionDef):
            continue
        if not any(isinstance(node, ast.Return | ast.Raise) for node in ast.walk(function)):
            message = f"command {source.name!r} never returns: end it with `return state`, or it never applies"
            yield Finding(code="NO_RETURN", severity=ERROR, message=message, place=source.place(function))


def _unasked_tasks(domain: Domain, sources: list[_Source], todo: Iterable[Any]) -> Iterator[Finding]:
    agenda = [item[0] for item in todo if isinstance(item, tuple | list) and item]
    if not agenda:  # any task may be an entry: nothing is known to be unreachable
        return
    if any(source.tree is None for source in sources):
        return
    asked = {name for source in sources for name, _ in _returned_names(source)} | set(agenda)
    for task, methods in domain.task_methods.items():
        if task not in asked:
            place = _Source.of(methods[0].name, methods[0].function).place()
            message = f"task {task!r} is neither in the agenda nor returned by any method: its methods are never used"
            yield Finding(code="UNREACHABLE", severity=WARNING, message=message, place=place)


def _clashes(domain: Domain) -> Iterator[Finding]:
    names = domain.names()
    for name in sorted({name for name in names if names.count(name) > 1}):
        message = f"{name!r} is both a predicate with goal methods and a command or task; plain tuples mean the latter"
        yield Finding(code="NAME_CLASH", severity=WARNING, message=message, place=domain.name)
    distinct = sorted(set(names))
    for i, one in enumerate(distinct):
        for other in distinct[i + 1 :]:
            if _differ_by_a_slip(one, other):
                message = f"{one!r} and {other!r} are spelt almost alike: is one a slip?"
                yield Finding(code="NEAR_MISS", severity=WARNING, message=message, place=domain.name)


def _differ_by_a_slip(one: str, other: str) -> bool:
    if min(len(one), len(other)) < 5 or one.rstrip("0123456789") == other.rstrip("0123456789"):
        return False
    return difflib.SequenceMatcher(None, one, other).ratio() > _NEARLY_EQUAL and abs(len(one) - len(other)) <= 1


def _returned_names(source: _Source) -> Iterator[tuple[str, ast.AST]]:
    """Yield the names of items in lists that a method returns or yields, directly or through a variable."""
    if source.tree is None:
        return
    results = [n.value for n in ast.walk(source.tree) if isinstance(n, ast.Return | ast.Yield) and n.value is not None]
    results += [n.body for n in ast.walk(source.tree) if isinstance(n, ast.Lambda)]
    names = {n.id for result in results for n in ast.walk(result) if isinstance(n, ast.Name)}
    for node in ast.walk(source.tree):
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
            for part in parts:
                if isinstance(part, ast.Tuple) and part.elts and isinstance(part.elts[0], ast.Constant):
                    name = part.elts[0].value
                    if isinstance(name, str):
                        yield name, part


def _is_growing(function: ast.Attribute, names: set[str]) -> bool:
    is_ours = isinstance(function.value, ast.Name) and function.value.id in names
    return is_ours and function.attr in ("append", "extend", "insert")


def _unsteady(source: _Source) -> Iterator[Finding]:
    if source.tree is None:
        return
    scope = getattr(source.function, "__globals__", {})
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Call):
            culprit = _clock_or_chance(node.func, scope)
            if culprit is not None:
                message = f"{source.name!r} calls {culprit}: the same input would not give the same plan"
                yield Finding(code="CLOCK_OR_CHANCE", severity=ERROR, message=message, place=source.place(node))
    for node in _walked_sets(source.tree):
        message = f"{source.name!r} walks through a set, whose order differs between runs; use sorted(...)"
        yield Finding(code="SET_ORDER", severity=ERROR, message=message, place=source.place(node))


def _clock_or_chance(function: ast.expr, scope: dict[str, Any]) -> str | None:
    """Return the dotted name of a call that reads a clock or chance, or None."""
    parts: list[str] = []
    while isinstance(function, ast.Attribute):
        parts.append(function.attr)
        function = function.value
    if not isinstance(function, ast.Name):
        return None
    dotted = ".".join([function.id, *reversed(parts)])
    target = scope.get(function.id)
    home = target.__name__ if inspect.ismodule(target) else getattr(target, "__module__", None)
    last = parts[0] if parts else function.id
    if home not in _UNSTEADY_MODULES or last in _STEADY:
        return None
    if home == "datetime" and last not in ("now", "today", "utcnow"):
        return None
    return dotted


def _walked_sets(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield sets whose order can reach a result: in a `for`, a comprehension, or a call that keeps the order."""
    free: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _ORDER_FREE:
            free |= {id(part) for argument in node.args for part in ast.walk(argument)}
        elif isinstance(node, ast.SetComp):
            free |= {id(part) for part in ast.walk(node)}
    for node in ast.walk(tree):
        if id(node) in free:
            continue
        if isinstance(node, ast.For | ast.comprehension) and _is_set(node.iter) and id(node.iter) not in free:
            yield node.iter
        elif (
            isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("list", "tuple", "iter")
        ):
            yield from (argument for argument in node.args if _is_set(argument))
        elif isinstance(node, ast.Starred) and _is_set(node.value):
            yield node.value


def _is_set(node: ast.expr) -> bool:
    if isinstance(node, ast.Set | ast.SetComp):
        return True
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("set", "frozenset")
