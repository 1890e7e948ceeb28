"""Trying one step: its parameters with every placeholder filled, and what an exception says about a failure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from planvow.contract.errors import SkillFailedError
from planvow.contract.failure import readable
from planvow.contract.plan.manifest import Skill
from planvow.contract.plan.placeholders import resolve
from planvow.contract.plan.schema_check import schema_problems
from planvow.errors import InputError
from planvow.execution import UNKNOWN_SKILL, SkillRules
from planvow.retry import Failure, classify_exception
from planvow.step import Step


def rules_of(skill: Skill | None) -> SkillRules:
    """Return what a manifest entry says about failing steps; nothing is known of a skill that has none."""
    if skill is None:
        return UNKNOWN_SKILL
    return SkillRules(
        side_effects=skill.side_effects,
        retryable_codes=skill.retry.retryable_codes,
        max_retries=skill.retry.max,
        backoff=skill.backoff,
    )


def failure_of(error: Exception) -> Failure:
    """Return what an exception that a skill raised says about the failure."""
    if isinstance(error, SkillFailedError):
        return error.failure
    code = getattr(error, "code", None)
    return Failure(
        code=code if isinstance(code, str) else type(error).__name__,
        message=readable(error),
        error_class=classify_exception(error),
    )


def resolve_params(
    step: Step,
    outputs: Mapping[str, Any],
    inputs: Mapping[str, Any] | None = None,
    *,
    skill: Skill | None = None,
) -> dict[str, Any]:
    """Return the step's parameters with every placeholder filled, values keeping their type.

    Raises UnresolvedReferenceError when nothing fills one, and InputError when the filled parameters break the skill's
    schema, which could not be known before.
    """
    path = f"{step.step_id}.params"
    resolved: dict[str, Any] = resolve(step.params, outputs, inputs, path)
    if skill is not None and skill.input_schema is not None:
        for place, message in schema_problems(resolved, skill.input_schema, path, filled=True):
            raise InputError(message, place=place)
    return resolved
