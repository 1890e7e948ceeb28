"""The time of repaired plans: what was done lies behind, and what was promised above the repair still holds."""

from __future__ import annotations

import random

import pytest

from planvow import Domain, State, plan, replan
from planvow.errors import InputError
from planvow.kernel import attach_metadata, simulate
from planvow.kernel.domain.entities import Entity
from planvow.kernel.time.timing import Timing
from planvow.temporal import before

IN_TURN = Timing(ordering="sequential")


def add_method(made, task, name, parts):
    """One way of doing a task, which is always the same."""

    def method(state):
        return list(parts)

    method.__name__ = name
    made.method(task=task)(method)


def domain(*, alternatives=(("quick", 5), ("slow", 50), ("fair", 8)), top=None):
    """prepare, then whichever alternative works, then finish."""
    made = Domain("times")

    def command(name, duration):
        def run(state):
            state.done[name] = True
            return state

        run.__name__ = name
        made.command(duration=duration)(run)

    for name, duration in (("prepare", 5), ("finish", 5), *alternatives):
        command(name, duration)
        if name not in ("prepare", "finish"):
            add_method(made, "middle", f"by_{name}", [(name,)])
    add_method(made, "job", "in_turn", top or [("prepare",), ("middle",), ("finish",)])
    return made


def node_of(result, *item):
    return next(node.node_id for node in result.solution_graph.nodes if node.item == item)


def times(result):
    return {allocation.item[0]: (allocation.start, allocation.end) for allocation in result.time_allocations}


def failed(result, *item):
    """The repair after a command failed, everything before it having been done."""
    return replan(result, State(done={"prepare": True}), node_of(result, *item))


def with_time(item, **temporal):
    return attach_metadata(item, temporal_constraints=temporal)


def test_a_repair_keeps_the_deadline_of_the_task_above_it():
    result = plan(domain(), State(done={}), [with_time(("job",), deadline=20)], time=IN_TURN)
    repaired = failed(result, "quick")
    assert repaired.plan == (("fair",), ("finish",))  # slow would be too late
    assert times(repaired) == {"fair": (5, 13), "finish": (13, 18)}
    assert repaired.certificate().verify().accepted


def test_a_repair_that_cannot_meet_the_deadline_is_no_plan():
    result = plan(domain(), State(done={}), [with_time(("job",), deadline=17)], time=IN_TURN)
    assert failed(result, "quick").status.value == "no_plan"


def test_the_time_of_the_repair_may_be_told():
    result = plan(domain(), State(done={}), [with_time(("job",), deadline=30)], time=IN_TURN)
    repaired = replan(result, State(done={"prepare": True}), node_of(result, "quick"), now=12)
    assert times(repaired) == {"fair": (12, 20), "finish": (20, 25)}
    late = replan(result, State(done={"prepare": True}), node_of(result, "quick"), now=18)
    assert not late.success
    with pytest.raises(InputError):
        replan(result, State(done={}), node_of(result, "quick"), now="soon")


def test_a_task_that_has_begun_goes_on_from_when_it_began():
    result = plan(domain(), State(done={}), [with_time(("job",), duration=[0, 20])], time=IN_TURN)
    assert failed(result, "quick").plan == (("fair",), ("finish",))
    assert failed(result, "finish").plan == ()  # blacklisted, and no other way to finish


def test_relations_to_what_was_done_still_hold():
    top = [("prepare",), ("middle",), ("finish",), before(("prepare",), ("finish",), at_most=9)]
    result = plan(domain(top=top), State(done={}), [("job",)], time=IN_TURN)
    assert failed(result, "quick").plan == (("fair",), ("finish",))
    top[-1] = before(("prepare",), ("finish",), at_most=7)
    assert not failed(plan(domain(top=top), State(done={}), [("job",)], time=IN_TURN), "quick").success


