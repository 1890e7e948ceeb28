"""The world of `planvow serve --demo`: somebody brings things to people; the shop is closed, and letters need a yes."""

from __future__ import annotations

import time
from typing import Any

from planvow.agent import ToolFailedError, tool
from planvow.kernel.domain.domain import Domain, refuse
from planvow.kernel.search.problem import make_problem
from planvow.kernel.world.state import State

SECONDS = 2.5
"""How long a tool takes: long enough to kill the worker that runs it."""
domain = Domain("errands")


@domain.command
def buy(state: Any, thing: str) -> Any:
    if not state.open["shop"]:
        return refuse("the shop is closed")
    state.holder[thing] = "me"
    return state


@domain.command
def borrow(state: Any, thing: str) -> Any:
    state.holder[thing] = "me"
    return state


@domain.command
def walk(state: Any, who: str) -> Any:
    state.at["me"] = who
    return state


@domain.command
def hand_over(state: Any, thing: str, who: str) -> Any:
    if state.holder.get(thing) != "me":
        return refuse(f"I do not have the {thing}")
    if state.at["me"] != who:
        return refuse(f"{who} is not here")
    state.holder[thing] = who
    return state


@domain.command
def mail(state: Any, who: str, text: str) -> Any:
    state.told[who] = text
    return state


@domain.method(task="get")
def from_the_shop(state: Any, thing: str) -> Any:
    """Buy it, where the shop is open."""
    return [("buy", thing)] if state.open["shop"] else refuse("the shop is closed")


@domain.method(task="get")
def from_a_neighbour(state: Any, thing: str) -> Any:
    """Borrow it."""
    return [("borrow", thing)]


@domain.method(task="bring")
def by_hand(state: Any, thing: str, who: str) -> Any:
    """Get it, go there, hand it over, and write a letter about it."""
    return [("get", thing), ("walk", who), ("hand_over", thing, who), ("mail", who, f"your {thing} is here")]


def start() -> State:
    """Return what somebody believes in the morning: that the shop is open."""
    return State(open={"shop": True}, holder={}, told={}, at={"me": "home"})


problem = make_problem(domain, start(), [("bring", "lamp", "ann")])


def tools(seconds: float = SECONDS, *, letters: str | bool = "a letter leaves the house") -> dict[str, Any]:
    """Return the tools; each takes its time, and may be called twice."""

    def slowly(answer: Any) -> Any:
        time.sleep(seconds)
        return answer

    def buy_really(thing: str) -> Any:
        slowly(None)
        raise ToolFailedError("the shop is closed", observed={"open": {"shop": False}})

    def borrow_really(thing: str) -> Any:
        return slowly({"from": "bob", "thing": thing})

    def walk_really(who: str) -> Any:
        return slowly(f"at {who}'s door")

    def hand_over_really(thing: str, who: str) -> Any:
        return slowly(f"{who} has the {thing}")

    def mail_really(who: str, text: str) -> Any:
        return slowly({"to": who, "words": len(text.split())})

    called = {"buy": buy_really, "borrow": borrow_really, "walk": walk_really, "hand_over": hand_over_really}
    made = {name: tool(idempotent=True)(function) for name, function in called.items()}
    return {**made, "mail": tool(idempotent=True, needs_approval=letters)(mail_really)}
