"""What a tool list does not say, proposed: kinds of values, what a call needs, what it changes.

A parameter and a property of an output that bear the same name are taken to be of one kind (`order_id`); an `id` gets
the name of the thing it is the id of. A name that begins with a verb of making or ending says that something exists
afterwards, or no longer does. All of it is marked as proposed: planners use it only when they are told to, and say so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any

from planvow.tools.schemas import is_scalar, properties_of
from planvow.tools.statements import can_be_spelled
from planvow.tools.tool import ToolEntry

READING = frozenset(
    {"get", "list", "find", "search", "read", "fetch", "show", "look", "query", "count", "check", "describe"}
)
MAKING = frozenset({"create", "add", "make", "open", "start", "book", "place", "register", "new", "insert", "upload"})
ENDING = frozenset({"delete", "remove", "cancel", "close", "stop", "drop", "end", "unregister", "revoke"})


def propose(tools: Iterable[ToolEntry]) -> tuple[ToolEntry, ...]:
    """Return the tools with what can be guessed filled in and marked; what a tool says of itself stays.

    >>> propose(tools)[0].name
    'find_flight'
    """
    tools = tuple(tools)
    produced = {kind for tool in tools for kind in (tool.produces or _produces(tool)).values()}
    return tuple(_filled(tool, produced) for tool in tools)


def _filled(tool: ToolEntry, produced: set[str]) -> ToolEntry:
    verb, thing = _verb_and_thing(tool)
    guesses: dict[str, Any] = {
        "produces": _produces(tool),
        "takes": _takes(tool, produced),
        "read_only": True if verb in READING else None,
        "destructive": True if verb in ENDING else None,
        "effects": _effects(tool, verb, thing),
    }
    if tool.read_only or guesses["read_only"]:
        guesses["effects"] = ()
    made = {
        name: value
        for name, value in guesses.items()
        if value not in (None, (), {}) and getattr(tool, name) in (None, (), {})
    }
    return replace(tool, **made, proposed=tuple(sorted({*tool.proposed, *made})))


def words_of(name: str) -> list[str]:
    """Return the words of a name in any spelling: `getOrder`, `get-order`, `orders.get_order`."""
    spaced = re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", name)
    return [word for word in re.split(r"[^A-Za-z0-9]+", spaced.lower()) if word]


def singular(word: str) -> str:
    """Return one of what a word names several of, by the plain rules of English."""
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    if word.endswith(("ches", "shes", "xes", "sses")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


def _verb_and_thing(tool: ToolEntry) -> tuple[str, str]:
    words = words_of(tool.name.rpartition(".")[2])
    known = READING | MAKING | ENDING
    verb = next((word for word in (words[:1] + words[-1:]) if word in known), "")
    rest = words[1:] if words[:1] == [verb] else words[:-1] if verb else words
    return verb, _thing_in_path(tool) or singular("_".join(rest))


def _produces(tool: ToolEntry) -> Mapping[str, str]:
    """Return the parts of the output that another tool could be called with."""
    _, thing = _verb_and_thing(tool)
    return {
        name: kind_of(name, thing)
        for name, schema in sorted(properties_of(tool.output_schema).items())
        if is_scalar(schema, tool.output_schema) and re.fullmatch(r"[\w-]+", name, re.ASCII)
    }


def _takes(tool: ToolEntry, produced: set[str]) -> Mapping[str, str]:
    """Return the parameters whose values another tool produces."""
    kinds = _own_kinds(tool, _verb_and_thing(tool)[1])
    return {name: kind for name, kind in kinds.items() if kind in produced}


def _thing_in_path(tool: ToolEntry) -> str | None:
    """Return what a path is about: the thing that has the id in it, `/orders/{id}/items`, else its last part."""
    parts = [part for part in str(tool.origin.get("path", "")).split("/") if part]
    owners = [before for before, part in pairwise(parts) if part.startswith("{") and not before.startswith("{")]
    named = owners or [part for part in parts if not part.startswith("{")]
    return singular("_".join(words_of(named[-1]))) if named else None


def kind_of(name: str, thing: str) -> str:
    """Return the kind of a value by its name: `orderId` and the `id` of an order are both `order_id`."""
    words = words_of(name)
    if words == ["id"] and thing:
        return f"{thing}_id"
    return "_".join(words)


def _effects(tool: ToolEntry, verb: str, thing: str) -> tuple[str, ...]:
    if not thing or verb not in MAKING | ENDING:
        return ()
    own = f"{thing}_id"
    kinds = {**_produces(tool), **_own_kinds(tool, thing)}
    named = next((name for name, kind in kinds.items() if kind == own and can_be_spelled(name)), None)
    key = f"{thing}.{{{named}}}.exists" if named else f"{thing}.exists"
    return (key if verb in MAKING else f"!{key}",)


def _own_kinds(tool: ToolEntry, thing: str) -> dict[str, str]:
    return {name: kind_of(name, thing) for name in tool.parameters}
