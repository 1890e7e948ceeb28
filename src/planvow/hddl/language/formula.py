"""HDDL conditions as immutable values: atoms, equality, sorts, and what joins and quantifies them.

A term is a string: a variable starts with `?`, anything else names an object. `at` is the offset of a node in its
source text; it takes no part in equality.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

ROOT_TYPE = "object"


def offset() -> int:
    """Return the field that holds where a node stands in its source text."""
    return field(default=0, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True)
class Parameter:
    """A typed variable. Several types mean `(either …)`: an object of any of them will do."""

    name: str
    types: tuple[str, ...] = (ROOT_TYPE,)
    at: int = offset()


@dataclass(frozen=True)
class Atom:
    """A predicate (or a function) applied to terms. True or false of a state when all terms are objects."""

    predicate: str
    arguments: tuple[str, ...] = ()
    at: int = offset()


@dataclass(frozen=True)
class Equal:
    """Both terms are the same object."""

    left: str
    right: str
    at: int = offset()


@dataclass(frozen=True)
class SortOf:
    """The object the term stands for belongs to the type. Occurs in `:constraints` only."""

    term: str
    type: str
    at: int = offset()


@dataclass(frozen=True)
class Not:
    """Negation. Closed world: an atom that is not in the state is false."""

    part: Formula
    at: int = offset()


@dataclass(frozen=True)
class Junction:
    """Conditions that are joined. Those of different classes are never equal."""

    parts: tuple[Formula, ...] = ()
    at: int = offset()


class And(Junction):
    """Conjunction; without parts it is true."""


class Or(Junction):
    """Disjunction; without parts it is false."""


@dataclass(frozen=True)
class Imply:
    """If the premise holds, so does the conclusion."""

    premise: Formula
    conclusion: Formula
    at: int = offset()


@dataclass(frozen=True)
class Quantified:
    """A body that is meant for choices of objects of the right types."""

    parameters: tuple[Parameter, ...]
    body: Formula
    at: int = offset()


class ForAll(Quantified):
    """The body holds for every choice of objects of the right types."""


class Exists(Quantified):
    """The body holds for some choice of objects of the right types."""


Formula: TypeAlias = Atom | Equal | SortOf | Not | And | Or | Imply | ForAll | Exists
TRUE = And()
