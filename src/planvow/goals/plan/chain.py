"""The fewest tool calls that achieve some goal words, in an order that says what rests on what; or why there are none.

The calls that can matter become moves (`callings.py`, `narrow.py`), the search finds the fewest (`search.py`); here
they get their order and their reasons. Among equally short plans a goal's preferred tool goes before all, then the
tool whose name comes first. Requirements are met in order of their names, each right before it is used.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from planvow.goals.plan.bound import LandmarkBound
from planvow.goals.plan.callings import Calling, CallingProblem, Wanted
from planvow.goals.plan.index import ToolIndex
from planvow.goals.plan.narrow import narrowed
from planvow.goals.plan.search import Found, Limits, Proof, fewest_moves
from planvow.tools.words import key_of


class Link(NamedTuple):
    """One call of a chain: the tool, the word it is called for, the earlier calls it rests on, and the goal it
    achieves, if it does."""

    tool: str
    word: str
    rests_on: tuple[int, ...]
    goal: int | None = None


class Chain(NamedTuple):
    """The calls in order and what is known of them; without calls, the requirement that nothing meets, if it is
    that."""

    verdict: Proof
    links: tuple[Link, ...] = ()
    blocker: str | None = None


def shortest_chain(
    wanted: Sequence[Wanted],
    index: ToolIndex,
    holding: frozenset[str],
    *,
    browsers: Collection[str] = (),
    limits: Limits | None = None,
) -> Chain:
    """Return the fewest calls that achieve all the goal words when these words hold already."""
    limits = limits or Limits()
    problem, found, whole = narrowed(wanted, index, holding, browsers, limits)
    if not found.moves and found.verdict is Proof.NO_PLAN:
        reachable = _reachable(problem, holding) if whole else index.reachable(holding)
        return Chain(found.verdict, blocker=_unmeetable(wanted, index, reachable))
    if not found.moves:
        return Chain(found.verdict)
    calls = _with_preferred(problem, found, len(wanted), limits)
    return Chain(found.verdict, tuple(_links(calls, wanted, holding)))


def _with_preferred(problem: CallingProblem, found: Found, goals: int, limits: Limits) -> list[Calling]:
    """Return the calls with, for each goal in turn, the first tool that does as well as the one that was found."""
    moves, chosen = [*enumerate(problem.moves)], found.moves
    for goal in range(goals):
        finals = [i for i, _ in moves if problem.callings[i].goal == goal]
        for first in finals[: min(finals.index(i) for i in chosen if i in finals)]:
            others = [(i, move) for i, move in moves if i == first or i not in finals]
            as_short = Limits(max_calls=len(chosen), max_steps=limits.max_steps)
            again = fewest_moves([move for _, move in others], problem.start, problem.goal, as_short)
            if again.moves:
                chosen = tuple(others[i][0] for i in again.moves)
                break
        final = next(i for i in chosen if i in finals)
        moves = [(i, move) for i, move in moves if i == final or i not in finals]
    return [problem.callings[i] for i in chosen]


def _links(calls: list[Calling], wanted: Sequence[Wanted], holding: frozenset[str]) -> list[Link]:
    undone = {need for call in calls for need in call.tool.requires if any(_undoes(other, need) for other in calls)}
    if undone:
        rests_on = _rests_on(calls, holding, undone)
        words = _first_uses(calls, wanted, rests_on)
    else:
        used = _in_order_of_use(calls, wanted, holding)
        calls, words = [calls[number] for number in used], [*used.values()]
        rests_on = _rests_on(calls, holding, undone)
    return [
        Link(call.tool.name, call.app or word, on, call.goal)
        for call, word, on in zip(calls, words, rests_on, strict=True)
    ]


def _undoes(call: Calling, word: str) -> bool:
    return word not in call.brings and any(key_of(effect) == key_of(word) for effect in call.brings)


def _in_order_of_use(calls: list[Calling], wanted: Sequence[Wanted], holding: frozenset[str]) -> dict[int, str]:
    """Return the calls' numbers, each right before its first use, with the word it is called for there. Nothing is
    ever lost, so every order that meets the requirements will do."""
    first: dict[str, int] = {}
    for number, call in enumerate(calls):
        for word in call.brings:
            first.setdefault(word, number)
    final = {call.goal: number for number, call in enumerate(calls) if call.goal is not None}

    def before(number: int) -> Iterator[tuple[int, str]]:
        call = calls[number]
        for earlier in wanted[call.goal].after if call.goal is not None else ():
            yield final[earlier], wanted[earlier].word
        for need in sorted(call.tool.requires - holding):
            goal = calls[first[need]].goal
            yield first[need], need if goal is None else wanted[goal].word

    words: dict[int, str] = {}
    for goal, want in enumerate(wanted):
        path = [(final[goal], want.word, before(final[goal]))]
        while path:
            number, word, rest = path[-1]
            step = next(((n, w) for n, w in rest if n not in words), None)
            if step is None:
                words.setdefault(number, word)
                path.pop()
            else:
                path.append((*step, before(step[0])))
    return words


def _rests_on(calls: list[Calling], holding: frozenset[str], undone: AbstractSet[str]) -> list[tuple[int, ...]]:
    """Return what each call rests on: for every requirement the world does not show, the first call that brings it
    about; and where a requirement is undone, the calls that must come before."""
    shown = set(holding)
    provider: dict[str, int] = {}
    rests_on = []
    for number, call in enumerate(calls):
        on = {provider[need] for need in call.tool.requires if need not in shown}
        spoils = {word for word in undone if _undoes(call, word)}
        mends = call.brings & undone
        for earlier in range(number):
            used, lost = calls[earlier].tool.requires, {word for word in mends if _undoes(calls[earlier], word)}
            if lost or spoils & (used | calls[earlier].brings):
                on.add(earlier)
        rests_on.append(tuple(sorted(on)))
        shown -= spoils
        for word in spoils:
            provider.pop(word, None)
        for effect in call.brings:
            provider.setdefault(effect, number)
    return rests_on


def _first_uses(calls: list[Calling], wanted: Sequence[Wanted], rests_on: list[tuple[int, ...]]) -> list[str]:
    """Return for each call the word it is called for: its goal's, or the first that a later call rests on it for."""
    words = []
    for number, call in enumerate(calls):
        if call.goal is not None:
            words.append(wanted[call.goal].word)
            continue
        used = (
            sorted(call.brings & calls[later].tool.requires)
            for later in range(number + 1, len(calls))
            if number in rests_on[later]
        )
        words.append(next((found[0] for found in used if found), min(call.brings)))
    return words


def _reachable(problem: CallingProblem, holding: frozenset[str]) -> frozenset[str]:
    """Return the words that can ever hold, however many calls are made."""
    possible, _ = LandmarkBound(problem.moves, problem.goal).possible(problem.start)
    return holding.union(*(problem.callings[i].brings for i in possible))


def _unmeetable(wanted: Sequence[Wanted], index: ToolIndex, reachable: AbstractSet[str]) -> str | None:
    """Return a requirement that no tools can ever meet, however many, for the first tool that would achieve a goal;
    None if each goal has one that could be called some day."""
    for want in wanted:
        lacks = [tool.requires - reachable for tool in index.achieving(want.word)]
        if all(lacks):
            return _deepest_lack(min(lacks[0]), index, reachable)
    return None


def _deepest_lack(need: str, index: ToolIndex, reachable: Collection[str]) -> str:
    """Follow the first provider of each lacking word down to one that nothing provides: that is what must be mended."""
    seen: set[str] = set()
    while need not in seen:
        seen.add(need)
        lacking = [lack for tool in index.providing(need) for lack in sorted(tool.requires) if lack not in reachable]
        if not lacking:
            break
        need = lacking[0]
    return need
