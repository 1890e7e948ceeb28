"""Who serves what, who goes first, in which order goals are reached, and what is made small."""

from __future__ import annotations

import pytest

from planvow import Budgets, Domain, Goal, MultiGoal, State, Status, plan, refuse
from planvow.errors import InputError
from planvow.kernel import attach_metadata
from planvow.kernel.domain.entities import Entity
from planvow.kernel.errors import DomainError
from planvow.kernel.time.timing import Timing
from planvow.temporal import before


def lifts() -> Domain:
    domain = Domain("lifts")

    @domain.command(duration=lambda state, item, ticks: ticks)
    def lift(state, item, ticks):
        return state

    return domain


def job(item, ticks, needs, **temporal):
    return attach_metadata(("lift", item, ticks), temporal, needs)


def robots(**capabilities):
    return tuple(Entity(entity_id=name, type="robot", capabilities=able) for name, able in capabilities.items())


def spans(result):
    return {a.item[1]: (a.start, a.end) for a in result.time_allocations}


def is_certified(result) -> bool:
    return not result.certificate().verify().faults


@pytest.mark.parametrize("ids", [("a", "b"), ("b", "a")])
def test_who_serves_a_command_is_chosen_again_when_a_later_one_needs_that_entity(ids):
    able, other = ids
    timing = Timing(entities=robots(**{able: ["heavy", "cold"], other: ["heavy"]}))
    todo = [
        job("x", 10, {"type": "robot", "capabilities": ["heavy"]}, start_time=0),
        job("y", 10, {"type": "robot", "capabilities": ["cold"]}, start_time=0),
    ]
    result = plan(lifts(), State(), todo, time=timing)
    assert [a.entities for a in result.time_allocations] == [(other,), (able,)]
    assert is_certified(result)


@pytest.mark.long
@pytest.mark.parametrize("count", [64, 65, pytest.param(130, marks=pytest.mark.slow)])
def test_as_many_jobs_as_ovens_all_fit_and_one_more_does_not(count):
    timing = Timing(entities=tuple(Entity(entity_id=f"o{k:03}", type="oven") for k in range(count)))
    todo = [job(k, 10, {"type": "oven"}, start_time=0) for k in range(count)]
    assert plan(lifts(), State(), todo, time=timing).success
    crowded = plan(lifts(), State(), [*todo, job("one more", 10, {"type": "oven"}, start_time=0)], time=timing)
    assert crowded.status is Status.NO_PLAN


def test_earlier_commands_change_places_for_a_later_one():
    """x, y and z in the order of the plan leave no place for the last: z must go first and y before x."""
    timing = Timing(entities=robots(a=[]))
    needs = {"type": "robot"}
    todo = [job("x", 10, needs, deadline=40), job("y", 10, needs, deadline=30), job("z", 20, needs, deadline=20)]
    result = plan(lifts(), State(), todo, time=timing)
    assert spans(result) == {"z": (0, 20), "y": (20, 30), "x": (30, 40)}
    assert is_certified(result)
    todo[2] = job("z", 21, needs, deadline=20)
    assert plan(lifts(), State(), todo, time=timing).status is Status.NO_PLAN


def test_rivals_change_places_for_a_later_command_that_needs_no_entity():
    """What follows y has a deadline that x and y keep only in the other order; nothing is chosen for it itself."""
    needs = {"type": "robot"}
    follower = attach_metadata(("lift", "label", 1), {"deadline": 15, "after": ("lift", "y", 10)})
    todo = [job("x", 10, needs), job("y", 10, needs), follower]
    result = plan(lifts(), State(), todo, time=Timing(entities=robots(a=[])))
    assert spans(result) == {"x": (10, 20), "y": (0, 10), "label": (10, 11)}
    assert is_certified(result)
    late = attach_metadata(("lift", "label", 1), {"deadline": 10, "after": ("lift", "y", 10)})
    assert plan(lifts(), State(), [*todo[:2], late], time=Timing(entities=robots(a=[]))).status is Status.NO_PLAN


def test_what_lies_between_a_contradiction_and_its_cause_is_not_tried_in_every_way():
    """Twelve pairs of rivals have nothing to do with the last two commands, which no order helps."""
    entities = tuple(Entity(entity_id=f"m{k:02}", type="machine") for k in range(13))
    todo = []
    for k in range(12):
        todo += [job((k, side), 10, {"entity_id": f"m{k:02}"}, deadline=20) for side in "ab"]
    todo += [job(("last", side), 10, {"entity_id": "m12"}, deadline=15) for side in "ab"]
    result = plan(lifts(), State(), todo, time=Timing(entities=entities), budgets=Budgets(max_iterations=500))
    assert result.status is Status.NO_PLAN


