"""Facts that tools found out, kept for a while: the source of a world snapshot's recent facts.

Only an executor writes here, never the planner. Entries older than the retention are forgotten, and a snapshot takes
only those within the recall window. Time is passed in, in seconds.
"""

from __future__ import annotations

from collections.abc import Iterable

from planvow.goals.values.values import Fact, WorldState

RETENTION_S = 30 * 24 * 3600
RECALL_S = 2 * 3600


class FactsMemory:
    """The latest fact per subject and predicate.

    >>> memory = FactsMemory([Fact(subject="browser", predicate="url", value="https://example.org", timestamp=100)])
    >>> [fact.subject for fact in memory.recall(now_s=200)]
    ['browser']
    """

    def __init__(self, facts: Iterable[Fact] = (), *, retention_s: int = RETENTION_S) -> None:
        self._facts: dict[str, Fact] = {}
        self._retention_s = retention_s
        for fact in facts:
            self.remember(fact)

    def remember(self, fact: Fact) -> None:
        """Keep a fact; an older one about the same thing gives way, a newer one stays."""
        held = self._facts.get(fact.key)
        if held is None or held.timestamp <= fact.timestamp:
            self._facts[fact.key] = fact

    def forget_before(self, now_s: int) -> int:
        """Drop what is older than the retention; return how many were dropped."""
        old = [key for key, fact in self._facts.items() if fact.timestamp < now_s - self._retention_s]
        for key in old:
            del self._facts[key]
        return len(old)

    def recall(self, *, now_s: int, window_s: int = RECALL_S, session: str | None = None) -> tuple[Fact, ...]:
        """Return the facts of the last `window_s` seconds, by key; of one session, if given."""
        return tuple(
            fact
            for key, fact in sorted(self._facts.items())
            if fact.timestamp >= now_s - window_s and session in (None, fact.session)
        )

    def world(self, *, now_s: int, browser_running: bool = False, running_apps: Iterable[str] = ()) -> WorldState:
        """Return a snapshot of the world with the facts that are still fresh."""
        return WorldState(
            browser_running=browser_running,
            running_apps=frozenset(running_apps),
            recent_facts=self.recall(now_s=now_s),
        )

    def __len__(self) -> int:
        return len(self._facts)
