"""Plain text: labelled turns where speakers are named, paragraphs where they are not, guesses in a wall of text."""

from __future__ import annotations

import re
from bisect import bisect_right
from operator import itemgetter
from typing import NamedTuple

from planvow.debate.readers.assemble import Utterance
from planvow.debate.readers.clean import Chunk, is_stage_direction
from planvow.debate.readers.naming.find import find_labels
from planvow.debate.readers.naming.hearings import without_margin
from planvow.debate.readers.naming.label import Label
from planvow.debate.readers.naming.threads import quoted_lines
from planvow.debate.readers.wall import guess_turns
from planvow.debate.terms.transcript import Span
from planvow.debate.words.sentences import split_sentences

_COMMENT = re.compile(r"^[ \t\ufeff]*#[^\n]*(?:\n|$)", re.MULTILINE)
_PARAGRAPH_END = re.compile(r"(?:\r\n|\r|\n)[ \t]*(?:\r\n|\r|\n)\s*")
_ASIDE = re.compile(r"[(\[]([^()\[\]\n]{1,80})[)\]]\s*$")

_WALL_CHARACTERS = 5000  # spec/000: at most two lines and more than this, or very long lines on average
_WALL_LINE = 2000
_PROSE_SHARE = 0.95


class TextReading(NamedTuple):
    source_format: str
    utterances: list[Utterance]
    notes: tuple[str, ...] = ()


def read_text(text: str) -> TextReading:
    """Find the turns of plain text."""
    text = text.replace("\r\n", " \n").replace("\r", "\n")  # every line end is one; no character moves
    text = without_margin(text)
    comments = sorted([*(match.span() for match in _COMMENT.finditer(text)), *quoted_lines(text)])
    labels = [label for label in find_labels(text) if not _is_inside(comments, label.line_start)]
    if labels:
        style = "rev" if sum(label.is_stamped for label in labels) > len(labels) / 2 else "text"
        unnamed = sum(label.name is None and not label.is_heading for label in labels)
        note = f"marked changes of speaker without a name: {unnamed}; who speaks there is unknown"
        return TextReading(style, _labelled(text, labels, comments), (note,) if unnamed else ())
    if _is_wall(text):
        note = "no speakers are named; turns and speakers are guesses, see boundary_confidence"
        return TextReading("wall", _wall(text, comments), (note,))
    return TextReading("unlabelled", _paragraphs(text, comments), ("no speakers are named; each paragraph is a turn",))


def _labelled(text: str, labels: list[Label], comments: list[Span]) -> list[Utterance]:
    first = labels[0].line_start
    utterances = [
        Utterance(speaker=None, chunks=_chunks(text, 0, first, comments), is_preamble=not _is_prose(text[:first]))
    ]
    for label, following in zip(labels, [*labels[1:], None]):
        end = following.line_start if following else len(text)
        utterances.append(
            Utterance(
                speaker=label.name,
                chunks=_chunks(text, label.words_start, end, comments),
                start_ms=label.start_ms,
                is_preamble=label.is_heading,
                keep_if_empty=not label.is_heading,
            )
        )
    return [u for u in utterances if u.chunks or u.keep_if_empty]


def _paragraphs(text: str, comments: list[Span]) -> list[Utterance]:
    utterances = []
    start = 0
    for match in [*_PARAGRAPH_END.finditer(text), None]:
        end = match.start() if match else len(text)
        if text[start:end].strip():
            utterances.append(Utterance(speaker=None, chunks=_chunks(text, start, end, comments)))
        start = match.end() if match else end
    return utterances


def _wall(text: str, comments: list[Span]) -> list[Utterance]:
    spans = split_sentences(text)
    directions = frozenset(
        i
        for i, (start, _) in enumerate(spans)
        if (aside := _ASIDE.search(text, max(0, start - 100), start)) and is_stage_direction(aside.group(1))
    )
    turns = guess_turns([text[a:b] for a, b in spans], directions)
    utterances = []
    for number, (first, confidence) in enumerate(turns):
        start = spans[first][0]
        end = spans[turns[number + 1][0]][0] if number + 1 < len(turns) else len(text)
        utterances.append(
            Utterance(
                speaker=f"SPEAKER_{number % 2 + 1}", chunks=_chunks(text, start, end, comments), confidence=confidence
            )
        )
    return utterances


def _chunks(text: str, start: int, end: int, comments: list[Span]) -> tuple[Chunk, ...]:
    """Cut comments out of a region."""
    chunks = []
    at = start
    for number in range(bisect_right(comments, start, key=itemgetter(1)), len(comments)):
        a, b = comments[number]
        if a >= end:
            break
        if a > at:
            chunks.append(Chunk(content=text[at:a], raw_start=at))
        at = min(b, end)
    if at < end or not chunks:
        chunks.append(Chunk(content=text[at:end], raw_start=at))
    return tuple(chunks)


def _is_inside(spans: list[Span], position: int) -> bool:
    at = bisect_right(spans, position, key=itemgetter(0)) - 1
    return at >= 0 and position < spans[at][1]


def _is_prose(text: str) -> bool:
    """Say whether what stands before the first label is speech and not a heading: lines that end like sentences."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    total = sum(map(len, lines))
    prose = sum(len(line) for line in lines if line.rstrip("\"'”’)]").endswith((".", "!", "?", "…")))
    return bool(total) and prose >= _PROSE_SHARE * total and not text.isupper()


def _is_wall(text: str) -> bool:
    lines = [line for line in text.splitlines() if line.strip()]
    characters = sum(map(len, lines))
    if not lines:
        return False
    return (len(lines) <= 2 and characters > _WALL_CHARACTERS) or characters / len(lines) > _WALL_LINE
