"""The small change of showing: calls, trees and times out of JSON data."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from planvow.adapters.cli.frame.paragraphs import folded
from planvow.adapters.cli.frame.terminal import plain_characters
from planvow.temporal import format_ticks

SHORT_HASH = 16


def compact(value: Any) -> str:
    """Return JSON data on one line; a text without its quotation marks."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)


def call(item: Any) -> str:
    """Return an item of an agenda or a plan as people write it: `walk(ann, park)`, `at[ann] = park`."""
    if isinstance(item, Mapping):
        if "goal" in item:
            predicate, subject, value = item["goal"]
            return f"{predicate}[{compact(subject)}] = {compact(value)}"
        if "multigoal" in item:
            return " and ".join(call({"goal": goal}) for goal in item["multigoal"]) or "nothing"
        if "check" in item:
            return f"check {call(item['check'])}"
        return call(item["item"]) if "item" in item else compact(item)
    if isinstance(item, list) and item:
        return f"{compact(item[0])}({', '.join(map(compact, item[1:]))})"
    return compact(item) if item else "nothing"


def numbered(texts: Sequence[str], width: int | None) -> Iterator[str]:
    """Yield texts with their numbers, aligned."""
    size = len(str(len(texts)))
    for number, text in enumerate(texts, start=1):
        yield folded(f"{number:>{size}}. {text}", width, indent=2, hanging=size + 4)


def tree(
    children: Callable[[Any], Sequence[Any]], label: Callable[[Any], str], top: Sequence[Any], width: int | None
) -> Iterator[str]:
    """Yield a tree drawn with lines; labels that are too long are cut, so that the lines stay whole."""
    last, other, down = ("`- ", "|- ", "|  ") if plain_characters() else ("└─ ", "├─ ", "│  ")
    dots = "..." if plain_characters() else "…"
    waiting = [("  ", node, place == len(top) - 1) for place, node in reversed(list(enumerate(top)))]
    while waiting:
        stem, node, is_last = waiting.pop()
        text = f"{stem}{last if is_last else other}{label(node)}"
        yield text if width is None or len(text) <= width else text[: width - len(dots)] + dots
        deeper, below = stem + ("   " if is_last else down), children(node)
        if width is not None and len(deeper) > width // 2:
            deeper = deeper[: width // 2]
        waiting += [(deeper, child, place == len(below) - 1) for place, child in reversed(list(enumerate(below)))]


def times(start: int | None, end: int | None) -> str:
    """Return when something runs: `PT0S to PT2M`; empty where nothing says."""
    if start is None or end is None:
        return ""
    return f"{format_ticks(start)} to {format_ticks(end)}"
