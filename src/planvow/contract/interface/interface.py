"""The interface every planner keeps: the same call, an output or an error value, never an exception.

`keeps_contract` turns a function over normalised inputs into the seed's `plan(...)`. It checks the inputs, catches
whatever is raised and returns it as a `PlannerError`, validates the plan against the manifest, writes the defaults
out, and derives the plan's own metadata from the output's, so a planner author cannot forget any of it.

Seed 004, "PlannerInterface Protocol", "Determinism Modes" and "Error Handling"; ADR 0003.
"""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, runtime_checkable

from planvow.canonical import to_jsonable
from planvow.contract.errors import MissingCredentialsError
from planvow.contract.failure import PlannerErrorCode, describe_exception, error_class
from planvow.contract.interface.inputs import PlannerInputs, read_inputs
from planvow.contract.plan.plan import PLAN_METADATA_FIELDS, build_plan
from planvow.contract.plan.validate import validate_plan
from planvow.errors import InputError, MissingExtraError, NotCanonicalError, expect
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


def keeps_contract(make_plan: Callable[[Any, PlannerInputs], Answer]) -> Callable[..., Answer]:
    """Make a planner's `plan` method out of a function over normalised inputs.

    The function may raise; the method does not. The page on writing planners shows one.

    >>> from planvow.contract import PlannerError
    >>> class Never:
    ...     planner_id, version = "never", "1.0.0"
    ...     @keeps_contract
    ...     def plan(self, inputs):
    ...         return PlannerError(code="PLANNER_INVALID_GOAL", message="no")
    >>> Never().plan("agent-1", "say hello").code
    'PLANNER_INVALID_GOAL'
    """

    @functools.wraps(make_plan)
    def plan(self: Any, /, *args: Any, **kwargs: Any) -> Answer:
        try:
            inputs = _bind(args, kwargs)
            return finish_answer(self, inputs, make_plan(self, inputs))
        except (Exception, SystemExit) as error:  # the contract: whatever happens inside, the caller gets a value
            return error_from_exception(error)

    plan.__signature__ = inspect.signature(PlannerInterface.plan)  # type: ignore[attr-defined]  # what help() shows
    return plan


def keeps_contract_async(
    make_plan: Callable[[Any, PlannerInputs], Awaitable[Answer]],
) -> Callable[..., Awaitable[Answer]]:
    """Make a planner's `aplan` method out of a coroutine over normalised inputs, as `keeps_contract` makes `plan`."""

    @functools.wraps(make_plan)
    async def aplan(self: Any, /, *args: Any, **kwargs: Any) -> Answer:
        try:
            inputs = _bind(args, kwargs)
            return finish_answer(self, inputs, await make_plan(self, inputs))
        except (Exception, SystemExit) as error:
            return error_from_exception(error)

    aplan.__signature__ = inspect.signature(PlannerInterface.plan)  # type: ignore[attr-defined]
    return aplan


def safe_plan(planner: PlannerInterface, /, *args: Any, **kwargs: Any) -> Answer:
    """Call any planner so that the answer keeps the contract, even when the planner itself does not.

    >>> safe_plan(StubPlanner(), "agent-1", "say hello").plan["steps"][0]["skill"]
    'echo'
    """
    try:
        inputs = _bind(args, kwargs)
        return finish_answer(planner, inputs, planner.plan(**inputs.as_arguments()))
    except (Exception, SystemExit) as error:  # a planner from elsewhere may raise anything
        return error_from_exception(error)


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


def finish_answer(planner: Any, inputs: PlannerInputs, answer: Any) -> Answer:
    """Hold an answer to the contract: a valid plan with defaults written out, or an error with plain details."""
    try:
        if isinstance(answer, PlannerError):
            return _finished_error(answer)
        if isinstance(answer, PlannerOutput):
            return _misuse(planner, inputs, answer) or _finished_output(planner, inputs, answer)
    except NotCanonicalError as error:
        return _broken(f"the planner's answer is not JSON: {error.message}", place=error.place)
    return _broken("the planner returned no PlannerOutput and no PlannerError", returned=type(answer).__name__)


def _broken(message: str, **details: Any) -> PlannerError:
    return PlannerError(code=PlannerErrorCode.INTERNAL, message=message, details=details)


def _misuse(planner: Any, inputs: PlannerInputs, answer: PlannerOutput) -> PlannerError | None:
    """Return what a planner did wrong beside its plan, if anything."""
    if not isinstance(answer.metadata, Mapping):
        return _broken(f"the output's metadata is an object, got {type(answer.metadata).__name__}")
    if not isinstance(answer.deterministic, bool):
        return _broken(f"deterministic is true or false, got {type(answer.deterministic).__name__}")
    for name in ("planner_id", "version"):
        if not isinstance(getattr(planner, name), str):
            return _broken(f"the planner's {name} is a text, got {type(getattr(planner, name)).__name__}")
    if inputs.were_changed():  # the manifest that a plan is held to, for one
        return _broken("the planner changed its inputs", hint="copy what has to change")
    return None


def _finished_error(answer: PlannerError) -> PlannerError:
    return PlannerError(
        code=str(answer.code),
        message=to_jsonable(str(answer.message)),
        retryable=bool(answer.retryable),
        details=to_jsonable(answer.details),
    )


def _finished_output(planner: Any, inputs: PlannerInputs, answer: PlannerOutput) -> Answer:
    nothing_to_do = answer.metadata.get("status") == Status.SATISFIED
    problems = validate_plan(answer.plan, inputs.tool_manifest, allow_empty=nothing_to_do)
    if problems:
        return PlannerError(
            code=PlannerErrorCode.INVALID_PLAN,
            message=f"{problems[0].path}: {problems[0].message}",
            details={"problems": to_jsonable(problems)},
        )
    metadata = {
        **to_jsonable(answer.metadata),
        "planner": planner.planner_id,
        "planner_version": planner.version,
        "deterministic": answer.deterministic,
        "input_hash": inputs.input_hash,
        "coarse_input_hash": inputs.coarse_hash,
    }
    plan = build_plan(answer.plan).as_dict()
    plan["metadata"] = {name: metadata[name] for name in PLAN_METADATA_FIELDS if name in metadata}
    return PlannerOutput(plan=plan, metadata=metadata, deterministic=answer.deterministic)


def _bind(args: tuple[Any, ...], kwargs: dict[str, Any]) -> PlannerInputs:
    try:
        _READ_SIGNATURE.bind(*args, **kwargs)
    except TypeError as error:
        raise InputError(f"plan() {error}", hint="plan(agent_id, goal, …) needs at least these two") from None
    return read_inputs(*args, **kwargs)


_READ_SIGNATURE = inspect.signature(read_inputs)
