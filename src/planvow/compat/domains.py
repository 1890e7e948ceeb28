"""Domains of the peers as domains of the kernel, and plans of the kernel as the peers give them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from planvow.kernel.answer.result import Result
from planvow.kernel.domain.domain import Command, Domain, Method
from planvow.kernel.errors import DomainFunctionError
from planvow.kernel.search.watcher import Trail
from planvow.kernel.world.variable import entries

Function = Callable[..., Any]


def kernel_domain(
    name: str,
    *,
    actions: Mapping[str, Function],
    tasks: Mapping[str, Iterable[Function]],
    goals: Mapping[str, Iterable[Function]],
    multigoals: Iterable[tuple[Function, str | None]] = (),
    costs: Mapping[str, float] | None = None,
) -> Domain:
    """Build a domain from functions; those that share a name, such as lambdas, get numbers after it.

    A name that is an action is no task and no goal, as in the peers' order of look-up.
    """
    domain = Domain(name)
    for called, function in actions.items():
        cost = (costs or {}).get(called, 1)
        domain.commands[called] = Command(name=called, model=function, cost=cost)
    for kind, table, given in (("task", domain.task_methods, tasks), ("goal", domain.goal_methods, goals)):
        for subject, functions in given.items():
            if subject not in actions:
                table[subject] = [
                    Method(name=called, function=function, subject=subject, kind=kind)
                    for called, function in _named(functions)
                ]
    tagged = list(multigoals)
    names = [called for called, _ in _named(function for function, _ in tagged)]
    domain.multigoal_methods = [
        Method(name=called, function=function, subject="", kind="multigoal", tag=tag)
        for called, (function, tag) in zip(names, tagged, strict=True)
    ]
    return domain


def _named(functions: Iterable[Function]) -> Iterator[tuple[str, Function]]:
    seen: dict[str, int] = {}
    for function in functions:
        called = getattr(function, "__name__", type(function).__name__)
        seen[called] = seen.get(called, 0) + 1
        yield called if seen[called] == 1 else f"{called}_{seen[called]}", function


def steps_that_change(result: Result) -> list[Any]:
    """Return the steps of a plan without those that leave the state as it is, which GTPyhop leaves out.

    What each step wrote is in the plan's history, so nothing is run again.
    """
    trail, history = Trail.of(result.trail), result.history
    if history is None:
        return list(trail.commands)
    marks, commands = history.marks, iter(trail.commands)
    ends = [*marks[1:], len(history.log)]
    return [
        step
        for how, start, end in zip(trail.hows, marks, ends, strict=True)
        if type(how) is Command
        for step in [next(commands)]
        if _is_changed(history.log, start, end)
    ]


def _is_changed(log: Any, start: int, end: int) -> bool:
    changes: dict[Any, tuple[Any, Any]] = {}
    for target, key, old, new in entries(log, start, end):
        place = id(target), key
        changes[place] = (changes[place][0] if place in changes else old, new)
    return any(old != new for old, new in changes.values())


@contextmanager
def errors_of_functions() -> Iterator[None]:
    """Let an exception of a domain's function through as it was raised, as the peers do."""
    try:
        yield
    except DomainFunctionError as error:
        if error.__cause__ is None:
            raise
        raise error.__cause__ from None
