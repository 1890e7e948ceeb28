"""What the debate application asks of a language back-end, and the values it gets back.

A back-end reads the turns of a transcript in order and yields one `TurnReading` for each: sentences, entity mentions,
claims, relations and references. The application pulls the readings one at a time (so a long debate is never held
parsed in memory, and a relation or an antecedent may point to any turn already read) and turns them into artifacts.

Offsets are **local**: characters of `SpeakerTurn.text`, end exclusive. The application maps them to the raw transcript,
so a back-end never sees raw text, mark-up or time stamps. A claim is named by its turn and its index in that
turn's `claims`. Everything is a value, nothing is mutated, and equal turns give equal readings in every process.

Two back-ends exist: `lite` (no dependency) and `spacy` (an adapter). The name and version go into the output.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, Protocol

from planvow.debate.terms.transcript import Span, Transcript

SentenceKind = Literal["statement", "question", "housekeeping", "filler"]
Role = Literal["CLAIM", "PREMISE"]
ScopeKind = Literal["TURN", "QUOTE", "HYPOTHETICAL"]
ReferenceKind = Literal["PRONOUN", "DEMONSTRATIVE", "DEFINITE_NP", "ELLIPSIS"]
EntityKind = Literal["PERSON", "STUDY", "CONCEPT", "CLAIM", "UNKNOWN"]
RelationKind = Literal["SUPPORT", "REBUTTAL"]
Basis = Literal["stance", "contradiction", "cue"]
"""What a relation can be drawn from, beside content: a side taken in words, what cannot both be so, a connective."""

COMMIT_THRESHOLD = 0.85  # seed 000, section 8
TENTATIVE_THRESHOLD = 0.50
AMBIGUITY_MARGIN = 0.05  # the two best closer than this: nobody can tell


class ClaimKey(NamedTuple):
    """Names a claim reading: its turn and its index in that turn's `claims`."""

    turn_index: int
    claim_index: int


@dataclass(frozen=True, kw_only=True)
class SentenceReading:
    """One sentence. Together the sentences cover all words of a turn."""

    span: Span
    kind: SentenceKind = "statement"


@dataclass(frozen=True, kw_only=True)
class MentionReading:
    """A person, study or concept that is named (not a pronoun)."""

    span: Span
    canonical: str
    kind: EntityKind = "UNKNOWN"


@dataclass(frozen=True, kw_only=True)
class ScopeReading:
    """A stretch whose words are not the speaker's own assertion: a quotation or a supposition."""

    span: Span
    kind: ScopeKind


class TypeReading(NamedTuple):
    """One way to read the type of a claim. The cheapest of a claim's readings is the one to take."""

    claim_type: str
    """A value of `ClaimType`, such as "empirical"."""
    confidence: float
    """How sure the type is, 0 to 1."""
    reasons: tuple[str, ...]
    """Why, for people: short phrases."""
    sign: str = "none"
    """What kind of sign it rests on, such as "report" or "demand"; the task network has a method for each."""
    cost: float = 100.0


@dataclass(frozen=True, kw_only=True)
class ClaimReading:
    """One proposition: a sentence or a clause of one. In a QUOTE or HYPOTHETICAL scope it is not asserted."""

    span: Span
    sentence_index: int
    role: Role
    claim_type: str
    """A value of `ClaimType`, such as "empirical"."""
    confidence: float
    """How sure the type is, 0 to 1."""
    reasons: tuple[str, ...]
    """Why this type and role, for people: short phrases."""
    check_worthiness: float
    """0 to 1, for ranking."""
    standalone_text: str
    """The claim so that it can be read alone: committed references put in, white space normal."""
    scope: ScopeKind = "TURN"
    boundary_confidence: float = 1.0
    """How sure it is where its sentence begins and ends; below 1 where no mark says so."""
    types: tuple[TypeReading, ...] = ()
    """All readings of its type, the cheapest first; `claim_type` is that of the first."""


@dataclass(frozen=True, kw_only=True)
class RelationReading:
    """`source` supports or attacks `target`. Both are in this turn or an earlier one."""

    kind: RelationKind
    source: ClaimKey
    target: ClaimKey
    confidence: float
    """How often people drew a link like it between claims as they are found, 0 to 1."""
    reasons: tuple[str, ...] = ()
    bases: tuple[Basis, ...] = ()
    """What else than its content speaks for it, plainest first."""


@dataclass(frozen=True, kw_only=True)
class CandidateReading:
    """Something a reference may point to."""

    text: str
    kind: EntityKind
    turn_index: int
    span: Span
    """Local to the turn `turn_index`. (0, 0) when the candidate is that turn's speaker."""
    score: float
    features: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class ReferenceReading:
    """A pronoun, demonstrative or definite noun phrase with its candidates, best first.

    The best candidate's score is the confidence of the resolution: `resolution_status` turns it into a status.
    """

    span: Span
    surface: str
    kind: ReferenceKind
    candidates: tuple[CandidateReading, ...] = ()


@dataclass(frozen=True, kw_only=True)
class TurnReading:
    """All a back-end says about one turn."""

    turn_index: int
    sentences: tuple[SentenceReading, ...] = ()
    mentions: tuple[MentionReading, ...] = ()
    scopes: tuple[ScopeReading, ...] = ()
    claims: tuple[ClaimReading, ...] = ()
    relations: tuple[RelationReading, ...] = ()
    possible: tuple[RelationReading, ...] = ()
    """Relations that are less sure than what is shown by default."""
    references: tuple[ReferenceReading, ...] = ()


class Language(Protocol):
    """A back-end."""

    @property
    def name(self) -> str:
        """Short name for the output metadata: "lite", "spacy"."""
        ...

    @property
    def version(self) -> str:
        """What the results depend on: model and weight-table versions, in one line."""
        ...

    def read(self, transcript: Transcript) -> Iterator[TurnReading]:
        """Yield the reading of every turn, in order; of a preamble turn (`is_preamble`) sentences only."""
        ...


def resolution_status(
    scores: Sequence[float],
) -> Literal["COMMITTED", "TENTATIVE", "AMBIGUOUS", "UNRESOLVED"]:
    """Say what scores, best first, allow: never a commitment below the threshold or with a rival close by."""
    if not scores:
        return "UNRESOLVED"
    if len(scores) > 1 and scores[0] - scores[1] < AMBIGUITY_MARGIN:
        return "AMBIGUOUS"
    if scores[0] >= COMMIT_THRESHOLD:
        return "COMMITTED"
    return "TENTATIVE" if scores[0] >= TENTATIVE_THRESHOLD else "AMBIGUOUS"
