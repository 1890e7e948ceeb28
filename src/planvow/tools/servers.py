"""Who runs the tools: MCP servers behind a command or an address, and services with HTTP operations.

They stand in the review file, `[server.NAME]`, because they are policy: a command is started and a host is called only
where a person has written it down. Secrets are named, `{secret.NAME}`, never written.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit

from planvow.canonical import canonical_json, to_jsonable
from planvow.errors import InputError, did_you_mean, expect
from planvow.hooks import hook
from planvow.tools.tool import ToolEntry

SECRET = re.compile(r"\{secret\.([A-Za-z_][A-Za-z0-9_]*)\}")
_WAYS = ("command", "url", "base")
_CREDENTIALS = frozenset({"authorization", "cookie", "proxy-authorization", "x-api-key", "api-key", "x-auth-token"})
_KINDS: Mapping[str, tuple[type | tuple[type, ...], str]] = {
    "command": (list, "a list of words"), "url": (str, "an address"), "base": (str, "an address"),
    "headers": (dict, "a table of texts"), "environment": (dict, "a table of texts"),
    "timeout_seconds": ((int, float), "a number of seconds"), "confirmed": (bool, "true or false"),
}  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Server:
    """One of: `command` (MCP over its standard input and output), `url` (MCP over HTTP), `base` (HTTP operations)."""

    command: tuple[str, ...] = ()
    url: str | None = None
    base: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)
    timeout_seconds: float = 60.0
    confirmed: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "command", tuple(self.command))
        for name in ("headers", "environment"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))
        given = [name for name in _WAYS if getattr(self, name)]
        if len(given) != 1:
            raise InputError("a server has a command, a url or a base: one of the three")
        if isinstance(self.timeout_seconds, bool) or not self.timeout_seconds > 0:
            raise InputError("a timeout is more than 0 seconds", place="timeout_seconds")
        for name in ("url", "base"):
            if getattr(self, name):
                _check_address(getattr(self, name), name)
        for name, value in self.headers.items():
            if name.lower() in _CREDENTIALS and not SECRET.search(value):
                raise InputError(
                    f"the header {name} is a credential and is not written down", place="headers",
                    hint=f'name a secret: {name} = "{{secret.NAME}}"',
                )  # fmt: skip

    @property
    def secrets(self) -> tuple[str, ...]:
        """The names of the secrets it needs, in order."""
        texts = [*self.headers.values(), *self.environment.values()]
        return tuple(dict.fromkeys(name for text in texts for name in SECRET.findall(text)))

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON data, without what was not said."""
        data = {name: getattr(self, name) for name in _KINDS}
        plain = {name: dict(value) if isinstance(value, Mapping) else value for name, value in data.items()}
        return dict(to_jsonable({name: value for name, value in plain.items() if value not in (None, (), {})}))


def _check_address(address: str, name: str) -> None:
    try:
        parts = urlsplit(address)
        parts.port  # noqa: B018 - reading it is what finds a bad one
    except ValueError:
        raise InputError(f"{address!r:.80} is no address", place=name) from None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise InputError("an address begins with http:// or https:// and names a host", place=name)
    if parts.username is not None or parts.password is not None:
        raise InputError("an address has no user and no password in it", place=name, hint="name a secret in headers")
    if name == "base" and (parts.query or parts.fragment):
        raise InputError("a base ends before ? and #", place=name)


def of_mcp(
    server: str | Sequence[str],
    *,
    name: str = "server",
    allow_command: bool = False,
    headers: Mapping[str, str] | None = None,
) -> tuple[ToolEntry, ...]:
    """Return what an MCP server offers: its address, or the words of a command that may be started (`[mcp]`).

        tools = of_mcp("http://127.0.0.1:8000/mcp")
        tools = of_mcp(["python", "server.py"], allow_command=True)

    The server is asked for its list; none of its tools is called.
    """
    made = Server(url=server, headers=headers or {}) if isinstance(server, str) else Server(command=tuple(server))
    found: tuple[ToolEntry, ...] = hook("list_mcp_tools")(name, made, allow_command=allow_command)
    return found


def filled(text: str, secrets: Mapping[str, str]) -> str:
    """Return a text with the values of the secrets that it names."""
    return SECRET.sub(lambda match: secrets[match.group(1)], text)


def filled_headers(server: Server, secrets: Mapping[str, str]) -> dict[str, str]:
    """Return a server's headers with secrets; one that no header can hold is refused before it stands in an error."""
    for name in server.secrets:
        value = secrets[name]
        if any(f"{{secret.{name}}}" in text for text in server.headers.values()) and not is_header(value):
            hint = "does its value end with a line's end?"
            raise InputError("it has characters that no header can hold", place=f"secret {name}", hint=hint)
    return {name: filled(text, secrets) for name, text in server.headers.items()}


def is_header(text: str) -> bool:
    """Say whether a text can be the value of a header."""
    return text.isprintable() and all(ord(character) < 256 for character in text)


def read_servers(data: Any, *, place: str) -> dict[str, Server]:
    """Return the servers of a review file, or raise InputError with the place of a fault."""
    expect(data, dict, f"{place}: server", "a table for each server")
    return {name: _read(said, f"{place}: [server.{name!r:.60}]") for name, said in data.items()}


def _read(said: Any, place: str) -> Server:
    expect(said, dict, place, "a table")
    for name, value in said.items():
        if name not in _KINDS:
            raise InputError(f"a server has no {name!r:.60}", place=place, hint=did_you_mean(name, _KINDS))
        kind, what = _KINDS[name]
        expect(value, kind, f"{place} {name}", what)
        for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
            expect(part, str, f"{place} {name}", what)
    try:
        return Server(**said)
    except InputError as error:
        error.place = f"{place} {error.place}" if error.place else place
        raise


def write_servers(servers: Mapping[str, Server]) -> str:
    """Return the sections of some servers as TOML."""
    return "".join(_section(name, server) for name, server in sorted(servers.items()))


def _section(name: str, server: Server) -> str:
    said = server.as_dict()
    lines = "".join(f"{key} = {_toml(value)}\n" for key, value in said.items())
    note = "" if server.confirmed else "# The imported document says so: set confirmed = true to let it be called.\n"
    return f"\n[server.{toml_value(name)}]\n{note}{lines}"


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{toml_value(key)} = {toml_value(text)}" for key, text in value.items()) + " }"
    return toml_value(value)


def toml_value(value: Any) -> str:
    """Return a text, a number, a truth value or a list of texts as TOML: what JSON writes, TOML reads alike.

    >>> toml_value("a\u202eb")
    '"a\\\\u202eb"'
    """
    return spelt_out(canonical_json(value))


def spelt_out(text: str) -> str:
    """Return a text with `\\uXXXX` for each character that nobody sees.

    A person reads the file and confirms it: what steers a terminal or turns words around must not change how a line
    reads, and some of it is not allowed in TOML.
    """
    return "".join(character if character.isprintable() else _escape(ord(character)) for character in text)


def _escape(code: int) -> str:
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
