"""What is said to a solver means what it says: counted over all models."""

from __future__ import annotations

import itertools

import pytest

from planvow.budgets import Deadline
from planvow.hddl.sat.clauses import FALSE, TRUE, Clauses

pytest.importorskip("pysat", reason="the extra [sat] is not installed")
from planvow.adapters.solvers.sat import Glucose


class Said:
    """Clauses over some variables, and which of their values are possible."""

    def __init__(self, count: int) -> None:
        self.solver = Glucose()
        self.clauses = Clauses(self.solver, Deadline())
        self.variables = [self.clauses.variable() for _ in range(count)]

    def models(self) -> set[tuple[bool, ...]]:
        found = set()
        for values in itertools.product((False, True), repeat=len(self.variables)):
            assumed = [variable if value else -variable for variable, value in zip(self.variables, values)]
            if self.solver.solve(assumed, 1_000):
                found.add(values)
        return found


@pytest.mark.parametrize("count", [1, 2, 5, 6, 7, 9])
def test_at_most_one_allows_none_or_one_and_nothing_else(count):
    said = Said(count)
    said.clauses.at_most_one(said.variables)
    assert said.models() == {values for values in itertools.product((False, True), repeat=count) if sum(values) <= 1}


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("(s >> 0 & 1)", lambda a, b, c: a),
        ("(not s >> 1 & 1)", lambda a, b, c: not b),
        ("((s >> 0 & 1) and (s >> 1 & 1))", lambda a, b, c: a and b),
        ("((s >> 0 & 1) or (not s >> 2 & 1))", lambda a, b, c: a or not c),
        ("((s >> 0 & 1) and ((s >> 1 & 1) or (not s >> 2 & 1)))", lambda a, b, c: a and (b or not c)),
    ],
)
def test_a_condition_holds_exactly_where_its_literal_does(text, meaning):
    said = Said(3)
    literal = said.clauses.formula(text, said.variables)
    for wanted in (True, False):
        other = Said(3)
        other.clauses.one_of([other.clauses.formula(text, other.variables) * (1 if wanted else -1)])
        expected = {values for values in itertools.product((False, True), repeat=3) if bool(meaning(*values)) is wanted}
        assert other.models() == expected
    assert literal not in (TRUE, FALSE)


def test_what_is_decided_needs_no_variable():
    said = Said(1)
    (one,) = said.variables
    before = said.clauses.variables
    assert said.clauses.any_of([FALSE, one]) == one
    assert said.clauses.any_of([one, TRUE]) == TRUE
    assert said.clauses.any_of([]) == FALSE
    assert said.clauses.all_of([one, TRUE]) == one
    assert said.clauses.all_of([one, FALSE]) == FALSE
    assert said.clauses.all_of([]) == TRUE
    assert said.clauses.variables == before


def test_what_follows_from_nothing_holds_and_what_leads_to_a_contradiction_does_not():
    said = Said(2)
    first, second = said.variables
    said.clauses.implies(TRUE, first)
    said.clauses.implies(second, FALSE)
    said.clauses.implies(FALSE, second)
    said.clauses.one_of([TRUE, second])
    assert said.models() == {(True, False)}
