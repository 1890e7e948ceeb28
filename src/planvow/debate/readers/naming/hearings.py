"""Hearings as reporters print them: numbered lines, "Q." and "A." under who examines, "Mr. SMITH." before what he says.

Every text here is as long as the one that was given: what is no word becomes a space.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from itertools import pairwise

from planvow.debate.readers.naming.label import Label

_MARGIN = re.compile(r"^[ \t]{0,8}(?P<number>\d{1,2})(?=[ \t]{2,}\S|[ \t]*$)", re.MULTILINE)
_LINE = re.compile(r"^[ \t]*\S", re.MULTILINE)
_MARGIN_SHARE = 0.7
_FEWEST_NUMBERED = 8
_TITLES = (
    r"Mr|Mrs|Ms|Miss|Dr|Prof|Professor|Chair(?:man|woman|person)?|Vice Chair(?:man|woman)?|Ranking Member|Senator"
    r"|Representative|Congress(?:man|woman)|Delegate|Secretary|Administrator|Director|Commissioner|Governor|Mayor"
    r"|Judge|Justice|Ambassador|General|Admiral|Colonel|Captain|Sheriff|Chief|Superintendent"
)
_TITLED = re.compile(
    rf"""^[ \t]*(?P<name>(?:{_TITLES})\.?[ \t]+[A-Z][\w'’-]+(?:[ \t]+[A-Z][\w'’-]+){{0,2}}(?:[ \t]+of[ \t]+[A-Z]\w+)?
    |The[ \t]+(?:(?:Acting|ACTING|Vice|VICE)[ \t]+)?(?:Chair\w*|CHAIR\w*|Speaker|SPEAKER|President|PRESIDENT|Clerk|CLERK
    |Presiding[ \t]Officer|PRESIDING[ \t]OFFICER))
    (?:[ \t]*[(\[][^)\]\n]{{1,30}}[)\]])?\.[ \t]+(?=["“'(\[]?[A-Z0-9])""",
    re.MULTILINE | re.VERBOSE,
)
_OPEN_LINE = re.compile(r"[\w,;][ \t]*\n[ \t]*\Z")
_QUESTION_OR_ANSWER = re.compile(r"^[ \t]*(?P<mark>[QA])(?:[.:]|(?=[ \t]{2}))[ \t]*(?=\S)", re.MULTILINE)
_EXAMINER = re.compile(r"BY[ \t]+(?=\S)")
_TITLE_LINE = re.compile(r"^[ \t]*(?P<words>[A-Z][A-Z.'’ -]{3,60})(?P<comma>,?)[ \t]*$", re.MULTILINE)
_SWORN = re.compile(r",?\s[^\n]{0,60}\b(?:sworn|witness|affirmed)\b")
_WITNESS = "THE WITNESS"


def without_margin(text: str) -> str:
    """Blank the line numbers of a page: most lines have one, and they count up."""
    numbers = list(_MARGIN.finditer(text))
    if len(numbers) < max(_FEWEST_NUMBERED, _MARGIN_SHARE * sum(1 for _ in _LINE.finditer(text))):
        return text
    values = [int(number["number"]) for number in numbers]
    counting = sum(after == before + 1 for before, after in pairwise(values))
    if counting < _MARGIN_SHARE * (len(values) - 1):
        return text
    return _MARGIN.sub(lambda number: " " * len(number.group()), text)


def titled_labels(text: str) -> list[Label]:
    """Labels that end with a full stop, as parliaments in Washington print them; names must come back."""
    lines = [
        line for line in _TITLED.finditer(text) if not _OPEN_LINE.search(text, max(0, line.start() - 80), line.start())
    ]
    seen = Counter(line["name"] for line in lines)
    if len(lines) < 3 or len(seen) < 2 or max(seen.values()) < 2:
        return []
    return [Label(name=line["name"], line_start=line.start(), words_start=line.end()) for line in lines]


def with_examinations(text: str, labels: list[Label]) -> list[Label]:
    """Add questions and answers to the labels of a court, by who examines and who was sworn."""
    lines = list(_QUESTION_OR_ANSWER.finditer(text))
    marks = Counter(line["mark"] for line in lines)
    if marks["Q"] < 2 or not marks["A"]:
        return labels
    taken = {line.start() for line in lines} | {label.line_start for label in labels}
    titles = [line for line in _TITLE_LINE.finditer(text) if line.start() not in taken]
    events = [
        *((label.line_start, label, None) for label in labels if label.name not in ("Q", "A")),
        *((line.start(), None, line) for line in (*lines, *titles)),
    ]
    return list(_examined(text, sorted(events, key=lambda event: event[0])))


def _examined(text: str, events: Iterable[tuple[int, Label | None, re.Match[str] | None]]) -> Iterable[Label]:
    examiner, witness = "Q", "A"
    for start, label, line in events:
        if label is not None and label.name:
            by = _EXAMINER.match(label.name)
            examiner = label.name[by.end() :] if by else examiner
            name = witness if label.name == _WITNESS and witness != "A" else label.name
            yield Label(
                name=None if by else name, line_start=start, words_start=label.words_start, is_upper=True,
                is_heading=by is not None, start_ms=label.start_ms, is_stamped=label.is_stamped,
                has_words=label.has_words,
            )  # fmt: skip
        elif label is not None:
            yield label
        elif line is not None and "mark" in line.groupdict():
            yield Label(name=examiner if line["mark"] == "Q" else witness, line_start=start, words_start=line.end())
        elif line is not None:
            if line["comma"] and _SWORN.match(text, line.end("words")):
                witness = line["words"].strip()
            yield Label(name=None, line_start=start, words_start=start, is_heading=True)
