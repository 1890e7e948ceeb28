"""Promises are checked by asking again."""

from __future__ import annotations

from itertools import count

import pytest

from planvow.contract import MemoPlanner, PlannerOutput, StubPlanner, keeps_contract
from planvow.contract.replaying.measure import measure
from planvow.errors import InputError


class Varied:
    """Changes its parameters, or its structure, from call to call."""

    planner_id = "varied"
    version = "1.0.0"

    def __init__(self, mode, *, structure=False):
        self._mode = mode
        self._structure = structure
        self._asked = count()

    def get_determinism_mode(self):
        return self._mode

    @keeps_contract
    def plan(self, inputs):
        number = next(self._asked)
        skill = f"skill{number}" if self._structure else "skill"
        return PlannerOutput(plan={"steps": [{"step_id": "a", "skill": skill, "params": {"n": number}}]})


CALL = {"agent_id": "a", "goal": "echo x"}


def counted(planner, **call):
    found = measure(planner, {**CALL, **call}, calls=4)
    return found.distinct_answers, found.distinct_structures, found.errors, found.keeps_promise


def test_a_full_planner_gives_one_answer():
    assert counted(StubPlanner()) == (1, 1, 0, True)
    assert counted(StubPlanner(), goal="") == (1, 1, 4, True)


def test_broken_promises_are_seen():
    assert counted(Varied("full")) == (4, 1, 0, False)
    assert counted(Varied("structural")) == (4, 1, 0, True)
    assert counted(Varied("structural", structure=True)) == (4, 4, 0, False)
    assert counted(Varied("none", structure=True)) == (4, 4, 0, True)


def test_recording_makes_any_planner_keep_the_full_promise():
    assert counted(MemoPlanner(Varied("none", structure=True))) == (1, 1, 0, True)


def test_nonsense_is_refused():
    with pytest.raises(InputError, match="calls"):
        measure(StubPlanner(), CALL, calls=0)
    with pytest.raises(InputError, match="get_determinism_mode"):
        measure(Varied("sometimes"), CALL)
