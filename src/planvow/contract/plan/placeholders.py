"""Placeholders in parameters: `{{key.field}}` is the output of an earlier step, `{{input.x}}` an input of the run.

`{{private.x}}` is a value that is kept apart from the plan, `{{secret.x}}` one that only whoever runs it knows.

A parameter that is nothing but one placeholder takes the value with its type; inside a longer text the value is
written as text. What nothing fills is an error, never an empty string, and a value that was filled in is not
looked through again, so outputs cannot smuggle placeholders in. The token `{{"{{"}}` stands for two literal braces;
`escape` writes it, and planners use it on text that comes from users.

Seed 004 (output_key); ruling 17.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from planvow.canonical import canonical_json
from planvow.contract.errors import UnresolvedReferenceError

INPUT_KEY, PRIVATE_KEY, SECRET_KEY = "input", "private", "secret"
GIVEN_KEYS = frozenset({INPUT_KEY, PRIVATE_KEY, SECRET_KEY})
_OPEN = '{{"{{"}}'
_TOKEN = re.compile(r'\{\{"\{\{"\}\}|\{\{([^{}]*)\}\}')
_REFERENCE = re.compile(r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*")


@dataclass(frozen=True, kw_only=True)
class Reference:
    """A placeholder found in parameters. `key` is None when what stands between the braces names nothing."""

    path: str
    text: str
    key: str | None
    fields: tuple[str, ...] = ()


def escape(text: str) -> str:
    """Return text in which no placeholder is seen when it stands in a parameter."""
    return text.replace("{{", _OPEN)


def references(value: Any, path: str = "$") -> Iterator[Reference]:
    """Yield every placeholder inside JSON data, in order, with the path to it."""
    if isinstance(value, str):
        for match in _TOKEN.finditer(value):
            if match.group(1) is not None:
                yield _reference(match, path)
    elif isinstance(value, Mapping):
        for key in sorted(value):  # sorted: problems are reported in the same order whatever the key order
            yield from references(value[key], f"{path}.{key}")
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            yield from references(item, f"{path}[{index}]")


def is_placeholder(value: Any) -> bool:
    """Say whether a value is exactly one placeholder, so that its type is known only when the plan runs."""
    match = _TOKEN.fullmatch(value) if isinstance(value, str) else None
    return match is not None and match.group(1) is not None


def resolve(value: Any, outputs: Mapping[str, Any], inputs: Mapping[str, Any] | None = None, path: str = "$") -> Any:
    """Return `value` with every placeholder filled from `outputs` (by output key) and `inputs`.

    Raises UnresolvedReferenceError, naming the path and what is there instead.
    """
    if isinstance(value, str):
        return _resolve_text(value, {**outputs, INPUT_KEY: inputs or {}}, path)
    if isinstance(value, Mapping):
        return {key: resolve(item, outputs, inputs, f"{path}.{key}") for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [resolve(item, outputs, inputs, f"{path}[{index}]") for index, item in enumerate(value)]
    return value


def _resolve_text(text: str, known: Mapping[str, Any], path: str) -> Any:
    if "{{" not in text:
        return text
    whole = _TOKEN.fullmatch(text)
    if whole is not None and whole.group(1) is not None:
        return _look_up(_reference(whole, path), known)

    def fill(match: re.Match[str]) -> str:
        if match.group(1) is None:
            return "{{"
        found = _look_up(_reference(match, path), known)
        return found if isinstance(found, str) else canonical_json(found)

    return _TOKEN.sub(fill, text)


def _reference(match: re.Match[str], path: str) -> Reference:
    inner = match.group(1).strip()
    if not _REFERENCE.fullmatch(inner):
        return Reference(path=path, text=match.group(0), key=None)
    key, *fields = inner.split(".")
    return Reference(path=path, text=match.group(0), key=key, fields=tuple(fields))


def _look_up(reference: Reference, known: Mapping[str, Any]) -> Any:
    if reference.key is None:
        raise _unresolved(reference, "this is not a placeholder of the form {{key.field}}", known)
    if reference.key not in known:
        raise _unresolved(reference, f"no output or input is called {reference.key!r}", known)
    value = known[reference.key]
    walked = reference.key
    for name in reference.fields:
        value, found = _step_into(value, name)
        if not found:
            raise _unresolved(reference, f"{walked} has no {name!r}", known)
        walked = f"{walked}.{name}"
    return value


def _step_into(value: Any, name: str) -> tuple[Any, bool]:
    if isinstance(value, Mapping) and name in value:
        return value[name], True
    if isinstance(value, list | tuple) and name.isdecimal() and name.isascii() and int(name[:9]) < len(value):
        return value[int(name[:9])], True
    return None, False


def _unresolved(reference: Reference, why: str, known: Mapping[str, Any]) -> UnresolvedReferenceError:
    return UnresolvedReferenceError(
        f"{reference.text} cannot be filled: {why}",
        place=reference.path,
        details={"placeholder": reference.text, "known": sorted(known)},
    )
