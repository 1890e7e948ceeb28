"""Where a turn quotes: the stretches between quotation marks, over as many sentences as they last.

What stands between the marks is somebody's words, not the speaker's claim, and "I" in it is not the speaker. A mark
that is never closed quotes up to the end of its sentence and no further.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from operator import itemgetter

from planvow.debate.terms.transcript import Span

_MARK = re.compile(r"""``|''|[“”"«»„]""")
_OPENING = frozenset({"“", "``", "«", "„"})
_CLOSING = frozenset({"”", "»"})
_CLOSERS = {"«": frozenset({"»"}), "„": frozenset({"“", "”", '"'})}
_ENGLISH_CLOSERS = frozenset({"”", '"', "''"})
LONGEST_REST = 40  # words of a quotation after its first sentence that still stand in the claim that reports it
LONGEST = 2000  # characters; a mark this far off was not meant to close the quotation


def quoted_spans(text: str, sentences: Sequence[Span]) -> list[Span]:
    """The quoted stretches of a turn in text order, marks left out."""
    found: list[Span] = []
    opened: re.Match[str] | None = None
    for mark in _MARK.finditer(text):
        if opened is not None and (mark.start() - opened.end() > LONGEST or _opens_anew(text, opened, mark)):
            found.append((opened.end(), min(_sentence_end(sentences, opened.end()), mark.start())))
            opened = None
        if opened is None:
            opened = mark if _opens(text, mark) else None
        elif mark.group() in _CLOSERS.get(opened.group(), _ENGLISH_CLOSERS):
            found.append((opened.end(), mark.start()))
            opened = None
    if opened is not None:
        found.append((opened.end(), _sentence_end(sentences, opened.end())))
    return found


def _opens(text: str, mark: re.Match[str]) -> bool:
    if mark.group() in _OPENING:
        return True
    following = text[mark.end() : mark.end() + 1]
    return mark.group() not in _CLOSING and following != "" and not following.isspace()


def _opens_anew(text: str, opened: re.Match[str], mark: re.Match[str]) -> bool:
    """A straight mark with a space in front and a word behind opens: the one before it was never closed."""
    if opened.group() != mark.group() or mark.group() not in ('"', "''"):
        return False
    before, following = text[mark.start() - 1 : mark.start()], text[mark.end() : mark.end() + 1]
    return before.isspace() and following.isalnum()


def _sentence_end(sentences: Sequence[Span], at: int) -> int:
    index = bisect_right(sentences, at, key=itemgetter(0)) - 1
    return sentences[index][1] if index >= 0 and at <= sentences[index][1] else at


def to_its_close(text: str, spans: Sequence[Span], end: int) -> int:
    """Where a claim ends that breaks off at `end` inside a quotation: behind its closing mark, if it is near."""
    inside = next((b for a, b in overlapping(spans, end - 1, end + 1) if a < end <= b), None)
    if inside is None:
        return end
    after = _MARK.match(text, inside)
    close = after.end() if after is not None else inside
    return close if len(text[end:close].split()) <= LONGEST_REST else end


def overlapping(spans: Sequence[Span], start: int, end: int) -> Sequence[Span]:
    """Those of `spans` (in text order, apart from each other) that share something with `start` to `end`."""
    first = bisect_right(spans, start, key=itemgetter(1))
    after = first
    while after < len(spans) and spans[after][0] < end:
        after += 1
    return spans[first:after]


def share_inside(spans: Sequence[Span], start: int, end: int) -> float:
    """How much of `start` to `end` lies in one of `spans`, 0 to 1."""
    inside = sum(max(0, min(end, b) - max(start, a)) for a, b in spans)
    return inside / max(1, end - start)
