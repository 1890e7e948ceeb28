"""What a repaired plan continues, as certificates hold it: the moment of the repair and what was promised before."""

from __future__ import annotations

from typing import Any

from planvow.kernel.answer.result import Result
from planvow.kernel.repair.time_past import ContinuedTiming
from planvow.kernel.time.links import JOINT
from planvow.kernel.time.report import IMPLIED


def past_of(result: Result) -> dict[str, Any] | None:
    """Return the points of the past and every stated constraint of a repaired plan; None for one that is not."""
    continued = next((made for made in result.problem.propagators if isinstance(made, ContinuedTiming)), None)
    if continued is None:
        return None
    report = result.reports["temporal"]
    implied = result.reports.get(IMPLIED, frozenset())
    rows = [
        row
        for place, row in enumerate(report["constraints"])
        if place not in implied or _is_beside(row[0]) or _is_beside(row[1])
    ]
    points = {point: at for point, at in report["schedule"].items() if _is_beside(point)}
    return {"now": continued.now, "points": points, "rows": rows}


def _is_beside(point: str) -> bool:
    """Say whether the nodes of the certificate do not have this time: it is past, or joins several orders."""
    return point.startswith("-") or point.endswith(f".{JOINT}")
