"""What a reader of clauses answers: a goal it is sure of, a doubt with the readings it sees, or that it is not its own.

Also the small patterns that readers share: names in quotes or bare, and words that name nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from planvow.goals.values.values import ToolGoal


@dataclass(frozen=True, kw_only=True)
class Doubt:
    """Not sure: why, and what could have been meant."""

    reason: str
    choices: tuple[str, ...] = ()


Reading = ToolGoal | Doubt | None

NAME = r"[\w./~][\w./\\:~-]*"
VAGUE = frozenset({
    "all", "anything", "everything", "it", "itself", "one", "other", "something", "that", "them", "themselves", "there",
    "this",
})  # fmt: skip


def quoted(name: str, pattern: str = NAME) -> str:
    """Return a pattern for a word in quotes, or bare."""
    return rf"(?:\"(?P<{name}_q>[^\"]+)\"|'(?P<{name}_s>[^']+)'|(?P<{name}>{pattern}))"


def group(match: re.Match[str], name: str) -> str:
    """Return what a `quoted` pattern matched, without its quotes."""
    parts = match.groupdict()
    return (parts.get(f"{name}_q") or parts.get(f"{name}_s") or parts.get(name) or "").strip()


def one_of(names: frozenset[str] | set[str] | tuple[str, ...]) -> str:
    """Return a pattern for any of some names, longer ones first."""
    return "|".join(re.escape(name) for name in sorted(names, key=lambda name: (-len(name), name)))
