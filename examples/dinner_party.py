"""A dinner with two cooks, one oven and a time to eat: durations, deadlines, relations and shared entities.

Run: planvow plan examples/dinner_party.py --timeline. The roast and the pie both need the only oven; the salad needs a
cook but no oven; all must be on the table within two and a half hours, and the soup is served before the pie.
"""

from planvow import Domain, State, make_problem, plan, refuse
from planvow.kernel.domain.entities import Entity
from planvow.kernel.domain.terms import attach_metadata
from planvow.kernel.time.timing import Timing
from planvow.temporal import before

kitchen = Domain("kitchen")


@kitchen.command(duration="PT10M")
def chop(state, dish):
    state.ready[dish] = "chopped"
    return state


@kitchen.command(duration="PT45M")
def bake(state, dish):
    state.ready[dish] = "baked"
    return state


@kitchen.command(duration=["PT15M", "PT40M"])
def simmer(state, dish):
    state.ready[dish] = "hot"
    return state


@kitchen.command(duration="PT5M")
def serve(state, dish):
    state.served[dish] = True
    return state


@kitchen.method(task="course")
def baked_course(state, dish):
    if state.kind[dish] != "oven":
        return None
    return [
        attach_metadata(("chop", dish), None, {"type": "cook"}),
        attach_metadata(("bake", dish), None, {"type": "oven"}),
        ("serve", dish),
        before("chop", "bake"),
        before("bake", "serve", at_most="PT30M"),  # nobody likes it cold
    ]


@kitchen.method(task="course")
def soup_course(state, dish):
    if state.kind[dish] != "pot":
        return None
    return [
        attach_metadata(("chop", dish), None, {"type": "cook"}),
        ("simmer", dish),
        ("serve", dish),
        before("chop", "simmer"),
        before("simmer", "serve"),
    ]


@kitchen.method(task="course")
def cold_course(state, dish):
    if state.kind[dish] != "none":
        return refuse(f"{dish} is not eaten cold")
    return [attach_metadata(("chop", dish), None, {"type": "cook"}), ("serve", dish), before("chop", "serve")]


@kitchen.method(task="dinner")
def three_courses(state):
    return [
        ("course", "soup"),
        ("course", "roast"),
        ("course", "pie"),
        ("course", "salad"),
        before(("course", "soup"), ("course", "pie")),
    ]


start = State(kind={"soup": "pot", "roast": "oven", "pie": "oven", "salad": "none"}, ready={}, served={})
staff = (
    Entity(entity_id="ann", type="cook"),
    Entity(entity_id="bob", type="cook"),
    Entity(entity_id="oven", type="oven"),
)
evening = Timing(ordering="concurrent", horizon="PT2H30M", entities=staff)
problem = make_problem(kitchen, start, [("dinner",)], time=evening)
in_a_hurry = make_problem(
    kitchen, start, [("dinner",)], time=Timing(ordering="concurrent", horizon="PT1H", entities=staff)
)

if __name__ == "__main__":
    from planvow.kernel.answer.timeline import timeline_text

    print(timeline_text(plan(kitchen, start, [("dinner",)], time=evening).time_allocations))
