"""Any planner becomes replayable when its answers are recorded."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import count

import pytest

from planvow.canonical import canonical_bytes
from planvow.contract import MemoPlanner, PlannerErrorCode, PlannerOutput, StubPlanner, keeps_contract
from planvow.contract.errors import RateLimitedError
from planvow.contract.replaying.recordings import MemoryRecordings, Recording, read_recording
from planvow.errors import InputError


class Moody:
    """Never gives the same plan twice."""

    planner_id = "moody"
    version = "1.0.0"

    def __init__(self):
        self.asked = count(1)

    def get_determinism_mode(self):
        return "none"

    @keeps_contract
    def plan(self, inputs):
        number = next(self.asked)
        if "busy" in inputs.goal and number == 1:
            raise RateLimitedError("wait", details={"retry_after_ms": 1})
        return PlannerOutput(plan={"steps": [{"step_id": f"s{number}", "skill": "x", "params": {}}]})


def test_the_first_plan_is_repeated_for_good():
    memo = MemoPlanner(Moody())
    first = memo.plan("a", "dance")
    assert first.plan["steps"][0]["step_id"] == "s1"
    assert [memo.plan("a", "dance").plan for _ in range(3)] == [first.plan] * 3
    assert memo.plan("a", "sing").plan["steps"][0]["step_id"] == "s2"
    assert memo.get_determinism_mode() == "full"
    assert first.deterministic
    assert first.plan["metadata"]["planner"] == "memo:moody"


def test_fifty_threads_get_one_plan():
    memo = MemoPlanner(Moody())
    with ThreadPoolExecutor(50) as pool:
        plans = {canonical_bytes(a.plan) for a in pool.map(lambda _: memo.plan("a", "dance"), range(200))}
    assert len(plans) == 1


def test_errors_are_not_recorded():
    memo = MemoPlanner(Moody())
    assert memo.plan("a", "busy").code == PlannerErrorCode.RATE_LIMITED
    assert len(memo.recordings) == 0
    assert memo.plan("a", "busy").plan["steps"][0]["step_id"] == "s2"


def test_recording_again_replaces_what_was_kept():
    store = MemoryRecordings()
    inner = Moody()
    recorder = MemoPlanner(inner, recordings=store, mode="record")
    recorder.plan("a", "dance")
    second = recorder.plan("a", "dance")
    assert MemoPlanner(inner, recordings=store, mode="replay").plan("a", "dance").plan == second.plan


def test_a_miss_in_replay_mode_fails_closed_and_shows_the_nearest_recording():
    store = MemoryRecordings()
    MemoPlanner(StubPlanner(), recordings=store).plan("a", "echo the word tea")
    MemoPlanner(StubPlanner(), recordings=store).plan("a", "fetch something else")
    answer = MemoPlanner(StubPlanner(), recordings=store, mode="replay").plan("a", "echo the word tee")
    assert answer.code == PlannerErrorCode.GENERATION_FAILED
    assert answer.details["error"] == "RECORDING_MISSING"
    assert "$.request.goal" in answer.message
    assert "tea" in answer.message
    assert answer.details["differences"] == [
        '$.request.goal: expected "echo the word tea", found "echo the word tee"'
    ]  # fmt: skip


def test_an_empty_store_says_so():
    answer = MemoPlanner(StubPlanner(), mode="replay").plan("a", "echo")
    assert "no recordings at all" in answer.message


def test_goals_that_differ_only_in_case_have_their_own_recordings():
    memo = MemoPlanner(StubPlanner())
    assert memo.plan("a", "echo Tea").plan != memo.plan("a", "echo tea").plan


@pytest.mark.parametrize(
    "data",
    [
        None, [], {}, {"format": "other"}, {"format": "planvow-recording/1"},
        {"format": "planvow-recording/1", "maker": 1, "maker_version": "1", "request": {}, "answer": {}},
        {"format": "planvow-recording/1", "maker": "m", "maker_version": "1", "request": [], "answer": {}},
        {"format": "planvow-recording/1", "maker": "m", "maker_version": "1", "request": {}, "answer": {}, "x": 1},
    ],
)  # fmt: skip
def test_what_is_no_recording_is_refused(data):
    with pytest.raises(InputError):
        read_recording(data)


def test_a_key_depends_on_maker_version_and_request():
    def key(**change):
        base = {"maker": "m", "maker_version": "1", "request": {"a": 1}, "answer": {}}
        return Recording(**{**base, **change}).key

    assert len({key(), key(maker="n"), key(maker_version="2"), key(request={"a": 2})}) == 4
    assert key() == key(answer={"other": 1})


def test_what_is_given_when_a_planner_is_made_keeps_recordings_apart():
    from planvow.contract.planners.hddl import HddlPlanner
    from planvow.contract.planners.htn import TaskPlanner
    from planvow.kernel.domain.domain import Domain
    from planvow.kernel.world.state import State

    versions = [
        planner.version
        for planner in (
            TaskPlanner(), TaskPlanner(domain=Domain("a")), TaskPlanner(domain=Domain("b")),
            TaskPlanner(domain=Domain("a"), state=State({"at": {"x": 1}})), HddlPlanner(domain="(define)"),
        )
    ]  # fmt: skip
    assert len(set(versions)) == 5
    assert TaskPlanner(domain=Domain("a")).version == versions[1]
