"""Why a function returned None: which line it ended at, and which condition was in its way.

Functions written for other planners say that they do not apply by returning nothing. When a plan is explained, such a
function is called once more in the same state with its lines traced. The last line tells the rest: a condition that was
false, a `return None` under a condition that was true, or an end without `return`. The condition is evaluated again
with the function's own variables, part by part, so that the part which decided can be shown with its values.
"""

from __future__ import annotations

import ast
import inspect
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from types import CodeType, FrameType, GeneratorType
from typing import TYPE_CHECKING, Any

from planvow.kernel.domain.domain import Command
from planvow.kernel.domain.terms import written
from planvow.kernel.search.table import arguments
from planvow.kernel.world.in_place_changes import call
from planvow.kernel.world.state import State
from planvow.kernel.world.variable import undo_to

if TYPE_CHECKING:
    from _typeshed import TraceFunction

MOST = 20_000
"""Calls traced for one explanation; what returns nothing more often than that is told without its line."""
LONGEST = 60
"""Characters of a value that are shown."""
_UNKNOWN: object = object()


class Silences:
    """Asks functions that gave no reason for one."""

    def __init__(self) -> None:
        self._left = MOST

    def reason(self, state: State, how: Any, item: Any, otherwise: str) -> str:
        """Return why a command or method returned nothing in a state, or the other text when that cannot be seen."""
        self._left -= 1
        if self._left < 0:
            return otherwise
        function, mark = how.model if isinstance(how, Command) else how.function, len(state._log)
        end = _traced(function, state, arguments(item))
        undo_to(state._log, mark)
        return otherwise if end is None else _told(*end) or otherwise


def _traced(
    function: Callable[..., object], state: State, given: tuple[object, ...]
) -> tuple[CodeType, list[int], dict[str, object]] | None:
    """Call a function; return its code, the last lines that it ran, and its variables at the end."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    if code is None or code.co_name == "<lambda>":
        return None
    frames, ends, lines = list[FrameType](), list[tuple[CodeType, list[int], dict[str, object]]](), list[int]()

    def follow(frame: FrameType, event: str, argument: object) -> TraceFunction | None:
        if frame.f_code is not code or frames:  # what it calls, itself included, is its own affair
            return None
        frames.append(frame)
        lines.clear()
        return within

    def within(frame: FrameType, event: str, argument: object) -> TraceFunction:
        if event == "line":
            lines[:] = [*lines[-1:], frame.f_lineno]
        elif event == "return":
            ends[:] = [(code, [*lines, frame.f_lineno], {**frame.f_globals, **frame.f_locals})]
            frames.clear()
        return within

    before = sys.gettrace()
    sys.settrace(follow)
    try:
        answer = call(function, state, *given)
        if isinstance(answer, GeneratorType):
            next(answer, None)
    except Exception:
        return None
    finally:
        sys.settrace(before)
    return ends[0] if ends else None


def _told(code: CodeType, lines: list[int], names: Mapping[str, object]) -> str | None:
    """Return why a function ended at the last of some lines, in words."""
    line = lines[-1]
    parent, statement = _statement_at(code, line)
    if isinstance(statement, ast.If | ast.While):
        return _about(statement.test, names, line)
    if isinstance(statement, ast.For):
        return f"line {line}: nothing in `{ast.unparse(statement.iter)}` led to an answer"
    if isinstance(parent, ast.If | ast.While) and parent.lineno == line and not _value(parent.test, names):
        return _about(parent.test, names, line)  # `if …: return …` on one line, which was passed over
    if not isinstance(statement, ast.Return):
        return None if statement is None else f"it ended after line {line} without returning anything"
    value = statement.value
    if isinstance(value, ast.IfExp):
        return _about(value.test, names, line)
    if value is not None and not isinstance(value, ast.Constant):
        return f"line {line}: `{ast.unparse(value)}` gives nothing"
    # A bare `return None`: what decided is the condition before it, or else the one that it stands under.
    before = next((earlier for earlier in reversed(lines) if earlier != line), line)
    for test_line, condition in ((before, _statement_at(code, before)[1]), (line, parent)):
        if isinstance(condition, ast.If | ast.While):
            return _about(condition.test, names, test_line)
    return f"line {line} returns {'nothing' if value is None else ast.unparse(value)}"


def _statement_at(code: CodeType, line: int) -> tuple[ast.AST | None, ast.stmt | None]:
    """Return the innermost statement of a function at a line, after the one it stands in; (None, None) if unknown."""
    for parent, statement in reversed(_statements(code)):
        if statement.lineno <= line <= _last_line(statement):
            return parent, statement
    return None, None


def _about(test: ast.expr, names: Mapping[str, object], line: int) -> str:
    """Return which part of a condition decided, whether it was true, and with which values."""
    truth = _value(test, names)
    if truth is _UNKNOWN:
        return f"line {line}: `{ast.unparse(test)}` decided"
    part = _deciding(test, bool(truth), names)
    shown = ", ".join(_with_values(part, names))
    is_so = bool(_value(part, names))
    return f"line {line}: `{ast.unparse(part)}` is {'true' if is_so else 'false'}{f', {shown}' if shown else ''}"


def _deciding(test: ast.expr, truth: bool, names: Mapping[str, object]) -> ast.expr:
    """Return the part of a condition that decided: the first false one of an `and`, the first true one of an `or`."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) and isinstance(test.operand, ast.BoolOp):
        return _deciding(test.operand, not truth, names)
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or if truth else ast.And):
        for part in test.values:
            value = _value(part, names)
            if value is not _UNKNOWN and bool(value) is truth:
                return _deciding(part, truth, names)
    return test


