"""The file a person reviews: what was proposed for each tool, to be corrected and confirmed.

It stands beside the import and is policy: it is hashed with the manifest, and nothing that is planned or run can write
it. `confirmed = true` makes a tool's proposals a person's word; what the file says wins over what the list said.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from planvow.errors import InputError, did_you_mean, expect
from planvow.tools.servers import Server, read_servers, spelt_out, toml_value, write_servers
from planvow.tools.statements import read_statement
from planvow.tools.tool import GUESSABLE, ToolEntry

FORMAT = "planvow-tool-review/1"
_KEYS = ("format", "manifest", "manifest_hash", "server", "tool")
_KINDS: Mapping[str, tuple[type, str]] = {
    "requires": (list, "a list of statements"), "effects": (list, "a list of statements"),
    "takes": (dict, "a table of texts"), "produces": (dict, "a table of texts"), "read_only": (bool, "true or false"),
    "destructive": (bool, "true or false"), "idempotent": (bool, "true or false"), "cost": (int, "a whole number"),
    "needs_approval": (str, "the reason, a text"), "confirmed": (bool, "true or false"),
}  # fmt: skip
_HEAD = f'''# What each tool needs and brings about, for a person to review.
# Correct what is wrong, then set confirmed = true: until then planners leave a tool's proposals aside.
#   requires, effects   what must be so before, what is so after: key, key=value or !key, with {{name}} for the value
#                       of a parameter or an output: ["session.open", "order.{{order_id}}.status=paid"]
#   produces            of which kind a part of the output is: {{ order_id = "order_id" }}; what is of a kind can be
#                       handed to a parameter of that kind, or of that name
#   takes               of which kind a parameter is, where its name does not say it
#   needs_approval      why a person has to approve each call; it holds whether confirmed or not
#   cost, read_only, destructive, idempotent
format = "{FORMAT}"
'''


def write_review(
    tools: Iterable[ToolEntry],
    *,
    manifest: tuple[str, str] | None = None,
    servers: Mapping[str, Server] | None = None,
) -> str:
    """Return the review file of some tools as text: with the manifest's place and hash, and who runs the tools.

    >>> "find_flight" in write_review(tools)
    True
    """
    pin = "" if manifest is None else f'manifest = {_quoted(manifest[0])}\nmanifest_hash = "{manifest[1]}"\n'
    return _HEAD + pin + write_servers(servers or {}) + "".join(_section(tool) for tool in tools)


def _section(tool: ToolEntry) -> str:
    said = {name: getattr(tool, name) for name in (*GUESSABLE, "needs_approval")}
    lines = [f"{name} = {_toml(value)}" for name, value in said.items() if value not in (None, (), {})]
    summary = "".join(f"# {spelt_out(line)}\n" for line in tool.description.splitlines()[:1])
    guessed = f"# proposed: {', '.join(tool.proposed)}\n" if tool.proposed else ""
    body = "".join(f"{line}\n" for line in lines)
    return f"\n[tool.{_quoted(tool.name)}]\n{summary}{guessed}{body}confirmed = {_toml(not tool.proposed)}\n"


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_quoted(key)} = {_quoted(text)}" for key, text in sorted(value.items())) + " }"
    return "[" + ", ".join(_quoted(text) for text in value) + "]"


def _quoted(text: str) -> str:
    return toml_value(text)


@dataclass(frozen=True, kw_only=True)
class Review:
    """A review file: what it says of each tool, of which manifest it speaks, and who runs the tools."""

    tools: Mapping[str, Mapping[str, Any]]
    servers: Mapping[str, Server]
    manifest: str | None = None
    manifest_hash: str | None = None


def read_review(text: str, *, place: str = "review") -> dict[str, dict[str, Any]]:
    """Return what a review file says, by tool; raise InputError with the place of a fault.

    >>> read_review(write_review(tools))
    {'find_flight': {'confirmed': True}}
    """
    return {name: dict(said) for name, said in read_whole_review(text, place=place).tools.items()}


def read_whole_review(text: str, *, place: str = "review") -> Review:
    """Return everything a review file says; raise InputError with the place of a fault."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"this is no TOML: {error}", place=place) from None
    if data.get("format") != FORMAT:
        raise InputError(f"the format must be {FORMAT!r}", place=f"{place}: format")
    for name in data:
        if name not in _KEYS:
            raise InputError(f"there is no {name!r:.60} here", place=place, hint=did_you_mean(name, _KEYS))
    for name in ("manifest", "manifest_hash"):
        expect(data.get(name, ""), str, f"{place}: {name}", "a text")
    tools = data.get("tool", {})
    expect(tools, dict, f"{place}: tool", "a table for each tool")
    for name, said in tools.items():
        expect(said, dict, f"{place}: [tool.{name!r:.60}]", "a table")
        _check(said, f"{place}: [tool.{name!r:.60}]")
    return Review(
        tools=tools,
        servers=read_servers(data.get("server", {}), place=place),
        manifest=data.get("manifest"),
        manifest_hash=data.get("manifest_hash"),
    )


