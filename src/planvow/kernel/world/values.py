"""Values that stay what they are: what a state may hold.

The undo log restores which value stands where; it cannot see a value change from inside. So lists, dictionaries and
sets are kept as read-only copies that compare equal to the originals, and anything that could change unseen is
refused at the door (ADR 0010).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import is_dataclass
from operator import is_
from typing import Any, NoReturn, TypeVar

from planvow.kernel.errors import MutableValueError

Item = TypeVar("Item")
Key = TypeVar("Key")
Held = TypeVar("Held")

PLAIN = frozenset({str, int, float, bool, type(None), bytes, frozenset, complex})
"""Types whose values never change and need no look inside (a frozenset's members are hashable already)."""


def _refuse_change(self: object, *_: object, **__: object) -> NoReturn:
    error = MutableValueError(
        f"this {type(self).__name__} is part of a state or an agenda and cannot be changed in place",
        hint="assign a new value, for example state.seen[x] = [*state.seen[x], y]",
    )
    error.is_change, error.value = True, self
    raise error


class FrozenList(list[Item]):
    """A list that cannot be changed: equal to the list it was made from, and hashable."""

    __slots__ = ()
    append = extend = insert = remove = pop = clear = sort = reverse = _refuse_change
    __setitem__ = __delitem__ = __iadd__ = __imul__ = _refuse_change

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(tuple(self))

    def __copy__(self) -> FrozenList[Item]:
        return self

    def __deepcopy__(self, _: object) -> FrozenList[Item]:
        return self

    def __reduce__(self) -> tuple[type[FrozenList[Item]], tuple[list[Item]]]:
        return FrozenList, (list(self),)


class FrozenSet(set[Item]):
    """A set that cannot be changed: equal to the set it was made from, and hashable."""

    __slots__ = ()
    add = discard = remove = pop = clear = update = _refuse_change
    difference_update = intersection_update = symmetric_difference_update = _refuse_change
    __ior__ = __iand__ = __isub__ = __ixor__ = _refuse_change

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self))

    def __repr__(self) -> str:  # sorted, since it is shown in explanations, and they are the same in every process
        return f"{{{', '.join(sorted(map(repr, self)))}}}" if self else "set()"

    def __copy__(self) -> FrozenSet[Item]:
        return self

    def __deepcopy__(self, _: object) -> FrozenSet[Item]:
        return self

    def __reduce__(self) -> tuple[type[FrozenSet[Item]], tuple[list[Item]]]:
        return FrozenSet, (list(self),)


class FrozenDict(dict[Key, Held]):
    """A dictionary that cannot be changed: equal to the one it was made from, and hashable."""

    __slots__ = ()
    clear = pop = popitem = setdefault = update = _refuse_change
    __setitem__ = __delitem__ = __ior__ = _refuse_change

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))

    def __copy__(self) -> FrozenDict[Key, Held]:
        return self

    def __deepcopy__(self, _: object) -> FrozenDict[Key, Held]:
        return self

    def __reduce__(self) -> tuple[type[FrozenDict[Key, Held]], tuple[dict[Key, Held]]]:
        return FrozenDict, (dict(self),)


_FROZEN = frozenset({FrozenList, FrozenDict, FrozenSet})
OPEN_KINDS: dict[type, type] = {}
"""Kinds of containers that are changed in place for a while, and what they are then (`open_containers`)."""


def are_plain(values: Iterable[object]) -> bool:
    """Say whether none of the values needs a look inside."""
    return PLAIN.issuperset(map(type, values))


def freeze(value: Any) -> Any:
    """Return a form of `value` that cannot change, or raise MutableValueError."""
    kind = type(value)
    if kind in PLAIN or kind in _FROZEN:
        return value
    try:
        return _frozen(value, kind)
    except RecursionError:
        raise MutableValueError(
            f"a state or an agenda cannot hold this {kind.__qualname__}: it contains itself, or is nested too deeply",
            hint="name the parts, and let them refer to each other by name",
        ) from None


def _frozen(value: Any, kind: type) -> Any:
    if kind in OPEN_KINDS:
        return freeze(OPEN_KINDS[kind](value))
    if kind is list:
        return FrozenList(value if are_plain(value) else [freeze(item) for item in value])
    if isinstance(value, Mapping):
        return FrozenDict({freeze(key): freeze(item) for key, item in value.items()})
    if kind is set:
        return FrozenSet(value if are_plain(value) else [freeze(item) for item in value])
    if isinstance(value, tuple):
        return _frozen_tuple(value)
    if _changes_unseen(value):
        raise MutableValueError(
            f"a state or an agenda cannot hold a {kind.__module__}.{kind.__qualname__}: it could change unnoticed",
            hint="use plain values, tuples, frozen dataclasses or enumerations",
        )
    return value


