"""Exceptions of the contract layer. At the planner boundary they become `PlannerError` values (ADR 0003)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from planvow.errors import EXIT_INTERNAL, EXIT_INVALID, InputError, PlanvowError, RefusedError

if TYPE_CHECKING:
    from planvow.retry import Failure


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


class SkillFailedError(RefusedError):
    """A skill says that it failed, and in which way.

    Raise it from a skill with a `Failure`: its code and class decide whether the step is tried again, and its
    `retry_after_ms` is the least time to wait. Any other exception is classed by its type.
    """

    code = "SKILL_FAILED"

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message or failure.code, details={"failure": failure.code})
        self.failure = failure


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
    exit_code = EXIT_INVALID


class MissingCredentialsError(PlanvowError):
    """A service is to be asked and no key for it is set.

    This is about the environment, not about the plan: set the variable that the hint names, or answer from recordings,
    which need no key. Nothing was sent.
    """

    code = "MISSING_CREDENTIALS"
    exit_code = EXIT_INVALID


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


class PlannerFailedError(RefusedError):
    """A planner answered with an error and the caller asked for the plan with `unwrap()`.

    The details hold the planner's own error: its code, its message and whether trying again may help. The subclasses
    are the codes a planner can answer with; raised inside a planner, they leave it as `PlannerError` values.
    """

    code = "PLANNER_FAILED"

    def __init__(self, message: str, *, retryable: bool | None = None, **more: Any) -> None:
        super().__init__(message, **more)
        if retryable is not None:
            self.retryable = retryable


class RateLimitedError(PlannerFailedError):
    """The service behind a planner asks for a pause.

    Try again after `details.retry_after_ms` milliseconds. Nothing was planned and nothing was stored.
    """

    code = "PLANNER_RATE_LIMITED"
    retryable = True


class PlannerTimeoutError(PlannerFailedError):
    """The planner did not answer in time, or was interrupted by a clock.

    Clocks only interrupt: no plan came out of this call and none was stored. Try again, or allow more time.
    """

    code = "PLANNER_TIMEOUT"
    retryable = True


class ContextTooLongError(PlannerFailedError):
    """The inputs together are larger than the planner can take.

    The limit is 8 MiB of canonical JSON for every planner, less for some models. Shorten the memory snippets or the
    context summary; nothing is cut off silently.
    """

    code = "PLANNER_CONTEXT_TOO_LONG"
    exit_code = EXIT_INVALID


class InvalidGoalError(PlannerFailedError):
    """The goal is not a text, is blank, is not valid Unicode, or is no goal this planner understands.

    White space around and between words does not count. Some planners read the goal as JSON; their description says so.
    """

    code = "PLANNER_INVALID_GOAL"
    exit_code = EXIT_INVALID


class InvalidInputError(PlannerFailedError):
    """An argument other than the goal is unusable: a wrong type, a broken manifest, a value with no JSON form.

    The message starts with the path of the fault, such as `tool_manifest[2].skill_id`.
    """

    code = "PLANNER_INVALID_INPUT"
    exit_code = EXIT_INVALID


class NoSkillsAvailableError(PlannerFailedError):
    """The manifest has no skills that could reach the goal.

    The details list the skills that are missing. A planner never substitutes a skill that it was not given.
    """

    code = "PLANNER_NO_SKILLS_AVAILABLE"


class GenerationFailedError(PlannerFailedError):
    """The planner understood the request and could not make a plan.

    The details say why: no rule matches, the search space is exhausted, something stands in the way, or the service
    behind the planner failed.
    """

    code = "PLANNER_GENERATION_FAILED"


class PlannerInvalidPlanError(PlannerFailedError):
    """The planner produced something that is not a valid plan, so it was thrown away.

    The details list every problem with its path. For a model, one repair was attempted before giving up.
    """

    code = "PLANNER_INVALID_PLAN"


class PlannerBudgetExceededError(PlannerFailedError):
    """A counted limit ended the planning before a plan was found; nothing was proved.

    The details name the limit and its value. The same limits give the same answer, so raise the limit to go further.
    """

    code = "PLANNER_BUDGET_EXCEEDED"


class PlannerUnresolvedReferenceError(PlannerFailedError):
    """The request refers to something that does not exist, such as a symbol or a section.

    The details name the reference. Nothing was guessed.
    """

    code = "PLANNER_UNRESOLVED_REFERENCE"


class PlannerInternalError(PlannerFailedError):
    """The planner itself is broken: it raised something nobody foresaw or returned no answer at all.

    The details say what was raised and at which line. This is a defect of that planner, not of the inputs.
    """

    code = "PLANNER_INTERNAL"
    exit_code = EXIT_INTERNAL
