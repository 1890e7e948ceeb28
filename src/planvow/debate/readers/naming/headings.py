"""Names that stand alone on a line above what is said.

Parliaments print a name with a seat, or an office; meeting programs and messengers put a time behind the name ("Ann
Bell 0:03", "ann — 6:02 PM"); calls and plays have nothing but the name: there, names must come back and words follow.
"""

from __future__ import annotations

import re
from collections import Counter

from planvow.debate.readers.naming.clock import CLOCK, parse_clock
from planvow.debate.readers.naming.label import Label
from planvow.debate.readers.naming.names import HEADINGS, is_name, is_upper_name, letters

DATE = r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}"
HALF_DAY = r"(?:[ \t\u202f\u00a0]?[AaPp]\.?[Mm]\.?)"
OFFICE = re.compile(
    r"(?:The|Mr|Madam|Mrs|Ms)\.? (?:Deputy |Acting |Prime |Lord )*(?:Speaker|Minister|Chair\w*|President|Chancellor)"
    r"|The .{0,40}(?:Secretary|Minister|Attorney|Advocate) .{0,60}"
)
_SEATED = re.compile(
    r"^[ \t]*(?P<name>[^\W\d_][\w.'’ -]{2,60}?)(?P<seat>(?:[ \t]*\([^()\n]{1,60}\)){0,2})[ \t]*$(?=\n+[ \t]*\S)",
    re.MULTILINE,
)
_STAMPED = re.compile(
    rf"""^[ \t\ufeff]*(?:\*\*|\[)?(?P<name>[^\W_][^\n:\[\]*<>]{{0,60}}?)(?:\*\*|\])?[ \t]*(?:[-–—|,(][ \t]*)?
    (?P<day>(?:{DATE}|Today|Yesterday),?[ \t]+(?:at[ \t]+)?)?(?P<clock>{CLOCK})(?P<half>{HALF_DAY})?\)?[ \t]*$
    (?=\n+[ \t]*\S)""",
    re.MULTILINE | re.VERBOSE,
)
_ALONE = re.compile(
    r"^[ \t\ufeff]*(?P<bold>\*\*|__)?(?P<name>[^\W\d_][\w.'’ -]{1,60}?)(?<![a-z]\.)(?(bold)(?P=bold))"
    r"(?:[ \t]+(?P<dash>--|[-–—])[ \t]+[^\n]{2,90})?[ \t]*$",
    re.MULTILINE,
)
_SENTENCE_END = re.compile(r"[.!?…][\"'”’)\]*]*[ \t]*\Z")
_FEWEST_ALONE = 3


def heading_labels(text: str) -> list[Label]:
    """Return the names above what is said, of the first kind that the transcript has."""
    return _stamped(text) or _seated(text) or _alone(text)


def _seated(text: str) -> list[Label]:
    lines = [line for line in _SEATED.finditer(text) if is_name(line["name"]) or OFFICE.fullmatch(line["name"])]
    seated = {line["name"] for line in lines if line["seat"]}
    found = [line for line in lines if line["name"] in seated or OFFICE.fullmatch(line["name"])]
    if len(found) < 2 or not seated:
        return []
    return [Label(name=line["name"], line_start=line.start(), words_start=line.end()) for line in found]


def _stamped(text: str) -> list[Label]:
    lines = [
        line for line in _STAMPED.finditer(text) if _is_named(line["name"]) or line["name"].split() == [line["name"]]
    ]
    if len(lines) < 2:
        return []
    return [
        Label(
            name=line["name"].strip(),
            line_start=line.start(),
            words_start=line.end(),
            start_ms=None if line["day"] or line["half"] else parse_clock(line["clock"]),
            is_stamped=True,
        )
        for line in lines
    ]


def _alone(text: str) -> list[Label]:
    lines = [line for line in _ALONE.finditer(text) if _is_named(line["name"]) and _is_apart(text, line.start())]
    starts = {line.start() for line in lines}
    spoken = [line for line in lines if _has_words(text, line.end(), starts)]
    seen = Counter(line["name"] for line in spoken)
    known = {name for name, count in seen.items() if count > 1}
    if not known or len(seen) < 2 or len(spoken) < _FEWEST_ALONE:
        return []
    # Once is enough for a name in bold, with an office behind it, or right above what is said.
    known |= {line["name"] for line in lines if line["dash"] or line["bold"]}
    known |= {line["name"] for line in spoken if not text.startswith("\n\n", line.end())}
    said = {line.start() for line in spoken}
    labels = [line for line in spoken if line["name"] in known]
    if len({line["name"] for line in labels}) < 2:
        return []
    return [
        Label(name=line["name"], line_start=line.start(), words_start=line.end())
        if line.start() in said
        else Label(name=None, line_start=line.start(), words_start=line.start(), is_heading=True)
        for line in lines
        if (line["name"] in known if line.start() in said else line.start() > labels[0].start())
    ]


def _is_named(name: str) -> bool:
    bare = letters(name)
    return (is_name(bare) or is_upper_name(bare)) and not set(bare.lower().split()) <= HEADINGS


def _is_apart(text: str, start: int) -> bool:
    """Say whether a line does not go on with the sentence of the line before it."""
    before = text[max(0, start - 200) : start]
    return not before.strip() or before.endswith("\n\n") or _SENTENCE_END.search(before.rstrip("\n")) is not None


def _has_words(text: str, end: int, starts: set[int]) -> bool:
    """Say whether a paragraph that ends like a sentence follows, and not another such line."""
    first = end
    while first < len(text) and text[first] in "\n\t ":
        first += 1
    line_start = text.rfind("\n", 0, first) + 1
    if first >= len(text) or line_start in starts:
        return False
    stop = text.find("\n\n", first)
    return _SENTENCE_END.search(text[first : stop if stop >= 0 else len(text)].rstrip()) is not None