def test_what_was_not_looked_at_is_said_instead_of_a_proof():
    """Of these jobs no robot can do two: the budget ends before everything is tried, and nothing is claimed."""
    needs = {"type": "robot"}
    todo = [job("short", 1, needs, deadline=5), *(job(k, 6, needs, deadline=10) for k in range(5))]
    timing = Timing(entities=robots(a=["a"], b=["b"], c=["c"], d=["d"]))
    result = plan(lifts(), State(), todo, time=timing, budgets=Budgets(max_iterations=50))
    assert result.status is Status.BUDGET_EXCEEDED
    assert "max_iterations = 50 was reached" in result.reason


@pytest.mark.parametrize(
    ("entities", "needs", "jobs", "room"),
    [
        (robots(a=[]), {"type": "robot"}, 40, 400),
        (robots(a=[], b=[]), {"type": "robot"}, 40, 200),
        (robots(a=["big"], b=[]), {"type": "robot", "capabilities": ["big"]}, 40, 400),
        ((Entity(entity_id="v", type="robot", capacity=4),), {"type": "robot", "amount": 2}, 40, 200),
    ],
)
def test_too_much_to_do_is_proved_without_trying_every_order(entities, needs, jobs, room):
    def asked(deadline):
        todo = [job(k, 10, needs, deadline=deadline) for k in range(jobs)]
        return plan(lifts(), State(), todo, time=Timing(entities=entities), budgets=Budgets(max_iterations=1_000))

    assert asked(room).success
    assert asked(room - 1).status is Status.NO_PLAN


def test_a_part_of_the_day_that_is_too_full_is_found_among_jobs_that_fit():
    needs = {"type": "robot"}
    early = [job(("early", k), 10, needs, deadline=400) for k in range(10)]
    late = [job(("late", k), 10, needs, not_before=100, deadline=299) for k in range(20)]
    for todo, status in ((early + late, Status.NO_PLAN), (early + late[1:], Status.SOLVED)):
        result = plan(lifts(), State(), todo, time=Timing(entities=robots(a=[])), budgets=Budgets(max_iterations=1_000))
        assert result.status is status


def test_an_entity_that_serves_several_is_arranged_too():
    entities = (Entity(entity_id="van", type="van", capacity=2),)
    todo = [
        job("a", 10, {"type": "van"}, deadline=30),
        job("b", 10, {"type": "van"}, deadline=30),
        job("both", 10, {"type": "van", "amount": 2}, deadline=10),
    ]
    result = plan(lifts(), State(), todo, time=Timing(entities=entities))
    assert spans(result)["both"] == (0, 10)
    assert is_certified(result)


def test_going_back_over_an_arrangement_brings_the_earlier_one_back():
    domain = lifts()
    needs = {"type": "robot"}

    @domain.method(task="late")
    def hurried(state):
        return [job("z", 20, needs, deadline=20), ("stop",)]

    @domain.method(task="late")
    def calm(state):
        return [job("w", 5, needs)]

    @domain.command
    def stop(state):
        return refuse("it stops here")

    todo = [job("x", 10, needs, deadline=40), job("y", 10, needs, deadline=30), ("late",)]
    result = plan(domain, State(), todo, time=Timing(entities=robots(a=[])))
    assert spans(result) == {"x": (0, 10), "y": (10, 20), "w": (20, 25)}
    assert is_certified(result)


def fuel() -> Domain:
    domain = Domain("fuel")

    @domain.command
    def burn(state):
        if not state.got["fuel"]:
            return refuse("no fuel")
        state.got["fuel"] = False
        state.done["a"] = True
        return state

    @domain.command
    def weld(state):
        if not state.got["fuel"]:
            return refuse("no fuel")
        state.done["b"] = True
        return state

    @domain.method(goal="done")
    def do(state, key, value):
        return [("burn",)] if key == "a" else [("weld",)]

    return domain


