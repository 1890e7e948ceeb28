"""Further names that seed 000 spells: hashes, traces, the parts of perform mode and of the blackboard.

All of them are importable from `planvow.debate`. They live where they belong; nothing in
planvow imports them from here.
"""

from planvow.canonical import (
    canonical_hash,
    canonical_hash_short,
    canonicalize_text,
    claim_dedup_key,
    entity_dedup_key,
    llm_cache_key,
)
from planvow.debate.analysis.result import DebateResult
from planvow.debate.methods.claim import ExtractAtomicClaim
from planvow.debate.methods.decompose import DecomposeTranscript, ProcessTurn
from planvow.debate.state import EntityMention, EntityType, OpenReference, SalienceFrame, Scope, ScopeType
from planvow.kernel.perform.budgets import BudgetStatus
from planvow.kernel.perform.method import OperatorResult, OperatorStatus, PerformMethod, get_methods_for_task, method
from planvow.kernel.perform.task import Task
from planvow.trace import TraceEvent, TraceRecorder

Method = PerformMethod
PlannerResult = DebateResult

__all__ = [
    "BudgetStatus",
    "DecomposeTranscript",
    "EntityMention",
    "EntityType",
    "ExtractAtomicClaim",
    "Method",
    "OpenReference",
    "OperatorResult",
    "OperatorStatus",
    "PlannerResult",
    "ProcessTurn",
    "SalienceFrame",
    "Scope",
    "ScopeType",
    "Task",
    "TraceEvent",
    "TraceRecorder",
    "canonical_hash",
    "canonical_hash_short",
    "canonicalize_text",
    "claim_dedup_key",
    "entity_dedup_key",
    "get_methods_for_task",
    "llm_cache_key",
    "method",
]
