"""One pass over the plan and the network give the same times, and a search with either finds the same."""

from __future__ import annotations

import pytest

from planvow import Domain, MultiGoal, State, plan
from planvow.kernel import attach_metadata
from planvow.kernel.time.network import TimeNetwork
from planvow.kernel.time.timing import Timing
from random_orders import RandomOrder


class Networked(Timing):
    """The same timing, with everything in the network from the start."""

    def __call__(self):
        return TimeNetwork(self)


def both(seed, *, simple):
    horizon = 60 if seed % 3 == 0 else None
    ordering = "sequential" if seed % 7 == 0 else "causal"
    problem = RandomOrder(seed, timed=True, simple=simple)
    timings = [kind(horizon=horizon, ordering=ordering, start_time=seed % 4) for kind in (Timing, Networked)]
    return [plan(problem.domain, problem.state, problem.todo, time=timing) for timing in timings]


def found(result):
    return result.status, result.plan, result.statistics.iterations


def compared(seeds, *, simple):
    """Hold one pass to the network; return how many plans took one pass, how many had a limit, how many had no plan."""
    in_one_pass = limited = refused = 0
    for seed in seeds:
        light, full = both(seed, simple=simple)
        assert found(light) == found(full), seed
        if not light.success:
            refused += 1
            assert light.explain_text() == full.explain_text(), seed
            continue
        in_one_pass += type(light.reports) is not type(full.reports) and light.reports._in_one_pass() is not None
        limited += any(allocation.latest_end is not None for allocation in light.time_allocations)
        assert light.time_allocations == full.time_allocations, seed
        assert dict(light.reports) == dict(full.reports), seed
    return in_one_pass, limited, refused


def test_one_pass_gives_the_times_of_the_network():
    in_one_pass, limited, refused = compared(range(120), simple=True)
    assert in_one_pass > 60
    assert limited > 30
    assert refused > 6


def test_what_one_pass_cannot_take_is_the_network_s_from_there_on():
    in_one_pass, limited, refused = compared(range(80), simple=False)
    assert 3 < in_one_pass < 40
    assert limited > 8
    assert refused > 6


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_one_pass_gives_the_times_of_the_network_in_thousands_of_plans(part):
    in_one_pass, limited, _ = compared(range(part, 6_000, 4), simple=True)
    assert in_one_pass > 750
    assert limited > 375


HOUSE = Domain("house")
EMPTY = State(invited={}, greeted=[], on={}, light={})


@HOUSE.command(duration=10)
def invite(state, guest):
    state.invited[guest] = True
    return state


@HOUSE.command(duration=5)
def greet(state):
    state.greeted = list(state.invited)
    return state


@HOUSE.command(duration=10, effects={"on": "start"})
def switch_on(state, lamp):
    state.on[lamp] = True
    return state


@HOUSE.command(duration=10)
def read_by(state, lamp):
    state.light[lamp] = state.on[lamp]
    return state


@HOUSE.method(multigoal=True)
def all_at_once(state, goal):
    return [("invite", guest) for guest in goal.invited]


ANN, BOB = ("invite", "ann"), ("invite", "bob")
LATER_BOB = attach_metadata(BOB, {"not_before": 10})


@pytest.mark.parametrize(
    ("todo", "starts", "latest"),
    [
        pytest.param([ANN, BOB], [0, 0], [30, 30], id="guests side by side"),
        pytest.param([ANN, BOB, ("greet",)], [0, 10, 20], [15, 25, 35], id="in the order in which somebody sees them"),
        pytest.param([ANN, LATER_BOB, ("greet",)], [0, 10, 20], [15, 25, 35], id="in that order anyway"),
        pytest.param([("switch_on", "lamp"), ("read_by", "lamp")], [0, 0], [30, 30], id="behind a start"),
        pytest.param([MultiGoal(invited={"ann": True, "bob": True})], [0, 10], [20, 30], id="goals at one moment"),
    ],
)
def test_what_moves_others_is_left_to_the_network(todo, starts, latest):
    light, full = (plan(HOUSE, EMPTY, todo, time=kind(horizon=40)) for kind in (Timing, Networked))
    assert light.time_allocations == full.time_allocations
    assert [allocation.start for allocation in light.time_allocations] == starts
    assert [allocation.latest_start for allocation in light.time_allocations] == latest
    ends = max(allocation.end for allocation in light.time_allocations)
    for horizon, is_found in ((ends, True), (ends - 1, False)):
        assert plan(HOUSE, EMPTY, todo, time=Timing(horizon=horizon)).success is is_found
