"""The world as triples: predicate → subject → object, with metadata, undo and snapshots.

`state.pos["a"]` is the object of the triple (predicate pos, subject a). Reading is a plain dictionary look-up.
Every write appends what was there before to a log, so undoing costs what was changed and a step costs the same in a
state of ten triples and of a hundred thousand. Taking back a deletion puts the subject back at its old place in the
order, so a method that iterates sees the same order however much was tried in between.

One class, three phases (ADR 0010): **open** while a person builds it, a **draft** with a log while a search runs,
**sealed** once planning has returned it. Seed 001, sections 2.1 and 5.3.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from types import MethodType
from typing import Any, NoReturn

from planvow.errors import InputError, did_you_mean
from planvow.kernel.errors import DomainError, SealedStateError
from planvow.kernel.world.values import (
    PLAIN,
    are_plain,
    freeze,
    is_rewritten,
    sort_key,
    thaw,
    value_from_json,
    value_to_json,
)
from planvow.kernel.world.variable import MISSING, Log, Variable, undo_to

SCALAR_SUBJECT = ""
"""The subject of a variable that has none: `state.day = 3` is the triple ("", "day", 3)."""

METADATA_FIELDS = ("confidence", "timestamp", "source", "type", "accessibility")


class _Sealed:
    """A log that refuses every entry, and with it every change."""

    def extend(self, _: object) -> NoReturn:
        raise SealedStateError("this state is finished and cannot be changed", hint="change state.draft() instead")


_SEALED: Any = _Sealed()
_NO_LOG: Any = deque(maxlen=0)  # an open state writes without remembering


class State:
    """A world state: `State(at={"ann": "home"})` says that ann is at home, and `state.at["ann"]` reads it.

    Equality and hash are by content and ignore time stamps; hashing a state seals it.

    >>> world = State(at={"ann": "home"})
    >>> world.at["ann"]
    'home'
    """

    __slots__ = ("__dict__", "__name__", "_facts", "_journal", "_log", "_metadata")

    _copied_as: type[State] | None = None
    """The class of copies, drafts and snapshots, where it is another one than this."""

    def __init__(
        self, predicates: Mapping[str, object] | str | None = None, *, name: str = "state", **more: object
    ) -> None:
        if isinstance(predicates, str):  # GTPyhop's State("name")
            name, predicates = predicates, None
        _put(self, "__name__", name)
        _put(self, "_log", _NO_LOG)
        _put(self, "_metadata", Variable({}, _NO_LOG))
        if predicates is not None and not isinstance(predicates, Mapping):
            hint = "write State(at={'ann': 'home'}), or State({'at': {'ann': 'home'}})"
            raise InputError(
                f"a state is made from predicates by name, got {predicates!r:.60}", place="State", hint=hint
            )
        for predicate, value in {**(predicates or {}), **more}.items():
            if not isinstance(predicate, str):
                raise InputError(f"the name of a predicate is a text, got {predicate!r:.60}")
            setattr(self, predicate, value)

    @classmethod
    def from_triples(cls, triples: Iterable[Mapping[str, Any]]) -> State:
        """Build a state from what `get_triples_as_array` gives (or the same from JSON)."""
        state = cls()
        for number, triple in enumerate(triples):
            try:
                subject, predicate, value = triple["subject"], triple["predicate"], triple["object"]
            except (KeyError, TypeError):
                raise InputError(
                    "a triple is an object with subject, predicate and object", place=f"triples[{number}]"
                ) from None
            key = value_from_json(subject)
            state.set_predicate(
                tuple(key) if isinstance(key, list) else key, predicate, value_from_json(value), triple.get("metadata")
            )
        return state

    def get_predicate(self, subject: Hashable, predicate: str) -> Any:
        """Return the object of a triple, or None when there is none (`has` tells the two apart)."""
        variable = self.__dict__.get(predicate)
        if isinstance(variable, dict):
            return variable.get(subject)
        return variable if subject == SCALAR_SUBJECT else None

    def set_predicate(
        self, subject: Hashable, predicate: str, value: object, metadata: Mapping[str, object] | None = None
    ) -> State:
        """Set the object of a triple and, if given, what is known about it; return this state."""
        if subject == SCALAR_SUBJECT and not isinstance(self.__dict__.get(predicate), dict):
            setattr(self, predicate, value)
        else:
            variable = self.__dict__.get(predicate)
            if not isinstance(variable, dict):
                setattr(self, predicate, {})
                variable = self.__dict__[predicate]
            variable[subject] = value
        if metadata:
            self._metadata[predicate, subject] = (freeze(value), _checked_metadata(metadata))
        elif (predicate, subject) in self._metadata:
            del self._metadata[predicate, subject]
        return self

    def with_predicate(
        self, subject: Hashable, predicate: str, value: object, metadata: Mapping[str, object] | None = None
    ) -> State:
        """Return a sealed copy in which the triple is set; this state stays as it is."""
        return self.draft().set_predicate(subject, predicate, value, metadata).seal()

    def remove(self, subject: Hashable, predicate: str) -> State:
        """Remove a triple if it is there; return this state."""
        variable = self.__dict__.get(predicate)
        if isinstance(variable, dict):
            variable.pop(subject, None)
        elif predicate in self.__dict__ and subject == SCALAR_SUBJECT:
            delattr(self, predicate)
        return self

    def has(self, subject: Hashable, predicate: str) -> bool:
        """Say whether there is such a triple, whatever its object."""
        variable = self.__dict__.get(predicate, MISSING)
        if isinstance(variable, dict):
            return subject in variable
        return variable is not MISSING and subject == SCALAR_SUBJECT

    def get_metadata(self, subject: Hashable, predicate: str) -> Mapping[str, Any]:
        """Return what is known about a triple: confidence, timestamp, source, type, accessibility."""
        told = self._metadata.get((predicate, subject))
        # What was said about an earlier object says nothing about the one that replaced it.
        is_there = type(self).has(self, subject, predicate)
        if told is None or not is_there or told[0] != self.get_predicate(subject, predicate):
            return {}
        return told[1]  # type: ignore[no-any-return]

    def triples(self) -> Iterator[tuple[str, Hashable, Any]]:
        """Yield (predicate, subject, object) in the order in which they were first set."""
        for predicate, variable in self.__dict__.items():
            if isinstance(variable, dict):
                for subject, value in variable.items():
                    yield predicate, subject, value
            else:
                yield predicate, SCALAR_SUBJECT, variable

    def get_triples_as_array(self) -> list[dict[str, Any]]:
        """Return all triples as JSON data, sorted by subject and predicate."""
        rows = []
        for predicate, subject, value in type(self).triples(self):
            row = {"subject": value_to_json(subject), "predicate": predicate, "object": value_to_json(value)}
            metadata = self.get_metadata(subject, predicate)
            rows.append({**row, "metadata": dict(metadata)} if metadata else row)
        return sorted(rows, key=lambda row: (sort_key(row["subject"]), row["predicate"]))

    def draft(self, name: str | None = None) -> State:
        """Return an open copy of this state, under another name if one is given."""
        copy = _filled(self, _NO_LOG)
        if name is not None:
            _put(copy, "__name__", name)
        return copy

    copy = draft

    def seal(self) -> State:
        """Finish this state: from now on it is a value. Returns it."""
        self._share_log(_SEALED)
        return self

    def snapshot(self) -> State:
        """Return a sealed copy, or this state when it is sealed already."""
        return self if self._log is _SEALED else _filled(self, _SEALED)

    def journaled(self) -> State:
        """Return a copy that logs its writes, so that `undo_to(state._log, mark)` takes them back: what search
        works on."""
        return _filled(self, [])

    def loosened(self) -> LooseState:
        """Return a copy for one call of a function that changes values in place; `become` takes it over."""
        return LooseState(self)

    def become(self, other: State) -> None:
        """Take over another state's content, through the log, writing only what differs."""
        for predicate in [p for p in self.__dict__ if p not in other.__dict__]:
            delattr(self, predicate)
        for predicate, value in other.__dict__.items():
            if isinstance(value, Mapping) or not is_rewritten(self.__dict__.get(predicate, MISSING), freeze(value)):
                setattr(self, predicate, value)
        self._metadata.replace(other._metadata)

    def __setattr__(self, predicate: str, value: object) -> None:
        if predicate == "__name__":
            return _put(self, predicate, value)
        held = self.__dict__.get(predicate, MISSING)
        if held is MISSING:
            _check_name(predicate)
        if isinstance(value, Mapping):
            if not isinstance(held, Variable):
                fresh = self._new_variable(predicate)
                self._log.extend((self.__dict__, predicate, held, fresh, None))
                self.__dict__[predicate] = held = fresh
            if held is not value:
                held.replace(value)
        else:
            frozen = value if type(value) in PLAIN else freeze(value)
            if isinstance(held, Variable):
                held.clear()  # so that its triples are seen to go
            self._log.extend((self.__dict__, predicate, held, frozen, None))
            self.__dict__[predicate] = frozen
        return None

    def __delattr__(self, predicate: str) -> None:
        held = self.__dict__.get(predicate, MISSING)
        if held is MISSING:
            raise AttributeError(predicate)
        if isinstance(held, Variable):
            held.clear()
        self._log.extend((self.__dict__, predicate, held, MISSING, None))
        del self.__dict__[predicate]

    def __getattr__(self, predicate: str) -> Any:
        hint = did_you_mean(predicate, self.__dict__.keys())
        raise AttributeError(f"the state has no predicate {predicate!r}" + (f"; {hint}" if hint else ""))

    def __getitem__(self, predicate: str) -> Any:
        return getattr(self, predicate)

    def __contains__(self, predicate: object) -> bool:
        return predicate in self.__dict__

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return self is other or (self._content() == other._content() and self._known() == other._known())

    def __hash__(self) -> int:
        self.seal()  # a key must not change
        triples = type(self).triples(self)
        return hash((frozenset((p, s, v) for p, s, v in triples), frozenset(self._known().items())))

    def __deepcopy__(self, _: object) -> State:
        return self.draft()

    def __reduce__(self) -> tuple[Callable[..., State], tuple[object, ...]]:
        told = {key: (value, dict(metadata)) for key, (value, metadata) in self._metadata.items()}
        content = {p: dict(v) if isinstance(v, Variable) else v for p, v in self.__dict__.items()}
        return _rebuilt, (content, told, self.__name__, self._log is _SEALED)

    def __repr__(self) -> str:
        body = ", ".join(f"{predicate}={value!r}" for predicate, value in self.__dict__.items())
        return f"State({body})"

    def _repr_html_(self) -> str:
        from planvow.notebook.html import shown, table

        rows = [(predicate, ", ".join(map(str, subject)) if isinstance(subject, tuple) else subject, value)
                for predicate, subject, value in type(self).triples(self)]  # fmt: skip
        return shown(f"state: {len(rows):,} fact{'' if len(rows) == 1 else 's'}", table(rows))

    def _new_variable(self, predicate: str) -> Variable:
        return Variable({}, self._log)

    def _bound(self, function: Callable[..., object]) -> Callable[..., object]:
        """Return a method's function bound to this state."""
        return MethodType(function, self)

    def _content(self) -> dict[str, object]:
        return {p: v for p, v in self.__dict__.items() if v or not isinstance(v, Variable)}

    def _known(self) -> dict[tuple[str, Hashable], object]:
        """Metadata that counts for equality: all but the time stamps."""
        known = {}
        for predicate, subject in self._metadata:
            told = {k: v for k, v in self.get_metadata(subject, predicate).items() if k != "timestamp"}
            if told:
                known[predicate, subject] = freeze(told)
        return known

    def _share_log(self, log: Log) -> None:
        _put(self, "_log", log)
        self._metadata.log = log
        for variable in self.__dict__.values():
            if isinstance(variable, Variable):
                variable.log = log


