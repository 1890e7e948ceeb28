# ruff: noqa: RET503, E712 (written the way GTPyhop users write)
"""Functions in the styles of GTPyhop's nine example domains run unchanged through `Domain.from_functions`.

Travel by tasks and by goals, acting with errors, backtracking, blocks by tasks, by goals, by tasks and goals, by
splitting, and logistics by goals: own versions of such domains, written the way GTPyhop users write.
"""

from __future__ import annotations

import pytest

from planvow import Domain, MultiGoal, State, Status, plan
from planvow.kernel import Patience, run_lazy_lookahead, split_multigoal


def walk(s, p, x, y):
    if s.loc[p] == x:
        s.loc[p] = y
        return s


def call_taxi(s, p, x):
    s.loc["taxi"] = x
    return s


def ride_taxi(s, p, y):
    if s.loc["taxi"] == s.loc[p]:
        x = s.loc[p]
        s.loc["taxi"] = y
        s.loc[p] = y
        s.owe[p] = 1.5 + 0.5 * s.dist[x, y]
        return s


def pay_driver(s, p, y):
    if s.cash[p] >= s.owe[p]:
        s.cash[p] = s.cash[p] - s.owe[p]
        s.owe[p] = 0
        return s


def do_nothing(s, p, y):
    if s.loc[p] == y:
        return []


def travel_by_foot(s, p, y):
    x = s.loc[p]
    if x != y and s.dist[x, y] <= 2:
        return [("walk", p, x, y)]
    return False


def travel_by_taxi(s, p, y):
    x = s.loc[p]
    if x != y and s.cash[p] >= 1.5 + 0.5 * s.dist[x, y]:
        return [("call_taxi", p, x), ("ride_taxi", p, y), ("pay_driver", p, y)]


TRAVEL = [walk, call_taxi, ride_taxi, pay_driver]
WAYS = [do_nothing, travel_by_foot, travel_by_taxi]
TAXI = (("call_taxi", "alice", "home_a"), ("ride_taxi", "alice", "park"), ("pay_driver", "alice", "park"))


def travellers():
    state = State("state0")
    state.loc = {"alice": "home_a", "bob": "home_b", "taxi": "station"}
    state.cash = {"alice": 20, "bob": 15}
    state.owe = {"alice": 0, "bob": 0}
    state.dist = {("home_a", "park"): 8, ("home_b", "park"): 2}
    return state


@pytest.mark.parametrize("kind", ["task_methods", "goal_methods"])
def test_simple_travel_by_tasks_and_by_goals(kind):
    name = "travel" if kind == "task_methods" else "loc"
    domain = Domain.from_functions("travel", actions=TRAVEL, **{kind: {name: WAYS}})
    assert plan(domain, travellers(), [(name, "alice", "park")]).plan == TAXI
    both = plan(domain, travellers(), [(name, "bob", "park"), (name, "alice", "park")])
    assert both.plan == (("walk", "bob", "home_b", "park"), *TAXI)
    poor = travellers()
    poor.cash["alice"] = 1
    assert plan(domain, poor, [(name, "alice", "park")]).status is Status.NO_PLAN


def test_acting_with_a_taxi_that_breaks_down():
    def c_ride_taxi(s, p, y):
        return False  # the taxi never arrives

    domain = Domain.from_functions("acting", actions=TRAVEL, task_methods={"travel": WAYS}, commands=[c_ride_taxi])
    done = run_lazy_lookahead(domain, travellers(), [("travel", "alice", "park")], patience=Patience(chances=1))
    assert (done.success, done.executed) == (False, (("call_taxi", "alice", "home_a"),))
    assert run_lazy_lookahead(domain, travellers(), [("travel", "bob", "park")]).success


def putv(s, value):
    s.flag = value
    return s


def getv(s, value):
    if s.flag == value:
        return s


def test_backtracking_over_one_two_and_three_methods_gives_the_exact_plans():
    methods = {
        "put_it": [lambda_named("m_err", lambda s: [("putv", 0), ("getv", 1)]),
                   lambda_named("m0", lambda s: [("putv", 0), ("getv", 0)]),
                   lambda_named("m1", lambda s: [("putv", 1), ("getv", 1)])],
        "need0": [lambda_named("n0", lambda s: [("getv", 0)])],
        "need1": [lambda_named("n1", lambda s: [("getv", 1)])],
        "need01": [lambda_named("n01a", lambda s: [("getv", 0)]), lambda_named("n01b", lambda s: [("getv", 1)])],
        "need10": [lambda_named("n10a", lambda s: [("getv", 1)]), lambda_named("n10b", lambda s: [("getv", 0)])],
    }  # fmt: skip
    domain = Domain.from_functions("backtracking", actions=[putv, getv], task_methods=methods)
    zero = (("putv", 0), ("getv", 0), ("getv", 0))
    one = (("putv", 1), ("getv", 1), ("getv", 1))
    for task, expected in {"need0": zero, "need01": zero, "need10": zero, "need1": one}.items():
        assert plan(domain, State(flag=-1), [("put_it",), (task,)]).plan == expected


def lambda_named(name, function):
    function.__name__ = name
    return function


def pickup(s, x):
    if s.pos[x] == "table" and s.clear[x] == True and s.holding["hand"] == False:
        s.pos[x] = "hand"
        s.clear[x] = False
        s.holding["hand"] = x
        return s


def unstack(s, b, c):
    if s.pos[b] == c and c != "table" and s.clear[b] == True and s.holding["hand"] == False:
        s.pos[b] = "hand"
        s.clear[b] = False
        s.holding["hand"] = b
        s.clear[c] = True
        return s


def putdown(s, b):
    if s.pos[b] == "hand":
        s.pos[b] = "table"
        s.clear[b] = True
        s.holding["hand"] = False
        return s


