"""Which calls can matter for some goal words: tools become moves over words, and the rest of the registry stays away.

Starting from the tools that achieve the goals, only tools that bring about something needed are looked at, and only
where the world does not show it or a call may take it away. A goal is a word of its own, which its final call brings
about: so several goals are one problem. Where many calls can matter, a part of them can be looked at (`Part.widen`),
and what was not looked at stands there as one call a word that promises no less (`Part.rests`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
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


class Ways(NamedTuple):
    """How many calls must come before each tool's: at all, and of calls outside the part. Tools that no plan of the
    length in question can hold are left out."""

    length: int
    in_all: Mapping[str, int]
    outside: Mapping[str, int]

    def distance(self, tools: Iterable[ToolCapability], *, final: bool) -> int | None:
        """Return how many calls outside come before any of these tools' calls, or None where no plan has room."""
        room = self.length - (1 if final else 2)  # the call itself, and the goal's own
        fitting = (tool.name for tool in tools if self.in_all.get(tool.name, self.length) <= room)
        return min((self.outside[name] for name in fitting if name in self.outside), default=None)


class Rest(NamedTuple):
    """Calls for a word, or for a goal, that were not looked at, as one that needs no more and brings no less. So many
    calls outside the part as `distance` says must be made before any of them."""

    word: str
    goal: int | None
    needs: frozenset[str]
    brings: frozenset[str]
    distance: int


_FARTHEST = 30
"""Calls outside are counted no further than this."""
_ROUNDS = 3
_Asked = tuple[str, int | None]
"""A word that must be brought about, or the word of a goal with the goal's number."""


def problem_for(
    wanted: Sequence[Wanted], index: ToolIndex, holding: frozenset[str], browsers: Collection[str]
) -> CallingProblem:
    """Return all of the registry that can matter, as moves in order of name, goals and preferred tools first."""
    part = Part(wanted, index, holding, browsers)
    part.widen()
    return part.problem()


