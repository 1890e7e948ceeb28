"""What operators decide, on both databases: cancelling, priorities, start times, limits, putting back, asking again."""

from __future__ import annotations

import threading

import pytest

from ledgers import chained, independent, plan_of, post, sqlite_ledger, statuses, step
from planvow.cassette import Worker, WorkerOptions
from planvow.cassette.errors import AmbiguousIdError, EndedAlreadyError, NotLeasedError, UnknownStepError
from planvow.cassette.ledger.model import Ticket
from planvow.cassette.ledger.schedule import Decider, Limit, Presence, Schedule
from planvow.cassette.operate.look import find, view_job
from planvow.cassette.operate.requeue import requeue_dead
from planvow.cassette.proof.bundle import export_run, verify_bundle
from planvow.cassette.proof.seal import seal_run
from planvow.cassette.proof.verify import verify_ledger
from planvow.cassette.work.attendance import Attendance, lock_path, this_boot
from planvow.errors import InputError
from postgres_server import postgres_ledger

ANN = Decider(made_by="ann", why="a test")


@pytest.fixture(params=["sqlite", "postgres"])
def open_store(request, tmp_path):
    if request.param == "sqlite":
        return lambda: sqlite_ledger(tmp_path)
    with postgres_ledger() as first:
        schema = first.schema
    return lambda: postgres_ledger(schema)


@pytest.fixture
def store(open_store):
    with open_store() as opened:
        yield opened
        assert verify_ledger(opened).faults == ()


# Cancelling.


def test_what_waits_in_a_cancelled_job_is_never_claimed_and_who_and_why_stay(store):
    job = post(store, chained(3))
    done = store.cancel(job, ANN)
    assert (done.cancelled, done.running) == (3, 0)
    assert statuses(store, job) == ["CANCELLED"] * 3
    assert store.claim("w") is None
    assert store.job(job).state == "cancelled"
    action = store.actions(job)[0]
    assert (action.kind, action.made_by, action.why) == ("CANCEL", "ann", "a test")
    with pytest.raises(EndedAlreadyError):
        store.cancel(job, ANN)


@pytest.mark.parametrize(
    ("outcome", "more", "end"),
    [
        ("SUCCESS", {}, "COMMITTED"),  # what was done is done
        ("ABORTED", {}, "CANCELLED"),
        ("FAILURE", {"retry_after_ms": 0}, "CANCELLED"),
        ("FAILURE", {}, "FAILED"),
    ],
)
def test_a_step_that_runs_when_its_job_is_cancelled_ends_with_its_report(store, outcome, more, end):
    job = post(store, chained(2))
    claim = store.claim("w")
    assert store.cancel(job, ANN).running == 1
    assert store.job(job).state == "cancelling"
    store.complete(claim, outcome, **more)
    assert statuses(store, job) == [end, "CANCELLED"]
    assert store.claim("w") is None


def test_a_step_whose_worker_dies_after_the_cancelling_ends_as_cancelled(store):
    job = post(store, independent(1))
    store.claim("dead", lease_ms=0)
    store.cancel(job, ANN)
    assert store.requeue_expired() == 1
    assert statuses(store, job) == ["CANCELLED"]


def test_a_worker_hears_that_its_job_was_cancelled_and_gives_the_step_up(open_store, store):
    job = post(store, independent(1))
    begun = threading.Event()

    def long(context):
        begun.set()
        assert context.lease_lost.wait(60)
        raise RuntimeError("told to stop")

    def cancel():
        begun.wait(60)
        with open_store() as own:
            own.cancel(job, ANN)

    other = threading.Thread(target=cancel)
    other.start()
    report = Worker(open_store, {"NOTE": long}).run()
    other.join()
    assert (report.cancelled, report.failed) == (1, 0)
    assert statuses(store, job) == ["CANCELLED"]


def test_a_cancelled_job_can_be_sealed_exported_and_its_decisions_are_covered(store):
    job = post(store, independent(2))
    store.cancel(job, ANN)
    seal_run(store, "run")
    assert verify_ledger(store).accepted
    bundle = export_run(store, "run")
    assert verify_bundle(bundle).accepted
    bundle["jobs"][0]["actions"][0]["why"] = "something else"
    messages = [fault.message for fault in verify_bundle(bundle).faults]
    assert f"{job} is not what was sealed" in messages


def test_verify_finds_a_step_that_was_cancelled_by_nobody(store):
    job = post(store, independent(1))
    store.cancel(job, ANN)
    bundle = export_run(store, "run")
    bundle["jobs"][0]["actions"] = []
    assert any("nobody decided" in fault.message for fault in verify_bundle(bundle).faults)


# Priorities and start times.


