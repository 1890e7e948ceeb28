"""Arguments and the relations between their claims."""

from __future__ import annotations

from dataclasses import dataclass, field

from planvow.debate.artifacts.base import Artifact, Span


@dataclass(kw_only=True)
class ArgumentFrame(Artifact):
    """Claims that stand together: an assertion, what is given in its support, or an attack on another frame.

    >>> [frame.frame_type for frame in found.argument_frames][:1]
    ['CLAIM']
    """

    frame_type: str
    spans: list[Span] = field(default_factory=list)
    """The turn first, then the claims."""
    child_claim_ids: list[str] = field(default_factory=list)
    parent_frame_id: str | None = None
    child_frame_ids: list[str] = field(default_factory=list)
    speaker: str | None = None
    turn_index: int | None = None
    summary: str = ""


@dataclass(kw_only=True)
class ArgumentRelation(Artifact):
    """One claim supports or attacks another, in the same turn or across turns.

    >>> ends = {"source_claim_id": "a", "target_claim_id": "b"}
    >>> ArgumentRelation(artifact_id="r", relation_type="supports", confidence=0.9, **ends).relation_type
    'supports'
    """

    relation_type: str
    source_claim_id: str
    target_claim_id: str
    confidence: float
    reasons: tuple[str, ...] = ()
    is_shown: bool = True
    """False: too unsure for arguments, maps and counts; listed as possible."""
