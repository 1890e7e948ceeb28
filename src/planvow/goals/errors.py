"""What the goal planner raises. Goals it cannot plan are answers with a status, not errors."""

from __future__ import annotations

from planvow.errors import InputError


class GoalConfigError(InputError):
    """A goal configuration file cannot be used.

    Platforms, browsers, app names and protected paths are data in a TOML file. The message names the key and what was
    expected there; the page on planning goals lists every key.
    """

    code = "GOAL_CONFIG"


class MetaGoalError(InputError):
    """A group of goals contradicts itself.

    A single goal has no dependencies, independent goals have none among each other, and a goal may depend only on
    goals that stand before it. A scope must name a goal that exists and stands earlier.
    """

    code = "META_GOAL"
