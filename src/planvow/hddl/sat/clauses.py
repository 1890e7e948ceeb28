"""Clauses on their way to a solver: variables are numbered, what is decided is left out, everything is counted.

A literal is a number: a variable, or its negation with a minus sign. Variable 1 is true, so that facts that never
change are literals like all others.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from math import isqrt
from typing import Protocol

from planvow.budgets import Deadline

TRUE, FALSE = 1, -1
MAX_PAIRS = 5
"""Literals up to which at most one of them is said pair by pair."""


class SatSolver(Protocol):
    """What a solver has to offer. The same calls must give the same answers on every machine."""

    def add(self, clause: list[int]) -> None:
        """Add a clause: one of the literals holds."""

    def solve(self, assumptions: list[int], conflicts: int) -> bool | None:
        """Say whether all clauses can hold under the assumptions; None after so many conflicts without an answer."""

    def needed(self) -> list[int]:
        """Return, after the answer False, assumptions that cannot hold together; none if the clauses alone cannot."""

    def model(self) -> list[int]:
        """Return, after the answer True, a literal that holds for every variable, in their order from 1."""

    def conflicts(self) -> int:
        """Return the conflicts met so far."""


class Clauses:
    """What is said to a solver, in terms of literals."""

    def __init__(self, solver: SatSolver, deadline: Deadline) -> None:
        self._add = solver.add
        self._deadline = deadline
        self.variables = 1
        self.count = 0
        self._say([TRUE])

    def variable(self) -> int:
        """Return a new variable."""
        self.variables += 1
        return self.variables

    def one_of(self, literals: Iterable[int]) -> None:
        """Say that one of the literals holds, unless one does anyway."""
        kept = []
        for literal in literals:
            if literal == TRUE:
                return
            if literal != FALSE:
                kept.append(literal)
        self._say(kept)

    def implies(self, premise: int, conclusion: int) -> None:
        """Say that the conclusion holds where the premise does. The commonest clause, hence a method of its own."""
        if conclusion != TRUE and premise != FALSE:
            clause = [] if premise == TRUE else [-premise]
            if conclusion != FALSE:
                clause.append(conclusion)
            self._say(clause)

    def any_of(self, literals: Sequence[int]) -> int:
        """Return a literal that holds exactly where one of the literals does."""
        kept = [literal for literal in dict.fromkeys(literals) if literal != FALSE]
        if TRUE in kept:
            return TRUE
        if len(kept) <= 1:
            return kept[0] if kept else FALSE
        found = self.variable()
        for literal in kept:
            self._say([-literal, found])
        self._say([-found, *kept])
        return found

    def all_of(self, literals: Sequence[int]) -> int:
        """Return a literal that holds exactly where all of the literals do."""
        return -self.any_of([-literal for literal in literals])

    def at_most_one(self, literals: Sequence[int]) -> None:
        """Say that no two of the literals hold; where there are many, by the row and the column of each."""
        if len(literals) <= MAX_PAIRS:
            for index, first in enumerate(literals):
                for second in literals[:index]:
                    self.one_of([-first, -second])
            return
        width = isqrt(len(literals) - 1) + 1
        columns = [self.variable() for _ in range(width)]
        rows = [self.variable() for _ in range(-(-len(literals) // width))]
        for index, literal in enumerate(literals):
            self.implies(literal, columns[index % width])
            self.implies(literal, rows[index // width])
        self.at_most_one(columns)
        self.at_most_one(rows)

    def formula(self, text: str, facts: Sequence[int]) -> int:
        """Return a literal for a condition written over a state `s` of facts, as ground problems write them."""
        return self._formula(ast.parse(text, mode="eval").body, facts)

    def _formula(self, part: ast.expr, facts: Sequence[int]) -> int:
        match part:
            case ast.BoolOp(op=ast.And(), values=values):
                return self.all_of([self._formula(value, facts) for value in values])
            case ast.BoolOp(op=ast.Or(), values=values):
                return self.any_of([self._formula(value, facts) for value in values])
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return -self._formula(operand, facts)
            case ast.BinOp(op=ast.BitAnd(), left=ast.BinOp(op=ast.RShift(), right=ast.Constant(value=int(number)))):
                return facts[number]
        raise TypeError(ast.dump(part))

    def _say(self, clause: list[int]) -> None:
        self._deadline.spend()
        self.count += 1
        self._add(clause)
