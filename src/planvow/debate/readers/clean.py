"""From raw characters to clean words, with the way back.

What is taken out: white space beyond one space, control characters, clock stamps, stage directions, what is sung, and
what a messenger says in place of a picture.
What is never taken out: brackets with content, such as "(15% of GDP)". Each clean character knows its raw place
through the pieces that are built on the way (spec/000 section 2, cleaning).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field

from planvow.debate.readers.naming.clock import CLOCK, parse_clock
from planvow.debate.terms.transcript import Piece, Span
from planvow.debate.words.wordsets import word_set

_BLANK = r"\s\ufeff\x00-\x08\x0e-\x1f\x7f\ud800-\udfff"  # white space, and what nobody speaks: controls, half pairs
_NOISE = re.compile(
    rf"""(?P<space>[{_BLANK}]+)
    |(?P<stamp>[\[(]\s*{CLOCK}\s*[\])]|(?<![\d:.])\d{{1,3}}:[0-5]\d:[0-5]\d(?:[.,]\d{{1,3}})?(?![\d:]))
    |(?P<aside>\((?P<round>[^()\n]{{1,80}})\)|\[(?P<square>[^\[\]\n]{{1,80}})\])
    |(?P<left_out>\u200e?<(?:attached:|\w+\ omitted|This\ message\ was)[^<>\n]{{0,80}}>)
    |(?P<music>[♪♫]+(?:[ \t]*[^\s♪♫][^♪♫]{{0,200}}[♪♫]+)?)""",
    re.VERBOSE,
)
_SPACE = re.compile(rf"[{_BLANK}]+")
_LINE_STAMP = re.compile(rf"(?:^|(?<=\n))[ \t]*(?P<clock>{CLOCK})(?=[ \t]*(?:\n|$|[A-Z\"“]))")
_STAGE_WORDS = word_set(
    """
    applause laughter laughs laughing chuckles chuckle crosstalk inaudible unintelligible indiscernible
    music pause paused silence cheers cheering cheer boos booing boo gavel bell buzzer sighs sigh coughs
    cough clears throat interruption interrupting commercial break video audio clip foreign speaking
    overlapping off-mic phonetic ph sic audience
    """
)
_MAX_STAGE_WORDS = 3
_CLOSING_MARKS = frozenset(".,;:!?")


def is_stage_direction(content: str) -> bool:
    """Say whether the words between brackets direct the stage: a known one, or one to three words without digits."""
    words = re.sub(CLOCK, " ", content).replace("/", " ").split()
    plain = [word.strip(".,;:!?'\"-–—…").lower() for word in words]
    if any(character.isdigit() for word in plain for character in word):
        return False
    return any(word in _STAGE_WORDS for word in plain) or len(words) <= _MAX_STAGE_WORDS


@dataclass(frozen=True, kw_only=True)
class Chunk:
    """A stretch of input that holds words of one turn."""

    content: str
    raw_start: int
    escapes: tuple[tuple[int, int, int], ...] = ()
    """(content position, raw start, raw length) of single characters whose raw form is longer, as in JSON."""
    starts_cue: bool = False
    start_ms: int | None = None
    end_ms: int | None = None


@dataclass(kw_only=True)
class CleanWords:
    """What is left of the chunks of one turn, and how to get back."""

    text: str = ""
    pieces: list[Piece] = field(default_factory=list)
    cue_times: list[tuple[int, int, int]] = field(default_factory=list)
    """(clean start, start_ms, end_ms)"""

    @property
    def raw_span(self) -> Span | None:
        return (self.pieces[0].raw_start, self.pieces[-1].raw_end) if self.pieces else None


def clean(chunks: Iterable[Chunk]) -> CleanWords:
    """Clean the chunks of one turn."""
    builder = _Builder()
    for chunk in chunks:
        builder.add(chunk)
    return builder.finish()


class _Builder:
    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self._words = CleanWords()
        self._gap = False  # whether anything was taken out since the last word
        self._gap_ends_paragraph = False
        self._new_cue = False

    def add(self, chunk: Chunk) -> None:
        self._gap = True  # chunks are never joined without a space
        self._new_cue = self._new_cue or chunk.starts_cue
        self._gap_ends_paragraph = (
            self._gap_ends_paragraph and not chunk.starts_cue
        )  # blank lines between cues are form
        if chunk.start_ms is not None:
            self._note_time(chunk.start_ms, chunk.start_ms if chunk.end_ms is None else chunk.end_ms)
        content, to_raw = chunk.content, _RawPlaces(chunk)
        at = 0
        for start, end, time_ms, paragraph in _noise(content):
            if start < at or (end - start == 1 and content[start] == " " and start > at):
                continue  # inside something already taken out, or a single space between words
            self._keep(content, at, start, to_raw)
            self._gap = True
            self._gap_ends_paragraph = self._gap_ends_paragraph or paragraph
            if time_ms is not None:
                self._note_time(time_ms, time_ms)
            at = end
        self._keep(content, at, len(content), to_raw)

    def _note_time(self, start_ms: int, end_ms: int) -> None:
        times = self._words.cue_times
        if times and times[-1][0] == self._length:  # nothing was said since the last stamp
            times.pop()
        times.append((self._length, start_ms, end_ms))

    def _keep(self, content: str, start: int, end: int, to_raw: _RawPlaces) -> None:
        kept = content[start:end].rstrip(" ")
        if not kept:
            return
        end = start + len(kept)
        self._close_gap(kept[0], to_raw(start))
        for a, b in to_raw.straight_runs(start, end):
            raw_length = to_raw.end(b) - to_raw(a)
            self._push(content[a:b], to_raw(a), None if raw_length == b - a else raw_length)

    def _close_gap(self, following: str, raw_next: int) -> None:
        gap, paragraph = self._gap, self._gap_ends_paragraph
        self._gap = self._gap_ends_paragraph = False
        if not gap or not self._length or (following in _CLOSING_MARKS and not paragraph):
            return
        raw_start = self._words.pieces[-1].raw_end
        self._push("\n" if paragraph else " ", raw_start, 0 if self._new_cue else raw_next - raw_start)

    def _push(self, text: str, raw_start: int, raw_length: int | None) -> None:
        is_word = bool(text.strip())
        self._words.pieces.append(
            Piece(
                clean_start=self._length,
                raw_start=raw_start,
                length=len(text),
                starts_cue=self._new_cue and is_word and self._length > 0,
                raw_length=raw_length,
            )
        )
        if is_word:
            self._new_cue = False
        self._parts.append(text)
        self._length += len(text)

    def finish(self) -> CleanWords:
        self._words.text = "".join(self._parts)
        return self._words


class _RawPlaces:
    """Where the characters of one chunk stand in the raw text."""

    def __init__(self, chunk: Chunk) -> None:
        self._raw_start = chunk.raw_start
        self._positions = [position for position, _, _ in chunk.escapes]
        self._escapes = chunk.escapes

    def __call__(self, position: int) -> int:
        at = bisect_right(self._positions, position) - 1
        if at < 0:
            return self._raw_start + position
        escaped, raw_start, raw_length = self._escapes[at]
        return raw_start if position == escaped else raw_start + raw_length + (position - escaped - 1)

    def end(self, position: int) -> int:
        """The raw end of the characters before `position`."""
        if position == 0:
            return self._raw_start
        at = bisect_right(self._positions, position - 1) - 1
        if at >= 0 and self._escapes[at][0] == position - 1:
            return self._escapes[at][1] + self._escapes[at][2]
        return self(position - 1) + 1

    def straight_runs(self, start: int, end: int) -> Iterable[Span]:
        """Cut a range at escapes, each escape a run of its own."""
        at = start
        for position in self._positions[bisect_right(self._positions, start - 1) :]:
            if position >= end:
                break
            if position > at:
                yield at, position
            yield position, position + 1
            at = position + 1
        if at < end:
            yield at, end


def _noise(content: str) -> list[tuple[int, int, int | None, bool]]:
    """Return (start, end, time, ends a paragraph) of everything that is not words, in order."""
    found: list[tuple[int, int, int | None, bool]] = []
    for match in _NOISE.finditer(content):
        start, end = match.span()
        if match["space"]:
            found.append((start, end, None, _blank_line(match.group())))
        elif match["aside"]:
            inside = match["round"] or match["square"]
            if is_stage_direction(inside):
                found.append((start, end, parse_clock(inside), False))
            else:  # content: but white space inside it still counts
                found += [(start + s.start(), start + s.end(), None, False) for s in _SPACE.finditer(match.group())]
        else:
            found.append((start, end, parse_clock(match.group()) if match["stamp"] else None, False))
    stamps = [(*m.span("clock"), parse_clock(m["clock"]), False) for m in _LINE_STAMP.finditer(content)]
    return sorted(found + stamps) if stamps else found  # two kinds of noise, one reading order


def _blank_line(space: str) -> bool:
    return len(space) > 1 and space.replace("\r\n", "\n").replace("\r", "\n").count("\n") > 1
