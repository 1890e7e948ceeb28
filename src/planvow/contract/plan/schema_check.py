"""Parameters held against the JSON Schema of a skill (`schema_form.py` says which schemas there may be).

A value that is one placeholder is accepted anywhere and whatever holds one is not compared with fixed values: what it
will be is known only when the plan runs, and then it is checked again, filled. A schema is asked about a place once,
however many references lead there, so references cannot multiply the work; beyond MAX_LEVELS of nesting the answer is
that the value cannot be checked, never an exhausted stack.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from planvow.contract.plan.placeholders import is_placeholder, references
from planvow.contract.plan.schema_form import TYPES, follow

MAX_LEVELS = 400  # twice the nesting canonical data may have: a schema may put one form between two levels
Problems = dict[tuple[str, str], None]  # (path, what is wrong), each once, in the order they were found


def schema_problems(value: Any, schema: Any, path: str = "$", *, filled: bool = False) -> Iterator[tuple[str, str]]:
    """Yield (path, what is wrong) for every way in which a value breaks a schema.

    `filled` says that placeholders have been replaced already, so what looks like one is plain text.
    """
    return iter(_Checker(schema, filled).problems(value, schema, path, 0))


class _Checker:
    """One value and one schema document; remembers what was asked."""

    def __init__(self, root: Any, filled: bool) -> None:
        self._root = root
        self._filled = filled
        self._answers: dict[tuple[int, int, str], Problems] = {}

    def problems(self, value: Any, schema: Any, path: str, level: int) -> Problems:
        """Return what is wrong; one stack frame for every level, so the loops are written out."""
        if level > MAX_LEVELS:
            return {(path, "nested too deeply to be checked"): None}
        if not self._filled and is_placeholder(value):
            return {}
        asked = (id(schema), id(value), path)  # both live as long as this checker, so their ids are theirs alone
        if asked in self._answers:
            return self._answers[asked]
        found: Problems = {}
        for part in self._conjuncts(schema):
            wrong = _type_problem(value, part)
            if wrong is not None:
                found[path, wrong] = None
                continue  # the rest of this part is about values of another type
            found.update(dict.fromkeys(self._own_problems(value, part, path)))
            for item, rule, place in _children(value, part, path):
                found.update(self.problems(item, rule, place, level + 1))
            for keyword in ("anyOf", "oneOf"):
                fitting = 0
                for form in part.get(keyword, ()):
                    fitting += not self.problems(value, form, path, level + 1)
                if keyword in part and not fitting:
                    found[path, "fits none of the allowed forms"] = None
                elif keyword == "oneOf" and fitting > 1 and not self._is_open(value):
                    found[path, "does not fit exactly one of the allowed forms"] = None
        self._answers[asked] = found
        return found

    def _conjuncts(self, schema: Any) -> list[Any]:
        """Return a schema and all that its references and its `allOf` add about the same value, each once."""
        parts: dict[int, Any] = {}
        waiting = [schema]
        while waiting:
            part = waiting.pop()
            if part is True or id(part) in parts:
                continue
            parts[id(part)] = part
            if part is not False:
                waiting += reversed(part.get("allOf", ()))
                if "$ref" in part:
                    waiting.append(follow(self._root, part["$ref"]))
        return list(parts.values())

    def _is_open(self, value: Any) -> bool:
        """Say whether a placeholder anywhere inside leaves open what the value will be."""
        return not self._filled and next(references(value), None) is not None

    def _own_problems(self, value: Any, part: Mapping[str, Any], path: str) -> Iterator[tuple[str, str]]:
        if ("enum" in part or "const" in part) and not self._is_open(value):
            if "enum" in part and not any(_same(value, option) for option in part["enum"]):
                yield path, f"not one of the {len(part['enum'])} allowed values"
            if "const" in part and not _same(value, part["const"]):
                yield path, "not the one allowed value"
        if isinstance(value, int | float) and not isinstance(value, bool):
            yield from ((path, wrong) for wrong in _number_problems(value, part))
        elif isinstance(value, list):
            yield from ((path, wrong) for wrong in _size_problems(len(value), part, "Items", "items"))
        elif isinstance(value, str) and not self._is_open(value):
            yield from ((path, wrong) for wrong in _size_problems(len(value), part, "Length", "characters"))
        elif isinstance(value, Mapping):
            missing = [name for name in part.get("required", ()) if name not in value]
            yield from ((f"{path}.{name}", "this parameter is required") for name in missing)
            if part.get("additionalProperties") is False:
                extra = sorted(value.keys() - part.get("properties", {}).keys())  # sorted: the same order every time
                yield from ((f"{path}.{name}", "this parameter is not allowed") for name in extra)


def _children(value: Any, part: Mapping[str, Any], path: str) -> Iterator[tuple[Any, Any, str]]:
    """Yield what is inside a value, with the schema it must fit and the path to it."""
    if isinstance(value, Mapping):
        rest = part.get("additionalProperties", True)
        for name in sorted(value):  # sorted: problems come in the same order whatever the key order
            rule = part.get("properties", {}).get(name, True if rest is False else rest)  # False was reported above
            if rule is not True:
                yield value[name], rule, f"{path}.{name}"
    elif isinstance(value, list) and "items" in part:
        for index, item in enumerate(value):
            yield item, part["items"], f"{path}[{index}]"


def _type_problem(value: Any, part: Any) -> str | None:
    if part is False:
        return "nothing is allowed here"
    wanted = part.get("type")
    names = wanted if isinstance(wanted, list) else [wanted]
    if wanted is None or any(_has_type(value, name) for name in names):
        return None
    return f"{' or '.join(names)} expected, got {_type_name(value)}"


def _has_type(value: Any, name: str) -> bool:
    if isinstance(value, bool):
        return name == "boolean"  # Python's booleans are integers, JSON's are not
    return isinstance(value, TYPES[name]) or (name == "integer" and isinstance(value, float) and value.is_integer())


def _type_name(value: Any) -> str:
    return next((name for name in ("integer", *TYPES) if _has_type(value, name)), type(value).__name__)


def _number_problems(value: float, part: Mapping[str, Any]) -> Iterator[str]:
    if "minimum" in part and value < part["minimum"]:
        yield f"less than the minimum {part['minimum']}"
    if "maximum" in part and value > part["maximum"]:
        yield f"more than the maximum {part['maximum']}"
    if "exclusiveMinimum" in part and value <= part["exclusiveMinimum"]:
        yield f"must be more than {part['exclusiveMinimum']}"
    if "exclusiveMaximum" in part and value >= part["exclusiveMaximum"]:
        yield f"must be less than {part['exclusiveMaximum']}"


def _size_problems(size: int, part: Mapping[str, Any], what: str, unit: str) -> Iterator[str]:
    if size < part.get(f"min{what}", 0):
        yield f"{size} {unit}, at least {part[f'min{what}']} needed"
    if size > part.get(f"max{what}", size):
        yield f"{size} {unit}, at most {part[f'max{what}']} allowed"


def _same(left: Any, right: Any) -> bool:
    """Say whether two JSON values are equal: 1 and 1.0 are, 1 and true are not."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, Mapping) and isinstance(right, Mapping):
        return left.keys() == right.keys() and all(_same(left[name], right[name]) for name in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(_same, left, right))
    return bool(left == right)
