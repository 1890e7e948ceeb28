"""Blocks world, three ways: by tasks, by single goals, by a multigoal.

Run: planvow plan examples/blocks.py:by_goals --tree

The classic of Sussman: c stands on a, and a is wanted on b on c. Whoever puts a on b first must undo it again.
"""

from planvow import Domain, Goal, MultiGoal, State, make_problem, plan, refuse

blocks = Domain("blocks")


@blocks.command
def pickup(state, x):
    if state.pos[x] != "table" or not state.clear[x] or state.holding["hand"]:
        return refuse(f"{x} cannot be picked up from the table")
    state.pos[x], state.clear[x], state.holding["hand"] = "hand", False, x
    return state


@blocks.command
def unstack(state, x, y):
    if state.pos[x] != y or not state.clear[x] or state.holding["hand"]:
        return refuse(f"{x} cannot be taken off {y}")
    state.pos[x], state.clear[x], state.clear[y], state.holding["hand"] = "hand", False, True, x
    return state


@blocks.command
def putdown(state, x):
    if state.pos[x] != "hand":
        return refuse(f"{x} is not held")
    state.pos[x], state.clear[x], state.holding["hand"] = "table", True, False
    return state


@blocks.command
def stack(state, x, y):
    if state.pos[x] != "hand" or not state.clear[y]:
        return refuse(f"{x} cannot be put on {y}")
    state.pos[x], state.clear[x], state.clear[y], state.holding["hand"] = y, True, False, False
    return state


def is_done(state, goal, block):
    """Say whether a block and all below it stand where they will stay."""
    while block != "table":
        if block in goal.pos and goal.pos[block] != state.pos[block]:
            return False
        block = state.pos[block]
    return True


def next_move(state, goal):
    """Return a block that can go where it stays, else one that is in the way, else None."""
    in_the_way = None
    for block, is_clear in state.clear.items():
        if not is_clear or is_done(state, goal, block):
            continue
        to = goal.pos.get(block, "table")
        if to == "table" or (state.clear[to] and is_done(state, goal, to)):
            return block, to
        if state.pos[block] != "table":
            in_the_way = in_the_way or (block, "table")
    return in_the_way


# By tasks: the method knows the goal as an argument.


@blocks.method(task="arrange")
def one_block_at_a_time(state, goal):
    move = next_move(state, goal)
    return [("take", move[0]), ("put", *move), ("arrange", goal)] if move else []


@blocks.method(task="take")
def take_from_where_it_is(state, x):
    return [("pickup", x)] if state.pos[x] == "table" else [("unstack", x, state.pos[x])]


@blocks.method(task="put")
def put_where_it_goes(state, x, y):
    return [("putdown", x)] if y == "table" else [("stack", x, y)]


# By goals: pos[x] = y, whatever stands in the way being cleared first.


@blocks.method(goal="pos")
def clear_then_move(state, x, y):
    above = {below: block for block, below in state.pos.items()}
    to_clear = [b for b in (x, y) if b != "table" and b in above]
    return [*(("clear", b, True) for b in to_clear), ("take", x), ("put", x, y)]


@blocks.method(goal="clear")
def unload(state, x, wanted):
    above = {below: block for block, below in state.pos.items()}
    return [("clear", above[x], True), ("take", above[x]), ("put", above[x], "table")]


# By a multigoal: the same block-by-block reasoning, over the whole goal.


@blocks.method(multigoal=True, tag="whole")
def move_what_can_stay(state, goal):
    move = next_move(state, goal)
    return [("take", move[0]), ("put", *move), goal] if move else []


sussman = State(
    pos={"a": "table", "b": "table", "c": "a"},
    clear={"a": False, "b": True, "c": True},
    holding={"hand": False},
)
wanted = MultiGoal(pos={"a": "b", "b": "c"})

problem = make_problem(blocks, sussman, [("arrange", wanted)])
by_goals = make_problem(blocks, sussman, [Goal("clear", "a", True), Goal("pos", "b", "c"), Goal("pos", "a", "b")])
by_multigoal = make_problem(blocks, sussman, [MultiGoal(pos={"a": "b", "b": "c"}, tag="whole")])
by_splitting = make_problem(blocks, sussman, [wanted])

if __name__ == "__main__":
    for each in (problem, by_goals, by_multigoal, by_splitting):
        print(plan(each.domain, each.state, each.todo).plan)