class Part:
    """The calls looked at so far. `share` is how many tools of a word are taken at first, all if None."""

    def __init__(
        self,
        wanted: Sequence[Wanted],
        index: ToolIndex,
        holding: frozenset[str],
        browsers: Collection[str],
        share: int | None = None,
    ) -> None:
        self._wanted, self._index, self._holding, self._browsers = wanted, index, holding, browsers
        self._share = share
        self._shares: dict[_Asked, int] = {}
        self._todo: deque[_Asked] = deque((want.word, number) for number, want in enumerate(wanted))
        self._asked: dict[_Asked, None] = dict.fromkeys(self._todo)
        self._needed: set[str] = set()
        self._made: set[str] = set()
        self.callings: dict[tuple[str, str | None, int | None], Calling] = {}
        self._assigned: dict[str, set[str]] = {}
        """Key → words that some call brings about: a word the world shows is lost when its key gets another value."""
        self._resting: dict[str, set[str]] = {}

    def widen(self, most: int | None = None) -> bool:
        """Look at more calls, at most about so many in all; say whether all that can matter have been looked at."""
        for _ in range(_ROUNDS):
            while self._todo:
                asked = self._todo[0]
                if most is not None and len(self.callings) + self._size(asked) > most:
                    return False
                self._open(self._todo.popleft())
            if self._share is None or not self._take_near():
                break
        return not self._todo and not any(True for _ in self.rests())

    def ways(self, length: int) -> Ways:
        """Return how far each tool is, for plans of at most this length."""
        from_world, from_part = (self._index.distances(words, length) for words in (self._holding, self.at_hand()))
        return Ways(length, from_world, from_part)

    def deepen(self, rests: Iterable[Rest], ways: Ways, most: int) -> bool:
        """Look at more of the calls that these rests stand for, the nearest first, and at what they need; say whether
        those were all."""
        for rest in rests:
            asked = (rest.word, rest.goal)
            share = self._shares[asked] = 4 * self._shares.get(asked, self._share or 1)
            tools = [tool for tool in self._tools(*asked) if not self._known(tool, *asked)]
            self._take(sorted(tools, key=lambda tool: ways.in_all.get(tool.name, ways.length))[:share], *asked)
        return self.widen(max(most, len(self.callings) + most // 4))

    def problem(self) -> CallingProblem:
        """Return the part as moves."""
        wanted, words = self._wanted, self._bits()
        by_key: dict[str, int] = {}
        for word, bit in words.items():
            by_key[key_of(word)] = by_key.get(key_of(word), 0) | bit
        done = self._done()
        callings: dict[Move, Calling] = {}
        for calling in self._in_order():
            move = _move(calling, words, by_key)
            if calling.goal is not None:
                waits = sum(done[earlier] for earlier in wanted[calling.goal].after)
                move = Move(move.needs | waits, move.adds | done[calling.goal], move.deletes)
            if move.adds & ~move.needs:  # else it brings nothing about that matters
                callings.setdefault(move, calling)  # of those that come to the same, the first name serves
        start = sum(bit for word, bit in words.items() if word in self._holding)
        return CallingProblem([*callings.values()], [*callings], start, sum(done))

    def rests(self, ways: Ways | None = None) -> Iterator[Rest]:
        """Yield what stands for the calls that were not looked at; where the ways to them are known, without those that
        cannot be part of a plan."""
        at_hand: set[str] = set()
        for word, goal in self._asked:
            left = (tool for tool in self._tools(word, goal) if not self._known(tool, word, goal))
            if (one := next(left, None)) is None:
                continue
            crowd, at_hand = self._index.crowd(word, goal=goal is not None), at_hand or self.at_hand()
            distance: int | None
            if ways is None:
                near = (*crowd.easy, *crowd.near(at_hand))
                distance = int(crowd.common <= at_hand and all(self._known(tool, word, goal) for tool in near))
            else:
                distance = ways.distance((one, *left), final=goal is not None)
            if distance is not None:
                brings = (crowd.effects & self._needed) | ({word} if goal is None else set())
                yield Rest(word, goal, crowd.common & self._needed, brings, min(distance, _FARTHEST))

    def rest_moves(self, rests: Sequence[Rest]) -> list[Move]:
        """Return these rests as moves, after them those that stand for any other calls outside the part: they are
        counted by bits of their own. A rest may have been counted, too, so it brings all those bits about."""
        words, done = self._bits(), self._done()
        first, most = len(words) + len(done), max((rest.distance for rest in rests), default=0)
        outside = sum(1 << (first + number) for number in range(most))
        moves = []
        for rest in rests:
            needs = sum(words[word] for word in rest.needs) | (1 << (first + rest.distance - 1) if rest.distance else 0)
            adds = sum(words[word] for word in rest.brings) | outside
            if rest.goal is not None:
                needs |= sum(done[earlier] for earlier in self._wanted[rest.goal].after)
                adds |= done[rest.goal]
            moves.append(Move(needs, adds))
        return moves + [Move(1 << (bit - 1) if bit > first else 0, 1 << bit) for bit in range(first, first + most)]

    def _bits(self) -> dict[str, int]:
        return {word: 1 << place for place, word in enumerate(sorted(self._needed))}

    def _done(self) -> list[int]:
        return [1 << (len(self._needed) + number) for number in range(len(self._wanted))]

    def _in_order(self) -> list[Calling]:
        """Return the calls, those for goals first, in order of goal and name with the preferred tool before all."""
        wanted = self._wanted
        finals = [calling for calling in self.callings.values() if calling.goal is not None]
        others = [calling for calling in self.callings.values() if calling.goal is None]
        finals.sort(key=lambda c: (c.goal, c.tool.name != wanted[c.goal or 0].preferred, c.tool.name))
        return finals + sorted(others, key=lambda c: (c.tool.name, c.app or ""))

    def _tools(self, word: str, goal: int | None) -> list[ToolCapability]:
        if goal is None:
            return self._index.providing(word)
        return self._index.achieving(word, self._wanted[goal].preferred)

    def at_hand(self) -> set[str]:
        """Return every word that the world, or a call looked at, brings about or needs."""
        return self._needed | self._holding | self._made

    def _size(self, asked: _Asked) -> int:
        """Return how many tools are taken for a word at once."""
        tools = len(self._tools(*asked))
        return tools if self._share is None else min(tools, self._shares.setdefault(asked, self._share))

    def _open(self, asked: _Asked) -> None:
        """Take the tools for a word, or the first of them."""
        self._take(self._tools(*asked)[: self._size(asked)], *asked)

    def _take_near(self) -> bool:
        """Take tools that need only what is at hand already; say whether there were any."""
        before, at_hand = len(self.callings), self.at_hand()
        for word, goal, *_ in [rest for rest in self.rests() if not rest.distance]:
            crowd = self._index.crowd(word, goal=goal is not None)
            for tools in (crowd.easy, crowd.near(at_hand)):
                self._take(tools[: self._size((word, goal))], word, goal)
        return len(self.callings) > before

    def _known(self, tool: ToolCapability, word: str, goal: int | None) -> bool:
        return (tool.name, _app(tool, word, goal), goal) in self.callings

    def _take(self, tools: Sequence[ToolCapability], word: str, goal: int | None) -> None:
        for tool in tools:
            if self._known(tool, word, goal):
                continue
            app = _app(tool, word, goal)
            effect = word if goal is None else self._wanted[goal].effect or word
            brings = effects_of(tool, effect, self._browsers) if app or goal is not None else tool.effects
            self.callings[tool.name, app, goal] = taken = Calling(tool, brings, app, goal)
            self._made |= brings
            new = [need for need in tool.requires if need not in self._needed]
            self._needed.update(new)
            lost = self._lost_by(taken)
            for need in sorted({*new, *lost}):
                if need in self._holding and need not in lost and not self._may_be_lost(need):
                    self._resting.setdefault(key_of(need), set()).add(need)
                elif (need, None) not in self._asked:
                    self._asked[need, None] = None
                    self._todo.append((need, None))

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


def _app(tool: ToolCapability, word: str, goal: int | None) -> str | None:
    """Return the app that a launcher is called for, if it is one and the word names one."""
    return word if goal is None and is_app(word) and LAUNCHES in tool.effects else None


def _move(calling: Calling, words: Mapping[str, int], by_key: Mapping[str, int]) -> Move:
    needs = sum(words[need] for need in calling.tool.requires)
    adds = sum(words[word] for word in calling.brings if word in words)
    assigned = 0
    for key in {key_of(word) for word in calling.brings}:
        assigned |= by_key.get(key, 0)
    return Move(needs, adds, assigned & ~adds)
