"""Bookkeeping: who speaks, which scope is open, who and what is mentioned."""

from __future__ import annotations

from planvow.canonical import derived_id
from planvow.debate.methods.base import OperatorResult, OperatorStatus, Primitive, done, primitive, reading_of
from planvow.debate.state.discourse import DiscourseState
from planvow.debate.state.entity import Entity, EntityType
from planvow.debate.state.scope import Scope, ScopeType
from planvow.kernel.perform.task import Task


@primitive(name="RegisterSpeakerEntity", task="REGISTER_SPEAKER_ENTITY", base_cost=1.0)
class RegisterSpeakerEntity(Primitive):
    """Make the speaker a PERSON that others can be referring to."""

    def execute(self, state: DiscourseState, task: Task) -> OperatorResult:
        turn = state.speaker_turns[task.params["turn_index"]]
        state.register_entity(
            Entity(
                canonical=turn.speaker_key,
                entity_type=EntityType.PERSON,
                aliases={turn.speaker},
                first_mention_span=turn.span,
                introducing_speaker=turn.speaker,
            )
        )
        return done(state, task)


@primitive(name="RegisterMentions", task="REGISTER_MENTIONS", base_cost=1.0)
class RegisterMentions(Primitive):
    """Note the people, studies and concepts a turn names."""

    def execute(self, state: DiscourseState, task: Task) -> OperatorResult:
        turn = state.speaker_turns[task.params["turn_index"]]
        for found in reading_of(state, task).mentions:
            span = turn.raw_span(*found.span)
            entity_id = state.register_entity(
                Entity(
                    canonical=found.canonical,
                    entity_type=EntityType(found.kind),
                    mention_spans=[span],
                    introducing_speaker=turn.speaker,
                )
            )
            state.mention(entity_id, span, turn.text[found.span[0] : found.span[1]])
        return done(state, task)


@primitive(name="PushScope", task="PUSH_SCOPE", base_cost=1.0)
class PushScope(Primitive):
    """Open a scope."""

    def execute(self, state: DiscourseState, task: Task) -> OperatorResult:
        start, end = task.params["span"]
        kind = ScopeType(task.params["scope_type"])
        state.push_scope(
            Scope(
                scope_id=derived_id("scope", [kind, start, end, task.params["turn_index"]]),
                scope_type=kind,
                span=(start, end),
                speaker=state.speaker_turns[task.params["turn_index"]].speaker,
                parent_id=state.current_scope_id,
            )
        )
        return done(state, task)


@primitive(name="PopScope", task="POP_SCOPE", base_cost=1.0)
class PopScope(Primitive):
    """Close the innermost scope."""

    def preconditions(self, state: DiscourseState, task: Task) -> bool:
        return bool(state.scope_stack)

    def execute(self, state: DiscourseState, task: Task) -> OperatorResult:
        if state.pop_scope() is None:
            return OperatorResult(status=OperatorStatus.FAILED, error="no scope is open")
        return done(state, task)
