"""Self-correction: what is said after "no wait" or "I mean" takes the place of what was said before it."""

from __future__ import annotations

import re
from collections.abc import Iterator

_SORRY = r"(?:no|nope|wait|hold on|hang on|oops|sorry|actually|correction|rather|scratch that|strike that|ignore that|forget that|my bad|er|uh|um|hmm)"
_MARK = re.compile(
    rf"(?:\s*[,;.–—-]+\s*|\s*\.\.\.\s*|\s+)(?:(?:{_SORRY}[\s,.!–—-]+)*"  # noqa: RUF001
    r"(?:no,? wait|wait,? no|i mean|i meant|make (?:that|it)|scratch that|strike that|correction:?|or rather|no,? actually|actually,? no|no,? sorry|sorry,? no"
    r"|sorry,? i meant?|oops|on second thought|wait,? actually|actually,? make (?:that|it)|no,? make (?:that|it)|let's make (?:that|it)|hold on|no hold on"
    r"|change that to|forget that|ignore that|no,? i meant?|wait))[\s,.:!–—-]+"  # noqa: RUF001
    r"|\s*[,;.…–—-]+\s*(?:no|actually|sorry|rather|nope|wait|er|uh|erm)[\s,–—-]+",  # noqa: RUF001
    re.I,
)
_QUOTES = re.compile(r"\"[^\"]*\"|(?<!\w)'[^']*'(?!\w)")


def correction_in(sentence: str) -> tuple[str, str] | None:
    """Return what stood before the last correction and what after it, or None."""
    hidden = _QUOTES.sub(lambda match: "x" * len(match[0]), sentence)
    found = [match for match in _MARK.finditer(hidden) if match.start() > 0]
    if not found:
        return None
    last = found[-1]
    return sentence[: found[0].start()].strip(" ,"), sentence[last.end() :].strip(" ,")


def replacements(before: str, after: str) -> Iterator[str]:
    """Yield what may be meant: the first words of what stood before, then what stands after, the longest first; words
    that follow the replaced ones are kept last."""
    words = _words(before)
    for kept in range(len(words) - 1, 0, -1):
        yield f"{before[: words[kept][0]]}{after}"


def swapped(before: str, after: str) -> Iterator[str]:
    """Yield sentences with one stretch inside replaced: `cats on youtube`, `dogs` → `dogs on youtube`."""
    words = _words(before)
    for start in range(len(words) - 1, 0, -1):
        for end in range(start + 1, len(words)):
            yield f"{before[: words[start][0]]}{after}{before[words[end - 1][1] :]}"


def _words(text: str) -> list[tuple[int, int]]:
    hidden = _QUOTES.sub(lambda match: "x" * len(match[0]), text)
    return [(match.start(), match.end()) for match in re.finditer(r"\S+", hidden)]
