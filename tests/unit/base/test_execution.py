"""The pure rules of running a plan: order, policies, retries, waits."""

from __future__ import annotations

import random

import pytest

from planvow.contract.plan.attempt import resolve_params, rules_of
from planvow.contract.plan.manifest import RetryRules, Skill
from planvow.errors import InputError, PlanOrderError
from planvow.execution import (
    Course,
    Reaction,
    StepStatus,
    after_failure,
    drive,
    execution_order,
    has_side_effects,
    in_sequence,
    next_steps,
)
from planvow.retry import (
    Backoff,
    ErrorClass,
    Failure,
    backoff_ms,
    classify_code,
    classify_exception,
    classify_http_status,
)
from planvow.step import OnError, Step

DONE, FAILED, SKIPPED, RUNNING = StepStatus.SUCCEEDED, StepStatus.FAILED, StepStatus.SKIPPED, StepStatus.RUNNING


def step(step_id, *depends_on, on_error=OnError.ABORT, retry_count=3, **params):
    return Step(
        step_id=step_id, skill="echo", params=params, depends_on=depends_on, on_error=on_error, retry_count=retry_count
    )


def decide(failed, code, attempt=1, **options):
    return after_failure(failed, Failure(code=code), attempt=attempt, run_id="run-1", **options)


def test_dependencies_come_first_and_the_plan_order_breaks_ties():
    assert execution_order([step("c", "b"), step("d"), step("a"), step("b", "a")]) == ("d", "a", "b", "c")


def test_a_cycle_and_an_unknown_dependency_are_refused_with_the_path():
    with pytest.raises(PlanOrderError, match=r"steps\[0\].depends_on: .*cycle"):
        execution_order([step("a", "b"), step("b", "a")])
    with pytest.raises(PlanOrderError, match=r"steps\[0\].depends_on\[0\]"):
        execution_order([step("a", "nobody")])


@pytest.mark.long
def test_a_hundred_thousand_steps_are_ordered_without_recursion():
    chain = [step("s0"), *(step(f"s{i}", f"s{i - 1}") for i in range(1, 100_000))]
    assert execution_order(chain)[-1] == "s99999"


def test_steps_start_when_everything_they_need_has_succeeded():
    plan = [step("a"), step("b", "a"), step("c")]
    assert next_steps(plan, {}).ready == ("a", "c")
    assert next_steps(plan, {"a": RUNNING, "c": DONE}).ready == ()
    assert next_steps(plan, {"a": DONE}).ready == ("b", "c")


def test_abort_starts_nothing_else():
    plan = [step("a"), step("b", "a"), step("c")]
    now = next_steps(plan, {"a": FAILED})
    assert (now.ready, now.skip, now.aborted_by, now.finished) == ((), ("b", "c"), "a", True)


def naive(steps, statuses):
    """What the rules say, read off the whole plan each time: the oracle of `Course`."""
    by_id = {s.step_id: s for s in steps}
    now = {i: statuses.get(i, StepStatus.PENDING) for i in execution_order(steps)}
    stopped = next((i for i, v in now.items() if v is FAILED and by_id[i].on_error is not OnError.CONTINUE), None)
    ready, skip = [], []
    for i, v in now.items():
        needs = [now[d] for d in by_id[i].depends_on]
        if v is StepStatus.PENDING and (stopped is not None or FAILED in needs or SKIPPED in needs):
            skip.append(i)
            now[i] = SKIPPED
        elif v is StepStatus.PENDING and all(n is DONE for n in needs):
            ready.append(i)
    return tuple(ready), tuple(skip), stopped, not ready and all(v.is_final for v in now.values())


@pytest.mark.parametrize("seed", range(200))
def test_a_course_says_at_every_moment_what_the_rules_say_of_the_whole_plan(seed):
    chance = random.Random(seed)
    steps = [
        step(f"s{i}", *chance.sample([f"s{j}" for j in range(i)], k=min(i, chance.randrange(3))),
             on_error=chance.choice(list(OnError)))
        for i in range(12)
    ]  # fmt: skip
    chance.shuffle(steps)
    statuses = {}

    def attempt(tried, number):
        now = next_steps(steps, statuses)
        assert (now.ready, now.skip, now.aborted_by, now.finished) == naive(steps, statuses)
        assert now.ready[0] == tried.step_id
        bad = chance.random() < 0.3
        statuses[tried.step_id] = FAILED if bad else DONE
        statuses.update(dict.fromkeys(naive(steps, statuses)[1], SKIPPED))
        return Failure(code="AUTH") if bad else None

    course = Course(steps)
    drive(course, attempt, judge=lambda s, f, n: after_failure(s, f, attempt=n, run_id="r"))
    assert course.statuses == statuses
    assert course.is_finished


def test_a_loop_that_does_not_judge_stops_at_the_first_failure():
    tried = []
    course = Course(in_sequence(["a", "b", "c"]))
    drive(course, lambda s, n: tried.append(s.step_id) or (Failure(code="NETWORK") if s.step_id == "b" else None))
    assert (tried, course.stopped_by, course.statuses["c"]) == (["a", "b"], "b", SKIPPED)


def test_an_aborted_run_is_not_finished_while_a_step_still_runs():
    now = next_steps([step("a"), step("b")], {"a": FAILED, "b": RUNNING})
    assert (now.ready, now.aborted_by, now.finished) == ((), "a", False)


def test_continue_runs_independents_and_skips_dependents_of_dependents():
    plan = [step("a", on_error=OnError.CONTINUE), step("b", "a"), step("c", "b"), step("d")]
    now = next_steps(plan, {"a": FAILED})
    assert (now.ready, now.skip, now.aborted_by, now.finished) == (("d",), ("b", "c"), None, False)
    assert next_steps(plan, {"a": FAILED, "b": SKIPPED, "c": SKIPPED, "d": DONE}).finished


