"""Argument frames: one for what is argued, one for what is said in its support."""

from __future__ import annotations

from planvow.canonical import derived_id
from planvow.debate.artifacts.claim import AtomicClaim
from planvow.debate.artifacts.frame import ArgumentFrame
from planvow.debate.methods.base import (
    OperatorResult,
    OperatorStatus,
    Primitive,
    claim_key,
    done,
    primitive,
)
from planvow.debate.relations.arguments import Argument, leading_relation
from planvow.debate.state.discourse import DiscourseState
from planvow.kernel.perform.task import Task


def frame_id(turn_index: int, argument: int, part: str) -> str:
    """Return the id of an argument's frame: its turn, its number in the turn, and which part."""
    return derived_id("frame", [turn_index, argument, part])


@primitive(name="BuildArgumentFrame", task="BUILD_ARGUMENT_FRAME", base_cost=1.0)
class BuildArgumentFrame(Primitive):
    """Open the frames of an argument. What they are and what they answer is known only when the turn is read."""

    def execute(self, state: DiscourseState, task: Task) -> OperatorResult:
        turn_index, number = task.params["turn_index"], task.params["argument"]
        turn = state.speaker_turns[turn_index]
        head = ArgumentFrame(
            artifact_id=frame_id(turn_index, number, "head"),
            frame_type="CLAIM",
            spans=[turn.span],
            speaker=turn.speaker,
            turn_index=turn_index,
        )
        frames = [head]
        if task.params["supporters"]:
            support = ArgumentFrame(
                artifact_id=frame_id(turn_index, number, "support"),
                frame_type="SUPPORT",
                spans=[turn.span],
                parent_frame_id=head.artifact_id,
                speaker=turn.speaker,
                turn_index=turn_index,
            )
            head.child_frame_ids.append(support.artifact_id)
            frames.append(support)
        state.argument_frames.extend(frames)
        return done(state, task, *frames)


@primitive(name="LinkClaimToFrame", task="LINK_CLAIM_TO_FRAME", base_cost=1.0)
class LinkClaimToFrame(Primitive):
    """Put a claim into its frame."""

    def execute(self, state: DiscourseState, task: Task) -> OperatorResult:
        part = "head" if task.params["is_head"] else "support"
        frame = state.get_artifact(frame_id(task.params["turn_index"], task.params["argument"], part))
        claim_id = state.claim_ids.get(claim_key(task.params["turn_index"], task.params["claim_index"]))
        claim = state.get_artifact(claim_id) if claim_id else None
        if not isinstance(frame, ArgumentFrame) or not isinstance(claim, AtomicClaim):
            return OperatorResult(status=OperatorStatus.SKIPPED, error="the claim or its frame was not made")
        claim.parent_frame_id = frame.artifact_id
        frame.child_claim_ids.append(claim.artifact_id)
        frame.spans.append(claim.span)
        return done(state, task)


@primitive(name="FinalizeFrame", task="FINALIZE_FRAME", base_cost=1.0)
class FinalizeFrame(Primitive):
    """Say what an argument is: an assertion, a rebuttal of another frame, or support for one."""

    def execute(self, state: DiscourseState, task: Task) -> OperatorResult:
        params = task.params
        turn_index = params["turn_index"]
        frame = state.get_artifact(frame_id(turn_index, params["argument"], "head"))
        if not isinstance(frame, ArgumentFrame):
            return OperatorResult(status=OperatorStatus.SKIPPED, error="the frame was not made")
        for part in (frame, state.get_artifact(frame_id(turn_index, params["argument"], "support"))):
            if isinstance(part, ArgumentFrame):
                part.summary = self._summary(state, part)
        argument = Argument(head=params["head"], supporters=tuple(params["supporters"]))
        leaving = state.readings.relations_leaving(turn_index) if state.readings else {}
        relation = leading_relation(turn_index, argument, leaving)
        parent = self._frame_of(state, *relation.target) if relation else None
        if relation and parent and parent.artifact_id not in (frame.artifact_id, *frame.child_frame_ids):
            frame.frame_type = relation.kind
            frame.parent_frame_id = parent.artifact_id
            parent.child_frame_ids.append(frame.artifact_id)
        return done(state, task)

    def _summary(self, state: DiscourseState, frame: ArgumentFrame) -> str:
        first = state.get_artifact(frame.child_claim_ids[0]) if frame.child_claim_ids else None
        return first.standalone_text if isinstance(first, AtomicClaim) else ""

    def _frame_of(self, state: DiscourseState, turn_index: int, claim_index: int) -> ArgumentFrame | None:
        claim = state.get_artifact(state.claim_ids.get(claim_key(turn_index, claim_index), ""))
        found = state.get_artifact(claim.parent_frame_id or "") if isinstance(claim, AtomicClaim) else None
        return found if isinstance(found, ArgumentFrame) else None
