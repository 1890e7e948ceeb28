"""What a fact-checker says about a claim."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from planvow.debate.artifacts.base import Artifact


class FactStatus(StrEnum):
    """The verdicts a fact-checker may give."""

    VERIFIED = "VERIFIED"
    UNVERIFIED = "UNVERIFIED"
    DISPUTED = "DISPUTED"
    FALSE = "FALSE"
    NO_DATA = "NO_DATA"


@dataclass(kw_only=True)
class FactCheck(Artifact):
    """A verdict with its sources. NO_DATA means that nothing was found, not that nothing is wrong.

    >>> from planvow.debate.artifacts.fact_check import FactStatus
    >>> FactCheck(artifact_id="f", claim_id="c", status=FactStatus.VERIFIED, confidence=0.9).confidence
    0.9
    """

    claim_id: str
    status: FactStatus
    confidence: float
    summary: str = ""
    sources: tuple[str, ...] = ()
    urls: tuple[str, ...] = ()
