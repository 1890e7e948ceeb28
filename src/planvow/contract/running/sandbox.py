"""Checks before anything runs: forbidden skills, paths that escape, shell tricks, effects without a key.

`plan_problems` looks at a whole plan before its first step; `step_problems` looks again at one step with its
placeholders filled, because an output can carry what the plan did not show. The field names checked are those plans
really have (`params.path`, `params.command`, `params.method`), at any depth inside the parameters.

Spec 004, "Sandbox".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from planvow.contract.errors import SandboxRefusedError
from planvow.contract.plan.attempt import rules_of
from planvow.contract.plan.manifest import Skill
from planvow.contract.plan.placeholders import is_placeholder
from planvow.contract.plan.plan import Plan
from planvow.contract.plan.validate import PlanProblem
from planvow.execution import IDEMPOTENCY_PARAM, has_side_effects
from planvow.step import Step

SHELL_METACHARACTERS = frozenset(";|&$`<>(){}[]*?!\\'\"\n\r\x00~#")
_PATH_NAMES = frozenset(
    {"path", "file", "filename", "folder", "directory", "dir", "source", "destination", "target_path"}
)
_PATH_ENDINGS = ("_path", "_file", "_dir", "_folder")
_COMMAND_NAMES = frozenset({"command", "cmd", "shell", "argv", "args"})


@dataclass(frozen=True, kw_only=True)
class SandboxPolicy:
    """What a run may do. The default forbids no skill by name and enforces every other rule."""

    forbidden_skills: frozenset[str] = frozenset()
    check_paths: bool = True
    check_shell: bool = True
    require_idempotency_keys: bool = True


DEFAULT_POLICY = SandboxPolicy()


def plan_problems(
    plan: Plan, *, policy: SandboxPolicy = DEFAULT_POLICY, skills: Mapping[str, Skill] | None = None
) -> tuple[PlanProblem, ...]:
    """Return everything in a plan that the policy forbids, in plan order."""
    found: list[PlanProblem] = []
    for index, step in enumerate(plan.steps):
        found += step_problems(step, policy=policy, skill=(skills or {}).get(step.skill), path=f"$.steps[{index}]")
    return tuple(found)


def require_allowed(
    plan: Plan, *, policy: SandboxPolicy = DEFAULT_POLICY, skills: Mapping[str, Skill] | None = None
) -> None:
    """Raise SandboxRefusedError naming the first breach, unless the policy allows the whole plan."""
    problems = plan_problems(plan, policy=policy, skills=skills)
    if problems:
        raise refused(problems)


def refused(problems: tuple[PlanProblem, ...]) -> SandboxRefusedError:
    """Return the error for problems that were found."""
    first = problems[0]
    return SandboxRefusedError(
        first.message,
        place=first.path,
        details={"problems": [{"code": p.code, "path": p.path, "message": p.message} for p in problems]},
    )


def step_problems(
    step: Step,
    *,
    policy: SandboxPolicy = DEFAULT_POLICY,
    skill: Skill | None = None,
    params: Mapping[str, Any] | None = None,
    path: str = "$",
) -> tuple[PlanProblem, ...]:
    """Return what the policy forbids about one step; `params` are the resolved parameters when they are known."""
    given = step.params if params is None else params
    found: list[PlanProblem] = []
    if step.skill in policy.forbidden_skills:
        found.append(_problem("forbidden_skill", f"{path}.skill", f"the skill {step.skill!r} is forbidden"))
    for name, value, where in _texts(given, f"{path}.params"):
        if is_placeholder(value):
            continue  # looked at again when it is filled
        if policy.check_paths and _names_a_path(name) and (why := _escape(value)):
            found.append(_problem("path_escape", where, why))
        if policy.check_shell and name in _COMMAND_NAMES and (bad := _shell_characters(value)):
            found.append(_problem("shell_metacharacters", where, f"shell metacharacters are not allowed: {bad!r}"))
    if policy.require_idempotency_keys and has_side_effects(step, rules_of(skill), given):
        key = given.get(IDEMPOTENCY_PARAM)
        if not isinstance(key, str) or not key.strip():
            where = f"{path}.params.{IDEMPOTENCY_PARAM}"
            found.append(_problem("no_idempotency_key", where, "a step with side effects needs an idempotency key"))
    return tuple(found)


def _texts(value: Any, path: str, name: str = "") -> Iterator[tuple[str, str, str]]:
    if isinstance(value, str):
        yield name, value, path
    elif isinstance(value, Mapping):
        for key in sorted(value):  # sorted: problems come in the same order whatever the key order
            yield from _texts(value[key], f"{path}.{key}", key.lower())
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            yield from _texts(item, f"{path}[{index}]", name)


def _names_a_path(name: str) -> bool:
    return name in _PATH_NAMES or name.endswith(_PATH_ENDINGS)


def _escape(text: str) -> str | None:
    """Return why a path leaves the root it will be joined to, or None."""
    parts = text.replace("\\", "/").split("/")
    if "\x00" in text:
        return "a path may not contain a NUL character"
    if text.startswith(("/", "\\", "~")) or (len(parts[0]) == 2 and parts[0][1] == ":"):
        return "an absolute path leaves the root"
    if ".." in parts:
        return "'..' leaves the root"
    return None


def _shell_characters(text: str) -> str:
    return "".join(sorted(set(text) & SHELL_METACHARACTERS))


def _problem(code: str, path: str, message: str) -> PlanProblem:
    return PlanProblem(code=code, path=path, message=message)
