"""The real model client, over the `anthropic` SDK (extra `[llm]`), and the planner registered as `claude`.

The SDK is imported when the first question is asked. It does not retry here: rate limits and time-outs become the
contract's error codes with `retry_after_ms`, and retrying is the caller's decision. Answers are bound to the plan
schema through `output_config`; this SDK has no temperature to set.
"""

from __future__ import annotations

from importlib import import_module
from types import MappingProxyType
from typing import Any

from planvow.clock import Clock
from planvow.contract.errors import (
    ContextTooLongError,
    GenerationFailedError,
    PlannerFailedError,
    PlannerTimeoutError,
    RateLimitedError,
)
from planvow.contract.interface.interface import DeterminismMode
from planvow.contract.planners.llm import DEFAULT_MAX_TOKENS, ModelPlanner, ModelReply, ModelRequest
from planvow.contract.replaying.recordings import RecordingMode, RecordingStore
from planvow.contract.running.cost import CostModel
from planvow.errors import MissingExtraError

DEFAULT_MODEL = "claude-sonnet-5-5"
DEFAULT_TIMEOUT_S = 120.0
DEFAULT_RETRY_AFTER_MS = 5_000  # seed 004, "Error Handling", when the server names no time
NO_CREDENTIALS = (
    "no credentials for the model: set ANTHROPIC_API_KEY, give a client, or let the planner replay recordings"
)


class AnthropicClient:
    """Asks a model through the SDK. Without an SDK client, one is made from the environment at the first question."""

    def __init__(self, sdk_client: Any = None, *, timeout_s: float = DEFAULT_TIMEOUT_S) -> None:
        self._sdk_client = sdk_client
        self._timeout_s = timeout_s

    def complete(self, request: ModelRequest) -> ModelReply:
        """Return the model's reply, or raise the planner error that fits what went wrong."""
        sdk = _sdk()
        try:
            message = self._messages(sdk).create(
                model=request.model,
                max_tokens=request.max_tokens,
                system=request.system,
                messages=[{"role": "user", "content": request.prompt}],
                output_config={"format": {"type": "json_schema", "schema": request.schema}},
                timeout=self._timeout_s,
            )
            return _reply(message)
        except sdk.AnthropicError as error:
            raise _translated(sdk, error) from error
        except (AttributeError, TypeError, ValueError) as error:  # what the SDK raises for credentials and odd bodies
            if "authentication" in str(error):
                raise GenerationFailedError(NO_CREDENTIALS) from error
            raise GenerationFailedError(
                f"the SDK could not ask, or could not read the answer: {error}"[:300]
            ) from error

    def _messages(self, sdk: Any) -> Any:
        if self._sdk_client is None:
            self._sdk_client = sdk.Anthropic(max_retries=0)
        return self._sdk_client.with_options(max_retries=0).messages


class ClaudeAdapter(ModelPlanner):
    """The planner `claude`. Takes an `anthropic.Anthropic` client, or makes one from the environment when needed."""

    determinism = DeterminismMode.STRUCTURAL
    cost_model = MappingProxyType({"base_cents": 0, "per_token_cents": 0.003})

    def __init__(
        self,
        client: Any = None,
        *,
        model: str = DEFAULT_MODEL,
        max_tokens: int = DEFAULT_MAX_TOKENS,
        timeout_s: float = DEFAULT_TIMEOUT_S,
        recordings: RecordingStore | None = None,
        mode: RecordingMode | str = RecordingMode.AUTO,
        clock: Clock | None = None,
    ) -> None:
        super().__init__(
            AnthropicClient(client, timeout_s=timeout_s),
            model=model,
            planner_id="claude",
            version="1.0.0",
            max_tokens=max_tokens,
            cost_model=CostModel.read(self.cost_model),
            recordings=recordings,
            mode=mode,
            clock=clock,
        )


def _sdk() -> Any:
    try:
        return import_module("anthropic")
    except ImportError:
        raise MissingExtraError("anthropic", extra="llm", purpose="asking a Claude model") from None


def _reply(message: Any) -> ModelReply:
    return ModelReply(
        text="".join(block.text for block in message.content if block.type == "text"),
        input_tokens=int(message.usage.input_tokens),
        output_tokens=int(message.usage.output_tokens),
        stop_reason=str(message.stop_reason or "end_turn"),
    )


def _translated(sdk: Any, error: Any) -> PlannerFailedError:
    if isinstance(error, sdk.APITimeoutError):
        return PlannerTimeoutError("the model did not answer in time")
    if isinstance(error, sdk.APIStatusError):
        return _from_status(error.status_code, error.api_message or error.message, error.response.headers)
    if isinstance(error, sdk.APIConnectionError):
        return GenerationFailedError("the service could not be reached", retryable=True)
    if type(error).__name__ == "CredentialsError":  # newer SDKs have it
        return GenerationFailedError(NO_CREDENTIALS)
    return GenerationFailedError(f"the service's answer could not be used: {type(error).__name__}: {error}"[:300])


def _from_status(status: int, message: str, headers: Any) -> PlannerFailedError:
    details = {"http_status": status, "service_message": message[:300]}
    if status in (429, 529):
        wait = {"retry_after_ms": _retry_after_ms(headers)}
        return RateLimitedError("the service asks for a pause", details={**details, **wait})
    if status in (408, 504):
        return PlannerTimeoutError("the service ran out of time", details=details)
    if status == 413 or (status == 400 and "too long" in message):
        # A prompt beyond the context window has no code of its own; the service says it in words only.
        return ContextTooLongError("the inputs are too long for the model", details=details)
    return GenerationFailedError(f"the service answered {status}", retryable=status >= 500, details=details)


def _retry_after_ms(headers: Any) -> int:
    for name, factor in (("retry-after-ms", 1), ("retry-after", 1000)):
        try:
            return max(0, round(float(headers.get(name)) * factor))
        except (TypeError, ValueError, OverflowError):
            continue  # absent, or a date, which would need a clock
    return DEFAULT_RETRY_AFTER_MS
