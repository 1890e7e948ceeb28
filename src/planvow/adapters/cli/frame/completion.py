"""What the shell may complete: names, codes and ids, found when the shell asks and never an error."""

from __future__ import annotations

from collections.abc import Callable, Iterable


def among(known: Callable[[], Iterable[str]]) -> Callable[[str], list[str]]:
    """Return a completion out of what is known; whatever goes wrong, nothing is offered."""

    def complete(incomplete: str) -> list[str]:
        try:
            return [word for word in known() if word.startswith(incomplete)]
        except Exception:  # a shell that completes shows no tracebacks
            return []

    return complete
