"""Recordings, runs and golden files with one thing damaged: replayed, found different, or refused. Nothing else."""

from __future__ import annotations

import copy
import json

import pytest

from generated_calls import Dice
from planvow.canonical import canonical_bytes
from planvow.contract import StubPlanner
from planvow.contract.interface.inputs import read_inputs
from planvow.contract.replaying.golden import check_golden, make_golden, read_golden
from planvow.contract.replaying.recordings import Recording, read_recording
from planvow.contract.replaying.replay import replay_plan, replay_run
from planvow.contract.running.run import run_plan
from planvow.contract.running.run_document import read_run, run_data
from planvow.errors import PlanvowError

ODD = (None, True, 0, -5, 1.5, "", "x", "{{a.b}}", [], {}, [None], {"x": []}, "planvow-run/1", [[]], 2**53 - 1)
CALL = {
    "agent_id": "a",
    "goal": "summarize it",
    "tool_manifest": [{"skill_id": s} for s in ("http_call", "json_transform", "llm_invoke")],
}


def places(value, path=()):
    """Every place in a document, parents before children."""
    yield path
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in children:
        yield from places(child, (*path, key))


def damaged(document, number):
    """The document with one value replaced, removed or doubled."""
    dice = Dice(number)
    made = copy.deepcopy(document)
    *way, last = dice.pick([path for path in places(document) if path])
    at = made
    for key in way:
        at = at[key]
    action = dice.below(4)
    if action == 0:
        del at[last]
    elif action == 1 and isinstance(at, list):
        at.append(at[last])
    else:
        at[last] = dice.pick(ODD)
    return made


def run_document():
    plan = StubPlanner().plan(**CALL).plan
    failures = iter([TimeoutError("slow")])

    def perform(call):
        for error in failures:
            raise error
        return {"n": call.attempt}

    inputs = {"url": "u", "operation": "o", "path": "p"}
    return run_data(run_plan(plan, perform, inputs=inputs, tool_manifest=CALL["tool_manifest"]))


def recording_document():
    request, answer = read_inputs(**CALL).as_dict(), StubPlanner().plan(**CALL).as_dict()
    return Recording(maker="stub", maker_version="1.0.0", request=request, answer=answer).as_dict()


KINDS = {
    "run": (run_document, lambda data: replay_run(read_run(data)).parity),
    "dry run": (run_document, lambda data: replay_run(read_run(data), mode="dry_run").parity),
    "recording": (recording_document, lambda data: replay_plan(read_recording(data), StubPlanner()).parity),
    "golden": (
        lambda: make_golden(StubPlanner(), CALL).as_dict(),
        lambda data: check_golden(read_golden(data), StubPlanner()).match,
    ),
}


def outcome(check, data):
    try:
        return "same" if check(data) else "different"
    except PlanvowError as error:
        return error.code


@pytest.mark.parametrize("kind", KINDS)
def test_a_damaged_document_is_replayed_found_different_or_refused(kind):
    make, check = KINDS[kind]
    document = json.loads(canonical_bytes(make()))
    assert outcome(check, document) == "same"
    found = [outcome(check, damaged(document, number)) for number in range(600)]
    assert {"different", "INVALID_INPUT"} <= set(found)
    assert found.count("same") < 450
