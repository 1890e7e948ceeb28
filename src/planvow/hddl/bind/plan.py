"""A kernel result for a bound problem → an IPC plan, so that the HDDL verifier can judge it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from planvow.errors import InputError
from planvow.hddl.bind.binding import ROOT, BoundProblem
from planvow.hddl.bind.partial import PERFORM
from planvow.hddl.language.plan_format import Decomposition, HddlPlan, PlanStep
from planvow.kernel.answer.result import Result
from planvow.kernel.domain.domain import Command


def to_hddl_plan(bound: BoundProblem, result: Result) -> HddlPlan:
    """Return the plan of a successful result with its decomposition."""
    if not result.success:
        raise InputError(f"there is no plan to convert: {result.reason}")
    if bound.problem.initial is None:
        steps = [(number, item) for number, item in enumerate(result.plan)]
        return HddlPlan(steps=tuple(_step(*pair) for pair in steps), roots=tuple(number for number, _ in steps))
    return _from_tree(bound, result) if bound.is_totally_ordered else _from_network(bound, result)


def _step(number: int, item: tuple[str, ...]) -> PlanStep:
    return PlanStep(step_id=number, action=item[0], arguments=tuple(item[1:]))


def _part(number: int, item: tuple[str, ...], method: str, children: list[int]) -> Decomposition:
    name = method.partition(" #")[0]  # methods that share a name were numbered
    return Decomposition(task_id=number, task=item[0], arguments=tuple(item[1:]), method=name, children=tuple(children))


def _from_tree(bound: BoundProblem, result: Result) -> HddlPlan:
    """The kernel's tree is the plan's: node numbers become identifiers, the helpers `:htn` and `:goal` go."""
    children: dict[int, list[int]] = {}
    trail = [(parent, item, how) for parent, item, how, _ in result.trail]
    numbered = [(number, *node) for number, node in enumerate(trail, start=1) if type(node[1]) is tuple]
    for number, parent, item, _ in numbered:
        if item[0][0] != ":" or item[0] == ROOT:
            children.setdefault(parent, []).append(number)
    steps, parts = [], []
    roots = children.get(0, [])
    for number, _, item, how in numbered:
        if item[0] == ROOT:
            roots = children.get(number, [])
        elif isinstance(how, Command):
            steps.append(_step(number, item))
        elif item[0][0] != ":":
            parts.append(_part(number, item, how.name, children.get(number, [])))
    return HddlPlan(steps=tuple(steps), roots=tuple(roots), decompositions=tuple(parts))


def _from_network(bound: BoundProblem, result: Result) -> HddlPlan:
    """Read off, from one state of the network to the next, which entry was taken and what it became."""
    numbers: dict[Any, int] = {}

    def number(path: Any) -> int:
        return numbers.setdefault(path, len(numbers))

    steps, parts = [], []
    roots: list[int] = []
    for before, how, after in _turns(result):
        gone = next(entry for entry in before if entry not in after)
        made = [entry for entry in after if entry not in before]
        if how == PERFORM:
            steps.append(_step(number(gone[0]), gone[1:]))
        elif gone[0] == ():
            roots = _listed(made, bound.problem.initial, number)
        else:
            name = how.partition(": ")[2].partition(" #")[0]
            method = next(m for m in bound.problem.domain.methods_for[gone[1]] if m.name == name)
            parts.append(_part(number(gone[0]), gone[1:], name, _listed(made, method, number)))
    return HddlPlan(steps=tuple(steps), roots=tuple(roots), decompositions=tuple(parts))


def _turns(result: Result) -> Iterator[tuple[Any, str, Any]]:
    taken = [(item[1], how.name) for _, item, how, _ in result.trail if type(item) is tuple and item[0] == ROOT]
    for (before, how), (after, _) in pairwise(taken):
        yield before, how, after


def _listed(made: list[Any], owner: Any, number: Any) -> list[int]:
    """Return the identifiers of new entries in an order that the owner's ordering allows."""
    by_index = {entry[0][-1]: number(entry[0]) for entry in made}
    return [by_index[index] for index in owner.network.topological_order]
