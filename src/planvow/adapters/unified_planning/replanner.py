"""The engine `planvow-replanner`: plan again when the world, the goals or the actions have changed.

unified-planning's own replanner wraps a planner and refuses hierarchies; this one takes them.
"""

from __future__ import annotations

from typing import Any
from warnings import warn

from unified_planning.engines.mixins import ReplannerMixin
from unified_planning.exceptions import UPUsageError

from planvow.adapters.unified_planning.described import DescribedEngine
from planvow.adapters.unified_planning.solving import Call


class PlanvowReplanner(DescribedEngine, ReplannerMixin):  # type: ignore[misc]
    """What `Replanner` gives for hierarchical problems. It works on a copy: the problem it was given stays as it is."""

    called = "planvow-replanner"

    def __init__(self, problem: Any, error_on_failed_checks: bool = True, **options: Any) -> None:
        DescribedEngine.__init__(self, options)
        ReplannerMixin.__init__(self, problem, error_on_failed_checks)
        self._removed: dict[str, None] = {}

    def _resolve(self, timeout: float | None = None, output_stream: Any = None) -> Any:
        return Call(self._problem, self._settings, timeout, output_stream, tuple(self._removed)).answer()

    def _update_initial_value(self, fluent: Any, value: Any) -> None:
        self._problem.set_initial_value(fluent, value)

    def _add_goal(self, goal: Any) -> None:
        self._problem.add_goal(goal)

    def _remove_goal(self, goal: Any) -> None:
        (wanted,) = self._problem.environment.expression_manager.auto_promote(goal)
        before = list(self._problem.goals)
        if wanted not in before:
            self._complain(f"there is no goal {wanted} to remove, only {before}")
        self._problem.clear_goals()
        for kept in before:
            if kept != wanted:
                self._problem.add_goal(kept)

    def _add_action(self, action: Any) -> None:
        """Add an action, or give back one that was removed."""
        if action.name not in self._removed:
            self._problem.add_action(action)
        elif action == self._problem.action(action.name):
            del self._removed[action.name]
        else:
            raise UPUsageError(f"the action {action.name} was removed; only the same one can take its place")

    def _remove_action(self, name: str) -> None:
        """Let an action never be done. Methods may still name it, which makes them useless, not wrong."""
        if name in self._removed or not self._problem.has_action(name):
            self._complain(f"there is no action {name} to remove")
        else:
            self._removed[name] = None

    def _complain(self, message: str) -> None:
        if self.error_on_failed_checks:
            raise UPUsageError(message)
        warn(message, stacklevel=4)
