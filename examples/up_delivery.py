"""Delivery, as unified-planning's users write it: vans bring parcels, the errands in any order (needs planvow[up]).

Run: python examples/up_delivery.py
"""

from unified_planning.model.htn import HierarchicalProblem, Method
from unified_planning.shortcuts import (
    Equals,
    Fluent,
    InstantaneousAction,
    MinimizeActionCosts,
    Not,
    OneshotPlanner,
    UserType,
    get_environment,
)

from planvow.adapters.unified_planning import register

Place = UserType("Place")
Van, Parcel = UserType("Van"), UserType("Parcel")

problem = HierarchicalProblem("delivery")
where = problem.add_fluent(Fluent("where", Place, van=Van))
lies = problem.add_fluent(Fluent("lies", parcel=Parcel, place=Place), default_initial_value=False)
loaded = problem.add_fluent(Fluent("loaded", parcel=Parcel, van=Van), default_initial_value=False)
road = problem.add_fluent(Fluent("road", one=Place, other=Place), default_initial_value=False)

depot, square, hill = (problem.add_object(name, Place) for name in ("depot", "square", "hill"))
red, blue = (problem.add_object(name, Van) for name in ("red", "blue"))
book, lamp = (problem.add_object(name, Parcel) for name in ("book", "lamp"))

for van, place in ((red, depot), (blue, hill)):
    problem.set_initial_value(where(van), place)
for parcel, place in ((book, depot), (lamp, square)):
    problem.set_initial_value(lies(parcel, place), True)
for one, other in ((depot, square), (square, hill)):
    problem.set_initial_value(road(one, other), True)
    problem.set_initial_value(road(other, one), True)

drive = InstantaneousAction("drive", van=Van, here=Place, there=Place)
drive.add_precondition(Equals(where(drive.van), drive.here))
drive.add_precondition(road(drive.here, drive.there))
drive.add_effect(where(drive.van), drive.there)

load = InstantaneousAction("load", van=Van, parcel=Parcel, place=Place)
load.add_precondition(Equals(where(load.van), load.place))
load.add_precondition(lies(load.parcel, load.place))
load.add_effect(lies(load.parcel, load.place), False)
load.add_effect(loaded(load.parcel, load.van), True)

drop = InstantaneousAction("drop", van=Van, parcel=Parcel, place=Place)
drop.add_precondition(Equals(where(drop.van), drop.place))
drop.add_precondition(loaded(drop.parcel, drop.van))
drop.add_effect(loaded(drop.parcel, drop.van), False)
drop.add_effect(lies(drop.parcel, drop.place), True)
problem.add_actions([drive, load, drop])

deliver = problem.add_task("deliver", parcel=Parcel, to=Place)
go = problem.add_task("go", van=Van, to=Place)

by_van = Method("by_van", parcel=Parcel, to=Place, van=Van, source=Place)
by_van.set_task(deliver, by_van.parcel, by_van.to)
by_van.add_precondition(lies(by_van.parcel, by_van.source))
by_van.set_ordered(
    by_van.add_subtask(go, by_van.van, by_van.source),
    by_van.add_subtask(load, by_van.van, by_van.parcel, by_van.source),
    by_van.add_subtask(go, by_van.van, by_van.to),
    by_van.add_subtask(drop, by_van.van, by_van.parcel, by_van.to),
)

there_already = Method("there_already", van=Van, to=Place)
there_already.set_task(go)
there_already.add_precondition(Equals(where(there_already.van), there_already.to))

one_step = Method("one_step", van=Van, to=Place, here=Place, inter=Place)
one_step.set_task(go, one_step.van, one_step.to)
one_step.add_precondition(Equals(where(one_step.van), one_step.here))
one_step.add_precondition(Not(Equals(where(one_step.van), one_step.to)))
one_step.set_ordered(
    one_step.add_subtask(drive, one_step.van, one_step.here, one_step.inter),
    one_step.add_subtask(go, one_step.van, one_step.to),
)
for method in (by_van, there_already, one_step):
    problem.add_method(method)

problem.task_network.add_subtask(deliver, book, hill)
problem.task_network.add_subtask(deliver, lamp, depot)
problem.add_quality_metric(MinimizeActionCosts({drive: 5, load: 1, drop: 1}))


def main():
    get_environment().credits_stream = None
    register(prefer=True)
    with OneshotPlanner(problem_kind=problem.kind) as planner:
        result = planner.solve(problem)
    print(result.status.name)
    for _, action in result.plan.actions():
        print(action)


if __name__ == "__main__":
    main()
