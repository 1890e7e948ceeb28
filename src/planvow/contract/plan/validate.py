"""Is this a plan? Every structural rule, with the path to each breach.

`validate_plan` never raises on bad data: it returns all problems, in plan order. With a manifest it also checks that
each skill exists and that the parameters fit the skill's schema.

Seed 004, "Plan Structure Contract"; spec 004, "validate_plan".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

from planvow.canonical import to_jsonable
from planvow.contract.errors import InvalidPlanError
from planvow.contract.plan.manifest import Skill, read_manifest
from planvow.contract.plan.placeholders import GIVEN_KEYS, references
from planvow.contract.plan.plan import DETERMINISTIC_FIELDS
from planvow.contract.plan.schema_check import schema_problems
from planvow.errors import InputError, NotCanonicalError, did_you_mean
from planvow.step import OnError

MAX_STEPS = 100_000
MAX_RETRIES = 1_000
MAX_PROBLEMS = 100  # nobody reads more, and a hostile plan could have millions
_ID = re.compile(r"[a-z0-9_-]{1,200}")
_POLICIES = tuple(policy.value for policy in OnError)


@dataclass(frozen=True, kw_only=True)
class PlanProblem:
    """One way in which a plan is not a plan."""

    code: str
    path: str
    message: str


def validate_plan(
    plan: Any, tool_manifest: Sequence[Mapping[str, Any]] | None = None, *, allow_empty: bool = False
) -> tuple[PlanProblem, ...]:
    """Return the problems of a plan (the first hundred), in plan order; an empty tuple means it is valid.

    `allow_empty` is for the one case in which no step is right: everything that is wanted holds already.

    >>> [problem.message for problem in validate_plan({"steps": []})]
    ['a plan has at least one step']
    """
    try:
        data = to_jsonable(plan)
        skills = read_manifest(tool_manifest)
    except NotCanonicalError as error:
        return (PlanProblem(code="not_json", path=error.place or "$", message=error.message),)
    except InputError as error:
        return (PlanProblem(code="bad_manifest", path=error.place or "tool_manifest", message=error.message),)
    shape = tuple(islice(_shape_problems(data, allow_empty), MAX_PROBLEMS))
    if shape:
        return shape
    steps: list[dict[str, Any]] = data["steps"]
    return tuple(islice(chain(_step_problems(steps, skills), _graph_problems(steps)), MAX_PROBLEMS))


def require_valid_plan(plan: Any, tool_manifest: Sequence[Mapping[str, Any]] | None = None) -> None:
    """Raise InvalidPlanError with every problem, unless the plan is valid."""
    problems = validate_plan(plan, tool_manifest)
    if problems:
        raise InvalidPlanError(problems)


def _shape_problems(data: Any, allow_empty: bool) -> Iterator[PlanProblem]:
    if not isinstance(data, dict):
        yield _problem("type", "$", f"a plan is an object, got {type(data).__name__}")
        return
    for name in sorted(set(data) - {"steps", "metadata"}):
        yield _problem("unknown_field", f"$.{name:.60}", "a plan has no such field")
    if not isinstance(data.get("metadata", {}), dict):
        yield _problem("type", "$.metadata", "metadata is an object")
    steps = data.get("steps")
    if not isinstance(steps, list):
        yield _problem("type", "$.steps", "a plan has a list of steps")
    elif not steps and not allow_empty:
        yield _problem("no_steps", "$.steps", "a plan has at least one step")
    elif len(steps) > MAX_STEPS:
        yield _problem("too_many_steps", "$.steps", f"a plan has at most {MAX_STEPS} steps, got {len(steps)}")
    else:
        for index, step in enumerate(steps):
            yield from _step_shape(step, f"$.steps[{index}]")


def _step_shape(step: Any, path: str) -> Iterator[PlanProblem]:
    if not isinstance(step, dict):
        yield _problem("type", path, f"a step is an object, got {type(step).__name__}")
        return
    for name in sorted(set(step) - set(DETERMINISTIC_FIELDS)):
        text = _hinted("a step has no such field", name, DETERMINISTIC_FIELDS)
        yield _problem("unknown_field", f"{path}.{name:.60}", text)
    for name in ("step_id", "skill", "params"):
        if name not in step:
            yield _problem("missing", f"{path}.{name}", f"every step has a {name}")
    for name, value in (("step_id", step.get("step_id", "x")), ("output_key", step.get("output_key") or "x")):
        if not isinstance(value, str) or not _ID.fullmatch(value):
            yield _problem("bad_id", f"{path}.{name}", "1 to 200 lower-case letters, digits, '_' and '-' are allowed")
    for name, (is_right, code, message) in _STEP_FIELDS.items():
        if name in step and not is_right(step[name]):
            yield _problem(code, f"{path}.{name}", message)


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_list_of_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _is_retry_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MAX_RETRIES


_STEP_FIELDS: dict[str, tuple[Callable[[Any], bool], str, str]] = {
    "skill": (_is_name, "type", "a skill is named by a text that is not empty"),
    "params": (lambda value: isinstance(value, dict), "type", "params is an object"),
    "depends_on": (_is_list_of_texts, "type", "depends_on is a list of step ids"),
    "on_error": (lambda value: value in _POLICIES, "bad_policy", f"one of {', '.join(_POLICIES)} is allowed"),
    "retry_count": (_is_retry_count, "bad_retry_count", f"a whole number from 0 to {MAX_RETRIES} is allowed"),
}
"""What the fields of a step must be, in the order in which it is said: a check, a code and a message."""


def _step_problems(steps: list[dict[str, Any]], skills: Mapping[str, Skill] | None) -> Iterator[PlanProblem]:
    """Check what concerns one step against its neighbours' names and the manifest."""
    ids = {step["step_id"] for step in steps}
    seen_ids: set[str] = set()
    seen_keys: set[str] = set(GIVEN_KEYS)
    for index, step in enumerate(steps):
        path = f"$.steps[{index}]"
        if step["step_id"] in seen_ids:
            yield _problem("duplicate_id", f"{path}.step_id", f"{step['step_id']!r} is used twice")
        key = _key(step)
        if key in seen_keys:
            taken = "names what a run is given" if key in GIVEN_KEYS else "is used twice"
            yield _problem("duplicate_output_key", f"{path}.output_key", f"{key!r} {taken}")
        seen_ids.add(step["step_id"])
        seen_keys.add(key)
        for position, dependency in enumerate(step.get("depends_on", ())):
            where = f"{path}.depends_on[{position}]"
            if dependency == step["step_id"]:
                yield _problem("self_dependency", where, "a step cannot depend on itself")
            elif dependency not in ids:
                text = _hinted(f"no step is called {dependency!r:.60}", dependency, ids)
                yield _problem("unknown_dependency", where, text)
        if skills is not None:
            yield from _skill_problems(step, skills, path)


