"""What a planner says and does in one process: every question several times, in two orders and in threads.

A trial notes; it judges nothing. Several trials, made in fresh interpreters, are held together in `report`.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from planvow.canonical import canonical_bytes, full_hash, to_jsonable
from planvow.contract.certificate.of_contract import certify_output, check_by_asking
from planvow.contract.checking.check import first_fault
from planvow.contract.errors import InvalidPlanError
from planvow.contract.interface.inputs import read_inputs
from planvow.contract.interface.interface import Answer, DeterminismMode, PlannerError, PlannerInterface, PlannerOutput
from planvow.contract.interface.keeping import finish_answer
from planvow.contract.plan.normalise import structural_signature

Question = Mapping[str, Any]

BAD_CALLS: Mapping[str, Mapping[str, Any]] = {
    "an empty goal": {"goal": "  "},
    "a goal that is a number": {"goal": 5},
    "a goal with half a character": {"goal": "say \ud800"},
    "a goal of a million letters": {"goal": "x" * 1_000_000},
    "a manifest that is a text": {"goal": "say hello", "tool_manifest": "shovel"},
    "memory that is a number": {"goal": "say hello", "memory_snippets": 7},
    "a further argument that is no JSON": {"goal": "say hello", "further": {1, 2}},
}
"""Calls that deserve an error value, by what is wrong with them."""


def trial_of(
    planner: PlannerInterface, questions: Sequence[Question], *, calls: int = 2, threads: int = 3, bad: bool = True
) -> dict[str, Any]:
    """Ask every question so many times one after the other, then from so many threads at once; note what came."""
    asked = [{"agent_id": "kit", **question} for question in questions]
    notes = [_Notes(planner, question) for question in asked]
    for turn in range(calls):
        for note in notes if turn % 2 == 0 else reversed(notes):
            note.add(f"call {turn + 1}", note.ask())
    if threads:
        with ThreadPoolExecutor(threads) as pool:
            for note in notes:
                for number, said in enumerate(pool.map(lambda _: note.ask(), range(threads)), start=1):  # noqa: B023
                    note.add(f"thread {number}", said)
    return {
        "identity": identity_of(planner),
        "questions": [note.as_dict() for note in notes],
        "bad_calls": {what: _bad_call(planner, call) for what, call in BAD_CALLS.items()} if bad else {},
    }


def identity_of(planner: Any) -> dict[str, Any]:
    """Return who a planner says it is and what it promises, whatever it put there."""
    return {
        "planner_id": _plain(planner.planner_id),
        "version": _plain(planner.version),
        "determinism": _plain(planner.get_determinism_mode()),
        "declared_determinism": _plain(getattr(type(planner), "determinism", None)),
    }


class _Notes:
    """One question and everything that was answered to it. A different answer is kept whole, an equal one counted."""

    def __init__(self, planner: PlannerInterface, question: Question) -> None:
        self.planner = planner
        self.question = question
        self.says: list[dict[str, Any]] = []
        self.answers: dict[str, Any] = {}
        self.raised: str | None = None
        self.changed_inputs = False
        self.invalid: str | None = None
        self.certificate: str | None = None

    def ask(self) -> Any:
        """Call the planner itself, with inputs of its own to spoil."""
        given = copy.deepcopy(dict(self.question))
        try:
            said: Any = self.planner.plan(**given)
        except (Exception, SystemExit) as error:
            self.raised = self.raised or f"{type(error).__name__}: {error}"[:300]
            return None
        self.changed_inputs = self.changed_inputs or given != self.question
        return said

    def add(self, where: str, said: Any) -> None:
        answer = self._finished(said)
        if isinstance(answer, PlannerOutput) and not self.answers:
            self.certificate = self._certified(answer)
        document = answer.plan if isinstance(answer, PlannerOutput) else {"error": answer.as_dict()}
        key = full_hash(document)
        self.answers.setdefault(key, document)
        self.says.append({"where": where, "hash": key, "structure": _structure(answer)})

    def _finished(self, said: Any) -> Answer:
        if said is None and self.raised:
            return PlannerError(code="INTERNAL", message=self.raised)
        answer = finish_answer(self.planner, read_inputs(**copy.deepcopy(dict(self.question))), said)
        if not isinstance(said, PlannerError) and isinstance(answer, PlannerError):
            self.invalid = self.invalid or answer.message[:300]
        return answer

    def _certified(self, output: PlannerOutput) -> str:
        """Return "accepted", or the first fault that a checker finds in the plan's certificate."""
        try:
            document = certify_output(self.planner, read_inputs(**dict(self.question)), output).document
        except Exception as error:  # a stranger's planner may break it in any way
            return f"it cannot be made: {type(error).__name__}: {error}"[:300]
        fault = first_fault(document)
        if fault is None and self.planner.get_determinism_mode() == DeterminismMode.FULL:
            verdict = check_by_asking(document, self.planner)
            fault = verdict.faults[0] if verdict.faults else None
        return "accepted" if fault is None else f"{fault.place}: {fault.message}"

    def as_dict(self) -> dict[str, Any]:
        return {
            "says": self.says,
            "answers": self.answers,
            "raised": self.raised,
            "changed_inputs": self.changed_inputs,
            "invalid": self.invalid,
            "certificate": self.certificate,
        }


def _bad_call(planner: PlannerInterface, call: Mapping[str, Any]) -> str | None:
    """Return what is wrong with the answer to a bad call; an error value is right, a plan is not wrong."""
    try:
        said: Any = planner.plan(**{"agent_id": "kit", **copy.deepcopy(dict(call))})
    except (Exception, SystemExit) as error:
        return f"raised {type(error).__name__}"
    return None if isinstance(said, PlannerError | PlannerOutput) else f"returned {type(said).__name__}"


def _structure(answer: Answer) -> str:
    if not isinstance(answer, PlannerOutput):
        return f"error {answer.code}"
    try:
        return structural_signature(answer.plan)
    except InvalidPlanError:
        return "no steps"  # the one plan without steps: nothing was to be done


def _plain(value: Any) -> Any:
    try:
        canonical_bytes(to_jsonable(value))
    except Exception:  # a stranger's object may fail in any way
        return f"a {type(value).__name__}"
    return to_jsonable(value)