def test_a_repair_of_a_repair_knows_both_pasts():
    result = plan(domain(), State(done={}), [with_time(("job",), deadline=70)], time=IN_TURN)
    first = failed(result, "quick")
    assert times(first) == {"slow": (5, 55), "finish": (55, 60)}
    graph = first.repair.trail
    slow = next(i for i, node in enumerate(graph, start=1) if node[1] == ("slow",))
    second = replan(first, State(done={"prepare": True}), slow, now=40)
    assert times(second) == {"fair": (40, 48), "finish": (48, 53)}
    assert second.certificate().verify().accepted
    assert not replan(first, State(done={"prepare": True}), slow, now=60).success


def test_an_entity_that_is_still_busy_serves_nobody_else():
    made = domain(alternatives=(("quick", 5), ("fair", 8), ("bake", 40)))
    oven = Timing(ordering="concurrent", entities=(Entity(entity_id="oven1", type="oven"),))
    baking = attach_metadata(("bake",), None, {"type": "oven"})
    result = plan(made, State(done={}), [baking, ("middle",), baking], time=oven)
    repaired = replan(result, State(done={}), node_of(result, "quick"))
    assert times(repaired) == {"fair": (0, 8), "bake": (40, 80)}


def random_problem(chance):
    """A tree of tasks with one method each, some with a deadline, a span or an order between their parts."""
    made, counter = Domain("random"), iter(range(1000))
    tree = {}

    def task(depth):
        name = f"t{next(counter)}"
        parts = [
            leaf() if depth == 0 or chance.random() < 0.5 else task(depth - 1) for _ in range(chance.randint(1, 3))
        ]
        plain = [getattr(part, "item", part) for part in parts]
        if len(plain) > 1 and chance.random() < 0.5:
            parts.append(before(plain[0], plain[1], at_most=chance.randint(0, 40)))
        tree[name] = parts
        return told((name,))

    def leaf():
        name, duration = f"c{next(counter)}", chance.randint(0, 9)

        def run(state):
            state.done[name] = True
            return state

        run.__name__ = name
        made.command(duration=duration)(run)
        return told((name,))

    def told(item):
        draw = chance.random()
        if draw < 0.2:
            return with_time(item, deadline=chance.randint(20, 90))
        if draw < 0.3 and item[0].startswith("t"):
            return with_time(item, duration=[0, chance.randint(10, 60)])
        if draw < 0.4:
            return with_time(item, not_before=chance.randint(0, 12))
        return item

    todo = [task(2) for _ in range(2)]
    for name, parts in tree.items():
        add_method(made, name, f"m_{name}", parts)
    return made, todo


def repairs_that_change_nothing(ordering):
    """Random plans, each with a repair from one of its commands on, in the very state the plan expected there."""
    chance = random.Random(7)
    for _ in range(150):
        made, todo = random_problem(chance)
        result = plan(made, State(done={}), todo, time=Timing(ordering=ordering))
        if result.success and result.plan:
            commands = [node for node in result.solution_graph.nodes if node.kind == "command"]
            at = chance.randrange(len(commands))
            state = simulate(result).states[at]
            yield result, at, replan(result, state, commands[at].node_id, blacklist=False)


def test_a_repair_that_changes_nothing_keeps_every_time():
    tried = 0
    for result, at, repaired in repairs_that_change_nothing("sequential"):
        assert repaired.plan == result.plan[at:]
        old, new = ([(a.start, a.end) for a in which.time_allocations] for which in (result, repaired))
        assert new == old[at:]
        assert repaired.certificate().verify().accepted
        tried += 1
    assert tried > 40


@pytest.mark.long
def test_nothing_starts_before_the_repair_although_it_could_have_run_beside_what_is_done():
    solved = 0
    for result, at, repaired in repairs_that_change_nothing("concurrent"):
        if repaired.success:
            now = result.time_allocations[at].start
            assert min(allocation.start for allocation in repaired.time_allocations) >= now
            assert repaired.certificate().verify().accepted
            solved += 1
    assert solved > 20
