"""Errands that an agent runs: tools that answer, fail or hang, arguments without names, and places that are walked."""

from __future__ import annotations

from planvow import Domain, State, refuse

errands = Domain("errands")
ADDRESSES = {"ann": "north", "bob": "south"}
"""What the code knows beside the state: with other addresses the same source gives another plan."""


@errands.command
def fetch(state, thing):
    if thing not in state.shop:
        return refuse(f"there is no {thing}")
    state.held[thing] = True
    return state


@errands.command
def bring(state, thing, where):
    state.at[thing] = where
    return state


@errands.command(requires={"bell", "voice"})
def ring(state, *names):
    state.rung["who"] = names
    return state


@errands.method(task="deliver")
def by_foot(state, who, *things):
    return [*(("fetch", thing) for thing in things), *(("bring", thing, ADDRESSES[who]) for thing in things)]


def at_the_shop() -> State:
    return State(shop={"tea": 3, "salt": 1, "bread": 2}, held={}, at={}, rung={})
