"""Names before a colon: which line openings name a speaker, and which only look like it.

Accepted are upper-case labels (`MR. SMITH`, `RUTH HINERFELD, CHAIR`), capitalised names of one to four words (`Jane
Doe`, `Speaker 1`), and both in brackets or bold. Headings (`SPEAKERS:`), openers (`Note:`), URLs and clock times are
not labels. What the rest of the transcript does decides doubtful cases: where upper-case labels or time-stamped labels
are the rule, a lone capitalised word with a colon is just a sentence (spec/000 section 2). In a transcript without
capitals `anna:` is a label too, where it opens the text and names come back.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter

from planvow.debate.readers.naming.clock import CLOCK, parse_clock
from planvow.debate.readers.naming.headings import OFFICE
from planvow.debate.readers.naming.label import Label
from planvow.debate.readers.naming.names import (
    HEADINGS,
    OPENERS,
    has_no_lower_case,
    is_name,
    is_place_in_turn,
    is_upper_name,
    letters,
)
from planvow.debate.words.wordsets import word_set

_STAMP = rf"(?:\[\s*{CLOCK}\s*\]|\(\s*{CLOCK}\s*\)|{CLOCK})"
_LINE = re.compile(
    rf"""(?:^[ \t\ufeff]*(?:>>+[ \t]*)?|(?<=[ \t])>>+[ \t]*)(?:[-–—][ \t]+)?
    (?:(?:\d{{1,3}}\.[ \t]*)?\[\d{{3,}}\][ \t]*|Q\d{{1,4}}(?:\.[ \t]*|[ \t]+)(?:\[\d{{3,}}\][ \t]*)?)?
    (?:(?P<stamp_before>{_STAMP})[ \t]*(?:[-–—][ \t]+)?)?
    (?:[(\[][A-Za-z][A-Za-z ,'-]{{2,40}}[)\]][ \t]*(?=[^\s:]))?
    (?P<open>\*\*|__|\[|\()?
    (?P<label>[^\W_][^:：\n\[\]*<>]{{0,118}}?)
    (?P<close>\*\*|__|\]|\))?[ \t]*
    (?:(?P<stamp_inside>{_STAMP})[ \t]*)?
    [:：](?!//|(?<=\d:)[0-5]\d\b)(?:\*\*|__)?
    (?:[ \t]*(?P<stamp_after>[(\[]\s*{CLOCK}\s*[)\]])(?=\s|$))?""",
    re.VERBOSE | re.MULTILINE,
)
_SMALL_LINE = re.compile(
    r"^[ \t\ufeff]*(?P<label>[^\W\d_][\w.'’-]{0,39}(?: [\w.'’-]{1,30}){0,2})[ \t]*:(?=\s)", re.MULTILINE
)
_COLON = re.compile(r":(?=\s)")
_ROLE_HEADINGS = word_set(
    """
    moderator host chair anchor panelist panellist guest
    """
)


def small_labels(text: str) -> list[Label]:
    """Names without capitals, as in speech that was typed along: they open the text, are several, and come back."""
    lines = [line for line in _SMALL_LINE.finditer(text) if _is_small_name(line["label"])]
    seen = Counter(line["label"] for line in lines)
    lines = [line for line in lines if seen[line["label"]] > 1 or " " not in line["label"]]
    if len(seen) < 2 or max(seen.values()) < 2 or not lines or text[: lines[0].start()].strip():
        return []
    return [Label(name=line["label"], line_start=line.start(), words_start=line.end()) for line in lines]


def _is_small_name(label: str) -> bool:
    return label.islower() and label.split()[0].strip(".'’") not in OPENERS | HEADINGS


def colon_labels(text: str) -> list[Label]:
    """Names before a colon, in order; where capitals or times are the rule, others are only words."""
    candidates = [label for match in _LINE.finditer(text) if (label := _label(text, match)) is not None]
    candidates = _without_title(text, _without_lone_places(_without_headings(text, candidates)))
    upper = sum(1 for label in candidates if label.is_upper)
    stamped = sum(1 for label in candidates if label.is_stamped)
    if stamped >= 3 and stamped >= 0.8 * len(candidates):
        return [label for label in candidates if label.is_stamped]
    if upper >= 3 and upper >= 2 * (len(candidates) - upper):
        seen = Counter(label.name for label in candidates)
        candidates = [c for c in candidates if c.is_upper or (seen[c.name] > 1 and " " in (c.name or ""))]
        return _with_inline_labels(text, candidates)
    if len(candidates) == 1 and not candidates[0].is_upper and text[: candidates[0].line_start].strip():
        return []  # one capitalised word with a colon somewhere in prose
    return candidates


def _label(text: str, match: re.Match[str]) -> Label | None:
    opened, closed = match["open"], match["close"]
    raw = match["label"].strip()
    if opened in ("[", "(") and closed != {"[": "]", "(": ")"}[opened]:
        return None
    if not opened and closed == ")":
        raw += ")"
    name, described = _split_description(raw)
    if is_name(described) and (is_place_in_turn(name) or (OFFICE.fullmatch(name) and not is_name(name))):
        name, described = described, ""  # "The Secretary of State for Health (Ann Bell)" is Ann Bell from then on
    if not name or not any(c.isalpha() for c in name):
        return None
    if set(re.split(r"[\s,/&-]+", name.lower())) <= HEADINGS:
        return None
    bare = letters(name)
    is_upper = is_upper_name(bare) and has_no_lower_case(described)
    if not is_upper and not is_place_in_turn(bare) and not (is_name(bare) and _is_described_name(bare, described)):
        return None
    stamps = [match[group] for group in ("stamp_before", "stamp_inside", "stamp_after") if match[group]]
    line_end = text.find("\n", match.end())
    rest = text[match.end() : line_end if line_end >= 0 else len(text)]
    return Label(
        name=name,
        line_start=match.start(),
        words_start=match.end(),
        start_ms=parse_clock(stamps[0]) if stamps else None,
        is_upper=is_upper,
        is_stamped=bool(stamps),
        has_words=bool(rest.strip()),
    )


def _split_description(label: str) -> tuple[str, str]:
    """Cut "SMITH, MODERATOR" and "ROOK (CNN)" into the name and what describes it."""
    found = re.search(r",|\s+\(", label)
    if found is None:
        return label.strip(), ""
    return label[: found.start()].strip(), label[found.end() :].strip(" ()")


def _is_described_name(name: str, described: str) -> bool:
    """A mixed-case label may carry a description only behind a full name: "Jane Smith, Moderator"."""
    return not described or (len(name.split()) > 1 and len(described.split()) <= 6 and described[0].isupper())


def _without_headings(text: str, labels: list[Label]) -> list[Label]:
    """Drop role words that head a list of participants: alone on their line, before anyone has spoken."""
    kept: list[Label] = []
    for label in labels:
        if not kept and not label.has_words and (label.name or "").lower() in _ROLE_HEADINGS:
            continue
        kept.append(label)
    return kept


def _without_title(text: str, labels: list[Label]) -> list[Label]:
    """Drop a title with a colon ("Town Debate: Second Night"): above everything, no sentence, and not said again."""
    seen = Counter(label.name for label in labels)
    if len(labels) < 2 or seen[labels[0].name] > 1 or max(seen.values()) < 2 or text[: labels[0].line_start].strip():
        return labels
    line, _, below = text[labels[0].words_start :].partition("\n")
    is_title = bool(line.strip()) and not line.rstrip().endswith((".", "!", "?", "…", ",", "-", "—"))
    return labels[1:] if is_title and not labels[0].is_stamped and _is_apart(below, text, labels[1]) else labels


def _is_apart(below: str, text: str, following: Label) -> bool:
    """Say whether an empty line or another heading stands between a line and the next label."""
    between = text[len(text) - len(below) : following.line_start]
    return not below.partition("\n")[0].strip() or bool(between.strip())


def _without_lone_places(labels: list[Label]) -> list[Label]:
    """Drop "First Speaker" where it does not come back: then it may be what is counted."""
    seen = Counter(label.name for label in labels)
    return [label for label in labels if seen[label.name] > 1 or not is_place_in_turn(label.name or "")]


def _with_inline_labels(text: str, labels: list[Label]) -> list[Label]:
    """Add labels that stand in the middle of a line, of speakers who are known from line starts."""
    known = Counter(label.name for label in labels if label.is_upper and label.name)
    names = {name for name, n in known.items() if n > 1 and len(name) > 3}
    lengths = sorted({len(name) for name in names}, reverse=True)  # MR. SMITH before SMITH
    starts = {label.words_start for label in labels}
    found = []
    for colon in _COLON.finditer(text):
        end = colon.start()
        length = next((n for n in lengths if text[end - n : end] in names and _is_in_a_line(text, end - n)), 0)
        if length and colon.end() not in starts:
            found.append(
                Label(
                    name=text[end - length : end], line_start=end - length, words_start=colon.end(), start_ms=None,
                    is_upper=True, is_stamped=False, has_words=True,
                )
            )  # fmt: skip
    taken = [(label.line_start, label.words_start) for label in labels]
    found = [f for f in found if not is_taken(taken, f.line_start)]
    return sorted([*labels, *found], key=lambda label: label.words_start)


def _is_in_a_line(text: str, start: int) -> bool:
    """Say whether other words stand before a name on its line, apart from it."""
    before = start
    while before > 0 and text[before - 1] in " \t":
        before -= 1
    return 0 < before < start and text[before - 1] != ":" and not text[before - 1].isspace()


def is_taken(labels: list[tuple[int, int]], position: int) -> bool:
    """Say whether a place is inside a label that stands at its line's start."""
    at = bisect_right(labels, position, key=lambda label: label[0]) - 1
    return at >= 0 and position < labels[at][1]
