"""The shape of a plan, shared by all planners: steps with dependencies, error policy and defaults.

A plan travels as plain JSON data; `Step` and `Plan` are the same thing as values. Defaults are always written out
(`normalise_plan`), so a step that says `on_error: abort` and one that says nothing have the same bytes. What varies
between calls (times, tokens, cost) never stands inside a plan: it belongs to `PlannerOutput.metadata`.

Seed 004, "Plan Structure Contract" and "Deterministic Fields".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from planvow.canonical import to_jsonable
from planvow.step import DEFAULT_RETRY_COUNT
from planvow.step import OnError as OnError  # part of this module's interface
from planvow.step import Step as Step

DETERMINISTIC_FIELDS = ("step_id", "skill", "params", "depends_on", "on_error", "retry_count", "output_key")
PLAN_METADATA_FIELDS = ("planner", "planner_version", "model", "deterministic")


@dataclass(frozen=True, kw_only=True)
class Plan:
    """Steps in the order they were planned, and who planned them.

    >>> Plan(steps=(Step(step_id="a", skill="echo", params={"message": "hi"}),)).steps[0].skill
    'echo'
    """

    steps: tuple[Step, ...]
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """Return the plan as JSON data with every default written out."""
        return {"steps": [step.as_dict() for step in self.steps], "metadata": to_jsonable(self.metadata)}


def build_plan(plan: Mapping[str, Any]) -> Plan:
    """Turn plan data that was validated already into values."""
    return Plan(steps=tuple(_build_step(raw) for raw in plan["steps"]), metadata=dict(plan.get("metadata") or {}))


def _build_step(raw: Mapping[str, Any]) -> Step:
    return Step(
        step_id=raw["step_id"],
        skill=raw["skill"],
        params=to_jsonable(raw["params"]),
        depends_on=tuple(raw.get("depends_on", ())),
        on_error=OnError(raw.get("on_error", OnError.ABORT)),
        retry_count=raw.get("retry_count", DEFAULT_RETRY_COUNT),
        output_key=raw.get("output_key") or raw["step_id"],
    )


def step_data(
    skill: str,
    params: Mapping[str, Any],
    *,
    step_id: str,
    depends_on: Sequence[str] = (),
    on_error: OnError = OnError.ABORT,
    retry_count: int = DEFAULT_RETRY_COUNT,
    output_key: str | None = None,
) -> dict[str, Any]:
    """Return one step as JSON data: the short way for planners to build plans."""
    return Step(
        step_id=step_id,
        skill=skill,
        params=params,
        depends_on=tuple(depends_on),
        on_error=on_error,
        retry_count=retry_count,
        output_key=output_key,
    ).as_dict()
