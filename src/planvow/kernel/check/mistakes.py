"""Finding mistakes in a domain before it plans, by reading its functions' source.

Three kinds. **Names**: an item that a method returns or the agenda holds and nothing handles, a task that nothing asks
for, a predicate that no state has, names so alike that one may be a slip. **Shapes**: an item with more or fewer
arguments than its functions take, a command that forgets to return. **Determinism**: clocks, chance, and walking
through a set, whose order differs from run to run. What cannot be read from the source is not judged.
"""

from __future__ import annotations

import ast
import difflib
from collections.abc import Callable, Iterable, Iterator

from planvow.errors import did_you_mean
from planvow.kernel.check.source import (
    Source,
    accepts,
    asked_classes,
    returned,
    signature_text,
    state_uses,
    with_helpers,
)
from planvow.kernel.check.steadiness import clocks_and_chance, walked_sets
from planvow.kernel.domain.domain import Domain
from planvow.kernel.domain.finding import ERROR, WARNING, Finding
from planvow.kernel.domain.terms import Annotated, MultiGoal
from planvow.kernel.world.state import State

_NEARLY_EQUAL = 0.87
_MOST_ARGUMENTS = 20


def check_domain(domain: Domain, todo: Iterable[object] = (), states: Iterable[State] = ()) -> list[Finding]:
    """Return what is wrong or suspicious in a domain, in the order of its declarations.

    `todo` are the items that agendas will hold, `states` those that planning will start from; without them, what is
    unreachable or misspelt there is not known.
    """
    todo = [item.item if isinstance(item, Annotated) else item for item in todo]
    methods = [Source.of(m.name, m.function) for m in domain.methods()]
    commands = [Source.of(c.name, c.model) for c in domain.commands.values()]
    runtimes = [Source.of(c.name, c.runtime) for c in domain.commands.values() if c.runtime is not None]
    findings = [*_unknown_items(domain, methods), *_unknown_in_agenda(domain, todo), *_returnless(commands)]
    findings += _foreign_states((*methods, *commands, *runtimes))
    findings += [*_wrong_shapes(domain), *_wrong_counts(domain, methods, todo)]
    findings += _unknown_predicates((*methods, *commands), list(states))
    findings += [*_unasked_tasks(domain, methods, todo), *_clashes(domain)]
    for source in with_helpers((*methods, *commands)):
        findings += _unsteady(source)
    for source in with_helpers(
        runtimes
    ):  # acting may look at the clock; but not walk through sets in an order of chance
        findings += [f for f in _unsteady(source) if f.code == "SET_ORDER"]
    return findings


def _unknown_items(domain: Domain, sources: Iterable[Source]) -> Iterator[Finding]:
    known = set(domain.names())
    for source in sources:
        for item in returned(source):
            if item.name not in known:
                message = f"method {source.name!r} returns {item.name!r}, which no command or method handles"
                message += _meant(item.name, known)
                yield Finding(code="UNKNOWN_ITEM", severity=ERROR, message=message, place=source.place(item.node))


def _unknown_in_agenda(domain: Domain, todo: list[object]) -> Iterator[Finding]:
    known = set(domain.names())
    names = [item[0] for item in todo if isinstance(item, tuple) and item and isinstance(item[0], str)]
    if not domain.multigoal_methods:
        names += [goal.predicate for item in todo if isinstance(item, MultiGoal) for goal in item.goals()]
    for name in dict.fromkeys(names):
        if name not in known:
            message = f"the agenda asks for {name!r}, which no command or method handles{_meant(name, known)}"
            yield Finding(code="UNKNOWN_ITEM", severity=ERROR, message=message, place=domain.name)


def _meant(name: str, known: Iterable[str]) -> str:
    hint = did_you_mean(name, sorted(known))
    return f"; {hint}" if hint else ""


def _wrong_shapes(domain: Domain) -> Iterator[Finding]:
    """Functions that cannot be called as the engine calls them."""
    calls = [
        (f"command {c.name!r}", c.model, "(state, …)", _takes_the_state(c.model)) for c in domain.commands.values()
    ]
    for method in domain.methods():
        function, what = method.function, f"{method.kind} method {method.name!r}"
        if method.kind == "goal":
            calls.append((what, function, "(state, subject, value)", accepts(function, 2)))
        elif method.kind == "multigoal":
            calls.append((what, function, "(state, multigoal)", accepts(function, 1)))
        else:
            calls.append((what, function, "(state, …)", _takes_the_state(function)))
    for what, function, called_as, fits in calls:
        if not fits:
            message = f"{what} is called as {called_as}, but it takes {signature_text(function)}"
            place = Source.of(what, function).place()
            yield Finding(code="WRONG_ARGUMENTS", severity=ERROR, message=message, place=place)


def _takes_the_state(function: Callable[..., object]) -> bool:
    return any(accepts(function, count) for count in range(_MOST_ARGUMENTS))


