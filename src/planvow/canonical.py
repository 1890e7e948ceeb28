"""One way to make bytes: RFC 8785 canonical JSON, hashes over it, and ids derived from both.

`to_jsonable` turns our values (dataclasses, enums, tuples, dates, sets, bytes) into plain JSON and refuses
everything else with the path to the culprit (`$.steps[3].params.x`). It never falls back to `str(obj)`: that
would put memory addresses into hashes. Hashes that name a kind of thing carry a tag with a version
("plan/1") inside the hashed value, so two kinds can never collide and a format can change openly.

The text canonicalisation of seed 000, section 9, is separate and only for claim and entity keys.
"""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import json
import math
import re
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from datetime import UTC, date, datetime
from enum import Enum
from typing import Any

import rfc8785

from planvow.errors import NotCanonicalError, shown

MAX_SAFE_INTEGER = 2**53 - 1  # RFC 8785: beyond this, JSON readers disagree about the value
MAX_DEPTH = 200  # well inside Python's recursion limit, far beyond any plan
_WRITTEN_WITH_EXPONENT = 1e21  # RFC 8785 writes smaller whole numbers as plain digits
SHORT_HASH_LENGTH = 16  # seed 004: content_hash is the first 16 hex digits

_PLAIN = (str, bool, type(None))


def to_jsonable(value: Any) -> Any:
    """Return `value` as plain JSON data; raise NotCanonicalError with the path of what has no such form."""
    try:
        return _copied(value, 0)
    except _NotPlainError:  # the careful way, which also knows where it is
        return _convert(value, "$", 0)


class _NotPlainError(Exception):
    """Something in a value needs a closer look."""


def _copied(value: Any, depth: int) -> Any:
    """Return plain JSON data as a copy with lists for tuples; raise _NotPlainError at anything else."""
    kind = type(value)
    if kind is str:
        if value.isascii():
            return value
    elif kind is dict:
        if depth <= MAX_DEPTH:
            copy = {}
            for key, item in value.items():
                if type(key) is not str or not key.isascii():
                    raise _NotPlainError
                copy[key] = item if type(item) is str and item.isascii() else _copied(item, depth + 1)
            return copy
    elif kind is list or kind is tuple:
        if depth <= MAX_DEPTH:
            return [item if type(item) is str and item.isascii() else _copied(item, depth + 1) for item in value]
    elif value is None or kind is bool or (kind is int and -MAX_SAFE_INTEGER <= value <= MAX_SAFE_INTEGER):
        return value
    raise _NotPlainError


def canonical_bytes(value: Any) -> bytes:
    """Return the RFC 8785 bytes of a value.

    >>> canonical_bytes({"b": 1, "a": [True, None]})
    b'{"a":[true,null],"b":1}'
    """
    if _is_simple(value, 0):
        return _encode_simple(value).encode("utf-8")
    return rfc8785.dumps(to_jsonable(value))


def canonical_json(value: Any) -> str:
    """Return the RFC 8785 text of a value."""
    if _is_simple(value, 0):
        return _encode_simple(value)
    return rfc8785.dumps(to_jsonable(value)).decode("utf-8")


def is_canonical(text: str | bytes) -> bool:
    """Say whether a JSON document is already in canonical form, byte for byte."""
    try:
        raw = text.encode("utf-8") if isinstance(text, str) else text
        return canonical_bytes(json.loads(raw)) == raw
    except (ValueError, RecursionError, NotCanonicalError):
        return False


def full_hash(value: Any, *, tag: str | None = None) -> str:
    """Return the SHA-256 (64 hex digits) of a value's canonical bytes, under a tag such as "plan/1" if given."""
    subject = value if tag is None else {"tag": tag, "value": value}
    return hashlib.sha256(canonical_bytes(subject)).hexdigest()


def content_hash(value: Any, *, tag: str | None = None) -> str:
    """Return the first 16 hex digits of `full_hash`: for showing and for cache keys, as in seed 004.

    >>> content_hash({"b": 1, "a": 2}) == content_hash({"a": 2, "b": 1})
    True
    """
    return full_hash(value, tag=tag)[:SHORT_HASH_LENGTH]


def derived_id(prefix: str, value: Any, *, length: int = SHORT_HASH_LENGTH) -> str:
    """Return an id made from content: the prefix, an underscore and a tagged hash."""
    return f"{prefix}_{full_hash(value, tag=prefix + '/1')[:length]}"


# For strings, safe integers, booleans, null, lists and objects with ASCII keys the standard library's encoder writes
# RFC 8785 bytes, several times faster. It differs only in floats and in the order of keys beyond the ASCII range.
_encode_simple = json.JSONEncoder(
    ensure_ascii=False, check_circular=False, allow_nan=False, sort_keys=True, separators=(",", ":")
).encode


def _is_simple(value: Any, depth: int) -> bool:
    """Say whether a value needs no conversion and has no float; anything doubtful is left to the careful way."""
    kind = type(value)
    if kind is str:
        return bool(value.isascii()) or _encodable(value)
    if kind is int:
        return bool(-MAX_SAFE_INTEGER <= value <= MAX_SAFE_INTEGER)
    if kind is dict:
        if depth > MAX_DEPTH:
            return False
        for key, item in value.items():
            if type(key) is not str or not key.isascii():
                return False
            inner = type(item)  # most of what a document is made of is looked at here, without a call
            if (inner is str and item.isascii()) or item is None or inner is bool:
                continue
            if not _is_simple(item, depth + 1):
                return False
        return True
    if kind is list or kind is tuple:
        if depth > MAX_DEPTH:
            return False
        for item in value:
            inner = type(item)
            if (inner is str and item.isascii()) or item is None or inner is bool:
                continue
            if not _is_simple(item, depth + 1):
                return False
        return True
    return value is None or kind is bool


