"""Small worlds for agents: a house with three doors, and parcels that can be delivered side by side."""

from __future__ import annotations

from typing import Any

from planvow import Domain, State, refuse

DOORS = ("front", "yard", "roof")


def house() -> Domain:
    """Someone enters through the first door that is open, then tells that she is in."""
    domain = Domain("house")

    @domain.command
    def go(state, who, door):
        if state.locked[door]:
            return refuse(f"{door} is locked")
        state.at[who] = "in"
        return state

    @domain.command
    def tell(state, who):
        if state.at[who] != "in":
            return refuse(f"{who} is not in")
        state.told[who] = True
        return state

    for door in DOORS:
        domain.method(task="enter", name=f"by_{door}")(_through(door))
    return domain


def _through(door: str):
    def through(state, who):
        return [("go", who, door), ("tell", who)]

    return through


def at_the_house() -> State:
    return State(at={"ann": "out"}, locked=dict.fromkeys(DOORS, False), told={})


def parcels() -> Domain:
    """Every parcel is packed and then sent; parcels have nothing to do with one another."""
    domain = Domain("parcels")

    @domain.command
    def pack(state, parcel):
        state.packed[parcel] = True
        return state

    @domain.command
    def send(state, parcel):
        if not state.packed.get(parcel):
            return refuse(f"{parcel} is not packed")
        state.sent[parcel] = True
        return state

    @domain.command
    def carry(state, parcel):
        state.sent[parcel] = True
        return state

    @domain.method(task="deliver")
    def by_post(state, parcel):
        return [("pack", parcel), ("send", parcel)]

    @domain.method(task="deliver")
    def by_hand(state, parcel):
        return [("carry", parcel)]

    return domain


def no_parcels() -> State:
    return State(packed={}, sent={})


class Journal:
    """Tools that note each call; `does` says what happens at a call: an answer, or an exception to raise."""

    def __init__(self, **does: Any) -> None:
        self.calls: list[tuple[Any, ...]] = []
        self._does = does

    def tool(self, name: str):
        def run(*arguments):
            self.calls.append((name, *arguments))
            answer = self._does.get(name)
            if callable(answer):
                answer = answer(*arguments)
            if isinstance(answer, BaseException):
                raise answer
            return answer

        return run

    def tools(self, *names: str) -> dict[str, Any]:
        return {name: self.tool(name) for name in names}