def _frozen_tuple(value: tuple[object, ...]) -> tuple[object, ...]:
    frozen = [freeze(item) for item in value]
    if all(new is old for new, old in zip(frozen, value, strict=True)):
        return value
    return type(value)(*frozen) if hasattr(value, "_fields") else tuple(frozen)


def thaw(value: Any) -> Any:
    """Return a frozen value as the plain lists, dictionaries and sets that it was made from."""
    kind = type(value)
    if kind is FrozenList:
        return list(value) if are_plain(value) else [thaw(item) for item in value]
    if kind is FrozenDict:
        return dict(value) if are_plain(value.values()) else {key: thaw(item) for key, item in value.items()}
    if kind is FrozenSet:
        return set(value)
    if isinstance(value, tuple):
        thawed = [thaw(item) for item in value]
        if any(new is not old for new, old in zip(thawed, value, strict=True)):
            return type(value)(*thawed) if hasattr(value, "_fields") else tuple(thawed)
    return value


def _changes_unseen(value: object) -> bool:
    if callable(value) and not hasattr(value, "__dict__"):
        return False
    if isinstance(value, type) or type(value).__name__ in ("function", "builtin_function_or_method"):
        return False
    kind = type(value)
    if kind.__hash__ is object.__hash__:  # identity: says nothing about the content
        return True
    if is_dataclass(kind) and not getattr(kind, "__dataclass_params__").frozen:  # noqa: B009, mypy does not know the attribute
        return True
    try:
        hash(value)
    except TypeError:
        return True
    return False


_EXACT = frozenset({str, int, bool, type(None), bytes})
"""Types of which equal values cannot be told apart."""


def is_same(a: Any, b: Any) -> bool:
    """Say whether two frozen values cannot be told apart: equal, of the same types, in the same order.

    Equality alone would take 1 for True and 0.0 for -0.0. False may also mean that it is not easily known.
    """
    if a is b:
        return True
    kind = type(a)
    if kind is not type(b) or a != b:
        return False
    if kind is float:
        return repr(a) == repr(b)
    if isinstance(a, dict):
        return is_same_mapping(a, b)
    if isinstance(a, list | tuple):
        return all(map(is_, a, b)) or all(map(is_same, a, b))
    return kind in _EXACT


def is_same_mapping(a: Mapping[Key, object], b: Mapping[Key, object]) -> bool:
    """Say the same of two mappings, whatever their own types."""
    if len(a) != len(b):
        return False
    if all(map(is_, a, b)) and all(map(is_, a.values(), b.values())):  # the quickest way to know
        return True
    return all(map(is_same, a, b)) and all(map(is_same, a.values(), b.values()))


def is_rewritten(a: object, b: object) -> bool:
    """Say whether a value was written again as it was: all of the same types and equal; sets have no order."""
    if is_same(a, b):
        return True
    return type(a) is type(b) and a == b and repr(value_to_json(a)) == repr(value_to_json(b))


def value_to_json(value: object) -> Any:
    """Return a value as JSON that `value_from_json` turns back into an equal one; tuples and sets are marked."""
    if isinstance(value, tuple):
        return {"$tuple": [value_to_json(part) for part in value]}
    if isinstance(value, set | frozenset):
        return {"$set": sorted((value_to_json(part) for part in value), key=sort_key)}  # sets have no order
    if isinstance(value, list):
        return [value_to_json(part) for part in value]
    if isinstance(value, dict):
        if all(isinstance(key, str) for key in value):
            return {key: value_to_json(part) for key, part in value.items()}
        return {"$dict": [[value_to_json(key), value_to_json(part)] for key, part in value.items()]}
    return value


def value_from_json(value: object) -> Any:
    """Return the value that `value_to_json` was given."""
    if isinstance(value, list):
        return [value_from_json(part) for part in value]
    if isinstance(value, dict):
        if value.keys() == {"$tuple"}:
            return tuple(value_from_json(part) for part in value["$tuple"])
        if value.keys() == {"$set"}:
            return FrozenSet(value_from_json(part) for part in value["$set"])
        if value.keys() == {"$dict"}:
            return {value_from_json(key): value_from_json(part) for key, part in value["$dict"]}
        return {key: value_from_json(part) for key, part in value.items()}
    return value


def sort_key(value: object) -> tuple[str, str]:
    """Return a key that orders values of any types: by kind, then by their text."""
    return (type(value).__name__, value if isinstance(value, str) else repr(value))