@pytest.mark.parametrize("goals", [{"b": True, "a": True}, {"a": True, "b": True}])
def test_a_multigoal_is_split_as_written_and_in_other_orders_if_need_be(goals):
    start = State(got={"fuel": True}, done={"a": False, "b": False})
    assert plan(fuel(), start, [MultiGoal(done=goals)]).plan == (("weld",), ("burn",))
    none = plan(fuel(), State(got={"fuel": False}, done={"a": False, "b": False}), [MultiGoal(done=goals)])
    assert none.status is Status.NO_PLAN
    assert plan(fuel(), start, [Goal("done", "b", True), Goal("done", "a", True)]).plan == (("weld",), ("burn",))


def test_every_order_of_three_goals_is_tried():
    domain = Domain("locks")

    @domain.command
    def turn(state, key):
        if state.last != {"a": "b", "b": "c", "c": None}[key]:
            return refuse("another key first")
        state.last = key
        state.open[key] = True
        return state

    @domain.method(goal="open")
    def by_key(state, key, value):
        return [("turn", key)]

    start = State(last=None, open={"a": False, "b": False, "c": False})
    goal = MultiGoal(open={"a": True, "b": True, "c": True})
    assert plan(domain, start, [goal]).plan == (("turn", "c"), ("turn", "b"), ("turn", "a"))


def shop(cost) -> Domain:
    domain = Domain("shop")
    domain.command(cost=cost, name="buy")(lambda state: state)
    domain.method(task="get", name="buying")(lambda state: [("buy",)])
    return domain


@pytest.mark.parametrize("cost", [float("nan"), float("inf"), -1, "3", None])
@pytest.mark.parametrize("options", [{"optimal": "cost"}, {"max_cost": 3}, {}])
def test_a_cost_that_is_none_is_an_error(cost, options):
    with pytest.raises(DomainError, match="cost"):
        plan(shop(lambda state: cost), State(), [("get",)], **options)


@pytest.mark.parametrize("cost", [float("nan"), float("inf")])
def test_a_declared_cost_is_finite(cost):
    with pytest.raises(DomainError, match="finite"):
        shop(cost)


def test_the_cost_is_always_told():
    assert plan(shop(3), State(), [("get",), ("get",)]).cost == 6
    assert plan(shop(lambda state: 4), State(), [("get",), ("get",)]).cost == 8
    assert plan(shop(3), State(), []).cost == 0


def test_plans_that_cost_more_are_no_plans():
    domain = shop(3)
    assert plan(domain, State(), [("get",), ("get",)], max_cost=6).success
    poor = plan(domain, State(), [("get",), ("get",)], max_cost=5)
    assert poor.status is Status.NO_PLAN
    assert "it would cost at least 6, and max_cost is 5" in poor.explain_text()
    for wrong in (-1, float("nan"), "much"):
        with pytest.raises(InputError, match="max_cost"):
            plan(domain, State(), [], max_cost=wrong)


def workshop() -> Domain:
    """A chair is made by hand, slowly and cheaply, or by a machine that there is one of."""
    domain = Domain("workshop")

    @domain.command(duration=30, cost=1)
    def carve(state, chair):
        return state

    @domain.command(duration=10, cost=5)
    def mill(state, chair):
        return state

    @domain.method(task="make")
    def by_hand(state, chair):
        return [("carve", chair)]

    @domain.method(task="make")
    def by_machine(state, chair):
        return [attach_metadata(("mill", chair), None, {"type": "machine"})]

    return domain


MACHINE = Timing(entities=(Entity(entity_id="m", type="machine"),))


def chairs(count, **temporal):
    return [attach_metadata(("make", k), temporal) for k in range(count)]


def test_objectives_of_time_and_money_are_proved_and_ordered():
    quick = plan(workshop(), State(), chairs(4), time=MACHINE, optimal="makespan")
    assert (quick.values, quick.bound, quick.proven_optimal) == ({"makespan": 30}, {"makespan": 30}, True)
    cheap = plan(workshop(), State(), chairs(4), time=MACHINE, optimal="cost")
    assert (cheap.values, cheap.proven_optimal) == ({"cost": 4}, True)
    quick_then_cheap = plan(workshop(), State(), chairs(4), time=MACHINE, optimal=("makespan", "cost"))
    assert quick_then_cheap.values == {"makespan": 30, "cost": 4}
    few = plan(workshop(), State(), chairs(2), time=MACHINE, optimal=("makespan", "cost"))
    assert (few.values, few.proven_optimal) == ({"makespan": 20, "cost": 10}, True)


