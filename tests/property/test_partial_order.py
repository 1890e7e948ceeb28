"""The order of a plan's steps: every sequence that keeps it ends the same, and nothing is ordered without need."""

from __future__ import annotations

import random

import pytest

from planvow import plan, replan
from planvow.kernel import simulate
from planvow.kernel.domain.entities import Entity
from planvow.kernel.time.timing import Timing
from planvow.kernel.world.in_place_changes import call
from planvow.kernel.world.state import State
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


ROBOTS = (Entity(entity_id="r", type="robot", capacity=2), Entity(entity_id="s", type="robot"))


def timed(seed):
    random_problem = RandomOrder(seed, timed=True)
    timing = Timing(entities=ROBOTS, horizon=None if seed % 3 else 60)
    return random_problem, plan(random_problem.domain, random_problem.state, random_problem.todo, time=timing)


def overused(allocations):
    """The moments at which more of a robot is used than there is, looked for at every start."""
    found = []
    for robot in ROBOTS:
        uses = [
            (a.start, a.end, n)
            for a in allocations
            for e, n in zip(a.entities, a.amounts, strict=True)
            if e == robot.entity_id
        ]
        for now, _, _ in uses:
            if sum(n for start, end, n in uses if start <= now < end) > robot.capacity:
                found.append((robot.entity_id, now))
    return found


@pytest.mark.parametrize("part", range(10))
def test_schedules_neither_overlap_nor_reverse_steps_that_meet(part):
    solved = beside = went_back = 0
    for seed in range(part, PROBLEMS, 10):
        random_problem, result = timed(seed)
        went_back += result.statistics.backtracks
        if not result.success:
            continue
        solved += 1
        assert random_problem.schedule_faults(result) == [], seed
        assert overused(result.time_allocations) == [], seed
        spans = [(a.start, a.end) for a in result.time_allocations]
        beside += any(a[0] < b[1] and b[0] < a[1] for k, a in enumerate(spans) for b in spans[:k])
    assert solved > 100
    assert beside > 20
    assert went_back > 100


def test_a_timed_plan_keeps_the_order_of_an_untimed_one_and_adds_entities():
    for seed in range(500):
        random_problem, result = timed(seed)
        if result.success:
            order = closure(result.partial_order())
            plain = random_problem.before(result.trail)
            assert all(expected <= found for expected, found in zip(plain, order, strict=True)), seed


def test_repairs_in_the_middle_of_a_schedule_stay_behind_what_is_still_running():
    repaired = 0
    for seed in range(1500):
        random_problem, result = timed(seed)
        if not result.success or len(result.plan) < 2:
            continue
        nodes = [node for node in result.solution_graph.nodes if node.kind == "command"]
        at = seed % len(nodes)
        again = replan(result, simulate(result).states[at], nodes[at].node_id, blacklist=False)
        if not again.success or again.plan != result.plan[at:]:
            continue
        now = result.time_allocations[at].start
        old, new = result.time_allocations[:at], again.time_allocations
        assert all(allocation.start >= now for allocation in new)
        both = _Joined(result.trail, [*old, *new])
        assert [pair for pair in random_problem.schedule_faults(both) if pair[1] >= at] == [], seed
        repaired += 1
    assert repaired > 100


class _Joined:
    """What was done and what is still to be done, as one schedule."""

    def __init__(self, trail, allocations):
        self.trail, self.time_allocations = trail, allocations
