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
from planvow.debate.terms.taxonomy import ClaimType, claim_type_named
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


def _claim(state: DiscourseState, task: Task) -> AtomicClaim | None:
    claim_id = state.claim_ids.get(claim_key(task.params["turn_index"], task.params["claim_index"]))
    artifact = state.get_artifact(claim_id) if claim_id else None
    return artifact if isinstance(artifact, AtomicClaim) else None


class _Classify(Primitive):
    def preconditions(self, state: DiscourseState, task: Task) -> bool:
        return _claim(state, task) is not None

    def classify(self, state: DiscourseState, task: Task) -> AtomicClaim:
        """Store what the back-end says about the type, and return the claim."""
        claim = _claim(state, task)
        assert claim is not None  # preconditions
        found = reading_of(state, task).claims[task.params["claim_index"]]
        claim.claim_type = claim_type_named(found.claim_type)
        claim.confidence = found.confidence
        claim.reasons = found.reasons
        return claim


@primitive(name="ClassifyByRules", task="CLASSIFY_CLAIM_TYPE", base_cost=10.0)
class ClassifyByRules(_Classify):
    """Take the type the language back-end found, UNCLASSIFIED included."""

    def execute(self, state: DiscourseState, task: Task) -> OperatorResult:
        self.classify(state, task)
        return done(state, task)


@primitive(name="ClassifyWithModel", task="CLASSIFY_CLAIM_TYPE", base_cost=5.0, requires_llm=True)
class ClassifyWithModel(_Classify):
    """Ask the model, only about what rules left UNCLASSIFIED. Any trouble is a failure, and the rules' answer stands.

    Cheaper than the rules on purpose: the origin added 200 for a model, and so could never choose it.
    """

    def preconditions(self, state: DiscourseState, task: Task) -> bool:
        if state.assistant is None or not super().preconditions(state, task):
            return False
        found = reading_of(state, task).claims[task.params["claim_index"]]
        return claim_type_named(found.claim_type) is ClaimType.UNCLASSIFIED

    def execute(self, state: DiscourseState, task: Task) -> OperatorResult:
        assert state.assistant is not None  # preconditions
        claim = self.classify(state, task)
        state.llm_calls += 1
        answer = state.assistant.classify_claim(claim.standalone_text)
        state.llm_tokens_used += answer.tokens
        claim_type = claim_type_named(answer.claim_type)
        if claim_type is ClaimType.UNCLASSIFIED or not 0.0 <= answer.confidence <= 1.0:
            return OperatorResult(status=OperatorStatus.FAILED, error=f"the model answered {answer.claim_type!r}")
        claim.claim_type = claim_type
        claim.confidence = answer.confidence
        claim.reasons = (*claim.reasons, f"model: {answer.reasoning}")
        return done(state, task)