def stack(s, b, c):
    if s.pos[b] == "hand" and s.clear[c] == True:
        s.pos[b] = c
        s.clear[b] = True
        s.holding["hand"] = False
        s.clear[c] = False
        return s


def done(b, state, mgoal):
    if b == "table":
        return True
    if b in mgoal.pos and mgoal.pos[b] != state.pos[b]:
        return False
    return state.pos[b] == "table" or done(state.pos[b], state, mgoal)


def next_block(state, mgoal):
    for x in [b for b in state.clear if state.clear[b]]:
        if not done(x, state, mgoal):
            to = mgoal.pos.get(x, "table")
            if to == "table" or (done(to, state, mgoal) and state.clear[to]):
                return x, to
    for x in [b for b in state.clear if state.clear[b]]:
        if not done(x, state, mgoal) and state.pos[x] != "table":
            return x, "table"
    return None


def m_achieve(state, mgoal):
    found = next_block(state, mgoal)
    return [("take", found[0]), ("put", *found), ("achieve", mgoal)] if found else []


def m_moveblocks(state, mgoal):
    found = next_block(state, mgoal)
    return [("pos", found[0], "hand"), ("pos", *found), mgoal] if found else []


def m_take(state, x):
    if state.clear[x]:
        return [("pickup", x)] if state.pos[x] == "table" else [("unstack", x, state.pos[x])]


def m_put(state, x, y):
    if state.holding["hand"] == x:
        return [("putdown", x)] if y == "table" else [("stack", x, y)]


def m_take_goal(state, x, y):
    if y == "hand":
        return m_take(state, x)


def m_put_goal(state, x, y):
    if y != "hand":
        return m_put(state, x, y)


def m_whole(state, x, y):
    if y != "hand" and state.clear[x]:
        return [("pos", x, "hand"), ("pos", x, y)]


ACTIONS = [pickup, unstack, putdown, stack]
START = {"pos": {"a": "b", "b": "table", "c": "table"}, "clear": {"c": True, "b": False, "a": True},
         "holding": {"hand": False}}  # fmt: skip
EXPECTED = (
    ("unstack", "a", "b"),
    ("putdown", "a"),
    ("pickup", "b"),
    ("stack", "b", "a"),
    ("pickup", "c"),
    ("stack", "c", "b"),
)


@pytest.mark.parametrize("style", ["tasks", "goals", "tasks and goals", "splitting"])
def test_blocks_in_four_styles(style):
    goal = MultiGoal(pos={"c": "b", "b": "a", "a": "table"})
    tasks = {"achieve": [m_achieve], "take": [m_take], "put": [m_put]}
    goals = {"pos": [m_take_goal, m_put_goal, m_whole]}
    domain, todo = {
        "tasks": (Domain.from_functions("b", actions=ACTIONS, task_methods=tasks), [("achieve", goal)]),
        "goals": (
            Domain.from_functions("b", actions=ACTIONS, goal_methods=goals, multigoal_methods=[m_moveblocks]), [goal],
        ),
        "tasks and goals": (
            Domain.from_functions("b", actions=ACTIONS, task_methods=tasks, goal_methods=goals,
                                  multigoal_methods=[m_moveblocks]), [("take", "a"), ("pos", "a", "table"), goal],
        ),
        "splitting": (
            Domain.from_functions("b", actions=ACTIONS, goal_methods=goals, multigoal_methods=[split_multigoal]),
            [goal],
        ),
    }[style]  # fmt: skip
    result = plan(domain, State(START), todo)
    final = result.final_state
    assert {b: final.pos[b] for b in "abc"} == {"a": "table", "b": "a", "c": "b"}
    if style != "splitting":
        assert result.plan == EXPECTED


def drive(s, t, place):
    if s.city[s.at[t]] == s.city[place]:
        s.at[t] = place
        return s


def load(s, o, v):
    if s.at[o] == s.at[v]:
        s.at[o] = v
        return s


def unload(s, o, place):
    v = s.at[o]
    if v in s.trucks and s.at[v] == place:
        s.at[o] = place
        return s


def m_drive(s, t, place):
    if t in s.trucks:
        return [("drive", t, place)]


def m_load(s, o, v):
    if o not in s.trucks and v in s.trucks and s.at[v] == s.at[o]:
        return [("load", o, v)]


def m_unload(s, o, place):
    if o not in s.trucks and s.at[o] in s.trucks and s.at[s.at[o]] == place:
        return [("unload", o, place)]


def m_in_city(s, o, place):
    if o in s.trucks or place in s.trucks or s.at[o] in s.trucks:
        return None
    truck = next((t for t in s.trucks if s.city[s.at[t]] == s.city[s.at[o]]), None)
    return [("at", truck, s.at[o]), ("at", o, truck), ("at", truck, place), ("at", o, place)] if truck else None


def test_logistics_by_goals_alone():
    domain = Domain.from_functions(
        "logistics", actions=[drive, load, unload], goal_methods={"at": [m_drive, m_load, m_unload, m_in_city]}
    )
    state = State(at={"box": "shop", "t1": "depot"}, city={"shop": "x", "depot": "x", "home": "x"}, trucks=["t1"])
    assert plan(domain, state, [("at", "box", "home")]).plan == (
        ("drive", "t1", "shop"), ("load", "box", "t1"), ("drive", "t1", "home"), ("unload", "box", "home"),
    )  # fmt: skip


def test_copying_functions_and_named_copies_work_as_in_gtpyhop():
    def move(s, x):
        new = s.copy("next")
        new.at["me"] = x
        return new

    result = plan(Domain.from_functions("copy", actions=[move]), State("s0", at={"me": 0}), [("move", 1)])
    assert result.final_state.at["me"] == 1
