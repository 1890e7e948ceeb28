"""Several goals in one plan: what they share is called once, and the same goal twice is one.

Every goal has been planned by itself, so each can be reached. Here they are planned as one problem, with the fewest
calls for all of them; then the calls are dealt out to the goals that use them, with the edges that are needed and no
others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from planvow.goals.plan.calls import Call
from planvow.goals.plan.chain import Link
from planvow.goals.values.values import PlannedAction

Needs = Mapping[int, tuple[int, ...]]


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A goal that can be planned: its id, its call, and the browser that its plan uses."""

    goal_id: str
    call: Call
    browser: str


def twins(asked: Mapping[int, Asked], needs: Needs) -> dict[int, int]:
    """Return later goal → earlier goal for goals that ask for the same call.

    A goal that waits for its twin is meant again; one that waits for more than its twin does may not come as early.
    """
    found: dict[int, int] = {}
    for later in asked:
        for earlier in asked:
            if earlier >= later:
                break
            same = earlier not in found and asked[earlier].call == asked[later].call
            if same and set(needs[later]) <= before([earlier], needs):
                found[later] = earlier
                break
    return found


def before(numbers: Sequence[int], needs: Needs) -> set[int]:
    """Return all goals that these wait for, directly or through others."""
    todo = [need for number in numbers for need in needs[number]]
    seen: set[int] = set()
    while todo:
        number = todo.pop()
        if number not in seen:
            seen.add(number)
            todo.extend(needs[number])
    return seen


class Shares:
    """The calls of one chain, dealt out: `links` achieve the goals `numbers`, which wait for each other by `needs`."""

    def __init__(self, links: Sequence[Link], numbers: Sequence[int], needs: Needs) -> None:
        self.links, self._needs = links, needs
        self.finals = {numbers[link.goal]: place for place, link in enumerate(links) if link.goal is not None}
        self.users: list[set[int]] = [set() for _ in links]
        """The goals that use each call; another goal's final call is used by that goal alone."""
        for place in reversed(range(len(links))):
            goal = links[place].goal
            if goal is not None:
                self.users[place] = {numbers[goal]}
            for earlier in links[place].rests_on:
                self.users[earlier] |= self.users[place]
        self._depends: list[tuple[int, ...]] = []
        self._behind: list[set[int]] = []
        """Everything each call waits for, directly or through others."""
        for place in range(len(links)):
            depends = self._dependencies(place)
            self._depends.append(depends)
            self._behind.append({*depends}.union(*(self._behind[other] for other in depends)))

    def owner(self, place: int) -> int:
        """Return the goal a call is named after: the first that uses it."""
        return min(self.users[place])

    def depends_on(self, place: int) -> tuple[int, ...]:
        """Return the calls that one call waits for."""
        return self._depends[place]

    def _dependencies(self, place: int) -> tuple[int, ...]:
        rests_on = self.links[place].rests_on
        waits = self._waits(place)
        implied = {*waits}.union(*(self._behind[final] for final in waits))
        depends = [other for other in rests_on if other not in implied]
        for final in waits:
            # What rests on nothing else waits for the goals before it; the rest waits through what it rests on.
            if not any(final == other or final in self._behind[other] for other in depends if other not in waits):
                depends.append(final)
        return tuple(sorted(depends))

    def _waits(self, place: int) -> list[int]:
        """Return the final calls that a call waits for because of its goal; none if a goal that uses it does not."""
        needed = self._needs[self.owner(place)]
        for user in self.users[place]:
            if not set(needed) <= before([user], self._needs):
                return []
        return [self.finals[need] for need in needed if self.finals[need] < place]


def action_ids(shares: Shares, asked: Mapping[int, Asked]) -> list[str]:
    """Return the ids of the calls: the goal's id, then a1, a2 … within it."""
    counts: dict[int, int] = {}
    ids = []
    for place in range(len(shares.links)):
        owner = shares.owner(place)
        counts[owner] = counts.get(owner, 0) + 1
        ids.append(f"{asked[owner].goal_id}_a{counts[owner]}")
    return ids


def dealt_out(
    shares: Shares, asked: Mapping[int, Asked]
) -> tuple[tuple[PlannedAction, ...], dict[int, tuple[str, ...]]]:
    """Return the actions in order, and for each goal the ids of those it uses, its final one last."""
    ids = action_ids(shares, asked)
    nodes = []
    for place, link in enumerate(shares.links):
        owner = asked[shares.owner(place)]
        final = link.goal is not None
        nodes.append(
            PlannedAction(
                action_id=ids[place],
                tool=link.tool,
                args=owner.call.args if final else args_for(link.word, owner.browser),
                expected_effect=owner.call.effect if final else link.word,
                depends_on=tuple(ids[other] for other in shares.depends_on(place)),
            )
        )
    used = {
        number: tuple(ids[place] for place in range(len(ids)) if number in shares.users[place])
        for number in shares.finals
    }
    return tuple(nodes), used


def args_for(word: str, browser: str) -> dict[str, str]:
    """Return the arguments of a call that is only made for a requirement."""
    if word == "browser_running":
        return {"app_name": browser}
    family, _, name = word.partition(":")
    return {"app_name": name} if family == "app_running" and name else {}
