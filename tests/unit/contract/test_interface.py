"""The contract's boundary: an output or an error value, never an exception."""

from __future__ import annotations

import inspect
import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from planvow.canonical import canonical_bytes, canonical_json
from planvow.contract import (
    DeterminismMode,
    PlannerError,
    PlannerErrorCode,
    PlannerInterface,
    PlannerOutput,
    StubPlanner,
    keeps_contract,
    plan_input_hash,
    safe_plan,
    unwrap,
)
from planvow.contract.errors import InvalidGoalError, PlannerFailedError, RateLimitedError
from planvow.contract.interface.interface import error_for_status
from planvow.errors import BudgetExceededError, ContractViolation
from planvow.status import Status

ECHO = {"agent_id": "a", "goal": "echo hello"}


class OddPlanner:
    """Does whatever the test wants when it is asked."""

    planner_id = "odd"
    version = "0.1.0"

    def __init__(self, act):
        self._act = act

    def get_determinism_mode(self):
        return DeterminismMode.NONE

    @keeps_contract
    def plan(self, inputs):
        return self._act(inputs)


class RudePlanner(OddPlanner):
    """Does not use the decorator, and raises."""

    def plan(self, agent_id, goal, **others):
        return self._act(goal)


def raising(error):
    def act(_):
        raise error

    return act


def one_step(**fields):
    return PlannerOutput(
        plan={"steps": [{"step_id": "s1", "skill": "echo", "params": {}, **fields}]}, deterministic=True
    )


def test_determinism_modes_equal_their_text():
    assert [mode == text for mode, text in zip(DeterminismMode, ("full", "structural", "none"), strict=True)] == [
        True
    ] * 3
    assert StubPlanner().get_determinism_mode() == "full"


def test_a_planner_made_with_the_decorator_keeps_the_interface():
    assert isinstance(StubPlanner(), PlannerInterface)
    assert list(inspect.signature(StubPlanner.plan).parameters)[1:3] == ["agent_id", "goal"]


@pytest.mark.parametrize(
    ("arguments", "code", "place"),
    [
        ({}, PlannerErrorCode.INVALID_INPUT, "missing"),
        ({"agent_id": "a"}, PlannerErrorCode.INVALID_INPUT, "'goal'"),
        ({"agent_id": "a", "goal": None}, PlannerErrorCode.INVALID_GOAL, "goal"),
        ({"agent_id": "a", "goal": " \n\t"}, PlannerErrorCode.INVALID_GOAL, "goal"),
        ({"agent_id": "a", "goal": "x \ud800"}, PlannerErrorCode.INVALID_GOAL, "goal"),
        ({"agent_id": 5, "goal": "echo"}, PlannerErrorCode.INVALID_INPUT, "agent_id"),
        ({**ECHO, "context_summary": 5}, PlannerErrorCode.INVALID_INPUT, "context_summary"),
        ({**ECHO, "memory_snippets": {}}, PlannerErrorCode.INVALID_INPUT, "memory_snippets"),
        ({**ECHO, "memory_snippets": [1]}, PlannerErrorCode.INVALID_INPUT, "memory_snippets[0]"),
        (
            {**ECHO, "memory_snippets": [{"x": {1}, "y": object()}]},
            PlannerErrorCode.INVALID_INPUT,
            "memory_snippets[0].y",
        ),
        ({**ECHO, "tool_manifest": [{}]}, PlannerErrorCode.INVALID_INPUT, "tool_manifest[0].skill_id"),
        ({**ECHO, "mood": object()}, PlannerErrorCode.INVALID_INPUT, "extra.mood"),
        ({**ECHO, "self": 1, "inner": float("nan")}, PlannerErrorCode.INVALID_INPUT, "extra.inner"),
    ],
)
def test_bad_arguments_come_back_as_an_error_with_code_and_path(arguments, code, place):
    answer = StubPlanner().plan(**arguments)
    assert isinstance(answer, PlannerError)
    assert answer.code == code
    assert place in answer.message
    assert not answer.retryable


def test_ten_megabytes_are_refused_and_not_cut():
    answer = StubPlanner().plan("a", "echo " + "x" * 10_000_000)
    assert answer.code == PlannerErrorCode.CONTEXT_TOO_LONG
    assert answer.details["limit"] == 8 * 1024 * 1024


