"""The steps of a contract plan's certificate: tools that exist, parameters that fit, data that flows, limits that hold.

Imports no planner and nothing of the engine. The conditions, in the order they are checked:

 1. steps         ids and output keys are used once, and there are steps unless all was satisfied
 2. manifest      every skill is one of the manifest's, if there is one
 3. params        the parameters fit the skill's schema; a placeholder may stand where its value will
 4. dependencies  they name other steps and never lead back
 5. data flow     a placeholder names an input, or the output of a step that is certain to have run before
 6. budgets       the limits are those of the request, and the steps are within them
 7. derivation    where the plan came out of a domain: its commands, in order, are the steps
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from planvow.canonical import canonical_json
from planvow.contract.checking.form import DERIVATION
from planvow.contract.plan.manifest import Skill, read_manifest
from planvow.contract.plan.placeholders import GIVEN_KEYS, escape, references
from planvow.contract.plan.schema_check import schema_problems
from planvow.errors import PlanvowError
from planvow.verdict import Fault

Row = Mapping[str, Any]
STATUSES = ("solved", "satisfied", "partial")


def step_faults(document: Row) -> Iterator[Fault]:
    """Yield what is wrong with a contract plan's certificate, from the document alone."""
    steps: list[Row] = document["steps"]
    yield from _name_faults(document["status"], steps)
    try:
        skills = read_manifest(document["asked"]["tool_manifest"])
    except PlanvowError as error:
        yield _fault("manifest", error.place or "tool_manifest", error.message)
        return
    for number, step in enumerate(steps, start=1):
        yield from _tool_faults(number, step, skills)
    yield from _flow_faults(steps)
    yield from _budget_faults(document)
    if document["derivation"] is not None:
        yield from _derivation_faults(steps, document["derivation"])


def budgets_of(asked: Row) -> dict[str, int | None]:
    """Return the limits that a request sets: `max_…` among its further arguments and in its budgets."""
    given: list[Any] = [
        asked["extra"],
        *(_inner(request) for request in (asked["extra"].get("request"), asked["goal"])),
    ]
    limits: dict[str, int | None] = {}
    for row in given:
        for name, value in row.items() if isinstance(row, dict) else ():
            if name.startswith("max_") and (value is None or (isinstance(value, int) and not isinstance(value, bool))):
                limits[name] = value
    return limits


def _inner(request: Any) -> Any:
    """Return the budgets inside a request given as data or as JSON text."""
    if isinstance(request, str) and request.startswith("{"):
        try:
            request = json.loads(request)
        except (ValueError, RecursionError):
            return None
    return request.get("budgets") if isinstance(request, dict) else None


def _name_faults(status: str, steps: list[Row]) -> Iterator[Fault]:
    if status not in STATUSES or (status == "satisfied") is bool(steps):
        yield _fault("status", "$.status", f"{status!r:.60} with {len(steps)} steps")
    for field in ("step_id", "output_key"):
        seen = set(GIVEN_KEYS) if field == "output_key" else set()
        for number, step in enumerate(steps, start=1):
            if step[field] in seen:
                yield _fault("steps", f"step {number}", f"{field} {step[field]!r:.60} is used twice")
            seen.add(step[field])


def _tool_faults(number: int, step: Row, skills: Mapping[str, Skill] | None) -> Iterator[Fault]:
    if skills is None:
        return
    skill = skills.get(step["skill"])
    if skill is None:
        yield _fault("manifest", f"step {number}", f"the manifest has no skill {step['skill']!r:.60}")
    elif skill.input_schema is not None:
        for place, text in schema_problems(step["params"], skill.input_schema, f"step {number}.params"):
            yield _fault("params", place, text)


def _flow_faults(steps: list[Row]) -> Iterator[Fault]:
    """Walk the steps in an order that their dependencies allow, collecting what each can be sure of."""
    numbers = {step["step_id"]: number for number, step in enumerate(steps, start=1)}
    waiting: dict[str, int] = {}
    followers: dict[str, list[str]] = {}
    for number, step in enumerate(steps, start=1):
        for needed in step["depends_on"]:
            if needed not in numbers or needed == step["step_id"]:
                yield _fault("dependencies", f"step {number}", f"depends on {needed!r:.60}, which is no other step")
        waiting[step["step_id"]] = len(set(step["depends_on"]))
        for needed in dict.fromkeys(step["depends_on"]):
            followers.setdefault(needed, []).append(step["step_id"])
    ready = [name for name, count in waiting.items() if not count]
    for name in ready:  # grows while it is walked
        for follower in followers.get(name, ()):
            waiting[follower] -= 1
            if not waiting[follower]:
                ready.append(follower)
    stuck = [name for name in numbers if waiting[name] > 0]
    if stuck:
        yield _fault("dependencies", f"step {numbers[stuck[0]]}", "waits for itself")
        return
    yield from _placeholder_faults(steps, numbers)


def _placeholder_faults(steps: list[Row], numbers: Mapping[str, int]) -> Iterator[Fault]:
    owners = {step["output_key"]: step["step_id"] for step in steps}
    needs = {step["step_id"]: step["depends_on"] for step in steps}
    for step in steps:
        for reference in references(step["params"], "params"):
            place = f"step {numbers[step['step_id']]}.{reference.path}"
            if reference.key in GIVEN_KEYS:
                continue
            if reference.key is None or reference.key not in owners:
                yield _fault("data flow", place, f"{reference.text!r:.60} names no output")
            elif not _is_behind(owners[reference.key], step["step_id"], needs):
                yield _fault("data flow", place, f"{reference.text!r:.60} may not have run before")


def _is_behind(earlier: str, later: str, needs: Mapping[str, list[str]]) -> bool:
    todo, seen = [later], {later}
    while todo:
        for name in needs[todo.pop()]:
            if name == earlier:
                return True
            if name not in seen:
                seen.add(name)
                todo.append(name)
    return False


def _budget_faults(document: Row) -> Iterator[Fault]:
    limits = budgets_of(document["asked"])
    if canonical_json(limits) != canonical_json(document["budgets"]):
        yield _fault("budgets", "$.budgets", "are not those of the request")
    most = limits.get("max_steps")
    if most is not None and len(document["steps"]) > most:
        yield _fault("budgets", "$.steps", f"{len(document['steps'])} steps, and max_steps is {most}")


def _derivation_faults(steps: list[Row], derivation: Row) -> Iterator[Fault]:
    commands = [row.get("command") for row in derivation.get("steps", ()) if isinstance(row, dict)]
    if derivation.get("kind") != DERIVATION or len(commands) != len(steps):
        yield _fault("derivation", "$.derivation", f"has {len(commands)} commands for {len(steps)} steps")
        return
    for number, (step, command) in enumerate(zip(steps, commands, strict=True), start=1):
        if not isinstance(command, list) or not command or command[0] != step["skill"]:
            yield _fault("derivation", f"step {number}", "is not the command of the derivation")
        elif _plain_values(command[1:], escaped=True) != _plain_values(step["params"].values(), escaped=False):
            yield _fault("derivation", f"step {number}", "its parameters are not the arguments of the command")


def _plain_values(values: Any, *, escaped: bool) -> Counter[str]:
    """Return the values that are written alike in both, whatever their order: texts, numbers, true, false, null."""
    plain = [value for value in values if not isinstance(value, dict | list)]
    return Counter(canonical_json(escape(v) if escaped and isinstance(v, str) else v) for v in plain)


def _fault(condition: str, place: str, message: str) -> Fault:
    return Fault(condition=condition, place=place, message=message)
