"""Short texts for values: items, moments, spans of time, beginnings of ids."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from planvow.temporal.scale import ticks_in_brief

_LONGEST = 160


def moment(ms: int | None) -> str:
    """Return a moment in UTC as people and `<time>` read it."""
    return "" if ms is None else datetime.fromtimestamp(ms / 1000, UTC).isoformat(" ", "seconds").replace("+00:00", "Z")


def span_text(ms: int | float) -> str:
    """Return how long something took, in its two largest units."""
    if ms < 1000:
        return f"{ms:.0f} ms"
    seconds = ms / 1000
    if seconds < 60:
        return f"{seconds:.1f} s"
    whole = int(seconds)
    for name, size, smaller, part in (("d", 86400, "h", 3600), ("h", 3600, "min", 60), ("min", 60, "s", 1)):
        if whole >= size:
            count, rest = divmod(whole, size)
            more = rest // part
            return f"{count} {name}" + (f" {more} {smaller}" if more else "")
    return f"{whole} s"


def ticks_text(ticks: int) -> str:
    """Return a time of a plan: how long after its beginning."""
    return "0" if ticks == 0 else ticks_in_brief(ticks)


def shortened(text: str, most: int = 12) -> str:
    """Return the beginning of an id; what stands before its first underscore says only what it is."""
    body = text.partition("_")[2] if text.startswith(("job_", "msg_", "rcp_")) else text
    return body if len(body) <= most else body[:most]


def value_text(value: Any) -> str:
    """Return a value of a fact or an argument in a few words."""
    if isinstance(value, Mapping) and len(value) == 1 and "$tuple" in value:
        return "(" + ", ".join(map(value_text, value["$tuple"])) + ")"
    if isinstance(value, str):
        return value
    if value is None or isinstance(value, bool):
        return {None: "none", True: "true", False: "false"}[value]
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{name}: {value_text(part)}" for name, part in value.items()) + "}"
    if isinstance(value, Sequence):
        return "[" + ", ".join(map(value_text, value)) + "]"
    return str(value)


def item_text(item: Any) -> str:
    """Return a task, command or goal of a document as one writes it: name(arguments)."""
    if isinstance(item, Mapping):
        return _goal_text(item)
    if not isinstance(item, Sequence) or isinstance(item, str) or not item:
        return cut(value_text(item))
    head, *rest = item
    return cut(f"{value_text(head)}({', '.join(map(value_text, rest))})")


def _goal_text(item: Mapping[str, Any]) -> str:
    """Goals, several goals, and sequences stand in certificates as objects with one name."""
    name, held = next(iter(item.items()), ("", None))
    several = held if isinstance(held, Sequence) and not isinstance(held, str) else [held]
    if name == "goal":
        return fact_text(held)
    if name == "multigoal":
        return cut(" and ".join(map(fact_text, several)))
    if name == "sequence":
        return cut("; ".join(map(item_text, several)))
    return cut(value_text(item))


def fact_text(fact: Any) -> str:
    """Return a fact of a certificate: predicate[subject] = value."""
    if isinstance(fact, Sequence) and not isinstance(fact, str) and len(fact) == 3:
        return cut(f"{value_text(fact[0])}[{value_text(fact[1])}] = {value_text(fact[2])}")
    if isinstance(fact, Sequence) and not isinstance(fact, str) and len(fact) == 2:
        return cut(f"{value_text(fact[0])}[{value_text(fact[1])}] is absent")
    return cut(value_text(fact))


def call_text(op: str, arguments: Any) -> str:
    """Return a step as it is called."""
    given = arguments.values() if isinstance(arguments, Mapping) else [] if arguments is None else [arguments]
    return cut(f"{op}({', '.join(map(value_text, given))})")


def counted(count: int, word: str) -> str:
    """Return a number with its noun."""
    return f"{count:,} {word}{'' if count == 1 else 's'}"


def cut(text: str, most: int = _LONGEST) -> str:
    """Return a text in one line that is not too long."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1]}…"