@pytest.mark.long
def test_a_hundred_thousand_levels_are_refused_with_a_path():
    deep = []
    for _ in range(100_000):
        deep = [deep]
    answer = StubPlanner().plan("a", "echo", memory_snippets=[{"x": deep}])
    assert answer.code == PlannerErrorCode.INVALID_INPUT
    assert answer.message.startswith("memory_snippets[0].x[0][0]")
    assert len(answer.message) < 400


@pytest.mark.parametrize(
    ("error", "code", "retryable"),
    [
        (ZeroDivisionError("oh"), PlannerErrorCode.INTERNAL, False),
        (RecursionError(), PlannerErrorCode.INTERNAL, False),
        (MemoryError(), PlannerErrorCode.INTERNAL, False),
        (RateLimitedError("wait", details={"retry_after_ms": 5000}), PlannerErrorCode.RATE_LIMITED, True),
        (BudgetExceededError("max_iterations", 5), PlannerErrorCode.BUDGET_EXCEEDED, False),
        (ContractViolation("x"), PlannerErrorCode.INTERNAL, False),
        (RateLimitedError("wait", details={"bad": object()}), PlannerErrorCode.RATE_LIMITED, True),
    ],
)
def test_whatever_is_raised_inside_comes_out_as_a_value(error, code, retryable):
    for answer in (OddPlanner(raising(error)).plan(**ECHO), safe_plan(RudePlanner(raising(error)), **ECHO)):
        assert (answer.code, answer.retryable) == (code, retryable)
        assert json.loads(canonical_json(answer))["code"] == code.value


def test_an_unforeseen_exception_is_reported_with_file_and_line():
    answer = OddPlanner(raising(ZeroDivisionError("oh"))).plan(**ECHO)
    assert answer.details["exception"] == "ZeroDivisionError"
    assert "test_interface.py:" in answer.details["raised_at"]


def test_an_exception_without_readable_text_is_reported_too():
    class Unreadable(Exception):
        def __str__(self):
            raise RuntimeError

    assert "(no readable message)" in OddPlanner(raising(Unreadable())).plan(**ECHO).message


def test_keyboard_interrupts_are_not_swallowed():
    with pytest.raises(KeyboardInterrupt):
        OddPlanner(raising(KeyboardInterrupt())).plan(**ECHO)


def test_a_planner_that_leaves_the_program_leaves_an_error_instead():
    for planner in (OddPlanner(raising(SystemExit(7))), RudePlanner(raising(SystemExit(7)))):
        answer = safe_plan(planner, **ECHO)
        assert (answer.code, answer.details["exception"]) == (PlannerErrorCode.INTERNAL, "SystemExit")


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (PlannerOutput(plan=one_step().plan, metadata=["x"]), "metadata is an object"),
        (PlannerOutput(plan=one_step().plan, deterministic="no"), "deterministic is true or false"),
    ],
)
def test_an_output_of_the_wrong_shape_says_what_is_wrong(answer, said):
    found = OddPlanner(lambda _: answer).plan(**ECHO)
    assert found.code == PlannerErrorCode.INTERNAL
    assert said in found.message


@pytest.mark.parametrize("name", ["planner_id", "version"])
def test_a_planner_is_named_by_texts(name):
    planner = OddPlanner(lambda _: one_step())
    setattr(planner, name, 5)
    assert f"{name} is a text" in planner.plan(**ECHO).message


def test_a_planner_cannot_change_the_manifest_its_plan_is_held_to():
    def forge(inputs):
        inputs.tool_manifest[0]["skill_id"] = "echo"
        return one_step()

    answer = OddPlanner(forge).plan(**ECHO, tool_manifest=[{"skill_id": "other"}])
    assert answer.code == PlannerErrorCode.INTERNAL
    assert "changed its inputs" in answer.message


@pytest.mark.parametrize("returned", [None, {}, "plan", ({"steps": []},)])
def test_an_answer_that_is_no_answer_is_an_internal_error(returned):
    assert OddPlanner(lambda _: returned).plan(**ECHO).code == PlannerErrorCode.INTERNAL


