"""What can be wrong with a unified-planning problem or plan, each with the name of the thing that is."""

from __future__ import annotations

from planvow.errors import InputError


class UpUnsupportedError(InputError):
    """A unified-planning problem has a part that planvow does not plan with.

    Durations, numeric fluents, trajectory constraints, simulated effects and the like are refused rather than
    ignored, because a plan made without them could be wrong. The message names the part; an engine answers it with the
    status UNSUPPORTED_PROBLEM.
    """

    code = "UP_UNSUPPORTED"


class UpCycleError(InputError):
    """The ordering constraints of a task network or a method of a unified-planning problem run in a circle.

    No plan can keep them. The message names the subtasks on the circle; remove one of their constraints.
    """

    code = "UP_CYCLE"


class UpModelError(InputError):
    """A unified-planning problem refers to something that it does not have.

    For example: a subtask whose action or task was never added to the problem, a constraint about the subtask of
    another network, a fluent without an initial value. The message names it.
    """

    code = "UP_MODEL"


class UpPlanError(InputError):
    """A unified-planning plan does not have the form of a plan for the problem it is held against.

    For example: a subtask that the decomposition leaves out, an action instance that is in the decomposition but not in
    the sequence of actions, a method of another task. The message says which.
    """

    code = "UP_PLAN"
