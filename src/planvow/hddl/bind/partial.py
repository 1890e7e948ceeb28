"""Partially ordered networks in an engine that does one thing after another.

The task `(":htn", entries, order)` holds what is still to be done: entries `(path, name, arguments…)` and pairs of
paths that must come one before the other. A step of it takes an entry that nothing stands before: an action is done,
or a compound task is replaced by the subtasks of a method, in place. Paths say where in the decomposition an entry
belongs (`(0, 2)` is the third subtask of the first root task), so the tree can be read off the run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from planvow.hddl.bind.facts import Facts
from planvow.hddl.language.formula import Formula, Parameter
from planvow.hddl.language.model import HddlDomain, HddlMethod, HddlProblem, TaskNetwork
from planvow.kernel.domain.domain import Domain

ROOT = ":htn"
PERFORM = "perform"

Path = tuple[int, ...]
Entry = tuple[Any, ...]
Pair = tuple[Path, Path]


def add_partial_order(
    domain: Domain,
    facts: Facts,
    problem: HddlProblem,
    root: HddlMethod,
    conditions_of: Callable[[HddlDomain, HddlMethod], tuple[Formula, ...]],
) -> tuple[Any, ...]:
    """Declare the task `:htn` and return the item that starts it."""
    actions = problem.domain.action_named

    def done(state: Any, entries: tuple[Entry, ...], order: tuple[Pair, ...]) -> Any:
        return None if entries else []

    def perform(state: Any, entries: tuple[Entry, ...], order: tuple[Pair, ...]) -> Iterator[list[Any]]:
        for entry in free_entries(entries, order):
            if entry[1] in actions:
                yield [(entry[1], *entry[2:]), (ROOT, *_replaced(entries, order, entry, (), ()))]

    domain.method(task=ROOT, name="done")(done)
    domain.method(task=ROOT, name=PERFORM)(perform)
    for method in problem.domain.methods:
        name, number = f"{method.task}: {method.name}", 1
        while any(held.name == name for held in domain.task_methods[ROOT]):
            number += 1
            name = f"{method.task}: {method.name} #{number}"
        declared = problem.domain.task_named[method.task].parameters
        conditions = conditions_of(problem.domain, method)
        domain.method(task=ROOT, name=name)(_decompose(facts, declared, method, conditions))
    start: Entry = ((), root.task)
    domain.method(task=ROOT, name=root.name)(_decompose(facts, (), root, conditions_of(problem.domain, root)))
    return (ROOT, (start,), ())


def _decompose(
    facts: Facts, declared: tuple[Parameter, ...], method: HddlMethod, conditions: tuple[Formula, ...]
) -> Callable[..., Iterator[list[Any]]]:
    free = {parameter.name: parameter for parameter in method.parameters}

    def function(state: Any, entries: tuple[Entry, ...], order: tuple[Pair, ...]) -> Iterator[list[Any]]:
        for entry in free_entries(entries, order):
            if entry[1] != method.task:
                continue
            binding = _head(facts, declared, method, entry[2:])
            if binding is None:
                continue
            path: Path = entry[0]
            for full in facts.solutions(conditions, free, binding, state):
                parts = tuple(
                    ((*path, index), subtask.task, *(full.get(term, term) for term in subtask.arguments))
                    for index, subtask in enumerate(method.network.subtasks)
                )
                yield [(ROOT, *_replaced(entries, order, entry, parts, _pairs(path, method.network)))]

    return function


def _head(
    facts: Facts, declared: tuple[Parameter, ...], method: HddlMethod, arguments: tuple[str, ...]
) -> dict[str, str] | None:
    """Bind the variables of a method's head to the arguments of a task, or return None when they do not fit."""
    if not all(facts.has_types(argument, parameter.types) for parameter, argument in zip(declared, arguments)):
        return None
    types = {parameter.name: parameter.types for parameter in method.parameters}
    binding: dict[str, str] = {}
    for term, argument in zip(method.arguments, arguments):
        if term[0] != "?":
            if term != argument:
                return None
        elif binding.setdefault(term, argument) != argument or not facts.has_types(argument, types[term]):
            return None
    return binding


def free_entries(entries: tuple[Entry, ...], order: tuple[Pair, ...]) -> list[Entry]:
    """Return the entries that nothing stands before."""
    later = {second for _, second in order}
    return [entry for entry in entries if entry[0] not in later]


def _pairs(path: Path, network: TaskNetwork) -> tuple[Pair, ...]:
    return tuple(((*path, first), (*path, second)) for first, second in network.ordering)


def _replaced(
    entries: tuple[Entry, ...], order: tuple[Pair, ...], gone: Entry, parts: tuple[Entry, ...], inner: tuple[Pair, ...]
) -> tuple[tuple[Entry, ...], tuple[Pair, ...]]:
    """Put parts in the place of an entry that nothing stands before; all that came after it comes after them."""
    position = entries.index(gone)
    after = [second for first, second in order if first == gone[0]]
    kept = [pair for pair in order if pair[0] != gone[0]]
    pairs = (*kept, *inner, *((part[0], second) for part in parts for second in after))
    return (*entries[:position], *parts, *entries[position + 1 :]), pairs
