"""Two robots in one warehouse, side by side where they may be: an order that follows from reads and writes.

Run: planvow plan examples/two_robots.py --timeline. Each robot fetches a box; the lift takes one robot at a time, and
the boxes are stacked at the dock in the order of the plan, since each is put on top of the one before it.
"""

from planvow import Domain, State, make_problem, plan, refuse
from planvow.kernel.domain.entities import Entity
from planvow.kernel.domain.terms import attach_metadata
from planvow.kernel.time.timing import Timing

warehouse = Domain("warehouse")
MINUTE = 60_000_000


@warehouse.command(
    duration=lambda state, robot, there: state.minutes[state.at[robot], there] * MINUTE, ignores=("log",)
)
def drive(state, robot, there):
    state.at[robot] = there
    state.log = (*state.log, f"{robot} to {there}")
    return state


@warehouse.command(duration="PT3M")
def take(state, robot, box):
    if state.where[box] != state.at[robot]:
        return refuse(f"{box} is not where {robot} is")
    state.where[box] = robot
    return state


@warehouse.command(duration="PT2M")
def stack(state, robot, box):
    if state.at[robot] != "dock":
        return refuse(f"{robot} is not at the dock")
    state.where[box] = "dock"
    state.pile["dock"] = (*state.pile["dock"], box)
    return state


@warehouse.method(task="fetch")
def with_this_robot(state, robot, box):
    return [
        ("drive", robot, state.where[box]),
        attach_metadata(("take", robot, box), None, {"type": "lift"}),
        ("drive", robot, "dock"),
        ("stack", robot, box),
    ]


PLACES = {"dock": 0, "hall": 6, "yard": 9}
start = State(
    at={"ann": "dock", "bob": "dock"},
    where={"crate": "hall", "drum": "yard"},
    pile={"dock": ()},
    minutes={(a, b): abs(x - y) for a, x in PLACES.items() for b, y in PLACES.items()},
    log=(),
)
todo = [("fetch", "ann", "crate"), ("fetch", "bob", "drum")]
problem = make_problem(warehouse, start, todo, time=Timing(entities=(Entity(entity_id="lift", type="lift"),)))
one_after_the_other = make_problem(
    warehouse, start, todo, time=Timing(ordering="sequential", entities=(Entity(entity_id="lift", type="lift"),))
)

if __name__ == "__main__":
    result = plan(warehouse, start, todo, time=Timing(entities=(Entity(entity_id="lift", type="lift"),)))
    print(result.to_timeline())
    for number, steps in enumerate(result.partial_order().levels, start=1):
        print(number, " | ".join(" ".join(result.plan[step]) for step in steps))
