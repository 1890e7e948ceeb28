"""Works a job: leases steps, runs as many at once as wanted, writes receipts, and stops where the plan no longer holds.

The ledger is used from the loop's own thread, between steps; tools run in the loop or in threads beside it. Every
receipt is one transaction that also leases the next step, so a chain of steps costs one transaction each.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count, repeat
from typing import Any, TypeVar

from planvow.agent.loop.move import Question
from planvow.agent.loop.world import World
from planvow.agent.record.lost import DEVIATION
from planvow.agent.record.private import Veil, seen_in
from planvow.agent.run.leases import LeaseKeeper
from planvow.agent.run.stepper import Ending, Stepper, left_behind, untouched
from planvow.cassette.dossier.read import manifest_of
from planvow.cassette.errors import LeaseError
from planvow.cassette.ledger.model import Claim, Outcome, Receipt, Ticket, Wanted
from planvow.cassette.ledger.notes import PrivateText
from planvow.cassette.ledger.store import Store
from planvow.cassette.operate.requeue import requeue_dead
from planvow.cassette.work.patience import patiently
from planvow.errors import PlanvowError
from planvow.spans import is_told, span

Answer = TypeVar("Answer")
POLL_SECONDS = 0.1
_TICKETS = count(1)  # one row of numbers for the whole process
Tell = Callable[[str, int, str], None]
"""Is told what happened: a word, the step, and more."""


@dataclass
class Crew:
    """The hands of one agent on one job."""

    store: Store
    leases: LeaseKeeper
    stepper: Stepper
    world: World
    run_id: str
    job_id: str
    worker_id: str
    concurrency: int
    lease_ms: int
    tell: Tell
    stop: threading.Event
    veil: Veil
    chain_seq: int
    """How far the receipts of the job are in the world."""
    questions: dict[int, Question] = field(default_factory=dict)
    _running: dict[asyncio.Task[Ending], tuple[Claim, ExitStack]] = field(default_factory=dict)
    _alone: Claim | None = None
    """The step that is to be run when one at a time is wanted."""

    async def work(self) -> None:
        """Run steps until none is left for us, the plan is broken, somebody must be asked, or we are told to stop."""
        self._bury_the_dead()
        self.stepper.trace = manifest_of(self.store, self.job_id).get("trace") if is_told() else None
        try:
            if self._goes_on():
                self._start(self._claim(self.concurrency))
            while True:
                if self._alone is not None:
                    await self._work_alone(self._alone)
                elif self._running:
                    await asyncio.wait(self._running, timeout=None, return_when=asyncio.FIRST_COMPLETED)
                    self._settle()
                elif not self._goes_on() or not self._has_more():
                    break
                else:  # others hold what we wait for, or a retry is not due yet
                    self._bury_the_dead()
                    await asyncio.sleep(POLL_SECONDS)
                    self._catch_up()
                if self._goes_on() and len(self._running) < self.concurrency:
                    self._start(self._claim(self.concurrency - len(self._running)))
        finally:
            self._abandon()
        if self.world.broken is not None and not self.stop.is_set():
            self._break_off()

    def _bury_the_dead(self) -> None:
        """Put back at once what workers of this machine held whose processes have ended."""
        if not any(step.worker_id not in (None, self.worker_id) for step in self.store.steps(self.job_id)):
            return
        for back in self._call(lambda: requeue_dead(self.store, self.worker_id)).put_back:
            self.tell("taken over", back.ordinal, f"{back.worker_id} is dead")

    def _goes_on(self) -> bool:
        return self.world.broken is None and not self.questions and not self.stop.is_set()

    def _has_more(self) -> bool:
        waiting = self._call(lambda: self.store.open_operations(job_id=self.job_id))
        return not self.stepper.tools.keys().isdisjoint(waiting.ready | waiting.coming)

    @cached_property
    def _wanted(self) -> Wanted:
        return Wanted(job_id=self.job_id, operations=frozenset(self.stepper.tools), lease_ms=self.lease_ms)

    def _claim(self, limit: int) -> tuple[Claim, ...]:
        with span("claim", {"planvow.job_id": self.job_id}, parent=self.stepper.trace):
            return self._claimed(limit)

    def _claimed(self, limit: int) -> tuple[Claim, ...]:
        wanted = vars(self._wanted)
        if limit > 1:  # many at once: one by one, the first leases would be old when the last is there
            return self._call(lambda: self.store.claim_many(self.worker_id, limit=limit, **wanted))
        tickets = self._tickets()
        claim = self._call(lambda: self.store.claim(self.worker_id, **wanted, ticket=next(tickets)))
        return () if claim is None else (claim,)

    def _tickets(self) -> Iterator[Ticket]:
        """Yield the tickets of one claim: if its answer gets lost, it is asked for again under the same number."""
        number = next(_TICKETS)
        yield Ticket(number=number)
        yield from repeat(Ticket(number=number, again=True))

    async def _work_alone(self, claim: Claim) -> None:
        """Run steps one after the other, as long as each leads to the next: the way without tasks and waiting lists."""
        following: Claim | None = claim
        while following is not None:
            self._alone = following
            command, receipts = self._begun(following)
            with self.leases.during(following):
                try:
                    ending = await self.stepper.run(following, command, receipts)
                except BaseException:
                    with suppress(PlanvowError):
                        self._record(following, left_behind(following, "it was stopped"))
                    raise
                finally:
                    self._alone = None
                following = self._record(following, ending)

    def _begun(self, claim: Claim) -> tuple[tuple[Any, ...], tuple[Receipt, ...]]:
        """Return what a step is and what became of its earlier attempts."""
        receipts = self._call(lambda: self.store.receipts(self.job_id)) if claim.attempt > 1 else ()
        self.tell("started", claim.ordinal, "")
        return self.world.hand.commands[claim.ordinal - 1], receipts

    def _start(self, claims: tuple[Claim, ...]) -> None:
        if self.concurrency == 1 and claims:
            self._alone = claims[0]
            return
        for claim in claims:
            command, receipts = self._begun(claim)
            hold = ExitStack()
            hold.enter_context(self.leases.during(claim))
            task = asyncio.ensure_future(self.stepper.run(claim, command, receipts))
            self._running[task] = (claim, hold)

    def _settle(self) -> None:
        for task in [task for task in self._running if task.done()]:
            claim, hold = self._running.pop(task)
            with hold:
                if task.cancelled() or task.exception() is not None:  # not the tool's doing: that is an ending
                    self._record(claim, left_behind(claim, "the agent was stopped"))
                    task.result()
                following = self._record(claim, task.result())
            if following is not None:
                self._start((following,))

    def _record(self, claim: Claim, ending: Ending) -> Claim | None:
        """Write a receipt; take in what it says; return the step that was leased with it, if any."""
        if ending.question is not None:
            self.questions[claim.ordinal] = ending.question
        breaks = ending.outcome is Outcome.SUCCESS and bool(ending.facts)  # look at what was seen before going on
        wants_next = self._goes_on() and not breaks and ending.outcome is Outcome.SUCCESS
        body, apart = self.veil.kept(claim.op, ending.body, ending.facts)
        more: dict[str, Any] = {"retry_after_ms": ending.retry_after_ms}
        following: Claim | None = None
        try:
            if wants_next:
                tickets = self._tickets()
                more |= {"wanted": self._wanted}
                receipt, following = self._call(
                    lambda: self._kept_apart(
                        claim, apart, self.store.complete_and_claim, ending.outcome, body, ticket=next(tickets), **more
                    )
                )
            else:
                complete = self.store.complete
                receipt = self._call(lambda: self._kept_apart(claim, apart, complete, ending.outcome, body, **more))
        except LeaseError:
            self.tell("lost", claim.ordinal, "somebody else holds this step now")
            self._catch_up()
            return None
        self._take_in(receipt, ending)
        if following is not None and not self._goes_on():
            self._hand_back(following)
            return None
        return following

    def _kept_apart(
        self, claim: Claim, apart: Sequence[PrivateText], complete: Callable[..., Answer], *said: Any, **more: Any
    ) -> Answer:
        """Write a receipt together with what is kept apart for it."""
        if not apart:
            return complete(claim, *said, **more)
        with self.store.transaction():
            for text in apart:
                self.store.keep_apart(claim.job_id, claim.worker_id, text)
            return complete(claim, *said, **more)

    def _take_in(self, receipt: Receipt, ending: Ending) -> None:
        if receipt.chain_seq != self.chain_seq + 1:
            self._catch_up()  # others wrote receipts in between, in an order that counts
        else:
            self._learn(receipt)
        self._say(receipt, ending)

    def _catch_up(self) -> None:
        for receipt in self._call(lambda: self.store.receipts(self.job_id)):
            if receipt.chain_seq > self.chain_seq:
                self._learn(receipt)

    def _learn(self, receipt: Receipt) -> None:
        self.chain_seq = receipt.chain_seq
        facts = seen_in(self.store, receipt)
        if receipt.outcome is Outcome.SUCCESS:
            self.world.succeeded(receipt.ordinal, facts)
        else:
            self.world.saw(receipt.ordinal, facts)

    def _say(self, receipt: Receipt, ending: Ending) -> None:
        if ending.outcome is Outcome.SUCCESS:
            self.tell("done", receipt.ordinal, "")
        elif ending.outcome is Outcome.FAILURE:
            word = "failed" if ending.retry_after_ms is None else "retried"
            self.tell(word, receipt.ordinal, str(ending.body["error"]["message"]))
        elif ending.question is not None:
            self.tell("asked", receipt.ordinal, ending.question.text)
        if self.world.broken is not None:
            self.tell("deviated", receipt.ordinal, self.world.broken.reason)

    def _hand_back(self, claim: Claim) -> None:
        with suppress(LeaseError):
            ending = untouched(claim, "the agent stopped before it")
            receipt = self._call(lambda: self.store.complete(claim, ending.outcome, ending.body))
            self._take_in(receipt, ending)

    def _break_off(self) -> None:
        """Fail the next step of a plan that no longer holds, before it is run: the ledger gives up the rest with it."""
        broken = self.world.broken
        claims = self._claim(1)
        if not claims or broken is None:
            return
        error = {"code": DEVIATION, "class": "permanent", "message": self.veil.shown(broken.reason)}
        body = {"op": claims[0].op, "step_id": claims[0].step_id, "error": error, "decision": "it was not run"}
        with suppress(LeaseError):
            receipt = self._call(lambda: self.store.complete(claims[0], Outcome.FAILURE, body))
            self._learn(receipt)

    def _abandon(self) -> None:
        """Give up what still runs when the loop is left: what those calls did is unknown."""
        for task, (claim, hold) in list(self._running.items()):
            task.cancel()
            with hold, suppress(PlanvowError):
                ending = task.result() if task.done() and not task.cancelled() else left_behind(claim, "it was stopped")
                body, apart = self.veil.kept(claim.op, ending.body, ending.facts)
                more = {"retry_after_ms": ending.retry_after_ms}
                self._kept_apart(claim, apart, self.store.complete, ending.outcome, body, **more)
        self._running.clear()

    def _call(self, action: Callable[[], Answer]) -> Answer:
        return patiently(action)