def test_an_answer_that_is_not_json_is_the_planners_fault_and_not_the_callers():
    for answer in (
        PlannerError(code="X", message="\ud800"),
        PlannerError(code="X", message="x", details={"y": object()}),
        PlannerOutput(plan=one_step().plan, metadata={"z": {1: 2}}),
    ):
        said = OddPlanner(lambda _, answer=answer: answer).plan(**ECHO)
        assert said.code == PlannerErrorCode.INTERNAL
        assert "not JSON" in said.message


def test_an_invalid_plan_does_not_leave_the_planner():
    answer = OddPlanner(lambda _: one_step(on_error="explode")).plan(**ECHO)
    assert answer.code == PlannerErrorCode.INVALID_PLAN
    assert answer.details["problems"][0]["path"] == "$.steps[0].on_error"
    answer = OddPlanner(lambda _: one_step()).plan(**ECHO, tool_manifest=[{"skill_id": "other"}])
    assert answer.details["problems"][0]["code"] == "unknown_skill"


def test_an_empty_plan_is_valid_only_when_there_was_nothing_to_do():
    empty = PlannerOutput(plan={"steps": []}, deterministic=True)
    done = PlannerOutput(plan={"steps": []}, metadata={"status": "satisfied"}, deterministic=True)
    assert OddPlanner(lambda _: empty).plan(**ECHO).code == PlannerErrorCode.INVALID_PLAN
    assert OddPlanner(lambda _: done).plan(**ECHO).plan["steps"] == []


def test_the_output_is_authoritative_and_the_plan_copy_holds_only_what_never_varies():
    made = PlannerOutput(
        plan={"steps": one_step().plan["steps"], "metadata": {"planner": "liar", "generated_at": "2020"}},
        metadata={"generated_at": "now", "input_tokens": 7, "model": "m"},
        deterministic=False,
    )
    answer = OddPlanner(lambda _: made).plan(**ECHO)
    assert answer.plan["metadata"] == {
        "planner": "odd", "planner_version": "0.1.0", "model": "m", "deterministic": False,
    }  # fmt: skip
    assert answer.metadata["generated_at"] == "now"
    assert answer.metadata["input_hash"] == plan_input_hash(**ECHO)
    shouted = OddPlanner(lambda _: made).plan("a", "ECHO hello").metadata
    assert shouted["coarse_input_hash"] == answer.metadata["coarse_input_hash"]
    assert shouted["input_hash"] != answer.metadata["input_hash"]


def test_unwrap_gives_the_output_or_raises_the_error_of_that_code():
    assert unwrap(StubPlanner().plan(**ECHO)).plan["steps"]
    with pytest.raises(InvalidGoalError) as caught:
        unwrap(StubPlanner().plan("a", ""))
    assert caught.value.details["code"] == "PLANNER_INVALID_GOAL"
    with pytest.raises(PlannerFailedError):
        unwrap(PlannerError(code="THEIR_OWN", message="x"))


def test_every_error_code_has_one_exception_class_with_the_same_code():
    assert {cls.code for cls in PlannerFailedError.__subclasses__()} == {code.value for code in PlannerErrorCode}


def test_status_words_map_to_codes_and_only_an_interruption_is_worth_trying_again():
    answers = {status: error_for_status(status, "why") for status in Status if not status.is_success}
    assert answers[Status.BUDGET_EXCEEDED].code == PlannerErrorCode.BUDGET_EXCEEDED
    assert answers[Status.NO_CAPABILITY].code == PlannerErrorCode.NO_SKILLS_AVAILABLE
    assert answers[Status.REJECTED].code == PlannerErrorCode.INVALID_GOAL
    assert [status.value for status, answer in answers.items() if answer.retryable] == ["interrupted"]
    assert all(answer.details["status"] == status.value for status, answer in answers.items())


def test_a_caller_cannot_change_what_a_planner_was_given():
    snippets = [{"text": ["a"]}]
    planner = StubPlanner()
    planner.plan(**ECHO, memory_snippets=snippets)
    snippets[0]["text"].append("b")
    assert planner.call_history[0].memory_snippets == ({"text": ["a"]},)


def test_the_same_plan_comes_out_of_fifty_threads_and_survives_a_trip_through_json():
    planner = StubPlanner()
    with ThreadPoolExecutor(50) as pool:
        answers = list(pool.map(lambda _: planner.plan("a", "summarize the news"), range(500)))
    (only,) = {canonical_bytes(answer.plan) for answer in answers}
    assert canonical_bytes(json.loads(only)) == only
