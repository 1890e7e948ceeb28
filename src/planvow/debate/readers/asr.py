"""The JSON of speech recognisers and diarisers, and plain lists of utterances.

| source | shape | times |
|---|---|---|
| AssemblyAI | `{"utterances": [{"speaker", "text", "start", "end"}]}` | milliseconds |
| Deepgram | `{"results": {"utterances": [{"speaker", "transcript", …}]}}`, or paragraphs, or words | seconds |
| Whisper, WhisperX | `{"segments": [{"text", "start", "end", "speaker"?}]}` | seconds |
| pyannote | turns with `speaker`, `start`, `end` and, after transcription, `text` | seconds |
| a list | `[{"speaker", "text", "start"?, "end"?}]` | milliseconds, or seconds when fractional |
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from planvow.debate.errors import TranscriptError
from planvow.debate.readers.assemble import Utterance, merge_cues
from planvow.debate.readers.placed_json import PlacedText, parse_placed
from planvow.debate.readers.wall import guess_turns

Record = dict[str, Any]
"""One JSON object of a transcript."""

_SURROGATE = re.compile("[\ud800-\udfff]")  # half of a pair, written as an escape: no character
_TEXT_KEYS = ("text", "transcript", "utterance", "content", "punctuated_word", "word")
_SPEAKER_KEYS = ("speaker", "speaker_label", "speaker_id", "name", "label")
_LIST_KEYS = ("utterances", "turns", "segments", "transcript", "monologues", "items", "entries")


class AsrReading(NamedTuple):
    source_format: str
    utterances: list[Utterance]
    notes: tuple[str, ...] = ()


def read_asr(text: str) -> AsrReading:
    """Read a JSON transcript, whichever recogniser wrote it."""
    document = parse_placed(text)
    for source_format, find in _SHAPES:
        found = find(document)
        if found:
            return _reading(source_format, found)
    raise TranscriptError(
        "this JSON has no words planvow knows how to find",
        hint='expected a list of {"speaker": …, "text": …}, or the output of AssemblyAI, Deepgram, Whisper or pyannote',
    )


def _reading(source_format: str, records: list[Record]) -> AsrReading:
    if not any(_text_of(record) for record in records):
        raise TranscriptError(
            "this JSON says who spoke when, but not what was said",
            hint="join the diarisation with a transcription first, as WhisperX does",
        )
    scale = _milliseconds_per_unit(source_format, records)
    cues: list[Utterance] = []
    skipped = 0
    for record in records:
        words = _text_of(record)
        if not words:
            skipped += 1
            continue
        start_ms, end_ms = _time(record, "start", scale), _time(record, "end", scale)
        cues.append(
            Utterance(
                speaker=_speaker_of(record),
                chunks=tuple(word.chunk(start_ms=start_ms, end_ms=end_ms) for word in words),
                start_ms=start_ms,
                end_ms=end_ms,
            )
        )
    notes = (f"{skipped} entries without words were skipped",) if skipped else ()
    if not any(cue.speaker for cue in cues):
        starts = frozenset(first for first, _ in guess_turns([cue.chunks[0].content.strip() for cue in cues]))
        notes = (*notes, "no speakers are named; where turns begin is a guess")
        return AsrReading(source_format, merge_cues(cues, starts), notes)
    keeps_turns = source_format in ("assemblyai", "utterances", "pyannote")
    return AsrReading(source_format, cues if keeps_turns else merge_cues(cues), notes)


def _assemblyai(document: Any) -> list[Record]:
    return _records(_get(document, "utterances"))


def _deepgram(document: Any) -> list[Record]:
    results = _get(document, "results")
    utterances = _records(_get(results, "utterances"))
    if utterances:
        return utterances
    found: list[Record] = []
    for channel in _records(_get(results, "channels")):
        for best in _records(_get(channel, "alternatives"))[:1]:
            found += _paragraphs(best) or _by_speaker(_records(_get(best, "words"))) or [best]
    return found


def _paragraphs(alternative: Any) -> list[Record]:
    return [
        {**sentence, "speaker": paragraph.get("speaker", sentence.get("speaker"))}
        for paragraph in _records(_get(_get(alternative, "paragraphs"), "paragraphs"))
        for sentence in _records(_get(paragraph, "sentences"))
    ]


def _by_speaker(words: list[Record]) -> list[Record]:
    """Words with speakers, joined while the speaker stays the same. Cues are merged later, so each word is a record."""
    return [word for word in words if _text_of(word)]


def _whisper(document: Any) -> list[Record]:
    segments = _records(_get(document, "segments"))
    if segments:
        return segments
    return []


def _pyannote(document: Any) -> list[Record]:
    for holder in (document, _get(document, "output")):
        for key in ("turnLevelTranscription", "exclusiveDiarization", "diarization"):
            records = _records(_get(holder, key))
            if records:
                return records
    return []


def _plain(document: Any) -> list[Record]:
    records = _records(document)
    for key in _LIST_KEYS:
        records = records or _records(_get(document, key))
    if records and all("elements" in record for record in records):
        return [
            {"speaker": record.get("speaker"), "text": element.get("value"), "start": element.get("ts")}
            for record in records
            for element in _records(record["elements"])
            if element.get("type") == "text"
        ]
    if not records and isinstance(document, dict) and _text_of(document):
        return [document]
    return records


_SHAPES: tuple[tuple[str, Callable[[Any], list[Record]]], ...] = (
    ("assemblyai", _assemblyai),
    ("deepgram", _deepgram),
    ("pyannote", _pyannote),
    ("whisper", _whisper),
    ("utterances", _plain),
)


def _get(value: Any, key: str) -> Any:
    return value.get(key) if isinstance(value, dict) else None


def _records(value: Any) -> list[Record]:
    return [record for record in value if isinstance(record, dict)] if isinstance(value, list) else []


def _text_of(record: Record) -> list[PlacedText]:
    for key in _TEXT_KEYS:
        value = record.get(key)
        if isinstance(value, PlacedText) and value.strip():
            return [value]
    return []


def _speaker_of(record: Record) -> str | None:
    for key in _SPEAKER_KEYS:
        value = record.get(key)
        if isinstance(value, dict):
            value = value.get("name") or value.get("id")
        if isinstance(value, bool) or value is None:
            continue
        if isinstance(value, int):
            return f"SPEAKER_{value}"
        name = _SURROGATE.sub("\ufffd", str(value)).strip()
        if name:
            return f"SPEAKER_{name}" if len(name) == 1 else name
    return None


def _milliseconds_per_unit(source_format: str, records: Iterable[Record]) -> float:
    if source_format == "assemblyai":
        return 1
    if source_format in ("deepgram", "whisper", "pyannote"):
        return 1000
    fractional = any(isinstance(record.get(key), float) for record in records for key in ("start", "end"))
    return 1000 if fractional else 1


def _time(record: Record, edge: str, scale: float) -> int | None:
    for key, unit in ((f"{edge}_ms", 1.0), (edge, scale), (f"{edge}_time", 1000.0), (f"{edge}Time", 1000.0)):
        value = record.get(key)
        if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 1e12:
            return round(value * unit)
    return None
