"""What an agent refuses, each refusal with its own code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from planvow.errors import InputError, RefusedError


class ToolError(InputError):
    """A tool cannot be used as it was declared.

    The message names the tool and what is wrong: it takes other arguments than its command gives, its schema has words
    that cannot be checked, or one of its settings makes no sense. Nothing was planned or run.
    """

    code = "TOOL"


class ToolArgumentsError(InputError):
    """A step's arguments do not fit the schema of its tool.

    The tool was not called. Mend the command or the method that gave the arguments, or the tool's schema.
    """

    code = "TOOL_ARGUMENTS"


class ToolFailedError(RefusedError):
    """A tool says that it did not do what it was asked for.

    Raise it in a tool to say so in your own words, and what was seen meanwhile: `ToolFailedError("the door is locked",
    observed={"locked": {"front": True}})`. Any other exception counts as a failure too.
    """

    code = "TOOL_FAILED"

    def __init__(self, message: str, *, observed: Any = None, retryable: bool = False, **more: Any) -> None:
        super().__init__(message, **more)
        self.observed = observed
        self.retryable = retryable
        if retryable:
            self.code = "TRANSIENT"  # type: ignore[misc]


class UnstorableError(InputError):
    """What an agent is given cannot be stored, so another process could not go on with it.

    The state and the agenda of a run hold plain values, tuples, lists, dictionaries and sets of those.
    """

    code = "UNSTORABLE"


class DomainChangedError(RefusedError):
    """A run was planned with other domain code than there is now.

    Its plan may not be what this code would do. Resume with the code it was planned with, or choose
    `resume(run_id, changed="replan")` (`planvow agent resume --replan`): what was done stays done, and the rest is
    planned anew from what was observed.
    """

    code = "DOMAIN_CHANGED"


class UnknownRunError(InputError):
    """The ledger has no run of an agent with this id, or no such step in it.

    `planvow agent runs` lists them.
    """

    code = "UNKNOWN_RUN"


class NothingToSettleError(RefusedError):
    """Nobody is asked about this step: it is done, has not begun, or is being worked on.

    `planvow agent why RUN` says which questions are open.
    """

    code = "NOTHING_TO_SETTLE"


def observed_by(error: BaseException) -> Mapping[str, Any] | Any:
    """Return what a tool saw before it failed, if it says so."""
    return getattr(error, "observed", None)
