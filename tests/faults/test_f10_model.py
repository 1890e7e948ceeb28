"""F10: random histories on both databases agree with a model of twenty lines.

The machine posts jobs, claims, lets leases run out, completes with the right, an old or a stolen token, repeats
itself, cancels, gives priorities and start times, sets limits, takes steps from workers and tries forbidden updates.
After each step the ledger's states must be the model's; at the end the hashes must hold.
"""

from __future__ import annotations

import itertools
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from fault_lab import fast_folder
from ledgers import plan_of, sqlite_ledger, step
from planvow.cassette.errors import EndedAlreadyError, IdempotencyConflictError, LeaseError
from planvow.cassette.ledger.job_rows import load_job
from planvow.cassette.ledger.schedule import Decider, Limit, Schedule
from planvow.cassette.proof.check_job import check_job
from planvow.cassette.proof.job_parts import parts_of
from postgres_server import postgres_ledger

EXAMPLES = 300
STEPS = 40

FAR = 10**15
SOMEBODY = Decider(made_by="somebody")

_runs = itertools.count(1)


class Step:
    """What the model knows of one step."""

    def __init__(self, name, needs, on_error, max_attempts, limited):
        self.name, self.needs, self.on_error, self.max_attempts = name, needs, on_error, max_attempts
        self.limited, self.asleep = limited, False
        self.status, self.fence, self.expired, self.done_with = "PENDING", 0, False, {}


