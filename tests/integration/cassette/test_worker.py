"""Workers on real ledgers: order, outputs, retries, heartbeats, stopping, and what is left when one loses its lease."""

from __future__ import annotations

import datetime as dt
import threading
from itertools import pairwise

import pytest

from ledgers import chained, independent, plan_of, post, statuses, step
from planvow.cassette import StepResult, Worker, WorkerOptions
from planvow.cassette.errors import LedgerUnreachableError, TamperedError
from planvow.cassette.jobs.replan import post_replan, progress
from planvow.cassette.work.heartbeat import Heartbeat
from planvow.contract import Step


def note(context):
    return {"said": context.payload["message"]}


def run(open_store, handlers, **options):
    return Worker(open_store, handlers, WorkerOptions(**options)).run()


def test_a_worker_commits_every_step_in_order_of_dependency(open_store, store):
    job = post(store, chained(5))
    seen = []
    report = run(open_store, {"NOTE": lambda c: seen.append(c.claim.step_id)})
    assert seen == ["s1", "s2", "s3", "s4", "s5"]
    assert (report.committed, report.failed, report.lost) == (5, 0, 0)
    assert store.job(job).state == "committed"


def test_running_again_does_nothing(open_store, store):
    job = post(store, chained(2))
    run(open_store, {"NOTE": note})
    receipts = store.receipts(job)
    assert run(open_store, {"NOTE": note}).committed == 0
    assert store.receipts(job) == receipts


def test_receipts_of_the_same_work_have_the_same_bytes(open_store, store):
    bodies = []
    for request_id in ("a", "b"):
        job = post(store, chained(3, request_id=request_id))
        run(open_store, {"NOTE": note})
        bodies.append([receipt.body for receipt in store.receipts(job)])
    assert bodies[0] == bodies[1]


def test_placeholders_are_filled_from_outputs_and_the_request(open_store, store):
    first = Step(step_id="get", skill="GET", params={"url": "{{input.url}}"}, output_key="page")
    text = "{{page.title}} has {{page.n}}"
    second = Step(
        step_id="show",
        skill="SHOW",
        params={"n": "{{page.n}}", "text": text, "same": "{{get.title}}"},
        depends_on=("get",),
    )
    store.post("run", {"input": {"url": "u"}}, plan_of(first, second))
    shown = []
    handlers = {"GET": lambda c: {"title": c.payload["url"] + "!", "n": 3}, "SHOW": lambda c: shown.append(c.payload)}
    run(open_store, handlers)
    # output_key replaces the step id as the name of an output only when it is given
    assert shown == [{"n": 3, "text": "u! has 3", "same": "u!"}]


def test_a_placeholder_that_nothing_fills_fails_the_step(open_store, store):
    job = post(store, plan_of(Step(step_id="a", skill="NOTE", params={"message": "{{input.url}}"})))
    assert run(open_store, {"NOTE": note}).failed == 1
    (receipt,) = store.receipts(job)
    assert "UNRESOLVED_REFERENCE" in receipt.body["error"]["code"]


def test_a_retryable_error_is_tried_again_up_to_retry_count(open_store, store):
    job = post(store, plan_of(step("a", retry_count=2)))
    attempts = []

    def flaky(context):
        attempts.append(context.claim.attempt)
        raise ConnectionError("no route")

    report = run(open_store, {"NOTE": flaky}, poll_seconds=0.02)
    assert attempts == [1, 2, 3]
    assert (report.failed, report.retried) == (1, 2)
    assert statuses(store, job) == ["FAILED"]


def test_a_permanent_error_is_not_retried_and_aborts_the_job(open_store, store):
    job = post(store, plan_of(step("a", retry_count=5), step("b")))

    def refuse(context):
        raise ValueError("this will never work")

    run(open_store, {"NOTE": refuse})
    assert statuses(store, job) == ["FAILED", "SKIPPED"]
    assert store.receipts(job)[0].body["error"]["message"] == "this will never work"


def test_on_error_continue_runs_the_independent_steps(open_store, store):
    job = post(store, plan_of(step("a", op="BAD", on_error="continue"), step("b", "a"), step("c")))

    def bad(context):
        raise ValueError

    run(open_store, {"NOTE": note, "BAD": bad})
    assert statuses(store, job) == ["FAILED", "SKIPPED", "COMMITTED"]


