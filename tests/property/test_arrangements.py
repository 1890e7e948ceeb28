"""Schedules with entities against every schedule there is: found exactly when there is one, and valid when found."""

from __future__ import annotations

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from planvow import Domain, State, Status, plan
from planvow.kernel import attach_metadata
from planvow.kernel.domain.entities import Entity
from planvow.kernel.time.timing import Timing
from planvow.temporal import before

HORIZON = 6


def domain() -> Domain:
    made = Domain("jobs")
    made.command(name="do", duration=lambda state, name, ticks: ticks)(lambda state, name, ticks: state)
    return made


entities = st.lists(
    st.builds(
        lambda capacity, able: (capacity, tuple(able)),
        st.sampled_from([1, 1, 2]),
        st.lists(st.just("cold"), max_size=1),
    ),
    min_size=1,
    max_size=3,
)
jobs = st.lists(
    st.tuples(
        st.integers(0, 3),  # how long
        st.integers(0, 3),  # from when on
        st.integers(1, HORIZON),  # by when
        st.sampled_from(["any", "any", "cold", "first"]),
        st.sampled_from([1, 1, 2]),
    ),
    min_size=1,
    max_size=4,
)


def fits(kind, amount, place, entity):
    capacity, able = entity
    return amount <= capacity and (
        kind == "any" or (kind == "cold" and "cold" in able) or (kind == "first" and place == 0)
    )


def exists(pool, wanted):
    """Try every start and every entity."""
    choices = []
    for length, release, deadline, kind, amount in wanted:
        able = [place for place, entity in enumerate(pool) if fits(kind, amount, place, entity)]
        starts = range(release, deadline - length + 1)
        choices.append([(start, start + length, place, amount) for start in starts for place in able])
    return any(is_kept(pool, rows) for rows in product(*choices))


def is_kept(pool, rows):
    """Say whether no entity serves more than it can at any start; what ends then is over, what starts there counts."""
    for place, (capacity, _) in enumerate(pool):
        busy = []
        for start, end, _, amount in sorted(row for row in rows if row[2] == place):
            busy = [row for row in busy if row[0] > start]
            busy.append((end, amount))
            if sum(row[1] for row in busy) > capacity:
                return False
    return True


def needs(kind, amount):
    if kind == "first":
        return {"entity_id": "e0", "amount": amount}
    return {"type": "e", "amount": amount, **({"capabilities": ["cold"]} if kind == "cold" else {})}


@settings(max_examples=250, deadline=None)
@given(entities, jobs)
def test_a_schedule_is_found_exactly_when_there_is_one(pool, wanted):
    timing = Timing(
        entities=tuple(
            Entity(entity_id=f"e{k}", type="e", capacity=capacity, capabilities=able)
            for k, (capacity, able) in enumerate(pool)
        )
    )
    todo = [
        attach_metadata(("do", k, length), {"not_before": release, "deadline": deadline}, needs(kind, amount))
        for k, (length, release, deadline, kind, amount) in enumerate(wanted)
    ]
    result = plan(domain(), State(), todo, time=timing)
    assert result.status in (Status.SOLVED, Status.NO_PLAN)
    assert result.success == exists(pool, wanted)
    if result.success:
        assert not result.certificate().verify().faults
        places = [(a.start, a.end, int(a.entities[0][1:]), a.amounts[0]) for a in result.time_allocations]
        assert is_kept(pool, places)


@settings(max_examples=150, deadline=None)
@given(entities, jobs)
def test_a_deadline_that_comes_up_later_is_kept_whenever_some_arrangement_keeps_it(pool, wanted):
    """The deadlines stand on commands that need no entity and follow the jobs: all jobs have been served by then."""
    timing = Timing(
        entities=tuple(
            Entity(entity_id=f"e{k}", type="e", capacity=capacity, capabilities=able)
            for k, (capacity, able) in enumerate(pool)
        )
    )
    todo = [
        attach_metadata(("do", k, length), {"not_before": release}, needs(kind, amount))
        for k, (length, release, _, kind, amount) in enumerate(wanted)
    ]
    todo += [
        attach_metadata(("do", ("then", k), 0), {"deadline": deadline, "after": ("do", k, length)})
        for k, (length, _, deadline, _, _) in enumerate(wanted)
    ]
    result = plan(domain(), State(), todo, time=timing)
    assert result.status in (Status.SOLVED, Status.NO_PLAN)
    assert result.success == exists(pool, wanted)
    if result.success:
        assert not result.certificate().verify().faults


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(1, 3), st.integers(0, 1), st.integers(0, 1)), min_size=1, max_size=4))
def test_the_shortest_schedule_is_as_short_as_any(rows):
    """Jobs of one or two commands on two machines; the best of all start times is what is found and proved."""
    made = domain()
    made.method(task="job", name="in_turn")(
        lambda state, k, legs: [
            *(
                attach_metadata(("do", (k, n), 1 + (k + n) % 2), None, {"entity_id": f"e{m}"})
                for n, m in enumerate(legs)
            ),
            *([before(0, 1)] if len(legs) == 2 else []),
        ]
    )
    timing = Timing(entities=(Entity(entity_id="e0", type="e"), Entity(entity_id="e1", type="e")))
    wanted = [(k, (first, second) if length > 1 else (first,)) for k, (length, first, second) in enumerate(rows)]
    result = plan(made, State(), [("job", k, legs) for k, legs in wanted], time=timing, optimal="makespan")
    assert result.values["makespan"] == result.bound["makespan"] == shortest(wanted)
    assert not result.certificate().verify().faults


def shortest(wanted):
    """Serve the operations in every order, each as soon as it can be: one of these schedules is the best."""
    best = None
    stack = [((0,) * len(wanted), (0,) * len(wanted), (0, 0))]
    while stack:
        done, ready, free = stack.pop()
        if all(count == len(legs) for count, (_, legs) in zip(done, wanted, strict=True)):
            best = max(ready) if best is None else min(best, max(ready))
        for place, (k, legs) in enumerate(wanted):
            if done[place] < len(legs):
                machine = legs[done[place]]
                end = max(ready[place], free[machine]) + 1 + (k + done[place]) % 2
                after = [done, ready, free]
                for row, at, value in ((0, place, done[place] + 1), (1, place, end), (2, machine, end)):
                    after[row] = (*after[row][:at], value, *after[row][at + 1 :])
                stack.append(tuple(after))
    return best
