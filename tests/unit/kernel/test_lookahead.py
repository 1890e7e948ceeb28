"""Acting: what a failure in the world means for the plans that follow, and what is never lost."""

from __future__ import annotations

import pytest

from planvow import Domain, InputError, Planner, State, Status, refuse
from planvow.kernel import Patience, run_lazy_lookahead
from planvow.kernel.domain.entities import Entity
from planvow.kernel.domain.terms import attach_metadata
from planvow.kernel.time.timing import Timing

START = State(at=0, opened=False)


def one_way(fails: int) -> Domain:
    """There is one way to be there, and it fails so often before it works."""
    domain = Domain("one way")
    left = [fails]

    @domain.command
    def open_door(state):
        state.opened = True
        return state

    @domain.command
    def go(state, x):
        state.at = x
        return state

    @domain.runtime("go")
    def really_go(state, x):
        if left[0] > 0:
            left[0] -= 1
            return False
        state.at = x
        return state

    @domain.method(task="visit")
    def directly(state, x):
        return [("open_door",), ("go", x)]

    return domain


def test_one_transient_failure_does_not_ban_a_command_for_the_run():
    done = run_lazy_lookahead(one_way(1), START, [("visit", 1)])
    assert (done.status, done.state.at) == (Status.SOLVED, 1)
    assert [failure.command for failure in done.failures] == [("go", 1)]
    assert [result.status for result in done.results] == [Status.SOLVED, Status.NO_PLAN, Status.SOLVED]


def test_what_has_used_up_its_chances_stays_out():
    done = run_lazy_lookahead(one_way(2), START, [("visit", 1)])
    assert (done.status, len(done.failures)) == (Status.NO_PLAN, 2)
    assert run_lazy_lookahead(one_way(2), START, [("visit", 1)], patience=Patience(chances=3)).success
    assert run_lazy_lookahead(one_way(4), START, [("visit", 1)], patience=Patience(chances=None)).success
    strict = run_lazy_lookahead(one_way(1), START, [("visit", 1)], patience=Patience(chances=1))
    assert (strict.status, strict.tries) == (Status.NO_PLAN, 2)


def test_a_command_is_run_again_at_once_as_often_as_asked():
    done = run_lazy_lookahead(one_way(2), START, [("visit", 1)], patience=Patience(retries=2))
    assert (done.status, done.tries, done.failures) == (Status.SOLVED, 1, ())
    short = run_lazy_lookahead(one_way(9), START, [("visit", 1)], 1, patience=Patience(retries=2))
    assert (short.status, short.failures[0].attempts) == (Status.BLOCKED, 3)


def two_ways(works: dict) -> Domain:
    domain = Domain("two ways")

    @domain.command
    def take(state, way):
        state.at = way
        return state

    @domain.runtime("take")
    def really_take(state, way):
        works["asked"].append(way)
        return take(state, way) if works[way] else refuse(f"{way} is closed")

    for way in ("bridge", "ferry"):
        domain.method(task="cross", name=way)(lambda state, way=way: [("take", way)])
    return domain


def test_a_ban_ends_after_the_plans_it_was_made_for():
    works = {"asked": [], "bridge": False, "ferry": False}
    patience = Patience(plans_banned=1, chances=None)
    run_lazy_lookahead(two_ways(works), START, [("cross",)], 4, patience=patience)
    assert works["asked"] == ["bridge", "ferry", "bridge", "ferry"]
    works["asked"].clear()
    run_lazy_lookahead(two_ways(works), START, [("cross",)], 3, patience=Patience(plans_banned=0, chances=None))
    assert works["asked"] == ["bridge", "bridge", "bridge"]


def test_a_ban_is_not_lifted_while_there_is_another_way():
    works = {"asked": [], "bridge": False, "ferry": True}
    assert run_lazy_lookahead(two_ways(works), START, [("cross",)]).success
    assert works["asked"] == ["bridge", "ferry"]


def test_what_was_banned_from_the_start_is_never_lifted():
    works = {"asked": [], "bridge": True, "ferry": False}
    done = run_lazy_lookahead(two_ways(works), START, [("cross",)], blacklist=[("take", "bridge")])
    assert done.status is Status.NO_PLAN
    assert set(works["asked"]) == {"ferry"}


def test_an_exception_of_a_runtime_is_a_failure_with_its_reason_and_nothing_done_is_lost():
    domain = one_way(0)

    @domain.runtime("go")
    def broken(state, x):
        state.at = "half way"
        raise OSError("gripper")

    done = run_lazy_lookahead(domain, START, [("visit", 1)], 2)
    assert done.executed[0] == ("open_door",)
    assert (done.state.opened, done.state.at) == (True, 0)
    assert done.failures[0].reason == "OSError: gripper"
    assert isinstance(done.failures[0].error, OSError)


def test_what_was_done_is_not_lost_when_planning_again_raises():
    domain = one_way(9)

    @domain.method(task="visit", name="brittle")
    def brittle(state, x):
        return [("go", state.map[x])]

    done = run_lazy_lookahead(domain, START, [("visit", 1)])
    assert (done.status, done.executed) == (Status.INTERNAL, (("open_door",),))
    assert "map" in str(done.error)
    domain.task_methods["visit"].reverse()
    with pytest.raises(Exception, match="map"):  # nothing was done yet: misuse raises
        run_lazy_lookahead(domain, START, [("visit", 1)])


def test_a_planner_passes_patience_on():
    done = Planner(one_way(3)).run_lazy_lookahead(START, [("visit", 1)], patience=Patience(retries=3))
    assert (done.success, done.tries) == (True, 1)


@pytest.mark.parametrize("wrong", [{"retries": -1}, {"retries": None}, {"plans_banned": True}, {"chances": 0}])
def test_patience_is_checked(wrong):
    with pytest.raises(InputError) as caught:
        Patience(**wrong)
    assert caught.value.place == next(iter(wrong))


@pytest.mark.parametrize(("capacity", "status"), [(1, Status.NO_PLAN), (2, Status.SOLVED)])
def test_what_was_consumed_before_a_failure_is_gone(capacity, status):
    domain, tries = Domain("flights"), []

    @domain.command(duration=2)
    def burn(state):
        state.burnt += 1
        return state

    @domain.command(duration=1)
    def fly(state):
        state.flown = True
        return state

    @domain.method(task="trip")
    def with_fuel(state):
        return [attach_metadata(("burn",), None, {"type": "fuel"}), ("fly",)]

    def windy(state, command):
        tries.append(command)
        return None if tries.count(("fly",)) == 1 and command == ("fly",) else domain.commands[command[0]].model(state)

    tank = Entity(entity_id="tank", type="fuel", capacity=capacity, is_consumable=True)
    start = State(burnt=0, flown=False)
    run = run_lazy_lookahead(domain, start, [("trip",)], execute=windy, time=Timing(entities=(tank,)))
    assert run.status is status
    assert run.state.burnt == capacity
