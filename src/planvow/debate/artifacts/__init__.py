"""What an analysis emits."""

from planvow.debate.artifacts.base import Artifact
from planvow.debate.artifacts.claim import AtomicClaim
from planvow.debate.artifacts.diagnostic import DiagnosticArtifact
from planvow.debate.artifacts.fact_check import FactCheck
from planvow.debate.artifacts.frame import ArgumentFrame, ArgumentRelation
from planvow.debate.artifacts.resolution import ResolutionStatus, TentativeResolution

__all__ = [
    "ArgumentFrame",
    "ArgumentRelation",
    "Artifact",
    "AtomicClaim",
    "DiagnosticArtifact",
    "FactCheck",
    "ResolutionStatus",
    "TentativeResolution",
]
