"""The order of a plan's steps: every sequence that keeps it ends the same, and nothing is ordered without need."""

from __future__ import annotations

import random

import pytest

from planvow import plan
from planvow.kernel.in_place import call
from planvow.kernel.state import State
from random_orders import RandomOrder

PROBLEMS = 3000


def closure(order):
    before = [set() for _ in order.steps]
    for edge in sorted(order.edges, key=lambda edge: edge.after):
        before[edge.after] |= {edge.before} | before[edge.before]
    return before


def executed(problem, result, sequence):
    """The state after the steps in another sequence; None when one of them refuses."""
    state = problem.state.journaled()
    for number in sequence:
        (name, *arguments) = result.plan[number]
        answer = call(problem.domain.commands[name].model, state, *arguments)
        if not isinstance(answer, State):
            return None
        if answer is not state:
            state.become(answer)
    return state


@pytest.mark.parametrize("part", range(10))
def test_every_sequence_that_keeps_the_order_works_and_ends_the_same(part):
    moved = 0
    for seed in range(part, PROBLEMS, 10):
        random_problem = RandomOrder(seed)
        result = plan(random_problem.domain, random_problem.state, random_problem.todo)
        order = result.partial_order()
        assert order.sequence() == tuple(range(len(result.plan)))
        chance = random.Random(seed)
        for _ in range(4):
            ranks = [chance.random() for _ in result.plan]
            sequence = order.sequence(lambda number, ranks=ranks: ranks[number])
            assert order.allows(sequence)
            state = executed(result.problem, result, sequence)
            assert state is not None
            assert state == result.final_state, (seed, sequence)
            moved += sequence != tuple(range(len(sequence)))
    assert moved > 100


@pytest.mark.parametrize("part", range(10))
def test_steps_are_ordered_where_they_meet_and_nowhere_else(part):
    free = tied = 0
    for seed in range(part, PROBLEMS, 10):
        random_problem = RandomOrder(seed)
        result = plan(random_problem.domain, random_problem.state, random_problem.todo)
        expected = random_problem.before(result.trail)
        assert closure(result.partial_order()) == expected, seed
        size = len(expected)
        tied += sum(map(len, expected))
        free += size * (size - 1) // 2 - sum(map(len, expected))
    assert free > 200
    assert tied > 200