def _check(said: Mapping[str, Any], place: str) -> None:
    for name, value in said.items():
        if name not in _KINDS:
            hint = did_you_mean(name, _KINDS) or f"what may be said is {', '.join(_KINDS)}"
            raise InputError(f"there is no {name!r:.60} here", place=place, hint=hint)
        kind, what = _KINDS[name]
        expect(value, kind, f"{place} {name}", what)
        for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
            expect(part, str, f"{place} {name}", what)
        for statement in value if name in ("requires", "effects") else ():
            try:
                read_statement(statement)
            except InputError as error:
                error.place = f"{place} {name}"
                raise


def reviewed(tools: Iterable[ToolEntry], review: Mapping[str, Mapping[str, Any]]) -> tuple[ToolEntry, ...]:
    """Return the tools as their review says they are: confirmed ones without proposals, others with them marked.

    >>> reviewed(tools, {"find_flight": {"read_only": True}})[0].read_only
    True
    """
    tools = tuple(tools)
    names = {tool.name for tool in tools}
    for name in review:
        if name not in names:
            raise InputError(
                f"the review speaks of a tool {name!r:.60} that the list does not have",
                hint=did_you_mean(name, names) or "import the list again",
            )
    found = tuple(_as_reviewed(tool, review.get(tool.name)) for tool in tools)
    for tool in found:
        if tool.needs_approval is not None and "server" not in tool.origin:
            raise InputError(
                "no server runs this tool, so nobody would ask", place=f"[tool.{tool.name!r:.60}] needs_approval",
                hint="say it at the function: tool(function, needs_approval=…)",
            )  # fmt: skip
    return found


def _as_reviewed(tool: ToolEntry, said: Mapping[str, Any] | None) -> ToolEntry:
    if said is None:
        return tool
    fields = {name: value for name, value in said.items() if name != "confirmed"}
    if said.get("confirmed"):
        gone = {name: _nothing(name) for name in tool.proposed if name not in fields}  # what was struck out
        return replace(tool, **{**gone, **fields}, proposed=())
    changed = replace(tool, **fields)
    others = {name for name in fields if name in GUESSABLE and getattr(changed, name) != getattr(tool, name)}
    return replace(changed, proposed=tuple(sorted({*tool.proposed, *others})))


def _nothing(name: str) -> Any:
    return () if name in ("requires", "effects") else {} if name in ("takes", "produces") else None


def confirmed_only(tools: Iterable[ToolEntry]) -> tuple[ToolEntry, ...]:
    """Return the tools without anything that nobody has confirmed."""
    return tuple(
        replace(tool, **{name: _nothing(name) for name in tool.proposed}, proposed=()) if tool.proposed else tool
        for tool in tools
    )
