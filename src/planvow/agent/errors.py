"""What an agent refuses, each refusal with its own code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from planvow.errors import InputError, PlanvowError, RefusedError


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


class CommandNotAllowedError(RefusedError):
    """A tool server's command was not started, because nobody allowed commands to be started here.

    Look at the command; then say so: `--allow-command` on the command line, `allow_command=True` in Python.
    """

    code = "COMMAND_NOT_ALLOWED"


class ToolServerError(PlanvowError):
    """A tool server could not be reached, or did not answer as the Model Context Protocol says.

    The message has the server's own words, or those of the system that tried to start or to reach it.
    """

    code = "TOOL_SERVER"


class ToolsChangedError(RefusedError):
    """A step was planned for other tools than those that would run it.

    The review file, the manifest, a server or what it offers has changed since, or the job names no tools at all.
    Restore what was pinned, or import, plan and post again.
    """

    code = "TOOLS_CHANGED"


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
