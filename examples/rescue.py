"""Rescue with failures: robots help people, the world disagrees, the plan is mended.

Run: python examples/rescue.py [SEED] (`planvow plan examples/rescue.py` shows the plan on paper). Which roads are
flooded is drawn by chance, and nobody knows before a robot is there; each time the failed command is kept out and the
plan goes on from where it is. The same seed floods the same roads.
"""

import sys
from random import Random

from planvow import Domain, State, make_problem, plan, refuse, replan
from planvow.kernel import Patience, run_lazy_lookahead

rescue = Domain("rescue")


@rescue.command(cost=5)
def drive(state, robot, road, there):
    if state.kind[robot] != "wheels":
        return refuse(f"{robot} has no wheels")
    state.at[robot] = there
    return state


@rescue.command(cost=9)
def fly(state, robot, there):
    if state.kind[robot] != "wings":
        return refuse(f"{robot} has no wings")
    state.at[robot] = there
    return state


@rescue.command
def hand_over(state, robot, person):
    if state.at[robot] != state.at[person] or not state.medicine[robot]:
        return refuse(f"{robot} cannot help {person} here")
    state.medicine[robot] -= 1
    state.helped[person] = True
    return state


@rescue.method(task="go")
def already_there(state, robot, there):
    return [] if state.at[robot] == there else refuse(f"{robot} is elsewhere")


@rescue.method(task="go")
def by_road(state, robot, there):
    if state.kind[robot] != "wheels":
        return refuse(f"{robot} has no wheels")
    return ([("drive", robot, road, there)] for road in state.roads[there])


@rescue.method(task="go")
def by_air(state, robot, there):
    return [("fly", robot, there)]


@rescue.method(goal="helped")
def send_a_robot(state, person, wanted):
    for robot, doses in state.medicine.items():
        if doses:
            yield [("go", robot, state.at[person]), ("hand_over", robot, person)]


start = State(
    at={"rover": "base", "drone": "base", "ida": "farm", "otto": "mill"},
    kind={"rover": "wheels", "drone": "wings"},
    medicine={"rover": 2, "drone": 1},
    roads={"farm": ["main_road", "forest_road"], "mill": ["main_road"]},
    helped={"ida": False, "otto": False},
)
goals = [("helped", "ida", True), ("helped", "otto", True)]
problem = make_problem(rescue, start, goals)

FLOODED_MAIN_ROAD = 1
"""A seed that floods the main road and leaves the forest road alone."""


def floods(seed):
    """Draw the roads that are flooded: one in two."""
    chance = Random(seed)
    return {road for road in ("main_road", "forest_road") if chance.random() < 0.5}


def act(seed=FLOODED_MAIN_ROAD):
    """Plan, run, learn of the floods, plan again, until both are helped or nothing is left to try."""
    flooded = floods(seed)

    def world(state, command):
        if command[0] == "drive" and command[2] in flooded:
            return refuse(f"the {command[2]} is flooded")
        return rescue.commands[command[0]].model(state, *command[1:])

    stays_flooded = Patience(chances=1)  # a road that was found flooded is not tried again
    return run_lazy_lookahead(rescue, start, goals, execute=world, patience=stays_flooded)


def mend():
    """Repair a plan from the middle instead, after its first drive has failed: what was done stays."""
    first = plan(rescue, start, goals)
    failed = next(node for node in first.solution_graph.commands() if node.item[0] == "drive")
    return first, replan(first, start, failed.node_id)


if __name__ == "__main__":
    outcome = act(int(sys.argv[1]) if len(sys.argv) > 1 else FLOODED_MAIN_ROAD)
    for failure in outcome.failures:
        print("failed:", failure.command, "because", failure.reason)
    print("done:  ", *outcome.executed, sep="\n  ")
    print("both are helped" if outcome.success else f"gave up: {outcome.results[-1].reason}")
    first, mended = mend()
    print(f"mended plan keeps {mended.repair.stability:.0%} of the rest:", *mended.plan, sep="\n  ")
