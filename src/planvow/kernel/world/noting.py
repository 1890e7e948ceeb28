"""The state a search works on where the order of steps is derived from what they read and write.

It notes places between two calls of `begin_notes`. Every method call begins anew, so that what an alternative looked at
before it was refused is not taken for a read of the one that was chosen; a generator goes on with what it has seen.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from types import GeneratorType

from planvow.kernel.world.accesses import Accesses
from planvow.kernel.world.recorded import Notes
from planvow.kernel.world.recorder import RecordingState
from planvow.kernel.world.state import State


class NotingState(RecordingState):
    """A copy of a state with a log, as `State.journaled` makes it, that notes what is read and written."""

    __slots__ = ()

    def __init__(self, source: State) -> None:
        super().__init__(source)
        begin_notes(self)

    def _bound(self, function: Callable[..., object]) -> Callable[..., object]:
        return _NotedCall(function, self)


def begin_notes(state: NotingState) -> None:
    """Forget what was noted."""
    object.__setattr__(state, "_recorder", Notes())


def noted(state: State) -> Accesses:
    """Return what was noted since notes began, or what the latest method call noted. The state must note."""
    return object.__getattribute__(state, "_recorder").accesses()  # type: ignore[no-any-return]


class _NotedCall:
    """A function bound to a noting state, as a method is to its object."""

    def __init__(self, function: Callable[..., object], state: NotingState) -> None:
        self.__func__ = function
        self._state = state

    def __call__(self, *arguments: object) -> object:
        begin_notes(self._state)
        answer = self.__func__(self._state, *arguments)
        return _noting(answer, self._state) if type(answer) is GeneratorType else answer


def _noting(answers: Generator[object, None, None], state: NotingState) -> Generator[object, None, None]:
    """Yield what a generator yields, adding what it looks at to what it has looked at before."""
    notes = state._recorder
    while True:
        object.__setattr__(state, "_recorder", notes)
        try:
            answer = next(answers)
        except StopIteration:
            return
        yield answer
