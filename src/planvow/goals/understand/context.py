"""What reading an act may look at besides the act: the configuration, the chart it stands in, and the goals so far."""

from __future__ import annotations

from dataclasses import dataclass, field

from planvow.goals.grammar.chart import Chart, Node
from planvow.goals.values.config import GoalConfig
from planvow.goals.values.values import ToolGoal


@dataclass
class Context:
    """One reading of a wish while it is being understood."""

    config: GoalConfig
    chart: Chart
    sentence: str
    goals: list[ToolGoal] = field(default_factory=list)
    front: Node | None = None
    """The step, for what stands before its verb: "on the desktop, create …"."""

    joint: str = ""
    """How the step is joined to the one before it: and, then, plus."""

    def last_folder(self) -> ToolGoal | None:
        """Return the folder made last."""
        return next((g for g in reversed(self.goals) if g.action == "create" and g.object_type == "folder"), None)
