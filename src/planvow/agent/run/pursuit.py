"""Pursues a run: look where it stands, make the one move that follows, look again.

Everything is read from the ledger before each move, so a run goes on wherever and whenever somebody pursues it: this
process after a failure, another one after a crash, several at once.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import cached_property
from typing import Any

from planvow._version import HTN_VERSION
from planvow.agent.errors import DomainChangedError
from planvow.agent.loop.facts import Facts, check_predicates
from planvow.agent.loop.move import Finish, Question, Repair, Wait, Waiting, Work, next_move
from planvow.agent.loop.times import items_left, not_before, started_later
from planvow.agent.loop.world import PlanInHand, World
from planvow.agent.record.asked import Asked, asked_again
from planvow.agent.record.derive import derive, identity_of
from planvow.agent.record.jobs import (
    ANEW,
    ENDED,
    FIRST,
    REST,
    AgentJob,
    Origin,
    agent_steps,
    dossier_for,
    post_job,
    read_run,
)
from planvow.agent.record.lost import lost_calls, note_asked, note_settled, settled_besides
from planvow.agent.record.needs import needs_of
from planvow.agent.record.private import Veil
from planvow.agent.record.tree import mark_done, run_tree
from planvow.agent.record.twice import ask_before_twice
from planvow.agent.record.wanted import Wanted, wanted_repair
from planvow.agent.run.anew import close_off, note_seen, rest_of, seen_besides
from planvow.agent.run.crew import POLL_SECONDS, Crew
from planvow.agent.run.leases import LeaseKeeper
from planvow.agent.run.means import Arrival, Means
from planvow.agent.run.standing import standing_of, world_after
from planvow.agent.run.stepper import Stepper
from planvow.cassette.dossier import Dossier, Needs, hide_arguments
from planvow.cassette.dossier.read import manifest_of
from planvow.cassette.errors import IdempotencyConflictError
from planvow.cassette.ledger.model import Claim, Receipt, StepState, StepStatus
from planvow.cassette.ledger.store import Store
from planvow.cassette.work.attendance import Attendance
from planvow.cassette.work.confidential import filling_for, has_placeholder
from planvow.kernel.answer.planning import solve
from planvow.kernel.answer.result import Result
from planvow.kernel.domain.domain import Domain
from planvow.kernel.repair.acting_step import see
from planvow.kernel.search.problem import Problem
from planvow.kernel.search.table import item_key
from planvow.spans import Span, is_told, span
from planvow.status import Status

Tell = Callable[[str, str, int, str], None]
"""Is told a word, the job, the step (0 for none) and more."""


class Pursuit:
    """One process's pursuit of one run."""

    def __init__(
        self,
        means: Means,
        store: Store,
        run_id: str,
        *,
        stop: threading.Event,
        tell: Tell,
        late: Callable[[], bool],
        replans: bool = False,
        alone: bool = False,
    ) -> None:
        self._replans = replans
        self._means = means
        self._store = store
        self._run_id = run_id
        self._stop = stop
        self._tell = tell
        self._late = late
        alone = alone and means.concurrency == 1
        self._stepper = Stepper(means.tools, means.secrets, means.sense, self._filling, alone)
        self._veil = Veil(means.privacy)
        self._worker_id = means.new_worker_id()
        self._derived: tuple[str, PlanInHand] | None = None
        self._reached: tuple[str, int, World] | None = None

    @property
    def _domain(self) -> Domain:
        assert self._means.domain is not None
        return self._means.domain

    @cached_property
    def _identity(self) -> Mapping[str, Any]:
        return identity_of(self._domain, self._means.tools)

    def begin(self, asked: Asked) -> Arrival | None:
        """Plan what is asked and store it; return the arrival if the search was interrupted: that is not stored."""
        with span("plan htn", {"gen_ai.operation.name": "plan", "planvow.run_id": self._run_id}) as told:
            with span("search"):
                result = solve(asked.problem(self._domain), interrupt=self._interrupted)
            told.set({"planvow.status": result.status.value, "planvow.nodes": result.statistics.iterations})
            return self._post(result, asked, Origin(kind=FIRST), None)

    async def pursue(self) -> Arrival:
        """Make moves until the run is over or waits for somebody."""
        attendance = Attendance(self._worker_id)  # its lock is held from before the first lease until after the last
        attendance.arrive(self._store)
        try:
            return await self._pursue()
        finally:
            attendance.leave(self._store)

    async def _pursue(self) -> Arrival:
        leases = LeaseKeeper(self._means.open_store, self._means.lease_ms)
        questions: tuple[Question, ...] = ()
        self._doubts: tuple[Question, ...] = ()
        try:
            while True:
                jobs = read_run(self._store, self._run_id)
                last = jobs[-1]
                found = await self._found(jobs)
                if isinstance(found, Arrival):
                    return found
                if found is None:
                    continue
                world, receipts = found
                asked = tuple(q for q in questions if q.job_id == last.job_id)
                standing = standing_of(self._store, last, world, receipts, asked, self._means.tools)
                move = next_move(standing, max_repairs=self._means.max_repairs)
                if self._doubts:
                    return self._waiting(self._doubts)
                if isinstance(move, Wait):
                    return self._waiting(move.questions)
                if self._stop.is_set():
                    return Arrival(status=Status.INTERRUPTED, reason="the agent was stopped")
                if isinstance(move, Work):
                    questions = await self._work(last, world, receipts, leases)
                elif await self._settles_lost(last, standing.steps, receipts):
                    continue  # what was found out about them counts for the repair
                elif isinstance(move, Repair):
                    with self._planning(last):
                        arrival = self._repair(jobs, world, move)
                    if arrival is not None:
                        return arrival
                elif move.status.is_success:
                    return Arrival(status=move.status, reason=move.reason)
                else:
                    self._finish(last, move)
        finally:
            leases.stop()

    def _waiting(self, questions: tuple[Question, ...]) -> Arrival:
        """Arrive where only somebody's answer helps, and note which calls nobody knows of."""
        shown = tuple(replace(question, text=self._veil.shown(question.text)) for question in questions)
        for question in shown:
            if question.kind is Waiting.UNKNOWN:
                note_asked(self._store, question.job_id, question.ordinal, question.text)
        return Arrival(status=Status.BLOCKED, reason=shown[0].text, questions=shown)

    def note(self, facts: Facts) -> Arrival | None:
        """Take in what somebody saw besides; a run that had ended is planned anew from there."""
        jobs = read_run(self._store, self._run_id)
        last = jobs[-1]
        check_predicates(facts, last.asked.state, self._domain, place="observed")
        if last.origin.kind != ENDED:
            self._veil.learn_job(self._store, last.job_id)
            note_seen(self._store, last.job_id, facts, self._veil.privacy, self._worker_id)
            return None
        state = last.asked.state
        see(state, facts)
        return self._plan_anew(last, replace(last.asked.problem(self._domain), state=state.snapshot()), "more was seen")

    async def _found(self, jobs: Sequence[AgentJob]) -> tuple[World, tuple[Receipt, ...]] | Arrival | None:
        """Return the world of the latest plan, or where the run has arrived; None where the rest was planned anew."""
        last = jobs[-1]
        wanted = self._wanted(last)
        if wanted is not None:
            return await self._repaired_as_wanted(jobs, wanted)
        if last.origin.kind == ENDED:
            return Arrival(status=Status(last.origin.status or "internal"), reason=last.origin.reason)
        try:
            return self._world(jobs)
        except DomainChangedError as error:
            if not self._replans:
                raise
            return await self._anew(jobs, error.message)

    def _wanted(self, last: AgentJob) -> Wanted | None:
        """Return the repair that a person asked for and that nobody has made; what is done needs none."""
        wanted = wanted_repair(self._store, last.job_id)
        if wanted is None or last.origin.kind == ENDED:
            return wanted
        steps = self._store.steps(last.job_id)
        return None if all(step.status is StepStatus.COMMITTED for step in steps) else wanted

    async def _repaired_as_wanted(self, jobs: Sequence[AgentJob], wanted: Wanted) -> Arrival | None:
        """Plan anew what is left, as a person asked; what failed before may be tried again."""
        last = jobs[-1]
        if any(job.origin.kind != ENDED for job in jobs):
            return await self._anew(jobs, str(wanted), wanted.facts)
        state = last.asked.state
        see(state, wanted.facts)
        return self._plan_anew(last, replace(last.asked.problem(self._domain), state=state.snapshot()), str(wanted))

    async def _anew(self, jobs: Sequence[AgentJob], reason: str, facts: Facts = ()) -> Arrival | None:
        """Plan what is left with the code there is now, from what was observed."""
        last = jobs[-1]
        question = await close_off(self._store, last, self._stepper, self._worker_id, self._means.lease_ms, reason)
        if question is not None:
            return self._waiting((question,))
        items, state, now = rest_of(self._store, jobs)
        see(state, facts)
        asked = replace(last.asked.problem(self._domain), todo=items, state=state.snapshot(), blacklist=frozenset())
        return self._plan_anew(last, not_before(asked, now), reason)

    def _plan_anew(self, last: AgentJob, problem: Problem, reason: str) -> Arrival | None:
        asked = asked_again(problem)
        with self._planning(last):
            result = solve(asked.problem(self._domain), interrupt=self._interrupted)
            return self._post(result, asked, Origin(kind=ANEW, reason=reason, repairs=last.origin.repairs + 1), last)

    def _planning(self, last: AgentJob) -> AbstractContextManager[Span]:
        """Return the span of planning again: below the plan that did not hold, so that a run stays one trace."""
        above = manifest_of(self._store, last.job_id).get("trace") if is_told() else None
        named = {"gen_ai.operation.name": "plan", "planvow.run_id": self._run_id, "planvow.repaired": last.job_id}
        return span("plan htn", named, parent=above)

    def _world(self, jobs: Sequence[AgentJob]) -> tuple[World, tuple[Receipt, ...]]:
        job_id = jobs[-1].job_id
        if self._derived is None or self._derived[0] != job_id:
            self._veil.learn_job(self._store, job_id)
            self._derived = (job_id, derive(jobs[-1], self._domain, self._identity, self._veil.privacy))
            self._veil.learn_state(self._derived[1].result.problem.state)
        receipts = self._store.receipts(job_id)
        besides, settled = seen_besides(self._store, job_id), settled_besides(self._store, job_id)
        if self._reached is not None and not besides and not settled:
            last, seen, world = self._reached
            if last == job_id and seen == (receipts[-1].chain_seq if receipts else 0):
                return world, receipts  # nothing has happened that it does not know
        return world_after(self._store, self._derived[1], receipts, besides, settled), receipts

    async def _work(
        self, job: AgentJob, world: World, receipts: Sequence[Receipt], leases: LeaseKeeper
    ) -> tuple[Question, ...]:
        crew = Crew(
            store=self._store,
            leases=leases,
            stepper=self._stepper,
            world=world,
            run_id=self._run_id,
            job_id=job.job_id,
            worker_id=self._worker_id,
            concurrency=self._means.concurrency,
            lease_ms=self._means.lease_ms,
            tell=lambda word, ordinal, more: self._tell(word, job.job_id, ordinal, more),
            stop=self._stop,
            veil=self._veil,
            chain_seq=receipts[-1].chain_seq if receipts else 0,
        )
        await crew.work()
        self._reached = (job.job_id, crew.chain_seq, world)
        if world.broken is not None:
            await asyncio.sleep(POLL_SECONDS if self._store.has_open_steps(job_id=job.job_id) else 0)
        return tuple(crew.questions.values())

    async def _settles_lost(self, job: AgentJob, steps: Sequence[StepState], receipts: Sequence[Receipt]) -> bool:
        """Find out about calls that were lost with their plan; say whether anything new is known, or must be asked."""
        lost = lost_calls(self._store, job.job_id, steps, receipts)
        for step in lost:
            happened = await self._stepper.find_out(job, step)
            if isinstance(happened, Question):
                self._doubts = (happened,)
                return True
            note_settled(self._store, job.job_id, step.step_id, happened=happened, by=self._worker_id)
        return bool(lost)

    def _repair(self, jobs: Sequence[AgentJob], world: World, move: Repair) -> Arrival | None:
        """Break down anew what failed, or the lowest of what is above it that leads to a plan."""
        tree, _ = run_tree(self._store, jobs)
        mark_done(tree, frozenset(world.done))
        failed = tree.steps[move.ordinal - 1]
        failed.is_done = False  # it may have run, and not brought what it promised
        banned = {item_key(failed.item)} if move.banned else frozenset()
        problem = world.hand.result.problem
        base = replace(problem, state=world.state.snapshot(), blacklist=problem.blacklist | banned)
        base = started_later(base, world.hand.result, world.hand.nodes, world.done - {move.ordinal}, move.ordinal)
        answer, hit = Result(status=Status.NO_PLAN, problem=base), None
        for level, node in enumerate(failed.lineage()):
            if level or not move.banned:
                todo = items_left(tree.agenda(node))
                answer = solve(replace(base, todo=todo), interrupt=self._interrupted)
                hit = hit or answer.hit
                if answer.success or answer.status is Status.INTERRUPTED:
                    break
        if hit is not None and answer.status is Status.NO_PLAN:
            answer = replace(answer, status=Status.BUDGET_EXCEEDED, hit=hit)
        repairs = jobs[-1].origin.repairs + 1
        origin = Origin(
            kind=REST, reason=move.reason, failed=move.ordinal, banned=move.banned, level=level, repairs=repairs
        )
        return self._post(answer, asked_again(answer.problem), origin, jobs[-1])

    def _post(self, result: Result, asked: Asked, origin: Origin, parent: AgentJob | None) -> Arrival | None:
        """Store what planning came to: a plan, or that there is none."""
        if result.status is Status.INTERRUPTED:
            return Arrival(status=Status.INTERRUPTED, reason=result.reason)
        if not result.success:
            reason = result.reason if parent is None else f"{origin.reason}; then {result.reason}"
            self._end(parent, asked, Finish(status=result.status, reason=reason), result)
            return None
        steps = agent_steps(result, self._means.tools, side_by_side=self._means.concurrency > 1)
        needs = needs_of(result.plan, steps, self._means.tools, self._means.policy)
        if parent is not None:
            jobs = read_run(self._store, self._run_id)
            needs = ask_before_twice(needs, self._store, jobs, result, steps, self._means.tools)
        self._veil.learn_state(result.problem.state)
        needs = self._shown_needs(needs, steps)
        job_id = self._store_job(origin, dossier_for(asked, self._identity, result), steps, parent, needs)
        if job_id is not None:
            self._derived = (job_id, PlanInHand(result))
        word = "planned" if parent is None else "repaired"
        count = f"{len(steps)} step{'' if len(steps) == 1 else 's'}"
        self._tell(word, parent.job_id if parent else "", 0, origin.reason or count)
        return None

    def _shown_needs(self, needs: Needs, steps: Sequence[Mapping[str, Any]]) -> Needs:
        """Take in the private arguments of a plan, and return the reasons for asking without them."""
        if not self._veil:
            return needs
        self._veil.learn(hide_arguments(steps, self._veil.privacy)[1].values())
        reasons = {name: self._veil.shown(reason) for name, reason in needs.steps.items()}
        return Needs(plan=needs.plan and self._veil.shown(needs.plan), steps=reasons)

    def _finish(self, last: AgentJob, end: Finish) -> None:
        self._end(last, last.asked, end, None)

    def _end(self, parent: AgentJob | None, asked: Asked, end: Finish, result: Result | None) -> None:
        origin = Origin(
            kind=ENDED,
            reason=end.reason,
            status=end.status.value,
            repairs=parent.origin.repairs if parent is not None else 0,
        )
        dossier = dossier_for(asked, self._identity, result)
        self._store_job(origin, dossier, (), parent, Needs())

    def _store_job(
        self,
        origin: Origin,
        dossier: Dossier,
        steps: Sequence[Mapping[str, Any]],
        parent: AgentJob | None,
        needs: Needs,
    ) -> str | None:
        """Store a job and return its id; None if another agent came first."""
        try:
            posted = post_job(
                self._store,
                self._run_id,
                replace(origin, reason=self._veil.shown(origin.reason)),
                dossier,
                steps,
                needs=needs,
                parent_job_id=None if parent is None else parent.job_id,
                privacy=self._veil.privacy,
                planner=self._planned_by,
            )
        except IdempotencyConflictError:
            if parent is None:
                raise  # this run was begun with another request
            return None  # another agent came first with its own words for it; what it stored is what counts
        return posted.job_id if posted.created else None

    @property
    def _planned_by(self) -> tuple[str, str]:
        planner = self._means.planner
        return ("htn", HTN_VERSION) if planner is None else (planner.planner_id, planner.version)

    def _filling(self, claim: Claim) -> Mapping[str, Any]:
        return filling_for(self._store, claim, {}).values if has_placeholder(claim.payload) else {}

    def _interrupted(self) -> bool:
        return self._stop.is_set() or self._late()