def test_the_highest_priority_goes_first_and_can_be_changed(store):
    jobs = [post(store, independent(2, request_id=f"q{n}")) for n in range(3)]
    urgent = store.post("run", {}, independent(1, request_id="urgent"), schedule=Schedule(priority=5)).job_id
    assert store.claim("w").job_id == urgent
    assert store.schedule(jobs[2], Schedule(priority=7), ANN) == 2
    assert [store.claim("w").job_id for _ in range(2)] == [jobs[2]] * 2
    store.schedule(jobs[0], Schedule(priority=-1), ANN)
    assert store.claim("w").job_id == jobs[1]
    assert store.claim("w", job_id=jobs[0]).job_id == jobs[0]
    assert store.job(jobs[0]).priority == -1


def test_a_plan_has_the_same_hash_whatever_its_priority(store):
    plain = store.post("a", {}, independent(1))
    urgent = store.post("b", {}, independent(1), schedule=Schedule(priority=9))
    assert plain.plan_hash == urgent.plan_hash


def test_a_job_does_not_start_before_its_time(store):
    now = store.now_ms()
    later = store.post("run", {}, chained(2, request_id="later"), schedule=Schedule(starts_at=now + 3_600_000)).job_id
    job = post(store, independent(1))
    assert store.claim("w").job_id == job
    assert store.claim("w") is None
    assert store.claim("w", job_id=later) is None
    store.schedule(later, Schedule(starts_at=now - 1), ANN)
    claim = store.claim("w")
    assert claim.job_id == later
    store.complete(claim, "SUCCESS")
    assert store.claim("w").ordinal == 2


def test_a_start_that_has_come_lets_the_step_be_claimed(store):
    job = store.post("run", {}, independent(3), schedule=Schedule(starts_at=store.now_ms() + 50)).job_id
    stop = threading.Event()
    while (claim := store.claim("w")) is None:
        stop.wait(0.01)
    assert claim.job_id == job


def test_a_worker_that_ends_says_what_may_not_start_yet(open_store, store):
    store.post("run", {}, independent(1), schedule=Schedule(starts_at=store.now_ms() + 3_600_000))
    report = Worker(open_store, {"NOTE": lambda _c: None}).run()
    assert (report.committed, report.later_operations) == (0, ("NOTE",))


# Limits.


def test_so_many_of_an_operation_run_at_once_whoever_asks(open_store, store):
    post(store, independent(5))
    store.set_limit(Limit(scope="operation", name="NOTE", at_once=2), ANN)
    claims = [store.claim("a"), store.claim("b")]
    with open_store() as other:
        assert other.claim("c") is None
        assert other.claim("c", operations={"NOTE"}) is None
        store.complete(claims[0], "SUCCESS")
        assert other.claim("c") is not None
        assert other.claim("c") is None
    store.set_limit(Limit(scope="operation", name="NOTE"), ANN)
    assert store.claim("d") is not None
    assert [action.kind for action in store.actions()] == ["LIMIT", "LIMIT"]


def test_so_many_of_an_operation_begin_in_any_minute(store):
    post(store, independent(5))
    store.set_limit(Limit(scope="operation", name="NOTE", per_minute=3), ANN)
    for _ in range(3):
        store.complete(store.claim("w"), "SUCCESS")
    assert store.claim("w") is None
    assert store.limits()[0].begun == 3
    store.set_limit(Limit(scope="operation", name="NOTE", per_minute=4), ANN)
    assert store.claim("w") is not None
    assert store.claim("w") is None
    assert 0 < store.next_due_in() <= 60


def test_keys_are_limited_each_by_itself_or_all_alike(store):
    keys = {"s1": "x", "s2": "x", "s3": "y", "s4": "y"}
    store.post("run", {}, independent(5), schedule=Schedule(keys=keys))
    store.set_limit(Limit(scope="key", name="*", at_once=1), ANN)
    assert [store.claim("w").step_id for _ in range(3)] == ["s1", "s3", "s5"]
    assert store.claim("w") is None
    store.set_limit(Limit(scope="key", name="y", at_once=2), ANN)
    assert store.claim("w").step_id == "s4"
    assert store.claim("w") is None


def test_an_operation_and_a_key_are_both_kept(store):
    plan = plan_of(step("a1", op="A"), step("a2", op="A"), step("b1", op="B"), step("b2", op="B"))
    store.post("run", {}, plan, schedule=Schedule(keys={"a2": "k", "b1": "k"}))
    store.set_limit(Limit(scope="operation", name="A", at_once=1), ANN)
    store.set_limit(Limit(scope="key", name="k", at_once=1), ANN)
    first = store.claim("w")
    assert first.step_id == "a1"
    assert [store.claim("w").step_id for _ in range(2)] == ["b1", "b2"]  # a2 waits for A and for k
    store.complete(first, "SUCCESS")
    assert store.claim("w") is None  # k is used by b1


