"""References: found by the back-end, resolved with their uncertainty kept."""

from __future__ import annotations

from typing import Any

from planvow.canonical import derived_id
from planvow.debate.artifacts.resolution import ResolutionStatus, TentativeResolution
from planvow.debate.methods.base import (
    Compound,
    OperatorResult,
    OperatorStatus,
    Primitive,
    compound,
    done,
    primitive,
    reading_of,
)
from planvow.debate.state.discourse import DiscourseState
from planvow.debate.state.reference import OpenReference
from planvow.debate.terms.language import CandidateReading, ReferenceReading, resolution_status
from planvow.kernel.perform.task import Task

MAX_CANDIDATES = 5
CONTEXT_CHARACTERS = 600

_REASONS = {
    ResolutionStatus.COMMITTED: "one candidate stands out",
    ResolutionStatus.TENTATIVE: "likely, not certain",
    ResolutionStatus.AMBIGUOUS: "nothing stands out",
    ResolutionStatus.UNRESOLVED: "nothing to point to",
}


@compound(name="DetectReferences", task="DETECT_REFERENCES", base_cost=2.0)
class DetectReferences(Compound):
    """One task per pronoun, demonstrative or definite noun phrase of a turn."""

    def decompose(self, state: DiscourseState, task: Task) -> list[Task]:
        turn = state.speaker_turns[task.params["turn_index"]]
        return [
            Task.create("RESOLVE_REFERENCE", {**task.params, "reference": index}, turn.raw_span(*found.span), task)
            for index, found in enumerate(reading_of(state, task).references)
        ]


class _Resolve(Primitive):
    def reference(self, state: DiscourseState, task: Task) -> ReferenceReading:
        index: int = task.params["reference"]
        return reading_of(state, task).references[index]

    def resolve(self, state: DiscourseState, task: Task) -> TentativeResolution:
        """Weigh the candidates the back-end found."""
        turn = state.speaker_turns[task.params["turn_index"]]
        found = self.reference(state, task)
        scores = [candidate.score for candidate in found.candidates]
        status = ResolutionStatus[resolution_status(scores)]
        best = found.candidates[0] if found.candidates else None
        return TentativeResolution(
            artifact_id=derived_id("reference", [*task.span, found.surface]),
            source_span=task.span,
            source_text=state.transcript_text[task.span[0] : task.span[1]],
            status=status,
            winner=best.text if best and status is not ResolutionStatus.AMBIGUOUS else None,
            confidence=best.score if best else 0.0,
            candidates=[_candidate(state, candidate) for candidate in found.candidates[:MAX_CANDIDATES]],
            scoring_features=dict(best.features) if best else {},
            reason=_REASONS[status],
            reference_type=found.kind,
            turn_index=turn.turn_index,
            speaker=turn.speaker,
        )

    def store(self, state: DiscourseState, task: Task, resolution: TentativeResolution) -> OperatorResult:
        found = self.reference(state, task)
        state.register_open_reference(
            OpenReference(
                ref_id=resolution.artifact_id,
                reference_type=found.kind,
                surface_form=found.surface,
                span=task.span,
                scope_id=state.current_scope_id,
                candidates=tuple(candidate.text for candidate in found.candidates[:MAX_CANDIDATES]),
                scores=tuple(candidate.score for candidate in found.candidates[:MAX_CANDIDATES]),
            )
        )
        if resolution.status is not ResolutionStatus.UNRESOLVED:  # an unresolved one stays open
            state.resolve_reference(resolution.artifact_id, resolution)
        return done(state, task, resolution)


def _candidate(state: DiscourseState, candidate: CandidateReading) -> dict[str, Any]:
    turn = state.speaker_turns[candidate.turn_index]
    span = turn.raw_span(*candidate.span) if candidate.span[1] > candidate.span[0] else turn.span
    return {
        "text": candidate.text,
        "kind": candidate.kind,
        "turn_index": candidate.turn_index,
        "span": list(span),
        "score": candidate.score,
        "features": dict(candidate.features),
    }


@primitive(name="ResolveByEvidence", task="RESOLVE_REFERENCE", base_cost=10.0)
class ResolveByEvidence(_Resolve):
    """Take the candidates as the back-end scored them."""

    def execute(self, state: DiscourseState, task: Task) -> OperatorResult:
        return self.store(state, task, self.resolve(state, task))


@primitive(name="ResolveWithModel", task="RESOLVE_REFERENCE", base_cost=5.0, requires_llm=True)
class ResolveWithModel(_Resolve):
    """Ask the model which of the candidates is meant, only where the evidence is ambiguous."""

    def preconditions(self, state: DiscourseState, task: Task) -> bool:
        if state.assistant is None:
            return False
        candidates = self.reference(state, task).candidates
        return bool(candidates) and resolution_status([c.score for c in candidates]) == "AMBIGUOUS"

    def execute(self, state: DiscourseState, task: Task) -> OperatorResult:
        assert state.assistant is not None  # preconditions
        turn = state.speaker_turns[task.params["turn_index"]]
        found = self.reference(state, task)
        names = list(dict.fromkeys(candidate.text for candidate in found.candidates[:MAX_CANDIDATES]))
        start = max(0, found.span[0] - CONTEXT_CHARACTERS)
        state.llm_calls += 1
        answer = state.assistant.resolve_reference(found.surface, names, turn.text[start : found.span[1] + 100])
        state.llm_tokens_used += answer.tokens
        if answer.referent not in names or not 0.0 <= answer.confidence <= 1.0:
            return OperatorResult(status=OperatorStatus.FAILED, error=f"the model named {answer.referent!r}")
        resolution = self.resolve(state, task)
        resolution.winner = answer.referent
        resolution.confidence = answer.confidence
        resolution.status = ResolutionStatus.TENTATIVE
        resolution.reason = "chosen by the model among the candidates"
        if resolution.should_commit():
            resolution.status = ResolutionStatus.COMMITTED
        return self.store(state, task, resolution)
