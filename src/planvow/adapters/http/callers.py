"""Who calls, and what they may do: anybody on this machine, the holder of a token, or whom a declared proxy names."""

from __future__ import annotations

import hmac
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from fastapi import Request

from planvow.adapters.http.tokens import Token, Tokens
from planvow.adapters.machine.system_clock import SystemClock
from planvow.errors import InputError
from planvow.service.declare.errors import RightMissingError
from planvow.service.declare.operation import Right

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1", "[::1]"})
FREE = frozenset({Right.READ, Right.PLAN})
EVERY_RIGHT = frozenset(Right)
_LONGEST_NAME = 200


def address_of(request: Request) -> str:
    """Return where a call comes from."""
    return request.client.host if request.client else "unknown"


@dataclass(frozen=True, kw_only=True)
class Caller:
    """Who asks: limits count by `name`, the ledger keeps it with the address."""

    name: str
    address: str
    rights: frozenset[Right]

    def check(self, right: Right) -> None:
        """Raise RightMissingError unless the caller may."""
        if right not in self.rights:
            hint = "send Authorization: Bearer TOKEN, with the token printed at the start or one of `planvow token`"
            raise RightMissingError(
                f"to {right.value} here needs a token with that right", place="Authorization", hint=hint
            )

    def __str__(self) -> str:
        return f"{self.name} at {self.address}"


@dataclass(frozen=True, kw_only=True)
class Proxy:
    """A reverse proxy that knows its users: the header with the name, the addresses it calls from, and their rights."""

    header: str
    addresses: frozenset[str]
    rights: frozenset[Right] = FREE


@dataclass(frozen=True, kw_only=True)
class Guarding:
    """Who may ask: the hosts by which the server is known, its tokens, and whether strangers may read and plan.

    A server that listens on every address cannot know its names (`hosts` is None): there everything needs a token.
    """

    hosts: frozenset[str] | None
    token: str | None = None
    """The one made at the start, with every right; None: there is none."""
    everything: bool = False
    tokens: Tokens | None = None
    proxy: Proxy | None = None
    clock: SystemClock = field(default_factory=SystemClock)

    def caller(self, request: Request) -> Caller:
        """Return who asks; raise RightMissingError for a token that is worth nothing."""
        address = address_of(request)
        given = request.headers.get("authorization")
        if given is not None:
            return self._holder(given, address)
        if self.proxy is not None and address in self.proxy.addresses:
            named = request.headers.getlist(self.proxy.header)
            if named:
                return Caller(name=f"user {_one_name(named)}", address=address, rights=self.proxy.rights)
        return Caller(name=f"address {address}", address=address, rights=frozenset() if self.everything else FREE)

    def is_meant(self, request: Request) -> bool:
        """Say whether a call names this server; a page of another origin does not, nor one from another port."""
        origin = request.headers.get("origin")
        host, port = _address(f"//{request.headers.get('host', '')}")
        own = frozenset({host}) if self.hosts is None else self.hosts
        if not host or host not in own:
            return False
        if origin is None:
            return not _is_fetched_from_elsewhere(request)
        named, at = _address(origin)
        return named in own and at == port

    def _holder(self, given: str, address: str) -> Caller:
        scheme, _, text = given.partition(" ")
        if scheme.lower() == "bearer":
            if self.token is not None and hmac.compare_digest(text.encode(), self.token.encode()):
                return Caller(name="start token", address=address, rights=EVERY_RIGHT)
            found = self._found(text)
            if found is not None:
                state = found.state(self.clock.now_ms())
                if state == "valid":
                    return Caller(name=f"token {found.name}", address=address, rights=found.rights)
                raise RightMissingError(
                    f"the token {found.name!r} is {state}", place="Authorization", hint="ask for a new token"
                )
        hint = "planvow token list says which there are; a token made at a start ends with that server"
        raise RightMissingError("this token is not known here", place="Authorization", hint=hint)

    def _found(self, text: str) -> Token | None:
        try:
            return self.tokens.find(text) if self.tokens is not None else None
        except InputError:  # whoever runs the server is told by `planvow token list` where and why
            raise RightMissingError("the tokens of this server cannot be read", place="Authorization") from None


def _is_fetched_from_elsewhere(request: Request) -> bool:
    """Say whether a page of another origin fetches or frames this; a link that somebody follows is no such thing.

    Pictures and frames come without an Origin, and a page that plans would plan for them.
    """
    site = request.headers.get("sec-fetch-site", "none")
    return site not in ("none", "same-origin") and request.headers.get("sec-fetch-dest") != "document"


def _one_name(named: list[str]) -> str:
    """Return the only name; two would let a client put one of its own beside the proxy's."""
    name = named[0].strip()
    if len(named) > 1 or not name or len(name) > _LONGEST_NAME or not name.isprintable():
        raise RightMissingError("the proxy names nobody, or more than one", place="proxy header")
    return name


def _address(text: str) -> tuple[str, int | None]:
    try:
        parts = urlsplit(text)
        return parts.hostname or "", parts.port
    except ValueError:
        return "", None
