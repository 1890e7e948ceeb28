"""GTPyhop's `test_harness`: what its example files check their results with."""

from __future__ import annotations

from typing import Any

from planvow.compat.states import say


def check_result(actual: Any, expected: Any) -> None:
    """Raise unless two values are equal."""
    if actual != expected:
        raise Exception(f"Actual result differs from expected result: {actual} and not {expected}.")
    say("check_result> The result is as expected.\n")


def pause(do_pause: bool = True) -> None:
    """Wait for the Enter key, or go on."""
    if do_pause:
        input(">>> Type Enter to continue: ")
    else:
        say("Continuing.")
