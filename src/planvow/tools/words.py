"""Words of requirements and effects: a key, or a key and its value, in one spelling each.

`session.open` and `session.open=true` are the same word, and so are `order.status=paid` and `order.status="paid"`.
What can be read as JSON is a value of that kind: `disk.free=12` is the number, `disk.free="12"` the text.
"""

from __future__ import annotations

import json
from typing import Any

from planvow.canonical import canonical_json
from planvow.errors import PlanvowError
from planvow.kernel.world.values import value_to_json


def key_of(word: str) -> str:
    """Return what a word is about: the part before `=`."""
    return word.partition("=")[0]


def word_for(key: str, value: Any) -> str:
    """Return the word that says that a key has a value."""
    if value is True:
        return key
    if isinstance(value, str) and not _is_json(value):
        return f"{key}={value}"
    return f"{key}={canonical_json(value_to_json(value))}"


def value_of(word: str) -> Any:
    """Return the value a word gives its key."""
    _, equals, text = word.partition("=")
    if not equals:
        return True
    return json.loads(text) if _is_json(text) else text


def plain_word(word: str) -> str:
    """Return a word in its one spelling."""
    key, equals, text = word.partition("=")
    if not equals or not _is_json(text):
        return word
    try:
        return word_for(key, json.loads(text))
    except (PlanvowError, RecursionError):  # a number that has no one spelling, or nested too deeply
        return word


def _is_json(text: str) -> bool:
    try:
        json.loads(text, parse_constant=_refused)
    except (ValueError, RecursionError):
        return False
    return True


def _refused(name: str) -> None:
    raise ValueError(name)
