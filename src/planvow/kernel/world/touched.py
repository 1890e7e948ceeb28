"""A state for one call of a function that changes lists, dictionaries and sets in place: it opens what is changed.

Which predicates a function changes inside is learned from its first calls: a frozen value refuses the change, and the
predicate that holds it is among those to thaw from then on. Everything else is the journaled state's own: what is
written there is logged, and undone, like every write. In a table that is to be thawed, values are thawed one by one as
the function looks at them: small ones are copied, large ones opened (`journal`). When it has returned, what it changed
is written back through the log.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Any

from planvow.kernel.world.journal import Journal, journal_of
from planvow.kernel.world.state import LooseState, State
from planvow.kernel.world.values import FrozenDict, FrozenList, freeze, is_rewritten
from planvow.kernel.world.variable import MISSING, Variable

if TYPE_CHECKING:
    from _collections_abc import dict_items, dict_keys, dict_values

_put = object.__setattr__


class TouchedState(LooseState):
    """What the function is given."""

    __slots__ = ("_source",)

    def __init__(self, source: State, thawed: Collection[str]) -> None:
        content = dict(vars(source))
        journal = journal_of(source)
        for predicate in thawed:
            if predicate not in content:
                continue
            if isinstance(content[predicate], Variable):
                content[predicate] = _Table(content[predicate], journal)
            else:
                content[predicate] = None  # the journal counts who holds it
                content[predicate] = journal.opened(vars(source), predicate)
        _put(self, "__dict__", content)
        _put(self, "__name__", source.__name__)
        _put(self, "_log", source._log)
        _put(self, "_metadata", source._metadata)
        _put(self, "_source", source)

    def write_back(self) -> None:
        """Write what was changed into the state that this one was made from."""
        source, content = self._source, vars(self)
        for predicate in [p for p in vars(source) if p not in content]:
            delattr(source, predicate)
        for predicate, value in content.items():
            held = vars(source).get(predicate, MISSING)
            if value is held:
                continue
            if type(value) is _Table and value.source is held:
                value.write_back()
            elif isinstance(value, dict) or not is_rewritten(held, freeze(value)):
                setattr(source, predicate, value)


def holder(state: State, value: object, known: Collection[str]) -> str | None:
    """Return a predicate that is not known and holds a value, at whatever depth; None if there is none."""
    for predicate, held in vars(state).items():
        if predicate in known:
            continue
        values = held.values() if isinstance(held, Variable) and not held.is_plain else (held,)
        if any(_is_in(value, outer) for outer in values):
            return predicate
    return None


def _is_in(value: object, outer: Any) -> bool:
    if value is outer:
        return True
    inner = outer.values() if type(outer) is FrozenDict else outer if type(outer) in (FrozenList, tuple) else ()
    return any(_is_in(value, part) for part in inner)


class _Table(dict[object, object]):
    """A predicate some of whose values can be changed inside: they are thawed one by one."""

    __slots__ = ("is_full", "journal", "source")

    def __init__(self, source: Variable, journal: Journal) -> None:
        super().__init__()
        self.source, self.journal = source, journal
        self.is_full = False

    def __contains__(self, key: object) -> bool:
        return super().__contains__(key) or (not self.is_full and key in self.source)

    def __missing__(self, key: object) -> Any:
        if self.is_full:
            raise KeyError(key)
        value = self.journal.opened(self.source, key)
        dict.__setitem__(self, key, value)
        return value

    def fill(self) -> None:
        """Thaw what has not been looked at, in the order of the source; what is new comes after that."""
        if self.is_full:
            return
        self.is_full = True
        seen = dict(dict.items(self))
        dict.clear(self)
        opened, source = self.journal.opened, self.source
        dict.update(self, {key: seen[key] if key in seen else opened(source, key) for key in list(source)})
        dict.update(self, seen)

    def __iter__(self) -> Iterator[object]:
        self.fill()
        return super().__iter__()

    def __reversed__(self) -> Iterator[object]:
        self.fill()
        return super().__reversed__()

    def __len__(self) -> int:
        self.fill()
        return super().__len__()

    def __eq__(self, other: object) -> bool:
        self.fill()
        return super().__eq__(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None

    def __repr__(self) -> str:
        self.fill()
        return super().__repr__()

    def __or__(self, other: Any) -> Any:
        self.fill()
        return dict(super().items()) | other

    def __ror__(self, other: Any) -> Any:
        self.fill()
        return other | dict(super().items())

    def __delitem__(self, key: Any) -> None:
        self.fill()
        super().__delitem__(key)

    def keys(self) -> dict_keys[object, object]:
        self.fill()
        return super().keys()

    def values(self) -> dict_values[object, object]:
        self.fill()
        return super().values()

    def items(self) -> dict_items[object, object]:
        self.fill()
        return super().items()

    def copy(self) -> dict[object, object]:
        self.fill()
        return dict(super().items())

    def pop(self, key: object, *default: object) -> object:
        self.fill()
        return super().pop(key, *default)

    def popitem(self) -> tuple[object, object]:
        self.fill()
        return super().popitem()

    def clear(self) -> None:
        self.fill()
        super().clear()

    def setdefault(self, key: object, default: object = None) -> object:
        if key not in self:
            self[key] = default
        return self[key]

    def get(self, key: object, default: object = None) -> object:
        return self[key] if key in self else default  # noqa: SIM401 - this is `get`

    def write_back(self) -> None:
        if self.is_full:
            self.source.replace(dict(dict.items(self)))
            return
        source = self.source
        for key, value in dict.items(self):
            if not is_rewritten(dict.get(source, key, MISSING), frozen := freeze(value)):
                source[key] = frozen
