"""A conflict of times leads back to what it is about, past choices that have nothing to do with it."""

from __future__ import annotations

import pytest

from planvow import Budgets, Domain, State, Status, plan
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
