"""Statements about the world: `key`, `key=value`, `!key`, with `{name}` where a parameter's value belongs.

`order.{order_id}.status=paid` needs or makes the status of that order `paid`; `session.open` alone says that it is
true, `!session.open` that it is not (false, or nothing known). A key has one value at a time. Values are JSON where
they can be read so, else texts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from planvow.errors import InputError
from planvow.tools.words import value_of, word_for

_SPELLED = r"\{([A-Za-z_][A-Za-z0-9_.-]*)\}"  # parameters of HTTP operations are often spelled with a hyphen
_KEY = re.compile(rf"[^\s=!{{}}]*({_SPELLED}[^\s=!{{}}]*)*")
_NAME = re.compile(_SPELLED)


class _Nothing:
    """The value of a key that has none."""

    def __repr__(self) -> str:
        return "nothing"


NOTHING = _Nothing()


@dataclass(frozen=True)
class Statement:
    """That a key has a value; `NOTHING` when it has none, or none that is true."""

    key: str
    value: Any

    @property
    def names(self) -> tuple[str, ...]:
        """The parameters and outputs it speaks of, in order."""
        texts = (self.key, self.value) if isinstance(self.value, str) else (self.key,)
        return tuple(dict.fromkeys(name for text in texts for name in _NAME.findall(text)))

    def bound(self, values: Mapping[str, str]) -> Statement:
        """Return it with every name replaced by the text that stands for its value."""
        if not self.names:
            return self

        def put(match: re.Match[str]) -> str:
            return values[match.group(1)]

        value = _NAME.sub(put, self.value) if isinstance(self.value, str) else self.value
        return Statement(_NAME.sub(put, self.key), value)

    def __str__(self) -> str:
        return f"!{self.key}" if self.value is NOTHING else word_for(self.key, self.value)


def can_be_spelled(name: str) -> bool:
    """Say whether a statement can speak of a parameter or a part of an output by this name."""
    return _NAME.fullmatch(f"{{{name}}}") is not None


def read_statement(text: Any) -> Statement:
    """Read one statement, or raise InputError that says what is wrong with it."""
    if not isinstance(text, str):
        raise InputError(f"a statement is a text, got {type(text).__name__}", place="statement")
    negated = text.startswith("!")
    body = text[1:] if negated else text
    key, equals, _ = body.partition("=")
    if not key or not _KEY.fullmatch(key) or (negated and equals):
        raise InputError(
            f"{text!r:.80} is no statement",
            hint="a statement is key, key=value or !key, such as order.{order_id}.status=paid",
            place="statement",
        )
    return Statement(key, NOTHING if negated else value_of(body))
