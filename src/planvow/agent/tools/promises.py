"""What may be said about a tool: the names of its promises and the kind of value of each.

They are looked at when a tool is declared. A word that means nothing, or `idempotent="no"`, which Python takes for
true, would otherwise show when the tool is called for the first time, or never.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from planvow.agent.errors import ToolError
from planvow.errors import did_you_mean


def check_names(says: Iterable[str], known: Iterable[str], place: str) -> None:
    """Refuse a promise that tools do not have, naming the one that is probably meant.

    >>> check_names(["idempotent"], ["idempotent", "timeout_seconds"], "tool buy")
    """
    names = list(known)
    for word in says:
        if word not in names:
            hint = did_you_mean(word, names) or f"a tool can say: {', '.join(names)}"
            raise ToolError(f"there is no promise {word!r}", place=place, hint=hint)


def check_kinds(values: Mapping[str, Any], kinds: Mapping[str, tuple[tuple[type, ...], str]], place: str) -> None:
    """Refuse a promise whose value is of another kind than it has.

    >>> check_kinds({"idempotent": True}, {"idempotent": ((bool,), "True or False")}, "tool buy")
    """
    for name, (allowed, what) in kinds.items():
        value = values[name]
        is_wrong_bool = isinstance(value, bool) and bool not in allowed  # True is no number of seconds
        if is_wrong_bool or not isinstance(value, allowed):
            raise ToolError(f"{name} is {what}, got {value!r}", place=place)


def check_functions(values: Mapping[str, Any], place: str) -> None:
    """Refuse what cannot be called where a function is meant.

    >>> check_functions({"run": len, "was_it_done": None}, "tool buy")
    """
    for name, value in values.items():
        if value is not None and not callable(value):
            raise ToolError(f"{name} is a function, got {value!r}", place=place)
