"""What a tool returned, as JSON for its receipt: by a table, and never by failing.

| a value of type | is stored as |
|---|---|
| None, bool, str, int up to 2^53-1, finite float | itself |
| larger int, nan, inf | `{"$type": "int" or "float", "value": text}` |
| list, tuple, deque | a list |
| dict | an object; with other keys than text `{"$type": "dict", "items": [[key, value], …]}` |
| set, frozenset | `{"$type": "set", "items": […]}`, sorted by their text |
| datetime, date, time | `{"$type": …, "value": ISO 8601}` |
| timedelta | `{"$type": "timedelta", "seconds": text}` |
| Decimal, Fraction, complex, UUID, Path, IP addresses | `{"$type": …, "value": text}` |
| bytes, bytearray, memoryview | `{"$type": "bytes", "base64": text}` |
| an enumeration's member | `{"$type": "enum", "of": class, "name": …, "value": …}` |
| dataclass, named tuple, pydantic or attrs model | `{"$type": "object", "of": class, "fields": {…}}` |
| exception, exception group | `{"$type": "exception", "of": class, "text": …, "exceptions": […]}` |
| State | `{"$type": "state", "facts": […]}` |
| anything else | `{"$type": "text", "of": class, "value": its text}`, with a warning in the receipt |

The work is done by then, so nothing here may turn it into a failure: what cannot even say its own text is named by its
class, what goes round in a circle or too deep ends in a mark, and what is too long for a receipt is kept as its hash
and its beginning.
"""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import math
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from pathlib import PurePath
from typing import Any
from uuid import UUID

from planvow.canonical import MAX_SAFE_INTEGER, canonical_json
from planvow.contract.certificate.items import triple_json
from planvow.kernel.world.recorder import Triple
from planvow.kernel.world.state import State

TYPE = "$type"
MAX_LEVELS = 60
MAX_TEXT = 2_000
MAX_BYTES = 900_000  # a receipt has room for a million, and holds more than the output
_AS_TEXT: Mapping[type, str] = {
    Decimal: "decimal", Fraction: "fraction", complex: "complex", UUID: "uuid", PurePath: "path",
    IPv4Address: "ip", IPv6Address: "ip", IPv4Network: "ip", IPv6Network: "ip",
}  # fmt: skip


@dataclasses.dataclass(frozen=True, kw_only=True)
class Encoded:
    """A value as JSON data, and what was lost on the way, in words."""

    data: Any
    warnings: tuple[str, ...] = ()


def encode(value: Any, *, hide: Mapping[str, str] | None = None) -> Encoded:
    """Return a value as a receipt keeps it. `hide` holds secrets by name: their text is replaced by the name."""
    if not hide:
        with suppress(Exception):  # somebody changes it meanwhile: the careful way has an answer to that
            size, copy = _plain(value, 0)
            if 0 < size < MAX_BYTES // _LONGEST:
                return Encoded(data=copy)
    encoder = _Encoder({text: f"{{{{secret.{name}}}}}" for name, text in _longest_first(hide or {})})
    data = encoder.data(value, "output", ())
    try:
        size = len(canonical_json(data).encode())
    except Exception as error:  # a type of the table that was derived from and answers otherwise
        return _unreadable(value, error)
    if size > MAX_BYTES:
        text = canonical_json(data)
        digest = hashlib.sha256(text.encode()).hexdigest()
        kept = {TYPE: "too_long", "bytes": size, "sha256": digest, "begins": text[:MAX_TEXT]}
        return Encoded(data=kept, warnings=(*encoder.warnings, f"the output has {size} bytes: only its hash is kept"))
    return Encoded(data=data, warnings=tuple(encoder.warnings))


_LONGEST = 6  # what JSON makes of one character of ASCII at most: \\u0000
_WORD, _MARKS = 24, 4  # more than a number or a word takes, and what stands around a value


def _plain(value: Any, level: int) -> tuple[int, Any]:
    """Return how many characters plain data has, marks included, and a copy; 0 if it is not so plain as all that."""
    kind = type(value)
    if kind is str:
        return (len(value) + _MARKS, value) if value.isascii() else (0, None)
    if kind is bool or value is None or (kind is int and -MAX_SAFE_INTEGER <= value <= MAX_SAFE_INTEGER):
        return _WORD, value
    if (kind is not dict and kind is not list) or level > MAX_LEVELS:
        return 0, None
    total = _MARKS
    copy: list[Any] = []
    for part in value.values() if kind is dict else value:
        size, made = _plain(part, level + 1)
        if not size:
            return 0, None
        total += size
        copy.append(made)
    if kind is list:
        return total, copy
    for key in value:
        if type(key) is not str or not key.isascii() or key == TYPE:
            return 0, None
        total += len(key) + _MARKS
    return total, dict(zip(value, copy, strict=True))


