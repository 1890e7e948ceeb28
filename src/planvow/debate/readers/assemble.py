"""From utterances to numbered turns: clean words, raw span, speaker key, times."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from planvow.debate.readers.clean import Chunk, clean
from planvow.debate.readers.naming.speakers import speaker_keys
from planvow.debate.terms.transcript import UNKNOWN_SPEAKER, SpeakerTurn


@dataclass(frozen=True, kw_only=True)
class Utterance:
    """What a reader found: a speaker, if named, and where the words are."""

    speaker: str | None
    chunks: tuple[Chunk, ...]
    start_ms: int | None = None
    end_ms: int | None = None
    confidence: float = 1.0
    is_preamble: bool = False
    keep_if_empty: bool = False
    """A labelled turn is a turn even when only a stage direction follows."""


def assemble_turns(utterances: Iterable[Utterance]) -> tuple[SpeakerTurn, ...]:
    """Clean every utterance and number the turns; utterances without words are left out unless labelled."""
    spoken = list(utterances)
    keys = speaker_keys(u.speaker for u in spoken if u.speaker)
    turns: list[SpeakerTurn] = []
    for utterance in spoken:
        words = clean(utterance.chunks)
        span = words.raw_span
        if span is None:
            if not utterance.keep_if_empty:
                continue
            at = utterance.chunks[0].raw_start if utterance.chunks else 0
            span = (at, at)
        times = words.cue_times
        start_ms = utterance.start_ms if utterance.start_ms is not None else (times[0][1] if times else None)
        end_ms = utterance.end_ms if utterance.end_ms is not None else (times[-1][2] if times else None)
        turns.append(
            SpeakerTurn(
                turn_index=len(turns),
                speaker=utterance.speaker or UNKNOWN_SPEAKER,
                speaker_key=keys[utterance.speaker] if utterance.speaker else UNKNOWN_SPEAKER,
                span=span,
                text=words.text,
                pieces=tuple(words.pieces),
                start_ms=start_ms,
                end_ms=end_ms,
                boundary_confidence=utterance.confidence,
                is_preamble=utterance.is_preamble,
                cue_times=tuple(times),
            )
        )
    return tuple(turns)


def merge_cues(cues: Sequence[Utterance], starts: frozenset[int] = frozenset()) -> list[Utterance]:
    """Join cues that follow each other in one speaker's mouth; a cue whose index is in `starts` begins a new turn."""
    groups: list[list[Utterance]] = []
    for index, cue in enumerate(cues):
        if groups and groups[-1][-1].speaker == cue.speaker and index not in starts:
            groups[-1].append(cue)
        else:
            groups.append([cue])
    return [
        Utterance(
            speaker=group[0].speaker,
            chunks=tuple(chunk for cue in group for chunk in cue.chunks),
            start_ms=group[0].start_ms,
            end_ms=group[-1].end_ms,
            confidence=group[0].confidence,
        )
        for group in groups
    ]
