"""Which calls can matter for some goal words: tools become moves over words, and the rest of the registry stays away.

Starting from the tools that achieve the goals, only tools that bring about something needed are looked at, and only
where the world does not show it or a call may take it away. A goal is a word of its own (`Done`), which its final call
brings about: so several goals are one problem.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from planvow.goals.plan.bound import Move
from planvow.goals.plan.index import LAUNCHES, ToolIndex, effects_of, is_app
from planvow.goals.values.values import ToolCapability
from planvow.tools.words import key_of


class Wanted(NamedTuple):
    """A goal word to achieve, the tool to prefer among equals, the numbers of the goals it waits for, and what holds
    once it is achieved."""

    word: str
    preferred: str | None = None
    after: tuple[int, ...] = ()
    effect: str = ""


class Calling(NamedTuple):
    """A tool called for something: for a goal (its number), for one app, or for any of its effects."""

    tool: ToolCapability
    brings: frozenset[str]
    app: str | None = None
    goal: int | None = None


class CallingProblem(NamedTuple):
    """The calls that can matter and the same as moves; words are bits in order, the goals' own bits above them."""

    callings: list[Calling]
    moves: list[Move]
    start: int
    goal: int


def problem_for(
    wanted: Sequence[Wanted], index: ToolIndex, holding: frozenset[str], browsers: Collection[str]
) -> CallingProblem:
    """Return the part of the registry that can matter, as moves in order of name, goals and preferred tools first."""
    finals = [
        Calling(tool, effects_of(tool, want.effect or want.word, browsers), goal=number)
        for number, want in enumerate(wanted)
        for tool in index.achieving(want.word, want.preferred)
    ]
    supporting = _Supporting(index, holding, browsers)
    for final in finals:
        supporting.take(final)
    words = {word: 1 << place for place, word in enumerate(sorted(supporting.needed))}
    by_key: dict[str, int] = {}
    for word, bit in words.items():
        by_key[key_of(word)] = by_key.get(key_of(word), 0) | bit
    done = [1 << (len(words) + number) for number in range(len(wanted))]
    callings: dict[Move, Calling] = {}
    for calling in [*finals, *sorted(supporting.callings, key=lambda c: (c.tool.name, c.app or ""))]:
        move = _move(calling, words, by_key)
        if calling.goal is not None:
            waits = sum(done[earlier] for earlier in wanted[calling.goal].after)
            move = Move(move.needs | waits, move.adds | done[calling.goal], move.deletes)
        if move.adds & ~move.needs:  # else it brings nothing about that matters
            callings.setdefault(move, calling)  # of those that come to the same, the first name serves
    start = sum(bit for word, bit in words.items() if word in holding)
    return CallingProblem([*callings.values()], [*callings], start, sum(done))


def _move(calling: Calling, words: Mapping[str, int], by_key: Mapping[str, int]) -> Move:
    needs = sum(words[need] for need in calling.tool.requires)
    adds = sum(words[word] for word in calling.brings if word in words)
    assigned = 0
    for key in {key_of(word) for word in calling.brings}:
        assigned |= by_key.get(key, 0)
    return Move(needs, adds, assigned & ~adds)


class _Supporting:
    """Collects what is needed and the calls that bring it about, until nothing new turns up."""

    def __init__(self, index: ToolIndex, holding: frozenset[str], browsers: Collection[str]) -> None:
        self._index, self._holding, self._browsers = index, holding, browsers
        self.needed: set[str] = set()
        self.callings: list[Calling] = []
        self._known: set[tuple[str, str | None]] = set()
        self._assigned: dict[str, set[str]] = {}
        """Key → words that some call brings about: a word the world shows is lost when its key gets another value."""
        self._resting: dict[str, set[str]] = {}

    def take(self, calling: Calling) -> None:
        """Take in a call and everything it may need."""
        todo = [calling]
        while todo:
            taken = todo.pop()
            new = [need for need in taken.tool.requires if need not in self.needed]
            self.needed.update(new)
            lost = self._lost_by(taken)
            for need in {*new, *lost}:  # whichever comes first, the same calls are found
                if need in self._holding and need not in lost and not self._may_be_lost(need):
                    self._resting.setdefault(key_of(need), set()).add(need)
                    continue
                todo.extend(self._bringing(need))

    def _bringing(self, word: str) -> list[Calling]:
        """Return the calls that bring a word about and are not known yet."""
        found = []
        for tool in self._index.providing(word):
            app = word if is_app(word) and LAUNCHES in tool.effects else None
            if (tool.name, app) in self._known:
                continue
            self._known.add((tool.name, app))
            brings = effects_of(tool, word, self._browsers) if app else tool.effects
            found.append(Calling(tool, brings, app=app))
        self.callings.extend(found)
        return found

    def _lost_by(self, calling: Calling) -> set[str]:
        """Note what a call sets, and return the words of the world that were safe until now."""
        lost: set[str] = set()
        for word in calling.brings:
            key = key_of(word)
            self._assigned.setdefault(key, set()).add(word)
            lost |= {held for held in self._resting.get(key, ()) if held != word}
        for word in lost:
            self._resting[key_of(word)].discard(word)
        return lost

    def _may_be_lost(self, word: str) -> bool:
        return any(other != word for other in self._assigned.get(key_of(word), ()))
