"""How deterministic a planner really is: ask it several times and count what came out.

A planner's mode is a promise. For `full` it can be spot-checked; for `structural` nothing can enforce it without
recordings, so it is measured and reported.

Spec 004, "Registry" (spot check) and hole k.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from planvow.canonical import full_hash
from planvow.contract.errors import InvalidPlanError
from planvow.contract.interface.interface import Answer, DeterminismMode, PlannerInterface, PlannerOutput, safe_plan
from planvow.contract.plan.normalise import structural_signature
from planvow.errors import InputError, chosen, shown


@dataclass(frozen=True, kw_only=True)
class Measurement:
    """What so many equal calls gave. An error counts as an answer of its own structure."""

    mode: DeterminismMode
    calls: int
    errors: int
    distinct_answers: int
    distinct_structures: int

    @property
    def keeps_promise(self) -> bool:
        """Whether what came out is no more varied than the mode allows."""
        if self.mode is DeterminismMode.FULL:
            return self.distinct_answers == 1
        return self.mode is DeterminismMode.NONE or self.distinct_structures == 1


def measure(planner: PlannerInterface, arguments: Mapping[str, Any], *, calls: int = 5) -> Measurement:
    """Make the same call several times and count the different answers and structures."""
    if isinstance(calls, bool) or not isinstance(calls, int) or calls < 1:
        raise InputError(f"at least one call is needed, got {shown(calls)}", place="calls")
    answers = [safe_plan(planner, **arguments) for _ in range(calls)]
    return Measurement(
        mode=chosen(DeterminismMode, planner.get_determinism_mode(), place="get_determinism_mode()"),
        calls=calls,
        errors=sum(not isinstance(answer, PlannerOutput) for answer in answers),
        distinct_answers=len({full_hash(_content(answer)) for answer in answers}),
        distinct_structures=len({_structure(answer) for answer in answers}),
    )


def _content(answer: Answer) -> dict[str, Any]:
    return answer.plan if isinstance(answer, PlannerOutput) else answer.as_dict()


def _structure(answer: Answer) -> str:
    if not isinstance(answer, PlannerOutput):
        return f"error {answer.code}"
    try:
        return structural_signature(answer.plan)
    except InvalidPlanError:
        return "no steps"  # the one plan without steps: nothing was to be done
