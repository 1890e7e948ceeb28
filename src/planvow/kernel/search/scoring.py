"""Learning which method to try first, without losing determinism (seed 001, section 3.2; rulings 6 and 8).

Score = activity + history bonus, and methods are tried by falling score.

- **Activity** rises with success, as in the variable selection of SAT solvers: once per search when what a method asked
  for was done, and again for the methods of a plan. The increment grows by five per cent every hundred bumps, which is
  the same as all older activity decaying.
- **History bonus** is the smoothed share of wins, less what failures cost: a method has strikes, one for each failure
  and two for each conflict, and a success takes one away. They cost the increment times their square, so that however
  high its activity, a method that keeps failing soon comes after the others.

Scores start empty for every call, or come in and go out explicitly; their hash belongs to the input.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from planvow.canonical import content_hash
from planvow.errors import expect
from planvow.kernel.domain.domain import Method

GROWTH = 1.05
BUMPS_PER_GROWTH = 100
RESCALE_ABOVE = 1e100
PLAN_REWARD = 10.0
CONFLICT_STRIKES = 2
"""More than a success takes away: a method that is done each time and leads nowhere each time gets worse."""
SCORES_TAG = "scores/2"
_TABLES = ("activity", "tries", "wins", "strikes")


class Scores:
    """Activity, tries, wins and strikes by method id.

    >>> plan(travel, start, todo, selection="learned", scores=Scores()).success
    True
    """

    def __init__(self) -> None:
        self.activity: dict[str, float] = {}
        self.tries: dict[str, int] = {}
        self.wins: dict[str, int] = {}
        self.strikes: dict[str, int] = {}
        self.increment = 1.0
        self.bumps = 0
        self._applied: set[str] = set()

    def copy(self) -> Scores:
        """Return an equal set of scores, ready for a new search."""
        other = Scores()
        for table in _TABLES:
            setattr(other, table, dict(getattr(self, table)))
        other.increment, other.bumps = self.increment, self.bumps
        return other

    def ordered(self, methods: Iterable[Method]) -> list[Method]:
        """Return methods by falling score; equal scores keep the order of declaration."""
        return sorted(methods, key=lambda method: -self.score(method))

    def score(self, method: Method) -> float:
        """Return activity plus history bonus."""
        return self.activity.get(method.method_id, 0.0) + self.history_bonus(method)

    def parts(self, method: Method) -> dict[str, float]:
        """Return the score with its parts, as explanations show it."""
        activity, bonus = self.activity.get(method.method_id, 0.0), self.history_bonus(method)
        return {"activity": activity, "history_bonus": bonus, "score": activity + bonus}

    def history_bonus(self, method: Method) -> float:
        """Return (wins + 1) / (tries + 2), one half for a method never seen, less what its strikes cost."""
        name = method.method_id
        share = (self.wins.get(name, 0) + 1) / (self.tries.get(name, 0) + 2)
        return share - self.increment * self.strikes.get(name, 0) ** 2

    def applied(self, method: Method) -> None:
        """Count a method whose subtasks were all done: a win; its activity rises once per search."""
        name = method.method_id
        self.tries[name] = self.tries.get(name, 0) + 1
        self.wins[name] = self.wins.get(name, 0) + 1
        if self.strikes.get(name, 0) > 0:
            self.strikes[name] -= 1
        if name not in self._applied:
            self._applied.add(name)
            self._bump(name, self.increment)

    def failed(self, method: Method) -> None:
        """Count a method of which a subtask could not be done."""
        name = method.method_id
        self.tries[name] = self.tries.get(name, 0) + 1
        self.strikes[name] = self.strikes.get(name, 0) + 1

    def conflicted(self, method: Method) -> None:
        """Count a method that was done and taken back, because nothing led on from there: no win after all."""
        name = method.method_id
        self.wins[name] = max(0, self.wins.get(name, 0) - 1)
        self.strikes[name] = self.strikes.get(name, 0) + CONFLICT_STRIKES

    def solved(self, methods: Iterable[Method], plan_length: int) -> None:
        """Reward every method of a plan; the shorter the plan, the more."""
        for method in methods:
            self._bump(method.method_id, self.increment * PLAN_REWARD / (1 + plan_length))

    def as_dict(self) -> dict[str, Any]:
        """Return the scores as JSON data."""
        tables = {table: dict(getattr(self, table)) for table in _TABLES}
        return {**tables, "increment": self.increment, "bumps": self.bumps}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Scores:
        """Read what `as_dict` wrote; in what version 1 wrote there are no strikes."""
        scores = cls()
        expect(data, Mapping, "scores", "what `as_dict` wrote")
        data = {"strikes": {}, **data}
        for name in ("increment", "bumps"):
            expect(data.get(name), (int, float), f"scores.{name}", "a number")
        for name in _TABLES:
            expect(data.get(name), Mapping, f"scores.{name}", "an object of numbers by method")
            for method, value in data[name].items():
                expect(value, (int, float), f"scores.{name}.{method}", "a number")
            setattr(scores, name, dict(data[name]))
        scores.increment, scores.bumps = data["increment"], data["bumps"]
        return scores

    @property
    def content_hash(self) -> str:
        """The hash that stands for these scores in an input hash."""
        return content_hash(self.as_dict(), tag=SCORES_TAG)

    def _bump(self, name: str, amount: float) -> None:
        self.activity[name] = self.activity.get(name, 0.0) + amount
        self.bumps += 1
        if self.bumps % BUMPS_PER_GROWTH == 0:
            self.increment *= GROWTH
        if self.activity[name] > RESCALE_ABOVE or self.increment > RESCALE_ABOVE:
            self.activity = {key: value / RESCALE_ABOVE for key, value in self.activity.items()}
            self.increment /= RESCALE_ABOVE
