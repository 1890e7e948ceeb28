"""Calling command functions, also those that change a list, a dictionary or a set inside the state.

What a state holds cannot be changed in place, since the undo log would not see it (ADR 0010). Functions written for
GTPyhop do it all the same (`state.log.append(x)`), on a copy of the whole state made for them. So when a command is
refused such a change, it is called again on a loose copy, and what it changed there is taken over through the log and
undone like everything else. Only commands that need it pay for the copy.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from planvow.kernel.errors import MutableValueError
from planvow.kernel.world.state import State
from planvow.kernel.world.variable import undo_to

Function = Callable[..., Any]


def call(function: Function, state: State, *arguments: Any) -> Any:
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
    """Return a function that calls the given one on a loose copy of the state."""

    def called(state: State, *arguments: Any) -> Any:
        answer = function(state.loosened(), *arguments)
        if not isinstance(answer, State):
            return answer
        state.become(answer)
        return state

    return called
