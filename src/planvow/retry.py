"""Which failures are worth trying again, and how long to wait: the same answer in every process.

Errors fall into classes; a class is retryable or it is not. The wait doubles with each attempt up to a cap, and its
jitter comes from SHA-256 over run, step and attempt: two workers spread out, and a replay waits exactly as long.

Spec 004, "Execution".
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from enum import StrEnum

from planvow.errors import InputError, shown


class ErrorClass(StrEnum):
    """What kind of failure an error is."""

    TRANSIENT = "transient"
    RATE_LIMIT = "rate_limit"
    TIMEOUT = "timeout"
    NETWORK = "network"
    SERVER = "server"
    CLIENT = "client"
    AUTH = "auth"
    VALIDATION = "validation"
    PERMANENT = "permanent"
    RESOURCE = "resource"
    UNKNOWN = "unknown"

    @property
    def is_retryable(self) -> bool:
        """Whether the same call may succeed when it is simply made again."""
        return self in _RETRYABLE


_RETRYABLE = frozenset(
    {ErrorClass.TRANSIENT, ErrorClass.RATE_LIMIT, ErrorClass.TIMEOUT, ErrorClass.NETWORK, ErrorClass.SERVER}
)

_BY_CODE = {
    "TRANSIENT": ErrorClass.TRANSIENT,
    "UNAVAILABLE": ErrorClass.TRANSIENT,
    "CONFLICT": ErrorClass.TRANSIENT,
    "RATE_LIMIT": ErrorClass.RATE_LIMIT,
    "RATE_LIMITED": ErrorClass.RATE_LIMIT,
    "TIMEOUT": ErrorClass.TIMEOUT,
    "DEADLINE_EXCEEDED": ErrorClass.TIMEOUT,
    "NETWORK": ErrorClass.NETWORK,
    "CONNECTION_ERROR": ErrorClass.NETWORK,
    "CONNECTION_RESET": ErrorClass.NETWORK,
    "SERVER": ErrorClass.SERVER,
    "SERVER_ERROR": ErrorClass.SERVER,
    "OVERLOADED": ErrorClass.SERVER,
    "CLIENT": ErrorClass.CLIENT,
    "CLIENT_ERROR": ErrorClass.CLIENT,
    "NOT_FOUND": ErrorClass.CLIENT,
    "AUTH": ErrorClass.AUTH,
    "AUTH_FAILED": ErrorClass.AUTH,
    "UNAUTHORIZED": ErrorClass.AUTH,
    "FORBIDDEN": ErrorClass.AUTH,
    "PERMISSION_DENIED": ErrorClass.AUTH,
    "VALIDATION": ErrorClass.VALIDATION,
    "VALIDATION_ERROR": ErrorClass.VALIDATION,
    "INVALID_INPUT": ErrorClass.VALIDATION,
    "UNRESOLVED_REFERENCE": ErrorClass.VALIDATION,
    "PERMANENT": ErrorClass.PERMANENT,
    "SANDBOX_REFUSED": ErrorClass.PERMANENT,
    "RESOURCE": ErrorClass.RESOURCE,
    "RESOURCE_EXHAUSTED": ErrorClass.RESOURCE,
    "BUDGET_EXCEEDED": ErrorClass.RESOURCE,
    "OUT_OF_MEMORY": ErrorClass.RESOURCE,
    "DISK_FULL": ErrorClass.RESOURCE,
}


def classify_code(code: str | None) -> ErrorClass:
    """Return the class of an error code; a code nobody knows is of unknown class."""
    return _BY_CODE.get((code or "").strip().upper().removeprefix("PLANNER_"), ErrorClass.UNKNOWN)


def classify_http_status(status: int) -> ErrorClass:
    """Return the class of an HTTP answer's status."""
    if status == 408:
        return ErrorClass.TIMEOUT
    if status in (429, 529):
        return ErrorClass.RATE_LIMIT
    if status in (401, 403, 407):
        return ErrorClass.AUTH
    if status in (400, 422):
        return ErrorClass.VALIDATION
    if 400 <= status < 500:
        return ErrorClass.CLIENT
    return ErrorClass.SERVER if status >= 500 else ErrorClass.UNKNOWN


@dataclass(frozen=True, kw_only=True)
class Failure:
    """Why an attempt failed. Without an `error_class` the code decides it."""

    code: str
    message: str = ""
    error_class: ErrorClass | None = None
    retry_after_ms: int | None = None

    @property
    def kind(self) -> ErrorClass:
        """The class that decides whether trying again makes sense."""
        return self.error_class or classify_code(self.code)


def classify_exception(error: BaseException) -> ErrorClass:
    """Return the class of an exception a skill raised: by its own `code` if it has one, else by its type."""
    code = getattr(error, "code", None)
    by_code = classify_code(code if isinstance(code, str) else None)
    if by_code is not ErrorClass.UNKNOWN:
        return by_code
    if isinstance(error, TimeoutError):
        return ErrorClass.TIMEOUT
    if isinstance(error, ConnectionError):
        return ErrorClass.NETWORK
    if isinstance(error, PermissionError):
        return ErrorClass.AUTH
    if isinstance(error, FileNotFoundError | FileExistsError | IsADirectoryError | NotADirectoryError):
        return ErrorClass.CLIENT
    if isinstance(error, MemoryError):
        return ErrorClass.RESOURCE
    if isinstance(error, InputError | TypeError | ValueError | LookupError):
        return ErrorClass.VALIDATION
    return ErrorClass.UNKNOWN


@dataclass(frozen=True, kw_only=True)
class Backoff:
    """How the wait between attempts grows."""

    base_ms: int = 500
    multiplier: int = 2
    max_ms: int = 60_000

    def __post_init__(self) -> None:
        for name in ("base_ms", "multiplier", "max_ms"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < 0:
                raise InputError(f"a whole number of at least 0 is needed, got {shown(value)}", place=f"backoff.{name}")


DEFAULT_BACKOFF = Backoff()


def backoff_ms(
    *, run_id: str, step_id: str, attempt: int, backoff: Backoff = DEFAULT_BACKOFF, retry_after_ms: int | None = None
) -> int:
    """Return how long to wait after the given failed attempt (the first is 1).

    The wait is between half and all of base·multiplier^(attempt−1), capped; a server's own `retry_after_ms` is a
    lower bound.
    """
    full = _grown(backoff, attempt)
    half = full // 2
    digest = hashlib.sha256(f"{run_id}\x00{step_id}\x00{attempt}".encode("utf-8", "surrogatepass")).digest()
    wait = half + int.from_bytes(digest[:8], "big") % (full - half + 1)
    return max(wait, retry_after_ms or 0)


def _grown(backoff: Backoff, attempt: int) -> int:
    wait = backoff.base_ms
    for _ in range(attempt - 1):
        wait *= backoff.multiplier
        if wait >= backoff.max_ms or backoff.multiplier < 2:
            break  # it cannot grow any further, however many attempts there are
    return min(wait, backoff.max_ms)
