"""The chat-completions form that many services speak: a question as its body, its answer as a reply.

Hosted services, vLLM, Ollama and llama.cpp all take it. Two clients use it: one over the `openai` SDK, one over plain
HTTP that needs no package.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from planvow.contract.errors import MissingCredentialsError
from planvow.contract.planners.conversation import ModelReply, ModelRequest
from planvow.errors import InputError

SERVICE = "https://api.openai.com/v1"
SERVICE_KEY = "OPENAI_API_KEY"
OTHER_KEY = "PLANVOW_MODEL_KEY"
NO_KEY = "none"
"""What a service that asks for no key is given; the SDK wants some text."""
_STOPS = {"stop": "end_turn", "length": "max_tokens", "content_filter": "refusal"}


def service_url(base_url: str | None) -> str:
    """Return where to ask, without a slash at its end; raise InputError for what is no address of a service."""
    url = (base_url or SERVICE).rstrip("/")
    try:
        parts = urlsplit(url)
    except ValueError:
        raise InputError("this is no address", place="base_url") from None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise InputError("a service's address begins with https:// or http://", place="base_url")
    if parts.username or parts.password:
        raise InputError("a service's address holds no password", place="base_url", hint=f"set {OTHER_KEY} instead")
    return url


def api_key(base_url: str | None) -> str:
    """Return the key for a service. The key of one service is never sent to another: each has its own variable."""
    if base_url is not None:
        return sendable(OTHER_KEY) or NO_KEY  # a model on one's own machine asks for none
    key = sendable(SERVICE_KEY)
    if not key:
        raise MissingCredentialsError(
            "no credentials for the model",
            hint=f"set {SERVICE_KEY}, name another service with a base URL, or let the planner replay",
        )
    return key


def sendable(variable: str) -> str | None:
    """Return the key in a variable; one that no header can hold is refused here, before its text stands in an error."""
    key = os.environ.get(variable)
    if key is not None and not (key.isascii() and key.isprintable()):
        raise MissingCredentialsError(f"the key in {variable} has characters that cannot be sent", hint="a line's end?")
    return key


def body(request: ModelRequest, *, own_service: bool) -> dict[str, Any]:
    """Return the request's body. Only the first service wants the newer name of the token limit."""
    limit = "max_completion_tokens" if own_service else "max_tokens"
    schema = {"name": "answer", "strict": True, "schema": request.schema}
    return {
        "model": request.model,
        "messages": [
            {"role": "system", "content": request.system},
            {"role": "user", "content": request.shared + request.prompt},
        ],
        limit: request.max_tokens,
        "response_format": {"type": "json_schema", "json_schema": schema},
    }


def reply(data: Mapping[str, Any]) -> ModelReply:
    """Read a response's JSON; raises LookupError, TypeError or ValueError for what is no response."""
    choice = data["choices"][0]
    message = choice["message"]
    usage = data.get("usage") or {}
    stop = str(choice.get("finish_reason") or "stop")
    details = usage.get("prompt_tokens_details") or {}
    return ModelReply(
        text=_text(message),
        input_tokens=int(usage.get("prompt_tokens") or 0),
        output_tokens=int(usage.get("completion_tokens") or 0),
        cached_tokens=int(details.get("cached_tokens") or 0),
        stop_reason="refusal" if message.get("refusal") else _STOPS.get(stop, stop),
    )


def said(data: Any, otherwise: str = "") -> str:
    """Return the service's own words in an error's body."""
    error = data.get("error") if isinstance(data, Mapping) else None
    words = error.get("message") if isinstance(error, Mapping) else error
    return words if isinstance(words, str) else otherwise


def _text(message: Mapping[str, Any]) -> str:
    content = message.get("content") or ""
    if not isinstance(content, str):
        raise TypeError("the message's content is no text")
    return content
