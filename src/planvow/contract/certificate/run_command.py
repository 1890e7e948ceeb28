"""Calling a command of the domain for a check: whatever it does, there is an answer."""

from __future__ import annotations

from typing import Any

from planvow.kernel.domain.domain import Command, Refusal
from planvow.kernel.world.in_place_changes import call
from planvow.kernel.world.recorder import RecordingState
from planvow.kernel.world.state import State
from planvow.kernel.world.values import freeze


def run_command(state: RecordingState, command: Command, given: Any) -> str | None:
    """Run a command's model on a state that records; return why it does not apply, if it does not."""
    try:
        answer = call(command.model, state, *map(freeze, given))
    except Exception as error:  # a forged call may make any code fail in any way
        return f"{command.name} fails: {type(error).__name__}: {error}"
    if isinstance(answer, State):
        if answer is not state:
            state.become(answer)
        return None
    why = f": {answer.reason}" if isinstance(answer, Refusal) else ""
    return f"{command.name} does not apply{why}"
