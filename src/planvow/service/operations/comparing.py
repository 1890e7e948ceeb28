"""What differs between two plans, two certificates or two runs, the first reason first."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher
from typing import Any, NamedTuple

from planvow.agent.record.differ import differ
from planvow.canonical import canonical_json
from planvow.errors import InputError
from planvow.hddl.language.plan_format import parse_plan
from planvow.service.declare.document import document
from planvow.service.declare.operation import Answer, Operation, Right
from planvow.service.declare.setting import Setting

PLAN, CERTIFICATE, RUN = "plan", "certificate", "run"
SAME, REMOVED, ADDED = "same", "only first", "only second"
DECIDES = ("planner", "planner_version", "domain", "asked", "agenda", "request", "budgets", "initial", "status")
"""What is compared before the steps: they follow from it."""
_SHOWN = 80


@document
class DiffQuestion:
    """Two things of one kind: hashes of plans made here, run ids, or documents."""

    first: Any
    """Plan hash, run id, or a plan or certificate itself."""
    second: Any


@document
class StepChange:
    """A step and in which of the two it is."""

    change: str
    """same, only first or only second"""
    step: str


@document
class DiffAnswer:
    """The differences in order; none if they are alike."""

    kind: str
    """plan, certificate or run"""
    same: bool
    differences: list[str]
    steps: list[StepChange] | None = None
    reason: str | None = None
    """The first difference: what the others may follow from."""


class _Side(NamedTuple):
    kind: str
    name: str
    document: Any


def diff(asked: DiffQuestion, setting: Setting) -> Answer:
    """Compare two documents, or two runs in the ledger."""
    first, second = _side(asked.first, "first", setting), _side(asked.second, "second", setting)
    if first.kind != second.kind:
        hint = "compare two plans, two certificates or two runs"
        raise InputError(f"the first is a {first.kind}, the second a {second.kind}", place="second", hint=hint)
    if first.kind == RUN:
        with setting.open_ledger(looking=False) as ledger:
            found = differ(ledger, first.name, second.name)
        output = DiffAnswer(
            kind=RUN, same=not found.differences, differences=list(found.differences), reason=found.reason
        )
        return Answer(output=output, whole=found)
    changes = _steps(first.document, second.document)
    differences = [*_decisions(first.document, second.document), *_told(changes)]
    output = DiffAnswer(
        kind=first.kind,
        same=not differences,
        differences=differences,
        steps=changes,
        reason=differences[0] if differences else None,
    )
    return Answer(output=output, whole=changes)


def _side(given: Any, place: str, setting: Setting) -> _Side:
    """Return what one side is: a document, a plan made here by its hash, or a run by its id."""
    if isinstance(given, Mapping):
        return _document(given, place)
    if not isinstance(given, str) or not given.strip():
        raise InputError("expected a plan hash, a run id or a document", place=place)
    text = given.strip()
    if text.startswith("{"):
        try:
            return _side(json.loads(text), place, setting)
        except (ValueError, RecursionError):
            raise InputError("this begins like JSON but is none", place=place) from None
    if text.startswith("==>"):
        return _Side(PLAN, place, {"steps": [[s.action, *s.arguments] for s in parse_plan(given, file=place).steps]})
    if setting.shelf.knows(PLAN, text):
        return _document(setting.shelf.read(PLAN, text), place)
    return _Side(RUN, text, None)


def _document(given: Mapping[str, Any], place: str) -> _Side:
    """Return a plan or a certificate, however it is wrapped: a planner's answer, a recording, a plan with its hash."""
    if str(given.get("format", "")).startswith("certificate/"):
        return _Side(CERTIFICATE, place, given)
    if isinstance(given.get("answer"), Mapping):
        return _document(given["answer"], place)
    held = given.get("plan")
    if isinstance(held, Mapping) and "steps" in held:
        words = {name: given[name] for name in ("planner", "planner_version") if name in given}
        return _Side(PLAN, place, {**words, **_metadata(held), "steps": held["steps"]})
    if isinstance(given.get("steps"), list):
        return _Side(PLAN, place, {**_metadata(given), **given})
    if isinstance(held, list):  # what `planvow plan --json` prints
        return _Side(PLAN, place, {"status": given.get("status"), "steps": held})
    if isinstance(given.get("actions"), list):  # the same for HDDL
        return _Side(PLAN, place, {"status": given.get("status"), "steps": given["actions"]})
    if "status" in given:
        return _Side(PLAN, place, {"status": given["status"], "steps": []})
    hint = "what planvow plan --json, planvow ask --json and --certificate write can be compared"
    raise InputError("this is neither a plan nor a certificate", place=place, hint=hint)


