"""Who looks at the console: the token in a cookie of this server alone, and forms that only its own pages can send."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Callable, Mapping
from typing import Any

from fastapi import Request
from fastapi.responses import Response

from planvow.adapters.console.frame.errors import ForeignFormError
from planvow.errors import PlanvowError
from planvow.service.declare.operation import Right

SEAL = "seal"
_COOKIE: dict[str, Any] = {"httponly": True, "samesite": "strict", "path": "/console"}
Refuses = Callable[[Request, Right], PlanvowError | None]


class Door:
    """Lets people in as the server lets in callers: by the same token and the same rule, carried by a cookie."""

    def __init__(self, may: Refuses) -> None:
        self._may = may
        self._secret = secrets.token_bytes(32)

    def refusal(self, request: Request, right: Right) -> PlanvowError | None:
        """Return why somebody may not do this, None for who may; the server's own rule decides."""
        return self._may(_with_token(request), right)

    def is_known(self, request: Request) -> bool:
        """Say whether somebody may decide."""
        return self.refusal(request, Right.APPROVE) is None

    def seal(self, visit: str) -> str:
        """Return what a form must carry that this browser sends."""
        return hmac.new(self._secret, visit.encode(), hashlib.sha256).hexdigest()

    def check_form(self, request: Request, form: Mapping[str, Any]) -> None:
        """Raise ForeignFormError for a form that none of our pages has made for this browser."""
        visit = request.cookies.get(_name(request, "visit"), "")
        given = str(form.get(SEAL, ""))
        if not visit or not hmac.compare_digest(given.encode(), self.seal(visit).encode()):
            raise ForeignFormError("this form was not made for this browser", place=SEAL, hint="load the page again")

    def enter(self, request: Request, response: Response, token: str) -> None:
        """Let a browser carry the token from now on."""
        response.set_cookie(_name(request, "token"), token, secure=_is_secure(request), **_COOKIE)

    def leave(self, request: Request, response: Response) -> None:
        """Let a browser forget the token."""
        response.delete_cookie(_name(request, "token"), secure=_is_secure(request), **_COOKIE)

    def may_enter(self, request: Request, token: str) -> bool:
        """Say whether a token lets somebody in; what else it allows is asked when it is done."""
        return self._may(_bearing(request, token), Right.READ) is None

    def bearing(self, request: Request) -> Request:
        """Return a request with the token that its browser carries."""
        return _with_token(request)


def visit_of(request: Request) -> tuple[str, bool]:
    """Return what tells this browser from others, and whether it is new."""
    known = request.cookies.get(_name(request, "visit"))
    return (known, False) if known else (secrets.token_urlsafe(16), True)


def remember_visit(request: Request, response: Response, visit: str) -> None:
    """Let the browser tell itself from others next time."""
    response.set_cookie(_name(request, "visit"), visit, secure=_is_secure(request), **_COOKIE)


def _is_secure(request: Request) -> bool:
    """Say whether the browser came by HTTPS: to a proxy that speaks plain HTTP with us, only its Origin tells."""
    return request.url.scheme == "https" or request.headers.get("origin", "").startswith("https://")


def _name(request: Request, what: str) -> str:
    """Cookies of one host are shared by its ports; two servers must not take each other's."""
    return f"planvow-{what}-{request.url.port or 80}"


def _with_token(request: Request) -> Request:
    token = request.cookies.get(_name(request, "token"))
    return request if token is None or "authorization" in request.headers else _bearing(request, token)


def _bearing(request: Request, token: str) -> Request:
    """Return the same request as if the token had come with it the way programs send it."""
    kept = [(name, value) for name, value in request.scope["headers"] if name != b"authorization"]
    header = (b"authorization", f"Bearer {token}".encode("utf-8", "replace"))
    return Request({**request.scope, "headers": [*kept, header]}, request.receive)  # it hears when the browser has gone
