"""A state that notes what is read from it and written to it: for certificates and for checking plans again.

Search never runs on it. A read is a triple or its absence; walking through a predicate (`for x in state.pos`,
`len`, `==`) reads every triple of it and, since the answer would differ with one more, counts as a **scan** of the
predicate. What a step has written itself is no read.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from planvow.kernel.world.state import SCALAR_SUBJECT, LooseState, State
from planvow.kernel.world.values import thaw
from planvow.kernel.world.variable import MISSING, Variable, entries

ABSENT = MISSING
"""Stands for the object of a triple that is not there: read as absent, or removed."""


class Triple(NamedTuple):
    """A triple that was read or written; its object may be ABSENT."""

    predicate: str
    subject: Any
    object: Any


class Recorder:
    """What one step read, in order of first reading."""

    def __init__(self) -> None:
        self.reads: dict[tuple[str, Any], Any] = {}
        self.scans: dict[str, None] = {}
        self.written: dict[tuple[str, Any], None] = {}
        self.named: dict[str, None] = {}
        """Predicates that were asked for as such, there or not; kept as long as the state is recorded."""

    def read(self, predicate: str, subject: Any, value: Any) -> None:
        if (predicate, subject) not in self.written:
            self.reads.setdefault((predicate, subject), value)


class _RecordingVariable(Variable):
    """A predicate whose every look-up is noted."""

    __slots__ = ("name", "owner")

    def __init__(self, content: Any, log: Any, name: str, owner: RecordingState) -> None:
        super().__init__(content, log)
        self.name, self.owner = name, owner

    def _note(self, key: Any) -> None:
        self.owner._recorder.read(self.name, key, dict.get(self, key, ABSENT))

    def _disorder(self) -> None:
        births = self.births or {}
        for key in sorted(births, key=births.__getitem__):
            dict.__setitem__(self, key, dict.pop(self, key))

    def _scan(self) -> None:
        self.owner._recorder.scans[self.name] = None
        for key in dict.keys(self):
            self._note(key)

    def __getitem__(self, key: Any) -> Any:
        self._note(key)
        return super().__getitem__(key)

    def get(self, key: Any, default: Any = None) -> Any:
        self._note(key)
        return super().get(key, default)

    def __contains__(self, key: object) -> bool:
        self._note(key)
        return super().__contains__(key)

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__(key, value)
        self.owner._recorder.written[(self.name, key)] = None

    def __delitem__(self, key: Any) -> None:
        super().__delitem__(key)
        self.owner._recorder.written[(self.name, key)] = None

    def clear(self) -> None:
        self._scan()  # what is taken away depends on what is there
        super().clear()

    def __iter__(self) -> Any:
        self._scan()
        return super().__iter__()

    def keys(self) -> Any:
        self._scan()
        return super().keys()

    def values(self) -> Any:
        self._scan()
        return super().values()

    def items(self) -> Any:
        self._scan()
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


class _OutsideTables(State):
    """Notes what is read and written where there is no table to note it: a scalar, or nothing at all.

    `remove` reads, too: whether there is something to remove.
    """

    __slots__ = ()
    _recorder: Recorder

    def __setattr__(self, predicate: str, value: Any) -> None:
        self._look_through(predicate)
        super().__setattr__(predicate, value)
        self._recorder.written[(predicate, SCALAR_SUBJECT)] = None

    def __delattr__(self, predicate: str) -> None:
        self._look_through(predicate)
        super().__delattr__(predicate)
        self._recorder.written[(predicate, SCALAR_SUBJECT)] = None

    def _look_through(self, predicate: str) -> None:
        """What goes when a whole predicate is replaced or removed depends on what is there."""
        held = vars(self).get(predicate)
        if isinstance(held, _RecordingVariable):
            held._scan()

    def __contains__(self, predicate: object) -> bool:
        self._recorder.named[str(predicate)] = None
        return super().__contains__(predicate)

    def __getattr__(self, predicate: str) -> Any:
        if predicate[:1] != "_":
            self._recorder.named[predicate] = None
        return super().__getattr__(predicate)

    def has(self, subject: Any, predicate: str) -> bool:
        self._note_outside_tables(subject, predicate)
        return super().has(subject, predicate)

    def get_predicate(self, subject: Any, predicate: str) -> Any:
        self._note_outside_tables(subject, predicate)
        return super().get_predicate(subject, predicate)

    def remove(self, subject: Any, predicate: str) -> State:
        self._note_outside_tables(subject, predicate)
        return super().remove(subject, predicate)

    def _note_outside_tables(self, subject: Any, predicate: str) -> None:
        value = self._before().get(predicate, ABSENT)
        if not isinstance(value, dict):
            self._recorder.read(predicate, subject, value if subject == SCALAR_SUBJECT else ABSENT)

    def _before(self) -> dict[str, Any]:
        """Return the predicates with the values that a read is noted with."""
        return vars(self)


class RecordingState(_OutsideTables):
    """A copy of a state that notes reads and writes between two calls of `take`."""

    __slots__ = ("_recorder",)
    _recorder: Recorder

    def __init__(self, source: State) -> None:
        object.__setattr__(self, "_recorder", Recorder())
        super().__init__(name=source.__name__)
        log: Any = []
        object.__setattr__(self, "_log", log)
        object.__setattr__(self, "_metadata", Variable(source._metadata, log))
        for predicate, value in vars(source).items():
            if isinstance(value, Variable):
                content: Any = dict.items(value) if isinstance(value, _RecordingVariable) else value  # not looking
                value = _RecordingVariable(content, log, predicate, self)
            vars(self)[predicate] = value

    def __getattribute__(self, name: str) -> Any:
        value = super().__getattribute__(name)
        if name[:1] != "_" and name in super().__getattribute__("__dict__"):
            if not isinstance(value, Variable):
                self._recorder.read(name, SCALAR_SUBJECT, value)
            self._recorder.named[name] = None
        return value

    def take(self) -> tuple[tuple[Triple, ...], tuple[str, ...], tuple[Triple, ...]]:
        """Return (reads, scanned predicates, writes) since the last call, and begin anew."""
        recorder, predicates = self._recorder, vars(self)
        names = {id(value): name for name, value in predicates.items() if isinstance(value, Variable)}
        writes: dict[tuple[str, Any], Any] = {}
        for target, key, old, _ in entries(self._log, 0, len(self._log)):
            if target is predicates:
                is_variable = isinstance(predicates.get(key), Variable)
                if not is_variable or not (old is ABSENT or isinstance(old, Variable)):
                    writes[key, SCALAR_SUBJECT] = ABSENT if is_variable else predicates.get(key, ABSENT)
            elif isinstance(target, _RecordingVariable):
                writes[target.name, key] = dict.get(target, key, ABSENT) if id(target) in names else ABSENT
        for name, key in recorder.written:  # written on a loose copy as it was before: that leaves no trace in the log
            held = predicates.get(name, ABSENT)
            if isinstance(held, Variable) and key != SCALAR_SUBJECT:
                writes.setdefault((name, key), dict.get(held, key, ABSENT))
            elif not isinstance(held, Variable) and key == SCALAR_SUBJECT:
                writes.setdefault((name, key), held)
        self._log.clear()
        object.__setattr__(self, "_recorder", Recorder())
        self._recorder.named = recorder.named
        reads = tuple(Triple(p, s, v) for (p, s), v in recorder.reads.items())
        return reads, tuple(recorder.scans), tuple(Triple(p, s, v) for (p, s), v in writes.items())

    def named(self) -> list[str]:
        """Return the predicates that were asked for since recording began, whether they were there or not, sorted."""
        return sorted(self._recorder.named)

    def draft(self, name: str | None = None) -> State:
        """Return a copy that notes its reads here: a command may answer with a changed copy."""
        copy = RecordingState(self)
        object.__setattr__(copy, "_recorder", self._recorder)
        return copy

    copy = draft

    def loosened(self) -> LooseState:
        return _LooseRecordingState(self)

    def become(self, other: State) -> None:
        """Take over what a command returned; comparing the two is not a read of the command's."""
        reads, scans = dict(self._recorder.reads), dict(self._recorder.scans)
        super().become(other)
        self._recorder.reads, self._recorder.scans = reads, scans

    def _new_variable(self, predicate: str) -> Variable:
        return _RecordingVariable({}, self._log, predicate, self)


