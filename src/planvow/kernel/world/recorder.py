"""A state that notes what is read from it and written to it: for certificates, for checking plans, for their order.

What counts as a read and as a write stands in `recorded`. A search runs on such a state only where the order of its
steps is derived from what they read and write (`noting`).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from typing import Any

from planvow.kernel.world.accesses import EVERYTHING, Place
from planvow.kernel.world.recorded import ABSENT, Recorder, RecordingVariable, Triple
from planvow.kernel.world.state import SCALAR_SUBJECT, LooseState, State
from planvow.kernel.world.values import thaw
from planvow.kernel.world.variable import Log, Variable, entries

_attribute = object.__getattribute__


class _OutsideTables(State):
    """Notes what is read and written where there is no table to note it: a scalar, or nothing at all.

    `remove` reads, too: whether there is something to remove.
    """

    __slots__ = ()
    _recorder: Recorder

    def __setattr__(self, predicate: str, value: object) -> None:
        held = vars(self).get(predicate, ABSENT)
        self._recorder.wipe(held)
        super().__setattr__(predicate, value)
        if predicate != "__name__":
            is_whole = held is ABSENT or isinstance(held, dict) or isinstance(value, Mapping)
            self._wrote(predicate, is_whole=is_whole, is_new=held is ABSENT)

    def __delattr__(self, predicate: str) -> None:
        self._note_outside_tables(SCALAR_SUBJECT, predicate)
        self._recorder.wipe(vars(self).get(predicate))
        super().__delattr__(predicate)
        self._wrote(predicate, is_whole=True, is_new=True)

    def __getattr__(self, predicate: str) -> Any:
        if predicate[:1] != "_":
            self._recorder.asked[predicate] = None
            self._recorder.read(predicate, SCALAR_SUBJECT, ABSENT)
        return super().__getattr__(predicate)

    def __contains__(self, predicate: object) -> bool:
        if isinstance(predicate, str):
            self._recorder.asked[predicate] = None
            self._note_outside_tables(SCALAR_SUBJECT, predicate)
        return super().__contains__(predicate)

    def __repr__(self) -> str:
        self._note_everything()
        return super().__repr__()

    def triples(self) -> Iterator[tuple[str, Hashable, Any]]:
        self._note_everything()
        return super().triples()

    def get_metadata(self, subject: Hashable, predicate: str) -> Mapping[str, Any]:
        type(self).has(self, subject, predicate)
        return super().get_metadata(subject, predicate)

    def _content(self) -> dict[str, object]:
        self._note_everything()
        return super()._content()

    def has(self, subject: Hashable, predicate: str) -> bool:
        self._note_outside_tables(subject, predicate)
        return super().has(subject, predicate)

    def get_predicate(self, subject: Hashable, predicate: str) -> Any:
        self._note_outside_tables(subject, predicate)
        return super().get_predicate(subject, predicate)

    def remove(self, subject: Hashable, predicate: str) -> State:
        self._note_outside_tables(subject, predicate)
        return super().remove(subject, predicate)

    def _note_outside_tables(self, subject: Hashable, predicate: str) -> None:
        value = self._before().get(predicate, ABSENT)
        if isinstance(value, dict):
            self._recorder.named[predicate] = None
        else:
            self._recorder.read(predicate, subject, value if subject == SCALAR_SUBJECT else ABSENT)

    def _note_everything(self) -> None:
        self._recorder.scans[EVERYTHING] = self._recorder.walks[EVERYTHING] = None
        for predicate, value in vars(self).items():
            if isinstance(value, RecordingVariable):
                value._walk()
            else:
                self._note_outside_tables(SCALAR_SUBJECT, predicate)

    def _wrote(self, predicate: str, *, is_whole: bool, is_new: bool) -> None:
        recorder = self._recorder
        recorder.written[(predicate, SCALAR_SUBJECT)] = None
        if is_whole:
            recorder.wholes[predicate] = None
        if is_new:
            recorder.written[(EVERYTHING, predicate)] = recorder.births[EVERYTHING] = None

    def _before(self) -> dict[str, object]:
        """Return the predicates with the values that a read is noted with."""
        return vars(self)


class RecordingState(_OutsideTables):
    """A copy of a state that notes reads and writes between two calls of `take`."""

    __slots__ = ("_recorder",)
    _recorder: Recorder

    def __init__(self, source: State) -> None:
        object.__setattr__(self, "_recorder", Recorder())
        super().__init__(name=source.__name__)
        log: Log = []
        object.__setattr__(self, "_log", log)
        object.__setattr__(self, "_metadata", Variable(source._metadata, log))
        for predicate, value in vars(source).items():
            if isinstance(value, Variable):
                value = RecordingVariable(_unnoted(value), log, predicate, self)
            vars(self)[predicate] = value

    def __getattribute__(self, name: str) -> Any:
        value = _attribute(self, name)
        if name[:1] != "_" and name in _attribute(self, "__dict__"):
            recorder = _attribute(self, "_recorder")
            recorder.asked[name] = None
            if isinstance(value, Variable):
                recorder.named[name] = None
            else:
                recorder.read(name, SCALAR_SUBJECT, value)
        return value

    def take(self) -> tuple[tuple[Triple, ...], tuple[str, ...], tuple[Triple, ...]]:
        """Return (reads, scanned predicates, writes) since the last call, and begin anew."""
        recorder, predicates = self._recorder, vars(self)
        names = {id(value): name for name, value in predicates.items() if isinstance(value, Variable)}
        writes: dict[Place, object] = {}
        for target, key, old, _ in entries(self._log, 0, len(self._log)):
            if target is predicates:
                is_variable = isinstance(predicates.get(key), Variable)
                if not is_variable or not (old is ABSENT or isinstance(old, Variable)):
                    writes[key, SCALAR_SUBJECT] = ABSENT if is_variable else predicates.get(key, ABSENT)
            elif isinstance(target, RecordingVariable):
                writes[target.name, key] = dict.get(target, key, ABSENT) if id(target) in names else ABSENT
        for name, key in recorder.written:  # written on a loose copy as it was before: that leaves no trace in the log
            held = predicates.get(name, ABSENT)
            if isinstance(held, Variable) and key != SCALAR_SUBJECT:
                writes.setdefault((name, key), dict.get(held, key, ABSENT))
            elif not isinstance(held, Variable) and key == SCALAR_SUBJECT:
                writes.setdefault((name, key), held)
        self._log.clear()
        object.__setattr__(self, "_recorder", Recorder())
        self._recorder.asked = recorder.asked
        reads = tuple(Triple(p, s, v) for (p, s), v in recorder.reads.items())
        return reads, tuple(filter(None, recorder.scans)), tuple(Triple(p, s, v) for (p, s), v in writes.items())

    def named(self) -> list[str]:
        """Return the predicates that were asked for since recording began, whether they were there or not."""
        return list(self._recorder.asked)

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
        recorder = self._recorder
        reads, scans = dict(recorder.reads), dict(recorder.scans)
        walks, wholes = dict(recorder.walks), dict(recorder.wholes)
        if getattr(other, "_recorder", None) is not recorder:  # made from nothing: what was there before is gone
            wholes = dict.fromkeys((*vars(self), *vars(other)))
        written = dict(recorder.written)
        super().become(other)
        recorder.reads, recorder.scans, recorder.walks, recorder.wholes = reads, scans, walks, wholes
        tables = {(p, SCALAR_SUBJECT) for p, value in vars(self).items() if isinstance(value, Variable)}
        recorder.written = {place: None for place in recorder.written if place in written or place not in tables}

    def snapshot(self) -> State:
        """Return a sealed copy that notes nothing."""
        plain = State(name=self.__name__)
        object.__setattr__(plain, "_metadata", Variable(self._metadata, plain._log))
        for predicate, value in vars(self).items():
            vars(plain)[predicate] = Variable(_unnoted(value), plain._log) if isinstance(value, Variable) else value
        return plain.seal()

    def _new_variable(self, predicate: str) -> Variable:
        return RecordingVariable({}, self._log, predicate, self)


class _LooseRecordingVariable(RecordingVariable):
    """A predicate of a loose copy: what is read is noted as the state under it has it."""

    __slots__ = ("source",)

    def __init__(self, source: Any, name: str, owner: object) -> None:
        super().__init__({key: thaw(value) for key, value in source.unnoted()}, [], name, owner)
        self.source = source

    def _note(self, key: Hashable) -> None:
        self.owner._recorder.read(self.name, key, dict.get(self.source, key, ABSENT))

    def __setitem__(self, key: Hashable, value: object) -> None:
        is_new = not dict.__contains__(self, key)
        dict.__setitem__(self, key, value)
        self._wrote(key, is_new=is_new)

    def __delitem__(self, key: Hashable) -> None:
        dict.__delitem__(self, key)
        self._wrote(key)


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
            self._recorder.asked[name] = None
            if isinstance(value, dict):
                self._recorder.named[name] = None
            else:
                self._recorder.read(name, SCALAR_SUBJECT, self._source.get(name, ABSENT))
        return value

    def _before(self) -> dict[str, object]:
        return {**vars(self), **self._source}

    def draft(self, name: str | None = None) -> State:
        content = {p: dict(_unnoted(v)) if isinstance(v, Variable) else v for p, v in vars(self).items()}
        copy = _LooseRecordingState(RecordingState(State(content, name=name or self.__name__)))
        object.__setattr__(copy, "_recorder", self._recorder)
        return copy

    copy = draft

    def _loose(self, predicate: str, value: object) -> object:
        is_variable = isinstance(value, Variable)
        return _LooseRecordingVariable(value, predicate, self) if is_variable else thaw(value)


def _unnoted(variable: Variable) -> Any:
    return variable.unnoted() if isinstance(variable, RecordingVariable) else variable


__all__ = ["ABSENT", "RecordingState", "Triple"]
