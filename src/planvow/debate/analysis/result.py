"""The result of an analysis, as the seed names it. It stays inside; `public` shows what crosses the boundary."""

from __future__ import annotations

from dataclasses import dataclass

from planvow.debate.artifacts import (
    ArgumentFrame,
    ArgumentRelation,
    Artifact,
    AtomicClaim,
    DiagnosticArtifact,
    FactCheck,
    TentativeResolution,
)
from planvow.debate.state.entity import Entity
from planvow.debate.state.reference import OpenReference
from planvow.debate.state.scope import Scope
from planvow.debate.terms.transcript import Transcript
from planvow.kernel.perform.result import PlannerStats
from planvow.status import Status
from planvow.trace import TraceEvent


@dataclass(frozen=True, kw_only=True)
class DebateResult:
    """Everything an analysis found, and how it went (seed 000, section 6).

    >>> found.success, len(found.claims)
    (True, 3)
    """

    success: bool
    artifacts: list[Artifact]
    argument_frames: list[ArgumentFrame]
    claims: list[AtomicClaim]
    resolved_references: list[TentativeResolution]
    unresolved_references: list[OpenReference]
    trace: tuple[TraceEvent, ...]
    stats: PlannerStats

    status: Status
    truncated: bool
    diagnostics: list[DiagnosticArtifact]
    relations: list[ArgumentRelation]
    possible_relations: list[ArgumentRelation]
    """Too unsure to be shown by default."""
    fact_checks: list[FactCheck]
    resolutions: list[TentativeResolution]
    """All of them, unresolved ones included, in the order of the text."""
    entities: list[Entity]
    scopes: list[Scope]
    unasserted: int
    transcript: Transcript
    language: str
    language_version: str