_put = object.__setattr__  # past State.__setattr__, which writes predicates


class LooseState(State):
    """A state of plain lists, dictionaries and sets: nothing in it is frozen and nothing is logged."""

    __slots__ = ()

    def __init__(self, source: State) -> None:
        _put(self, "__name__", source.__name__)
        _put(self, "_log", _NO_LOG)
        _put(self, "_metadata", Variable(source._metadata, _NO_LOG))
        for predicate, value in vars(source).items():
            vars(self)[predicate] = self._loose(predicate, value)

    def draft(self, name: str | None = None) -> State:
        """Return a copy that shares nothing with this one."""
        return LooseState(State(vars(self), name=name or self.__name__))

    copy = draft

    def __setattr__(self, predicate: str, value: object) -> None:
        if predicate == "__name__":
            return _put(self, predicate, value)
        if predicate not in self.__dict__:
            _check_name(predicate)
        self.__dict__[predicate] = value
        return None

    def __delattr__(self, predicate: str) -> None:
        if self.__dict__.pop(predicate, MISSING) is MISSING:
            raise AttributeError(predicate)

    def _loose(self, predicate: str, value: object) -> object:
        if not isinstance(value, Variable):
            return thaw(value)
        return dict(value) if are_plain(value.values()) else {key: thaw(item) for key, item in value.items()}