def _encodable(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _convert(value: Any, path: str, depth: int) -> Any:
    if value is None or value is True or value is False:
        return value
    kind = type(value)
    if kind is str:
        return _checked_text(value, path)
    if kind is int:
        return _checked_int(value, path)
    if depth > MAX_DEPTH:
        raise NotCanonicalError(f"nested deeper than {MAX_DEPTH} levels", place=_shortened(path))
    if kind is dict:
        return _convert_mapping(value, path, depth)
    if kind is list or kind is tuple:
        return [_convert(item, f"{path}[{i}]", depth + 1) for i, item in enumerate(value)]
    if kind is float:
        return _checked_float(value, path)
    return _convert_rich(value, path, depth)


def _convert_rich(value: Any, path: str, depth: int) -> Any:
    """Convert what is not plain JSON already. Enums before str and int: a StrEnum is both."""
    if isinstance(value, Enum):
        return _convert(value.value, path, depth)
    if isinstance(value, str):
        return _checked_text(str(value), path)
    if isinstance(value, int):
        return _checked_int(int(value), path)
    if isinstance(value, float):
        return _checked_float(float(value), path)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = dataclasses.fields(value)
        return {f.name: _convert(getattr(value, f.name), f"{path}.{f.name}", depth + 1) for f in fields}
    if isinstance(value, Mapping):
        return _convert_mapping(value, path, depth)
    if isinstance(value, list | tuple):
        return [_convert(item, f"{path}[{i}]", depth + 1) for i, item in enumerate(value)]
    if isinstance(value, AbstractSet):
        items = [_convert(item, f"{path}{{}}", depth + 1) for item in value]
        return sorted(items, key=rfc8785.dumps)  # sets have no order; their canonical bytes give one
    if isinstance(value, bytes | bytearray):
        return base64.b64encode(bytes(value)).decode("ascii")
    if isinstance(value, datetime):
        return _timestamp(value, path)
    if isinstance(value, date):
        return value.isoformat()
    raise NotCanonicalError(
        f"a value of type {type(value).__name__} has no JSON form",
        place=_shortened(path),
        hint="convert it to null, a boolean, a number, a string, a list or an object first",
    )


def _convert_mapping(value: Mapping[Any, Any], path: str, depth: int) -> dict[str, Any]:
    converted: dict[str, Any] = {}
    for key, item in value.items():
        if isinstance(key, Enum):
            key = key.value
        if not isinstance(key, str):
            raise NotCanonicalError(
                f"object keys must be strings, found {type(key).__name__} {shown(key)}", place=_shortened(path)
            )
        name = str(_checked_text(key, path))
        if name in converted:
            raise NotCanonicalError(f"two keys are written {shown(name)}", place=_shortened(path))
        converted[name] = _convert(item, f"{path}.{name}", depth + 1)
    return converted


def _checked_text(text: str, path: str) -> str:
    if not text.isascii():
        try:
            text.encode("utf-8")
        except UnicodeEncodeError as error:
            raise NotCanonicalError(
                f"text contains a lone surrogate at character {error.start}", place=_shortened(path)
            ) from None
    return text


def _checked_int(number: int, path: str) -> int:
    if -MAX_SAFE_INTEGER <= number <= MAX_SAFE_INTEGER:
        return number
    raise NotCanonicalError(
        "an integer beyond ±(2^53−1) is not safe in JSON", place=_shortened(path), hint="store it as a string"
    )


def _checked_float(number: float, path: str) -> float | int:
    if not math.isfinite(number):
        raise NotCanonicalError(f"{number} has no JSON form", place=_shortened(path))
    if number.is_integer() and abs(number) < _WRITTEN_WITH_EXPONENT:
        # 1.0 and 1 are one JSON number, -0.0 is 0, and 1e16 is written like an integer, so it is judged as one.
        return _checked_int(int(number), path)
    return number


def _timestamp(value: datetime, path: str) -> str:
    if value.tzinfo is None:
        raise NotCanonicalError("a date with a time needs a time zone", place=_shortened(path))
    return value.astimezone(UTC).isoformat().replace("+00:00", "Z")


def _shortened(path: str) -> str:
    return path if len(path) <= 200 else f"{path[:120]}…{path[-60:]}"


# Seed 000, section 9: keys for text, not for data.


def canonicalize_text(text: str) -> str:
    """Lower-case, collapse white space, drop punctuation: the seed's key form of a text."""
    text = text.lower().strip()
    text = re.sub(r"\s+", " ", text)
    return re.sub(r"[^\w\s]", "", text)


def canonical_hash(text: str) -> str:
    """Return the SHA-256 of the canonicalised text."""
    return hashlib.sha256(canonicalize_text(text).encode("utf-8")).hexdigest()


def canonical_hash_short(text: str, length: int = 24) -> str:
    """Return the first `length` hex digits of `canonical_hash`."""
    return canonical_hash(text)[:length]


def entity_dedup_key(canonical_name: str) -> str:
    """Return the key under which mentions of one entity meet."""
    return canonical_hash_short(canonical_name)


def claim_dedup_key(text: str, span: tuple[int, int]) -> str:
    """Return the key of a claim: its words and where they stand."""
    combined = f"{canonical_hash(text)}:{span[0]}:{span[1]}"
    return hashlib.sha256(combined.encode()).hexdigest()[:24]


def llm_cache_key(prompt: str, schema_version: str, model: str) -> str:
    """Return the key of a recorded answer: the exact prompt, never a simplified one.

    The seed canonicalises the prompt first, which gives "1.5%" and "15%" one key and so one answer.
    """
    return full_hash({"prompt": prompt, "schema_version": schema_version, "model": model}, tag="llm/1")
