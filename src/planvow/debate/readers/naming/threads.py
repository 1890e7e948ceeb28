"""Threads of forums: above each post a line with a name and how long ago it was; after ">" what others wrote.

"u/ann · 8 hours ago", "Posted by ann 3h ago · edited", "ann 12 points 5 hours ago": the name stands before how long
ago it was, points left out. Names must come back, since a single such line may be anything.
"""

from __future__ import annotations

import re
from collections import Counter

from planvow.debate.readers.naming.label import Label
from planvow.debate.terms.transcript import Span

_UNIT = r"(?:seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|wks?|months?|mos?|years?|yrs?|[smhdwy])\.?"
_AGO = rf"(?:(?:about|over|almost)[ \t]+)?(?:\d{{1,3}}|an?)[ \t]?{_UNIT}[ \t]+ago|just now"
_APART = r"[ \t]*(?:[·•|,–—-][ \t]*)?"
_POST = re.compile(
    rf"""^[ \t\ufeff]*(?:\[[–+-]\][ \t]*)?(?:[^\n]*\b[Pp]osted[ \t]+by[ \t]+|[^\n]*\bby[ \t]+(?=u/))?
    (?:/?u/|@)?(?P<name>[^\W_][^\s·•|,:()\[\]<>]{{1,38}}(?:[ \t][A-Z][^\s·•|,:()\[\]<>]{{0,30}}){{0,2}})
    (?:[ \t]*\([^()\n]{{1,20}}\))?{_APART}(?:-?\d+[ \t]+(?:points?|upvotes?|likes?){_APART})?(?:[Oo]n[ \t])?
    (?:{_AGO})(?=[ \t]*(?:[·•|(\[*,–—-]|$))[^\n]*$""",
    re.MULTILINE | re.VERBOSE,
)
_QUOTED = re.compile(r"^[ \t]*>(?!>)[^\n]*(?:\n|$)", re.MULTILINE)
_MOST_QUOTED = 0.5  # of all lines; where there are more, ">" says something else


def post_labels(text: str) -> list[Label]:
    """Return where posts begin, if this is a thread."""
    lines = list(_POST.finditer(text))
    seen = Counter(line["name"] for line in lines)
    if len(seen) < 2 or max(seen.values()) < 2:
        return []
    return [Label(name=line["name"], line_start=line.start(), words_start=line.end()) for line in lines]


def quoted_lines(text: str) -> list[Span]:
    """Return the lines that repeat what somebody else wrote."""
    lines = [line.span() for line in _QUOTED.finditer(text)]
    return lines if len(lines) <= _MOST_QUOTED * (text.count("\n") + 1) else []
