"""Uncertainty as a value: what a pronoun may point to, how sure that is, and why.

Kept inside for the methods that decide by it, and emitted for the reader who wants to check (seed 000, section 8).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any

from planvow.debate.artifacts.base import Artifact, Span
from planvow.debate.terms.language import COMMIT_THRESHOLD


class ResolutionStatus(Enum):
    """How far a reference is resolved.

    >>> ResolutionStatus.AMBIGUOUS.name
    'AMBIGUOUS'
    """

    TENTATIVE = auto()
    COMMITTED = auto()
    AMBIGUOUS = auto()
    UNRESOLVED = auto()


@dataclass(kw_only=True)
class TentativeResolution(Artifact):
    """Reference resolution with uncertainty.

    >>> answer = {"status": ResolutionStatus.COMMITTED, "winner": "the mayor"}
    >>> TentativeResolution(artifact_id="t", source_span=(0, 3), source_text="she", **answer).winner
    'the mayor'
    """

    source_span: Span
    source_text: str
    status: ResolutionStatus
    winner: str | None = None
    confidence: float = 0.0
    candidates: list[dict[str, Any]] = field(default_factory=list)
    scoring_features: dict[str, float] = field(default_factory=dict)
    reason: str = ""
    allow_auto_commit: bool = True
    reference_type: str = "PRONOUN"
    turn_index: int | None = None
    speaker: str | None = None

    def should_commit(self, threshold: float = COMMIT_THRESHOLD) -> bool:
        """Say whether a tentative resolution is sure enough to be committed."""
        return self.status is ResolutionStatus.TENTATIVE and self.confidence >= threshold and self.allow_auto_commit