def storable(value: Any, *, hide: Mapping[str, str]) -> Encoded:
    """Return an output as it is where that has a canonical form, and by the table where it has none."""
    try:
        if not _plain(value, 0)[0]:
            canonical_json(value)
    except Exception:  # the work is done, whatever it gave
        return encode(value, hide=hide)
    return Encoded(data=value)


def hidden(text: str, secrets: Mapping[str, str]) -> str:
    """Return a text in which every secret is replaced by its name."""
    for name, secret in _longest_first(secrets):
        text = text.replace(secret, f"{{{{secret.{name}}}}}")
    return text


def _longest_first(secrets: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return secrets so that one which begins another does not leave the other's end in sight."""
    return sorted(((name, text) for name, text in secrets.items() if text), key=lambda pair: (-len(pair[1]), pair[0]))


def _unreadable(value: Any, error: Exception) -> Encoded:
    of = _class_name(value)
    warning = f"output: a {of} was kept as its class alone ({type(error).__name__})"
    return Encoded(data={TYPE: "text", "of": of, "value": ""}, warnings=(warning,))


class _Encoder:
    """One value on its way into a receipt."""

    def __init__(self, hide: Mapping[str, str]) -> None:
        self.warnings: list[str] = []
        self._hide = hide

    def data(self, value: Any, place: str, above: tuple[int, ...]) -> Any:
        """Return a value as JSON data. `above` are the identities of what it stands in."""
        if id(value) in above:
            return self._marked(value, place, "it contains itself")
        if len(above) > MAX_LEVELS:
            return self._marked(value, place, "it is nested too deeply")
        try:
            return self._by_table(value, place, (*above, id(value)))
        except Exception as error:  # a user's class that raises when it is looked at
            return self._marked(value, place, f"reading it raised {type(error).__name__}")

    def _by_table(self, value: Any, place: str, above: tuple[int, ...]) -> Any:
        if value is None or type(value) is bool:
            return value
        for kinds, form in _FORMS:
            if isinstance(value, kinds):
                return form(self, value, place, above)
        fields = _fields_of(value)
        if fields is not None:
            inner = {name: self.data(part, f"{place}.{name}", above) for name, part in fields.items()}
            return {TYPE: "object", "of": _class_name(value), "fields": inner}
        return self._marked(value, place, "there is no form for it")

    def _marked(self, value: Any, place: str, why: str) -> dict[str, Any]:
        of = _class_name(value)
        self.warnings.append(self._text(f"{place}: a {of} was kept as text: {why}"))
        try:
            text = self._text(str(value)[:MAX_TEXT])
        except Exception:
            text = ""
        return {TYPE: "text", "of": of, "value": text}

    def _text(self, text: str) -> str:
        for secret, name in self._hide.items():
            text = text.replace(secret, name)
        return text.encode("utf-8", "backslashreplace").decode("utf-8")  # half a surrogate pair has no bytes

    def _string(self, value: str, place: str, above: tuple[int, ...]) -> Any:
        if isinstance(value, Enum):
            return self._enum(value, place, above)
        return self._text(str.__str__(value))

    def _number(self, value: Any, place: str, above: tuple[int, ...]) -> Any:
        if isinstance(value, Enum):
            return self._enum(value, place, above)
        if isinstance(value, int):
            plain = int(value)
            return plain if abs(plain) <= MAX_SAFE_INTEGER else {TYPE: "int", "value": f"{plain:d}"}
        real = float(value)
        whole = math.isfinite(real) and abs(real) <= MAX_SAFE_INTEGER
        return real if whole else {TYPE: "float", "value": repr(real)}

    def _enum(self, value: Enum, place: str, above: tuple[int, ...]) -> Any:
        plain = value.value
        if isinstance(plain, Enum) or type(plain) not in (str, int, float, bool, type(None)):
            plain = self.data(plain, f"{place}.value", above)
        return {TYPE: "enum", "of": _class_name(value), "name": value.name, "value": plain}

    def _mapping(self, value: Mapping[Any, Any], place: str, above: tuple[int, ...]) -> Any:
        if all(type(key) is str for key in value) and TYPE not in value:
            return {self._text(key): self.data(part, f"{place}.{key}", above) for key, part in value.items()}
        items = [
            [self.data(k, place, above), self.data(part, f"{place}[{k!r:.40}]", above)] for k, part in value.items()
        ]
        return {TYPE: "dict", "items": items}

    def _list(self, value: Any, place: str, above: tuple[int, ...]) -> Any:
        names = getattr(value, "_fields", None)
        if names is not None and isinstance(value, tuple):
            parts = zip(names, value, strict=True)
            fields = {str(name): self.data(part, f"{place}.{name}", above) for name, part in parts}
            return {TYPE: "object", "of": _class_name(value), "fields": fields}
        return [self.data(part, f"{place}[{i}]", above) for i, part in enumerate(value)]

    def _set(self, value: Any, place: str, above: tuple[int, ...]) -> Any:
        items = [self.data(part, f"{place}{{}}", above) for part in value]
        return {TYPE: "set", "items": sorted(items, key=canonical_json)}  # a set has no order of its own

    def _moment(self, value: Any, place: str, above: tuple[int, ...]) -> Any:
        kind = "datetime" if isinstance(value, datetime) else "date" if isinstance(value, date) else "time"
        return {TYPE: kind, "value": value.isoformat()}

    def _duration(self, value: timedelta, place: str, above: tuple[int, ...]) -> Any:
        micros = (value.days * 86_400 + value.seconds) * 1_000_000 + value.microseconds
        return {TYPE: "timedelta", "seconds": str(Decimal(micros).scaleb(-6).normalize() + 0)}

    def _bytes(self, value: Any, place: str, above: tuple[int, ...]) -> Any:
        raw = bytes(value)
        for secret, name in self._hide.items():
            raw = raw.replace(secret.encode(), name.encode())
        return {TYPE: "bytes", "base64": base64.b64encode(raw).decode("ascii")}

    def _exception(self, value: BaseException, place: str, above: tuple[int, ...]) -> Any:
        found: dict[str, Any] = {TYPE: "exception", "of": _class_name(value), "text": self._text(str(value)[:MAX_TEXT])}
        if isinstance(value, BaseExceptionGroup):
            inner = [self.data(part, f"{place}.exceptions[{i}]", above) for i, part in enumerate(value.exceptions)]
            found["exceptions"] = inner
        return found

    def _state(self, value: State, place: str, above: tuple[int, ...]) -> Any:
        return {TYPE: "state", "facts": [triple_json(Triple(*triple)) for triple in value.triples()]}

    def _plain_text(self, value: Any, place: str, above: tuple[int, ...]) -> Any:
        word = next(word for kind, word in _AS_TEXT.items() if isinstance(value, kind))
        return {TYPE: word, "value": self._text(str(value))}


_Form = Callable[[_Encoder, Any, str, tuple[int, ...]], Any]
_FORMS: tuple[tuple[tuple[type, ...], _Form], ...] = (
    ((str,), _Encoder._string),
    ((int, float), _Encoder._number),
    ((Enum,), _Encoder._enum),
    ((State,), _Encoder._state),
    ((Mapping,), _Encoder._mapping),
    ((list, tuple, deque), _Encoder._list),
    ((set, frozenset), _Encoder._set),
    ((datetime, date, time), _Encoder._moment),
    ((timedelta,), _Encoder._duration),
    ((bytes, bytearray, memoryview), _Encoder._bytes),
    ((BaseException,), _Encoder._exception),
    (tuple(_AS_TEXT), _Encoder._plain_text),
)


def _fields_of(value: Any) -> Mapping[str, Any] | None:
    """Return the fields of a dataclass, a pydantic model or an attrs object; None for anything else."""
    kind = type(value)
    if isinstance(value, type):
        return None
    if dataclasses.is_dataclass(kind):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(kind)}
    for attribute in ("model_fields", "__fields__"):  # of pydantic 2 and of its first version
        names = getattr(kind, attribute, None)
        if isinstance(names, Mapping):
            return {str(name): getattr(value, str(name)) for name in names}
    attributes = getattr(kind, "__attrs_attrs__", None)
    if attributes is not None:
        return {str(part.name): getattr(value, str(part.name)) for part in attributes}
    return None


def _class_name(value: Any) -> str:
    kind = type(value)
    home = "" if kind.__module__ == "builtins" else f"{kind.__module__}."
    return f"{home}{kind.__qualname__}"[:200].encode("utf-8", "replace").decode("utf-8")
