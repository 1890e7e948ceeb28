"""The fewest calls without looking at every call that could be made: a part of them, and a bound for the rest.

The plan is the shortest within a part of the registry. What lies outside stands beside the part as calls that promise
no less than any of those they stand for (`Part.rests`). Where even with them no shorter plan exists, the plan is
shortest over the whole registry: that is the proof. Where one does, the calls it turned to are looked at and it begins
again, with four times as many. In the end all are looked at; where few can matter, that is so from the start.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from planvow.goals.plan.callings import CallingProblem, Part, Rest, Wanted, Ways
from planvow.goals.plan.index import ToolIndex
from planvow.goals.plan.search import Found, Limits, Proof, fewest_moves

WHOLE = 256
"""So many calls are looked at all together."""
SHARE = 8
"""So many tools of a word are taken at first where there are more calls than that."""


class Narrowed(NamedTuple):
    """A part, or the whole, of what can matter, and what is known of its moves."""

    problem: CallingProblem
    found: Found
    whole: bool = True


def narrowed(
    wanted: Sequence[Wanted], index: ToolIndex, holding: frozenset[str], browsers: Collection[str], limits: Limits
) -> Narrowed:
    """Return a part of the registry with the fewest moves in it, which are the fewest of all."""
    whole = Part(wanted, index, holding, browsers)
    if whole.widen(WHOLE):
        return Narrowed(*_solved(whole, limits))
    part = Part(wanted, index, holding, browsers, SHARE)
    most = WHOLE // 4
    complete = part.widen(most)
    while not complete:
        problem, found = _solved(part, limits)
        length = len(found.moves) - 1 if found.moves else limits.max_calls
        ways = None
        hoped = _hoped(part, problem, length, limits, ways)
        if hoped.moves:
            ways = part.ways(length)
            hoped = _hoped(part, problem, length, limits, ways)
        if not hoped.moves and hoped.verdict is not Proof.BUDGET:
            if found.verdict is Proof.MINIMAL or found.verdict is hoped.verdict is Proof.NO_PLAN:
                return Narrowed(problem, found, whole=False)
            break
        most *= 4
        complete = part.deepen(hoped.used, ways or part.ways(length), most)
    whole.widen()
    return Narrowed(*_solved(whole, limits))


class _Hope(NamedTuple):
    """What a search found that may turn to calls outside the part, and to which."""

    verdict: Proof
    moves: tuple[int, ...]
    used: list[Rest]


def _hoped(part: Part, problem: CallingProblem, length: int, limits: Limits, ways: Ways | None) -> _Hope:
    """Search for a plan of at most this length, with the rests beside the part."""
    if not length:
        return _Hope(Proof.CALL_LIMIT, (), [])
    rests = [*part.rests(ways)]
    moves = [*problem.moves, *part.rest_moves(rests)]
    hoped = fewest_moves(moves, problem.start, problem.goal, Limits(max_calls=length, max_steps=limits.max_steps))
    numbers = (number - len(problem.moves) for number in hoped.moves)
    used = [rests[number] for number in numbers if 0 <= number < len(rests)]
    return _Hope(hoped.verdict, hoped.moves, used or rests)


def _solved(part: Part, limits: Limits) -> tuple[CallingProblem, Found]:
    problem = part.problem()
    return problem, fewest_moves(problem.moves, problem.start, problem.goal, limits)
