"""What a model's service can answer instead of a reply, as the contract's error codes.

Nobody retries here: a pause is named in `retry_after_ms`, and trying again is the caller's decision. The service's own
words stand in the message, where a person looks first.
"""

from __future__ import annotations

from typing import Any

from planvow.contract.errors import (
    ContextTooLongError,
    GenerationFailedError,
    PlannerFailedError,
    PlannerTimeoutError,
    RateLimitedError,
)

DEFAULT_RETRY_AFTER_MS = 5_000  # seed 004, "Error Handling", when the server names no time
_LONGEST_PAUSE_MS = 86_400_000
_SHOWN = 300
_TOO_LONG = ("too long", "context length", "context_length", "context window", "maximum context")


def error_for_status(status: int, words: str, headers: Any) -> PlannerFailedError:
    """Return the planner error for an HTTP status and what the service said with it."""
    said = " ".join(words.split())[:_SHOWN]
    details = {"http_status": status, "service_message": said}
    quoted = f": {said}" if said else ""
    if status in (429, 529):
        wait = {"retry_after_ms": _retry_after_ms(headers)}
        return RateLimitedError(f"the service asks for a pause{quoted}", details={**details, **wait})
    if status in (408, 504):
        return PlannerTimeoutError(f"the service ran out of time{quoted}", details=details)
    if status == 413 or (status == 400 and any(phrase in said.lower() for phrase in _TOO_LONG)):
        # A prompt beyond the context window has no status of its own; services say it in words only.
        return ContextTooLongError(f"the inputs are too long for the model{quoted}", details=details)
    return GenerationFailedError(f"the service answered {status}{quoted}", retryable=status >= 500, details=details)


def unreachable(reason: object = "") -> PlannerFailedError:
    """Return the error for a service that cannot be reached, or that hung up."""
    said = f": {reason}"[:_SHOWN] if str(reason) else ""
    return GenerationFailedError(f"the service could not be reached{said}", retryable=True)


def too_late() -> PlannerFailedError:
    """Return the error for a service that did not answer in time."""
    return PlannerTimeoutError("the model did not answer in time")


def unreadable(error: object) -> PlannerFailedError:
    """Return the error for an answer that is not what the service's interface promises."""
    kind = f"{type(error).__name__}: " if isinstance(error, BaseException) else ""
    return GenerationFailedError(f"the service's answer could not be used: {kind}{error}"[:_SHOWN])


def _retry_after_ms(headers: Any) -> int:
    for name, factor in (("retry-after-ms", 1), ("retry-after", 1000)):
        try:
            return min(max(0, round(float(headers.get(name)) * factor)), _LONGEST_PAUSE_MS)
        except (TypeError, ValueError, OverflowError):
            continue  # absent, or a date, which would need a clock
    return DEFAULT_RETRY_AFTER_MS
