"""Models of any service that speaks chat completions, over the `openai` SDK (extra `[openai]`): the planner `openai`.

The SDK is imported when the first question is asked, and does not retry here.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from planvow.adapters.models import chat
from planvow.adapters.models.chat_planner import ChatPlanner
from planvow.adapters.models.service_errors import error_for_status, too_late, unreachable, unreadable
from planvow.contract.planners.conversation import ModelReply, ModelRequest
from planvow.errors import MissingExtraError, PlanvowError

_UNREADABLE = (AttributeError, LookupError, TypeError, ValueError)


class OpenAIClient:
    """Asks through the SDK at a base URL; without one, the SDK's own service."""

    def __init__(self, *, base_url: str | None = None, timeout_s: float = 120.0) -> None:
        self._base_url = None if base_url is None else chat.service_url(base_url)
        self._timeout_s = timeout_s

    def complete(self, request: ModelRequest) -> ModelReply:
        """Return the model's reply, or raise the planner error that fits what went wrong."""
        sdk = _sdk()
        try:
            own = sdk.DefaultHttpxClient(follow_redirects=False)  # the key and the question go to the host named
            with sdk.OpenAI(**self._options(), http_client=own) as client:
                return self._read(client.chat.completions.create(**self._body(request)))
        except (sdk.OpenAIError, *_UNREADABLE) as error:
            raise _translated(sdk, error) from error

    async def acomplete(self, request: ModelRequest) -> ModelReply:
        """Return the model's reply without holding up others."""
        sdk = _sdk()
        try:
            own = sdk.DefaultAsyncHttpxClient(follow_redirects=False)
            async with sdk.AsyncOpenAI(**self._options(), http_client=own) as client:
                return self._read(await client.chat.completions.create(**self._body(request)))
        except (sdk.OpenAIError, *_UNREADABLE) as error:
            raise _translated(sdk, error) from error

    def _options(self) -> dict[str, Any]:
        return {
            "base_url": self._base_url or chat.SERVICE,  # said here: the SDK would else read it from the environment
            "api_key": chat.api_key(self._base_url),
            "max_retries": 0,
            "timeout": self._timeout_s,
        }

    def _body(self, request: ModelRequest) -> dict[str, Any]:
        return chat.body(request, own_service=self._base_url is None)

    @staticmethod
    def _read(completion: Any) -> ModelReply:
        return chat.reply(completion.to_dict())


class OpenAIAdapter(ChatPlanner):
    """The planner `openai`: any model behind chat completions, through the SDK."""

    planner_name = "openai"
    client_class = OpenAIClient


def _sdk() -> Any:
    try:
        return import_module("openai")
    except ImportError:
        raise MissingExtraError("openai", extra="openai", purpose="asking a model through the OpenAI SDK") from None


def _translated(sdk: Any, error: Any) -> PlanvowError:
    if isinstance(error, PlanvowError):
        return error
    if isinstance(error, sdk.APITimeoutError):
        return too_late()
    if isinstance(error, sdk.APIStatusError):
        words = chat.said({"error": error.body}, error.message) if error.body else error.message
        return error_for_status(error.status_code, words, error.response.headers)
    if isinstance(error, sdk.APIConnectionError):
        return unreachable(error.__cause__ or "")
    return unreadable(error)
