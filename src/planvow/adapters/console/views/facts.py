"""Facts as people write them: `open[shop] = true`, or `open[shop] is gone`. Values are JSON, or else words."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any

from planvow.adapters.console.views.texts import cut
from planvow.errors import InputError

_FACT = re.compile(r"\s*([^\[\]=]+?)\s*\[(.*)\]\s*(?:=\s*(.+?)|(?:is\s+)?(gone|absent))\s*", re.S)


def read_fact(line: str, place: str) -> list[Any]:
    """Return a fact as a triple; without a value it does not hold."""
    found = _FACT.fullmatch(line)
    if found is None:
        hint = "write open[shop] = true, or open[shop] is gone"
        raise InputError(f"this is no fact: {line!r:.60}", place=place, hint=hint)
    name, subject, value, gone = found.groups()
    return [name, read_value(subject)] if gone else [name, read_value(subject), read_value(value)]


def read_facts(lines: Iterable[str], place: str) -> list[list[Any]]:
    """Return the facts of lines, empty ones left out."""
    return [read_fact(line, place) for line in lines if line.strip()]


def read_value(text: str) -> Any:
    """Return a value as somebody wrote it: JSON where it is some, else the words."""
    try:
        return json.loads(text)
    except ValueError:
        return text.strip()


def written(value: Any) -> str:
    """Return a value so that `read_value` gives it back."""
    if isinstance(value, str) and read_value(value) == value and value.strip() == value and value:
        return value
    return json.dumps(value, ensure_ascii=False)


def written_fact(fact: Sequence[Any]) -> str:
    """Return a fact so that `read_fact` gives it back."""
    about = f"{fact[0]}[{written(fact[1])}]"
    return f"{about} = {written(fact[2])}" if len(fact) > 2 else f"{about} is gone"


def suggested(facts: Iterable[Any], most: int = 200) -> tuple[str, ...]:
    """Return facts to begin with, as lines; long ones are nobody's to type."""
    lines = (written_fact(fact) for fact in facts if isinstance(fact, Sequence) and not isinstance(fact, str))
    return tuple(line for line in lines if line == cut(line))[:most]
