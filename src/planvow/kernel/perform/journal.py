"""A blackboard whose changes can be taken back.

Every list, dict and set put on a `Blackboard`, and every `Journaled` record inside one, notes how to undo each
change in one journal. Rolling back to a mark therefore costs what was changed since, never a copy of the whole
board. Containers are adopted (copied once) when they are put on the board: change the one you read back, not the
one you gave. A copied or pickled board leaves its journal behind: its containers are plain until it is used again.

The invariant: after `rollback(mark)` the board equals what it was at `mark`, order of dict keys included.
Attributes named in `kept_on_rollback` are outside the journal: what was spent stays spent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AnySet
from typing import Any, ClassVar, SupportsIndex, TypeVar

Item = TypeVar("Item")
Key = TypeVar("Key")
Held = TypeVar("Held")

_MISSING: Any = object()
_ATOMS = frozenset({str, int, float, bool, tuple, type(None)})


class Journal:
    """How to undo, newest last."""

    def __init__(self) -> None:
        self._undo: list[Callable[[], None]] = []

    def __len__(self) -> int:
        return len(self._undo)

    def record(self, undo: Callable[[], None]) -> None:
        """Note how to take back the change that is about to happen or just happened."""
        self._undo.append(undo)

    def mark(self) -> int:
        """Return a place to roll back to."""
        return len(self._undo)

    def rollback(self, mark: int) -> int:
        """Take back everything since `mark`, newest first; return how many changes that were."""
        undone = len(self._undo) - mark
        while len(self._undo) > mark:
            self._undo.pop()()
        return undone

    def forget(self) -> None:
        """Accept all changes: nothing before this can be taken back."""
        self._undo.clear()


class Journaled:
    """An object whose attribute changes are journaled once it has been put on a blackboard."""

    kept_on_rollback: ClassVar[frozenset[str]] = frozenset()

    def join_journal(self, journal: Journal) -> None:
        """Start recording; adopts what the attributes hold. A second call with the same journal does nothing."""
        if self.__dict__.get("_journal") is journal:
            return
        self.__dict__["_journal"] = journal
        for name, value in list(self.__dict__.items()):
            if name != "_journal":
                self.__dict__[name] = adopt(value, journal)

    def __getstate__(self) -> dict[str, object]:
        return {name: value for name, value in self.__dict__.items() if name != "_journal"}

    def __setattr__(self, name: str, value: object) -> None:
        journal: Journal | None = self.__dict__.get("_journal")
        if journal is None:
            self.__dict__[name] = value
            return
        if name in self.kept_on_rollback:
            self.__dict__[name] = value
            return
        old = self.__dict__.get(name, _MISSING)

        def undo() -> None:
            if old is _MISSING:
                self.__dict__.pop(name, None)
            else:
                self.__dict__[name] = old

        journal.record(undo)
        self.__dict__[name] = adopt(value, journal)


class Blackboard(Journaled):
    """The root of a journaled world: a subclass is what operators read and change."""

    @property
    def journal(self) -> Journal:
        """The journal of this board; made on first use."""
        if "_journal" not in self.__dict__:
            self.join_journal(Journal())
        journal: Journal = self.__dict__["_journal"]
        return journal


def adopt(value: Any, journal: Journal) -> Any:
    """Return the journaled form of a plain container or record; anything else as it is."""
    kind = type(value)
    if kind in _ATOMS:
        return value
    if isinstance(value, Journaled):
        value.join_journal(journal)
        return value
    if kind is list:
        return JournaledList(value, journal)
    if kind is dict:
        return JournaledDict(value, journal)
    if kind is set:
        return JournaledSet(value, journal)
    return value


class JournaledList(list[Item]):
    """A list that can take back its changes. Appending costs and undoes in constant time."""

    def __init__(self, items: Iterable[Item], journal: Journal) -> None:
        super().__init__(adopt(item, journal) for item in items)
        self._journal = journal

    def __reduce_ex__(self, protocol: SupportsIndex) -> tuple[object, ...]:
        return list, (), None, iter(self)

    def append(self, item: Item) -> None:
        super().append(adopt(item, self._journal))
        self._journal.record(self._drop_last)

    def _drop_last(self) -> None:
        super().pop()

    def extend(self, items: Iterable[Item]) -> None:
        start = len(self)
        super().extend([adopt(item, self._journal) for item in items])
        self._journal.record(lambda: list.__delitem__(self, slice(start, None)))

    def insert(self, index: SupportsIndex, item: Item) -> None:
        at = slice(index, None).indices(len(self))[0]  # where Python puts it, negatives and overshoot included
        super().insert(at, adopt(item, self._journal))
        self._journal.record(lambda: list.__delitem__(self, at))

    def pop(self, index: SupportsIndex = -1) -> Item:
        at = range(len(self))[index] if len(self) else 0
        item = super().pop(index)
        self._journal.record(lambda: list.insert(self, at, item))
        return item

    def remove(self, item: Item) -> None:
        self.pop(self.index(item))

    def __setitem__(self, index: Any, value: Any) -> None:
        if isinstance(index, slice):
            self._save_all()
            super().__setitem__(index, [adopt(item, self._journal) for item in value])
            return
        at = range(len(self))[index]
        old = self[at]
        super().__setitem__(at, adopt(value, self._journal))
        self._journal.record(lambda: list.__setitem__(self, at, old))

    def __delitem__(self, index: SupportsIndex | slice) -> None:
        if isinstance(index, slice):
            self._save_all()
            super().__delitem__(index)
            return
        self.pop(index)

    def __iadd__(self, items: Iterable[Item]) -> JournaledList[Item]:  # type: ignore[misc, override]
        self.extend(items)
        return self

    def __imul__(self, times: SupportsIndex) -> JournaledList[Item]:
        self._save_all()
        super().__imul__(times)
        return self

    def clear(self) -> None:
        self._save_all()
        super().clear()

    def sort(self, **options: Any) -> None:
        self._save_all()
        super().sort(**options)

    def reverse(self) -> None:
        super().reverse()
        self._journal.record(lambda: list.reverse(self))

    def _save_all(self) -> None:
        """For changes that touch the whole list anyway."""
        saved = list(self)
        self._journal.record(lambda: list.__setitem__(self, slice(None), saved))


class JournaledDict(dict[Key, Held]):
    """A dict that can take back its changes, the order of its keys included."""

    def __init__(self, items: dict[Key, Held], journal: Journal) -> None:
        super().__init__((key, adopt(value, journal)) for key, value in items.items())
        self._journal = journal

    def __reduce_ex__(self, protocol: SupportsIndex) -> tuple[object, ...]:
        return dict, (), None, None, iter(self.items())

    def __setitem__(self, key: Key, value: Held) -> None:
        old = self.get(key, _MISSING)
        super().__setitem__(key, adopt(value, self._journal))
        if old is _MISSING:
            self._journal.record(lambda: dict.__delitem__(self, key))
        else:
            self._journal.record(lambda: dict.__setitem__(self, key, old))

    def __delitem__(self, key: Key) -> None:
        if key not in self:
            raise KeyError(key)
        tail: list[tuple[Key, Held]] = []  # the key and those after it: what must move to restore the order
        for name in reversed(self):
            tail.append((name, self[name]))
            if name == key:
                break
        super().__delitem__(key)

        def undo() -> None:
            for name, value in reversed(tail):
                dict.pop(self, name, None)
                dict.__setitem__(self, name, value)

        self._journal.record(undo)

    def pop(self, key: Key, default: Any = _MISSING) -> Any:
        if key not in self:
            if default is _MISSING:
                raise KeyError(key)
            return default
        value = self[key]
        del self[key]
        return value

    def popitem(self) -> tuple[Key, Held]:
        key, value = super().popitem()
        self._journal.record(lambda: dict.__setitem__(self, key, value))
        return key, value

    def setdefault(self, key: Key, default: Any = None) -> Any:
        if key not in self:
            self[key] = default
        return self[key]

    def update(self, *others: Any, **items: Any) -> None:
        for key, value in dict(*others, **items).items():
            self[key] = value

    def __ior__(self, other: Mapping[Key, Held]) -> JournaledDict[Key, Held]:  # type: ignore[misc, override]
        self.update(other)
        return self

    def clear(self) -> None:
        saved = dict(self)
        super().clear()
        self._journal.record(lambda: dict.update(self, saved))


class JournaledSet(set[Item]):
    """A set that can take back its changes."""

    def __init__(self, items: Iterable[Item], journal: Journal) -> None:
        super().__init__(items)
        self._journal = journal

    def __reduce_ex__(self, protocol: SupportsIndex) -> tuple[object, ...]:
        return set, (list(self),)

    def add(self, item: Item) -> None:
        if item not in self:
            super().add(item)
            self._journal.record(lambda: set.discard(self, item))

    def discard(self, item: Any) -> None:
        if item in self:
            super().discard(item)
            self._journal.record(lambda: set.add(self, item))

    def remove(self, item: Item) -> None:
        if item not in self:
            raise KeyError(item)
        self.discard(item)

    def pop(self) -> Item:
        item = super().pop()
        self._journal.record(lambda: set.add(self, item))
        return item

    def clear(self) -> None:
        for item in list(self):
            self.discard(item)

    def update(self, *others: Iterable[Item]) -> None:
        for other in others:
            for item in list(other):
                self.add(item)

    def __ior__(self, other: AnySet[Item]) -> JournaledSet[Item]:  # type: ignore[misc, override]
        self.update(other)
        return self

    def difference_update(self, *others: Iterable[object]) -> None:
        for other in others:
            for item in list(other):
                self.discard(item)

    def __isub__(self, other: AnySet[object]) -> JournaledSet[Item]:
        self.difference_update(other)
        return self

    def intersection_update(self, *others: Iterable[object]) -> None:
        kept = set(self).intersection(*others)
        for item in list(self):
            if item not in kept:
                self.discard(item)

    def __iand__(self, other: AnySet[object]) -> JournaledSet[Item]:
        self.intersection_update(other)
        return self

    def symmetric_difference_update(self, other: Iterable[Item]) -> None:
        for item in list(set(other)):
            if item in self:
                self.discard(item)
            else:
                self.add(item)

    def __ixor__(self, other: AnySet[Item]) -> JournaledSet[Item]:  # type: ignore[misc, override]
        self.symmetric_difference_update(other)
        return self
