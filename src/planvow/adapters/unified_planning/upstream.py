"""The distribution `up-planvow`, as unified-planning asks of engines that live outside it: this module as its only one.

What unified-planning's factory needs to find it, in `DEFAULT_ENGINES` and at the end of the preference list:

    "planvow": ("up_planvow", "PlanvowEngine"),
    "planvow-replanner": ("up_planvow", "PlanvowReplanner"),
"""

from planvow.adapters.unified_planning.engine import PlanvowEngine
from planvow.adapters.unified_planning.replanner import PlanvowReplanner

__all__ = ["PlanvowEngine", "PlanvowReplanner"]
