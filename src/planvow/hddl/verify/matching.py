"""Which part of a decomposition is which subtask of the method, and what that says about the method's variables.

The parts are taken in the order in which the plan lists them. A part can be any subtask of its name that is not taken
yet and whose predecessors are all taken, so a list that contradicts the ordering has no assignment. Part of the
verifier; shares no code with the solvers.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from planvow.errors import BudgetExceededError
from planvow.hddl.language.model import HddlMethod, TaskNetwork
from planvow.hddl.verify.history import Binding

MAX_TRIES = 200_000

Call = tuple[str, tuple[str, ...]]


def bound_arguments(method: HddlMethod, arguments: tuple[str, ...]) -> Binding | None:
    """Bind the variables in the method's head to the arguments of the task, or return None when they do not fit."""
    return _unified(method.arguments, arguments, {})


def assignments(network: TaskNetwork, calls: list[Call], head: Binding) -> Iterator[tuple[list[int], Binding]]:
    """Yield every way to see the calls as the subtasks: the subtask's index for each call, and the binding.

    Ways that differ only in subtasks with the same call and the same neighbours in the ordering are one.
    """
    if len(calls) != len(network.subtasks):
        return
    before = _taken_before(network)
    by_name: dict[str, list[int]] = {}
    for index, subtask in enumerate(network.subtasks):
        by_name.setdefault(subtask.task, []).append(index)

    taken: set[int] = set()
    slots: list[int] = []
    bindings: list[Binding] = [head]
    choices: list[Iterator[tuple[int, Binding]]] = []
    tries = 0

    def candidates(call: Call, binding: Binding) -> Iterator[tuple[int, Binding]]:
        for index in by_name.get(call[0], ()):
            if index not in taken and before[index] <= taken:
                found = _unified(network.subtasks[index].arguments, call[1], binding)
                if found is not None:
                    yield index, found

    while True:
        if len(slots) == len(calls):
            yield list(slots), bindings[-1]
        else:
            choices.append(candidates(calls[len(slots)], bindings[-1]))
        while choices:  # the next untried choice, going back as far as needed
            if len(slots) == len(choices):
                taken.discard(slots.pop())
                bindings.pop()
            step = next(choices[-1], None)
            if step is not None:
                break
            choices.pop()
        else:
            return
        tries += 1
        if tries > MAX_TRIES + len(calls):
            raise BudgetExceededError("matchings of parts and subtasks", MAX_TRIES)
        slots.append(step[0])
        taken.add(step[0])
        bindings.append(step[1])


def _taken_before(network: TaskNetwork) -> list[set[int]]:
    """Return what comes before each subtask: those of the ordering, and of subtasks that are alike the one before."""
    before: list[set[int]] = [set() for _ in network.subtasks]
    after: list[set[int]] = [set() for _ in network.subtasks]
    for first, second in network.ordering:
        before[second].add(first)
        after[first].add(second)
    twins: dict[object, list[int]] = {}
    for index, subtask in enumerate(network.subtasks):
        alike = (subtask.task, subtask.arguments, frozenset(before[index]), frozenset(after[index]))
        twins.setdefault(alike, []).append(index)
    for same in twins.values():
        for earlier, later in pairwise(same):
            before[later].add(earlier)
    return before


def _unified(terms: tuple[str, ...], values: tuple[str, ...], binding: Binding) -> Binding | None:
    if len(terms) != len(values):
        return None
    found: dict[str, str] | None = None
    for term, value in zip(terms, values):
        if term[0] != "?":
            if term != value:
                return None
            continue
        known = (found or binding).get(term)
        if known is None:
            found = found if found is not None else dict(binding)
            found[term] = value
        elif known != value:
            return None
    return found if found is not None else binding


class Way(NamedTuple):
    """A way to see the parts of a task as the subtasks of a method: what that binds, and the order of the parts."""

    name: str
    method: HddlMethod
    binding: Binding
    pairs: list[tuple[int, int]]


class Ways:
    """The ways of one task, made when they are asked for; without any, the fault of the one that came closest."""

    def __init__(self, found: Iterator[Way]) -> None:
        self._found = found
        self._kept: list[Way] = []

    def get(self, number: int) -> Way | None:
        """Return a way by its number, or None behind the last."""
        for way in self._found if number >= len(self._kept) else ():
            if all((way.method, way.binding, way.pairs) != (old.method, old.binding, old.pairs) for old in self._kept):
                self._kept.append(way)
                if number < len(self._kept):
                    break
        return self._kept[number] if number < len(self._kept) else None
