"""The rest of the base: errors that explain themselves, limits, traces, clocks."""

from __future__ import annotations

import json
from dataclasses import dataclass

import pytest

from planvow.adapters.documents.error_index import errors_page, load_all_errors
from planvow.adapters.machine.system_clock import SystemClock
from planvow.budgets import (
    SEED_BUDGETS,
    BudgetHit,
    Budgets,
    check_limits,
    hard,
    soft,
)
from planvow.clock import LogicalClock, timestamp
from planvow.errors import (
    BudgetExceededError,
    InputError,
    MissingExtraError,
    PlanvowError,
    RefusedError,
    UnknownErrorCodeError,
    did_you_mean,
    error_for_code,
    shown,
)
from planvow.trace import TraceRecorder


@dataclass(frozen=True, kw_only=True)
class Kitchen:
    """Limits of some application."""

    name: str = "kitchen"
    max_cups: int | None = hard(2)
    max_minutes: int | None = soft(5)
    max_sugar: int | None = hard(None)


def test_an_error_says_code_place_message_and_hint():
    error = InputError("no tea", place="$.cup", hint="boil water", details={"cups": 0})
    assert str(error) == "$.cup: no tea\n  hint: boil water"
    assert error.as_dict() == {
        "code": "INVALID_INPUT", "message": "no tea", "retryable": False, "details": {"cups": 0}, "place": "$.cup",
        "hint": "boil water",
    }  # fmt: skip
    assert str(PlanvowError("x")) == "x"
    assert "place" not in PlanvowError("x").as_dict()


def test_exit_codes_follow_the_kind_of_error():
    assert (PlanvowError.exit_code, InputError.exit_code, RefusedError.exit_code) == (3, 2, 1)
    assert {cls.exit_code for cls in load_all_errors()} <= {1, 2, 3}


def test_every_error_is_explained_from_its_own_class():
    page = errors_page()
    for cls in load_all_errors():
        assert f"## {cls.code}\n\n{cls.explanation()}" in page


def test_codes_are_found_whatever_their_case_and_misspellings_get_a_hint():
    assert error_for_code(" budget_exceeded ") is BudgetExceededError
    with pytest.raises(UnknownErrorCodeError, match="did you mean 'BUDGET_EXCEEDED'"):
        error_for_code("BUDGET_EXCEDED")
    with pytest.raises(UnknownErrorCodeError, match="lists all codes"):
        error_for_code("ZZZZZZ")


def test_a_missing_extra_names_the_command_that_installs_it():
    assert "pip install 'planvow[llm]'" in str(MissingExtraError("anthropic", extra="llm", purpose="asking"))


def test_hints_are_near_stable_and_cheap():
    assert did_you_mean("travle", {"travel", "tea"}) == "did you mean 'travel'?"
    assert did_you_mean("zzz", {"travel"}) is None
    assert did_you_mean("x" * 10_000, {"x"}) is None
    assert did_you_mean("a", {str(n) for n in range(5000)}) is None


def test_any_value_can_be_shown_in_a_message():
    class Sour:
        def __repr__(self):
            raise RuntimeError

    assert shown("tea") == "'tea'"
    assert shown(10**5000) == "<int>"
    assert shown(Sour()) == "<Sour>"
    assert len(shown("x" * 10**6)) == 41


def test_a_hit_says_which_limit_and_how_to_go_further():
    assert str(BudgetHit(budget="max_cups", limit=2)) == "max_cups = 2 was reached; raise max_cups to go further"


def test_a_budget_that_is_not_enough_says_what_was_needed():
    error = BudgetExceededError("max_cups", 2, needed=3)
    assert "max_cups = 2 is not enough (3 needed)" in str(error)
    assert error.details == {"budget": "max_cups", "limit": 2, "needed": 3}


@pytest.mark.parametrize("value", [-1, 1.5, "5", True, float("inf"), pytest.param(-(10**5000), id="huge")])
def test_a_limit_is_a_whole_number_or_none(value):
    with pytest.raises(InputError, match="max_depth"):
        Budgets(max_depth=value)
    with pytest.raises(InputError, match="max_cups"):
        check_limits(Kitchen(max_cups=value))
    with pytest.raises(InputError, match="max_minutes"):
        check_limits(Kitchen(max_minutes=value))
    check_limits(Kitchen(name=value))


def test_defaults_are_those_of_ruling_6_and_of_seed_001():
    assert (Budgets().max_depth, Budgets().max_iterations) == (None, 10_000_000)
    assert (SEED_BUDGETS.max_depth, SEED_BUDGETS.max_iterations) == (10, 50_000)


def test_events_are_numbered_and_the_newest_are_kept():
    recorder = TraceRecorder(capacity=3)
    for number in range(5):
        recorder.log("tick", {"n": number}, depth=number)
    assert [event.seq for event in recorder] == [2, 3, 4]
    assert (recorder.dropped, len(recorder)) == (2, 3)


def test_an_event_does_not_change_when_its_data_does():
    recorder, data = TraceRecorder(), {"n": 1}
    recorder.log("tick", data)
    data["n"] = 2
    assert recorder.events[0].data == {"n": 1}


def test_a_trace_without_a_clock_has_no_times_and_exports_as_canonical_json():
    def made():
        recorder = TraceRecorder()
        recorder.log("start", task_id="t1", method_name="m")
        recorder.log("end", {"ok": True})
        return recorder.export_json()

    assert made() == made()
    first, second = json.loads(made())
    assert first == {
        "seq": 0, "event_type": "start", "data": {}, "task_id": "t1", "method_name": "m", "depth": 0,
        "timestamp_ms": None,
    }  # fmt: skip
    assert second["data"] == {"ok": True}


def test_a_trace_with_a_clock_stamps_its_events():
    recorder = TraceRecorder(clock=LogicalClock(start_ms=5, tick_ms=10))
    recorder.log("a")
    recorder.log("b")
    assert [event.timestamp_ms for event in recorder] == [5, 15]


@pytest.mark.parametrize("capacity", [0, -1, True, "5", 1.5])
def test_a_trace_needs_room(capacity):
    with pytest.raises(InputError, match="capacity"):
        TraceRecorder(capacity=capacity)


def test_the_logical_clock_counts_its_readings_and_the_system_clock_never_goes_back():
    clock = LogicalClock()
    assert [clock.now_ms() for _ in range(3)] == [0, 1, 2]
    system = SystemClock()
    assert system.now_ms() <= system.now_ms()


def test_a_reading_is_written_in_utc_with_milliseconds():
    assert timestamp(0) == "1970-01-01T00:00:00.000Z"
    assert timestamp(1_764_547_200_123) == "2025-12-01T00:00:00.123Z"
