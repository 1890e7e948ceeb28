"""A tiny language back-end for tests of structure: every rule in it can be read off in a minute."""

from __future__ import annotations

import re
from collections.abc import Iterator

from planvow.debate.terms.language import (
    CandidateReading,
    ClaimKey,
    ClaimReading,
    MentionReading,
    ReferenceReading,
    RelationReading,
    ScopeReading,
    SentenceReading,
    TurnReading,
)
from planvow.debate.terms.transcript import SpeakerTurn, Transcript

SENTENCE = re.compile(r"[^.!?\s][^.!?]*[.!?]?[\"”]?")


class Scripted:
    """Each sentence is a claim, but for questions. Digits make it empirical, "should" normative.

    "because" cuts a premise off that supports the rest; a sentence with "But" attacks the claim before it; a
    sentence in quotation marks is quoted. "He" points to the speaker of the turn before.
    """

    name = "scripted"
    version = "1"

    def read(self, transcript: Transcript) -> Iterator[TurnReading]:
        last: ClaimKey | None = None
        for turn in transcript.turns:
            reading = self._turn(turn, last, transcript)
            yield reading
            own = [i for i, claim in enumerate(reading.claims) if claim.scope == "TURN" and claim.role == "CLAIM"]
            if own:
                last = ClaimKey(turn.turn_index, own[-1])

    def _turn(self, turn: SpeakerTurn, last: ClaimKey | None, transcript: Transcript) -> TurnReading:
        text = turn.text
        sentences = [m.span() for m in SENTENCE.finditer(text)]
        readings = tuple(
            SentenceReading(span=s, kind="question" if text[s[1] - 1] == "?" else "statement") for s in sentences
        )
        if turn.is_preamble:
            return TurnReading(turn_index=turn.turn_index, sentences=readings)
        claims: list[ClaimReading] = []
        relations: list[RelationReading] = []
        scopes: list[ScopeReading] = []

        def add(start: int, end: int, sentence: int, role: str = "CLAIM") -> ClaimKey:
            words = text[start:end]
            quoted = words.startswith(('"', "“"))
            kind = "empirical" if re.search(r"\d", words) else "normative" if "should" in words else "unclassified"
            claims.append(
                ClaimReading(
                    span=(start, end), sentence_index=sentence, role=role, claim_type=kind,
                    confidence=0.3 if kind == "unclassified" else 0.9, reasons=(f"rule for {kind}",),
                    check_worthiness=min(1.0, 0.1 + 0.3 * len(re.findall(r"\d+", words))), standalone_text=words,
                    scope="QUOTE" if quoted else "TURN",
                )
            )  # fmt: skip
            if quoted:
                scopes.append(ScopeReading(span=(start, end), kind="QUOTE"))
            return ClaimKey(turn.turn_index, len(claims) - 1)

        for number, (start, end) in enumerate(sentences):
            if readings[number].kind == "question":
                continue
            cut = text.find(" because ", start, end)
            head = add(start, cut if cut > 0 else end, number)
            if cut > 0:
                premise = add(cut + 1, end, number, "PREMISE")
                relations.append(RelationReading(kind="SUPPORT", source=premise, target=head, confidence=0.7))
            if text.startswith("But ", start) and last is not None:
                relations.append(
                    RelationReading(kind="REBUTTAL", source=head, target=last, confidence=0.8, reasons=("But",))
                )
            if claims[head.claim_index].scope == "TURN":
                last = head
        references = tuple(self._reference(turn, m.start(), transcript) for m in re.finditer(r"\bHe\b", text))
        mentions = tuple(
            MentionReading(span=m.span(), canonical=m.group(), kind="STUDY") for m in re.finditer(r"\bReport\b", text)
        )
        return TurnReading(
            turn_index=turn.turn_index, sentences=readings, mentions=mentions, scopes=tuple(scopes),
            claims=tuple(claims), relations=tuple(relations), references=references,
        )  # fmt: skip

    def _reference(self, turn: SpeakerTurn, start: int, transcript: Transcript) -> ReferenceReading:
        candidates = tuple(
            CandidateReading(
                text=earlier.speaker, kind="PERSON", turn_index=earlier.turn_index, span=(0, 0),
                score=0.9 / (turn.turn_index - earlier.turn_index) ** 0.01, features={"salience": 0.3},
            )
            for earlier in reversed(transcript.turns[: turn.turn_index])
            if earlier.speaker_key != turn.speaker_key
        )  # fmt: skip
        return ReferenceReading(span=(start, start + 2), surface="He", kind="PRONOUN", candidates=candidates)