def test_tardiness_counts_by_how_much_what_was_due_is_late():
    late = plan(workshop(), State(), chairs(3, due=10), time=MACHINE, optimal="tardiness")
    assert late.values == {"tardiness": 30}  # milled one after the other: 0 + 10 + 20
    assert sorted(a.end for a in late.time_allocations) == [10, 20, 30]
    on_time = plan(workshop(), State(), chairs(3, due=30), time=MACHINE, optimal=("tardiness", "cost"))
    assert (on_time.values, on_time.cost) == ({"tardiness": 0, "cost": 3}, 3)


def test_a_makespan_needs_times_and_an_objective_a_name():
    with pytest.raises(InputError, match="no makespan"):
        plan(shop(1), State(), [("get",)], optimal="makespan")
    for wrong in ("speed", ("cost", "cost"), (), 3):
        with pytest.raises(InputError, match="optimal"):
            plan(shop(1), State(), [("get",)], optimal=wrong)


def test_a_schedule_is_made_as_short_as_its_bound():
    """Two jobs over two machines in opposite directions: side by side they take 14, one after the other 20 and more."""
    domain = lifts()
    domain.method(task="job", name="along")(
        lambda state, name, legs: [
            *(job((name, k), ticks, {"entity_id": m}) for k, (m, ticks) in enumerate(legs)),
            before(0, 1),
        ]
    )
    entities = (Entity(entity_id="m", type="machine"), Entity(entity_id="n", type="machine"))
    todo = [("job", "a", (("m", 3), ("n", 9))), ("job", "b", (("m", 5), ("n", 1))), ("job", "c", (("n", 2), ("m", 6)))]
    result = plan(domain, State(), todo, time=Timing(entities=entities), optimal="makespan")
    assert result.values == result.bound == {"makespan": 14}
    assert result.proven_optimal
    assert is_certified(result)


@pytest.mark.long
def test_a_hundred_thousand_entities_cost_what_is_looked_at():
    entities = tuple(Entity(entity_id=f"e{k:06}", type=f"t{k % 10}") for k in range(100_000))
    result = plan(lifts(), State(), [job("x", 1, {"type": "t7"})], time=Timing(entities=entities))
    assert result.time_allocations[0].entities == ("e000007",)
    with pytest.raises(InputError, match="there is no entity 'e100000'") as caught:
        plan(lifts(), State(), [job("x", 1, {"entity_id": "e100000"})], time=Timing(entities=entities))
    assert len(str(caught.value)) < 400


def test_deadlines_in_the_past_and_relations_that_contradict_each_other_are_no_plan():
    past = plan(lifts(), State(), [job("x", 1, None, deadline=5)], time=Timing(start_time=10))
    assert past.status is Status.NO_PLAN
    assert "deadline of lift" in past.explain_text()
    domain = lifts()
    domain.method(task="both", name="at_once")(
        lambda state: [("lift", "a", 1), ("lift", "b", 1), before(0, 1), before(1, 0)]
    )
    circle = plan(domain, State(), [("both",)])
    assert circle.status is Status.NO_PLAN
    assert "each would have to come before the other" in circle.explain_text()


def test_negative_and_endless_durations_are_errors():
    with pytest.raises(InputError, match="negative"):
        plan(lifts(), State(), [("lift", "x", -1)])
    for wrong in (float("nan"), 1.5):
        with pytest.raises(InputError, match="duration"):
            plan(lifts(), State(), [("lift", "x", wrong)])
    with pytest.raises(InputError, match="too long"):
        plan(lifts(), State(), [job("x", 2**53, None, deadline=10)])


@pytest.mark.parametrize(
    ("todo", "timing"),
    [
        (("lift", "x", 2**53), {}),
        (("lift", "x", [1, 2**53]), {}),
        (("lift", "x", "P200000D"), {}),
        (attach_metadata(("lift", "x", 1), {"deadline": 2**53}), {}),
        (attach_metadata(("lift", "x", 1), {"not_before": 2**53}), {}),
        (("lift", "x", 1), {"horizon": 2**53}),
        (("lift", "x", 1), {"start_time": -(2**53)}),
    ],
)
def test_a_time_that_is_too_long_is_an_error_of_the_call_and_not_of_the_reading(todo, timing):
    with pytest.raises(InputError, match="too long"):
        plan(lifts(), State(), [todo], time=Timing(**timing))
