"""Logistics: trucks within cities, a plane between them, as goals over places.

Run: planvow plan examples/logistics.py --tree
"""

from planvow import Domain, MultiGoal, State, make_problem, plan, refuse

logistics = Domain("logistics")


@logistics.command(cost=3)
def drive(state, truck, place):
    if state.city[state.at[truck]] != state.city[place]:
        return refuse(f"{truck} stays in {state.city[state.at[truck]]}")
    state.at[truck] = place
    return state


@logistics.command(cost=10)
def fly(state, plane, airport):
    if airport not in state.airport.values():
        return refuse(f"{airport} is no airport")
    state.at[plane] = airport
    return state


@logistics.command
def load(state, package, vehicle):
    if state.at[package] != state.at[vehicle]:
        return refuse(f"{vehicle} is not where {package} is")
    state.at[package] = vehicle
    return state


@logistics.command
def unload(state, package, vehicle):
    if state.at[package] != vehicle:
        return refuse(f"{package} is not in {vehicle}")
    state.at[package] = state.at[vehicle]
    return state


def same_city(state, one, other):
    return state.city[one] == state.city[other]


@logistics.method(goal="at")
def by_truck(state, package, goal):
    here = state.at[package]
    if not same_city(state, here, goal):
        return refuse(f"{here} and {goal} are in different cities")
    truck = state.truck[state.city[here]]
    fetch = [("drive", truck, here)] if state.at[truck] != here else []
    return [*fetch, ("load", package, truck), ("drive", truck, goal), ("unload", package, truck)]


@logistics.method(goal="at")
def from_airport_to_airport(state, package, goal):
    here, airports = state.at[package], state.airport.values()
    if here not in airports or goal not in airports:
        return refuse("a plane goes from airport to airport")
    fetch = [("fly", "plane", here)] if state.at["plane"] != here else []
    return [*fetch, ("load", package, "plane"), ("fly", "plane", goal), ("unload", package, "plane")]


@logistics.method(goal="at")
def over_the_airports(state, package, goal):
    here = state.at[package]
    first, last = state.airport[state.city[here]], state.airport[state.city[goal]]
    if first == last:
        return refuse("it is the same city")
    return [("at", package, first), ("at", package, last), ("at", package, goal)]


start = State(
    at={"p1": "bakery", "p2": "harbour", "truck_a": "bakery", "truck_b": "field_b", "plane": "field_a"},
    city={"bakery": "a", "school": "a", "field_a": "a", "harbour": "b", "field_b": "b"},
    truck={"a": "truck_a", "b": "truck_b"},
    airport={"a": "field_a", "b": "field_b"},
)
problem = make_problem(logistics, start, [MultiGoal(at={"p1": "harbour", "p2": "school"})])

if __name__ == "__main__":
    print(plan(logistics, start, problem.todo).to_text())
