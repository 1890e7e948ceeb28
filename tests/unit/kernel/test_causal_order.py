"""Steps in the order that follows from what they read and write: in partial orders and in schedules."""

from __future__ import annotations

import pytest

from planvow import Domain, Goal, MultiGoal, State, plan, refuse, replan
from planvow.errors import InputError, RefusedError
from planvow.kernel import attach_metadata
from planvow.kernel.domain.entities import Entity
from planvow.kernel.time.timing import Timing
from planvow.temporal import before


def workshop():
    """Holes are drilled, then screws go in; polishing has nothing to do with either; everything is written down."""
    domain = Domain("workshop")

    @domain.command(duration=10)
    def drill(state, part):
        state.hole[part] = True
        return state

    @domain.command(duration=10)
    def screw(state, part):
        if not state.hole.get(part):
            return refuse("there is no hole")
        state.fixed[part] = True
        return state

    @domain.command(duration=4)
    def polish(state, part):
        state.shiny[part] = True
        return state

    @domain.command(duration=3, ignores=("book",))
    def note(state, text):
        state.book = (*state.book, text)
        return state

    return domain


START = State(hole={}, fixed={}, shiny={}, book=())


def spans(result):
    return [(a.item[0], a.start, a.end) for a in result.time_allocations]


def robot(item, **temporal):
    return attach_metadata(item, temporal, {"type": "robot"})


ROBOT = Timing(entities=(Entity(entity_id="r", type="robot"),))


def test_a_screw_goes_in_after_its_hole_and_beside_what_it_has_nothing_to_do_with():
    result = plan(workshop(), START, [("drill", "a"), ("screw", "a"), ("polish", "b")])
    assert spans(result) == [("drill", 0, 10), ("screw", 10, 20), ("polish", 0, 4)]
    assert result.partial_order().edges == ((0, 1, "reads", "hole"),)
    assert result.certificate().verify().accepted


def test_neither_an_entity_nor_a_deadline_puts_the_screw_before_its_hole():
    todo = [robot(("drill", "a"), deadline=20), robot(("screw", "a"), deadline=10)]
    assert plan(workshop(), START, todo, time=ROBOT).status.value == "no_plan"
    # Two parts: there the deadline does decide who goes first.
    todo = [robot(("drill", "a"), deadline=20), robot(("drill", "b"), deadline=10)]
    assert spans(plan(workshop(), START, todo, time=ROBOT)) == [("drill", 10, 20), ("drill", 0, 10)]


def test_a_relation_against_the_causal_order_leaves_no_plan():
    domain = workshop()
    domain.method(task="mount", name="backwards")(
        lambda state: [("drill", "a"), ("screw", "a"), before("screw", "drill")]
    )
    assert plan(domain, START, [("mount",)]).status.value == "no_plan"


def test_a_command_that_ignores_a_predicate_is_in_no_order_because_of_it():
    todo = [("note", "one"), ("note", "two")]
    result = plan(workshop(), START, todo)
    assert spans(result) == [("note", 0, 3), ("note", 0, 3)]
    assert result.partial_order().edges == ()
    assert result.partial_order().ignored == {"note": ("book",)}
    strict = workshop()
    strict.command(strict.commands["note"].model, name="note", duration=3)
    result = plan(strict, START, todo)
    assert spans(result) == [("note", 0, 3), ("note", 3, 6)]
    assert result.partial_order().ignored == {}


def test_an_ordered_command_runs_beside_nothing():
    domain = workshop()
    domain.command(lambda state: state, name="ring", duration=1, ordered=True)
    result = plan(domain, START, [("polish", "a"), ("ring",), ("polish", "b"), ("polish", "c")])
    assert spans(result) == [("polish", 0, 4), ("ring", 4, 5), ("polish", 5, 9), ("polish", 5, 9)]
    order = result.partial_order()
    assert order.levels == ((0,), (1,), (2, 3))
    assert order.ordered == (1,)
    assert {edge.reason for edge in order.edges} == {"ordered"}


def two_robots(*, looks):
    """Robots that drive and unload; the method of a trip looks at what `looks` reads."""
    domain = Domain("robots")

    @domain.command(duration=lambda state, who, there: state.minutes[there])
    def drive(state, who, there):
        state.at[who] = there
        return state

    @domain.command(duration=1)
    def unload(state, who):
        state.cargo[who] = None
        return state

    @domain.method(task="trip")
    def trip(state, who, there):
        looks(state, who)
        return [("drive", who, there), ("unload", who)]

    return domain


