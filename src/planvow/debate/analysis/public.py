"""What crosses the boundary: artifacts and lineage by method names, as plain data; never the task stream.

Numbers are rounded to four places, order is the order of the text, and nothing depends on time, so the same
transcript gives the same bytes (DESIGN section 6 and ruling 16).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from enum import Enum
from typing import Any

from planvow._version import __version__
from planvow.debate.analysis.result import DebateResult
from planvow.debate.artifacts import ResolutionStatus
from planvow.debate.state.entity import EntityType

FORMAT_VERSION = "debate/11"
_PLACES = 4
_AS_THEY_ARE = frozenset({str, int, bool, type(None)})


def _named(names: str, **renamed: str) -> dict[str, str]:
    """Fields in the order they are written; those shown under another name than their attribute's are `renamed`."""
    return {name: renamed.get(name, name) for name in names.split()}


_TURN = _named("turn_index speaker speaker_key span text start_ms end_ms boundary_confidence is_preamble")
_CLAIM = _named(
    """
    claim_id text span runs clean_text standalone_text speaker speaker_key turn_index claim_type route requires_review
    confidence check_worthiness boundary_confidence role frame_id method_path reasons readings start_ms end_ms
    """,
    claim_id="artifact_id",
    frame_id="parent_frame_id",
)
_FRAME = _named(
    """
    frame_id frame_type spans child_claim_ids parent_frame_id child_frame_ids speaker turn_index summary method_path
    """,
    frame_id="artifact_id",
)
_RELATION = _named(
    "type source target confidence reasons method_path",
    type="relation_type",
    source="source_claim_id",
    target="target_claim_id",
)
_RESOLUTION = _named(
    """
    reference_id type text span turn_index speaker status winner confidence candidates scoring_features reason
    method_path
    """,
    reference_id="artifact_id",
    type="reference_type",
    text="source_text",
    span="source_span",
)
_FACT_CHECK = _named("claim_id status confidence summary sources urls method_path")
_ENTITY = _named(
    "entity_id canonical type aliases introduced_by mentions",
    type="entity_type",
    introduced_by="introducing_speaker",
    mentions="mention_spans",
)
_DIAGNOSTIC = _named("type severity message context method_path", type="diagnostic_type")


def public_result(result: DebateResult) -> dict[str, Any]:
    """Return the whole analysis as plain data.

    >>> sorted(public_result(found))[:3]
    ['claims', 'diagnostics', 'entities']
    """
    return {
        "meta": _meta(result),
        "turns": [_row(turn, _TURN) for turn in result.transcript.turns],
        "claims": [_row(claim, _CLAIM) for claim in result.claims],
        "frames": [_row(frame, _FRAME) for frame in result.argument_frames],
        "relations": [_row(relation, _RELATION) for relation in result.relations],
        "possible_relations": [_row(relation, _RELATION) for relation in result.possible_relations],
        "resolutions": [_row(resolution, _RESOLUTION) for resolution in result.resolutions],
        "fact_checks": [_row(check, _FACT_CHECK) for check in result.fact_checks],
        "entities": [_row(entity, _ENTITY) for entity in result.entities if entity.entity_type is not EntityType.CLAIM],
        "diagnostics": [_row(diagnostic, _DIAGNOSTIC) for diagnostic in result.diagnostics],
        "stats": _stats(result),
    }


def _meta(result: DebateResult) -> dict[str, Any]:
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


def _row(item: object, fields: Mapping[str, str]) -> dict[str, Any]:
    """Return the named attributes of a value as plain data; `fields` says which attribute each name shows."""
    return {name: _plain(getattr(item, attribute)) for name, attribute in fields.items()}


def _plain(value: Any) -> Any:
    if type(value) in _AS_THEY_ARE:  # nearly all of them, so asked first
        return value
    if isinstance(value, Enum):
        return value.value if isinstance(value.value, str) else value.name
    if isinstance(value, float):
        return round(value, _PLACES)
    if isinstance(value, Mapping):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, Set):
        return sorted(value)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_plain(inner) for inner in value]
    return value


def _stats(result: DebateResult) -> dict[str, Any]:
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

    >>> [claim["speaker"] for claim in select_claims(public_result(found)["claims"], speakers=["BOB"])]
    ['BOB']
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
