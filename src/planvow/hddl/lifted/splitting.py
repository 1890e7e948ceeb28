"""Choose a variable where it matters: methods with many independent variables are split.

A variable that occurs in one subtask only, and in no condition, need not be chosen when the method is: the subtask
is replaced by an artificial task with the other variables as parameters, whose only method chooses the variable
and calls the subtask. What was a product of choices becomes a sum, so at least two subtasks must have such
variables. A variable that occurs nowhere stands for any object of its domain, so the first one will do. Artificial
tasks never show in a plan (`derivation`).

What a method begins with may have variables of its own as well (`Beginnings`):

    bring(?x, ?to):  (lies ?x ?from)  →  go(?v, ?from)  load(?x, ?v, ?from)  |  go(?v, ?to)  unload(?x, ?v, ?to)

Where something comes from no longer matters once it is loaded. The first subtasks become an artificial task, here of
?x and ?v, whose only method chooses ?from under the conditions that name it. A method is cut where that saves most,
and only where it saves much. Nothing happens between the choice of a method and that of its beginning, so conditions
may be divided; where other tasks may come in between, all that can change is asked at once, by the beginning.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod
from typing import NamedTuple

from planvow.hddl.lifted.schema import EQUAL, Condition, Literal, MethodSchema, Residual, variables_of

SPLIT_NAME = "__choose__"
MIN_CHOICES = 1_000
"""Combinations of independent variables from which on a method is split."""
MIN_WAYS = 20_000
"""Ways to fill in a method from which on its beginning is cut off."""
MIN_SAVED = 4
"""How many times fewer there have to be afterwards."""


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
    return _named((*condition.literals, *condition.formulas))


class _Cut(NamedTuple):
    ways: int
    size: int
    """How many subtasks belong to the beginning."""
    kept: tuple[int, ...]
    """The variables that it shares with the rest."""
    own: tuple[int, ...]
    inside: tuple[Literal, ...]
    outside: tuple[Literal, ...]


class Beginnings:
    """Cuts methods. `facts` has, for every predicate that never changes, how many facts it has, else None."""

    def __init__(self, facts: Sequence[int | None], *, in_sequence: bool) -> None:
        self._facts = facts
        self._in_sequence = in_sequence

    def cut(
        self, methods: Iterable[MethodSchema], task_domains: Sequence[tuple[int, ...]], root: int
    ) -> tuple[list[MethodSchema], list[tuple[int, ...]]]:
        """Return the methods with beginnings of their own, and the parameters of all tasks."""
        domains = list(task_domains)
        result: list[MethodSchema] = []
        pending = list(methods)
        for method in pending:  # grows while it is walked: what a beginning begins with may be cut off again
            while method.task != root and (cut := self._best_cut(method)) is not None:
                pending.append(_beginning(method, len(domains), cut))
                method = _rest(method, len(domains), cut)
                domains.append(tuple(method.domains[variable] for variable in cut.kept))
            result.append(method)
        return result, domains

    def _best_cut(self, method: MethodSchema) -> _Cut | None:
        everything = set(range(len(method.domains)))
        whole = self._ways(method, everything, method.condition.literals)
        if whole < MIN_WAYS:
            return None
        cuts = [cut for count in range(1, len(method.subtasks)) if (cut := self._cut_at(method, count)) is not None]
        best = min(cuts, default=None)
        return best if best is not None and best.ways * MIN_SAVED <= whole else None

    def _cut_at(self, method: MethodSchema, count: int) -> _Cut | None:
        literals, formulas = method.condition
        later = {term for term in method.arguments if term >= 0} | _variables(method, count, len(method.subtasks))
        inner = _variables(method, 0, count)
        own = (inner | _named(literals)) - later
        if not own or not _is_before(method, count) or (formulas and not self._in_sequence) or _named(formulas) & own:
            return None

        def is_inside(literal: Literal) -> bool:
            return not own.isdisjoint(literal.terms) or not (self._in_sequence or self._never_changes(literal))

        inside = tuple(filter(is_inside, literals))
        outside = tuple(literal for literal in literals if not is_inside(literal))
        inner |= _named(inside)
        outer = later | (inner - own) | _named(outside) | _named(formulas)
        ways = self._ways(method, inner, inside) + self._ways(method, outer, outside)
        return _Cut(ways, count, tuple(sorted(inner - own)), tuple(sorted(own)), inside, outside)

    def _never_changes(self, literal: Literal) -> bool:
        return literal.predicate == EQUAL or self._facts[literal.predicate] is not None

    def _ways(self, method: MethodSchema, variables: set[int], literals: Iterable[Literal]) -> int:
        """Return how many ways there are at most to choose variables, as far as facts that never change say so."""
        free = set(variables)
        ways = 1
        for literal in literals:
            facts = None if literal.predicate == EQUAL or not literal.positive else self._facts[literal.predicate]
            bound = free.intersection(literal.terms)
            if facts is not None and facts < _choices(method, bound):
                ways *= facts
                free -= bound
        return ways * _choices(method, free)


def _choices(method: MethodSchema, variables: Iterable[int]) -> int:
    return prod(method.domains[variable].bit_count() for variable in variables)


def _variables(method: MethodSchema, start: int, end: int) -> set[int]:
    return {term for _, terms in method.subtasks[start:end] for term in terms if term >= 0}


def _named(parts: Iterable[Residual]) -> set[int]:
    return set[int]().union(*map(variables_of, parts))


def _is_before(method: MethodSchema, count: int) -> bool:
    """Whether the first subtasks all come before each of the others."""
    after: list[int] = [0] * len(method.subtasks)
    for first, second in sorted(method.ordering, reverse=True):  # subtasks stand in an order that is allowed
        after[first] |= 1 << second | after[second]
    later = (1 << len(method.subtasks)) - (1 << count)
    return all(not later & ~found for found in after[:count])


def _beginning(method: MethodSchema, task: int, cut: _Cut) -> MethodSchema:
    number = {variable: index for index, variable in enumerate((*cut.kept, *cut.own))}

    def renamed(terms: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(number[term] if term >= 0 else term for term in terms)

    return MethodSchema(
        SPLIT_NAME,
        task,
        tuple(range(len(cut.kept))),
        tuple(method.domains[variable] for variable in number),
        Condition(tuple(literal._replace(terms=renamed(literal.terms)) for literal in cut.inside)),
        tuple((called, renamed(terms)) for called, terms in method.subtasks[: cut.size]),
        tuple(pair for pair in method.ordering if max(pair) < cut.size),
    )


def _rest(method: MethodSchema, task: int, cut: _Cut) -> MethodSchema:
    condition = Condition(cut.outside, method.condition.formulas)
    used = {*method.arguments, *cut.kept, *_variables(method, cut.size, len(method.subtasks))}
    used |= _in_condition(condition)
    gone = cut.size - 1
    pairs = {(max(first - gone, 0), second - gone) for first, second in method.ordering if second >= cut.size}
    return method._replace(
        domains=tuple(mask if place in used else mask & -mask for place, mask in enumerate(method.domains)),
        condition=condition,
        subtasks=((task, cut.kept), *method.subtasks[cut.size :]),
        ordering=tuple(sorted(pairs | {(0, place) for place in range(1, len(method.subtasks) - gone)})),
    )