FLEET = State(at={"r": "dock", "s": "dock"}, cargo={"r": 1, "s": 2}, minutes={"hall": 7})


def test_what_a_method_looks_at_is_read_by_every_step_below_it():
    todo = [("trip", "r", "hall"), ("trip", "s", "hall")]
    own = plan(two_robots(looks=lambda state, who: state.at[who]), FLEET, todo)
    assert spans(own) == [("drive", 0, 7), ("unload", 7, 8), ("drive", 0, 7), ("unload", 7, 8)]
    both = plan(two_robots(looks=lambda state, who: [state.at[x] for x in ("r", "s")]), FLEET, todo)
    assert [start for _, start, _ in spans(both)] == [0, 7, 8, 15]
    whole = plan(two_robots(looks=lambda state, who: sorted(state.at)), FLEET, todo)
    assert [start for _, start, _ in spans(whole)] == [0, 7, 8, 15]
    assert "method reads" in {edge.reason for edge in whole.partial_order().edges}


def test_what_a_refused_method_looked_at_does_not_count():
    domain = two_robots(looks=lambda state, who: state.at[who])

    @domain.method(task="go")
    def nobody_may(state, who, there):
        return refuse("no") if list(state.at) else []

    @domain.method(task="go")
    def alone(state, who, there):
        return [("trip", who, there)]

    result = plan(domain, FLEET, [("go", "r", "hall"), ("go", "s", "hall")])
    assert [start for _, start, _ in spans(result)] == [0, 7, 0, 7]


def test_a_generator_has_read_what_it_looked_at_for_earlier_answers():
    domain = two_robots(looks=lambda state, who: state.at[who])

    @domain.method(task="go")
    def several(state, who, there):
        for _ in state.at:  # the walk is over before the second answer
            break
        yield [("nowhere", who)]
        yield [("trip", who, there)]

    domain.command(lambda state, who: refuse("there is no such place"), name="nowhere")
    result = plan(domain, FLEET, [("go", "r", "hall"), ("go", "s", "hall")])
    assert [start for _, start, _ in spans(result)] == [0, 7, 8, 15]


def test_a_duration_that_depends_on_the_state_is_a_read():
    domain = two_robots(looks=lambda state, who: None)

    @domain.command
    def pave(state):
        state.minutes["hall"] = 2
        return state

    result = plan(domain, FLEET, [("drive", "r", "hall"), ("pave",), ("drive", "s", "hall")])
    assert spans(result) == [("drive", 0, 7), ("pave", 7, 7), ("drive", 7, 9)]


def test_what_is_found_missing_is_read_too():
    domain = Domain("d")

    @domain.command
    def look(state):
        return refuse("taken") if "a" in state.seat else state

    @domain.command
    def sit(state):
        state.seat["a"] = "ann"
        return state

    assert plan(domain, State(seat={}), [("look",), ("sit",)]).partial_order().edges == ((0, 1, "writes", "seat"),)


def test_who_sees_the_order_of_subjects_puts_those_who_made_them_in_line():
    domain = Domain("queue")

    @domain.command
    def join(state, who):
        state.queue[who] = True
        return state

    @domain.command
    def serve(state):
        state.first = next(iter(state.queue))
        return state

    free = plan(domain, State(queue={}, first=None), [("join", "ann"), ("join", "bob")])
    assert free.partial_order().edges == ()
    seen = plan(domain, State(queue={}, first=None), [("join", "ann"), ("join", "bob"), ("serve",)])
    assert seen.partial_order().levels == ((0,), (1,), (2,))


def lights():
    domain = Domain("lights")

    @domain.command
    def switch(state, lamp, to):
        state.lit[lamp] = to
        return state

    domain.method(goal="lit")(lambda state, lamp, to: [("switch", lamp, to)])
    return domain


