"""Mistakes in a manifest, found before anything is planned: what nobody produces, what can never be called."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from planvow.errors import did_you_mean
from planvow.tools.fillable import unfillable
from planvow.tools.schemas import LOST, properties_of, types_of
from planvow.tools.statements import NOTHING, Statement
from planvow.tools.tool import ToolEntry


@dataclass(frozen=True, kw_only=True)
class Mistake:
    """One thing that is probably not meant.

    >>> Mistake(tool="find_flight", message="nothing says what it produces").tool
    'find_flight'
    """

    tool: str
    message: str
    hint: str = ""


def check_tools(tools: Sequence[ToolEntry], *, known: Iterable[str] = ()) -> tuple[Mistake, ...]:
    """Return what is wrong with a manifest, tool by tool. `known` are keys that the world may show by itself.

    >>> check_tools(tools)
    ()
    """
    found = [mistake for tool in tools for mistake in _mistakes(tool, tools, frozenset(known))]
    return (*found, *_circles(tools))


def _mistakes(tool: ToolEntry, tools: Sequence[ToolEntry], known: frozenset[str]) -> Iterator[Mistake]:
    yield from _names(tool)
    yield from _never_met(tool, tools, known)
    yield from _never_filled(tool, tools)
    if LOST in str(tool.input_schema):
        yield Mistake(tool=tool.name, message="its schema has words that are not checked before a call")


def _circles(tools: Sequence[ToolEntry]) -> Iterator[Mistake]:
    """Yield the tools that wait for one another; what no tool makes so is taken to be so, and values can be given."""
    made = {_pattern(effect)[1] for tool in tools for effect in tool.brings}
    shown = {need.key: need.value for tool in tools for need in tool.needs if _pattern(need)[1] not in made}
    given = {kind for tool in tools for kind in tool.takes.values()}
    for name in unreachable(tools, kinds=given, words=shown):
        yield Mistake(tool=name, message="it can never be called: what it needs comes only from tools that wait for it")


def _names(tool: ToolEntry) -> Iterator[Mistake]:
    known = {*tool.parameters, *tool.produces}
    for statement in (*tool.needs, *tool.brings):
        for name in statement.names:
            if name not in known:
                yield Mistake(
                    tool=tool.name,
                    message=f"{statement} speaks of {{{name}}}, which is no parameter and no output",
                    hint=did_you_mean(name, known) or "",
                )
    for name in tool.takes:
        if name not in tool.parameters:
            yield Mistake(tool=tool.name, message=f"takes names {name!r}, which is no parameter")


def _pattern(statement: Statement) -> tuple[str, str]:
    """Return a statement with every name alike, so that two that may meet are equal."""
    plain = statement.bound(dict.fromkeys(statement.names, "{}"))
    return plain.key, str(plain)


def _never_met(tool: ToolEntry, tools: Sequence[ToolEntry], known: frozenset[str]) -> Iterator[Mistake]:
    brought = {_pattern(effect)[1]: None for other in tools for effect in other.brings}
    keys = {_pattern(effect)[0] for other in tools for effect in other.brings}
    for statement in tool.needs:
        key, text = _pattern(statement)
        if statement.value is NOTHING or text in brought or statement.key in known:
            continue
        near = did_you_mean(text, brought) or ""
        what = "no tool makes it so" if key in keys else "no tool changes it, so the world must show it"
        yield Mistake(tool=tool.name, message=f"it needs {statement}: {what}", hint=near)


def _never_filled(tool: ToolEntry, tools: Sequence[ToolEntry]) -> Iterator[Mistake]:
    if tool.input_schema.get("type") != "object":
        yield Mistake(tool=tool.name, message=f"its arguments would be {tool.input_schema.get('type')}, not an object")
    produced = {kind for other in tools for kind in other.produces.values()}
    for name in tool.required:
        kind = tool.takes.get(name)
        if kind is not None and kind not in produced:
            yield Mistake(
                tool=tool.name,
                message=f"its parameter {name!r} is a {kind}, which no tool produces: it must be given",
                hint=did_you_mean(kind, produced) or "",
            )
        if name not in tool.parameters:
            yield Mistake(tool=tool.name, message=f"its schema requires {name!r} and does not describe it")
            continue
        reason = unfillable(tool.parameters[name], tool.input_schema)
        if reason is not None:
            yield Mistake(tool=tool.name, message=f"nothing can fill its parameter {name!r}: {reason}")
        elif kind in produced and not _fits(tool, name, kind, tools):
            yield Mistake(
                tool=tool.name,
                message=f"its parameter {name!r} is of another type than each {kind} that a tool produces",
            )


def _fits(tool: ToolEntry, name: str, kind: str | None, tools: Sequence[ToolEntry]) -> bool:
    """Say whether some output of a kind may have the type of a parameter; where one says no type, it may."""
    wanted = types_of(tool.parameters[name])
    made = [types_of(properties_of(other.output_schema).get(part))
            for other in tools for part, of_kind in other.produces.items() if of_kind == kind]  # fmt: skip
    return any(not wanted or not types or wanted & types for types in made)


def unreachable(tools: Sequence[ToolEntry], *, kinds: Iterable[str], words: Mapping[str, object]) -> tuple[str, ...]:
    """Return the tools that can never be called from a world with these kinds of values and these facts."""
    have = set(kinds)
    patterns = {_pattern(Statement(key, value))[1] for key, value in words.items()}
    waiting = list(tools)
    grown = True
    while grown:
        ready = [tool for tool in waiting if _callable(tool, have, patterns)]
        grown = bool(ready)
        waiting = [tool for tool in waiting if tool not in ready]
        for tool in ready:
            have |= set(tool.produces.values())
            patterns |= {_pattern(effect)[1] for effect in tool.brings}
    return tuple(tool.name for tool in waiting)


def _callable(tool: ToolEntry, have: set[str], patterns: set[str]) -> bool:
    filled = all(tool.takes.get(name) is None or tool.takes[name] in have for name in tool.required)
    return filled and all(need.value is NOTHING or _pattern(need)[1] in patterns for need in tool.needs)
