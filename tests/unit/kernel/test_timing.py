"""Time in planning: durations, deadlines, relations, shared entities, and backing out of what does not fit."""

from __future__ import annotations

import pytest

from planvow.errors import InputError
from planvow.kernel.answer.planning import plan
from planvow.kernel.domain.domain import Domain
from planvow.kernel.domain.entities import Entity
from planvow.kernel.domain.terms import attach_metadata
from planvow.kernel.time.timing import Timing
from planvow.kernel.world.state import State
from planvow.status import Status
from planvow.temporal import before, during, within

MINUTE = 60_000_000
IN_TURN = Timing(ordering="sequential")


def kitchen():
    domain = Domain("kitchen")
    for name, duration in (("bake", "PT40M"), ("fry", "PT10M"), ("set_table", "PT5M"), ("serve", "PT1M")):
        domain.command(name=name, duration=duration)(lambda state, *_: state)
    return domain


def times(result):
    return [(a.item[0], a.start // MINUTE, a.end // MINUTE) for a in result.time_allocations]


def test_sequential_commands_follow_one_another():
    result = plan(kitchen(), State(), [("bake", "pie"), ("serve", "pie")], time=IN_TURN)
    assert times(result) == [("bake", 0, 40), ("serve", 40, 41)]


@pytest.mark.parametrize("time", [None, Timing(ordering="causal"), Timing(ordering="concurrent")])
def test_commands_that_have_nothing_to_do_with_each_other_run_side_by_side(time):
    result = plan(kitchen(), State(), [("bake", "pie"), ("set_table",)], time=time)
    assert times(result) == [("bake", 0, 40), ("set_table", 0, 5)]


def test_the_earliest_and_the_latest_times_are_told():
    result = plan(
        kitchen(), State(), [("fry", "egg"), ("serve", "egg")], time=Timing(ordering="sequential", horizon="PT20M")
    )
    first = result.time_allocations[0]
    assert (first.earliest_start, first.latest_start) == (0, 9 * MINUTE)
    assert (first.earliest_end, first.latest_end) == (10 * MINUTE, 19 * MINUTE)


def test_a_start_of_zero_is_a_time_like_any_other():
    late = attach_metadata(("serve", "egg"), {"start_time": 0})
    result = plan(kitchen(), State(), [("fry", "egg"), late], time=IN_TURN)
    assert result.status is Status.NO_PLAN


def test_a_deadline_turns_the_search_to_the_faster_method():
    domain = kitchen()

    @domain.method(task="dinner")
    def roast(state):
        return [("bake", "roast"), ("serve", "roast")]

    @domain.method(task="dinner")
    def quick(state):
        return [("fry", "egg"), ("serve", "egg")]

    assert times(plan(domain, State(), [("dinner",)], time=IN_TURN))[0][0] == "bake"
    hungry = attach_metadata(("dinner",), {"deadline": "PT15M"})
    assert times(plan(domain, State(), [hungry], time=IN_TURN)) == [("fry", 0, 10), ("serve", 10, 11)]
    starving = attach_metadata(("dinner",), {"deadline": "PT5M"})
    assert plan(domain, State(), [starving], time=IN_TURN).status is Status.NO_PLAN


def test_relations_in_a_decomposition_bind_its_children():
    domain = kitchen()

    @domain.method(task="dinner")
    def dinner(state):
        return [
            ("bake", "pie"),
            ("set_table",),
            ("serve", "pie"),
            before(("bake", "pie"), ("serve", "pie"), gap="PT10M"),
            during("set_table", 0),
            before("set_table", "serve"),
        ]

    result = plan(domain, State(), [("dinner",)], time=Timing(ordering="concurrent"))
    assert times(result) == [("bake", 0, 40), ("set_table", 0, 5), ("serve", 50, 51)]


def test_within_ties_a_task_to_the_clock():
    domain = kitchen()

    @domain.method(task="lunch")
    def lunch(state):
        return [("fry", "egg"), ("serve", "egg")]

    @domain.method(task="day")
    def day(state):
        return [("lunch",), within("lunch", start="PT2H", end="PT3H")]

    result = plan(domain, State(), [("day",)], time=IN_TURN)
    assert times(result) == [("fry", 120, 130), ("serve", 130, 131)]


def test_metadata_may_relate_an_item_to_its_sibling():
    item = attach_metadata(("serve", "pie"), {"after": ("bake", "pie")})
    result = plan(kitchen(), State(), [("bake", "pie"), item], time=Timing(ordering="concurrent"))
    assert times(result) == [("bake", 0, 40), ("serve", 40, 41)]


def test_metadata_may_relate_an_item_to_a_task_before_it():
    domain = kitchen()

    @domain.method(task="cook")
    def cook(state):
        return [("fry", "egg"), ("bake", "pie")]

    item = attach_metadata(("serve", "all"), {"after": "cook"})
    result = plan(domain, State(), [("set_table",), ("cook",), item], time=Timing(ordering="concurrent"))
    assert times(result) == [("set_table", 0, 5), ("fry", 0, 10), ("bake", 0, 40), ("serve", 40, 41)]


def oven_users(count):
    return [attach_metadata(("bake", f"dish{i}"), None, {"type": "oven"}) for i in range(count)]


def test_a_shared_oven_serves_one_dish_at_a_time():
    timing = Timing(ordering="concurrent", entities=(Entity(entity_id="oven1", type="oven"),))
    result = plan(kitchen(), State(), oven_users(2), time=timing)
    assert times(result) == [("bake", 0, 40), ("bake", 40, 80)]
    assert [a.entities for a in result.time_allocations] == [("oven1",), ("oven1",)]


def test_a_second_oven_lets_two_dishes_bake_at_once():
    ovens = tuple(Entity(entity_id=f"oven{i}", type="oven") for i in (2, 1))
    result = plan(kitchen(), State(), oven_users(3), time=Timing(ordering="concurrent", entities=ovens))
    assert times(result) == [("bake", 0, 40), ("bake", 0, 40), ("bake", 40, 80)]
    assert [a.entities for a in result.time_allocations] == [("oven1",), ("oven2",), ("oven1",)]


def test_a_dish_with_a_deadline_goes_into_the_oven_first():
    timing = Timing(ordering="concurrent", entities=(Entity(entity_id="oven", type="oven"),))
    slow, urgent = oven_users(2)
    urgent = attach_metadata(urgent, {"deadline": "PT40M"})
    result = plan(kitchen(), State(), [slow, urgent], time=timing)
    assert times(result) == [("bake", 40, 80), ("bake", 0, 40)]


def test_two_requirements_need_two_entities():
    lift = attach_metadata(("bake", "x"), None, [{"type": "cook"}, {"type": "cook", "capabilities": ["strong"]}])
    strong = Entity(entity_id="ann", type="cook", capabilities=frozenset({"strong"}))
    other = Entity(entity_id="bob", type="cook")
    assert plan(kitchen(), State(), [lift], time=Timing(entities=(strong,))).status is Status.NO_PLAN
    result = plan(kitchen(), State(), [lift], time=Timing(entities=(strong, other)))
    assert result.time_allocations[0].entities == ("bob", "ann")


def test_backtracking_over_entity_and_time_constraints_together():
    domain = kitchen()

    @domain.method(task="cook")
    def in_the_oven(state, dish):
        return [attach_metadata(("bake", dish), None, {"type": "oven"})]

    @domain.method(task="cook")
    def in_the_pan(state, dish):
        return [("fry", dish)]

    timing = Timing(ordering="concurrent", horizon="PT45M", entities=(Entity(entity_id="oven", type="oven"),))
    result = plan(domain, State(), [("cook", "a"), ("cook", "b")], time=timing)
    assert times(result) == [("bake", 0, 40), ("fry", 0, 10)]


def test_durations_may_be_ranges_and_functions_of_the_state():
    domain = Domain("walks")

    @domain.command(duration=lambda state, who, km: km * 10 * MINUTE)
    def walk(state, who, km):
        return state

    @domain.command(duration=["PT1M", "PT5M"])
    def rest(state, who):
        return state

    result = plan(
        domain, State(), [("walk", "ann", 3), ("rest", "ann")], time=Timing(ordering="sequential", horizon="PT33M")
    )
    walk_time, rest_time = result.time_allocations
    assert walk_time.end == 30 * MINUTE
    assert (rest_time.earliest_end, rest_time.latest_end) == (31 * MINUTE, 33 * MINUTE)


def test_the_reason_names_the_constraints_that_clash():
    late = attach_metadata(("bake", "pie"), {"deadline": "PT30M"})
    result = plan(kitchen(), State(), [late])
    assert result.status is Status.NO_PLAN
    text = str(result.explain_plan())
    assert "deadline of bake(pie)" in text
    assert "takes PT40M" in text


@pytest.mark.parametrize(
    "metadata",
    [{"durashun": 3}, {"duration": -1}, {"duration": "soon"}, {"duration": [1, 2, 3]}, {"deadline": "tomorrow"}],
)
def test_bad_temporal_metadata_is_refused(metadata):
    with pytest.raises(InputError):
        plan(kitchen(), State(), [attach_metadata(("bake", "pie"), metadata)])


def test_bad_entity_constraints_are_refused():
    with pytest.raises(InputError):
        plan(kitchen(), State(), [attach_metadata(("bake", "pie"), None, {"kind": "oven"})])


def test_a_long_timed_plan_is_planned_with_backtracking_and_no_recursion():
    domain = Domain("chain")

    @domain.command(duration=1)
    def step(state, i):
        state.at["x"] = i
        return state

    @domain.method(task="walk")
    def dead_end(state, i, n):
        return [("step", i), ("walk", i + 1, n), ("never",)] if i % 100 == 99 and i < n - 100 else None

    @domain.method(task="walk")
    def on(state, i, n):
        return [("step", i), ("walk", i + 1, n)] if i < n else []

    @domain.command
    def never(state):
        return None

    result = plan(domain, State(at={"x": 0}), [("walk", 0, 300)], time=Timing(horizon=1000))
    assert result.time_allocations[-1].end == 300
