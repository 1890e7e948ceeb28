"""What a repaired plan costs: its new part and the old one it goes on with, and never more than it may."""

from __future__ import annotations

import pytest

from planvow import Budgets, Domain, State, plan, replan

town = Domain("town")


@town.command(cost=5)
def ride(state, who, there):
    state.at[who] = there
    return state


@town.command
def walk(state, who, there):
    state.at[who] = there
    return state


@town.command(cost=lambda state, who: 4 if state.at[who] == "inn" else 9)
def eat(state, who):
    state.fed[who] = True
    return state


@town.method(task="go")
def on_foot(state, who, there):
    return [("walk", who, there)]


@town.method(task="go")
def by_coach(state, who, there):
    return [("ride", who, there)]


@town.method(task="go")
def by_two_coaches(state, who, there):
    return [("ride", who, "gate"), ("ride", who, there)]


def start():
    return State(at={}, fed={})


def repaired(agenda, observed=None, **how):
    """A plan whose first walk fails, in a world that may be another one by then."""
    result = plan(town, start(), agenda, **how)
    failed = next(node.node_id for node in result.solution_graph if node.item == ("walk", "ann", "inn"))
    return replan(result, start() if observed is None else observed, failed)


FIRST = ("go", "ann", "inn")


@pytest.mark.parametrize(
    ("rest", "cost"),
    [([("walk", "ann", "sea"), ("ride", "ann", "inn")], 11), ([("eat", "ann"), ("walk", "ann", "sea")], 10)],
    ids=["declared", "from the state"],
)
@pytest.mark.parametrize("observed", [start(), State(at={}, fed={"bob": True})], ids=["as planned", "otherwise"])
def test_a_repaired_plan_costs_what_all_its_commands_do(rest, cost, observed):
    answer = repaired([FIRST, *rest], observed)
    assert answer.plan == (("ride", "ann", "inn"), *rest)
    assert answer.cost == cost


def test_a_repair_is_held_to_what_the_whole_rest_may_cost():
    agenda = [FIRST, ("walk", "ann", "sea")]
    assert repaired(agenda, max_cost=6).plan == (("ride", "ann", "inn"), ("walk", "ann", "sea"))
    assert not repaired(agenda, max_cost=5).success


def test_a_repair_is_held_to_how_much_may_wait():
    def drive(state):
        return [("walk", "ann", "inn")]

    def drive_around(state):
        return [("ride", "ann", "gate"), ("ride", "ann", "inn")]

    domain = Domain("town", commands=town.commands)
    domain.add_task_methods("drive", drive, drive_around)
    agenda = [("drive",), ("walk", "ann", "sea")]
    result = plan(domain, start(), agenda, budgets=Budgets(max_stack_size=2))
    assert replan(result, start(), 2).status == "budget_exceeded"
    wider = plan(domain, start(), agenda, budgets=Budgets(max_stack_size=3))
    assert replan(wider, start(), 2).success


def test_fractions_add_up_alike_in_every_version_of_python():
    dimes = Domain("dimes")
    dimes.command(name="pay", cost=0.1)(lambda state: state)
    assert plan(dimes, State(), [("pay",)] * 10).cost == 0.9999999999999999
