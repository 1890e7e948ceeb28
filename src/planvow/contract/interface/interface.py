"""The interface every planner keeps: the same call, an output or an error value, never an exception.

An error is a value because a program that asks planners has to go on whatever they answer, and because it can then be
stored and compared like a plan; who would rather have an exception calls `unwrap`. `keeping` makes planners that keep
the interface.

Seed 004, "PlannerInterface Protocol", "Determinism Modes" and "Error Handling"; ADR 0003.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, runtime_checkable

from planvow.contract.errors import MissingCredentialsError
from planvow.contract.failure import PlannerErrorCode, describe_exception, error_class
from planvow.errors import MissingExtraError, expect
from planvow.status import Status


class DeterminismMode(StrEnum):
    """What a planner promises about two calls with the same inputs.

    >>> StubPlanner().get_determinism_mode()
    <DeterminismMode.FULL: 'full'>
    """

    FULL = "full"
    """Identical plans, byte for byte."""
    STRUCTURAL = "structural"
    """The same steps, skills and dependencies; parameter values may differ."""
    NONE = "none"


@dataclass(frozen=True, kw_only=True)
class PlannerOutput:
    """Structured planner output. `metadata` is authoritative; what varies between calls stands only there.

    >>> unwrap(StubPlanner().plan("agent-1", "say hello")).plan["steps"][0]["skill"]
    'echo'
    """

    plan: dict[str, Any]
    metadata: dict[str, Any] = field(default_factory=dict)
    deterministic: bool = False

    def as_dict(self) -> dict[str, Any]:
        """Return the output as JSON data."""
        return {"plan": self.plan, "metadata": self.metadata, "deterministic": self.deterministic}


@dataclass(frozen=True, kw_only=True)
class PlannerError:
    """Why there is no plan: a code for programs, a message for people, and whether trying again may help.

    >>> StubPlanner().plan("agent-1", "").code
    'PLANNER_INVALID_GOAL'
    """

    code: str
    message: str
    retryable: bool = False
    details: dict[str, Any] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """Return the error as JSON data."""
        return {"code": self.code, "message": self.message, "retryable": self.retryable, "details": self.details}

    if not TYPE_CHECKING:  # a checker of types still says that an error has no plan

        def __getattr__(self, name: str) -> Any:
            """Say why there is no plan to whoever asks an error for one: a failed test then names the reason."""
            if name in ("plan", "metadata"):
                raise AttributeError(f"there is no {name}: {self.code} {self.message}", name=name, obj=self)
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self)


Answer: TypeAlias = PlannerOutput | PlannerError

_SEMANTIC_VERSION = re.compile(
    r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?(\+[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?",
    re.ASCII,
)


def is_semantic_version(version: Any) -> bool:
    """Say whether this is a version of the form that https://semver.org describes, as seed 004 asks of planners."""
    return isinstance(version, str) and _SEMANTIC_VERSION.fullmatch(version) is not None


@runtime_checkable
class PlannerInterface(Protocol):
    """Protocol for planner implementations.

    >>> isinstance(StubPlanner(), PlannerInterface)
    True
    """

    @property
    def planner_id(self) -> str:
        """Unique identifier for this planner."""
        ...

    @property
    def version(self) -> str:
        """Planner version (semantic versioning)."""
        ...

    def plan(
        self,
        agent_id: str,
        goal: str,
        context_summary: str | None = None,
        memory_snippets: Sequence[Mapping[str, Any]] | None = None,
        tool_manifest: Sequence[Mapping[str, Any]] | None = None,
        **kwargs: Any,
    ) -> PlannerOutput | PlannerError:
        """Generate a plan for the given goal, or say why there is none."""
        ...

    def get_determinism_mode(self) -> str:
        """Return determinism mode: 'full', 'structural', or 'none'."""
        ...


def unwrap(answer: Answer) -> PlannerOutput:
    """Return the output, or raise the PlannerFailedError that has the error's code.

    >>> unwrap(StubPlanner().plan("agent-1", "say hello")).deterministic
    True
    """
    if isinstance(answer, PlannerOutput):
        return answer
    expect(answer, PlannerError, "answer", "a PlannerOutput or a PlannerError")
    kind, hint = error_class(answer.code), answer.details.get("hint")
    failed = kind(answer.message, retryable=answer.retryable, hint=hint, details=answer.as_dict())
    for about_the_environment in (MissingCredentialsError, MissingExtraError):
        if answer.details.get("error") == about_the_environment.code:
            failed.exit_code = about_the_environment.exit_code
    raise failed


def error_from_exception(error: BaseException) -> PlannerError:
    """Return the error value for an exception: its code, and where it came from when nobody foresaw it."""
    code, message, retryable, details = describe_exception(error)
    return PlannerError(code=code, message=message, retryable=retryable, details=details)


def error_for_status(status: Status, message: str, *, details: Mapping[str, Any] | None = None) -> PlannerError:
    """Return the error value for a planning call that ended with a status word other than success."""
    code = _CODE_OF_STATUS.get(status, PlannerErrorCode.INTERNAL)
    retryable = status is Status.INTERRUPTED  # the only outcome a clock decided
    return PlannerError(
        code=code, message=message, retryable=retryable, details={"status": status.value, **(details or {})}
    )


_CODE_OF_STATUS = {
    Status.REJECTED: PlannerErrorCode.INVALID_GOAL,
    Status.NO_CAPABILITY: PlannerErrorCode.NO_SKILLS_AVAILABLE,
    Status.BLOCKED: PlannerErrorCode.GENERATION_FAILED,
    Status.NO_PLAN: PlannerErrorCode.GENERATION_FAILED,
    Status.BUDGET_EXCEEDED: PlannerErrorCode.BUDGET_EXCEEDED,
    Status.INTERRUPTED: PlannerErrorCode.TIMEOUT,
    Status.INTERNAL: PlannerErrorCode.INTERNAL,
}
