"""A conflict of times leads back to what it is about, past choices that have nothing to do with it."""

from __future__ import annotations

import pytest

from planvow import Budgets, Domain, MultiGoal, State, Status, plan
from planvow.kernel import attach_metadata


def workshop(*, fast: int, looks_at: int | None = None) -> Domain:
    """A part is cut, slowly or fast; errands are run, in one of two ways each; then the part is shipped."""
    domain = Domain("workshop")

    @domain.command(duration=lambda state, how: 10 if how == "slowly" else fast)
    def cut(state, how):
        state.part["it"] = how
        return state

    @domain.command(duration=3)
    def run(state, errand, way):
        state.errand[errand] = way
        return state

    @domain.command(duration=lambda state: 1 if looks_at is not None and state.errand[looks_at] == 2 else 3)
    def ship(state):
        state.shipped["it"] = state.part["it"]
        return state

    for how in ("slowly", "fast"):
        domain.method(task="make", name=how)(lambda state, how=how: [("cut", how)])
    for way in (1, 2):
        domain.method(task="errand", name=f"way_{way}")(lambda state, errand, way=way: [("run", errand, way)])
    return domain


def shipped(errands: int, *, fast: int, by: int, looks_at: int | None = None, limit: int | None = None):
    todo = [("make",), *(("errand", k) for k in range(errands)), attach_metadata(("ship",), {"deadline": by})]
    state = State(part={}, errand={}, shipped={})
    return plan(workshop(fast=fast, looks_at=looks_at), state, todo, budgets=Budgets(max_iterations=limit))


@pytest.mark.parametrize(("fast", "status"), [(2, Status.SOLVED), (9, Status.NO_PLAN)])
def test_errands_between_a_late_part_and_its_deadline_are_not_run_in_every_combination(fast, status):
    """Forty errands of two ways: 2^40 combinations, and each errand is looked at in both ways once."""
    result = shipped(40, fast=fast, by=8, limit=15_000)
    assert result.status is status
    if status is Status.SOLVED:
        assert result.plan[0] == ("cut", "fast")
        assert all(step[2] == 1 for step in result.plan[1:-1])


def test_effort_grows_with_the_square_of_the_errands_and_not_with_their_combinations():
    effort = [shipped(errands, fast=9, by=8).statistics.iterations for errands in (10, 20, 40)]
    assert effort[1] < 5 * effort[0]
    assert effort[2] < 5 * effort[1]


@pytest.mark.parametrize("errand", [0, 3, 5])
@pytest.mark.parametrize(("by", "how"), [(11, "slowly"), (10, "fast")])
def test_a_choice_that_what_follows_looks_at_is_tried(errand, by, how):
    """Shipping is quicker after one errand was run in the second way: passing over it would lose the plan."""
    result = shipped(6, fast=9, by=by, looks_at=errand)
    assert result.success
    assert result.plan[0] == ("cut", how)
    assert [step[2] for step in result.plan[1:-1]] == [2 if k == errand else 1 for k in range(6)]


def late_part(*between, cuts=(10, 9, 2)) -> Domain:
    """A part is cut in one of some times, something is done in one of two ways, and the part is shipped."""
    domain = Domain("late part")

    @domain.command(duration=lambda state, ticks: ticks)
    def cut(state, ticks):
        state.part["it"] = ticks
        return state

    @domain.command(duration=lambda state, what, ticks: ticks)
    def put(state, what, ticks):
        state.shelf[what] = 1
        return state

    @domain.command(duration=0)
    def nothing(state, can=True):
        return state if can else None

    @domain.command(duration=1)
    def ship(state):
        state.shipped["it"] = state.part["it"]
        return state

    @domain.command(duration=1)
    def take(state):
        state.shipped["b"] = state.shelf["b"]
        return state

    for ticks in cuts:
        domain.method(task="make", name=f"in_{ticks}")(lambda state, ticks=ticks: [("cut", ticks)])
    for number, way in enumerate(between):
        domain.method(task="between", name=f"way_{number}")(way)
    return domain


def test_a_choice_whose_own_way_fails_is_tried_in_its_other_ways():
    """It was known in all its ways by then, and what failed in the first was no conflict of times."""
    domain = late_part(lambda state: [("nothing", False)], lambda state: [("nothing",)])
    todo = [("make",), ("between",), attach_metadata(("ship",), {"deadline": 5})]
    result = plan(domain, State(part={}, shelf={}, shipped={}), todo)
    assert result.plan == (("cut", 2), ("nothing",), ("ship",))


def test_what_is_known_of_an_item_says_nothing_of_an_equal_one_of_another_type():
    """("between", 1) writes nothing; ("between", True) may put a part on the shelf in time."""

    def put(state, number):
        return [("put", "b", 1)] if number is True else [("nothing",)]

    domain = late_part(lambda state, number: [("nothing",)], put)

    @domain.method(task="all")
    def both(state):
        for number, ticks in ((1, 10), (1, 9), (1, 8), (True, 1)):
            yield [("cut", ticks), ("between", number), attach_metadata(("ship",), {"deadline": 5}), ("need",)]

    @domain.command(duration=0)
    def need(state):
        return state if "b" in state.shelf else None

    assert plan(domain, State(part={}, shelf={}, shipped={}), [("all",)]).success


def looking(state):
    return [("nothing",)] if list(state.shelf) else None


def having(state):
    return [MultiGoal(shelf={"a": 1, "b": 1})]


@pytest.mark.parametrize("way", [looking, having])
def test_a_choice_that_puts_others_in_order_by_looking_at_them_is_tried_in_its_other_ways(way):
    """The shelf is filled in any order, unless somebody sees in which, or wants both at one moment."""
    domain = late_part(way, lambda state: [("nothing",)])
    late = [attach_metadata((name,), {"deadline": 5}) for name in ("ship", "take")]
    todo = [("make",), ("put", "a", 6), ("put", "b", 1), ("between",), *late]
    result = plan(domain, State(part={}, shelf={}, shipped={}), todo)
    assert result.success
    assert [step[:2] for step in result.plan] == [
        ("cut", 2), ("put", "a"), ("put", "b"), ("nothing",), ("ship",), ("take",)
    ]  # fmt: skip