class Machine(RuleBasedStateMachine):
    store = None

    @initialize()
    def begin(self):
        self.run_id = f"run {next(_runs)}"
        self.jobs = {}
        self.priorities = {}
        self.cancelled = set()
        self.limits = {}
        self.moments = itertools.count(1)
        self.claims = []

    @property
    def names(self):
        """An operation and a key that no other history has: leases of others count for theirs."""
        return {"operation": f"OP {self.run_id}", "key": f"key {self.run_id}"}

    @rule(
        shape=st.lists(
            st.tuples(
                st.sets(st.integers(0, 3)),
                st.sampled_from(["abort", "continue"]),
                st.integers(1, 3),
                st.sets(st.sampled_from(["operation", "key"])),
            ),
            min_size=1,
            max_size=4,
        ),
        priority=st.sampled_from([None, 0, 1]),
    )
    def post(self, shape, priority):
        steps = []
        for n, (needs, on_error, attempts, limited) in enumerate(shape):
            steps.append(Step(f"s{n}", [f"s{m}" for m in sorted(needs) if m < n], on_error, attempts, limited))
        request = f"q{len(self.jobs)}"
        ops = {s.name: self.names["operation"] if "operation" in s.limited else "NOTE" for s in steps}
        plan = plan_of(
            *(step(s.name, *s.needs, op=ops[s.name], on_error=s.on_error) for s in steps),
            max_attempts={s.name: s.max_attempts for s in steps},
            request_id=request,
        )
        keys = {s.name: self.names["key"] for s in steps if "key" in s.limited}
        schedule = Schedule(priority=priority, keys=keys) if keys or priority is not None else None
        posted = self.store.post(self.run_id, {"q": request}, plan, schedule=schedule)
        assert posted.created
        self.jobs[posted.job_id] = {s.name: s for s in steps}
        self.priorities[posted.job_id] = priority or 0
        assert self.store.post(self.run_id, {"q": request}, plan).job_id == posted.job_id
        with pytest.raises(IdempotencyConflictError):
            self.store.post(self.run_id, {"q": "other"}, plan)

    def steps(self):
        return [(job, s) for job, steps in self.jobs.items() for s in steps.values()]

    def give_up(self, job, failed):
        lost = {failed.name}
        for s in self.jobs[job].values():  # in order: what a step needs stands before it
            if s.status == "PENDING" and (failed.on_error != "continue" or lost & set(s.needs)):
                s.status = "SKIPPED"
                lost.add(s.name)

    def aborted(self, job):
        return any(s.status in ("FAILED", "DEAD") and s.on_error != "continue" for s in self.jobs[job].values())

    def expire(self, taken=None):
        """Put back what has run out, or what is taken from its worker."""
        for job, s in self.steps():
            if s.status == "LEASED" and (s.expired if taken is None else (job, s.name, s.fence) in taken):
                s.expired = False
                if job in self.cancelled:
                    s.status = "CANCELLED"
                elif self.aborted(job):
                    s.status = "SKIPPED"
                elif s.fence >= s.max_attempts:
                    s.status = "DEAD"
                    self.give_up(job, s)
                else:
                    s.status = "PENDING"

    def ready(self):
        leased = [s for _, s in self.steps() if s.status == "LEASED"]
        running = {scope: sum(scope in s.limited for s in leased) for scope in self.names}
        full = {scope for scope, most in self.limits.items() if running[scope] >= most}
        found = [
            (job, s)
            for job, s in self.steps()
            if s.status == "PENDING"
            and not s.asleep
            and not s.limited & full
            and all(self.jobs[job][n].status == "COMMITTED" for n in s.needs)
        ]
        return sorted(found, key=lambda pair: -self.priorities[pair[0]])

    @rule(worker=st.sampled_from("abc"), dead=st.booleans())
    def claim(self, worker, dead):
        claim = self.store.claim(worker, run_id=self.run_id, lease_ms=0 if dead else 3_600_000)
        self.expire()
        ready = self.ready()
        if not ready:
            assert claim is None
            return
        job, s = ready[0]
        s.status, s.fence, s.expired = "LEASED", s.fence + 1, dead
        assert (claim.job_id, claim.step_id, claim.fence, claim.worker_id) == (job, s.name, s.fence, worker)
        self.claims.append(claim)

    @precondition(lambda self: self.claims)
    @rule(data=st.data(), outcome=st.sampled_from(["SUCCESS", "FAILURE", "ABORTED"]), again=st.booleans())
    def complete(self, data, outcome, again):
        claim = data.draw(st.sampled_from(self.claims))
        s = self.jobs[claim.job_id][claim.step_id]
        delay = 0 if outcome == "FAILURE" and again else None
        sent = (outcome, delay)
        held = s.status == "LEASED" and s.fence == claim.fence
        if not held and s.done_with.get(claim.fence, (None,))[0] != outcome:
            with pytest.raises(LeaseError):
                self.store.complete(claim, outcome, retry_after_ms=delay)
            return
        receipt = self.store.complete(claim, outcome, retry_after_ms=delay)
        assert receipt.fence == claim.fence
        if not held:
            return  # the same completion again: the stored receipt, nothing changes
        s.done_with[claim.fence] = sent
        s.expired = False
        aborted = self.aborted(claim.job_id)
        if outcome == "SUCCESS":
            s.status = "COMMITTED"
        elif claim.job_id in self.cancelled and (outcome == "ABORTED" or delay is not None):
            s.status = "CANCELLED"
        elif outcome == "ABORTED":
            s.status = "SKIPPED" if aborted else "PENDING"
        elif delay is not None and not aborted:
            s.status = "PENDING"
        else:
            s.status = "FAILED"
            self.give_up(claim.job_id, s)

    @precondition(lambda self: self.claims)
    @rule(data=st.data(), change=st.sampled_from([{"worker_id": "thief"}, {"fence": 99}, {"fence": 0}]))
    def steal(self, data, change):
        claim = replace(data.draw(st.sampled_from(self.claims)), **change)
        with pytest.raises(LeaseError):
            self.store.complete(claim, "SUCCESS", {"stolen": True})
        with pytest.raises(LeaseError):
            self.store.heartbeat(claim)

    @precondition(lambda self: self.claims)
    @rule(data=st.data())
    def heartbeat(self, data):
        claim = data.draw(st.sampled_from(self.claims))
        s = self.jobs[claim.job_id][claim.step_id]
        if s.status == "LEASED" and s.fence == claim.fence:
            self.store.heartbeat(claim, lease_ms=3_600_000)
            s.expired = False
        else:
            with pytest.raises(LeaseError):
                self.store.heartbeat(claim)

    def is_open(self, job):
        return any(s.status in ("PENDING", "LEASED") for s in self.jobs[job].values())

    @precondition(lambda self: self.jobs)
    @rule(data=st.data())
    def cancel(self, data):
        job = data.draw(st.sampled_from(list(self.jobs)))  # in the order of posting: ids differ each time
        if not self.is_open(job):
            with pytest.raises(EndedAlreadyError):
                self.store.cancel(job, SOMEBODY)
            return
        self.store.cancel(job, SOMEBODY)
        self.cancelled.add(job)
        for s in self.jobs[job].values():
            s.status = "CANCELLED" if s.status == "PENDING" else s.status

    @precondition(lambda self: self.jobs)
    @rule(data=st.data(), priority=st.sampled_from([None, -1, 0, 2]), later=st.sampled_from([None, False, True]))
    def schedule(self, data, priority, later):
        job = data.draw(st.sampled_from(list(self.jobs)))
        moment = next(self.moments) + (FAR if later else 0)
        schedule = Schedule(priority=priority, starts_at=None if later is None else moment)
        if not self.is_open(job):
            with pytest.raises(EndedAlreadyError):
                self.store.schedule(job, schedule, SOMEBODY)
            return
        self.store.schedule(job, schedule, SOMEBODY)
        self.priorities[job] = self.priorities[job] if priority is None else priority
        for s in self.jobs[job].values():
            if later is not None and s.status == "PENDING":
                s.asleep = later

    @rule(scope=st.sampled_from(["operation", "key"]), at_once=st.sampled_from([None, 1, 2]))
    def limit(self, scope, at_once):
        self.store.set_limit(Limit(scope=scope, name=self.names[scope], at_once=at_once), SOMEBODY)
        self.limits.pop(scope, None)
        if at_once is not None:
            self.limits[scope] = at_once

    @rule(worker=st.sampled_from("abc"))
    def take_from(self, worker):
        held = {(c.job_id, c.step_id, c.fence) for c in self.claims if c.worker_id == worker}
        self.store.requeue_of([worker], SOMEBODY)
        self.expire(held)

    @rule()
    def requeue(self):
        self.store.requeue_expired()
        self.expire()

    @precondition(lambda self: self.jobs)
    @rule(data=st.data(), status=st.sampled_from(["PENDING", "COMMITTED", "FAILED", "DEAD"]))
    def vandalise(self, data, status):
        job = data.draw(st.sampled_from(sorted(self.jobs)))
        forbidden = f"UPDATE cassette_step_states SET status = '{status}', fence = fence + 7 WHERE job_id = '{job}'"
        with pytest.raises(Exception, match="cassette"):
            self.store._connection.execute(forbidden)

    @invariant()
    def the_ledger_is_in_the_state_of_the_model(self):
        for job, steps in getattr(self, "jobs", {}).items():
            found = {s.step_id: (s.status.value, s.fence) for s in self.store.steps(job)}
            assert found == {s.name: (s.status, s.fence) for s in steps.values()}

    def teardown(self):
        for job in getattr(self, "jobs", {}):
            assert list(check_job(parts_of(load_job(self.store, job)))) == []
        for _, s in self.steps() if hasattr(self, "jobs") else []:
            s.expired = False
        if hasattr(self, "jobs"):
            self.store.requeue_expired()
            self.store.requeue_of(list("abc"), SOMEBODY)
            for scope in self.limits:
                self.store.set_limit(Limit(scope=scope, name=self.names[scope]), SOMEBODY)


