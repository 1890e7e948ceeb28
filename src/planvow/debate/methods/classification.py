"""The type of a claim: every kind of sign has a method, and the cheapest that applies decides.

The back-end offers readings with their costs (`TypeReading`); a method applies where a reading rests on its kind of
sign, and costs what that reading costs. So the lineage of a claim says what its type rests on, the other readings stay
with it, and where a method fails the next one is tried. A back-end that offers no readings is taken at its word.
"""

from __future__ import annotations

from planvow.debate.artifacts.claim import AtomicClaim
from planvow.debate.methods.base import (
    OperatorResult,
    OperatorStatus,
    Primitive,
    claim_key,
    done,
    primitive,
    reading_of,
)
from planvow.debate.state.discourse import DiscourseState
from planvow.debate.terms.language import ClaimReading, TypeReading
from planvow.debate.terms.taxonomy import ClaimType, claim_type_named
from planvow.kernel.perform.task import Task


def _claim(state: DiscourseState, task: Task) -> AtomicClaim | None:
    claim_id = state.claim_ids.get(claim_key(task.params["turn_index"], task.params["claim_index"]))
    artifact = state.get_artifact(claim_id) if claim_id else None
    return artifact if isinstance(artifact, AtomicClaim) else None


def _found(state: DiscourseState, task: Task) -> ClaimReading:
    index: int = task.params["claim_index"]
    return reading_of(state, task).claims[index]


class _Classify(Primitive):
    def preconditions(self, state: DiscourseState, task: Task) -> bool:
        return _claim(state, task) is not None

    def classify(self, state: DiscourseState, task: Task) -> AtomicClaim:
        """Store what the back-end says about the type, and return the claim."""
        claim = _claim(state, task)
        assert claim is not None  # preconditions
        found = _found(state, task)
        claim.claim_type = claim_type_named(found.claim_type)
        claim.confidence = found.confidence
        claim.reasons = found.reasons
        return claim


class _BySign(_Classify):
    """Takes the reading that rests on one kind of sign."""

    sign: str

    def preconditions(self, state: DiscourseState, task: Task) -> bool:
        return super().preconditions(state, task) and self._reading(state, task) is not None

    def cost(self, state: DiscourseState, task: Task) -> float:
        reading = self._reading(state, task)
        return (self._base_cost if reading is None else reading.cost) + task.depth

    def execute(self, state: DiscourseState, task: Task) -> OperatorResult:
        claim, found, reading = self.classify(state, task), _found(state, task), self._reading(state, task)
        assert reading is not None  # preconditions
        of_role = found.reasons[len(found.types[0].reasons) :]
        claim.claim_type = claim_type_named(reading.claim_type)
        claim.confidence = round(reading.confidence, 4)
        claim.reasons = (*reading.reasons, *of_role)
        claim.method_path = (*claim.method_path, *task.method_path[-1:])
        claim.readings = tuple(
            f"{other.claim_type}: {'; '.join(other.reasons)}"
            for other in found.types
            if other is not reading and other.sign != "none"
        )
        return done(state, task)

    def _reading(self, state: DiscourseState, task: Task) -> TypeReading | None:
        return next((reading for reading in _found(state, task).types if reading.sign == self.sign), None)


@primitive(name="ClassifyByRules", task="CLASSIFY_CLAIM_TYPE", base_cost=10.0)
class ClassifyByRules(_Classify):
    """Take the one type that a back-end gives, UNCLASSIFIED included."""

    def preconditions(self, state: DiscourseState, task: Task) -> bool:
        return super().preconditions(state, task) and not _found(state, task).types

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
        return claim_type_named(_found(state, task).claim_type) is ClaimType.UNCLASSIFIED

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


@primitive(name="ClassifyByReport", task="CLASSIFY_CLAIM_TYPE", base_cost=50.0)
class ClassifyByReport(_BySign):
    """What another said or demanded is a fact, or none."""

    sign = "report"


@primitive(name="ClassifyByFacts", task="CLASSIFY_CLAIM_TYPE", base_cost=50.0)
class ClassifyByFacts(_BySign):
    """It reads like what can be checked."""

    sign = "fact"


@primitive(name="ClassifyByMethodTalk", task="CLASSIFY_CLAIM_TYPE", base_cost=50.0)
class ClassifyByMethodTalk(_BySign):
    """It speaks of how something is known."""

    sign = "method"


@primitive(name="ClassifyByDefinition", task="CLASSIFY_CLAIM_TYPE", base_cost=50.0)
class ClassifyByDefinition(_BySign):
    """It says what a word or thing is."""

    sign = "definition"


@primitive(name="ClassifyByThought", task="CLASSIFY_CLAIM_TYPE", base_cost=50.0)
class ClassifyByThought(_BySign):
    """No record could settle it."""

    sign = "thought"


@primitive(name="ClassifyByOpinion", task="CLASSIFY_CLAIM_TYPE", base_cost=50.0)
class ClassifyByOpinion(_BySign):
    """It opens as an opinion of the speaker's."""

    sign = "opinion"


@primitive(name="ClassifyByWish", task="CLASSIFY_CLAIM_TYPE", base_cost=50.0)
class ClassifyByWish(_BySign):
    """It states a wish."""

    sign = "wish"


@primitive(name="ClassifyByDemand", task="CLASSIFY_CLAIM_TYPE", base_cost=50.0)
class ClassifyByDemand(_BySign):
    """It demands."""

    sign = "demand"


@primitive(name="ClassifyByOutlook", task="CLASSIFY_CLAIM_TYPE", base_cost=50.0)
class ClassifyByOutlook(_BySign):
    """It speaks of what is to come."""

    sign = "outlook"


@primitive(name="ClassifyByStateOfMind", task="CLASSIFY_CLAIM_TYPE", base_cost=50.0)
class ClassifyByStateOfMind(_BySign):
    """It tells how the speaker feels."""

    sign = "state"


@primitive(name="ClassifyByJudgement", task="CLASSIFY_CLAIM_TYPE", base_cost=50.0)
class ClassifyByJudgement(_BySign):
    """It judges."""

    sign = "judgement"


@primitive(name="LeaveAsSaying", task="CLASSIFY_CLAIM_TYPE", base_cost=50.0)
class LeaveAsSaying(_BySign):
    """It is a saying that everybody knows."""

    sign = "saying"


@primitive(name="LeaveUnclassified", task="CLASSIFY_CLAIM_TYPE", base_cost=100.0)
class LeaveUnclassified(_BySign):
    """Nothing speaks for any type."""

    sign = "none"
