"""The values of the goal planner."""

from __future__ import annotations

from planvow.goals import PlanResult
from planvow.goals.values.values import SEED_STATUS
from planvow.status import Status


def test_every_word_of_the_seed_stands_for_one_word_of_the_status_table():
    assert PlanResult(status="rejected", reason="no").outcome is Status.REJECTED
    assert len(set(SEED_STATUS.values())) == len(SEED_STATUS)
    assert SEED_STATUS["success"] is Status.SOLVED
