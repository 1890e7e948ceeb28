"""Relations between propositions: who supports and who attacks what, within a turn and across turns.

There are four ways to draw a relation, and the plainest sign that speaks for it decides which: a side taken in so many
words, two statements that cannot both be so, a connective, and at last the content of both. Each is a method with its
own precondition and cost, so that a relation's `method_path` says what it rests on.
"""

from __future__ import annotations

from planvow.canonical import derived_id
from planvow.debate.artifacts.frame import ArgumentRelation
from planvow.debate.methods.base import OperatorResult, Primitive, claim_key, done, primitive, reading_of
from planvow.debate.state.discourse import DiscourseState
from planvow.debate.terms.language import Basis, RelationReading
from planvow.kernel.perform.task import Task


class _Link(Primitive):
    """Emit one relation of a turn, those shown before those only possible. With an end that nobody asserts it is only
    counted."""

    basis: Basis | None = None

    def preconditions(self, state: DiscourseState, task: Task) -> bool:
        return self.basis is None or self.basis in _relation(state, task)[0].bases

    def execute(self, state: DiscourseState, task: Task) -> OperatorResult:
        found, is_shown = _relation(state, task)
        source = state.claim_ids.get(claim_key(*found.source))
        target = state.claim_ids.get(claim_key(*found.target))
        if source is None or target is None:
            state.relations_left_out += is_shown
            return done(state, task)
        if source == target:
            return done(state, task)
        relation = ArgumentRelation(
            artifact_id=derived_id("relation", [found.kind, source, target]),
            relation_type=found.kind,
            source_claim_id=source,
            target_claim_id=target,
            confidence=found.confidence,
            reasons=found.reasons,
            is_shown=is_shown,
        )
        return done(state, task, relation)


@primitive(name="LinkByStance", task="DETECT_DIALECTIC_RELATION", base_cost=1.0)
class LinkByStance(_Link):
    """Its speaker says that they agree, or that they do not."""

    basis = "stance"


@primitive(name="LinkByContradiction", task="DETECT_DIALECTIC_RELATION", base_cost=2.0)
class LinkByContradiction(_Link):
    """What it says cannot be so together with what the other says."""

    basis = "contradiction"


@primitive(name="LinkByCue", task="DETECT_DIALECTIC_RELATION", base_cost=3.0)
class LinkByCue(_Link):
    """A connective joins it to the other."""

    basis = "cue"


@primitive(name="LinkByContent", task="DETECT_DIALECTIC_RELATION", base_cost=4.0)
class LinkByContent(_Link):
    """Nothing says so in words: where both stand, what kind they are and what they share."""


def _relation(state: DiscourseState, task: Task) -> tuple[RelationReading, bool]:
    reading, place = reading_of(state, task), task.params["relation"]
    shown = len(reading.relations)
    return (reading.relations[place], True) if place < shown else (reading.possible[place - shown], False)
