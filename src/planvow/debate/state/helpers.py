"""Helpers that are passed in, never imported: a model that may be asked, a fact-checker, the readings of a back-end.

All are optional. Without them an analysis makes no call to anything outside (spec/000 section 2, helper protocols).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

from planvow.debate.artifacts.fact_check import FactStatus
from planvow.debate.terms.language import Language, RelationReading, TurnReading
from planvow.debate.terms.transcript import Transcript


class Classification(NamedTuple):
    """What a model says about a claim's type."""

    claim_type: str
    confidence: float
    reasoning: str
    tokens: int = 0


class Referent(NamedTuple):
    """What a model says a reference points to: one of the candidates given, or None."""

    referent: str | None
    confidence: float
    tokens: int = 0


class Assistant(Protocol):
    """A model that may be asked when rules cannot tell."""

    def classify_claim(self, text: str) -> Classification: ...

    def resolve_reference(self, surface: str, candidates: Sequence[str], context: str) -> Referent: ...


class FactVerdict(NamedTuple):
    """What a fact-checker answers."""

    status: FactStatus
    confidence: float
    summary: str = ""
    sources: tuple[str, ...] = ()
    urls: tuple[str, ...] = ()


class FactChecker(Protocol):
    """Something that knows facts."""

    def check_claim(self, text: str) -> FactVerdict: ...


class Readings:
    """The readings of a back-end, pulled turn by turn as the analysis reaches them."""

    def __init__(self, language: Language, transcript: Transcript) -> None:
        self._stream: Iterator[TurnReading] = language.read(transcript)
        self._read: list[TurnReading] = []
        self._leaving: tuple[int, dict[int, list[RelationReading]]] = (-1, {})

    def turn(self, turn_index: int) -> TurnReading:
        """Return the reading of a turn, reading on as far as needed; a turn the back-end left out has an empty one."""
        while len(self._read) <= turn_index:
            reading = next(self._stream, None)
            if reading is None:
                return TurnReading(turn_index=turn_index)
            self._read.append(reading)
        return self._read[turn_index]

    def relations_leaving(self, turn_index: int) -> Mapping[int, Sequence[RelationReading]]:
        """Return the relations of a turn by the claim they come from; those of the last turn asked for are kept."""
        if self._leaving[0] != turn_index:
            by_source: dict[int, list[RelationReading]] = {}
            for relation in self.turn(turn_index).relations:
                if relation.source.turn_index == turn_index:
                    by_source.setdefault(relation.source.claim_index, []).append(relation)
            self._leaving = (turn_index, by_source)
        return self._leaving[1]

    @property
    def turns_read(self) -> int:
        """How many turns have been read so far."""
        return len(self._read)
