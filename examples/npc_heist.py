"""A heist for characters with different abilities.

Run: planvow plan examples/npc_heist.py:by_the_locksmith --explain. Which method can be used depends on who is
acting: methods declare what they require, and what a persona cannot do is left out before anything is tried. The
explanation says so.
"""

from planvow import Domain, State, make_problem, plan, refuse

heist = Domain("heist")


@heist.command
def sneak(state, who, room):
    if room in state.guarded and state.guarded[room] == "awake":
        return refuse(f"the guard of the {room} is awake")
    state.at[who] = room
    return state


@heist.command(requires=["movable"])
def distract(state, who, room):
    state.guarded[room] = "distracted"
    return state


@heist.command(requires=["interact"])
def pick_lock(state, who, door):
    state.locked[door] = False
    return state


@heist.command(requires=["compute"])
def hack(state, who, door):
    if not state.electronic[door]:
        return refuse(f"the {door} has no electronics")
    state.locked[door] = False
    return state


@heist.command
def take(state, who, thing):
    if state.locked["vault"]:
        return refuse("the vault is locked")
    if state.at[who] != "vault room":
        return refuse(f"{who} is not at the vault")
    state.owner[thing] = who
    return state


@heist.method(task="perform_heist")
def in_and_out(state, who, thing):
    return [("get_past", who, "hall"), ("open", who, "vault"), ("sneak", who, "vault room"), ("take", who, thing),
            ("sneak", who, "street")]  # fmt: skip


@heist.method(task="get_past")
def straight_through(state, who, room):
    return [("sneak", who, room)]


@heist.method(task="get_past")
def by_distraction(state, who, room):
    return [("distract", who, room), ("sneak", who, room)]


@heist.method(task="open", requires=["compute"])
def by_hacking(state, who, door):
    return [("hack", who, door)]


@heist.method(task="open", requires=["interact"])
def by_lock_picking(state, who, door):
    return [("pick_lock", who, door)]


@heist.method(task="open")
def it_is_open(state, who, door):
    return refuse(f"the {door} is locked") if state.locked[door] else []


start = State(
    at={"vera": "street"},
    guarded={"hall": "awake"},
    locked={"vault": True},
    electronic={"vault": True},
    owner={"diamond": "museum"},
)
todo = [("perform_heist", "vera", "diamond")]

problem = make_problem(heist, start, todo)
by_the_hacker = make_problem(heist, start, todo, capabilities=["movable", "compute"])
by_the_locksmith = make_problem(heist, start, todo, capabilities=["movable", "interact"])
by_the_statue = make_problem(heist, start, todo, capabilities=[])

if __name__ == "__main__":
    for each in (by_the_hacker, by_the_locksmith, by_the_statue):
        result = plan(heist, start, todo, capabilities=each.capabilities)
        print(sorted(each.capabilities), result.status)
        print(result.explain_text(), end="\n\n")
