"""Debates taken apart: claims with exact spans, arguments, references and lineage (seed 000).

```python from planvow.debate import analyse, read_transcript, public_result ``` The names of the seed are
importable from here; the task network is in `methods`, the back-end's interface in `language`.
"""

from planvow.debate.analysis.pipeline import analyse, budgets_for
from planvow.debate.analysis.public import public_result, select_claims
from planvow.debate.analysis.result import DebateResult
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
from planvow.debate.readers import read_transcript
from planvow.debate.seed_names import *  # noqa: F403 (a door of its own, with an `__all__`)
from planvow.debate.state import DiscourseState, Entity
from planvow.debate.terms.taxonomy import ClaimType, Route, requires_review, route_of
from planvow.debate.terms.transcript import SpeakerTurn, Transcript
from planvow.kernel.perform.budgets import PlannerBudgets
from planvow.kernel.perform.performer import HTNPlanner
from planvow.kernel.perform.result import PlannerStats

__all__ = [
    "DEBATE",
    "ArgumentFrame",
    "ArgumentRelation",
    "Artifact",
    "AtomicClaim",
    "ClaimType",
    "DebateResult",
    "DiagnosticArtifact",
    "DiscourseState",
    "Entity",
    "FactCheck",
    "HTNPlanner",
    "PlannerBudgets",
    "PlannerStats",
    "ResolutionStatus",
    "Route",
    "SpeakerTurn",
    "TentativeResolution",
    "Transcript",
    "analyse",
    "budgets_for",
    "public_result",
    "read_transcript",
    "requires_review",
    "route_of",
    "select_claims",
]
