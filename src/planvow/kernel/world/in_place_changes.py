"""Calling command functions, also those that change a list, a dictionary or a set inside the state.

What a state holds cannot be changed in place, since the undo log would not see it (ADR 0010). Functions written for
GTPyhop do it all the same (`state.log.append(x)`), on a copy of the whole state made for them. So when a command is
refused such a change, it is called again on a state in which it may change that (`touched`), and what it changed there
is taken over through the log and undone like everything else. A command that is refused a change of something that is
not in the state yet, because it has just put it there, gets a copy of the whole state.
"""

from __future__ import annotations

from collections.abc import Callable

from planvow.kernel.errors import MutableValueError
from planvow.kernel.world.journal import journal_of
from planvow.kernel.world.state import State
from planvow.kernel.world.touched import TouchedState, holder
from planvow.kernel.world.variable import undo_to

Function = Callable[..., object]


def call(function: Function, state: State, *arguments: object) -> object:
    """Return a command function's answer; `state` must have a log."""
    mark = len(state._log)
    try:
        return function(state, *arguments)
    except MutableValueError as error:
        if not error.is_change:
            raise
        undo_to(state._log, mark)
    return loosely(function)(state, *arguments)


def loosely(function: Function) -> Function:
    """Return a function that lets the given one change values in place."""

    changed: dict[str, None] = {}  # the predicates in which it changes values in place

    def called(state: State, *arguments: object) -> object:
        mark = len(state._log)
        while type(state).loosened is State.loosened:  # else somebody notes what is read
            try:
                return _touching(function, TouchedState(state, changed), state, arguments, mark)
            except MutableValueError as error:
                if not error.is_change:
                    raise
                undo_to(state._log, mark)
                predicate = holder(state, error.value, changed)
                if predicate is None:
                    break
                changed[predicate] = None
        answer = function(state.loosened(), *arguments)
        if not isinstance(answer, State):
            return answer
        state.become(answer)
        return state

    return called


def _touching(
    function: Function, touched: TouchedState, state: State, arguments: tuple[object, ...], mark: int
) -> object:
    """Call a function on a state that copies what is changed; take over what it changed."""
    journal = journal_of(state)
    try:
        answer = function(touched, *arguments)
        if answer is touched:
            journal.close(state._log)
            touched.write_back()
            return state
    finally:
        journal.abandon()  # whatever is still open
    undo_to(state._log, mark)  # it failed, or answers with another state: what it wrote into this one is nothing
    if isinstance(answer, State):
        state.become(answer)
        return state
    return answer