def _metadata(plan: Mapping[str, Any]) -> dict[str, Any]:
    held = plan.get("metadata")
    told = held if isinstance(held, Mapping) else {}
    return {name: told[name] for name in ("planner", "planner_version") if name in told}


def _decisions(first: Mapping[str, Any], second: Mapping[str, Any]) -> Iterator[str]:
    for name in DECIDES:
        have, want = first.get(name), second.get(name)
        if canonical_json(have) == canonical_json(want) or (name == "status" and None in (have, want)):
            continue
        word, mine, theirs = _first_difference(name, have, want)
        yield f"{word} is {mine} and {theirs}"


def _first_difference(place: str, have: Any, want: Any) -> tuple[str, str, str]:
    """Return the deepest place where two values differ first, and what stands there."""
    if isinstance(have, Mapping) and isinstance(want, Mapping):
        for key in sorted({*have, *want}, key=str):
            if canonical_json(have.get(key)) != canonical_json(want.get(key)):
                return _first_difference(f"{place}.{key}", have.get(key), want.get(key))
    if isinstance(have, list) and isinstance(want, list):
        for number, (mine, theirs) in enumerate(zip(have, want, strict=False), start=1):
            if canonical_json(mine) != canonical_json(theirs):
                return _first_difference(f"{place} {number}", mine, theirs)
        longer = max(have, want, key=len)
        at = min(len(have), len(want))
        extra = _text(longer[at])
        sides = (extra, "nothing") if longer is have else ("nothing", extra)
        return f"{place} {at + 1}", *sides
    return place, _text(have), _text(want)


def _text(value: Any) -> str:
    text = "nothing" if value is None else value if isinstance(value, str) else canonical_json(value)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


def _steps(first: Mapping[str, Any], second: Mapping[str, Any]) -> list[StepChange]:
    mine, theirs = _lines(first), _lines(second)
    changes: list[StepChange] = []
    for word, i, j, k, m in SequenceMatcher(a=mine, b=theirs, autojunk=False).get_opcodes():
        if word == "equal":
            changes += [StepChange(change=SAME, step=line) for line in mine[i:j]]
        else:
            changes += [StepChange(change=REMOVED, step=line) for line in mine[i:j]]
            changes += [StepChange(change=ADDED, step=line) for line in theirs[k:m]]
    return changes


def _lines(document: Mapping[str, Any]) -> list[str]:
    return [_line(step) for step in document.get("steps") or ()]


def _line(step: Any) -> str:
    """Return a step in a line: a command with its arguments, a skill with its parameters, or an operation."""
    if isinstance(step, list):
        return " ".join(part if isinstance(part, str) else canonical_json(part) for part in step)
    if not isinstance(step, Mapping):
        return canonical_json(step)
    if isinstance(step.get("command"), list):
        return _line(step["command"])
    name = step.get("skill") or step.get("op")
    given = step.get("params") if "skill" in step else {k: step[k] for k in ("refs", "constraints") if k in step}
    return f"{name} {canonical_json(given)}" if name else canonical_json(step)


def _told(changes: list[StepChange]) -> Iterator[str]:
    number = 0
    for change in changes:
        number += change.change != ADDED
        if change.change == REMOVED:
            yield f"step {number} of the first, {_text(change.step)}, is not in the second at this place"
        elif change.change == ADDED:
            yield f"the second has {_text(change.step)} after step {number} of the first"


DIFF = Operation(
    name="diff",
    summary="Say what differs between two plans, certificates or runs, the first reason first.",
    question=DiffQuestion,
    output=DiffAnswer,
    run=diff,
    right=Right.READ,
    commands=("planvow diff", "planvow agent diff"),
)
