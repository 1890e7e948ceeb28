"""A robot that must deliver tea, in time. Run: planvow plan examples/robot_tea.py --tree --timeline

The story of the tutorial: commands with durations, a deadline, a kettle that takes a while, and a shortcut the robot
finds when the long way round would come too late.
"""

from planvow import Domain, State, make_problem, plan, refuse
from planvow.kernel import attach_metadata

tea = Domain("tea")


@tea.command(duration=lambda state, robot, there: f"PT{state.minutes[state.at[robot], there]}M")
def go(state, robot, there):
    state.at[robot] = there
    return state


@tea.command(duration="PT1M")
def fill(state, robot, vessel):
    if state.at[robot] != "kitchen":
        return refuse("there is water in the kitchen only")
    state.content[vessel] = "water"
    return state


@tea.command(duration="PT3M")
def boil(state, robot, kettle):
    if state.content[kettle] != "water":
        return refuse("an empty kettle must not be boiled")
    state.hot[kettle] = True
    return state


@tea.command(duration="PT4M")
def brew(state, robot, kettle, cup, kind):
    if not state.hot[kettle] or not state.leaves[kind]:
        return refuse(f"there is no hot water or no {kind} left")
    state.content[cup] = f"{kind} tea"
    state.leaves[kind] -= 1
    return state


@tea.command(duration="PT30S")
def serve(state, robot, cup, person):
    if state.at[robot] != state.at[person]:
        return refuse(f"{person} is not here")
    state.served[person] = state.content[cup]
    return state


@tea.method(task="serve_tea")
def any_kind_there_is(state, robot, person):
    for kind, left in state.leaves.items():
        if left:
            yield [("make_tea", robot, kind), ("reach", robot, state.at[person]), ("serve", robot, "cup", person)]


@tea.method(task="make_tea")
def boil_and_brew(state, robot, kind):
    return [("reach", robot, "kitchen"), ("fill", robot, "kettle"), ("boil", robot, "kettle"),
            ("brew", robot, "kettle", "cup", kind)]  # fmt: skip


@tea.method(task="reach")
def already_there(state, robot, there):
    return [] if state.at[robot] == there else refuse("it is elsewhere")


@tea.method(task="reach")
def through_the_garden(state, robot, there):
    if (state.at[robot], "garden") not in state.minutes or ("garden", there) not in state.minutes:
        return refuse("no way leads through the garden")
    return [("go", robot, "garden"), ("go", robot, there)]


@tea.method(task="reach")
def directly(state, robot, there):
    if (state.at[robot], there) not in state.minutes:
        return refuse("there is no direct way")
    return [("go", robot, there)]


start = State(
    at={"robot": "dock", "grandmother": "library"},
    content={"kettle": "nothing", "cup": "nothing"},
    hot={"kettle": False},
    leaves={"mint": 0, "black": 2},
    served={},
    minutes={
        ("dock", "kitchen"): 2, ("kitchen", "library"): 3,
        ("kitchen", "garden"): 6, ("garden", "library"): 6,
    },
)  # fmt: skip
task = ("serve_tea", "robot", "grandmother")

problem = make_problem(tea, start, [attach_metadata(task, {"deadline": "PT15M"})])
unhurried = make_problem(tea, start, [task])

if __name__ == "__main__":
    result = plan(tea, start, problem.todo)
    print(result.to_text())
    print(result.explain_text())
