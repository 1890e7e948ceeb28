"""Debates taken apart: claims with exact spans, arguments, references and lineage (seed 000).

```python from planvow.debate import analyse, read_transcript, public_result ``` The names of the seed are
importable from here; the task network is in `methods`, the back-end's interface in `language`.
"""

from planvow.canonical import (
    canonical_hash,
    canonical_hash_short,
    canonicalize_text,
    claim_dedup_key,
    entity_dedup_key,
    llm_cache_key,
)
from planvow.debate.analysis.pipeline import analyse, budgets_for
from planvow.debate.analysis.public import public_result, select_claims
from planvow.debate.analysis.result import PlannerResult
from planvow.debate.artifacts import (
    ArgumentFrame,
    ArgumentRelation,
    Artifact,
    AtomicClaim,
    DiagnosticArtifact,
    FactCheck,
    ResolutionStatus,
    TentativeResolution,
)
from planvow.debate.methods import DEBATE
from planvow.debate.methods.claim import ExtractAtomicClaim
from planvow.debate.methods.decompose import DecomposeTranscript, ProcessTurn
from planvow.debate.readers import read_transcript
from planvow.debate.state import (
    DiscourseState,
    Entity,
    EntityMention,
    EntityType,
    OpenReference,
    SalienceFrame,
    Scope,
    ScopeType,
)
from planvow.debate.terms.taxonomy import ClaimType, Route, requires_review, route_of
from planvow.debate.terms.transcript import SpeakerTurn, Transcript
from planvow.kernel.perform.budgets import BudgetStatus, PlannerBudgets
from planvow.kernel.perform.method import Method, OperatorResult, OperatorStatus, get_methods_for_task, method
from planvow.kernel.perform.performer import HTNPlanner
from planvow.kernel.perform.result import PlannerStats
from planvow.kernel.perform.task import Task
from planvow.trace import TraceEvent, TraceRecorder

__all__ = [
    "DEBATE",
    "ArgumentFrame",
    "ArgumentRelation",
    "Artifact",
    "AtomicClaim",
    "BudgetStatus",
    "ClaimType",
    "DecomposeTranscript",
    "DiagnosticArtifact",
    "DiscourseState",
    "Entity",
    "EntityMention",
    "EntityType",
    "ExtractAtomicClaim",
    "FactCheck",
    "HTNPlanner",
    "Method",
    "OpenReference",
    "OperatorResult",
    "OperatorStatus",
    "PlannerBudgets",
    "PlannerResult",
    "PlannerStats",
    "ProcessTurn",
    "ResolutionStatus",
    "Route",
    "SalienceFrame",
    "Scope",
    "ScopeType",
    "SpeakerTurn",
    "Task",
    "TentativeResolution",
    "TraceEvent",
    "TraceRecorder",
    "Transcript",
    "analyse",
    "budgets_for",
    "canonical_hash",
    "canonical_hash_short",
    "canonicalize_text",
    "claim_dedup_key",
    "entity_dedup_key",
    "get_methods_for_task",
    "llm_cache_key",
    "method",
    "public_result",
    "read_transcript",
    "requires_review",
    "route_of",
    "select_claims",
]