def _with_values(part: ast.expr, names: Mapping[str, object]) -> Iterator[str]:
    """Yield what the operands of a comparison were, or the value that was asked for its truth."""
    if isinstance(part, ast.UnaryOp) and isinstance(part.op, ast.Not):
        part = part.operand
    operands = [part.left, *part.comparators] if isinstance(part, ast.Compare) else [part]
    for operand in operands:
        value = _UNKNOWN if isinstance(operand, ast.Constant) else _value(operand, names)
        if value is not _UNKNOWN and not (operand is part and isinstance(value, bool)):
            yield f"{ast.unparse(operand)} is {_shown(value)}"


def _shown(value: object) -> str:
    text = written(value)
    if " at 0x" in text:  # an address is another one in every process
        text = f"a {type(value).__name__}"
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _value(expression: ast.expr, names: Mapping[str, object]) -> object:
    """Evaluate a part of a condition once more, as the function did; functions are deterministic (ADR 0013)."""
    try:
        compiled = compile(ast.Expression(body=expression), "<condition>", "eval")
        # One dictionary for both, so that comprehensions see the function's variables.
        value = eval(compiled, dict(names))
        bool(value)
    except Exception:
        return _UNKNOWN
    return value


def _last_line(statement: ast.stmt) -> int:
    """Return the last line of a statement itself, without what stands below it."""
    if isinstance(statement, ast.If | ast.While):
        return statement.test.end_lineno or statement.lineno
    if isinstance(statement, ast.For):
        return statement.iter.end_lineno or statement.lineno
    return statement.end_lineno or statement.lineno


@lru_cache(maxsize=512)
def _statements(code: CodeType) -> list[tuple[ast.AST, ast.stmt]]:
    """Return the statements of a function, outer before inner, each with the one it stands in; needs its source."""
    try:
        lines, first = inspect.getsourcelines(code)
        tree = ast.parse(textwrap.dedent("".join(lines)))
    except (OSError, TypeError, SyntaxError, ValueError):
        return []
    ast.increment_lineno(tree, first - 1)
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == code.co_name]
    return list(_below(functions[0])) if functions else []


def _below(statement: ast.AST) -> Iterator[tuple[ast.AST, ast.stmt]]:
    for child in ast.iter_child_nodes(statement):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            continue
        if isinstance(child, ast.stmt):
            yield statement, child
        yield from _below(child)