@pytest.mark.parametrize("policy", list(OnError))
def test_retryable_errors_are_retried_up_to_retry_count_under_every_policy(policy):
    failing = step("a", on_error=policy, retry_count=2)
    assert [decide(failing, "RATE_LIMITED", attempt=n).reaction for n in (1, 2)] == [Reaction.RETRY] * 2
    last = decide(failing, "RATE_LIMITED", attempt=3)
    assert last.reaction == (Reaction.GO_ON if policy is OnError.CONTINUE else Reaction.STOP_PLAN)
    assert last.reason == "all 3 attempts failed"


def test_no_retries_means_one_attempt_not_none():
    assert decide(step("a", retry_count=0), "TIMEOUT").reason == "all 1 attempts failed"


def test_permanent_errors_are_not_retried():
    for code in ("AUTH_FAILED", "VALIDATION_ERROR", "NOT_FOUND", "PERMANENT", "DISK_FULL"):
        assert decide(step("a", on_error=OnError.RETRY), code).reaction is Reaction.STOP_PLAN


def test_only_the_retry_policy_retries_errors_of_unknown_class():
    assert decide(step("a", on_error=OnError.RETRY), "ODD").reaction is Reaction.RETRY
    assert decide(step("a", on_error=OnError.RETRY), "ODD", attempt=4).reaction is Reaction.STOP_PLAN
    assert decide(step("a"), "ODD").reaction is Reaction.STOP_PLAN
    assert decide(step("a", on_error=OnError.CONTINUE), "ODD").reaction is Reaction.GO_ON


def test_side_effects_without_an_idempotency_key_are_never_run_twice():
    pay = Skill(skill_id="pay", side_effects=True)
    assert decide(step("a"), "TIMEOUT", rules=rules_of(pay)).reaction is Reaction.STOP_PLAN
    assert decide(step("a", idempotency_key="k1"), "TIMEOUT", rules=rules_of(pay)).reaction is Reaction.RETRY
    assert decide(step("a", method="post"), "TIMEOUT").reaction is Reaction.STOP_PLAN
    assert not has_side_effects(step("a", method="GET"))


def test_a_skill_can_name_its_own_retryable_codes_and_cap_the_retries():
    skill = Skill(skill_id="s", retry=RetryRules(retryable_codes=("ODD",), max=1))
    assert decide(step("a"), "ODD", rules=rules_of(skill)).reaction is Reaction.RETRY
    assert decide(step("a"), "ODD", attempt=2, rules=rules_of(skill)).reaction is Reaction.STOP_PLAN


def test_the_wait_doubles_up_to_the_cap_and_its_jitter_is_always_the_same():
    backoff = Backoff(base_ms=100, max_ms=1000)
    waits = [backoff_ms(run_id="r", step_id="s", attempt=n, backoff=backoff) for n in range(1, 7)]
    for wait, full in zip(waits, (100, 200, 400, 800, 1000, 1000), strict=True):
        assert full // 2 <= wait <= full
    assert waits == [backoff_ms(run_id="r", step_id="s", attempt=n, backoff=backoff) for n in range(1, 7)]
    assert waits == [68, 158, 278, 687, 926, 987]  # the same in every process and on every machine
    others = {backoff_ms(run_id="r", step_id=f"s{n}", attempt=6, backoff=backoff) for n in range(50)}
    assert len(others) > 20


def test_an_absurd_attempt_number_costs_nothing_and_stays_under_the_cap():
    assert backoff_ms(run_id="r", step_id="s", attempt=10**9) <= Backoff().max_ms


def test_a_server_that_says_when_to_come_back_is_believed():
    assert backoff_ms(run_id="r", step_id="s", attempt=1, retry_after_ms=90_000) == 90_000


def test_a_backoff_that_makes_no_sense_is_refused():
    with pytest.raises(InputError, match=r"backoff\.base_ms"):
        Backoff(base_ms=-1)


def test_errors_fall_into_classes_by_code_status_and_type():
    assert classify_code("PLANNER_RATE_LIMITED") is ErrorClass.RATE_LIMIT
    assert classify_code(None) is classify_code("what") is ErrorClass.UNKNOWN
    assert [classify_http_status(s) for s in (408, 429, 529, 401, 422, 404, 503, 200)] == [
        ErrorClass.TIMEOUT, ErrorClass.RATE_LIMIT, ErrorClass.RATE_LIMIT, ErrorClass.AUTH, ErrorClass.VALIDATION,
        ErrorClass.CLIENT, ErrorClass.SERVER, ErrorClass.UNKNOWN,
    ]  # fmt: skip
    kinds = [TimeoutError(), ConnectionResetError(), PermissionError(), FileNotFoundError(), MemoryError(), KeyError()]
    assert [classify_exception(e).value for e in kinds] == [
        "timeout", "network", "auth", "client", "resource", "validation",
    ]  # fmt: skip
    assert classify_exception(RuntimeError()) is ErrorClass.UNKNOWN
    assert classify_exception(InputError("x")) is ErrorClass.VALIDATION


def test_the_five_retryable_classes_are_the_ones_the_contract_names():
    assert {c.value for c in ErrorClass if c.is_retryable} == {
        "transient",
        "rate_limit",
        "timeout",
        "network",
        "server",
    }


def test_parameters_are_resolved_with_their_types_kept():
    use = step("b", "a", size="{{a.size}}", text="got {{a.size}} of {{input.name}}")
    assert resolve_params(use, {"a": {"size": 7}}, {"name": "tea"}) == {"size": 7, "text": "got 7 of tea"}
