"""Travel: walk when it is near, else take a taxi if there is money for it.

Run: planvow plan examples/travel.py --explain
"""

from planvow import Domain, State, make_problem, plan, refuse

travel = Domain("travel")

MAX_WALK_KM = 2


def fare(km):
    return 1.5 + 0.5 * km


@travel.command
def walk(state, who, here, there):
    if state.at[who] != here:
        return refuse(f"{who} is not at {here}")
    state.at[who] = there
    return state


@travel.command
def call_taxi(state, taxi, there):
    state.at[taxi] = there
    return state


@travel.command
def ride_taxi(state, who, taxi, there):
    here = state.at[who]
    if state.at[taxi] != here:
        return refuse(f"{taxi} is not at {here}")
    state.at[who] = state.at[taxi] = there
    state.owes[who] = fare(state.km[here, there])
    return state


@travel.command
def pay_driver(state, who):
    if state.cash[who] < state.owes[who]:
        return refuse(f"{who} has {state.cash[who]} and owes {state.owes[who]}")
    state.cash[who] -= state.owes[who]
    state.owes[who] = 0
    return state


@travel.method(task="travel")
def stay(state, who, there):
    return [] if state.at[who] == there else refuse(f"{who} is not there yet")


@travel.method(task="travel")
def on_foot(state, who, there):
    here = state.at[who]
    km = state.km[here, there]
    return refuse(f"{km} km is too far to walk") if km > MAX_WALK_KM else [("walk", who, here, there)]


@travel.method(task="travel")
def by_taxi(state, who, there):
    return [("call_taxi", "taxi1", state.at[who]), ("ride_taxi", who, "taxi1", there), ("pay_driver", who)]


start = State(
    at={"alice": "home_a", "bob": "home_b", "taxi1": "station"},
    cash={"alice": 20, "bob": 15},
    owes={"alice": 0, "bob": 0},
    km={("home_a", "park"): 8, ("home_b", "park"): 2},
)

problem = make_problem(travel, start, [("travel", "alice", "park"), ("travel", "bob", "park")])
poor = make_problem(travel, start.with_predicate("alice", "cash", 1), [("travel", "alice", "park")])

if __name__ == "__main__":
    result = plan(travel, start, problem.todo)
    print(result.to_text())
    print(result.explain_text())