def _wrong_counts(domain: Domain, sources: Iterable[Source], todo: list[object]) -> Iterator[Finding]:
    """Items with a number of arguments that what handles them does not take."""
    handlers: dict[str, list[tuple[str, Callable[..., object]]]] = {
        name: [(f"method {m.name!r}", m.function) for m in methods] for name, methods in domain.task_methods.items()
    }
    handlers |= {name: [(f"command {name!r}", command.model)] for name, command in domain.commands.items()}

    def wrong(name: str, count: int | None) -> str | None:
        for what, function in handlers.get(name, ()):
            if count is not None and _takes_the_state(function) and not accepts(function, count):
                return f"{what} takes {signature_text(function, after=1)}"
        is_goal = name in domain.goal_methods and name not in handlers
        return "a goal has a subject and a value" if is_goal and count not in (None, 2) else None

    for source in sources:
        for found in returned(source):
            reason = wrong(found.name, found.arguments)
            if reason is not None:
                message = f"method {source.name!r} returns {found.name!r} with {_count(found.arguments)}, but {reason}"
                yield Finding(code="WRONG_ARGUMENTS", severity=ERROR, message=message, place=source.place(found.node))
    for item in todo:
        if isinstance(item, tuple) and item and isinstance(item[0], str):
            reason = wrong(item[0], len(item) - 1)
            if reason is not None:
                message = f"the agenda asks for {item[0]!r} with {_count(len(item) - 1)}, but {reason}"
                yield Finding(code="WRONG_ARGUMENTS", severity=ERROR, message=message, place=domain.name)


def _count(arguments: int | None) -> str:
    return f"{arguments} argument{'' if arguments == 1 else 's'}"


def _unknown_predicates(sources: Iterable[Source], states: list[State]) -> Iterator[Finding]:
    """Predicates that functions use, that no state to start from has and that nothing makes."""
    if not states:
        return
    uses = [(source, use) for source in sources for use in state_uses(source)]
    made = {use.predicate for source in with_helpers(sources) for use in state_uses(source) if use.makes_it}
    known = {predicate for state in states for predicate, _, _ in type(state).triples(state)}
    known |= {use.predicate for _, use in uses if any(use.predicate in state for state in states)} | made
    for source, use in uses:
        if use.predicate in known or any(hasattr(type(state), use.predicate) for state in states):
            continue
        meant = _meant(use.predicate, known)
        whose = "the state of this file's problem" if len(states) == 1 else "any state of this file's problems"
        message = f"{source.name!r} uses the predicate {use.predicate!r}, which is not in {whose}{meant}"
        severity = ERROR if meant else WARNING
        yield Finding(code="UNKNOWN_PREDICATE", severity=severity, message=message, place=source.place(use.node))


def _returnless(commands: Iterable[Source]) -> Iterator[Finding]:
    """Commands that return refusals at most: planning takes their None for "not applicable", always."""
    for source in commands:
        function = source.tree.body[0] if isinstance(source.tree, ast.Module) and source.tree.body else None
        if not isinstance(function, ast.FunctionDef):
            continue
        if not any(isinstance(node, ast.Raise) or _gives_something(node) for node in ast.walk(function)):
            message = f"command {source.name!r} never returns a state: end it with `return state`, or it never applies"
            yield Finding(code="NO_RETURN", severity=ERROR, message=message, place=source.place(function))


def _gives_something(node: ast.AST) -> bool:
    """Say whether this returns anything that may be more than a refusal."""
    if not isinstance(node, ast.Return) or node.value is None:
        return False
    if isinstance(node.value, ast.Call):
        called = node.value.func
        return getattr(called, "id", getattr(called, "attr", "")) != "refuse"
    return not (isinstance(node.value, ast.Constant) and not node.value.value)


def _foreign_states(sources: Iterable[Source]) -> Iterator[Finding]:
    """Functions that take the state only if it is of a class of another planner, which it never is."""
    for source in sources:
        for node, kind in asked_classes(source):
            if not issubclass(State, kind):
                message = f"{source.name!r} asks whether the state is a {kind.__module__}.{kind.__qualname__}, "
                message += "which it never is: write `from planvow import State` there"
                yield Finding(code="FOREIGN_STATE", severity=ERROR, message=message, place=source.place(node))


def _unasked_tasks(domain: Domain, sources: list[Source], todo: list[object]) -> Iterator[Finding]:
    agenda = [item[0] for item in todo if isinstance(item, tuple | list) and item]
    if not agenda:  # any task may be an entry: nothing is known to be unreachable
        return
    if any(source.tree is None for source in sources):
        return
    asked = {item.name for source in sources for item in returned(source)} | set(agenda)
    for task, methods in domain.task_methods.items():
        if task not in asked:
            place = Source.of(methods[0].name, methods[0].function).place()
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


def _unsteady(source: Source) -> Iterator[Finding]:
    for node, culprit in clocks_and_chance(source):
        message = f"{source.name!r} calls {culprit}: the same input would not give the same plan"
        yield Finding(code="CLOCK_OR_CHANCE", severity=ERROR, message=message, place=source.place(node))
    for node in walked_sets(source):
        message = f"{source.name!r} walks through a set, whose order differs between runs; use sorted(...)"
        yield Finding(code="SET_ORDER", severity=ERROR, message=message, place=source.place(node))