def test_a_worker_leaves_operations_it_has_no_function_for_and_says_which(open_store, store):
    job = post(store, plan_of(step("a", op="NOTTE"), step("b"), step("c", "a"), step("d", "b", op="FETCH")))
    report = run(open_store, {"NOTE": note})
    assert (report.committed, report.failed) == (1, 0)
    assert report.missing_operations == ("FETCH", "NOTTE")
    assert statuses(store, job) == ["PENDING", "COMMITTED", "PENDING", "PENDING"]
    assert [receipt.fence for receipt in store.receipts(job)] == [1]


def test_two_kinds_of_workers_finish_one_job(open_store, store):
    job = post(store, plan_of(*(step(f"s{n}", op="AB"[n % 2]) for n in range(40))))
    done = {"A": [], "B": []}

    def kind(op):
        return run(open_store, {op: lambda c: done[op].append(c.claim.op)}, until_done=True)

    reports = []
    workers = [threading.Thread(target=lambda op=op: reports.append(kind(op))) for op in "AABB"]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert store.job(job).committed == 40
    assert (set(done["A"]), len(done["A"]), set(done["B"]), len(done["B"])) == ({"A"}, 20, {"B"}, 20)
    assert sum(report.committed for report in reports) == 40


def test_a_worker_waits_for_another_kind_that_is_at_work_before_a_step_of_its_own(open_store, store):
    job = post(store, plan_of(step("b", op="B"), step("a", "b", op="A")))
    claim = store.claim("other", operations={"B"})

    def opened():
        own = open_store()
        own.wait_for_news = lambda _seconds, _stop: store.complete(claim, "SUCCESS")  # when the worker finds nothing
        return own

    report = Worker(opened, {"A": note}).run()
    assert (report.committed, report.missing_operations) == (1, ())
    assert store.job(job).state == "committed"


def test_a_worker_does_not_wait_for_work_of_others_that_leads_to_none_of_its_own(open_store, store):
    post(store, plan_of(step("a", op="B"), step("b", "a", op="B")))
    assert store.claim("other", operations={"B"}) is not None
    assert run(open_store, {"A": note}).missing_operations == ()


def test_a_worker_that_waits_for_new_steps_leaves_foreign_ones_alone(open_store, store):
    job = post(store, plan_of(step("a", op="B"), step("b")))
    stop = threading.Event()
    Worker(open_store, {"NOTE": lambda c: stop.set()}, WorkerOptions(until_done=False), stop=stop).run()
    assert statuses(store, job) == ["PENDING", "COMMITTED"]


def test_an_output_that_is_too_long_to_be_stored_fails_the_step(open_store, store):
    job = post(store, plan_of(step("a")))
    run(open_store, {"NOTE": lambda c: "x" * (1 << 20)})
    assert statuses(store, job) == ["FAILED"]


@pytest.mark.parametrize(
    ("output", "stored", "warnings"),
    [
        ({"at": dt.datetime(2020, 1, 1)}, {"at": {"$type": "datetime", "value": "2020-01-01T00:00:00"}}, 0),
        ([Ellipsis], [{"$type": "text", "of": "ellipsis", "value": "Ellipsis"}], 1),
    ],
)
def test_what_an_operation_gives_never_turns_done_into_failed(open_store, store, output, stored, warnings):
    job = post(store, plan_of(step("a")))
    run(open_store, {"NOTE": lambda c: output})
    assert statuses(store, job) == ["COMMITTED"]
    (receipt,) = store.receipts(job)
    assert receipt.body["output"] == stored
    assert len(receipt.body.get("warnings", ())) == warnings


