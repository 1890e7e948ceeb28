"""Causality in schedule time: who reads what another writes waits for it, whatever the schedule says."""

from __future__ import annotations

import json

import pytest

from planvow import Domain, State, plan
from planvow.adapters.checkers.minizinc import check_with_minizinc
from planvow.contract.checking.check import certificate_hash, check_certificate, inputs_hash

workshop = Domain("workshop")


@workshop.command(duration=10)
def drill(state, plate):
    state.hole[plate] = True
    return state


@workshop.command(duration=10)
def screw(state, plate):
    state.fixed[plate] = state.hole.get(plate, False)
    return state


@workshop.command(duration=10)
def count(state):
    state.total = len(state.hole)
    return state


@workshop.command(duration=10)
def sweep(state, room):
    state.clean[room] = True
    return state


@workshop.method(task="tidy")
def if_nothing_is_drilled(state, room):
    return [("sweep", room)] if not state.hole.get("a") else [("sweep", "hall")]


def scheduled(agenda, *starts, ordering="causal", **asked):
    """A certificate of a plan whose steps are put at other times than the planner's."""
    result = plan(workshop, State(hole={}, fixed={}, clean={}, total=0), agenda)
    document = json.loads(result.certificate().canonical_bytes())
    document["asked"]["time"]["ordering"] = ordering
    document["asked"].update(asked)
    for step, start in zip(document["steps"], starts, strict=True):
        step.update(start=start, end=start + 10)
    document["inputs_hash"] = inputs_hash(document)
    document["hash"] = certificate_hash(document)
    return document


DRILL, SCREW = ("drill", "a"), ("screw", "a")


@pytest.mark.long
@pytest.mark.parametrize(
    ("agenda", "starts", "accepted"),
    [
        ([DRILL, SCREW], (0, 10), True),
        ([DRILL, SCREW], (10, 0), False),  # the screw before its hole
        ([DRILL, SCREW], (0, 5), False),
        ([DRILL, DRILL], (0, 5), False),  # both write
        ([DRILL, ("drill", "b")], (0, 0), True),
        ([SCREW, DRILL], (0, 5), False),  # the absence of a hole was read
        ([("screw", "b"), DRILL], (0, 5), True),
        ([("count",), DRILL], (0, 5), False),  # all holes were counted
        ([DRILL, ("count",)], (0, 5), False),
        ([DRILL, ("count",)], (0, 10), True),
        ([("tidy", "yard"), DRILL], (0, 5), False),  # what the method read, the step below it has read
        ([DRILL, ("tidy", "yard")], (5, 0), False),
        ([("tidy", "yard"), ("drill", "b")], (0, 5), True),
    ],
)
def test_tied_steps_keep_their_order_in_time(agenda, starts, accepted):
    document = scheduled(agenda, *starts)
    own, solver = check_certificate(document).fault, check_with_minizinc(document).fault
    assert (own is None) is accepted
    assert (solver is None) is accepted
    if not accepted:
        assert (own.condition, solver.condition) == ("causality", "causality")


@pytest.mark.long
def test_what_a_command_ignores_ties_nothing():
    document = scheduled([DRILL, SCREW], 0, 5, ignored_predicates={"screw": ["hole"]})
    assert check_certificate(document).fault is None
    assert check_with_minizinc(document).fault is None


@pytest.mark.long
def test_what_is_read_at_one_moment_only_is_tied_there():
    moments = {"screw": {"conditions": {"hole": "end"}, "effects": {}}}
    for start, accepted in ((0, True), (-1, False)):
        document = scheduled([DRILL, SCREW], 1, 1 + start, moments=moments)
        assert check_certificate(document).accepted is accepted
        assert check_with_minizinc(document).accepted is accepted


@pytest.mark.long
def test_beside_an_ordered_command_nothing_runs():
    document = scheduled([DRILL, ("sweep", "yard")], 0, 5, ordered=["sweep"])
    assert check_certificate(document).fault.condition == "causality"
    assert check_with_minizinc(document).fault.condition == "causality"


def test_without_leave_to_overlap_steps_follow_one_another():
    document = scheduled([DRILL, ("drill", "b")], 0, 5, ordering="sequential")
    assert check_certificate(document).fault.condition == "schedule"
