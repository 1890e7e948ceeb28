"""One claim: the words as spoken, where they stand, whose they are, and what kind of claim it is."""

from __future__ import annotations

from dataclasses import dataclass

from planvow.debate.artifacts.base import Artifact, Span
from planvow.debate.terms.taxonomy import ClaimType, Route, requires_review, route_of


@dataclass(kw_only=True)
class AtomicClaim(Artifact):
    """A single proposition. `text` is always the transcript between the two ends of `span`.

    >>> found.claims[0].text, found.claims[0].speaker
    ('Taxes fell by ten percent in 2019', 'ANN')
    """

    text: str
    span: Span
    parent_frame_id: str | None = None
    scope_id: str | None = None
    confidence: float = 1.0
    speaker: str | None = None
    speaker_key: str | None = None
    turn_index: int | None = None
    claim_type: ClaimType = ClaimType.UNCLASSIFIED
    check_worthiness: float = 0.0
    role: str = "CLAIM"
    reasons: tuple[str, ...] = ()
    readings: tuple[str, ...] = ()
    """Other types that were weighed, the likeliest first, each with its reasons."""
    clean_text: str = ""
    """The whole claim without mark-up; differs from `text` where subtitles or JSON cut it into runs."""
    standalone_text: str = ""
    runs: tuple[Span, ...] = ()
    """All unbroken runs of the claim's words; `span` is the longest of them."""
    local_span: Span | None = None
    """Where the claim stands in the clean text of its turn."""
    boundary_confidence: float = 1.0
    """How sure it is where the claim's sentence begins and ends; below 1 where no mark says so."""
    start_ms: int | None = None
    end_ms: int | None = None

    @property
    def route(self) -> Route:
        """Where the claim goes from here."""
        return route_of(self.claim_type)

    @property
    def requires_review(self) -> bool:
        """Whether a person should look at the type."""
        return requires_review(self.claim_type, self.confidence)