def run_machine(store, examples: int) -> None:
    machine = type("BoundMachine", (Machine,), {"store": store})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=examples,
            stateful_step_count=STEPS,
            deadline=None,
            database=None,
            derandomize=True,
            phases=[Phase.generate],  # a failing history is shown as found: making it smaller takes minutes
            suppress_health_check=list(HealthCheck),
        ),
    )


def open_one(kind, folder):
    return sqlite_ledger(Path(folder)) if kind == "sqlite" else postgres_ledger()


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_f10_random_histories_agree_with_the_model(kind, fault_table):
    with tempfile.TemporaryDirectory(dir=fast_folder()) as folder, open_one(kind, folder) as store:
        run_machine(store, EXAMPLES)
    fault_table.add(f"F10 model on {kind}", f"{EXAMPLES} histories of up to {STEPS} moves", violations=0)


def test_control_a_ledger_that_accepts_stale_tokens_is_caught(tmp_path):
    with sqlite_ledger(tmp_path) as store:
        plain = store._complete

        def careless(claim, completion):
            try:
                return plain(claim, completion)
            except LeaseError:
                return (
                    replace(store.receipts(claim.job_id)[0], fence=claim.fence)
                    if store.receipts(claim.job_id)
                    else None
                )

        store._complete = careless
        with pytest.raises((AssertionError, AttributeError, pytest.fail.Exception)):
            run_machine(store, 100)