def _skill_problems(step: Mapping[str, Any], skills: Mapping[str, Skill], path: str) -> Iterator[PlanProblem]:
    skill = skills.get(step["skill"])
    if skill is None:
        text = _hinted(f"the manifest has no skill {step['skill']!r:.60}", step["skill"], skills)
        yield _problem("unknown_skill", f"{path}.skill", text)
    elif skill.input_schema is not None:
        for where, text in schema_problems(step["params"], skill.input_schema, f"{path}.params"):
            yield _problem("params", where, text)


def _graph_problems(steps: list[dict[str, Any]]) -> Iterator[PlanProblem]:
    """Check cycles, and that placeholders point only to steps that are certain to have run."""
    positions = {step["step_id"]: index for index, step in enumerate(steps)}
    needs = [[positions[d] for d in step.get("depends_on", ()) if d in positions] for step in steps]
    order, stuck = _topological(needs)
    for index in stuck:
        yield _problem("cycle", f"$.steps[{index}].depends_on", f"{steps[index]['step_id']!r} waits for itself")
    owners = {_key(step): index for index, step in enumerate(steps)}
    for index in sorted(order):
        for ref in references(steps[index]["params"], f"$.steps[{index}].params"):
            if ref.key is None:
                yield _problem("bad_placeholder", ref.path, f"{ref.text!r:.60} is not of the form {{{{key.field}}}}")
            elif ref.key not in GIVEN_KEYS and not _runs_before(needs, owners.get(ref.key), index):
                text = f"{ref.text!r:.80} refers to no step this one depends on"
                yield _problem("unresolved_reference", ref.path, text)


def _topological(needs: list[list[int]]) -> tuple[list[int], list[int]]:
    """Return the indices that can be ordered, and those held up by a cycle."""
    waiting = [len(set(n)) for n in needs]
    followers: list[list[int]] = [[] for _ in needs]
    for index, n in enumerate(needs):
        for other in set(n):  # only counted and appended under its own index: order does not reach the result
            followers[other].append(index)
    order = [index for index, count in enumerate(waiting) if count == 0]
    for index in order:  # grows while it is walked
        for follower in followers[index]:
            waiting[follower] -= 1
            if waiting[follower] == 0:
                order.append(follower)
    return order, [index for index, count in enumerate(waiting) if count > 0]


def _runs_before(needs: list[list[int]], earlier: int | None, index: int) -> bool:
    """Say whether step `index` depends, directly or indirectly, on step `earlier`."""
    if earlier is None:
        return False
    reached: set[int] = set()
    todo = [index]
    while todo:
        direct = needs[todo.pop()]
        if earlier in direct:
            return True
        todo.extend(other for other in direct if other not in reached)
        reached.update(direct)
    return False


def _key(step: Mapping[str, Any]) -> str:
    return str(step.get("output_key") or step["step_id"])


def _hinted(text: str, word: str, known: Collection[str]) -> str:
    hint = did_you_mean(word, known)
    return f"{text}; {hint}" if hint else text


def _problem(code: str, path: str, message: str) -> PlanProblem:
    return PlanProblem(code=code, path=path, message=message)
