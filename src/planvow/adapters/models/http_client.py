"""Models of any service that speaks chat completions, over plain HTTP: the planner `chat`, which needs no package."""

from __future__ import annotations

import http.client
import json
import urllib.error
import urllib.request
from typing import Any

from planvow.adapters.models import chat
from planvow.adapters.models.chat_planner import ChatPlanner
from planvow.adapters.models.service_errors import error_for_status, too_late, unreachable, unreadable
from planvow.agent.tools.outside import read_answer
from planvow.contract.planners.conversation import ModelReply, ModelRequest

_MAX_BYTES = 16 * 1024 * 1024


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A service that sends elsewhere is answered as an error: the key goes to the host that was named."""

    def redirect_request(self, *_: Any) -> None:
        return None


class HttpClient:
    """Asks over plain HTTP at a base URL. Redirects are not followed and proxies not asked."""

    def __init__(self, *, base_url: str | None = None, timeout_s: float = 120.0) -> None:
        self._base_url = base_url
        self._url = f"{chat.service_url(base_url)}/chat/completions"
        self._timeout_s = timeout_s
        self._opener = urllib.request.build_opener(_NoRedirects, urllib.request.ProxyHandler({}))

    def complete(self, request: ModelRequest) -> ModelReply:
        """Return the model's reply, or raise the planner error that fits what went wrong."""
        try:
            with self._opener.open(self._request(request), timeout=self._timeout_s) as response:
                return chat.reply(_read_json(response, self._timeout_s))
        except urllib.error.HTTPError as error:
            raise error_for_status(error.code, _words(error), error.headers) from error
        except TimeoutError as error:
            raise too_late() from error
        except (urllib.error.URLError, http.client.HTTPException, OSError) as error:
            if isinstance(getattr(error, "reason", None), TimeoutError):
                raise too_late() from error
            raise unreachable(getattr(error, "reason", error)) from error
        except (LookupError, TypeError, ValueError, RecursionError) as error:
            raise unreadable(error) from error

    def _request(self, request: ModelRequest) -> urllib.request.Request:
        headers = {"content-type": "application/json"}
        key = chat.api_key(self._base_url)
        if key != chat.NO_KEY:
            headers["authorization"] = f"Bearer {key}"
        data = json.dumps(chat.body(request, own_service=self._base_url is None)).encode()
        return urllib.request.Request(self._url, data=data, headers=headers)


class ChatAdapter(ChatPlanner):
    """The planner `chat`: any model behind chat completions, without a package."""

    planner_name = "chat"
    client_class = HttpClient


def _read_json(response: Any, seconds: float) -> Any:
    raw = read_answer(response, _MAX_BYTES + 1, seconds)
    if len(raw) > _MAX_BYTES:
        raise ValueError(f"it is longer than {_MAX_BYTES} bytes")
    return json.loads(raw)


def _words(error: urllib.error.HTTPError) -> str:
    """Return what a service said with an error status; a body that is no JSON stands as it is."""
    try:
        raw = error.read(10_000).decode("utf-8", "replace")
    except (OSError, http.client.HTTPException):
        return ""
    try:
        return chat.said(json.loads(raw), raw)
    except (ValueError, RecursionError):
        return raw
