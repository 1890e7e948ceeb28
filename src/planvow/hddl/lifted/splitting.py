"""Choose a variable where it matters: methods with many independent variables are split.

A variable that occurs in one subtask only, and in no condition, need not be chosen when the method is: the subtask
is replaced by an artificial task with the other variables as parameters, whose only method chooses the variable
and calls the subtask. What was a product of choices becomes a sum, so at least two subtasks must have such
variables. A variable that occurs nowhere stands for any object of its domain, so the first one will do. Artificial
tasks never show in a plan (`derivation`).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from planvow.hddl.lifted.schema import Condition, MethodSchema, variables_of

SPLIT_NAME = "__choose__"
MIN_CHOICES = 1_000
"""Combinations of independent variables from which on a method is split."""


def split(
    methods: Sequence[MethodSchema], task_domains: Sequence[tuple[int, ...]]
) -> tuple[list[MethodSchema], list[tuple[int, ...]]]:
    """Return the methods with independent variables moved down, and the parameters of all tasks."""
    domains = list(task_domains)
    result: list[MethodSchema] = []
    added: list[MethodSchema] = []
    for method in methods:
        local = _local_variables(method)
        choices = prod(method.domains[variable].bit_count() for group in local for variable in group)
        if choices < MIN_CHOICES or sum(map(bool, local)) < 2:
            result.append(method._replace(domains=_settled(method)))
            continue
        subtasks = list(method.subtasks)
        for index, group in enumerate(local):
            if group:
                task, terms = subtasks[index]
                kept = tuple(dict.fromkeys(term for term in terms if term >= 0 and term not in group))
                subtasks[index] = (len(domains), kept)
                added.append(_chooser(method, len(domains), task, terms, kept, group))
                domains.append(tuple(method.domains[variable] for variable in kept))
        smaller = method._replace(subtasks=tuple(subtasks))
        result.append(smaller._replace(domains=_settled(smaller)))
    return result + added, domains


def _chooser(
    method: MethodSchema,
    artificial: int,
    task: int,
    terms: tuple[int, ...],
    kept: tuple[int, ...],
    group: Sequence[int],
) -> MethodSchema:
    number = {variable: index for index, variable in enumerate((*kept, *group))}
    domains = tuple(method.domains[variable] for variable in number)
    call = (task, tuple(number[term] if term >= 0 else term for term in terms))
    return MethodSchema(SPLIT_NAME, artificial, tuple(range(len(kept))), domains, Condition(), (call,), ())


def _local_variables(method: MethodSchema) -> list[list[int]]:
    """Return, for every subtask, the variables that occur in it and nowhere else."""
    elsewhere = {term for term in method.arguments if term >= 0} | _in_condition(method.condition)
    uses: dict[int, set[int]] = {}
    for index, (_, terms) in enumerate(method.subtasks):
        for term in terms:
            if term >= 0 and term not in elsewhere:
                uses.setdefault(term, set()).add(index)
    groups: list[list[int]] = [[] for _ in method.subtasks]
    for variable in sorted(uses):
        if len(uses[variable]) == 1:
            groups[min(uses[variable])].append(variable)
    return groups


def _settled(method: MethodSchema) -> tuple[int, ...]:
    """Return the method's domains with one object left for every variable that occurs nowhere."""
    used = {term for term in method.arguments if term >= 0} | _in_condition(method.condition)
    used |= {term for _, terms in method.subtasks for term in terms if term >= 0}
    return tuple(mask if variable in used else mask & -mask for variable, mask in enumerate(method.domains))


def _in_condition(condition: Condition) -> set[int]:
    return set().union(*(variables_of(part) for part in (*condition.literals, *condition.formulas)))
