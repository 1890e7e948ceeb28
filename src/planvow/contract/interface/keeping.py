"""Keeping the interface: from a function over normalised inputs to the seed's `plan(...)`.

`keeps_contract` checks the inputs, catches whatever is raised and returns it as a `PlannerError`, validates the plan
against the manifest, writes the defaults out, and derives the plan's own metadata from the output's, so a planner
author cannot forget any of it. `safe_plan` holds a planner from elsewhere to the same.

Seed 004, "PlannerInterface Protocol" and "Error Handling"; ADR 0003.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from planvow.canonical import to_jsonable
from planvow.contract.failure import PlannerErrorCode
from planvow.contract.interface.inputs import PlannerInputs, read_inputs
from planvow.contract.interface.interface import (
    Answer,
    PlannerError,
    PlannerInterface,
    PlannerOutput,
    error_from_exception,
)
from planvow.contract.plan.plan import PLAN_METADATA_FIELDS, build_plan
from planvow.contract.plan.validate import validate_plan
from planvow.errors import InputError, NotCanonicalError
from planvow.status import Status


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
