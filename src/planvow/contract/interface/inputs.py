"""What a planner is given, normalised once at the door, and the hash that names it.

Every planner sees the normalised inputs and nothing else, so equal hashes mean equal inputs. The goal keeps its case:
`normalize_goal` (the seed's lower-casing) serves rule matching and the coarse hash, under which goals that differ
only in case meet; a plan is never reused on the strength of a coarse hash. Extra arguments are part of the input and
of the hash.

Seed 004, "Input Normalization"; spec 004, holes e and f.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from planvow.canonical import canonical_bytes, content_hash, to_jsonable
from planvow.contract.errors import ContextTooLongError, InvalidGoalError
from planvow.contract.plan.manifest import FOREIGN, Skill, read_manifest
from planvow.errors import InputError, NotCanonicalError, expect

MAX_INPUT_BYTES = 8 * 1024 * 1024


@dataclass(frozen=True, kw_only=True)
class PlannerInputs:
    """Everything a planner may look at. Made by `read_inputs`; two equal values have equal hashes.

    >>> PlannerInputs(agent_id="agent-1", goal="say hello").goal
    'say hello'
    """

    agent_id: str
    goal: str
    context_summary: str | None = None
    memory_snippets: tuple[Mapping[str, Any], ...] = ()
    tool_manifest: tuple[Mapping[str, Any], ...] | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def skills(self) -> dict[str, Skill] | None:
        """The manifest by skill id; None when no manifest was given, so nothing is to be filtered."""
        return read_manifest(self.tool_manifest)

    @cached_property
    def full_hash(self) -> str:
        """The 64 hex digits under which recordings of this input are kept."""
        return hashlib.sha256(self._bytes).hexdigest()

    @property
    def input_hash(self) -> str:
        """The 16 hex digits that name this input, as in seed 004."""
        return self.full_hash[:16]

    @property
    def coarse_hash(self) -> str:
        """The hash with the goal in lower case: a key for finding what is near, never for reusing a plan."""
        return content_hash({**self.as_dict(), "goal": normalize_goal(self.goal)}, tag="planner-input-coarse/1")

    def were_changed(self) -> bool:
        """Say whether somebody changed an object inside since the hash was taken."""
        try:
            return self._canonical() != self._bytes
        except NotCanonicalError:
            return True

    @cached_property
    def _bytes(self) -> bytes:
        return self._canonical()

    def _canonical(self) -> bytes:
        return canonical_bytes({"tag": "planner-input/1", "value": self.as_dict()})

    def allow_extra(self, known: Sequence[str]) -> None:
        """Raise InputError for a further argument that is none of the known ones."""
        for name in self.extra:
            if name not in known:
                raise InputError(f"expected {', '.join(known)}, found {name!r:.80}", place="extra")

    def as_dict(self) -> dict[str, Any]:
        """Return the inputs as JSON data. The manifest stays null when none was given: that is not an empty one."""
        return {
            "agent_id": self.agent_id,
            "goal": self.goal,
            "context_summary": self.context_summary,
            "memory_snippets": list(self.memory_snippets),
            "tool_manifest": None if self.tool_manifest is None else list(self.tool_manifest),
            "extra": dict(self.extra),
        }

    def as_arguments(self) -> dict[str, Any]:
        """Return the inputs as the keyword arguments of `PlannerInterface.plan`."""
        arguments = self.as_dict()
        return {**arguments.pop("extra"), **arguments}


def normalize_goal(goal: str) -> str:
    """Normalize goal text for matching: no outer white space, lower case (seed 004).

    >>> normalize_goal("  say   hello ")
    'say   hello'
    """
    expect(goal, str, "goal", "text")
    return goal.strip().lower()


def normalize_context(context: str | None) -> str | None:
    """Normalize context for consistent inputs (seed 004).

    >>> normalize_context("  two   words ")
    'two   words'
    """
    expect(context, (str, type(None)), "context", "text")
    return None if context is None else context.strip()


def collapse_goal(goal: str) -> str:
    """Return the goal as planners see it: white space collapsed, case kept."""
    return " ".join(goal.split())


def read_inputs(
    agent_id: Any,
    goal: Any,
    context_summary: Any = None,
    memory_snippets: Any = None,
    tool_manifest: Any = None,
    **extra: Any,
) -> PlannerInputs:
    """Check and normalise what a planner is given; raise InputError with the name of what is wrong."""
    inputs = PlannerInputs(
        agent_id=_text(agent_id, "agent_id"),
        goal=_goal(goal),
        context_summary=None if context_summary is None else normalize_context(_any_text(context_summary)),
        memory_snippets=tuple(_objects(memory_snippets, "memory_snippets")),
        tool_manifest=None if tool_manifest is None else tuple(_objects(tool_manifest, "tool_manifest")),
        extra=_plain(extra, "extra"),
    )
    size = len(inputs._bytes)
    if size > MAX_INPUT_BYTES:
        raise ContextTooLongError(
            f"the inputs are {size} bytes of JSON, at most {MAX_INPUT_BYTES} are allowed",
            details={"bytes": size, "limit": MAX_INPUT_BYTES},
        )
    _ = inputs.skills  # raises here, at the door, if the manifest is wrong
    return inputs


def plan_input_hash(
    agent_id: str,
    goal: str,
    context_summary: str | None = None,
    memory_snippets: Sequence[Mapping[str, Any]] | None = None,
    tool_manifest: Sequence[Mapping[str, Any]] | None = None,
    **extra: Any,
) -> str:
    """Compute the deterministic hash (16 hex digits) of planner inputs, extra arguments included.

    >>> plan_input_hash("agent-1", "say hello") == plan_input_hash("agent-1", "say goodbye")
    False
    """
    return read_inputs(agent_id, goal, context_summary, memory_snippets, tool_manifest, **extra).input_hash


def _goal(goal: Any) -> str:
    if not isinstance(goal, str):
        raise InvalidGoalError(f"a goal is a text, got {type(goal).__name__}", place="goal")
    collapsed = collapse_goal(goal)
    if not collapsed:
        raise InvalidGoalError("the goal is empty", place="goal")
    try:
        collapsed.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InvalidGoalError(f"a lone surrogate at character {error.start}", place="goal") from None
    return collapsed


def _any_text(value: Any) -> str:
    if not isinstance(value, str):
        raise InputError(f"a text was expected, got {type(value).__name__}", place="context_summary")
    plain: str = _plain(value, "context_summary")
    return plain


def _text(value: Any, name: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise InputError(f"a text that is not empty was expected, got {type(value).__name__}", place=name)
    plain: str = _plain(value, name)
    return plain


def _objects(value: Any, name: str) -> list[dict[str, Any]]:
    if value is None:
        return []
    if not isinstance(value, list | tuple):
        hint = FOREIGN if name == "tool_manifest" and isinstance(value, Mapping) else None
        raise InputError(f"a list of objects was expected, got {type(value).__name__}", place=name, hint=hint)
    plain = _plain(list(value), name)
    for index, item in enumerate(plain):
        if not isinstance(item, dict):
            raise InputError(f"an object was expected, got {type(item).__name__}", place=f"{name}[{index}]")
    objects: list[dict[str, Any]] = plain
    return objects


def _plain(value: Any, name: str) -> Any:
    """Return a deep copy as plain JSON data; the path in an error starts with the argument's name."""
    try:
        return to_jsonable(value)
    except NotCanonicalError as error:
        raise InputError(error.message, place=name + (error.place or "$")[1:], hint=error.hint) from None
