"""What every ledger promises, run against each database."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ledgers import chained, independent, plan_of, post, statuses, step
from planvow.canonical import derived_id
from planvow.cassette import Outcome, Source, Wanted
from planvow.cassette.errors import (
    BadOutcomeError,
    IdempotencyConflictError,
    JobBudgetError,
    NotLeasedError,
    ReceiptConflictError,
    StaleFenceError,
    UnknownStepError,
    WrongWorkerError,
)
from planvow.cassette.ledger.chain import receipt_hash
from planvow.errors import InputError


def test_posting_stores_message_plan_job_and_steps_all_pending(store):
    posted = store.post("run", {"hello": "wörld"}, chained(3), source=Source.USER)
    assert posted.created
    assert posted.step_ids == ("s1", "s2", "s3")
    job = store.job(posted.job_id)
    assert (job.steps, job.pending, job.state) == (3, 3, "waiting")
    (record,) = store.plans(run_id="run", request_id="req")
    assert record.request == {"hello": "wörld"}
    assert record.plan == {"steps": ["s1", "s2", "s3"]}
    assert record.message_id == posted.message_id


def test_same_run_and_key_return_the_same_ids_and_write_nothing(store):
    first = store.post("run", {"a": 1}, chained(3), idempotency_key="k")
    before = store.rows("row_counts")
    second = store.post("run", {"a": 1}, chained(3), idempotency_key="k")
    assert (second.message_id, second.job_id, second.step_ids) == (first.message_id, first.job_id, first.step_ids)
    assert not second.created
    assert store.rows("row_counts") == before


def test_same_key_with_another_request_is_a_conflict(store):
    store.post("run", {"a": 1}, chained(1), idempotency_key="k")
    with pytest.raises(IdempotencyConflictError):
        store.post("run", {"a": 2}, chained(1), idempotency_key="k")


def test_a_conflict_leaves_a_ledger_that_goes_on(store):
    """Also after so many posts that a driver keeps their statements ready, and drops them when one is taken back."""
    for number in range(8):
        post(store, independent(1, request_id=f"q{number}"))
    for _ in range(3):
        store.complete(store.claim("w"), "SUCCESS")
    with pytest.raises(IdempotencyConflictError):
        store.post("run", {"another": "request"}, chained(1), idempotency_key="q0")
    assert store.complete(store.claim("w"), "SUCCESS").chain_seq == 1


def test_the_key_defaults_to_the_request_id_and_is_per_run(store):
    a = store.post("run", {"a": 1}, chained(1, request_id="q"))
    b = store.post("run", {"a": 1}, chained(1, request_id="q"))
    c = store.post("other", {"a": 1}, chained(1, request_id="q"))
    assert a.job_id == b.job_id != c.job_id


def test_two_jobs_with_equal_steps_both_get_them(store):
    first = post(store, chained(2, request_id="a"))
    second = post(store, chained(2, request_id="b"))
    assert store.step_ids(first) == store.step_ids(second) == ("s1", "s2")


def test_claims_follow_message_age_then_step_order(store):
    jobs = [post(store, independent(2, request_id=name)) for name in ("third", "first", "second")]
    claims = [store.claim("w") for _ in range(6)]
    assert [(c.job_id, c.ordinal) for c in claims] == [(job, n) for job in jobs for n in (1, 2)]
    assert store.claim("w") is None


def test_spread_claims_go_over_jobs_before_they_go_deeper(store):
    jobs = [post(store, independent(2, request_id=name)) for name in "ab"]
    claims = [store.claim("w", spread=True) for _ in range(4)]
    assert [(c.job_id, c.ordinal) for c in claims] == [(job, n) for n in (1, 2) for job in jobs]


def test_claims_can_be_limited_to_a_run_or_a_job(store):
    a = post(store, independent(2, request_id="a"), run_id="one")
    b = post(store, independent(2, request_id="b"), run_id="two")
    assert store.claim("w", run_id="two").job_id == b
    assert store.claim("w", job_id=b).ordinal == 2
    assert store.claim("w", run_id="two") is None
    assert store.claim("w", run_id="two", job_id=a) is None
    assert store.claim("w", run_id="nobody") is None
    assert [c.ordinal for c in store.claim_many("w", limit=10, run_id="one")] == [1, 2]


def mixed(*operations, **more):
    return plan_of(*(step(f"s{n}", op=op) for n, op in enumerate(operations, 1)), **more)


def test_claims_can_be_limited_to_operations_and_keep_the_order(store):
    first = post(store, mixed("A", "B", "C", request_id="first"))
    second = post(store, mixed("B", "A", request_id="second"))
    assert store.claim("w", operations={"D"}) is None
    assert store.claim("w", operations=set()) is None
    claims = [store.claim("w", operations={"B", "C", "D"}) for _ in range(4)]
    assert [(c.job_id, c.op) for c in claims[:3]] == [(first, "B"), (first, "C"), (second, "B")]
    assert claims[3] is None
    assert [c.op for c in store.claim_many("w", limit=5)] == ["A", "A"]  # None is any


@pytest.mark.parametrize("spread", [False, True])
def test_operations_go_together_with_runs_jobs_and_spreading(store, spread):
    one = post(store, mixed("A", "B", "A", "B", request_id="one"), run_id="one")
    two = post(store, mixed("B", "A", "B", request_id="two"), run_id="two")
    assert store.claim("w", operations={"A"}, run_id="two", spread=spread).job_id == two
    assert store.claim("w", operations={"A"}, run_id="two", spread=spread) is None
    assert store.claim("w", operations={"A"}, job_id=two, spread=spread) is None
    assert store.claim("w", operations={"B"}, job_id=two, run_id="one", spread=spread) is None
    claims = store.claim_many("w", limit=9, operations={"B"}, job_id=two, spread=spread)
    assert [(c.job_id, c.ordinal) for c in claims] == [(two, 1), (two, 3)]
    claims = store.claim_many("w", limit=9, operations={"B", "A"}, run_id="one", spread=spread)
    assert [(c.job_id, c.ordinal) for c in claims] == [(one, n) for n in (1, 2, 3, 4)]


def test_spread_claims_of_some_operations_go_over_jobs_too(store):
    jobs = [post(store, mixed("A", "B", "B", request_id=name)) for name in "ab"]
    claims = [store.claim("w", operations={"B"}, spread=True) for _ in range(4)]
    assert [(c.job_id, c.ordinal) for c in claims] == [(job, n) for n in (2, 3) for job in jobs]


def test_going_on_takes_only_the_operations_that_are_wanted(store):
    post(store, mixed("A", "B", "A"))
    wanted = Wanted(operations=frozenset({"A"}))
    _, following = store.complete_and_claim(store.claim("w", operations={"A"}), "SUCCESS", wanted=wanted)
    assert following.ordinal == 3
    assert store.complete_and_claim(following, "SUCCESS", wanted=wanted)[1] is None
    assert store.claim("w", operations={"B"}).ordinal == 2


def test_an_operation_that_waits_for_another_attempt_hides_no_younger_one(store):
    post(store, mixed("F", "A", "F", "A"))
    claim = store.claim("w", operations={"A"})
    store.complete(claim, "FAILURE", retry_after_ms=3_600_000)
    assert store.claim("w", operations={"A"}).ordinal == 4


STRANGE = ["a,b", '"', "{}", "\\", "NULL", "ä b", "%s", "'"]


def test_operations_with_strange_names_are_told_apart(store):
    post(store, mixed(*STRANGE))
    for name in STRANGE:
        assert store.claim("w", operations={name, "A"}).op == name
    assert store.claim("w") is None


@pytest.mark.parametrize("operations", ["NOTE", ["NOTE"], {"a\nb"}, {""}, {1}])
def test_operations_are_a_set_of_names(store, operations):
    with pytest.raises(InputError):
        store.claim("w", operations=operations)


def test_open_operations_are_those_that_are_ready_and_those_that_may_come(store):
    job = post(store, plan_of(step("a", op="A"), step("b", "a", op="B"), step("c", op="C")))
    other = post(store, plan_of(step("d", op="D"), step("e", "d", op="E"), request_id="other"), run_id="other")
    assert store.open_operations().ready == {"A", "C", "D"}
    assert store.open_operations().coming == set()
    assert store.open_operations(run_id="other").ready == {"D"}
    claim = store.claim("w")
    assert store.open_operations(job_id=job).ready == {"C"}
    assert store.open_operations(job_id=job).coming == {"A", "B", "C"}
    assert store.open_operations(job_id=other).coming == set()
    store.complete(claim, "SUCCESS")
    assert store.open_operations(run_id="run").ready == {"B", "C"}


def test_a_job_has_open_steps_until_it_is_finished(store):
    job = post(store, chained(2))
    assert store.has_open_steps(job_id=job)
    claim = store.claim("w")
    assert store.has_open_steps(run_id="run")
    _, last = store.complete_and_claim(claim, "SUCCESS")
    assert store.has_open_steps()
    store.complete(last, "SUCCESS")
    assert not store.has_open_steps()
    assert not store.has_open_steps(job_id=job)


def test_a_step_waits_for_all_it_depends_on(store):
    job = post(store, plan_of(step("a"), step("b"), step("c", "a", "b")))
    a, b = store.claim("w"), store.claim("w")
    assert store.claim("w") is None
    store.complete(b, Outcome.SUCCESS)
    assert store.claim("w") is None
    store.complete(a, Outcome.SUCCESS)
    assert store.claim("w").step_id == "c"
    assert statuses(store, job) == ["COMMITTED", "COMMITTED", "LEASED"]


def test_a_completion_is_recorded_once_and_may_be_sent_twice(store):
    job = post(store, chained(1))
    claim = store.claim("w")
    receipt = store.complete(claim, "SUCCESS", {"output": {"n": 1.5, "text": "ä"}}, bytes_used=7)
    assert store.complete(claim, "SUCCESS", {"output": {"n": 1.5, "text": "ä"}}, bytes_used=7) == receipt
    assert store.receipts(job) == (receipt,)
    with pytest.raises(ReceiptConflictError):
        store.complete(claim, "SUCCESS", {"output": "other"})
    with pytest.raises(WrongWorkerError):
        store.complete(replace(claim, worker_id="thief"), "SUCCESS", {"output": {"n": 1.5, "text": "ä"}})


def test_a_worker_that_goes_on_gets_the_step_that_its_completion_released(store):
    job = post(store, chained(2))
    receipt, following = store.complete_and_claim(
        store.claim("w"), "SUCCESS", {"output": 1}, wanted=Wanted(run_id="run")
    )
    assert (receipt.chain_seq, receipt.body) == (1, {"output": 1})
    assert (following.step_id, following.worker_id, following.fence) == ("s2", "w", 1)
    last, nothing = store.complete_and_claim(following, Outcome.SUCCESS)
    assert (last.prev_sha256, nothing) == (receipt.sha256, None)
    assert statuses(store, job) == ["COMMITTED", "COMMITTED"]


def test_a_worker_goes_on_only_where_it_wants_to(store):
    other, job = post(store, independent(2)), post(store, independent(2, request_id="b"), run_id="second")
    wanted = Wanted(job_id=job, lease_ms=1_000)
    _, following = store.complete_and_claim(store.claim("w", job_id=other), "SUCCESS", wanted=wanted)
    assert (following.job_id, following.run_id) == (job, "second")
    assert store.complete_and_claim(following, "SUCCESS", wanted=Wanted(run_id="run"))[1].job_id == other


def test_a_refused_completion_leases_nothing(store):
    job = post(store, independent(3))
    claim = store.claim("w")
    with pytest.raises(StaleFenceError):
        store.complete_and_claim(replace(claim, fence=2), "SUCCESS")
    with pytest.raises(BadOutcomeError):
        store.complete_and_claim(claim, "PERHAPS")
    store.complete(claim, "SUCCESS", {"output": 1})
    with pytest.raises(ReceiptConflictError):
        store.complete_and_claim(claim, "SUCCESS", {"output": 2})
    assert statuses(store, job) == ["COMMITTED", "PENDING", "PENDING"]
    again, following = store.complete_and_claim(claim, "SUCCESS", {"output": 1})  # the answer got lost: sent again
    assert (again.chain_seq, following.step_id) == (1, "s2")


def test_receipts_form_a_chain_that_begins_with_the_head_of_the_job(store):
    job = post(store, chained(3))
    for _ in range(3):
        store.complete(store.claim("w"), "SUCCESS", {"output": "x"})
    rows = store.rows("receipts_of_job", job_id=job)
    links = [store.rows("rows_job", job_id=job)[0]["head_sha256"], *(row["sha256"] for row in rows)]
    assert [row["prev_sha256"] for row in rows] == links[:-1]
    assert [receipt_hash(row) for row in rows] == links[1:]


def test_each_reason_to_refuse_a_completion_has_its_own_error(store):
    job = post(store, independent(2))
    claim = store.claim("w", lease_ms=60_000)
    with pytest.raises(BadOutcomeError):
        store.complete(claim, "MAYBE")
    with pytest.raises(UnknownStepError):
        store.complete(replace(claim, ordinal=99), "SUCCESS")
    with pytest.raises(UnknownStepError):
        store.complete(replace(claim, run_id="other"), "SUCCESS")
    with pytest.raises(NotLeasedError):
        store.complete(replace(claim, ordinal=2, fence=0), "SUCCESS")
    with pytest.raises(WrongWorkerError):
        store.complete(replace(claim, worker_id="thief"), "SUCCESS")
    with pytest.raises(StaleFenceError):
        store.complete(replace(claim, fence=7), "SUCCESS")
    assert statuses(store, job) == ["LEASED", "PENDING"]


def test_an_expired_lease_is_found_by_the_next_claim_and_the_token_grows(store):
    post(store, independent(1))
    dead = store.claim("dead", lease_ms=0)
    alive = store.claim("alive", lease_ms=60_000)
    assert (alive.step_id, alive.fence, alive.attempt) == (dead.step_id, dead.fence + 1, 2)
    with pytest.raises(StaleFenceError):
        store.complete(dead, "SUCCESS")
    with pytest.raises(StaleFenceError):
        store.heartbeat(dead)
    store.complete(alive, "SUCCESS")


def test_a_late_completion_counts_while_nobody_else_has_claimed(store):
    job = post(store, independent(1))
    late = store.claim("w", lease_ms=0)
    store.complete(late, "SUCCESS")
    assert statuses(store, job) == ["COMMITTED"]


def test_a_completion_after_the_step_was_put_back_is_refused(store):
    post(store, independent(1))
    late = store.claim("w", lease_ms=0)
    assert store.requeue_expired() == 1
    assert store.requeue_expired() == 0
    with pytest.raises(NotLeasedError):
        store.complete(late, "SUCCESS")


def test_a_heartbeat_prolongs_the_lease_and_never_shortens_it(store):
    post(store, independent(1))
    claim = store.claim("w", lease_ms=1_000)
    longer = store.heartbeat(claim, lease_ms=600_000)
    assert longer > claim.lease_expires_at
    assert store.heartbeat(claim, lease_ms=1_000) == longer
    with pytest.raises(WrongWorkerError):
        store.heartbeat(replace(claim, worker_id="thief"))


def test_a_step_that_kills_its_workers_is_buried_and_its_job_given_up(store):
    job = post(store, plan_of(step("deadly"), step("next", "deadly"), max_attempts={"deadly": 2}))
    for _ in range(2):
        assert store.claim("w", lease_ms=0) is not None
    assert store.claim("w") is None
    assert statuses(store, job) == ["DEAD", "SKIPPED"]
    assert store.job(job).state == "failed"


def test_a_failure_with_abort_skips_everything_that_has_not_started(store):
    job = post(store, plan_of(step("a"), step("b"), step("c"), step("d", "a")))
    a, b = store.claim("w"), store.claim("w")
    store.complete(a, "FAILURE", {"error": {"code": "BOOM"}})
    assert statuses(store, job) == ["FAILED", "LEASED", "SKIPPED", "SKIPPED"]
    store.complete(b, "SUCCESS")
    assert statuses(store, job) == ["FAILED", "COMMITTED", "SKIPPED", "SKIPPED"]
    assert store.claim("w") is None


def test_a_failure_with_continue_skips_only_what_depends_on_it(store):
    steps = [step("a", on_error="continue"), step("b", "a"), step("c", "b"), step("d")]
    job = post(store, plan_of(*steps))
    store.complete(store.claim("w"), "FAILURE")
    assert statuses(store, job) == ["FAILED", "SKIPPED", "SKIPPED", "PENDING"]
    store.complete(store.claim("w"), "SUCCESS")
    assert store.job(job).finished


def test_a_long_chain_behind_a_failure_is_given_up_in_one_go(store):
    first, *rest = chained(1500).steps
    job = post(store, plan_of(replace(first, on_error="continue"), *rest))
    store.complete(store.claim("w"), "FAILURE")
    assert store.job(job).skipped == 1499


def test_a_failure_may_be_tried_again_after_a_while(store):
    job = post(store, plan_of(step("a", retry_count=2)))
    store.complete(store.claim("w"), "FAILURE", retry_after_ms=0)
    again = store.claim("w")
    assert (again.failures, again.attempt, again.fence) == (1, 2, 2)
    store.complete(again, "FAILURE", retry_after_ms=3_600_000)
    assert statuses(store, job) == ["PENDING"]
    assert store.claim("w") is None  # not before its time


def test_an_aborted_step_goes_back_untouched(store):
    job = post(store, independent(1))
    store.complete(store.claim("w"), "ABORTED", {"reason": "stopping"})
    again = store.claim("w")
    assert (again.failures, again.fence) == (0, 2)
    assert [r.outcome for r in store.receipts(job)] == ["ABORTED"]


def test_nothing_starts_again_in_an_aborted_job(store):
    job = post(store, independent(4))
    a, b, c, d = (store.claim("w", lease_ms=0 if n == 3 else 60_000) for n in range(4))
    store.complete(a, "FAILURE")
    store.complete(b, "FAILURE", retry_after_ms=0)
    store.complete(c, "ABORTED")
    assert store.requeue_expired() == 1
    assert statuses(store, job) == ["FAILED", "FAILED", "SKIPPED", "SKIPPED"]
    with pytest.raises(NotLeasedError):
        store.complete(d, "SUCCESS")


def test_the_bytes_of_a_job_are_limited_over_all_its_steps(store):
    job = post(store, plan_of(step("a"), step("b"), budgets={"max_bytes": 10}))
    a, b = store.claim("w"), store.claim("w")
    store.complete(a, "SUCCESS", bytes_used=6)
    with pytest.raises(JobBudgetError):
        store.complete(b, "SUCCESS", bytes_used=5)
    assert statuses(store, job) == ["COMMITTED", "LEASED"]
    assert store.complete(b, "SUCCESS", bytes_used=4).bytes_total == 10


def test_outputs_are_found_by_output_key_and_step_id(store):
    job = post(store, plan_of(step("a", output_key="page"), step("b")))
    for _ in range(2):
        store.complete(store.claim("w"), "SUCCESS", {"output": {"n": 1}})
    assert store.outputs(job) == {"a": {"n": 1}, "page": {"n": 1}, "b": {"n": 1}}


def test_a_child_plan_names_its_parent_which_must_exist(store):
    parent = post(store, chained(1, request_id="a"))
    child = post(store, chained(1, request_id="b", parent_job_id=parent))
    assert store.job(child).parent_job_id == parent
    with pytest.raises(UnknownStepError):
        post(store, chained(1, request_id="c", parent_job_id="job_nowhere"))


def test_a_refused_post_leaves_no_row_behind(store):
    before = store.rows("row_counts")
    with pytest.raises(UnknownStepError):
        post(store, chained(5, parent_job_id="job_nowhere"))
    with pytest.raises(InputError):
        store.post("run", {"big": "x" * (1 << 20)}, chained(1))
    with pytest.raises(InputError):
        store.post("run\x00", {}, chained(1))
    assert store.rows("row_counts") == before


def test_bad_worker_ids_and_sources_are_refused(store):
    with pytest.raises(InputError):
        store.claim('w"; DROP TABLE cassette_messages; --')
    with pytest.raises(ValueError):
        store.post("run", {}, chained(1), source="STRANGER")


def test_ids_derive_from_run_and_key_alone(store):
    one = store.post("run", {"a": 1}, chained(1), idempotency_key="k")
    assert one.message_id == derived_id("msg", ["run", "k"], length=32)
    assert one.job_id == derived_id("job", [one.message_id], length=32)


def test_an_empty_plan_is_a_finished_job(store):
    job = post(store, plan_of())
    assert store.job(job).finished
    assert store.claim("w") is None
