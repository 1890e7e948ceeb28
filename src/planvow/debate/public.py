"""What crosses the boundary: artifacts and lineage by method names, as plain data; never the task stream.

Numbers are rounded to four places, order is the order of the text, and nothing depends on time, so the same
transcript gives the same bytes (DESIGN section 6 and ruling 16).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from planvow._version import __version__
from planvow.debate.artifacts import (
    ArgumentFrame,
    ArgumentRelation,
    AtomicClaim,
    DiagnosticArtifact,
    FactCheck,
    ResolutionStatus,
    TentativeResolution,
)
from planvow.debate.result import PlannerResult
from planvow.debate.state.entity import EntityType
from planvow.debate.transcript import SpeakerTurn

FORMAT_VERSION = "debate/1"
_PLACES = 4


def public_result(result: PlannerResult) -> dict[str, Any]:
    """Return the whole analysis as plain data."""
    return {
        "meta": _meta(result),
        "turns": [_turn(turn) for turn in result.transcript.turns],
        "claims": [_claim(claim) for claim in result.claims],
        "frames": [_frame(frame) for frame in result.argument_frames],
        "relations": [_relation(relation) for relation in result.relations],
        "resolutions": [_resolution(resolution) for resolution in result.resolutions],
        "fact_checks": [_fact_check(check) for check in result.fact_checks],
        "entities": [
            {
                "entity_id": entity.entity_id,
                "canonical": entity.canonical,
                "type": entity.entity_type.value,
                "aliases": sorted(entity.aliases),
                "introduced_by": entity.introducing_speaker,
                "mentions": [list(span) for span in entity.mention_spans],
            }
            for entity in result.entities
            if entity.entity_type is not EntityType.CLAIM
        ],
        "diagnostics": [_diagnostic(diagnostic) for diagnostic in result.diagnostics],
        "stats": _stats(result),
    }


def _meta(result: PlannerResult) -> dict[str, Any]:
    transcript = result.transcript
    return {
        "format": FORMAT_VERSION,
        "planvow": __version__,
        "transcript_id": transcript.transcript_id,
        "source_format": transcript.source_format,
        "encoding": transcript.encoding,
        "characters": len(transcript.text),
        "language": {"name": result.language, "version": result.language_version},
        "status": result.status.value,
        "success": result.success,
        "truncated": result.truncated,
    }


def _turn(turn: SpeakerTurn) -> dict[str, Any]:
    return {
        "turn_index": turn.turn_index,
        "speaker": turn.speaker,
        "speaker_key": turn.speaker_key,
        "span": list(turn.span),
        "text": turn.text,
        "start_ms": turn.start_ms,
        "end_ms": turn.end_ms,
        "boundary_confidence": turn.boundary_confidence,
        "is_preamble": turn.is_preamble,
    }


def _claim(claim: AtomicClaim) -> dict[str, Any]:
    return {
        "claim_id": claim.artifact_id,
        "text": claim.text,
        "span": list(claim.span),
        "runs": [list(run) for run in claim.runs],
        "clean_text": claim.clean_text,
        "standalone_text": claim.standalone_text,
        "speaker": claim.speaker,
        "speaker_key": claim.speaker_key,
        "turn_index": claim.turn_index,
        "claim_type": claim.claim_type.value,
        "route": claim.route.value,
        "requires_review": claim.requires_review,
        "confidence": round(claim.confidence, _PLACES),
        "check_worthiness": round(claim.check_worthiness, _PLACES),
        "role": claim.role,
        "frame_id": claim.parent_frame_id,
        "method_path": list(claim.method_path),
        "reasons": list(claim.reasons),
        "start_ms": claim.start_ms,
        "end_ms": claim.end_ms,
    }


def _frame(frame: ArgumentFrame) -> dict[str, Any]:
    return {
        "frame_id": frame.artifact_id,
        "frame_type": frame.frame_type,
        "spans": [list(span) for span in frame.spans],
        "child_claim_ids": list(frame.child_claim_ids),
        "parent_frame_id": frame.parent_frame_id,
        "child_frame_ids": list(frame.child_frame_ids),
        "speaker": frame.speaker,
        "turn_index": frame.turn_index,
        "summary": frame.summary,
        "method_path": list(frame.method_path),
    }


def _relation(relation: ArgumentRelation) -> dict[str, Any]:
    return {
        "type": relation.relation_type,
        "source": relation.source_claim_id,
        "target": relation.target_claim_id,
        "confidence": round(relation.confidence, _PLACES),
        "reasons": list(relation.reasons),
        "method_path": list(relation.method_path),
    }


def _resolution(resolution: TentativeResolution) -> dict[str, Any]:
    return {
        "reference_id": resolution.artifact_id,
        "type": resolution.reference_type,
        "text": resolution.source_text,
        "span": list(resolution.source_span),
        "turn_index": resolution.turn_index,
        "speaker": resolution.speaker,
        "status": resolution.status.name,
        "winner": resolution.winner,
        "confidence": round(resolution.confidence, _PLACES),
        "candidates": [
            {**candidate, "score": round(candidate["score"], _PLACES), "features": _rounded(candidate["features"])}
            for candidate in resolution.candidates
        ],
        "scoring_features": _rounded(resolution.scoring_features),
        "reason": resolution.reason,
        "method_path": list(resolution.method_path),
    }


def _fact_check(check: FactCheck) -> dict[str, Any]:
    return {
        "claim_id": check.claim_id,
        "status": check.status.value,
        "confidence": round(check.confidence, _PLACES),
        "summary": check.summary,
        "sources": list(check.sources),
        "urls": list(check.urls),
        "method_path": list(check.method_path),
    }


def _diagnostic(diagnostic: DiagnosticArtifact) -> dict[str, Any]:
    return {
        "type": diagnostic.diagnostic_type,
        "severity": diagnostic.severity,
        "message": diagnostic.message,
        "context": dict(diagnostic.context),
        "method_path": list(diagnostic.method_path),
    }


def _stats(result: PlannerResult) -> dict[str, Any]:
    spoken = [turn for turn in result.transcript.turns if not turn.is_preamble]
    statuses = Counter(resolution.status for resolution in result.resolutions)
    return {
        "turns": len(result.transcript.turns),
        "speakers": _counted(turn.speaker_key for turn in spoken),
        "claims": len(result.claims),
        "claims_by_type": _counted(claim.claim_type.value for claim in result.claims),
        "claims_by_route": _counted(claim.route.value for claim in result.claims),
        "claims_by_speaker": _counted(claim.speaker_key or "" for claim in result.claims),
        "claims_needing_review": sum(claim.requires_review for claim in result.claims),
        "quoted_or_supposed": result.unasserted,
        "frames_by_type": _counted(frame.frame_type for frame in result.argument_frames),
        "relations_by_type": _counted(relation.relation_type for relation in result.relations),
        "resolutions_by_status": {status.name: statuses[status] for status in ResolutionStatus if statuses[status]},
        "tasks_executed": result.stats.tasks_executed,
        "backtracks": result.stats.backtracks,
        "llm_calls": result.stats.llm_calls,
        "llm_tokens": result.stats.llm_tokens,
    }


def _counted(items: Any) -> dict[str, int]:
    return dict(sorted(Counter(items).items()))  # by name: a stable order for people and bytes


def _rounded(features: Mapping[str, float]) -> dict[str, float]:
    return {name: round(value, _PLACES) for name, value in features.items()}


def select_claims(
    claims: Sequence[dict[str, Any]],
    *,
    speakers: Sequence[str] = (),
    types: Sequence[str] = (),
    routes: Sequence[str] = (),
    min_score: float = 0.0,
    top: int | None = None,
) -> list[dict[str, Any]]:
    """Filter public claims; with `top`, the most check-worthy first, else in the order of the text.

    A speaker is named by label or key or by any word of the key ("clinton"); types and routes in any case, with - or _.
    """
    wanted_types = {name.lower() for name in types}
    wanted_routes = {name.lower().replace("-", "_") for name in routes}
    chosen = [
        claim
        for claim in claims
        if (not speakers or any(_is_speaker(claim, name) for name in speakers))
        and (not wanted_types or claim["claim_type"] in wanted_types)
        and (not wanted_routes or claim["route"] in wanted_routes)
        and claim["check_worthiness"] >= min_score
    ]
    if top is not None:
        chosen = sorted(chosen, key=lambda claim: (-claim["check_worthiness"], claim["span"]))[:top]  # ties: as spoken
    return chosen


def _is_speaker(claim: Mapping[str, Any], name: str) -> bool:
    folded = name.casefold()
    label, key = (claim["speaker"] or "").casefold(), (claim["speaker_key"] or "").casefold()
    return folded in (label, key) or folded in key.split()
