"""SubRip (.srt) and WebVTT (.vtt): cues with times, speakers where a cue names them.

A damaged time line costs its times and no more: the words below it are read, and the notes count the damage. Cue
numbers, time lines, settings, styles and notes never become words.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from planvow.debate.errors import TranscriptError
from planvow.debate.readers.assemble import Utterance, merge_cues
from planvow.debate.readers.clean import Chunk, parse_clock
from planvow.debate.readers.labels import find_labels
from planvow.debate.readers.wall import guess_turns

_CLOCK = r"(?:\d{1,3}:)?\d{1,2}:\d{2}(?:[.,:]\d{1,3})?"
_TIME_LINE = re.compile(rf"^[ \t\ufeff]*{_CLOCK}[ \t]*-->[ \t]*{_CLOCK}(?=[ \t\r\n]|\Z)", re.M)
_ARROW_LINE = re.compile(  # a time line, or what is left of one
    r"^[ \t\ufeff]*+(?:(?P<start>\d+:[\d:.,]*)[ \t]*(?:[-–—]{1,3}[ \t]?>|→)|[^\n]*?-->)(?P<end>[^\n]*)$",
    re.M,
)
_NOT_CUES = re.compile(r"^(?:NOTE|STYLE|REGION)(?=[ \t\r\n]|\Z)", re.M)
_BLANK_LINE_BEFORE = re.compile(r"\n[ \t]*\r?\n[ \t\r]*\Z")
_VOICE = re.compile(r"^\s*<v(?:\.[^\s>]*)?\s+(?P<name>[^>]+)>", re.I)
_DASH = re.compile(r"(?:(?<=\n)|\A)[ \t]*[-–—][ \t]*")


class SubtitleReading(NamedTuple):
    source_format: str
    utterances: list[Utterance]
    notes: tuple[str, ...] = ()


def looks_like_subtitles(text: str) -> bool:
    """Say whether a text is a subtitle file: a WEBVTT header, or a cue's time line near the top."""
    head = text[:4000].lstrip("\ufeff \t\r\n")
    return head.startswith("WEBVTT") or _TIME_LINE.search(text, 0, 4000) is not None


def read_subtitles(text: str) -> SubtitleReading:
    """Read the cues of a subtitle file."""
    source_format = "vtt" if text.lstrip("\ufeff \t\r\n").startswith("WEBVTT") else "srt"
    times = list(_ARROW_LINE.finditer(text))
    damaged = sum(_TIME_LINE.match(text, line.start()) is None for line in times)
    if damaged == len(times):
        raise TranscriptError(
            f"a {source_format} file needs time lines such as 00:00:01,000 --> 00:00:04,000; none was found",
            hint="check the file, or remove the extension to read it as plain text",
        )
    has_blocks = source_format == "vtt"
    cues: list[Utterance] = []
    speaker: str | None = None
    for match, following in zip(times, [*times[1:], None]):
        following_start = following.start() if following else len(text)
        end = _words_end(text, match.end(), following_start, is_last=following is None, has_blocks=has_blocks)
        for cue in _cue(text, match, end, speaker):
            speaker = cue.speaker
            cues.append(cue)
    notes = (f"{damaged} damaged time lines; the words below them are kept",) if damaged else ()
    lost = _words_before(text, times[0].start(), has_blocks=has_blocks)
    if lost:
        notes = (*notes, f"{lost} words before the first time line are not part of a cue and were left out")
    if any(cue.speaker for cue in cues):
        return SubtitleReading(source_format, merge_cues(cues), notes)
    texts = [" ".join(cue.chunks[0].content.split()) for cue in cues]
    starts = frozenset(first for first, _ in guess_turns(texts))
    notes = (*notes, "no speakers are named; where turns begin is a guess")
    return SubtitleReading(source_format, merge_cues(cues, starts), notes)


def _words_before(text: str, end: int, *, has_blocks: bool) -> int:
    """Count the words that stand before all cues and are neither a header, nor a block, nor a cue's number or name."""
    blocks = [block.split() for block in re.split(r"\n[ \t\r]*\n", text[:end].replace("\r\n", "\n").lstrip("\ufeff"))]
    form = ("WEBVTT", "NOTE", "STYLE", "REGION") if has_blocks else ()
    spoken = [words for words in blocks[:-1] if words and words[0].strip("\ufeff") not in form]
    return sum(map(len, spoken))


def _words_end(text: str, start: int, end: int, *, is_last: bool, has_blocks: bool) -> int:
    """Where a cue's words end: before the next cue's number or name, and before a NOTE or STYLE block of WebVTT."""
    body = text[start:end]
    if not is_last:
        stripped = body.rstrip("\r\n \t")
        line = stripped.rfind("\n") + 1
        candidate = stripped[line:].strip()
        before = stripped[:line]
        # The line right above a time line is its number or name, if a blank line (or nothing else) precedes it.
        if candidate.isdigit() or (before.strip() and _BLANK_LINE_BEFORE.search(before, max(0, len(before) - 100))):
            body = before
    for block in _NOT_CUES.finditer(body) if has_blocks else ():
        if _BLANK_LINE_BEFORE.search(body, max(0, block.start() - 100), block.start()):
            return start + block.start()
    return start + len(body)


def _cue(text: str, time_line: re.Match[str], end: int, speaker: str | None) -> list[Utterance]:
    """The utterances of one cue: usually one, more when several speakers share it."""
    start_ms = parse_clock(time_line["start"] or "")
    end_ms = None if start_ms is None else parse_clock(time_line["end"])
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
