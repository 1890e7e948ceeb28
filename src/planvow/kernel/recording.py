"""Running a known plan once more with every access to the state written down.

Search itself records nothing, so it stays fast; a certificate needs to know which triples each command read and
wrote. `record_steps` executes the commands of a finished plan on a state whose dictionaries report each look and each
change. A read of something the same command wrote before is its own business and not recorded. Looking through a whole
predicate counts as reading every triple it holds at that moment.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

from planvow.kernel.domain import Command
from planvow.kernel.errors import DomainError
from planvow.kernel.state import SCALAR_SUBJECT, State
from planvow.kernel.variable import MISSING, Variable

Key = tuple[str, Any]  # predicate, subject
Accesses = dict[Key, Any]  # the value, or MISSING for "there is none"


class StepRecord(NamedTuple):
    """One command of the plan with what it read (before its own writes) and wrote."""

    node_id: int
    item: tuple[Any, ...]
    reads: Accesses
    writes: Accesses


def record_steps(state: State, commands: Iterable[tuple[int, Command, tuple[Any, ...]]]) -> Iterator[StepRecord]:
    """Execute commands, given as (node id, command, item), from a state and yield what each accessed."""
    recorder = _Recorder()
    world = RecordingState.of(state, recorder)
    for node_id, command, item in commands:
        recorder.reads, recorder.writes = {}, {}
        answer = command.model(world, *item[1:])
        if not isinstance(answer, State):
            raise DomainError(
                f"{command.name!r} refused when its plan was run again",
                hint="a command must depend on the state and its arguments alone",
            )
        if answer is not world:
            world.take_over(answer)
        yield StepRecord(node_id, item, recorder.reads, recorder.writes)


class _Recorder:
    """Collects the accesses of the current command."""

    def __init__(self) -> None:
        self.reads: Accesses = {}
        self.writes: Accesses = {}
        self._paused = False

    def read(self, predicate: str, subject: Any, value: Any) -> None:
        key = (predicate, subject)
        if not self._paused and key not in self.writes:
            self.reads.setdefault(key, value)

    def wrote(self, predicate: str, subject: Any, value: Any) -> None:
        self.writes[predicate, subject] = value

    @contextmanager
    def pause(self) -> Iterator[None]:
        """Look at the state on planvow's own behalf."""
        before, self._paused = self._paused, True
        try:
            yield
        finally:
            self._paused = before


class RecordingVariable(Variable):
    """A predicate that reports every look and every change."""

    __slots__ = ("predicate", "recorder")

    def __init__(self, content: Mapping[Any, Any], log: Any, predicate: str, recorder: _Recorder) -> None:
        Variable.__init__(self, content, log)
        self.predicate = predicate
        self.recorder = recorder

    def _saw(self, key: Any) -> None:
        self.recorder.read(self.predicate, key, dict.get(self, key, MISSING))

    def _saw_all(self) -> None:
        for key, value in dict.items(self):
            self.recorder.read(self.predicate, key, value)

    def __getitem__(self, key: Any) -> Any:
        self._saw(key)
        return dict.__getitem__(self, key)

    def get(self, key: Any, default: Any = None) -> Any:
        self._saw(key)
        return dict.get(self, key, default)

    def __contains__(self, key: object) -> bool:
        self._saw(key)
        return dict.__contains__(self, key)

    def __iter__(self) -> Any:
        self._saw_all()
        return Variable.__iter__(self)

    def __len__(self) -> int:
        self._saw_all()
        return dict.__len__(self)

    def __eq__(self, other: object) -> bool:
        self._saw_all()
        return dict.__eq__(self, other)

    __hash__ = None  # type: ignore[assignment]

    def keys(self) -> Any:
        self._saw_all()
        return Variable.keys(self)

    def values(self) -> Any:
        self._saw_all()
        return Variable.values(self)

    def items(self) -> Any:
        self._saw_all()
        return Variable.items(self)

    def __setitem__(self, key: Any, value: Any) -> None:
        Variable.__setitem__(self, key, value)
        self.recorder.wrote(self.predicate, key, dict.__getitem__(self, key))

    def __delitem__(self, key: Any) -> None:
        self._saw(key)
        with self.recorder.pause():
            Variable.__delitem__(self, key)
        self.recorder.wrote(self.predicate, key, MISSING)

    def replace(self, content: Mapping[Any, Any]) -> None:
        with self.recorder.pause():
            Variable.replace(self, content)


class RecordingState(State):
    """A state whose accesses are reported; copies of it report to the same recorder."""

    __slots__ = ("_recorder",)

    @classmethod
    def of(cls, state: State, recorder: _Recorder) -> RecordingState:
        """Copy a state into one that reports to `recorder`."""
        copy = cls.__new__(cls)
        log: list[Any] = []
        for name, value in (("__name__", state.__name__), ("_log", log), ("_recorder", recorder)):
            object.__setattr__(copy, name, value)
        object.__setattr__(copy, "_metadata", Variable(state._metadata, log))
        for predicate, value in object.__getattribute__(state, "__dict__").items():
            held = RecordingVariable(value, log, predicate, recorder) if isinstance(value, Variable) else value
            copy.__dict__[predicate] = held
        return copy

    def take_over(self, other: State) -> None:
        """Become what a command returned in place of this state."""
        with self._recorder.pause():
            self.become(other)

    def draft(self) -> State:
        return RecordingState.of(self, self._recorder)

    copy = draft

    def get_predicate(self, subject: Any, predicate: str) -> Any:
        self._note_absent_predicate(subject, predicate)
        return State.get_predicate(self, subject, predicate)

    def has(self, subject: Any, predicate: str) -> bool:
        self._note_absent_predicate(subject, predicate)
        return State.has(self, subject, predicate)

    def _note_absent_predicate(self, subject: Any, predicate: str) -> None:
        held = self.__dict__.get(predicate, MISSING)
        if held is MISSING or not isinstance(held, Variable):
            self._recorder.read(predicate, subject, held if subject == SCALAR_SUBJECT else MISSING)

    def __getattribute__(self, name: str) -> Any:
        value = object.__getattribute__(self, name)
        own = object.__getattribute__(self, "__dict__")
        if name in own and not isinstance(value, Variable):
            object.__getattribute__(self, "_recorder").read(name, SCALAR_SUBJECT, value)
        return value

    def __setattr__(self, predicate: str, value: Any) -> None:
        recorder = self._recorder
        with recorder.pause():
            State.__setattr__(self, predicate, value)
            held = self.__dict__.get(predicate)
            if type(held) is Variable:  # a predicate that is new: from now on it reports too
                self.__dict__[predicate] = RecordingVariable(held, self._log, predicate, recorder)
                for key, written in dict.items(held):
                    recorder.wrote(predicate, key, written)
        if not isinstance(held, Variable):
            recorder.wrote(predicate, SCALAR_SUBJECT, held)

    def __delattr__(self, predicate: str) -> None:
        held = self.__dict__.get(predicate, MISSING)
        State.__delattr__(self, predicate)
        if not isinstance(held, Variable):
            self._recorder.wrote(predicate, SCALAR_SUBJECT, MISSING)
