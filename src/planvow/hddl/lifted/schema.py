"""Schemas: literals, conditions, actions and methods over numbered terms.

A term is an integer: variable `i` of the schema is `i`, object `o` is `~o` (negative). A set of objects is one integer
with a bit for each. Tasks are numbered, actions first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

EQUAL = -1
"""The predicate number of equality."""


class Literal(NamedTuple):
    """A predicate (or EQUAL) over terms, or its negation."""

    predicate: int
    terms: tuple[int, ...]
    positive: bool = True


class Member(NamedTuple):
    """The term's object is in a set: what is left of `sortof` and of types."""

    term: int
    objects: int


class Junction(NamedTuple):
    """All of the parts hold, or (not `is_and`) at least one does."""

    is_and: bool
    parts: tuple[Residual, ...]


class Quantified(NamedTuple):
    """The body holds for all, or (not `is_all`) for some, of a variable's objects."""

    is_all: bool
    variable: int
    objects: int
    body: Residual


Residual: TypeAlias = Literal | Member | Junction | Quantified
TRUE = Junction(True, ())


class Condition(NamedTuple):
    """A conjunction: literals, which joins and masks understand, and formulas, which are evaluated."""

    literals: tuple[Literal, ...] = ()
    formulas: tuple[Residual, ...] = ()


class Change(NamedTuple):
    """A literal made true or false; for all choices of `variables` (variable, objects) under `condition`."""

    literal: Literal
    variables: tuple[tuple[int, int], ...]
    condition: Condition


class ActionSchema(NamedTuple):
    """A primitive task schema. `domains` has the allowed objects of each parameter as a bit set."""

    name: str
    domains: tuple[int, ...]
    condition: Condition
    changes: tuple[Change, ...]


class MethodSchema(NamedTuple):
    """A decomposition schema. Subtasks stand in an order that `ordering` (pairs of indexes) allows."""

    name: str
    task: int
    arguments: tuple[int, ...]
    domains: tuple[int, ...]
    condition: Condition
    subtasks: tuple[tuple[int, tuple[int, ...]], ...]
    ordering: tuple[tuple[int, int], ...]

    @property
    def is_totally_ordered(self) -> bool:
        """Whether the listed order is the only one allowed."""
        pairs = set(self.ordering)
        return all((index, index + 1) in pairs for index in range(len(self.subtasks) - 1))


def objects_of(terms: Iterable[int], values: Sequence[int] | Mapping[int, int]) -> tuple[int, ...]:
    """Return the objects that terms stand for when the variables have these values."""
    return tuple(values[term] if term >= 0 else ~term for term in terms)


def bits(mask: int) -> Iterator[int]:
    """Yield the numbers of the bits that are set, lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def variables_of(formula: Residual) -> set[int]:
    """Return the free variables of a formula."""
    match formula:
        case Literal(terms=terms):
            return {term for term in terms if term >= 0}
        case Member(term=term):
            return {term} if term >= 0 else set()
        case Junction(parts=parts):
            return set().union(*map(variables_of, parts))
        case Quantified(variable=variable, body=body):
            return variables_of(body) - {variable}
    raise TypeError(formula)
