"""One predicate of a state: a dictionary whose writes can be taken back.

Reads are the dictionary's own. A write adds five things to the log it shares with its state (dictionary, key, old, new,
birth); `undo_to` pops entries and puts the old values back. The order of the keys is part of what a domain function can
see, so it is restored too: keys get birth numbers at the first deletion, and a dictionary in which an undone
deletion has put a key at the end is sorted by them when it is next iterated. Until then it is of another class, so that
those in order (nearly all) are copied and walked through as fast as any dictionary. For a change inside a value, what
takes it back stands in place of the birth (`journal`).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from planvow.kernel.world.values import PLAIN, freeze, is_rewritten, is_same_mapping

if TYPE_CHECKING:
    from _collections_abc import dict_items, dict_keys, dict_values


class _Missing:
    def __repr__(self) -> str:
        return "MISSING"


MISSING: object = _Missing()

Log = list[Any]
ENTRY = 5
"""How many places an entry takes in the log. One flat list, because an object per write would keep Python's garbage
collector busy for as long as the plan is."""
_set = dict.__setitem__
_delete = dict.__delitem__
_get = dict.get


class Variable(dict[Hashable, Any]):
    """The subjects and objects of one predicate."""

    __slots__ = ("births", "is_plain", "log", "next_birth")

    def __init__(self, content: Mapping[Hashable, object], log: Log) -> None:
        dict.__init__(self, content)
        self.log = log
        self.births: dict[Hashable, int] | None = None
        self.is_plain: bool = not dict.__len__(self) or getattr(content, "is_plain", False)
        """No value is a list, a dictionary or a set, as far as is known."""

    def __setitem__(self, key: Hashable, value: object) -> None:
        if type(value) not in PLAIN:
            value, self.is_plain = freeze(value), False
        old = _get(self, key, MISSING)
        self.log.extend((self, key, old, value, None))
        if old is MISSING:
            if type(key) not in PLAIN:
                key = freeze(key)
            if self.births is not None:
                self.births[key] = self.next_birth
                self.next_birth += 1
        _set(self, key, value)

    def __delitem__(self, key: Hashable) -> None:
        old = dict.__getitem__(self, key)
        births = self.births
        if births is None:
            births = self.births = {k: n for n, k in enumerate(dict.keys(self))}
            self.next_birth = len(births)
        self.log.extend((self, key, old, MISSING, births[key]))
        del births[key]
        _delete(self, key)

    def pop(self, key: Hashable, default: object = MISSING) -> object:
        value = _get(self, key, default)
        if value is MISSING:
            raise KeyError(key)
        if key in self:
            del self[key]
        return value

    def popitem(self) -> tuple[Hashable, object]:
        for key in reversed(self):
            return key, self.pop(key)
        raise KeyError("the predicate has no subjects")

    def setdefault(self, key: Hashable, default: object = None) -> object:
        if key not in self:
            self[key] = default
        return self[key]

    def update(self, *others: object, **more: object) -> None:
        for key, value in dict(*others, **more).items():
            self[key] = value

    def __ior__(self, other: object) -> Variable:  # type: ignore[misc]
        self.update(other)
        return self

    def clear(self) -> None:
        for key in list(dict.keys(self)):
            del self[key]

    def replace(self, content: Mapping[Hashable, object]) -> None:
        """Make the content the same as that of another mapping, order included, writing only what differs if it can."""
        new = dict(content)
        if is_same_mapping(self, new):
            return
        for key in [key for key in dict.keys(self) if key not in new]:
            del self[key]
        order, held = list(new), iter(list(self))
        in_place = next((place for place, key in enumerate(order) if key not in held), len(order))  # walks along `held`
        for key in order[in_place:]:  # what comes after a key that has moved or is new goes to the end, one by one
            self.pop(key, None)
        for key, value in new.items():
            if not is_rewritten(_get(self, key, MISSING), frozen := freeze(value)):
                self[key] = frozen

    def _disorder(self) -> None:
        """Note that a key stands at the end which belongs further up."""
        self.__class__ = _Disordered

    def copy(self) -> dict[Hashable, object]:
        return dict(self)

    __copy__ = copy

    def __deepcopy__(self, _: object) -> dict[Hashable, object]:
        return dict(self)

    def __reduce__(self) -> tuple[type[dict[Hashable, object]], tuple[dict[Hashable, object]]]:
        return dict, (dict(self),)

    def __repr__(self) -> str:
        return repr(dict(self))


class _Disordered(Variable):
    """A predicate whose subjects must be put in order before anybody sees one after the other."""

    __slots__ = ()

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self._sorted())

    def __reversed__(self) -> Iterator[Hashable]:
        return reversed(self._sorted())

    def keys(self) -> dict_keys[Hashable, object]:
        return self._sorted().keys()

    def values(self) -> dict_values[Hashable, object]:
        return self._sorted().values()

    def items(self) -> dict_items[Hashable, object]:
        return self._sorted().items()

    def _sorted(self) -> Variable:
        births = self.births or {}
        ordered = [(key, dict.__getitem__(self, key)) for key in sorted(births, key=births.__getitem__)]
        dict.clear(self)
        dict.update(self, ordered)
        self.__class__ = Variable  # type: ignore[assignment]
        return self


def undo_to(log: Log, mark: int) -> None:
    """Take back every write after the log was `mark` long."""
    for place in range(len(log) - ENTRY, mark - 1, -ENTRY):
        target, key, old, _, birth = log[place : place + ENTRY]
        if old is MISSING:
            if type(target) is not dict and target.births is not None:  # not the predicates themselves
                del target.births[key]
            _delete(target, key)
        else:
            _set(target, key, old)
            if birth is None:
                continue
            if type(birth) is int:  # a deletion: the key goes back to its old place in the order
                target.births[key] = birth
                target._disorder()
            else:  # a change inside the value
                birth.back(target, key, old, log[place + 3])
    del log[mark:]


def entries(log: Log, start: int, end: int) -> Iterator[tuple[Any, Any, Any, Any]]:
    """Yield (dictionary, key, old, new) for the writes between two lengths of the log."""
    for place in range(start, end, ENTRY):
        target, key, old, new = log[place : place + ENTRY - 1]
        yield target, key, old, new
