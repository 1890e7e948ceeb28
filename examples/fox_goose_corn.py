"""Fox, goose and corn: the shortest way over the river, proven. Run: planvow plan examples/fox_goose_corn.py

The farmer's boat holds one thing besides him. Alone together, the fox eats the goose and the goose the corn. The loop
guard keeps the search from ferrying to and fro; `optimal="steps"` asks for the fewest crossings.
"""

from planvow import Domain, State, make_problem, plan, refuse

river = Domain("river")

EATS = {"fox": "goose", "goose": "corn"}


def other(bank):
    return "east" if bank == "west" else "west"


@river.command
def cross(state, cargo):
    here = state.bank["farmer"]
    if cargo != "nothing":
        if state.bank[cargo] != here:
            return refuse(f"the {cargo} is on the other bank")
        state.bank[cargo] = other(here)
    state.bank["farmer"] = other(here)
    for eater, food in EATS.items():
        if state.bank[eater] == state.bank[food] != state.bank["farmer"]:
            return refuse(f"the {eater} would eat the {food}")
    return state


@river.method(task="all_over")
def done(state):
    return [] if all(bank == "east" for bank in state.bank.values()) else refuse("not all are over")


@river.method(task="all_over")
def another_crossing(state):
    for cargo in ("nothing", "fox", "goose", "corn"):
        yield [("cross", cargo), ("all_over",)]


start = State(bank={"farmer": "west", "fox": "west", "goose": "west", "corn": "west"})
problem = make_problem(river, start, [("all_over",)], optimal="steps")

if __name__ == "__main__":
    result = plan(river, start, [("all_over",)], optimal="steps")
    print(result.plan, "proven shortest" if result.proven_optimal else "")
