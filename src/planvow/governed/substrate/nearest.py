"""The names nearest to one that does not exist, for hints. Whoever looks for a section rarely has it quite wrong.

Names are compared by the groups of three letters they share, which costs the same for each of them, so the hint of an
index with a hundred thousand sections comes as surely as that of a small one. Only errors pay for it.
"""

from __future__ import annotations

from collections.abc import Iterable

LEAST_LIKENESS = 0.3


def nearest(written: str, known: Iterable[str], *, count: int = 3) -> list[str]:
    """Return up to `count` known names that are most like the written one, the likest first, then by the letters."""
    wanted = _groups(written)
    likeness: list[tuple[float, str]] = []
    for name in dict.fromkeys(known):
        groups = _groups(name)
        shared = 2 * len(wanted & groups) / (len(wanted) + len(groups))
        if shared >= LEAST_LIKENESS:
            likeness.append((-shared, name))
    return [name for _, name in sorted(likeness)[:count]]


def nearest_hint(written: str, known: Iterable[str], otherwise: str) -> str:
    """Return a hint that names what is nearest, and then what else to do."""
    near = nearest(written, known)
    return f"nearest: {', '.join(near)}; {otherwise}" if near else otherwise


def _groups(name: str) -> set[str]:
    padded = f"  {name.lower()} "
    return {padded[i : i + 3] for i in range(len(padded) - 2)}
