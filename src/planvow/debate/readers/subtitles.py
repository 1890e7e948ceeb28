"""SubRip (.srt) and WebVTT (.vtt): cues with times, speakers where a cue names them.

A damaged time line costs its times and no more: the words below it are read, and the notes count the damage. Cue
numbers, time lines, settings, styles and notes never become words, and what rolls on from cue to cue is read once. A
change of speaker that is marked and not named (">>", a dash) begins a turn of somebody unknown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import accumulate
from typing import NamedTuple

from planvow.debate.errors import TranscriptError
from planvow.debate.readers.assemble import Utterance, merge_cues
from planvow.debate.readers.clean import Chunk
from planvow.debate.readers.markup import PlainWords, cue_words
from planvow.debate.readers.naming.clock import parse_clock
from planvow.debate.readers.naming.find import cue_labels
from planvow.debate.readers.wall import guess_turns

_CLOCK = r"(?:\d{1,3}:)?\d{1,2}:\d{2}(?:[.,:]\d{1,3})?"
_TIME_LINE = re.compile(rf"^[ \t\ufeff]*{_CLOCK}[ \t]*-->[ \t]*{_CLOCK}(?=[ \t\r\n]|\Z)", re.M)
_ARROW_LINE = re.compile(  # a time line, or what is left of one
    r"^[ \t\ufeff]*+(?:(?P<start>\d+:[\d:.,]*)[ \t]*(?:[-–—]{1,3}[ \t]?>|→)|[^\n]*?-->)(?P<end>[^\n]*)$",
    re.M,
)
_NOT_CUES = re.compile(r"^(?:NOTE|STYLE|REGION)(?=[ \t\r\n]|\Z)", re.M)
_BLANK_LINE_BEFORE = re.compile(r"\n[ \t]*\r?\n[ \t\r]*\Z")
_DASH = re.compile(r"^[ \t]*[-–—](?![-–—])[ \t]*(?=[^\s\d])", re.M)
_LEAST_REPEATS = 2
_ROLLING_SHARE = 0.5  # of the cues begin with lines of the one before


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
    cues = []
    for match, following in zip(times, [*times[1:], None]):
        following_start = following.start() if following else len(text)
        end = _words_end(text, match.end(), following_start, is_last=following is None, has_blocks=has_blocks)
        cues.append(_cue(text, match, end))
    cues, repeated = _said_once(cues)
    notes = [f"{damaged} damaged time lines; the words below them are kept"] if damaged else []
    if lost := _words_before(text, times[0].start(), has_blocks=has_blocks):
        notes.append(f"{lost} words before the first time line are not part of a cue and were left out")
    if repeated:
        notes.append(f"lines that roll on from the cue before and were read once: {repeated}")
    utterances, starts = _spoken(cues)
    if not starts and not any(utterance.speaker for utterance in utterances):
        texts = [" ".join(utterance.chunks[0].content.split()) for utterance in utterances]
        starts = frozenset(first for first, _ in guess_turns(texts))
        notes.append("no speakers are named; where turns begin is a guess")
    elif starts:
        notes.append(f"marked changes of speaker without a name: {len(starts)}; who speaks there is unknown")
    return SubtitleReading(source_format, merge_cues(utterances, starts), tuple(notes))


def _spoken(cues: list[_Cue]) -> tuple[list[Utterance], frozenset[int]]:
    """All utterances, and the indices of those that begin a turn of somebody unnamed."""
    utterances: list[Utterance] = []
    starts: set[int] = set()
    speaker: str | None = None
    for cue in cues:
        for utterance, begins in _utterances(cue, speaker):
            if begins:
                starts.add(len(utterances))
            speaker = utterance.speaker
            utterances.append(utterance)
    return utterances, frozenset(starts)


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


class _Cue(NamedTuple):
    """One cue: its times, its words, the voices marked in it, and where what is new in it begins."""

    start_ms: int | None
    end_ms: int | None
    words: PlainWords
    voices: list[tuple[int, str]]
    begin: int = 0


class _Mark(NamedTuple):
    """A place in a cue from which somebody speaks."""

    at: int
    words_start: int
    speaker: str | None
    is_change: bool = True


def _cue(text: str, time_line: re.Match[str], end: int) -> _Cue:
    start_ms = parse_clock(time_line["start"] or "")
    end_ms = None if start_ms is None else parse_clock(time_line["end"])
    words, voices = cue_words(text[time_line.end() : end], time_line.end())
    return _Cue(start_ms, end_ms, words, voices)


def _said_once(cues: list[_Cue]) -> tuple[list[_Cue], int]:
    """Leave out lines that a cue repeats from the one before, where that is how the file rolls; count them."""
    lines = [_lines(cue.words.text) for cue in cues]
    before: list[str] = []
    repeats: list[int] = []
    for own in lines:
        said = [line for _, line in own]
        sizes = range(min(len(before), len(said)), 0, -1)
        repeats.append(next((size for size in sizes if before[-size:] == said[:size]), 0))
        before = said or before
    rolling = sum(map(bool, repeats))
    if rolling < _LEAST_REPEATS or rolling < _ROLLING_SHARE * (len(cues) - 1):
        return cues, 0  # people say a thing twice, too
    kept = [cue._replace(begin=own[n - 1][0] if n else 0) for cue, own, n in zip(cues, lines, repeats)]
    return kept, sum(repeats)


def _lines(text: str) -> list[tuple[int, str]]:
    """(end, words) of the lines that have any."""
    ends = accumulate(map(len, text.splitlines(keepends=True)))
    return [(end, said) for end, line in zip(ends, text.splitlines()) if (said := " ".join(line.split()))]


def _marks(cue: _Cue) -> list[_Mark]:
    """Where in what is new somebody else begins: a voice, a label, ">>" or a dash in front of a line."""
    text, begin = cue.words.text[cue.begin :], cue.begin
    found = [_Mark(at, at, name) for at, name in cue.voices if at >= begin]
    found += [_Mark(begin + label.line_start, begin + label.words_start, label.name) for label in cue_labels(text)]
    dashes = [
        dash for dash in _DASH.finditer(text) if not any(m.at <= begin + dash.start() < m.words_start for m in found)
    ]
    for dash in dashes:
        is_change = len(dashes) > 1 or not text[dash.end()].islower()  # "- and so on" goes on
        found.append(_Mark(begin + dash.start(), begin + dash.end(), None, is_change))
    return sorted(found, key=lambda mark: (mark.at, mark.words_start))


def _utterances(cue: _Cue, speaker: str | None) -> Iterator[tuple[Utterance, bool]]:
    """The utterances of one cue, and whether each begins a turn by its mark alone."""
    text = cue.words.text
    marks = [_Mark(cue.begin, cue.begin, speaker, is_change=False), *_marks(cue)]
    for mark, following in zip(marks, [*marks[1:], None]):
        speaker = mark.speaker if mark.is_change else speaker
        content = text[mark.words_start : following.at if following else len(text)]
        if not content.strip():
            continue
        chunk = Chunk(
            content=content, raw_start=mark.words_start, starts_cue=True, start_ms=cue.start_ms, end_ms=cue.end_ms
        )
        chunks = (cue.words.placed(chunk),)
        utterance = Utterance(speaker=speaker, chunks=chunks, start_ms=cue.start_ms, end_ms=cue.end_ms)
        yield utterance, mark.is_change and speaker is None
