"""Golden files: an input, the output it must give, which fields must be equal and which may vary.

Fields are named by path (`$.plan.steps`, `$.metadata.generated_at`). Without a list of deterministic fields,
everything that is not ignored must be equal. A golden file is canonical JSON, so a review shows exactly what changed.

Spec 004, "Golden file" and "Variance fields".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from planvow.canonical import to_jsonable
from planvow.contract.interface.interface import Answer, PlannerInterface, PlannerOutput
from planvow.contract.interface.keeping import safe_plan
from planvow.contract.plan.difference import Difference, differences, value_at
from planvow.errors import InputError

FORMAT = "planvow-golden/1"
VARIANCE_NAMES = (
    "id", "created_at", "started_at", "completed_at", "updated_at", "generated_at", "duration", "duration_ms",
    "latency_ms", "timestamp", "ts", "trace_id", "span_id", "input_tokens", "output_tokens", "cost_cents",
)  # fmt: skip
DEFAULT_IGNORED = tuple(f"$.metadata.{name}" for name in VARIANCE_NAMES)
_FIELDS = frozenset({"format", "meta", "input", "expected", "deterministic_fields", "ignored_fields"})


@dataclass(frozen=True, kw_only=True)
class Golden:
    """What a planner must answer to an input."""

    input: Mapping[str, Any]
    expected: Mapping[str, Any]
    meta: Mapping[str, Any] = field(default_factory=dict)
    deterministic_fields: tuple[str, ...] = ()
    ignored_fields: tuple[str, ...] = DEFAULT_IGNORED

    def as_dict(self) -> dict[str, Any]:
        """Return the golden file as JSON data, with its format named."""
        return {"format": FORMAT, **to_jsonable(self)}


@dataclass(frozen=True, kw_only=True)
class GoldenResult:
    """Whether an answer matches a golden file, and every place where it does not."""

    match: bool
    differences: tuple[Difference, ...] = ()


def make_golden(planner: PlannerInterface, arguments: Mapping[str, Any]) -> Golden:
    """Ask a planner and keep its answer as the golden one."""
    meta = {"planner": planner.planner_id, "planner_version": planner.version}
    return Golden(input=to_jsonable(arguments), expected=_data(safe_plan(planner, **arguments)), meta=meta)


def check_golden(golden: Golden, planner: PlannerInterface) -> GoldenResult:
    """Ask a planner again and compare its answer with the golden one."""
    return compare_golden(golden, safe_plan(planner, **golden.input))


def compare_golden(golden: Golden, answer: Answer) -> GoldenResult:
    """Compare an answer with a golden file."""
    found = _data(answer)
    if not golden.deterministic_fields:
        differing = differences(golden.expected, found, ignored=golden.ignored_fields)
        return GoldenResult(match=not differing, differences=differing)
    differing = ()
    for path in golden.deterministic_fields:
        pair = [{"value": part} for part in (_at(golden.expected, path), _at(found, path))]
        ignored = [f"$.value{other.removeprefix(path)}" for other in golden.ignored_fields if other.startswith(path)]
        differing += tuple(
            Difference(path=path + d.path.removeprefix("$.value"), expected=d.expected, found=d.found)
            for d in differences(*pair, ignored=ignored)
        )
    return GoldenResult(match=not differing, differences=differing)


def read_golden(data: Any, *, place: str = "$") -> Golden:
    """Turn JSON data into a golden file, or raise InputError with the path of the fault."""
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise InputError(f"this is not a golden file: its format must be {FORMAT!r}", place=place)
    for name in sorted(set(data) ^ _FIELDS):
        raise InputError("unknown field" if name in data else "missing field", place=f"{place}.{name:.60}")
    for name in ("meta", "input", "expected"):
        if not isinstance(data[name], dict):
            raise InputError("an object was expected", place=f"{place}.{name}")
    for name in ("deterministic_fields", "ignored_fields"):
        if not isinstance(data[name], list) or not all(isinstance(path, str) for path in data[name]):
            raise InputError("a list of paths was expected", place=f"{place}.{name}")
    return Golden(
        input=data["input"],
        expected=data["expected"],
        meta=data["meta"],
        deterministic_fields=tuple(data["deterministic_fields"]),
        ignored_fields=tuple(data["ignored_fields"]),
    )


def _data(answer: Answer) -> dict[str, Any]:
    if isinstance(answer, PlannerOutput):
        return answer.as_dict()
    return {"error": answer.as_dict()}


def _at(value: Mapping[str, Any], path: str) -> Any:
    try:
        return value_at(value, path)
    except (LookupError, TypeError, ValueError):
        return None