def test_a_batch_of_claims_stays_below_the_limit(store):
    post(store, independent(6))
    store.set_limit(Limit(scope="operation", name="NOTE", at_once=4), ANN)
    assert len(store.claim_many("w", limit=6)) == 4


@pytest.mark.parametrize(
    "limit",
    [{"scope": "moon", "name": "x"}, {"scope": "key", "name": ""}, {"scope": "key", "name": "x", "at_once": 0}],
)
def test_a_limit_that_makes_no_sense_is_refused(limit):
    with pytest.raises(InputError):
        Limit(**limit)


# Asking again.


def test_a_claim_that_is_asked_for_again_gives_the_same_step(store):
    post(store, independent(3))
    first = store.claim("w", ticket=Ticket(number=1))
    again = store.claim("w", ticket=Ticket(number=1, again=True))
    assert (again.step_id, again.fence) == (first.step_id, first.fence)
    assert store.claim("v", ticket=Ticket(number=1, again=True)).step_id != first.step_id  # another worker's ticket
    _, following = store.complete_and_claim(first, "SUCCESS", ticket=Ticket(number=2))
    receipt, same = store.complete_and_claim(first, "SUCCESS", ticket=Ticket(number=2, again=True))
    assert (receipt.fence, same) == (first.fence, following)


# Workers and what they leave.


def test_workers_are_listed_while_they_live_and_when_they_have_ended(open_store, store):
    seen = []

    def look(_context):
        seen.extend(store.workers())

    post(store, independent(1))
    Worker(open_store, {"NOTE": look}, WorkerOptions(worker_id="me")).run()
    assert [(worker.worker_id, worker.stopped_at) for worker in seen] == [("me", None)]
    assert store.workers()[0].stopped_at is not None


def test_only_a_worker_whose_lock_is_proved_free_loses_its_step_at_once(store):
    job = post(store, independent(5))
    folder = store.meeting_folder()
    alive, dead = Attendance("alive"), Attendance("dead")
    for attendance in (alive, dead):
        attendance.arrive(store)
    dead._lock._path = folder / "kept"  # the file stays, as after a kill
    dead._lock.release()
    store.worker_seen(Presence(worker_id="far", machine="moon", boot="another start", pid=1))
    store.worker_seen(Presence(worker_id="hidden", machine="here", boot=this_boot(), pid=1))
    for name in ("alive", "dead", "far", "hidden", "nobody"):
        store.claim(name)
    done = requeue_dead(store, "ann")
    assert [(one.worker_id, one.ordinal, one.became) for one in done.put_back] == [("dead", 2, "PENDING")]
    whys = {left.lease.worker_id: left.why for left in done.left}
    assert whys.keys() == {"alive", "far", "hidden", "nobody"}
    assert "lives" in whys["alive"]
    assert "moon" in whys["far"]
    assert "cannot be found" in whys["hidden"]
    assert "never made itself known" in whys["nobody"]
    assert statuses(store, job) == ["LEASED", "PENDING", "LEASED", "LEASED", "LEASED"]
    again = store.claim("new")
    assert (again.ordinal, again.fence) == (2, 2)
    alive.leave(store)
    lock_path(folder, "dead").unlink()


def test_a_step_that_was_put_back_refuses_the_report_of_its_old_worker(store):
    post(store, independent(1))
    claim = store.claim("dead")
    assert [one.became for one in store.requeue_of(["dead"], ANN)] == ["PENDING"]
    with pytest.raises(NotLeasedError):
        store.complete(claim, "SUCCESS")


# Looking.


def test_a_step_is_shown_with_arguments_attempts_and_why_it_failed(open_store, store):
    job = post(store, plan_of(step("a"), step("b", "a")))

    def fail(_context):
        raise ValueError("the disk is purple")

    Worker(open_store, {"NOTE": fail}, WorkerOptions(worker_id="me")).run()
    view = view_job(store, job)
    first, second = view.steps
    assert first.arguments == {"message": "a"}
    assert "the disk is purple" in first.reason
    assert [(attempt.worker_id, attempt.outcome) for attempt in first.attempts] == [("me", "FAILURE")]
    assert (first.needed_by, second.needs, second.state.status) == ((2,), (1,), "SKIPPED")


def test_short_ids_are_taken_and_those_of_several_are_listed(store):
    jobs = [post(store, plan_of(step("a"), step("other"), request_id=f"q{n}")) for n in range(2)]
    assert find(store, jobs[0][:12]).job_id == jobs[0]
    assert find(store, jobs[0][4:14]).job_id == jobs[0]
    assert str(find(store, f"{jobs[1][:12]}/2")) == f"{jobs[1]}/2"
    with pytest.raises(AmbiguousIdError) as caught:
        find(store, "oth")
    assert caught.value.details["candidates"] == [f"{job}/2" for job in jobs]
    with pytest.raises(UnknownStepError):
        find(store, "nothing")
