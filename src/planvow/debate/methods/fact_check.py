"""Fact-checking of a turn's EMPIRICAL claims, when a fact-checker was passed in and asked for."""

from __future__ import annotations

from planvow.canonical import derived_id
from planvow.debate.artifacts.claim import AtomicClaim
from planvow.debate.artifacts.fact_check import FactCheck
from planvow.debate.methods.base import Compound, OperatorResult, Primitive, compound, done, primitive
from planvow.debate.state.discourse import DiscourseState
from planvow.debate.terms.taxonomy import Route
from planvow.kernel.perform.task import Task


@compound(name="SkipFactCheck", task="FACT_CHECK_TURN_CLAIMS", base_cost=20.0)
class SkipFactCheck(Compound):
    """Nothing to ask or nobody to be asked."""

    def decompose(self, state: DiscourseState, task: Task) -> list[Task]:
        return []


@compound(name="FactCheckTurnClaims", task="FACT_CHECK_TURN_CLAIMS", base_cost=10.0)
class FactCheckTurnClaims(Compound):
    """One task per claim that is routed to fact-checking."""

    def preconditions(self, state: DiscourseState, task: Task) -> bool:
        return bool(task.params.get("enabled")) and state.fact_checker is not None

    def decompose(self, state: DiscourseState, task: Task) -> list[Task]:
        found = []
        for claim in reversed(state.claims):  # the newest claims are this turn's
            if claim.turn_index != task.params["turn_index"]:
                break
            if claim.route is Route.FACT_CHECK:
                found.append(claim)
        found.reverse()
        if state.fact_checks_left is not None:
            state.fact_checks_left_out += max(0, len(found) - state.fact_checks_left)
            found = found[: state.fact_checks_left]
            state.fact_checks_left -= len(found)
        return [Task.create("FACT_CHECK_CLAIM", {"claim_id": c.artifact_id}, c.span, task) for c in found]


@primitive(name="FactCheckClaim", task="FACT_CHECK_CLAIM", base_cost=10.0)
class FactCheckClaim(Primitive):
    """Ask the fact-checker about one claim, in its stand-alone form."""

    def preconditions(self, state: DiscourseState, task: Task) -> bool:
        return state.fact_checker is not None

    def execute(self, state: DiscourseState, task: Task) -> OperatorResult:
        claim = state.get_artifact(task.params["claim_id"])
        assert isinstance(claim, AtomicClaim)  # made by FactCheckTurnClaims
        assert state.fact_checker is not None  # preconditions
        verdict = state.fact_checker.check_claim(claim.standalone_text)
        check = FactCheck(
            artifact_id=derived_id("factcheck", [claim.artifact_id, verdict.status]),
            claim_id=claim.artifact_id,
            status=verdict.status,
            confidence=verdict.confidence,
            summary=verdict.summary,
            sources=verdict.sources,
            urls=verdict.urls,
        )
        return done(state, task, check)
