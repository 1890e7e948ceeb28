"""Exceptions of the contract layer. At the planner boundary they become `PlannerError` values (ADR 0003)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from planvow.errors import InputError, PlanvowError, RefusedError


class InvalidPlanError(InputError):
    """A plan breaks the structure every plan has.

    Each problem is listed with the path to it, such as `$.steps[2].depends_on[0]`. Nothing of the plan was run.
    A plan has at least one step; ids are unique; dependencies exist and form no cycle; placeholders point only to
    steps that are certain to have run.
    """

    code = "INVALID_PLAN"

    def __init__(self, problems: Sequence[Any]) -> None:
        first = problems[0]
        more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
        super().__init__(
            f"{first.message}{more}",
            place=first.path,
            details={"problems": [{"code": p.code, "path": p.path, "message": p.message} for p in problems]},
        )


class UnresolvedReferenceError(RefusedError):
    """A placeholder such as `{{s1.body}}` points to something that is not there.

    Either the run was started without an input the plan asks for, or an earlier step did not produce the field. The
    step was not started: a hole is never filled with an empty text.
    """

    code = "UNRESOLVED_REFERENCE"


class SandboxRefusedError(RefusedError):
    """The sandbox policy forbids a step, so the plan was not started.

    The message names the step and the rule: a forbidden skill, a path that leaves the root, shell metacharacters, or a
    step with side effects and no idempotency key.
    """

    code = "SANDBOX_REFUSED"


class UnknownPlannerError(InputError):
    """No planner is registered under this id.

    `planvow planners` lists what is installed. Planners of other packages appear when the package declares an entry
    point in the group `planvow.planners`.
    """

    code = "UNKNOWN_PLANNER"


class DuplicatePlannerError(InputError):
    """Two planners claim the same id.

    Ids are how plans name their maker, so one id means one planner. Rename one of them or uninstall one package.
    """

    code = "DUPLICATE_PLANNER"


class PlannerUnavailableError(PlanvowError):
    """A registered planner cannot be loaded.

    Its module or class does not import, or does not keep the planner interface. The message says what was raised; other
    planners are not affected.
    """

    code = "PLANNER_UNAVAILABLE"
    exit_code = 2


class PlannerFailedError(RefusedError):
    """A planner answered with an error and the caller asked for the plan with `unwrap()`.

    The details hold the planner's own error: its code, its message and whether trying again may help.
    """

    code = "PLANNER_FAILED"


class RecordingMissingError(RefusedError):
    """Replay mode found no recording for this input, and refuses to ask the real planner.

    The details name the nearest recording and the first place where it differs. Record the new input on purpose, or
    restore the input that was recorded.
    """

    code = "RECORDING_MISSING"


class ReplayMismatchError(RefusedError):
    """Running it again did not give the same result.

    The message names the first difference: the path, what was recorded and what came now. Either the planner changed
    (give it a new version and record again) or it is not deterministic.
    """

    code = "REPLAY_MISMATCH"


class UnknownSchemaError(InputError):
    """There is no published schema of this name.

    `planvow schema` without a name lists the schemas.
    """

    code = "UNKNOWN_SCHEMA"
