"""What trials of a planner note, the report on them, and documents of the contract that are read again."""

from __future__ import annotations

import copy
from typing import Any

from golden.corpus.case import Case, as_json
from planvow.contract import StubPlanner
from planvow.contract.promise.report import Conditions, report_on
from planvow.contract.promise.trial import trial_of
from planvow.contract.replaying.golden import make_golden, read_golden
from planvow.contract.replaying.recordings import Recording, read_recording

QUESTIONS = ({"goal": "fetch https://example.org"}, {"goal": "summarize it"}, {"goal": "say hello"})


def trials() -> list[dict[str, Any]]:
    made = trial_of(StubPlanner(), QUESTIONS, calls=2, threads=0, bad=False)
    return [{**copy.deepcopy(made), "hash_seed": seed} for seed in (0, 1)]


def report() -> str:
    """A planner that keeps its promises, and one whose faults are found late, under two other names."""
    true, false = trials(), trials()
    false[0]["questions"][2]["raised"] = "ValueError: late"
    false[1]["questions"][0]["raised"] = "ValueError: early"
    named = ("stub", "zebra", "aardvark")
    found = [
        report_on(true, Conditions(target="stub", questions=QUESTIONS, hash_seeds=(0, 1))),
        report_on(false, Conditions(target="stub", questions=QUESTIONS, hash_seeds=(0, 1), entry_points=named)),
    ]
    return as_json([true[0], *(each.as_dict() for each in found)])


def read_again() -> str:
    golden = make_golden(StubPlanner(), {"agent_id": "golden", **QUESTIONS[0]})
    recording = Recording(maker="m", maker_version="1", request={"a": 1}, answer={"b": 2})
    return as_json([read_golden(golden.as_dict()).as_dict(), read_recording(recording.as_dict()).as_dict()])


CASES = (
    Case("promises/report", "planner report", report),
    Case("promises/read-again", "recording", read_again),
)
