"""Relations between propositions: who supports and who attacks what, within a turn and across turns."""

from __future__ import annotations

from planvow.canonical import derived_id
from planvow.debate.artifacts.frame import ArgumentRelation
from planvow.debate.methods.base import OperatorResult, Primitive, claim_key, done, primitive, reading_of
from planvow.debate.state.discourse import DiscourseState
from planvow.kernel.perform.task import Task


@primitive(name="DetectDialecticRelation", task="DETECT_DIALECTIC_RELATION", base_cost=2.0)
class DetectDialecticRelation(Primitive):
    """Emit the relations that leave the claims of a turn. One with an end that nobody asserts is only counted."""

    def execute(self, state: DiscourseState, task: Task) -> OperatorResult:
        relations = []
        reading = reading_of(state, task)
        both = [*((found, True) for found in reading.relations), *((found, False) for found in reading.possible)]
        for found, is_shown in both:
            source = state.claim_ids.get(claim_key(*found.source))
            target = state.claim_ids.get(claim_key(*found.target))
            if source is None or target is None:
                state.relations_left_out += is_shown
                continue
            if source == target:
                continue
            relations.append(
                ArgumentRelation(
                    artifact_id=derived_id("relation", [found.kind, source, target]),
                    relation_type=found.kind,
                    source_claim_id=source,
                    target_claim_id=target,
                    confidence=found.confidence,
                    reasons=found.reasons,
                    is_shown=is_shown,
                )
            )
        return done(state, task, *relations)
