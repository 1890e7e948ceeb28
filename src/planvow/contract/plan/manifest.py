"""What skills there are: the manifest a planner is given and an executor checks against.

Only `skill_id` is mandatory. No manifest (None) means "unknown, do not filter"; an empty one means "there are no
skills". Both readers and planners keep that difference.

Spec 004, "Skill manifest entry".
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from planvow.canonical import to_jsonable
from planvow.contract.plan.schema_form import check_schema
from planvow.errors import InputError, did_you_mean
from planvow.retry import DEFAULT_BACKOFF, Backoff

_SEMVER = re.compile(r"\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?")
_TEXT = ("name", "version", "description")
_FLAGS = ("deterministic", "side_effects")
_COUNTS = ("timeout_ms", "cost_estimate_cents")
_SCHEMAS = ("input_schema", "output_schema")
_FIELDS = frozenset({"skill_id", *_TEXT, *_FLAGS, *_COUNTS, *_SCHEMAS, "permissions", "retry"})
FOREIGN = (
    "a list of MCP, OpenAI, Anthropic or OpenAPI becomes one with `planvow tools export FILE --as skills`, "
    "in Python with to_skills(read_tools(list)) of planvow.tools"
)
"""What helps somebody whose list is of another shape."""
_OTHERS = frozenset({"inputSchema", "function", "parameters", "input_schema"})
_RETRY_FIELDS = frozenset({"max", "base_ms", "multiplier", "retryable_codes"})


@dataclass(frozen=True, kw_only=True)
class RetryRules:
    """How often a skill may be tried again, how long to wait, and which of its own error codes are worth it."""

    max: int | None = None
    base_ms: int = DEFAULT_BACKOFF.base_ms
    multiplier: int = DEFAULT_BACKOFF.multiplier
    retryable_codes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Skill:
    """One thing that can be done, as its manifest entry says."""

    skill_id: str
    name: str = ""
    version: str = "0.0.0"
    description: str = ""
    input_schema: Mapping[str, Any] | None = None
    output_schema: Mapping[str, Any] | None = None
    timeout_ms: int | None = None
    cost_estimate_cents: float = 0
    deterministic: bool = False
    side_effects: bool = False
    permissions: tuple[str, ...] = ()
    retry: RetryRules = field(default_factory=RetryRules)

    @property
    def backoff(self) -> Backoff:
        """How the wait between attempts grows."""
        return Backoff(base_ms=self.retry.base_ms, multiplier=self.retry.multiplier)


def read_manifest(manifest: Sequence[Mapping[str, Any]] | None) -> dict[str, Skill] | None:
    """Return the skills of a manifest by id, or None when there is no manifest.

    Raises InputError with the path of whatever is wrong: a field of the wrong type, an unknown field, a skill twice.
    """
    if manifest is None:
        return None
    if not isinstance(manifest, list | tuple):
        raise InputError(
            f"a list of skills was expected, got {type(manifest).__name__}", place="tool_manifest", hint=FOREIGN
        )
    skills: dict[str, Skill] = {}
    for index, entry in enumerate(manifest):
        place = f"tool_manifest[{index}]"
        skill = read_skill(entry, place)
        if skill.skill_id in skills:
            raise InputError(f"the skill {skill.skill_id!r} is listed twice", place=f"{place}.skill_id")
        skills[skill.skill_id] = skill
    return skills


def read_skill(entry: Mapping[str, Any], place: str = "skill") -> Skill:
    """Return one manifest entry as a value, or raise InputError with the path of the fault."""
    if isinstance(entry, Skill):
        return entry
    if not isinstance(entry, Mapping):
        raise InputError(f"an object was expected, got {type(entry).__name__}", place=place)
    entry = to_jsonable(entry)
    unknown = sorted(set(entry) - _FIELDS)
    if unknown:
        hint = _hint(entry) or did_you_mean(unknown[0], _FIELDS)
        raise InputError(f"a manifest entry has no field {unknown[0]!r:.60}", place=place, hint=hint)
    skill_id = entry.get("skill_id")
    if not isinstance(skill_id, str) or not skill_id.strip():
        raise InputError(
            "a skill needs a skill_id, a text that is not empty", place=f"{place}.skill_id", hint=_hint(entry)
        )
    _check_fields(entry, place)
    retry = entry.get("retry") or {}
    return Skill(
        skill_id=skill_id,
        **{name: entry[name] for name in (*_TEXT, *_FLAGS, *_COUNTS, *_SCHEMAS) if entry.get(name) is not None},
        permissions=tuple(entry.get("permissions") or ()),
        retry=RetryRules(
            **{name: retry[name] for name in ("max", "base_ms", "multiplier") if retry.get(name) is not None},
            retryable_codes=tuple(retry.get("retryable_codes") or ()),
        ),
    )


def _hint(entry: Mapping[str, Any]) -> str | None:
    """Return what helps where an entry is one of somebody else's tool list."""
    return FOREIGN if "skill_id" not in entry and not _OTHERS.isdisjoint(entry) else None


def _check_fields(entry: Mapping[str, Any], place: str) -> None:
    for name in _TEXT:
        _check(entry, name, str, "a text", place)
    for name in _FLAGS:
        _check(entry, name, bool, "true or false", place)
    for name in _COUNTS:
        value = entry.get(name)
        number = isinstance(value, int if name == "timeout_ms" else int | float) and not isinstance(value, bool)
        if value is not None and not (number and value >= 0):
            raise InputError(f"a number of at least 0 was expected, got {value!r:.40}", place=f"{place}.{name}")
    for name in _SCHEMAS:
        _check(entry, name, dict, "a JSON Schema object", place)
        check_schema(entry.get(name) or {}, f"{place}.{name}")
    version = entry.get("version")
    if version is not None and not _SEMVER.fullmatch(version):
        raise InputError(
            f"a semantic version such as 1.2.0 was expected, got {version!r:.40}", place=f"{place}.version"
        )
    _check_texts(entry, "permissions", place)
    _check(entry, "retry", dict, "an object", place)
    _check_retry(entry.get("retry") or {}, f"{place}.retry")


def _check_retry(retry: Mapping[str, Any], place: str) -> None:
    unknown = sorted(set(retry) - _RETRY_FIELDS)
    if unknown:
        raise InputError(f"retry has no field {unknown[0]!r:.60}", place=place)
    for name in ("max", "base_ms", "multiplier"):
        value = retry.get(name)
        if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 0):
            raise InputError(f"a whole number of at least 0 was expected, got {value!r:.40}", place=f"{place}.{name}")
    _check_texts(retry, "retryable_codes", place)


def _check_texts(entry: Mapping[str, Any], name: str, place: str) -> None:
    value = entry.get(name)
    if value is not None and not (isinstance(value, list) and all(isinstance(item, str) for item in value)):
        raise InputError("a list of texts was expected", place=f"{place}.{name}")


def _check(entry: Mapping[str, Any], name: str, kind: type, wanted: str, place: str) -> None:
    value = entry.get(name)
    if value is not None and not isinstance(value, kind):
        raise InputError(f"{wanted} was expected, got {type(value).__name__}", place=f"{place}.{name}")
