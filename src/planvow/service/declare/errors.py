"""Errors of the service."""

from __future__ import annotations

from planvow.errors import InputError, RefusedError


class UnknownDocumentError(InputError):
    """No document of this name is known here.

    Plans and certificates are kept by the process that made them, for a while, under the hash in its answer. Ask for
    the plan again: the same question gives the same hash.
    """

    code = "UNKNOWN_DOCUMENT"


class UnknownDomainError(InputError):
    """No Python domain of this name was given at the start or is installed.

    Domains are code, so a question cannot bring one along. Whoever starts the program names them (`--domain
    MODULE.py`), or installs a package with the entry point `planvow.domains`. `list_planners` lists those there are.
    """

    code = "UNKNOWN_DOMAIN"


class RightMissingError(RefusedError):
    """Who asks may not do this here.

    Posting plans, answering questions and asking planners that cost money must be allowed by whoever started the
    program: `planvow mcp --allow-post`, `--allow-planner`, or for `planvow serve` a token (`planvow token create`).
    """

    code = "RIGHT_MISSING"


class TooManyCallsError(RefusedError):
    """Who asks has asked too often, or for too much at once.

    Each caller (a token, a user of the proxy, an address) has so many calls a minute and so many that plan at once.
    Whoever starts the server sets both (`planvow serve --calls-per-minute`, `--calls-at-once`). Wait as long as the
    answer's `Retry-After` says.
    """

    code = "TOO_MANY_CALLS"
    retryable = True

    def __init__(self, message: str, *, seconds: float = 1) -> None:
        super().__init__(message, hint="wait, then ask again")
        self.seconds = seconds


class BusyError(RefusedError):
    """Every worker process of the server plans for somebody, and none became free in time.

    Ask again after `Retry-After`, send `Prefer: respond-async` so that the call waits for its turn, or have the server
    started with more workers (`planvow serve --workers`).
    """

    code = "BUSY"
    retryable = True


class UnknownCallError(InputError):
    """No call of this name goes on here, or it belongs to another caller.

    Calls that answer later (`Prefer: respond-async`) are known to the server process that took them, for a while after
    their end. Ask again: the same question gives the same plan.
    """

    code = "UNKNOWN_CALL"
