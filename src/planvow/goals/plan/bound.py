"""A number of calls below which no plan can be: the landmark-cut bound (Helmert and Domshlak, 2009).

What calls take away is left aside; what remains is never harder than the problem, so the bound is admissible. Each
round finds a set of moves of which every plan needs one, counts the cheapest of them, and makes all of them cheaper by
as much for the next round: what one round has counted no other counts again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from heapq import heappop, heappush
from operator import ne
from typing import NamedTuple

_FAR = 1 << 60


class Move(NamedTuple):
    """One call, over words as bits: what it needs, what it brings, what it takes away."""

    needs: int
    adds: int
    deletes: int = 0
    cost: int = 1


def bits(mask: int) -> list[int]:
    """Return the positions of the ones, in order."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found


class _Costs(NamedTuple):
    """What each word costs at least, and for each move the dearest word it needs (-1: never all there)."""

    of_word: list[int]
    dearest: list[int]


class _Cut(NamedTuple):
    """Moves of which every plan makes one, and what the cheapest of them still costs."""

    moves: list[int]
    least: int


class LandmarkBound:
    """The bound for one set of moves and one goal; `steps` counts the moves looked at so far."""

    def __init__(self, moves: list[Move], goal: int) -> None:
        words = goal
        for move in moves:
            words |= move.needs | move.adds
        self._always = words.bit_length()  # a word that holds everywhere, for moves that need nothing
        self._goal = self._always + 1
        self.moves = moves
        needs = [bits(move.needs) or [self._always] for move in moves] + [bits(goal) or [self._always]]
        self._adds = [bits(move.adds) for move in moves] + [[self._goal]]
        self._missing = [len(words) for words in needs]
        self._users: list[list[int]] = [[] for _ in range(self._goal + 1)]
        self._makers: list[list[int]] = [[] for _ in range(self._goal + 1)]
        for number, words_needed in enumerate(needs):
            for word in words_needed:
                self._users[word].append(number)
        for number, words_added in enumerate(self._adds):
            for word in words_added:
                self._makers[word].append(number)
        self._prices = [move.cost for move in moves] + [0]
        self._in_units = all(price <= 1 for price in self._prices)
        self.steps = 0

    def __call__(self, state: int) -> int | None:
        """Return how many calls are still needed at least, or None when no number of them will do."""
        return self.counting(state)[0]

    def counting(self, state: int) -> tuple[int | None, bytes]:
        """Return the bound, and for each move whether it was counted: what was not, brings the goal no nearer."""
        bound, prices = 0, self._prices[:]
        for cut in self._cuts(state, prices):
            if cut is None:
                return None, b""
            bound += cut.least
        return bound, bytes(map(ne, prices, self._prices))

    def forced(self, state: int) -> list[int]:
        """Return moves that every plan makes, in order of number, where they are all that the bound counts; else
        none."""
        found = []
        for cut in self._cuts(state, self._prices[:]):
            if cut is None or len(cut.moves) > 1:
                return []
            found.append(cut.moves[0])
        return sorted(found)

    def _cuts(self, state: int, prices: list[int]) -> Iterator[_Cut | None]:
        """Yield sets of moves of which every plan makes one, until the goal is free; None if it cannot be reached."""
        holding = self._words(state)
        while True:
            costs = self._costs(holding, prices)
            if costs.of_word[self._goal] >= _FAR:
                yield None
                return
            if costs.of_word[self._goal] == 0:
                return
            cut = self._cut(holding, prices, costs)
            least = min(prices[number] for number in cut)
            for number in cut:
                prices[number] -= least
            yield _Cut(cut, least)

    def possible(self, state: int) -> tuple[list[int], int | None]:
        """Return the moves that can ever be made, and the length of the longest row of them that the goal needs."""
        costs = self._costs(self._words(state), self._prices)
        longest = costs.of_word[self._goal]
        return [i for i in range(len(self.moves)) if costs.dearest[i] >= 0], None if longest >= _FAR else longest

    def rough_plan(self, state: int) -> list[int]:
        """Return moves that reach the goal if nothing is ever taken away: good, not always fewest; none if none do."""
        costs = self._costs(self._words(state), self._prices)
        chosen: dict[int, None] = {}
        todo = bits(self._goal_words())
        seen: set[int] = set()
        while todo:
            word = todo.pop()
            if word in seen or costs.of_word[word] == 0:
                continue
            seen.add(word)
            makers = [m for m in self._makers[word] if costs.dearest[m] >= 0]
            if not makers:
                return []
            best = min(makers, key=lambda m: (m not in chosen, costs.of_word[costs.dearest[m]], m))
            chosen[best] = None
            todo.extend(bits(self.moves[best].needs))
        return sorted(chosen, key=lambda m: (costs.of_word[costs.dearest[m]], m))

    def _goal_words(self) -> int:
        last = len(self.moves)
        return sum(1 << w for w in range(self._always) if last in self._users[w])

    def _words(self, state: int) -> list[int]:
        return [*(word for word in bits(state) if word < self._always), self._always]

    def _costs(self, holding: list[int], prices: list[int]) -> _Costs:
        """Return what each word costs when a move costs what its dearest need does, and its price."""
        self.steps += len(prices)
        return self._unit_costs(holding, prices) if self._in_units else self._any_costs(holding, prices)

    def _any_costs(self, holding: list[int], prices: list[int]) -> _Costs:
        of_word = [_FAR] * (self._goal + 1)
        dearest = [-1] * len(prices)
        missing = self._missing[:]
        for word in holding:
            of_word[word] = 0
        line = [(0, word) for word in holding]  # in order: a heap
        final = bytearray(self._goal + 1)
        while line:
            cost, word = heappop(line)
            if final[word]:
                continue
            final[word] = 1
            for move in self._users[word]:
                missing[move] -= 1
                if missing[move]:
                    continue
                dearest[move] = word
                for added in self._adds[move]:
                    if cost + prices[move] < of_word[added]:
                        of_word[added] = cost + prices[move]
                        heappush(line, (of_word[added], added))
        return _Costs(of_word, dearest)

    def _unit_costs(self, holding: list[int], prices: list[int]) -> _Costs:
        """The same where prices are 0 or 1: a queue with two ends keeps the order."""
        of_word = [_FAR] * (self._goal + 1)
        dearest = [-1] * len(prices)
        missing = self._missing[:]
        final = bytearray(self._goal + 1)
        for word in holding:
            of_word[word] = 0
        queue = deque(holding)
        while queue:
            word = queue.popleft()
            if final[word]:
                continue
            final[word] = 1
            for move in self._users[word]:
                missing[move] -= 1
                if missing[move]:
                    continue
                dearest[move] = word
                price = prices[move]
                cost = of_word[word] + price
                put = queue.append if price else queue.appendleft
                for added in self._adds[move]:
                    if cost < of_word[added]:
                        of_word[added] = cost
                        put(added)
        return _Costs(of_word, dearest)

    def _cut(self, holding: list[int], prices: list[int], costs: _Costs) -> list[int]:
        """Return moves of which every plan makes one: those that lead into the words from which the goal is free."""
        free = bytearray(self._goal + 1)
        free[self._goal] = 1
        todo = [self._goal]
        while todo:
            for move in self._makers[todo.pop()]:
                word = costs.dearest[move]
                if prices[move] == 0 and word >= 0 and not free[word]:
                    free[word] = 1
                    todo.append(word)
        cut = []
        seen = bytearray(free)
        todo = [*holding]
        for word in holding:
            seen[word] = 1
        while todo:
            word = todo.pop()
            for move in self._users[word]:
                if costs.dearest[move] != word:
                    continue
                if any(free[added] for added in self._adds[move]):
                    cut.append(move)
                for added in self._adds[move]:
                    if not seen[added]:
                        seen[added] = 1
                        todo.append(added)
        return cut
