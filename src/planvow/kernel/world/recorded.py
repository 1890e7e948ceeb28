"""What one step is noted to have read and written, and the tables that note it.

A read is a triple or its absence; walking through a predicate (`for x in state.pos`, `len`, `==`) reads every triple of
it and, since the answer would differ with one more, counts as a **scan** of the predicate. Setting a predicate as a
whole writes all of it, whatever was there. What a step has written itself is no read.
"""

from __future__ import annotations

from collections.abc import Hashable, ItemsView, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from planvow.kernel.world.accesses import Accesses, Place
from planvow.kernel.world.state import SCALAR_SUBJECT
from planvow.kernel.world.variable import MISSING, Log, Variable

if TYPE_CHECKING:
    from _collections_abc import dict_items, dict_keys, dict_values

_attribute, _new = object.__getattribute__, tuple.__new__
ABSENT = MISSING
"""Stands for the object of a triple that is not there: read as absent, or removed."""


class Triple(NamedTuple):
    """A triple that was read or written; its object may be ABSENT."""

    predicate: str
    subject: Hashable
    object: Any


class Recorder:
    """What one step read, in order of first reading."""

    __slots__ = ("asked", "births", "named", "reads", "scans", "walks", "wholes", "written")

    def __init__(self) -> None:
        self.reads: dict[Place, object] = {}
        self.scans: dict[str, None] = {}
        self.walks: dict[str, None] = {}
        self.written: dict[Place, None] = {}
        self.wholes: dict[str, None] = {}
        self.births: dict[str, None] = {}
        self.named: dict[str, None] = {}
        """Tables that were asked for by name, which shows that they are there."""
        self.asked: dict[str, None] = {}
        """Predicates that were asked for as such, there or not; kept as long as the state is recorded."""

    def read(self, predicate: str, subject: Hashable, value: object) -> None:
        if (predicate, subject) not in self.written:
            self.reads.setdefault((predicate, subject), value)

    def scan(self, variable: RecordingVariable) -> None:
        self.scans[variable.name] = None
        for key in dict.keys(variable):
            variable._note(key)

    def wipe(self, variable: object) -> None:
        """Note that a table is about to be written as a whole: which triples go depends on which are there."""
        if isinstance(variable, RecordingVariable):
            self.wholes[variable.name] = None
            self.scan(variable)

    def accesses(self) -> Accesses:
        """Return the places and predicates that were touched."""
        scans, wholes = self.scans, self.wholes
        if not scans and not wholes:  # as nearly always
            reads, written = (*self.reads,), (*self.written,)
            for name in self.named:
                if not _is_among(name, written) and not _is_among(name, reads):
                    reads += ((name, SCALAR_SUBJECT),)
            return _new(Accesses, (reads, (), (), written, (), (*self.births,)))
        looked = [place for place in self.reads if place[0] not in scans]
        seen = {place[0] for place in (*looked, *self.written)}
        looked += [(name, SCALAR_SUBJECT) for name in self.named if name not in seen and name not in scans]
        return Accesses(
            reads=tuple(looked),
            scans=tuple(scans),
            walks=tuple(self.walks),
            writes=tuple([place for place in self.written if place[0] not in wholes]),
            wholes=tuple(wholes),
            births=tuple(self.births),
        )


class Notes(Recorder):
    """A recorder that keeps no list of a predicate that was looked at as a whole."""

    __slots__ = ()

    def scan(self, variable: RecordingVariable) -> None:
        self.scans[variable.name] = None

    def wipe(self, variable: object) -> None:
        if isinstance(variable, RecordingVariable):
            self.wholes[variable.name] = None


def _is_among(name: str, places: tuple[Place, ...]) -> bool:
    for place in places:  # noqa: SIM110  # they are few, and most often it is the first: anything else costs more
        if place[0] == name:
            return True
    return False


class RecordingVariable(Variable):
    """A predicate whose every look-up is noted."""

    __slots__ = ("is_disordered", "name", "owner")

    def __init__(self, content: Mapping[Hashable, object], log: Log, name: str, owner: Any) -> None:
        super().__init__(content, log)
        self.name, self.owner, self.is_disordered = name, owner, False

    def unnoted(self) -> ItemsView[Hashable, object]:
        """Return the subjects with their objects, in order; that is no read."""
        if self.is_disordered:
            births = self.births or {}
            for key in sorted(births, key=births.__getitem__):
                dict.__setitem__(self, key, dict.pop(self, key))
            self.is_disordered = False
        return dict.items(self)

    def _note(self, key: object) -> None:
        recorder = _attribute(self.owner, "_recorder")
        place = (self.name, key)
        if place not in recorder.written and place not in recorder.reads:
            recorder.reads[place] = dict.get(self, key, ABSENT)

    def _disorder(self) -> None:
        self.is_disordered = True

    def _scan(self) -> None:
        self.owner._recorder.scan(self)

    def _walk(self) -> None:
        self.unnoted()
        self.owner._recorder.walks[self.name] = None
        self._scan()

    def _wrote(self, key: object, *, is_new: bool = False) -> None:
        recorder = _attribute(self.owner, "_recorder")
        recorder.written[(self.name, key)] = None
        if is_new:
            recorder.births[self.name] = None

    def __getitem__(self, key: Hashable) -> object:
        self._note(key)
        return Variable.__getitem__(self, key)

    def get(self, key: Hashable, default: object = None) -> object:
        self._note(key)
        return super().get(key, default)

    def __contains__(self, key: object) -> bool:
        self._note(key)
        return super().__contains__(key)

    def pop(self, key: Hashable, default: object = MISSING) -> object:
        self._note(key)
        return super().pop(key, default)

    def clear(self) -> None:
        self.owner._recorder.wipe(self)
        super().clear()

    def __setitem__(self, key: Hashable, value: object) -> None:
        is_new = not dict.__contains__(self, key)
        Variable.__setitem__(self, key, value)
        recorder = _attribute(self.owner, "_recorder")
        recorder.written[(self.name, key)] = None
        if is_new:
            recorder.births[self.name] = None

    def __delitem__(self, key: Hashable) -> None:
        super().__delitem__(key)
        self._wrote(key)

    def __iter__(self) -> Iterator[Hashable]:
        self._walk()
        return super().__iter__()

    def __reversed__(self) -> Iterator[Hashable]:
        self._walk()
        return super().__reversed__()

    def keys(self) -> dict_keys[Hashable, object]:
        self._walk()
        return super().keys()

    def values(self) -> dict_values[Hashable, object]:
        self._walk()
        return super().values()

    def items(self) -> dict_items[Hashable, object]:
        self._walk()
        return super().items()

    def __len__(self) -> int:
        self._scan()
        return super().__len__()

    def __eq__(self, other: object) -> bool:
        self._scan()
        return super().__eq__(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None  # type: ignore[assignment]
