"""Which steps the database hands out is what the rules of running a plan say, at every moment of random runs."""

from __future__ import annotations

from itertools import count

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ledgers import plan_of, post, statuses, step
from planvow.cassette import Outcome
from planvow.execution import StepStatus, next_steps
from planvow.step import OnError

RUN_STATUS = {
    "PENDING": StepStatus.PENDING, "LEASED": StepStatus.RUNNING, "COMMITTED": StepStatus.SUCCEEDED,
    "FAILED": StepStatus.FAILED, "DEAD": StepStatus.FAILED, "SKIPPED": StepStatus.PENDING,
}  # fmt: skip
"""The ledger's words in those of `planvow.execution`; whether a step had to be skipped is what is asked."""
MANY = 1_000
_numbers = count()


@st.composite
def plans(draw):
    """Up to seven steps, each waiting for some of those before it, and saying what its failure means."""
    steps = []
    for number in range(draw(st.integers(1, 7))):
        earlier = [before.step_id for before in steps]
        needs = draw(st.lists(st.sampled_from(earlier), unique=True, max_size=3)) if earlier else []
        steps.append(step(f"s{number}", *needs, on_error=draw(st.sampled_from(OnError))))
    return steps


REPORTS = st.sampled_from(
    [
        (Outcome.SUCCESS, None),
        (Outcome.SUCCESS, None),
        (Outcome.FAILURE, None),
        (Outcome.FAILURE, 0),  # to be tried again at once
        (Outcome.ABORTED, None),
    ]
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=plans(), data=st.data())
def test_the_steps_that_can_be_claimed_are_the_next_steps_of_the_course(store, steps, data):
    names = [planned.step_id for planned in steps]
    plan = plan_of(*steps, request_id=f"course {next(_numbers)}", max_attempts=dict.fromkeys(names, MANY))
    job = post(store, plan)

    def rules():
        """What may start, what is left out, and whether all is over, by the rules; a skip is theirs to find."""
        return next_steps(steps, {name: RUN_STATUS[word] for name, word in zip(names, statuses(store, job))})

    held = {}
    for _ in range(MANY):
        now = rules()
        claims = store.claim_many("worker", limit=MANY, job_id=job)
        assert [claim.step_id for claim in claims] == sorted(now.ready, key=names.index)
        assert {name for name, word in zip(names, statuses(store, job)) if word == "SKIPPED"} == set(now.skip)
        held |= {claim.step_id: claim for claim in claims}
        assert (not held) == now.finished
        if not held:
            return
        name = data.draw(st.sampled_from(sorted(held)))
        outcome, again = data.draw(REPORTS)
        store.complete(held.pop(name), outcome, {"of": name}, retry_after_ms=again)
    raise AssertionError("the run has no end")
