"""SubRip (.srt) and WebVTT (.vtt): cues with times, speakers where a cue names them.

A damaged cue costs itself and no more: whatever has a readable time line is read, the rest is counted in the notes.
Cue numbers, time lines, settings, styles and notes never become words.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from planvow.debate.errors import TranscriptError
from planvow.debate.readers.assemble import Utterance, merge_cues
from planvow.debate.readers.clean import Chunk, parse_clock
from planvow.debate.readers.labels import find_labels
from planvow.debate.readers.wall import guess_turns

_CLOCK = r"(?:\d{1,3}:)?\d{1,2}:\d{2}[.,]\d{1,3}"
TIME_LINE = re.compile(
    rf"^[ \t\ufeff]*(?P<start>{_CLOCK})[ \t]*-->[ \t]*(?P<end>{_CLOCK})(?P<settings>[^\n\r]*)\r?$", re.M
)
_ARROW_LINE = re.compile(r"^[^\n]*-->[^\n]*$", re.M)
_COUNTER_BEFORE = re.compile(r"(?:(?<=\n)|\A)[ \t\ufeff]*[^\n]*(?:\r?\n)\Z")
_NOT_CUES = re.compile(r"(?:\n[ \t]*){1,}(?:NOTE|STYLE|REGION)\b.*\Z", re.S)
_VOICE = re.compile(r"^\s*<v(?:\.[^\s>]*)?\s+(?P<name>[^>]+)>", re.I)
_DASH = re.compile(r"(?:(?<=\n)|\A)[ \t]*[-–—][ \t]*")


class SubtitleReading(NamedTuple):
    source_format: str
    utterances: list[Utterance]
    notes: tuple[str, ...] = ()


def looks_like_subtitles(text: str) -> bool:
    """Say whether a text is a subtitle file: a WEBVTT header, or a cue's time line near the top."""
    head = text[:4000].lstrip("\ufeff \t\r\n")
    return head.startswith("WEBVTT") or TIME_LINE.search(text, 0, 4000) is not None


def read_subtitles(text: str) -> SubtitleReading:
    """Read the cues of a subtitle file."""
    source_format = "vtt" if text.lstrip("\ufeff \t\r\n").startswith("WEBVTT") else "srt"
    times = list(TIME_LINE.finditer(text))
    if not times:
        raise TranscriptError(
            f"a {source_format} file needs time lines such as 00:00:01,000 --> 00:00:04,000; none was found",
            hint="check the file, or remove the extension to read it as plain text",
        )
    damaged = len(_ARROW_LINE.findall(text)) - len(times)
    cues: list[Utterance] = []
    speaker: str | None = None
    for match, following in zip(times, [*times[1:], None]):
        end = _words_end(text, match.end(), following.start() if following else len(text), is_last=following is None)
        for cue in _cue(text, match, end, speaker):
            speaker = cue.speaker
            cues.append(cue)
    notes = (f"{damaged} damaged time lines were skipped",) if damaged else ()
    if any(cue.speaker for cue in cues):
        return SubtitleReading(source_format, merge_cues(cues), notes)
    texts = [" ".join(cue.chunks[0].content.split()) for cue in cues]
    starts = frozenset(first for first, _ in guess_turns(texts))
    notes = (*notes, "no speakers are named; where turns begin is a guess")
    return SubtitleReading(source_format, merge_cues(cues, starts), notes)


def _words_end(text: str, start: int, end: int, *, is_last: bool) -> int:
    """Where a cue's words end: before the next cue's number or name, and before a NOTE or STYLE block."""
    body = text[start:end]
    if not is_last:
        stripped = body.rstrip("\r\n \t")
        line = stripped.rfind("\n") + 1
        candidate = stripped[line:].strip()
        before = stripped[:line]
        # The line right above a time line is its number or name, if a blank line (or nothing else) precedes it.
        if candidate.isdigit() or (before.strip() and re.search(r"\n[ \t]*\r?\n[ \t\r]*\Z", before)):
            body = before
    return start + len(_NOT_CUES.sub("", body))


def _cue(text: str, time_line: re.Match[str], end: int, speaker: str | None) -> list[Utterance]:
    """The utterances of one cue: usually one, more when several speakers share it."""
    start_ms, end_ms = parse_clock(time_line["start"]), parse_clock(time_line["end"])
    start = time_line.end()
    body = text[start:end]
    voice = _VOICE.search(body)
    if voice:
        speaker = voice["name"].strip()
        start += voice.end()
        body = text[start:end]
    labels = find_labels(body)
    places = [(0, 0, speaker), *((label.line_start, label.words_start, label.name) for label in labels)]
    utterances = []
    for number, (_, words_start, name) in enumerate(places):
        words_end = places[number + 1][0] if number + 1 < len(places) else len(body)
        words = body[words_start:words_end]
        dash = _DASH.match(words.lstrip("\r\n")) if words else None
        skip = len(words) - len(words.lstrip("\r\n")) + dash.end() if dash else 0
        if words[skip:].strip():
            chunk = Chunk(
                content=words[skip:],
                raw_start=start + words_start + skip,
                starts_cue=True,
                has_tags=True,
                start_ms=start_ms,
                end_ms=end_ms,
            )
            utterances.append(Utterance(speaker=name, chunks=(chunk,), start_ms=start_ms, end_ms=end_ms))
    return utterances