def _filled(source: State, log: Log) -> State:
    """Copy a state onto another log. Values are frozen already, so one copy per predicate is enough."""
    copy = State.__new__(source._copied_as or State)
    _put(copy, "__name__", source.__name__)
    _put(copy, "_log", log)
    _put(copy, "_metadata", Variable(source._metadata, log))
    for predicate, value in source.__dict__.items():
        copy.__dict__[predicate] = Variable(value, log) if isinstance(value, Variable) else value
    return copy


def _rebuilt(content: dict[str, object], told: dict[Hashable, object], name: str, sealed: bool) -> State:
    state = State(content, name=name)
    state._metadata.replace(told)
    return state.seal() if sealed else state


_MAY_BE_PREDICATES = frozenset({"has", "remove", "copy", "triples"})
"""Names of State that predicates may take as well: inside, these are asked of the class and never of a state."""


def _check_name(predicate: str) -> None:
    if hasattr(State, predicate) and predicate not in _MAY_BE_PREDICATES:
        raise DomainError(f"{predicate!r} is a name of State itself", hint="choose another name for the predicate")


def _checked_metadata(metadata: Mapping[str, object]) -> Mapping[str, object]:
    if not isinstance(metadata, Mapping):
        hint = "write {'confidence': 0.8, 'source': 'ann'}"
        raise InputError(f"metadata is a dictionary, got {metadata!r:.60}", place="metadata", hint=hint)
    for key in metadata:
        if key not in METADATA_FIELDS:
            hint = did_you_mean(str(key), METADATA_FIELDS) or f"known: {', '.join(METADATA_FIELDS)}"
            raise InputError(f"a triple's metadata has no {key!r:.60}", place="metadata", hint=hint)
    confidence = metadata.get("confidence")
    is_number = isinstance(confidence, int | float) and not isinstance(confidence, bool) and 0 <= confidence <= 1
    if confidence is not None and not is_number:
        raise InputError(f"confidence is a number from 0 to 1, got {confidence!r}", place="metadata.confidence")
    return freeze(metadata)  # type: ignore[no-any-return]


__all__ = ["METADATA_FIELDS", "MISSING", "SCALAR_SUBJECT", "State", "undo_to"]
