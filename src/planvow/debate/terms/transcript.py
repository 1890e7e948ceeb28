"""A transcript as read: the text exactly as given, and its turns with a way back to every character.

A turn keeps two texts. Its `span` points at the raw words in `Transcript.text`; its `text` is what is left for
reading when time stamps, cue numbers, stage directions and line wraps are taken out. `raw_span` leads from the second
to the first, so whatever is found in the clean text is reported at its true place (seed 000, section 3).

In the clean text white space is one space, a paragraph end is one newline, and nothing else is changed.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

Span = tuple[int, int]

UNKNOWN_SPEAKER = "UNKNOWN"


@dataclass(frozen=True, kw_only=True)
class Piece:
    """A run of clean characters that stand in the same order, one for one, in the raw text."""

    clean_start: int
    raw_start: int
    length: int
    starts_cue: bool = False
    """True when mark-up of a subtitle or a data file lies between this piece and the one before."""
    raw_length: int | None = None
    """Set when the raw form is longer than the clean one (an escape in JSON, a collapsed run of spaces)."""

    @property
    def raw_end(self) -> int:
        return self.raw_start + (self.length if self.raw_length is None else self.raw_length)


@dataclass(frozen=True, kw_only=True)
class SpeakerTurn:
    """What one speaker says without another speaker coming between.

    >>> read_transcript("ANN: Taxes fell.").turns[0].text
    'Taxes fell.'
    """

    turn_index: int
    speaker: str
    """The label for showing, as the transcript has it."""
    speaker_key: str
    """The label for comparing: upper case, without titles (DR. SMITH and SMITH are one speaker)."""
    span: Span
    """Where the words of the turn stand in the raw text; the label is not part of it."""
    text: str
    """The clean words."""
    pieces: tuple[Piece, ...]
    start_ms: int | None = None
    end_ms: int | None = None
    boundary_confidence: float = 1.0
    """Below 1 when the reader guessed that a new speaker begins here."""
    is_preamble: bool = False
    """Headings, lists of participants and the like: kept, shown, and not argued from."""
    cue_times: tuple[tuple[int, int, int], ...] = field(default=(), repr=False)
    """(clean start, start_ms, end_ms) per subtitle cue or spoken segment."""

    @cached_property
    def _clean_starts(self) -> list[int]:
        return [piece.clean_start for piece in self.pieces]

    def raw_span(self, start: int, end: int) -> Span:
        """Return where the clean characters `start` to `end` stand in the raw text, mark-up between them included."""
        first, last = self._piece_at(start), self._piece_at(max(start, end - 1))
        return _raw_offset(first, start), _raw_end(last, end)

    def raw_runs(self, start: int, end: int) -> tuple[Span, ...]:
        """Return the raw runs of the clean characters `start` to `end`, cut where a cue's mark-up lies between."""
        runs: list[Span] = []
        for at in range(max(0, bisect_right(self._clean_starts, start) - 1), len(self.pieces)):
            piece = self.pieces[at]
            if piece.clean_start >= end:
                break
            a = max(start, piece.clean_start)
            b = min(end, piece.clean_start + piece.length)
            if a >= b:
                continue
            raw = (_raw_offset(piece, a), _raw_end(piece, b))
            if runs and not piece.starts_cue:
                runs[-1] = (runs[-1][0], raw[1])
            else:
                runs.append(raw)
        return tuple(runs)

    def local_span(self, start: int, end: int) -> Span:
        """Return the clean characters that stand in the raw text from `start` to `end`: the way back of `raw_span`."""
        inside = [piece for piece in self.pieces if piece.raw_start < end and start < piece.raw_end]
        if not inside:
            return (0, 0)
        first, last = inside[0], inside[-1]
        begin = first.clean_start + min(max(0, start - first.raw_start), first.length - 1)
        return begin, last.clean_start + min(last.length, max(1, end - last.raw_start))

    def time_at(self, position: int) -> Span | None:
        """Return (start_ms, end_ms) of the cue that holds a clean character, if times are known."""
        at = bisect_right(self.cue_times, (position, 1 << 62, 0)) - 1
        if at >= 0:
            return self.cue_times[at][1], self.cue_times[at][2]
        if self.start_ms is None:
            return None
        return self.start_ms, self.end_ms if self.end_ms is not None else self.start_ms

    def _piece_at(self, position: int) -> Piece:
        return self.pieces[max(0, bisect_right(self._clean_starts, position) - 1)]


def _raw_offset(piece: Piece, position: int) -> int:
    if piece.raw_length is not None:  # one clean character with a longer raw form
        return piece.raw_start if position <= piece.clean_start else piece.raw_end
    return piece.raw_start + min(max(0, position - piece.clean_start), piece.length)


def _raw_end(piece: Piece, position: int) -> int:
    return piece.raw_end if piece.raw_length is not None else _raw_offset(piece, position)


@dataclass(frozen=True, kw_only=True)
class Transcript:
    """The decoded input exactly as given, and the turns that were found in it.

    >>> transcript = read_transcript("ANN: Taxes fell by ten percent in 2019.\\nBOB: They rose.")
    >>> [turn.speaker for turn in transcript.turns]
    ['ANN', 'BOB']
    """

    transcript_id: str
    text: str
    turns: tuple[SpeakerTurn, ...]
    source_format: str
    """text, unlabelled, wall, rev, html, srt, vtt, assemblyai, deepgram, whisper, pyannote or utterances."""
    encoding: str = "utf-8"
    notes: tuple[str, ...] = ()
    """What the reader wants a person to know: guessed speakers, skipped cues, replaced bytes."""

    @property
    def speakers(self) -> Sequence[str]:
        """The display labels, in order of first appearance."""
        return list(dict.fromkeys(turn.speaker for turn in self.turns))