def test_the_job_budget_holds_over_parallel_workers(open_store, store):
    job = post(store, independent(20, budgets={"max_bytes": 105}))
    handlers = {"NOTE": lambda c: StepResult(bytes_used=10)}
    workers = [threading.Thread(target=lambda: run(open_store, handlers)) for _ in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    job_status = store.job(job)
    assert job_status.committed >= 10  # those that had started when the first was refused may still commit
    assert max(r.bytes_total for r in store.receipts(job)) <= 105


def test_a_heartbeat_keeps_a_long_step(open_store, store):
    job = post(store, independent(1))
    seen = []

    def slow(context):
        with open_store() as own:
            while own.steps(job)[0].lease_expires_at <= context.claim.lease_expires_at:
                threading.Event().wait(0.01)
            seen.append(own.claim("somebody-else"))

    assert run(open_store, {"NOTE": slow}, lease_ms=3_000).committed == 1
    assert seen == [None]


class HeldUp:
    """Opens the ledger, but not before it is let go: a beat that is under way while other things happen."""

    def __init__(self, open_store):
        self.open_store, self.begun, self.let_go = open_store, threading.Event(), threading.Event()

    def __call__(self):
        self.begun.set()
        assert self.let_go.wait(60)
        return self.open_store()


def test_a_heartbeat_stops_although_it_was_told_so_in_the_middle_of_a_beat(open_store, store):
    post(store, independent(1))
    held_up = HeldUp(open_store)
    heartbeat = Heartbeat(held_up, 0)
    with heartbeat.during(store.claim("slow", lease_ms=60_000)):
        assert held_up.begun.wait(60)
    stopping = threading.Thread(target=heartbeat.stop, daemon=True)
    stopping.start()
    while not heartbeat._stopping:
        threading.Event().wait(0.001)
    held_up.let_go.set()
    stopping.join(60)
    assert not stopping.is_alive()


def test_a_heartbeat_goes_on_after_trouble_of_any_kind(open_store, store):
    post(store, independent(1))
    came_through = threading.Event()
    troubles = iter([TamperedError("unreadable for a moment"), LedgerUnreachableError("gone for a moment")])

    def troubled():
        for trouble in troubles:
            raise trouble
        came_through.set()
        return open_store()

    heartbeat = Heartbeat(troubled, 0)
    with heartbeat.during(store.claim("slow", lease_ms=60_000)):
        assert came_through.wait(60)
    heartbeat.stop()


def test_a_beat_that_comes_back_late_does_not_mark_the_next_claim_as_lost(open_store, store):
    post(store, independent(2))
    held_up = HeldUp(open_store)
    heartbeat = Heartbeat(held_up, 0)  # beats at once
    overtaken = store.claim("slow", lease_ms=0)
    with heartbeat.during(overtaken) as first:
        assert held_up.begun.wait(60)
    claims = [store.claim("next", lease_ms=60_000) for _ in range(2)]
    heartbeat._lease_ms = 60_000
    with heartbeat.during(claims[0]) as second:
        held_up.let_go.set()
        assert first.lost.wait(60)
        assert not second.lost.is_set()
    heartbeat.stop()


def test_a_worker_that_lost_its_lease_drops_its_result(open_store, store):
    job = post(store, independent(1))

    def overtaken(context):
        with open_store() as other:
            claim = None
            while claim is None:  # the lease is zero long: the next claim takes the step over
                claim = other.claim("faster", lease_ms=60_000)
            other.complete(claim, "SUCCESS", {"output": "faster"})

    assert run(open_store, {"NOTE": overtaken}, lease_ms=0).lost == 1
    assert [(r.worker_id, r.body) for r in store.receipts(job)] == [("faster", {"output": "faster"})]


def test_a_stopped_worker_finishes_its_step_and_takes_no_other(open_store, store):
    job = post(store, chained(3))
    stop = threading.Event()

    def stopping(context):
        stop.set()

    Worker(open_store, {"NOTE": stopping}, stop=stop).run()
    assert statuses(store, job) == ["COMMITTED", "PENDING", "PENDING"]


def test_a_worker_takes_no_more_steps_than_it_was_told(open_store, store):
    job = post(store, independent(3))
    assert run(open_store, {"NOTE": note}, max_steps=2).committed == 2
    assert statuses(store, job) == ["COMMITTED", "COMMITTED", "PENDING"]


def test_a_step_that_was_taken_ahead_is_handed_back_when_something_goes_wrong_between_two(open_store, store):
    job = post(store, independent(3))

    def full_disk(claim, receipt):
        raise OSError("no room to note the receipt")

    with pytest.raises(OSError, match="no room"):
        Worker(open_store, {"NOTE": note}, on_receipt=full_disk).run()
    assert statuses(store, job) == ["COMMITTED", "PENDING", "PENDING"]


def test_an_interrupted_step_is_handed_back(open_store, store):
    job = post(store, independent(1))

    def interrupted(context):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(open_store, {"NOTE": interrupted})
    assert statuses(store, job) == ["PENDING"]
    assert [r.outcome for r in store.receipts(job)] == ["ABORTED"]


def test_each_step_of_parallel_workers_is_run_once(open_store, store):
    job = post(store, independent(60))
    seen: list[str] = []
    handlers = {"NOTE": lambda c: seen.append(c.claim.step_id)}
    workers = [threading.Thread(target=lambda: run(open_store, handlers, spread=True)) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert sorted(seen) == sorted(store.step_ids(job))
    assert store.job(job).committed == 60


def read_of_jobs(open_store, jobs):
    """Let one worker take the steps of several jobs in turn; return the job of each step and what was read of jobs."""
    seen, read = [], []

    def watched():
        opened = open_store()
        rows = opened.rows
        opened.rows = lambda name, /, **values: (read.append((name, values.get("job_id"))), rows(name, **values))[1]
        return opened

    report = run(watched, {"NOTE": lambda c: seen.append(c.claim.job_id)}, spread=True)
    assert report.committed == len(seen) == 4 * len(jobs)
    return seen, [one for one in read if one[0] in ("request_of_job", "manifest_of_job")]


def test_a_worker_that_takes_jobs_in_turn_reads_each_request_and_manifest_once(open_store, store):
    jobs = [post(store, independent(4, request_id=f"job {number}")) for number in range(3)]
    seen, read = read_of_jobs(open_store, jobs)
    assert sum(one != after for one, after in pairwise(seen)) > len(jobs)
    assert sorted(read) == sorted((name, job) for name in ("request_of_job", "manifest_of_job") for job in jobs)


def test_a_worker_remembers_so_many_jobs_and_no_more(open_store, store, monkeypatch):
    monkeypatch.setattr("planvow.cassette.work.worker.JOBS_REMEMBERED", 1)
    jobs = [post(store, independent(4, request_id=f"job {number}")) for number in range(3)]
    seen, read = read_of_jobs(open_store, jobs)
    changes = 1 + sum(one != after for one, after in pairwise(seen))
    assert len(read) == 2 * changes


def test_a_replacement_plan_is_a_new_job_linked_to_the_old_one(open_store, store):
    job = post(store, plan_of(step("a"), step("b", "a", op="BAD"), step("c", "b")))

    def bad(context):
        raise ValueError("locked")

    run(open_store, {"NOTE": note, "BAD": bad})
    so_far = progress(store, job)
    assert (so_far.committed, so_far.failed, so_far.error["message"]) == ((1,), 2, "locked")
    child = post_replan(store, "run", plan_of(step("b2"), step("c", "b2"), parent_job_id=job), reason="b failed")
    run(open_store, {"NOTE": note})
    assert statuses(store, job) == ["COMMITTED", "FAILED", "SKIPPED"]
    assert statuses(store, child.job_id) == ["COMMITTED", "COMMITTED"]
    assert store.job(child.job_id).parent_job_id == job
    assert store.plans(job_id=child.job_id)[0].request["failed"] == 2


@pytest.mark.parametrize("spoil", [lambda c: c.payload["items"].clear(), lambda c: c.request["input"].clear()])
def test_what_one_step_does_to_its_request_no_other_step_sees(open_store, store, spoil):
    steps = [Step(step_id=name, skill="TAKE", params={"items": "{{input.items}}"}) for name in ("a", "b")]
    store.post("run", {"input": {"items": [1, 2]}}, plan_of(*steps))
    seen = []

    def take(context):
        seen.append(list(context.payload["items"]))
        spoil(context)

    assert run(open_store, {"TAKE": take}).committed == 2
    assert seen == [[1, 2], [1, 2]]
