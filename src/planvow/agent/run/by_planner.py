"""Pursues a run whose plans come from a planner of the contract: the same moves, with steps that promise nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from planvow.agent.errors import DomainChangedError
from planvow.agent.loop.facts import Facts
from planvow.agent.loop.move import Finish, Repair
from planvow.agent.record.derive import changed_tools, with_pins
from planvow.agent.record.goals import (
    GoalAsked,
    GoalPlan,
    Progress,
    StepsInHand,
    asked_after,
    done_calls,
    is_goal,
    plan_goal,
    planner_identity,
    without_done,
)
from planvow.agent.record.jobs import ANEW, ENDED, FIRST, REST, AgentJob, Origin
from planvow.agent.record.lost import done_in, settled_besides
from planvow.agent.record.needs import needs_of
from planvow.agent.record.view import commands_of
from planvow.agent.record.wanted import Wanted
from planvow.agent.run.anew import close_off
from planvow.agent.run.means import Arrival
from planvow.agent.run.pursuit import Pursuit
from planvow.cassette.dossier import Dossier, Needs
from planvow.cassette.ledger.model import Claim, Outcome, Receipt
from planvow.contract.interface.interface import PlannerInterface
from planvow.contract.plan.placeholders import INPUT_KEY
from planvow.errors import InputError
from planvow.status import Status

HINT = "resume with the planner it was planned with, or with changed='replan' (--replan)"


class GoalPursuit(Pursuit):
    """One process's pursuit of a run that a planner of the contract plans."""

    @property
    def _planner(self) -> PlannerInterface:
        assert self._means.planner is not None
        return self._means.planner

    @property
    def _identity(self) -> Mapping[str, Any]:
        return with_pins(planner_identity(self._planner), self._means.tools)

    def begin(self, asked: Any) -> Arrival | None:
        """Ask the planner and store its answer."""
        return self._post_goal(plan_goal(self._planner, asked, self._means.tools), Origin(kind=FIRST), None)

    def note(self, facts: Facts) -> Arrival | None:
        raise InputError(
            "a run of a planner takes no observations: nothing in its plan says what they would change",
            place="observed",
            hint="begin a new run with what was seen among the planner's inputs",
        )

    def _world(self, jobs: Sequence[AgentJob]) -> tuple[Any, tuple[Receipt, ...]]:
        job = jobs[-1]
        job.check_kept()
        self._veil.learn_job(self._store, job.job_id)
        if not is_goal(job) or dict(job.dossier.domain) != self._identity:
            then, now = job.dossier.domain, self._identity
            same = (then["name"], then["source"]) == (now["name"], now["source"])
            what = changed_tools(then, now) if same else f"it was planned by {then['name']} {then['source']}"
            raise DomainChangedError(what, hint=HINT)
        progress = Progress(StepsInHand(commands_of(job)))
        receipts = self._store.receipts(job.job_id)
        done = {receipt.ordinal for receipt in receipts if receipt.outcome is Outcome.SUCCESS}
        said = settled_besides(self._store, job.job_id)
        progress.done |= done | {ordinal for ordinal, happened in said.items() if happened}
        return progress, receipts

    def _repair(self, jobs: Sequence[AgentJob], world: Any, move: Repair) -> Arrival | None:
        """Ask again, with what was done and what failed, for a plan without the skill that failed."""
        step = jobs[-1].steps[move.ordinal - 1]
        failed = {"skill": step["skill"], "params": step["params"], "reason": self._veil.shown(move.reason)}
        origin = Origin(kind=REST, reason=move.reason, failed=move.ordinal, banned=True)
        return self._ask_again(jobs, origin, failed)

    async def _repaired_as_wanted(self, jobs: Sequence[AgentJob], wanted: Wanted) -> Arrival | None:
        return await self._anew(jobs, str(wanted))

    async def _anew(self, jobs: Sequence[AgentJob], reason: str, facts: Facts = ()) -> Arrival | None:
        last = jobs[-1]
        if not is_goal(last):
            raise DomainChangedError(reason, hint=HINT)  # what a domain was asked cannot be asked of a planner
        question = await close_off(self._store, last, self._stepper, self._worker_id, self._means.lease_ms, reason)
        if question is not None:
            return self._waiting((question,))
        return self._ask_again(jobs, Origin(kind=ANEW, reason=reason), None)

    def _ask_again(self, jobs: Sequence[AgentJob], origin: Origin, failed: Mapping[str, Any] | None) -> Arrival | None:
        last = jobs[-1]
        planned = [job for job in jobs if job.origin.kind != ENDED]
        done = done_calls(self._store, planned, done_in)
        asked = GoalAsked(asked={**last.dossier.asked, "planner": planner_identity(self._planner)})
        if failed is not None:
            asked = asked_after(asked, done, failed, self._means.tools)
        plan = plan_goal(self._planner, asked, self._means.tools)
        left = without_done(plan.steps, done, asked.asked["input"])
        if failed is not None and any(_same_call(step, failed) for step in left):
            reason = f"{origin.reason}; then the planner answered with the same call"
            plan = replace(plan, status=Status.NO_PLAN, reason=reason, steps=())
        origin = replace(origin, repairs=last.origin.repairs + 1)
        return self._post_goal(replace(plan, steps=left), origin, last)

    def _post_goal(self, plan: GoalPlan, origin: Origin, parent: AgentJob | None) -> Arrival | None:
        if plan.status is not Status.SOLVED:
            reason = plan.reason if parent is None else f"{origin.reason}; then {plan.reason}"
            repairs = parent.origin.repairs if parent is not None else 0
            ended = Origin(kind=ENDED, reason=reason, status=plan.status.value, repairs=repairs)
            self._store_job(ended, plan.dossier, (), parent, Needs())
            return None
        commands = [(step["skill"], *step["params"].values()) for step in plan.steps]
        needs = self._shown_needs(needs_of(commands, plan.steps, self._means.tools, self._means.policy), plan.steps)
        self._store_job(origin, plan.dossier, plan.steps, parent, needs)
        word = "planned" if parent is None else "repaired"
        count = f"{len(plan.steps)} step{'' if len(plan.steps) == 1 else 's'}"
        self._tell(word, parent.job_id if parent else "", 0, origin.reason or count)
        return None

    def _finish(self, last: AgentJob, end: Finish) -> None:
        origin = Origin(kind=ENDED, reason=end.reason, status=end.status.value, repairs=last.origin.repairs)
        self._store_job(origin, Dossier(asked=last.dossier.asked, domain=self._identity), (), last, Needs())

    def _filling(self, claim: Claim) -> Mapping[str, Any]:
        filled = dict(super()._filling(claim))
        if filled:
            filled[INPUT_KEY] = self._store.request(claim.job_id).get(INPUT_KEY, {})
        return filled


def _same_call(step: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return all(step[name] == other[name] for name in ("skill", "params"))
