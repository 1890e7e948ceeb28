"""The blackboard that operators read and change, with everything undoable but what was spent.

Input never changes after the start. All mutable parts are journaled (`Blackboard`), so that a failed operator
leaves no trace; emitted artifacts are append-only for operators (seed 000, section 3).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from planvow.canonical import entity_dedup_key
from planvow.debate.artifacts.base import Artifact
from planvow.debate.artifacts.claim import AtomicClaim
from planvow.debate.artifacts.frame import ArgumentFrame
from planvow.debate.artifacts.resolution import TentativeResolution
from planvow.debate.state.entity import Entity, EntityMention
from planvow.debate.state.helpers import Assistant, FactChecker, Readings
from planvow.debate.state.reference import OpenReference
from planvow.debate.state.scope import SalienceFrame, Scope
from planvow.debate.terms.transcript import SpeakerTurn
from planvow.kernel.perform.journal import Blackboard


@dataclass
class DiscourseState(Blackboard):
    """Everything known about one debate while it is analysed.

    >>> transcript = read_transcript("ANN: Taxes fell.")
    >>> DiscourseState("t", transcript.text, transcript.turns).speaker_turns[0].speaker
    'ANN'
    """

    kept_on_rollback: ClassVar[frozenset[str]] = frozenset({"task_count", "llm_calls", "llm_tokens_used"})

    transcript_id: str
    transcript_text: str
    speaker_turns: Sequence[SpeakerTurn]

    entities: dict[str, Entity] = field(default_factory=dict)
    entity_mentions: list[EntityMention] = field(default_factory=list)

    scope_stack: list[Scope] = field(default_factory=list)
    current_scope_id: str | None = None
    salience: dict[str, SalienceFrame] = field(default_factory=dict)
    global_salience: SalienceFrame = field(default_factory=SalienceFrame)
    scopes: list[Scope] = field(default_factory=list)

    open_references: list[OpenReference] = field(default_factory=list)
    resolved_references: dict[str, TentativeResolution] = field(default_factory=dict)

    argument_frames: list[ArgumentFrame] = field(default_factory=list)
    claims: list[AtomicClaim] = field(default_factory=list)
    claim_ids: dict[str, str] = field(default_factory=dict)
    """Claim id by "turn:claim" of the reading it came from, for relations."""

    _emitted_artifacts: list[Artifact] = field(default_factory=list)
    _artifact_index: dict[str, Artifact] = field(default_factory=dict)

    task_count: int = 0
    llm_calls: int = 0
    llm_tokens_used: int = 0

    readings: Readings | None = None
    assistant: Assistant | None = None
    fact_checker: FactChecker | None = None
    fact_checks_left: int | None = None
    """How many more claims may be fact-checked; None means all."""
    fact_checks_left_out: int = 0
    relations_left_out: int = 0

    def emit_artifact(self, artifact: Artifact) -> str:
        """Emit an artifact once; a second one with the same id changes nothing. Return the id."""
        if artifact.artifact_id not in self._artifact_index:
            self._emitted_artifacts.append(artifact)
            self._artifact_index[artifact.artifact_id] = artifact
        return artifact.artifact_id

    def get_artifact(self, artifact_id: str) -> Artifact | None:
        """Return the artifact with this id."""
        return self._artifact_index.get(artifact_id)

    def collect_artifacts(self) -> list[Artifact]:
        """Return all artifacts in the order they were emitted."""
        return list(self._emitted_artifacts)

    def register_entity(self, entity: Entity) -> str:
        """Register an entity, or add its mentions to the one of the same name. Return the canonical id."""
        key = entity_dedup_key(entity.canonical)
        existing = self.entities.get(key)
        if existing is None:
            entity.entity_id = key
            if entity.first_mention_span is None and entity.mention_spans:
                entity.first_mention_span = entity.mention_spans[0]
            self.entities[key] = entity
        else:
            existing.mention_spans.extend(entity.mention_spans)
            existing.aliases.update(entity.aliases)
        self.boost_salience(key)
        return key

    def mention(self, entity_id: str, span: tuple[int, int], surface_form: str) -> None:
        """Note one place where an entity is named."""
        self.entity_mentions.append(
            EntityMention(entity_id=entity_id, span=span, surface_form=surface_form, scope_id=self.current_scope_id)
        )
        self.boost_salience(entity_id)

    def boost_salience(self, entity_id: str) -> None:
        """Bring an entity to the front of what is in mind in the current scope."""
        scope_id = self.current_scope_id
        frame = self.salience.get(scope_id) if scope_id else None
        (frame or self.global_salience).boost(entity_id)

    def push_scope(self, scope: Scope) -> None:
        """Open a scope."""
        self.scope_stack.append(scope)
        self.scopes.append(scope)
        self.salience[scope.scope_id] = SalienceFrame()
        self.current_scope_id = scope.scope_id

    def pop_scope(self) -> Scope | None:
        """Close the innermost scope; what was salient in it stays in mind outside. Return it, or None."""
        if not self.scope_stack:
            return None
        popped: Scope = self.scope_stack.pop()
        outer = self.scope_stack[-1].scope_id if self.scope_stack else None
        self.current_scope_id = outer
        inner = self.salience.pop(popped.scope_id, None)
        if inner is not None:
            (self.salience[outer] if outer else self.global_salience).absorb(inner)
        return popped

    @property
    def current_speaker(self) -> str | None:
        """Whose scope is open."""
        return self.scope_stack[-1].speaker if self.scope_stack else None

    def register_open_reference(self, ref: OpenReference) -> None:
        """Note a reference that waits to be resolved."""
        self.open_references.append(ref)

    def resolve_reference(self, ref_id: str, resolution: TentativeResolution) -> None:
        """Store what a reference points to; it is no longer open."""
        self.resolved_references[ref_id] = resolution
        for at in range(len(self.open_references) - 1, -1, -1):  # nearly always the newest
            if self.open_references[at].ref_id == ref_id:
                del self.open_references[at]
                break

    def artifacts_of(self, kind: type) -> list[Any]:
        """Return the emitted artifacts of one class, in order."""
        return [artifact for artifact in self._emitted_artifacts if isinstance(artifact, kind)]
