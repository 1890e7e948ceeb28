"""Speaker labels: which line openings name a speaker, and which only look like it.

A colon ends a label, or the line's end where a parliament prints names above what is said. Accepted are upper-case
labels (`MR. SMITH`, `RUTH HINERFELD, CHAIR`), capitalised names of one to four words (`Jane Doe`, `Speaker 1`), and
both in brackets or bold. Headings (`SPEAKERS:`), openers (`Note:`), URLs and clock times are not labels. What the rest
of the transcript does decides doubtful cases: where upper-case labels or time-stamped labels are the rule, a lone
capitalised word with a colon is just a sentence (spec/000 section 2). `>>` without a name marks a change of speaker.
In a transcript without capitals `anna:` is a label too, where it opens the text and names come back.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass

from planvow.debate.readers.clean import CLOCK, parse_clock
from planvow.debate.words.wordsets import word_set

_STAMP = rf"(?:\[\s*{CLOCK}\s*\]|\(\s*{CLOCK}\s*\)|{CLOCK})"
_LINE = re.compile(
    rf"""(?:^[ \t\ufeff]*(?:>>+[ \t]*)?|(?<=[ \t])>>+[ \t]*)(?:[-–—][ \t]+)?
    (?:(?:\d{{1,3}}\.[ \t]*)?\[\d{{3,}}\][ \t]*|Q\d{{1,3}}\.[ \t]*(?:\[\d{{3,}}\][ \t]*)?)?
    (?:(?P<stamp_before>{_STAMP})[ \t]*(?:[-–—][ \t]+)?)?
    (?:[(\[][A-Za-z][A-Za-z ,'-]{{2,40}}[)\]][ \t]*(?=[^\s:]))?
    (?P<open>\*\*|__|\[|\()?
    (?P<label>[^\W_][^:：\n\[\]*<>]{{0,118}}?)
    (?P<close>\*\*|__|\]|\))?[ \t]*
    (?:(?P<stamp_inside>{_STAMP})[ \t]*)?
    [:：](?!//)(?:\*\*|__)?
    (?:[ \t]*(?P<stamp_after>[(\[]\s*{CLOCK}\s*[)\]])(?=\s|$))?""",
    re.VERBOSE | re.MULTILINE,
)
_CHEVRON = re.compile(r"(?:^|(?<=\s))>>+(?=[^\S\n]*[^\s>])", re.MULTILINE)
_HEADING_LINE = re.compile(
    r"^[ \t]*(?P<name>[^\W\d_][\w.'’ -]{2,60}?)(?P<seat>(?:[ \t]*\([^()\n]{1,60}\)){0,2})[ \t]*$(?=\n+[ \t]*\S)",
    re.MULTILINE,
)
_OFFICE = re.compile(
    r"(?:The|Mr|Madam|Mrs|Ms)\.? (?:Deputy |Acting |Prime |Lord )*(?:Speaker|Minister|Chair\w*|President|Chancellor)"
    r"|The .{0,40}(?:Secretary|Minister|Attorney|Advocate) .{0,60}"
)
_SMALL_LINE = re.compile(
    r"^[ \t\ufeff]*(?P<label>[^\W\d_][\w.'’-]{0,39}(?: [\w.'’-]{1,30}){0,2})[ \t]*:(?=\s)", re.MULTILINE
)
_COLON = re.compile(r":(?=\s)")
_UPPER_NAME = re.compile(r"[^\W_][\w.'’&/ -]{0,39}")
_MC_OR_TITLE = re.compile(r"\b(?:Mc|Mac|Mr|Mrs|Ms|Dr|St|De|Di|La|Le|Van|Von|O)(?=[A-Z.'’ ])|\bde\b|\bvan\b|\bvon\b")
_DECORATION = frozenset({"So", "Sk", "Cf", "Mn", "Mc", "Me"})
_PARTICLES = word_set("de da del della der den di du la le van von bin ibn al el of the and")
_MAX_NAME_WORDS = 4
_MAX_LABEL = 40

_HEADINGS = word_set(
    """
    speakers participants panelists panellists panel moderators candidates guests hosts attendees
    present date time location venue place title topic topics subject source sources url transcript
    duration copyright agenda contents event summary update re fw fwd ps nb note notes warning caution
    disclaimer edit editor's contact email phone http https www sponsor sponsors sponsored by network
    format rules debate questioners questions
    """
)
_OPENERS = word_set(
    """
    note example remember look listen well so first second third fourth fifth finally lastly next then
    now here there this that these those however but and or because therefore thus also yes no ok okay
    right wrong true false fact facts myth point answer question bottom result results conclusion reason
    reasons problem issue step rule important moreover besides instead meanwhile again actually clearly
    obviously frankly imagine consider think ask tell say said quote unquote number one two three four
    five what why how when where who which
    """
)
_ROLE_HEADINGS = word_set(
    """
    moderator host chair anchor panelist panellist guest
    """
)


@dataclass(frozen=True, kw_only=True)
class Label:
    """A line opening that names a speaker."""

    name: str | None
    """None where only a change of speaker is marked."""
    line_start: int
    words_start: int
    start_ms: int | None
    is_upper: bool
    is_stamped: bool
    has_words: bool
    """Whether words follow on the same line."""


def find_labels(text: str) -> list[Label]:
    """Return the labels of a transcript in order, and the places where ">>" names nobody."""
    named = _named_labels(text) or _heading_labels(text) or _small_labels(text)
    chevrons = list(_CHEVRON.finditer(text))
    if not chevrons:
        return named
    taken = [(label.line_start, label.words_start) for label in named]
    unnamed = [_bare_label(mark.start(), mark.end()) for mark in chevrons if not _is_taken(taken, mark.start())]
    return sorted([*named, *unnamed], key=lambda label: label.line_start)


def _bare_label(start: int, end: int, name: str | None = None) -> Label:
    return Label(
        name=name, line_start=start, words_start=end, start_ms=None, is_upper=False, is_stamped=False, has_words=True
    )


def _heading_labels(text: str) -> list[Label]:
    """Names that stand alone above what is said, as parliaments print them: with a seat or party, or an office."""
    lines = [line for line in _HEADING_LINE.finditer(text) if _is_name(line["name"]) or _OFFICE.fullmatch(line["name"])]
    seated = {line["name"] for line in lines if line["seat"]}
    found = [line for line in lines if line["name"] in seated or _OFFICE.fullmatch(line["name"])]
    if len(found) < 2 or not seated:
        return []
    return [_bare_label(line.start(), line.end(), line["name"]) for line in found]


def _small_labels(text: str) -> list[Label]:
    """Names without capitals, as in speech that was typed along: they open the text, are several, and come back."""
    lines = [line for line in _SMALL_LINE.finditer(text) if _is_small_name(line["label"])]
    seen = Counter(line["label"] for line in lines)
    lines = [line for line in lines if seen[line["label"]] > 1 or " " not in line["label"]]
    if len(seen) < 2 or max(seen.values()) < 2 or not lines or text[: lines[0].start()].strip():
        return []
    return [_bare_label(line.start(), line.end(), line["label"]) for line in lines]


def _is_small_name(label: str) -> bool:
    return label.islower() and label.split()[0].strip(".'’") not in _OPENERS | _HEADINGS


def _named_labels(text: str) -> list[Label]:
    candidates = [label for match in _LINE.finditer(text) if (label := _label(text, match)) is not None]
    candidates = _without_headings(text, candidates)
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
    if _OFFICE.fullmatch(name) and len(name.split()) > _MAX_NAME_WORDS and _is_name(described):
        name, described = described, ""  # "The Secretary of State for Health (Ann Bell)" is Ann Bell from then on
    if not name or not any(c.isalpha() for c in name):
        return None
    if set(re.split(r"[\s,/&-]+", name.lower())) <= _HEADINGS:
        return None
    letters = _letters(name)
    is_upper = _is_upper(letters) and _has_no_lower_case(described)
    if not is_upper and not (_is_name(letters) and _is_described_name(letters, described)):
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


def _letters(name: str) -> str:
    """A name without what decorates its letters: emoji, vowel signs, accents of their own."""
    return "".join(c for c in name if c.isascii() or unicodedata.category(c) not in _DECORATION).strip()


def _is_upper(name: str) -> bool:
    if len(name) > _MAX_LABEL or _UPPER_NAME.fullmatch(name) is None:
        return False
    return _has_no_lower_case(name) and (name.isupper() or _MC_OR_TITLE.search(name) is not None)


def _has_no_lower_case(text: str) -> bool:
    return not any(c.islower() for c in _MC_OR_TITLE.sub("", text))


def _is_name(name: str) -> bool:
    words = name.replace("_", " ").split()
    if not words or len(words) > _MAX_NAME_WORDS or len(name) > _MAX_LABEL:
        return False
    if not all(_is_name_word(word) or word in _PARTICLES for word in words):
        return False
    if words[0] in _PARTICLES or words[-1] in _PARTICLES:
        return False
    return words[0].lower().strip(".'’") not in _OPENERS or (len(words) == 1 and words[0] in ("Question", "Answer"))


def _is_name_word(word: str) -> bool:
    if not re.fullmatch(r"[\w.'’-]+", word):
        return False
    return word[0].isupper() or word[0].isdigit() or (word[0].isalpha() and not word[0].islower())


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
    found = [f for f in found if not _is_taken(taken, f.line_start)]
    return sorted([*labels, *found], key=lambda label: label.words_start)


def _is_in_a_line(text: str, start: int) -> bool:
    """Say whether other words stand before a name on its line, apart from it."""
    before = start
    while before > 0 and text[before - 1] in " \t":
        before -= 1
    return 0 < before < start and text[before - 1] != ":" and not text[before - 1].isspace()


def _is_taken(labels: list[tuple[int, int]], position: int) -> bool:
    """Say whether a place is inside a label that stands at its line's start."""
    at = bisect_right(labels, position, key=lambda label: label[0]) - 1
    return at >= 0 and position < labels[at][1]
