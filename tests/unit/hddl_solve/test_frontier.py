"""Which of the nodes that wait comes next: the best, every other time one that is new or one from anywhere."""

from __future__ import annotations

import itertools
import random
from pathlib import Path

import pytest

from planvow.budgets import Budgets
from planvow.hddl.grounded.frontier import Frontier
from planvow.hddl.parsing.files import load_problem
from planvow.hddl.solve import portfolio
from planvow.hddl.solve.entry import solve

OWN = Path(__file__).resolve().parents[2] / "golden/hddl"

NOTHING_NEW = [(name, 1, 0b0111, "go") for name in ("a", "b", "c", "d", "e", "f", "g")]
"""Nodes of one estimate, state and task in front, as (name, estimate, state, front)."""


def order(nodes: list[tuple[str, int, int, str]], *, novel: bool = True, diverse: bool = False) -> str:
    """Put all nodes, then take all of them."""
    frontier = Frontier(novel=novel, diverse=diverse)
    for name, estimate, state, front in nodes:
        frontier.put(estimate, False, 0, (name,), state=state, front=front)
    taken = ""
    while frontier:
        taken += frontier.pop()[0]
    return taken


def test_the_node_met_last_comes_first_among_equals() -> None:
    assert order(NOTHING_NEW, novel=False) == "gfedcba"


@pytest.mark.parametrize(
    ("node", "is_new"),
    [
        (("X", 1, 0b0011, "go"), False),
        (("X", 1, 0b1011, "go"), True),
        (("X", 1, 0b0011, "stay"), True),
        (("X", 2, 0b0011, "go"), True),
    ],
    ids=["less of the same", "a fact", "a task in front", "an estimate"],
)
def test_a_node_that_shows_something_new_under_its_estimate_comes_before_better_ones(node, is_new: bool) -> None:
    first, *others = NOTHING_NEW  # of these the first alone is new
    taken = order([first, node, *others])
    assert taken.index("X") < taken.index("e") if is_new else taken.endswith("X")


def test_what_was_new_once_is_old_afterwards_also_when_that_node_was_taken() -> None:
    frontier = Frontier(novel=True, diverse=False)
    frontier.put(3, False, 0, ("first",), state=0b1, front="go")
    assert frontier.pop() == ("first",)
    frontier.put(3, False, 0, ("again",), state=0b1, front="go")
    frontier.put(2, False, 0, ("better",), state=0b1, front="go")
    frontier.put(1, False, 0, ("best",), state=0b1, front="go")
    assert [frontier.pop()[0] for _ in range(3)] == ["best", "better", "again"]


def test_new_nodes_are_taken_in_the_order_of_their_estimates() -> None:
    new = [(str(estimate), estimate, 0b1, "go") for estimate in (2, 4, 3)]
    assert order([*NOTHING_NEW, *new]) == "gaf2e3d4cb"


def test_every_other_node_is_the_best_and_the_other_ways_take_turns() -> None:
    """A far node that is new comes second, a far one that is not is drawn where kinds are drawn evenly."""
    nodes = [("x", 1, 0b1, "go"), *[(name, 1, 0b1, "go") for name in "abcdefgh"], ("N", 9, 0b10, "go")]
    taken = order(nodes, diverse=True)
    assert taken[0] == "h"
    assert taken[1] == "x"
    assert taken[2] == "g"
    assert taken.index("N") in (3, 5)


@pytest.mark.parametrize(("novel", "diverse"), list(itertools.product([False, True], repeat=2)))
def test_every_node_is_taken_once_whichever_way(novel: bool, diverse: bool) -> None:
    chance = random.Random(7)
    frontier = Frontier(novel=novel, diverse=diverse)
    waiting: set[int] = set()
    for number in range(3_000):
        estimate, length, state = chance.randrange(5), chance.randrange(5), 1 << chance.randrange(60)
        frontier.put(estimate, chance.random() < 0.5, length, (number,), state=state, front=chance.randrange(40))
        waiting.add(number)
        if chance.random() < 0.6:
            waiting.remove(frontier.pop()[0])
        assert len(frontier) == len(waiting)
    while frontier:
        waiting.remove(frontier.pop()[0])
    assert not waiting


def effort(monkeypatch: pytest.MonkeyPatch, domain: str, name: str, **tuning: tuple[bool, bool]) -> int:
    """Return what the grounded searches spend on a plan under a setting."""
    problem = load_problem(OWN / f"{domain}-domain.hddl", OWN / f"{domain}-{name}.hddl")
    monkeypatch.setattr(portfolio, "TUNING", portfolio.Tuning(**tuning))
    outcome = solve(problem.domain, problem, search="grounded", improve=0, budgets=Budgets(max_iterations=1_000))
    assert outcome.plan is not None
    return int(outcome.statistics["effort"])


@pytest.mark.parametrize(("domain", "name"), [("camp", "three-spots"), ("delivery", "three")])
def test_new_nodes_usually_have_their_turns(monkeypatch, domain: str, name: str) -> None:
    usual, without = effort(monkeypatch, domain, name), effort(monkeypatch, domain, name, novel=(False, False))
    assert without > usual == effort(monkeypatch, domain, name, novel=(True, True))


def test_over_networks_they_have_none(monkeypatch) -> None:
    """There they were measured and do not pay."""
    with_turns, without = (
        effort(monkeypatch, "errands", "one-day", novel=novel) for novel in ((True, True), (False, False))
    )
    assert with_turns == without
