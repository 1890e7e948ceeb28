"""Which JSON Schemas skill manifests may use to describe parameters: a subset of draft 2020-12.

A keyword that could not be enforced is refused, so nothing passes because it was not understood. `format` and
`pattern` are annotations here: a hostile pattern could hang the planner, so the skill itself enforces them.
References stay inside the document (`#`, `#/$defs/address`): nothing is fetched, and a reference that leads back to
itself without going into the value is refused, because it says nothing. `$schema` is not looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote

from planvow.errors import InputError, did_you_mean

ANNOTATIONS = frozenset(
    {"$schema", "$comment", "title", "description", "default", "examples", "deprecated", "format", "pattern",
     "readOnly", "writeOnly", "contentEncoding", "contentMediaType", "discriminator"}
)  # fmt: skip
TYPES: Mapping[str, tuple[type, ...]] = {
    "object": (dict,), "array": (list,), "string": (str,), "boolean": (bool,), "null": (type(None),),
    "integer": (int,), "number": (int, float),
}  # fmt: skip
_ONE = ("items", "additionalProperties")  # the value is a schema
_NAMED = ("properties", "$defs", "definitions")  # the value is an object of schemas
_LISTED = ("allOf", "anyOf", "oneOf")  # the value is a list of schemas, all about the same place
_NUMBERS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
_COUNTS = ("minLength", "maxLength", "minItems", "maxItems")
KEYWORDS = frozenset({*_ONE, *_NAMED, *_LISTED, *_NUMBERS, *_COUNTS, "type", "required", "enum", "const", "$ref"})


def check_schema(schema: Any, place: str = "schema") -> None:
    """Raise InputError, with place and hint, unless every word of a schema can be held to."""
    known = dict(_subschemas(schema))
    for pointer, part in known.items():
        _check_keywords(part, pointer, f"{place}#{pointer}" if pointer else place)
    for pointer, part in known.items():
        if isinstance(part, Mapping) and "$ref" in part:
            _check_reference(part["$ref"], known, f"{place}#{pointer}/$ref")
    _check_ends(known, place)


def follow(schema: Any, reference: str) -> Any:
    """Return what a reference within the document leads to, or raise InputError."""
    pointer = _pointer(reference)
    if pointer is None:
        raise InputError(f"the reference {reference!r:.200} leads out of this schema")
    found = schema
    for token in pointer.split("/")[1:]:
        name = token.replace("~1", "/").replace("~0", "~")
        if isinstance(found, Mapping) and name in found:
            found = found[name]
        elif isinstance(found, list) and name.isdecimal() and name.isascii() and int(name[:9]) < len(found):
            found = found[int(name[:9])]
        else:
            raise InputError(f"the reference {reference!r:.200} leads to nothing in this schema")
    return found


def _pointer(reference: str) -> str | None:
    """Return the JSON Pointer of a reference within the document, or None when it leads elsewhere."""
    pointer = unquote(reference[1:])
    return pointer if reference.startswith("#") and pointer[:1] in ("", "/") else None


def _subschemas(schema: Any) -> Iterator[tuple[str, Any]]:
    """Yield every schema in a document with the pointer to it, outer ones first, whatever the order of the keys."""
    waiting = [("", schema)]
    while waiting:
        pointer, part = waiting.pop()
        yield pointer, part
        if isinstance(part, Mapping):
            waiting += reversed(list(_inner(part, pointer)))


def _inner(part: Mapping[str, Any], pointer: str) -> Iterator[tuple[str, Any]]:
    for keyword in sorted(part, key=str):
        value = part[keyword]
        if keyword in _ONE:
            yield f"{pointer}/{keyword}", value
        elif keyword in _NAMED and isinstance(value, Mapping):
            for name in sorted(value, key=str):
                yield f"{pointer}/{keyword}/{str(name).replace('~', '~0').replace('/', '~1')}", value[name]
        elif keyword in _LISTED and isinstance(value, list):
            for index, child in enumerate(value):
                yield f"{pointer}/{keyword}/{index}", child


def _check_keywords(part: Any, pointer: str, place: str) -> None:
    if isinstance(part, bool):
        return
    if not isinstance(part, Mapping):
        raise InputError(f"a schema is an object, true or false, not {type(part).__name__}", place=place)
    for keyword in sorted(part, key=str):
        if keyword in ANNOTATIONS or (keyword == "$id" and not pointer):  # below the root it would move the references
            continue
        if keyword not in KEYWORDS:
            raise InputError(
                f"the schema keyword {keyword!r:.60} is not supported here, so it could not be enforced",
                place=place,
                hint=f"leave it out and let the skill check what it says; supported: {', '.join(sorted(KEYWORDS))}",
            )
        if not _well_formed(keyword, part[keyword]):
            raise InputError(f"the schema keyword {keyword!r} cannot have the value {part[keyword]!r:.60}", place=place)


def _well_formed(keyword: str, value: Any) -> bool:
    if keyword == "type":
        names = value if isinstance(value, list) else [value]
        return bool(names) and all(isinstance(name, str) and name in TYPES for name in names)
    if keyword in _NAMED:
        return isinstance(value, Mapping)
    if keyword == "required":
        return isinstance(value, list) and all(isinstance(name, str) for name in value)
    if keyword == "enum" or keyword in _LISTED:
        return isinstance(value, list) and bool(value)
    if keyword in _NUMBERS:
        return isinstance(value, int | float) and not isinstance(value, bool)
    if keyword in _COUNTS:
        return isinstance(value, int) and not isinstance(value, bool) and value >= 0
    return isinstance(value, str) if keyword == "$ref" else True


def _check_reference(reference: str, known: Mapping[str, Any], place: str) -> None:
    pointer = _pointer(reference)
    if pointer is None:
        raise InputError(
            f"the reference {reference!r:.200} leads out of this schema; nothing is fetched",
            place=place,
            hint="put what it names under $defs of this schema and refer to it as #/$defs/NAME",
        )
    if pointer not in known:
        raise InputError(
            f"the reference {reference!r:.200} leads to no schema of this document",
            place=place,
            hint=did_you_mean(f"#{pointer}", [f"#{other}" for other in known]),
        )


def _check_ends(known: Mapping[str, Any], place: str) -> None:
    """Refuse references that come back to where they started without going into the value."""
    done: set[str] = set()
    for start in known:
        trail: dict[str, Iterator[str]] = {start: _same_place(known[start], start)}
        while trail:
            here = next(reversed(trail))
            ahead = next((pointer for pointer in trail[here] if pointer not in done), None)
            if ahead is None:
                done.add(here)
                del trail[here]
            elif ahead in trail:
                raise InputError(
                    f"the reference to '#{ahead:.200}' leads back to itself without going into the value",
                    place=f"{place}#{here}",
                    hint="let a property or an item come between",
                )
            else:
                trail[ahead] = _same_place(known[ahead], ahead)


def _same_place(part: Any, pointer: str) -> Iterator[str]:
    """Yield the pointers of the schemas that are asked about the same value as this one."""
    if isinstance(part, Mapping):
        if "$ref" in part:
            yield _pointer(part["$ref"]) or ""
        for keyword in _LISTED:
            for index in range(len(part.get(keyword, ()))):
                yield f"{pointer}/{keyword}/{index}"
