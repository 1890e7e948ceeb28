"""Claims: taken from the transcript word for word, classified, and linked to their argument."""

from __future__ import annotations

from planvow.canonical import claim_dedup_key
from planvow.debate.artifacts.claim import AtomicClaim
from planvow.debate.methods.base import (
    Compound,
    OperatorResult,
    OperatorStatus,
    Primitive,
    claim_key,
    compound,
    done,
    primitive,
    reading_of,
)
from planvow.debate.state.discourse import DiscourseState
from planvow.debate.state.entity import Entity, EntityType
from planvow.debate.terms.transcript import Span, SpeakerTurn
from planvow.kernel.perform.task import Task

SEED_CONFIDENCE = 0.8  # seed 000, section 14: what a bare span is worth
ENTITY_LENGTH = 120


@compound(name="ExtractClaimsFromSegment", task="EXTRACT_CLAIMS_FROM_SEGMENT", base_cost=2.0)
class ExtractClaimsFromSegment(Compound):
    """For each claim of an argument: take it, classify it, link it."""

    def decompose(self, state: DiscourseState, task: Task) -> list[Task]:
        turn_index = task.params["turn_index"]
        turn = state.speaker_turns[turn_index]
        reading = reading_of(state, task)
        subtasks = []
        for index in sorted([task.params["head"], *task.params["supporters"]]):  # as spoken
            span = anchor(turn, reading.claims[index].span)
            params = {"turn_index": turn_index, "claim_index": index, "span": list(span)}
            link = {**params, "argument": task.params["argument"], "is_head": index == task.params["head"]}
            subtasks += [
                Task.create("EXTRACT_ATOMIC_CLAIM", params, span, task),
                Task.create("CLASSIFY_CLAIM_TYPE", params, span, task),
                Task.create("LINK_CLAIM_TO_FRAME", link, span, task),
            ]
        return subtasks


def anchor(turn: SpeakerTurn, local: Span) -> Span:
    """Return the raw span of a claim: whole, or its longest run where mark-up of subtitles or JSON cuts it."""
    runs = turn.raw_runs(*local)
    return max(runs, key=lambda run: run[1] - run[0]) if len(runs) > 1 else turn.raw_span(*local)


@primitive(name="ExtractAtomicClaim", task="EXTRACT_ATOMIC_CLAIM", base_cost=5.0)
@primitive(name="ExtractAtomicClaim", task="EXTRACT_CLAIM", base_cost=5.0)
class ExtractAtomicClaim(Primitive):
    """Emit the claim at a span. With a reading behind it the claim carries role, rank and stand-alone text as well."""

    def preconditions(self, state: DiscourseState, task: Task) -> bool:
        span = task.params.get("span")
        return span is not None and span[1] > span[0]

    def cost(self, state: DiscourseState, task: Task) -> float:
        span: tuple[int, int] = task.params.get("span", (0, 0))
        return self._base_cost + (span[1] - span[0]) / 100

    def execute(self, state: DiscourseState, task: Task) -> OperatorResult:
        start, end = task.params["span"]
        text = state.transcript_text[start:end]
        claim = AtomicClaim(
            artifact_id=f"claim_{claim_dedup_key(text, (start, end))}",
            text=text,
            span=(start, end),
            parent_frame_id=task.params.get("parent_frame_id"),
            scope_id=state.current_scope_id,
            confidence=SEED_CONFIDENCE,
            speaker=state.current_speaker,
            clean_text=text,
            standalone_text=text,
            runs=((start, end),),
        )
        if state.get_artifact(claim.artifact_id) is not None:
            return OperatorResult(status=OperatorStatus.SKIPPED, error="these very words are a claim already")
        if "claim_index" in task.params:
            self._add_reading(state, task, claim)
        state.claims.append(claim)
        state.register_entity(
            Entity(
                canonical=claim.clean_text[:ENTITY_LENGTH] or claim.artifact_id,
                entity_type=EntityType.CLAIM,
                mention_spans=[claim.span],
                introducing_speaker=claim.speaker,
            )
        )
        return done(state, task, claim)

    def _add_reading(self, state: DiscourseState, task: Task, claim: AtomicClaim) -> None:
        turn_index, index = task.params["turn_index"], task.params["claim_index"]
        turn = state.speaker_turns[turn_index]
        found = reading_of(state, task).claims[index]
        claim.turn_index = turn_index
        claim.speaker, claim.speaker_key = turn.speaker, turn.speaker_key
        claim.role = found.role
        claim.check_worthiness = found.check_worthiness
        claim.boundary_confidence = found.boundary_confidence
        claim.clean_text = turn.text[found.span[0] : found.span[1]].replace("\n", " ")
        claim.standalone_text = found.standalone_text or claim.clean_text
        claim.local_span = found.span
        claim.runs = turn.raw_runs(*found.span)
        begin, finish = turn.time_at(found.span[0]), turn.time_at(found.span[1] - 1)
        if begin and finish:
            claim.start_ms, claim.end_ms = begin[0], max(begin[0], finish[1])
        state.claim_ids[claim_key(turn_index, index)] = claim.artifact_id