class _LooseRecordingVariable(_RecordingVariable):
    """A predicate of a loose copy: what is read is noted as the state under it has it."""

    __slots__ = ("source",)

    def __init__(self, source: Any, name: str, owner: Any) -> None:
        super().__init__({key: thaw(value) for key, value in dict.items(source)}, [], name, owner)
        self.source = source

    def _note(self, key: Any) -> None:
        self.owner._recorder.read(self.name, key, dict.get(self.source, key, ABSENT))

    def __setitem__(self, key: Any, value: Any) -> None:
        dict.__setitem__(self, key, value)
        self.owner._recorder.written[(self.name, key)] = None

    def __delitem__(self, key: Any) -> None:
        dict.__delitem__(self, key)
        self.owner._recorder.written[(self.name, key)] = None


class _LooseRecordingState(_OutsideTables, LooseState):
    """A loose copy of a recording state, whose reads it notes there."""

    __slots__ = ("_recorder", "_source")

    def __init__(self, source: RecordingState) -> None:
        object.__setattr__(self, "_recorder", source._recorder)
        object.__setattr__(self, "_source", dict(vars(source)))
        super().__init__(source)

    def __getattribute__(self, name: str) -> Any:
        value = super().__getattribute__(name)
        if name[:1] != "_" and name in super().__getattribute__("__dict__"):
            if not isinstance(value, dict):
                self._recorder.read(name, SCALAR_SUBJECT, self._source.get(name, ABSENT))
            self._recorder.named[name] = None
        return value

    def _before(self) -> dict[str, Any]:
        return {**vars(self), **self._source}

    def draft(self, name: str | None = None) -> State:
        recorder, unnoted = self._recorder, Recorder()
        object.__setattr__(self, "_recorder", unnoted)  # copying is not looking
        copy = _LooseRecordingState(RecordingState(State(vars(self), name=name or self.__name__)))
        for state in (self, copy):
            object.__setattr__(state, "_recorder", recorder)
        return copy

    copy = draft

    def _loose(self, predicate: str, value: Any) -> Any:
        is_variable = isinstance(value, Variable)
        return _LooseRecordingVariable(value, predicate, self) if is_variable else thaw(value)
