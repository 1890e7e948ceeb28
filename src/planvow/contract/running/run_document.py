"""Run records as JSON documents, read with every field checked: a damaged one is refused with the path of the fault."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from planvow.canonical import to_jsonable
from planvow.contract.plan.normalise import read_plan
from planvow.contract.running.run import FORMAT, Attempt, RunRecord, StepRecord
from planvow.contract.running.sandbox import SandboxPolicy
from planvow.errors import InputError, chosen, shown
from planvow.execution import StepStatus
from planvow.retry import ErrorClass

_Fields = Mapping[str, type | tuple[type, ...] | None]  # None: anything

_RUN: _Fields = {
    "format": str, "run_id": str, "plan": dict, "inputs": dict, "manifest": (list, type(None)), "policy": dict,
    "steps": list, "succeeded": bool,
}  # fmt: skip
_POLICY: _Fields = {
    "forbidden_skills": list, "check_paths": bool, "check_shell": bool, "require_idempotency_keys": bool,
}  # fmt: skip
_STEP: _Fields = {
    "step_id": str, "skill": str, "skill_version": str, "params": dict, "status": str, "has_side_effects": bool,
    "cost_cents": int, "attempts": list, "reason": str,
}  # fmt: skip
_ATTEMPT: _Fields = {
    "succeeded": bool, "output": None, "error_code": (str, type(None)), "error_class": (str, type(None)),
    "message": str, "delay_ms": int,
}  # fmt: skip


def run_data(record: RunRecord) -> dict[str, Any]:
    """Return a run record as JSON data."""
    data: dict[str, Any] = to_jsonable(record)
    return data


def read_run(data: Any, *, place: str = "$") -> RunRecord:
    """Turn JSON data into a run record, or raise InputError with the path of the fault."""
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise InputError(f"this is not a run: its format must be {FORMAT!r}", place=place)
    _check(data, _RUN, place)
    policy = data["policy"]
    _check(policy, _POLICY, f"{place}.policy")
    for index, skill in enumerate(policy["forbidden_skills"]):
        _check_type(skill, str, f"{place}.policy.forbidden_skills[{index}]")
    return RunRecord(
        run_id=data["run_id"],
        plan=read_plan(data["plan"]).as_dict(),
        inputs=data["inputs"],
        manifest=None if data["manifest"] is None else tuple(data["manifest"]),
        policy=SandboxPolicy(**{**policy, "forbidden_skills": frozenset(policy["forbidden_skills"])}),
        steps=tuple(_read_step(step, f"{place}.steps[{index}]") for index, step in enumerate(data["steps"])),
        succeeded=data["succeeded"],
    )


def _read_step(data: Any, place: str) -> StepRecord:
    _check(data, _STEP, place)
    attempts = [_read_attempt(item, f"{place}.attempts[{index}]") for index, item in enumerate(data["attempts"])]
    status = chosen(StepStatus, data["status"], place=f"{place}.status")
    return StepRecord(**{**data, "status": status, "attempts": tuple(attempts)})


def _read_attempt(data: Any, place: str) -> Attempt:
    _check(data, _ATTEMPT, place)
    if data["error_class"] is not None:
        chosen(ErrorClass, data["error_class"], place=f"{place}.error_class")
    return Attempt(**data)


def _check(data: Any, fields: _Fields, place: str) -> None:
    """Raise InputError unless `data` is an object with exactly these fields of these types."""
    _check_type(data, dict, place)
    for name in sorted(set(data) ^ set(fields)):
        raise InputError("unknown field" if name in data else "missing field", place=f"{place}.{name:.60}")
    for name, kind in fields.items():
        if kind is not None:
            _check_type(data[name], kind, f"{place}.{name}")


def _check_type(value: Any, kind: type | tuple[type, ...], place: str) -> None:
    count = isinstance(value, int) and not isinstance(value, bool) and value >= 0
    if not isinstance(value, kind) or (kind is int and not count):
        raise InputError(f"not what belongs here: {shown(value)}", place=place)
