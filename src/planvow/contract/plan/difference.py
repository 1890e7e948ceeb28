"""Where two JSON values differ, by path, in an order that is always the same.

Fields that may vary are left out by path (`$.metadata.generated_at`), never by name anywhere: a step parameter that
happens to be called `id` still counts. A `*` in a path stands for every list index or key.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from planvow.canonical import canonical_json, to_jsonable

_SHOWN = 200
_NOTHING = object()
"""What stands where one of two values has nothing."""


@dataclass(frozen=True, kw_only=True)
class Difference:
    """One place where two values differ. A side that is missing altogether is None in `expected` or `found`."""

    path: str
    expected: str | None
    found: str | None

    def __str__(self) -> str:
        return f"{self.path}: expected {self.expected or 'nothing'}, found {self.found or 'nothing'}"


def differences(expected: Any, found: Any, *, ignored: Collection[str] = ()) -> tuple[Difference, ...]:
    """Return every difference between two values, sorted by path order, ignoring the given paths."""
    return tuple(_walk(to_jsonable(expected), to_jsonable(found), "$", "$", frozenset(ignored)))


def first_difference(expected: Any, found: Any, *, ignored: Collection[str] = ()) -> Difference | None:
    """Return the first difference between two values, or None when they are the same JSON."""
    return next(_walk(to_jsonable(expected), to_jsonable(found), "$", "$", frozenset(ignored)), None)


def value_at(value: Any, path: str) -> Any:
    """Return what stands at a path such as `$.steps[0].skill`; raise LookupError when nothing does."""
    for part in path.removeprefix("$").replace("[", ".").replace("]", "").split("."):
        if part:
            value = value[int(part)] if isinstance(value, list) else value[part]
    return value


def _walk(expected: Any, found: Any, path: str, pattern: str, ignored: frozenset[str]) -> Iterator[Difference]:
    if path in ignored or pattern in ignored:
        return
    if isinstance(expected, dict) and isinstance(found, dict):
        for key in sorted({*expected, *found}):  # sorted: JSON objects have no order of their own
            left, right = expected.get(key, _NOTHING), found.get(key, _NOTHING)
            yield from _walk(left, right, f"{path}.{key}", f"{pattern}.{key}", ignored)
    elif isinstance(expected, list) and isinstance(found, list):
        for index, (left, right) in enumerate(zip(expected, found)):
            yield from _walk(left, right, f"{path}[{index}]", f"{pattern}[*]", ignored)
        first = min(len(expected), len(found))
        if len(expected) != len(found):  # the first that has no counterpart says it, whatever is ignored
            left, right = ([*side[first : first + 1], _NOTHING][0] for side in (expected, found))
            yield Difference(path=f"{path}[{first}]", expected=_shown(left), found=_shown(right))
    elif type(expected) is not type(found) or expected != found:
        yield Difference(path=path, expected=_shown(expected), found=_shown(found))


def _shown(value: Any) -> str | None:
    if value is _NOTHING:
        return None
    text = canonical_json(value)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"