def test_goals_that_must_hold_together_do_so_in_every_sequence():
    todo = [
        Goal("lit", "a", 1),
        Goal("lit", "b", 1),
        MultiGoal(lit={"a": 1, "b": 1}),
        ("switch", "a", 2),
        ("switch", "b", 2),
    ]
    order = plan(lights(), State(lit={"a": 0, "b": 0}), todo).partial_order()
    assert order.levels == ((0,), (1,), (2, 3))
    assert not order.allows([0, 2, 1, 3])
    apart = [item for item in todo if not isinstance(item, MultiGoal)]
    assert plan(lights(), State(lit={"a": 0, "b": 0}), apart).partial_order().allows([0, 2, 1, 3])


def test_relations_and_entities_order_the_steps_of_a_timed_plan():
    domain = workshop()
    domain.method(task="clean", name="both")(lambda state: [("polish", "a"), ("polish", "b")])
    domain.method(task="all", name="in_turn")(lambda state: [("clean",), ("drill", "c"), before("clean", "drill")])
    order = plan(domain, START, [("all",)]).partial_order()
    assert [edge[:3] for edge in order.edges] == [(0, 2, "relation"), (1, 2, "relation")]
    shared = plan(workshop(), START, [robot(("polish", "a")), robot(("polish", "b"))], time=ROBOT).partial_order()
    assert shared.edges == ((0, 1, "entity", "one use of r at a time"),)


def test_there_is_no_order_where_there_is_no_plan():
    with pytest.raises(RefusedError, match="no plan to order"):
        plan(workshop(), START, [("screw", "a")]).partial_order()


def test_an_effect_at_the_start_and_a_condition_at_the_end_let_commands_overlap():
    domain = Domain("oven")

    @domain.command(duration=10, effects={"on": "start", "hot": "end"})
    def heat(state):
        state.on["oven"], state.hot["oven"] = True, True
        return state

    @domain.command(duration=3)
    def watch_lamp(state):
        return state if state.on["oven"] else refuse("it is off")

    @domain.command(duration=4, conditions={"hot": "end"})
    def knead(state):
        return state if state.hot["oven"] else refuse("it is cold")

    @domain.command(duration=2)
    def bake(state):
        return state if state.hot["oven"] else refuse("it is cold")

    start = State(on={"oven": False}, hot={"oven": False})
    result = plan(domain, start, [("heat",), ("watch_lamp",), ("knead",), ("bake",)])
    assert spans(result) == [("heat", 0, 10), ("watch_lamp", 0, 3), ("knead", 6, 10), ("bake", 10, 12)]
    assert result.partial_order().levels == ((0,), (1, 2, 3))  # who runs them has whole steps only


@pytest.mark.parametrize("options", [{"conditions": {"hot": "middle"}}, {"effects": ["hot"]}, {"ignores": "log"}])
def test_what_a_command_says_about_its_order_is_checked(options):
    with pytest.raises(InputError) as caught:
        Domain("d").command(lambda state: state, name="c", **options)
    assert caught.value.place == "c"
    assert caught.value.hint


def polishing(count, **entity):
    needs = {"type": "belt", **entity.pop("needs", {})}
    timing = Timing(entities=(Entity(entity_id="belt", type="belt", **entity),))
    todo = [attach_metadata(("polish", str(i)), None, needs) for i in range(count)]
    return plan(workshop(), START, todo, time=timing)


def test_an_entity_serves_as_many_as_it_can_hold():
    assert [start for _, start, _ in spans(polishing(5, capacity=2))] == [0, 0, 4, 4, 8]
    assert [start for _, start, _ in spans(polishing(3, capacity=3, needs={"amount": 2}))] == [0, 4, 8]
    allocation = polishing(1, capacity=3, needs={"amount": 2}).time_allocations[0]
    assert (allocation.entities, allocation.amounts) == (("belt",), (2,))


def test_an_amount_that_nothing_can_hold_is_no_plan():
    assert "no distinct entities for 4 of a belt" in polishing(1, capacity=3, needs={"amount": 4}).explain_text()


