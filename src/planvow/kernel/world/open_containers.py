"""Lists, dictionaries and sets of a state while a command may change them: each change is noted.

They are frozen containers whose class was changed for the time of a call (`journal`). What a change that is not worth
noting step by step (a sort, a slice) would undo is saved as a whole.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable
from collections.abc import Set as AbstractSet
from contextlib import suppress
from typing import Any, SupportsIndex

from planvow.kernel.world.values import OPEN_KINDS, FrozenDict, FrozenList, FrozenSet
from planvow.kernel.world.variable import MISSING

Change = tuple[object, object, object, bool]
"""A key (an index, a member), what was there, what is there now, and whether what follows moves (in lists)."""


class Notes:
    """What a call has changed in one container so far."""

    __slots__ = ("changes", "saved")

    def __init__(self) -> None:
        self.changes: list[Change] = []
        self.saved: list[Any] | None = None
        """Its content before a change that is not noted step by step, since when none is; None while there was none."""


class OpenSet(set[object]):
    """A set of a state while a command may change it."""

    __slots__ = ()

    def add(self, element: object) -> None:
        if element not in self:
            _note(self, element, MISSING, element)
            set.add(self, element)

    def discard(self, element: object) -> None:
        if element in self:
            self.remove(element)

    def remove(self, element: object) -> None:
        held = _held(self, element)
        if held is MISSING:
            _save(self)
        set.remove(self, element)
        _note(self, held, held, MISSING)

    def pop(self) -> object:
        element = set.pop(self)
        _note(self, element, element, MISSING)
        return element

    def clear(self) -> None:
        _save(self)
        set.clear(self)

    def update(self, *others: Iterable[object]) -> None:
        for other in others:
            for element in list(other) if other is self else other:
                self.add(element)

    def difference_update(self, *others: Iterable[object]) -> None:
        for other in others:
            for element in list(other) if other is self else other:
                self.discard(element)

    def intersection_update(self, *others: Iterable[object]) -> None:
        _save(self)
        set.intersection_update(self, *others)

    def symmetric_difference_update(self, other: Iterable[object]) -> None:
        for element in set(other):
            (self.discard if element in self else self.add)(element)

    def __ior__(self, other: object) -> Any:
        return _by(self, self.update, other)

    def __isub__(self, other: object) -> Any:
        return _by(self, self.difference_update, other)

    def __iand__(self, other: object) -> Any:
        return _by(self, self.intersection_update, other)

    def __ixor__(self, other: object) -> Any:
        return _by(self, self.symmetric_difference_update, other)

    def __repr__(self) -> str:
        return repr(set(self))

    def copy(self) -> set[object]:
        return set(self)

    __copy__ = copy

    def __deepcopy__(self, _: object) -> set[object]:
        return set(self)

    def __reduce__(self) -> tuple[type[set[object]], tuple[list[object]]]:
        return set, (list(self),)


class OpenList(list[object]):
    """A list of a state while a command may change it."""

    __slots__ = ()

    def append(self, element: object) -> None:
        NOTES[id(self)].changes.append((len(self), MISSING, element, True))
        list.append(self, element)

    def extend(self, elements: Iterable[object]) -> None:
        for element in list(elements) if isinstance(elements, list | tuple) else elements:
            self.append(element)

    def insert(self, index: SupportsIndex, element: object) -> None:
        place = range(*slice(index, None).indices(len(self))).start
        NOTES[id(self)].changes.append((place, MISSING, element, True))
        list.insert(self, place, element)

    def pop(self, index: SupportsIndex = -1) -> object:
        length = len(self)
        element = list.pop(self, index)
        NOTES[id(self)].changes.append((range(length)[index], element, MISSING, True))
        return element

    def remove(self, element: object) -> None:
        self.pop(self.index(element))

    def __setitem__(self, index: Any, element: object) -> None:
        if isinstance(index, slice):
            _save(self)
        else:
            place = range(len(self))[index]
            NOTES[id(self)].changes.append((place, self[place], element, False))
        list.__setitem__(self, index, element)

    def __delitem__(self, index: SupportsIndex | slice) -> None:
        if isinstance(index, slice):
            _save(self)
            list.__delitem__(self, index)
        else:
            self.pop(index)

    def __iadd__(self, other: Iterable[object]) -> OpenList:  # type: ignore[misc]
        self.extend(other)
        return self

    def __imul__(self, times: SupportsIndex) -> OpenList:
        _save(self)
        list.__imul__(self, times)
        return self

    def clear(self) -> None:
        _save(self)
        list.clear(self)

    def sort(self, **how: Any) -> None:
        _save(self)
        list.sort(self, **how)

    def reverse(self) -> None:
        _save(self)
        list.reverse(self)

    def __copy__(self) -> list[object]:
        return list(self)

    def __deepcopy__(self, _: object) -> list[object]:
        return list(self)

    def __reduce__(self) -> tuple[type[list[object]], tuple[tuple[object, ...]]]:
        return list, (tuple(self),)


class OpenDict(dict[object, object]):
    """A dictionary inside a state while a command may change it."""

    __slots__ = ()

    def __setitem__(self, key: Hashable, value: object) -> None:
        _note(self, key, dict.get(self, key, MISSING), value)
        dict.__setitem__(self, key, value)

    def __delitem__(self, key: Hashable) -> None:
        old = self[key]
        last = next(reversed(self))
        if key != last:  # undone, it would stand at the end
            _save(self)
        dict.__delitem__(self, key)
        _note(self, last, old, MISSING)

    def pop(self, key: Hashable, *default: object) -> object:
        if key not in self:
            return dict.pop(self, key, *default)
        value = self[key]
        del self[key]
        return value

    def popitem(self) -> tuple[object, object]:
        key, value = dict.popitem(self)
        _note(self, key, value, MISSING)
        return key, value

    def setdefault(self, key: Hashable, default: object = None) -> object:
        if key not in self:
            self[key] = default
        return self[key]

    def update(self, *others: Any, **more: Any) -> None:
        if len(others) > 1:
            dict.update(self, *others)  # which says that these are too many
        for other in (*others, more):
            for key, value in dict(other).items() if hasattr(other, "keys") else other:
                self[key] = value

    def __ior__(self, other: object) -> OpenDict:  # type: ignore[misc]
        self.update(other)
        return self

    def clear(self) -> None:
        _save(self)
        dict.clear(self)

    def __copy__(self) -> dict[object, object]:
        return dict(self)

    def __deepcopy__(self, _: object) -> dict[object, object]:
        return dict(self)

    def __reduce__(self) -> tuple[type[dict[object, object]], tuple[list[object]]]:
        return dict, (list(self.items()),)


OPEN: dict[type, type] = {FrozenSet: OpenSet, FrozenList: OpenList, FrozenDict: OpenDict}
OPEN_KINDS.update({OpenSet: set, OpenList: list, OpenDict: dict})


NOTES: dict[int, Notes] = {}
"""What was changed in the containers that are open, by their addresses."""


def _note(container: object, key: object, old: object, new: object) -> None:
    NOTES[id(container)].changes.append((key, old, new, False))


def _save(container: Collection[object]) -> None:
    """Keep the content as it is now, with the changes up to here; later ones do not matter for going back."""
    notes = NOTES[id(container)]
    if notes.saved is None:
        notes.saved = list(container.items()) if isinstance(container, dict) else list(container)
        notes.changes = _Deaf(notes.changes)


class _Probe:
    """Something that equals what an element equals, and keeps it."""

    __slots__ = ("element", "held", "number")

    def __init__(self, element: Any) -> None:
        self.element, self.held = element, MISSING
        self.number = hash(frozenset(element) if isinstance(element, set) else element)

    def __hash__(self) -> int:
        return self.number

    def __eq__(self, other: object) -> bool:
        if other is self.element or other == self.element:
            self.held = other
            return True
        return False


def _held(container: set[object], element: object) -> object:
    """Return the very object in a set that equals an element (True is not 1); MISSING if it does not show itself."""
    probe = _Probe(element)
    with suppress(Exception):  # a comparison of somebody's own that knows its own kind only
        set.__contains__(container, probe)
    return probe.held


def _by(container: object, change: Callable[[AbstractSet[object]], None], other: object) -> Any:
    if not isinstance(other, set | frozenset):
        return NotImplemented
    change(other)
    return container


class _Deaf(list[Change]):
    """Changes to which none is added."""

    __slots__ = ()

    def append(self, _: Change) -> None:
        return
