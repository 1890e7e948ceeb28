"""Models behind the Messages API, over the `anthropic` SDK (extra `[llm]`), and the planner registered as `claude`.

The SDK is imported when the first question is asked. It does not retry here. Answers are bound to the schema through
`output_config`; this SDK has no temperature to set. What many questions share is marked for the service's cache.
"""

from __future__ import annotations

from importlib import import_module
from types import MappingProxyType
from typing import Any

from planvow.adapters.models.chat import sendable
from planvow.adapters.models.service_errors import error_for_status, too_late, unreachable, unreadable
from planvow.clock import Clock
from planvow.contract.errors import MissingCredentialsError
from planvow.contract.interface.interface import DeterminismMode
from planvow.contract.planners.conversation import DEFAULT_MAX_TOKENS, ModelReply, ModelRequest
from planvow.contract.planners.llm import ModelPlanner
from planvow.contract.replaying.recordings import RecordingMode, RecordingStore
from planvow.contract.running.cost import CostModel
from planvow.errors import MissingExtraError, PlanvowError

DEFAULT_MODEL = "claude-sonnet-5-5"
DEFAULT_TIMEOUT_S = 120.0
_WITHOUT_KEY = ("no credentials for the model", "set ANTHROPIC_API_KEY, give a client, or let the planner replay")


class AnthropicClient:
    """Asks a model through the SDK. Without an SDK client, one is made from the environment at the first question."""

    def __init__(
        self, sdk_client: Any = None, *, base_url: str | None = None, timeout_s: float = DEFAULT_TIMEOUT_S
    ) -> None:
        self._sdk_client = sdk_client
        self._base_url = base_url
        self._timeout_s = timeout_s

    def complete(self, request: ModelRequest) -> ModelReply:
        """Return the model's reply, or raise the planner error that fits what went wrong."""
        sdk = _sdk()
        try:
            if self._sdk_client is None:
                sendable("ANTHROPIC_API_KEY")
                own = sdk.DefaultHttpxClient(follow_redirects=False)  # the key and the question go to the host named
                self._sdk_client = sdk.Anthropic(base_url=self._base_url, max_retries=0, http_client=own)
            messages = self._sdk_client.with_options(max_retries=0).messages
            return _reply(messages.create(**_body(request), timeout=self._timeout_s))
        except (sdk.AnthropicError, AttributeError, TypeError, ValueError) as error:
            raise _translated(sdk, error) from error

    async def acomplete(self, request: ModelRequest) -> ModelReply:
        """Return the model's reply without holding up others."""
        sdk = _sdk()
        given = self._sdk_client
        options = {"base_url": self._base_url}
        sendable("ANTHROPIC_API_KEY")
        if given is not None:
            options = {"base_url": given.base_url, "api_key": given.api_key}
        try:
            own = sdk.DefaultAsyncHttpxClient(follow_redirects=False)
            async with sdk.AsyncAnthropic(**options, max_retries=0, http_client=own) as client:
                return _reply(await client.messages.create(**_body(request), timeout=self._timeout_s))
        except (sdk.AnthropicError, AttributeError, TypeError, ValueError) as error:
            raise _translated(sdk, error) from error


class ClaudeAdapter(ModelPlanner):
    """The planner `claude`. Takes an `anthropic.Anthropic` client, or makes one from the environment when needed.

    >>> ClaudeAdapter().planner_id
    'claude'
    """

    determinism = DeterminismMode.STRUCTURAL
    cost_model = MappingProxyType({"base_cents": 0, "per_token_cents": 0.003})

    def __init__(
        self,
        client: Any = None,
        *,
        model: str = DEFAULT_MODEL,
        base_url: str | None = None,
        max_tokens: int = DEFAULT_MAX_TOKENS,
        timeout_s: float = DEFAULT_TIMEOUT_S,
        rates: CostModel | None = None,
        recordings: RecordingStore | None = None,
        mode: RecordingMode | str = RecordingMode.AUTO,
        clock: Clock | None = None,
    ) -> None:
        super().__init__(
            AnthropicClient(client, base_url=base_url, timeout_s=timeout_s),
            model=model,
            planner_id="claude",
            max_tokens=max_tokens,
            cost_model=rates or CostModel.read(self.cost_model),
            recordings=recordings,
            mode=mode,
            clock=clock,
        )


def _sdk() -> Any:
    try:
        return import_module("anthropic")
    except ImportError:
        raise MissingExtraError("anthropic", extra="llm", purpose="asking a Claude model") from None


def _body(request: ModelRequest) -> dict[str, Any]:
    shared = {"type": "text", "text": request.shared, "cache_control": {"type": "ephemeral"}}
    asked = {"type": "text", "text": request.prompt}
    return {
        "model": request.model,
        "max_tokens": request.max_tokens,
        "system": request.system,
        "messages": [{"role": "user", "content": [shared, asked] if request.shared else [asked]}],
        "output_config": {"format": {"type": "json_schema", "schema": request.schema}},
    }


def _reply(message: Any) -> ModelReply:
    usage = message.usage
    cached = int(getattr(usage, "cache_read_input_tokens", None) or 0)
    written = int(getattr(usage, "cache_creation_input_tokens", None) or 0)
    return ModelReply(
        text="".join(block.text for block in message.content if block.type == "text"),
        input_tokens=int(usage.input_tokens) + cached + written,  # the service counts these three apart
        output_tokens=int(usage.output_tokens),
        cached_tokens=cached,
        written_tokens=written,
        stop_reason=str(message.stop_reason or "end_turn"),
    )


def _translated(sdk: Any, error: Any) -> PlanvowError:
    if isinstance(error, sdk.APITimeoutError):
        return too_late()
    if isinstance(error, sdk.APIStatusError):
        return error_for_status(error.status_code, error.api_message or error.message, error.response.headers)
    if isinstance(error, sdk.APIConnectionError):
        return unreachable(error.__cause__ or "")
    if type(error).__name__ == "CredentialsError" or "authentication" in str(error):
        return MissingCredentialsError(_WITHOUT_KEY[0], hint=_WITHOUT_KEY[1])
    return unreadable(error)