def test_what_is_consumed_does_not_come_back():
    assert [start for _, start, _ in spans(polishing(3, capacity=7, is_consumable=True, needs={"amount": 2}))] == [
        0,
        0,
        0,
    ]
    short = polishing(4, capacity=7, is_consumable=True, needs={"amount": 2})
    assert short.status.value == "no_plan"
    domain = workshop()
    domain.method(task="shine", name="well")(
        lambda state: [attach_metadata(("polish", "a"), None, {"type": "wax", "amount": 5}), ("screw", "a")]
    )
    domain.method(task="shine", name="a_little")(
        lambda state: [attach_metadata(("polish", "a"), None, {"type": "wax", "amount": 2})]
    )
    wax = Timing(entities=(Entity(entity_id="tin", type="wax", capacity=6, is_consumable=True),))
    result = plan(domain, START, [("shine",), ("shine",)], time=wax)
    assert [a.amounts for a in result.time_allocations] == [(2,), (2,)]  # what the way back gave back was there again


def test_a_particular_entity_can_be_named():
    belts = Timing(entities=tuple(Entity(entity_id=f"b{i}", type="belt") for i in range(3)))
    todo = [attach_metadata(("polish", str(i)), None, {"entity_id": "b2"}) for i in range(2)]
    result = plan(workshop(), START, todo, time=belts)
    assert [a.entities for a in result.time_allocations] == [("b2",), ("b2",)]
    assert [start for _, start, _ in spans(result)] == [0, 4]
    with pytest.raises(InputError) as caught:
        plan(workshop(), START, [attach_metadata(("polish", "a"), None, {"entity_id": "b7"})], time=belts)
    assert "b7" in caught.value.message
    assert caught.value.hint


@pytest.mark.parametrize(
    "needs", [{"amount": 2}, {"type": "belt", "amount": 0}, {"entity_id": 3}, {"type": "b", "size": 1}]
)
def test_a_requirement_that_says_nothing_sensible_is_refused(needs):
    with pytest.raises(InputError):
        plan(workshop(), START, [attach_metadata(("polish", "a"), None, needs)], time=ROBOT)


def test_a_repair_waits_for_what_is_still_running_and_for_nothing_else():
    domain = workshop()
    domain.method(task="fix", name="by_screw")(lambda state: [("screw", "a")])
    domain.method(task="gloss", name="fast")(lambda state: [("polish", "b")])
    domain.method(task="gloss", name="slow")(lambda state: [("drill", "b"), ("polish", "c")])
    result = plan(domain, START, [("drill", "a"), ("gloss",), ("fix",)])
    assert spans(result) == [("drill", 0, 10), ("polish", 0, 4), ("screw", 10, 20)]
    failed = next(node.node_id for node in result.solution_graph.nodes if node.item == ("polish", "b"))
    repaired = replan(result, START.with_predicate("a", "hole", True), failed, now=3)
    assert spans(repaired) == [("drill", 3, 13), ("polish", 3, 7), ("screw", 10, 20)]


def test_a_search_without_times_notes_nothing():
    from planvow.kernel.world.noting import NotingState

    seen = []
    domain = Domain("d")
    domain.command(lambda state: seen.append(type(state)) or state, name="look")
    plan(domain, State(), [("look",)])
    plan(domain, State(), [("look",)], time=Timing(ordering="sequential"))
    assert NotingState not in seen
    plan(domain, State(), [("look",)], time=Timing())
    assert seen[-1] is NotingState


def test_a_look_that_leads_to_no_step_loses_nothing():
    domain = Domain("shelf")

    @domain.command
    def put(state, box):
        state.shelf[box] = True
        return state

    @domain.command
    def count(state):
        state.list = tuple(state.shelf)
        return state

    domain.method(task="glance", name="once")(lambda state: [] if list(state.shelf) else None)
    todo = [("put", "a"), ("put", "b"), ("glance",), ("put", "c"), ("count",)]
    order = plan(domain, State(shelf={}, list=()), todo).partial_order()
    assert order.levels == ((0,), (1,), (2,), (3,))
    assert {edge.before for edge in order.edges if edge.after == 3} == {0, 1, 2}


def test_a_relation_among_steps_without_length_does_not_turn_the_order_around():
    domain = workshop()
    for name in ("drill", "screw"):
        domain.command(domain.commands[name].model, name=name)
    domain.method(task="mount", name="backwards")(
        lambda state: [("drill", "a"), ("screw", "a"), before("screw", "drill")]
    )
    result = plan(domain, START, [("mount",)])
    assert spans(result) == [("drill", 0, 0), ("screw", 0, 0)]  # both at one instant: nothing is too late
    assert result.partial_order().sequence() == (0, 1)
