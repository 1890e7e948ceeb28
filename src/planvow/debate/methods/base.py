"""The debate domain, and the two bases that save each method from repeating the protocol.

`Compound` methods give subtasks, `Primitive` ones act; both cost their base cost plus their depth, as in the origin
(seed 000, sections 2.2 and 14; spec/000 section 2).
"""

from __future__ import annotations

from collections.abc import Callable

from planvow.debate.artifacts.base import Artifact
from planvow.debate.state.discourse import DiscourseState
from planvow.debate.terms.language import TurnReading
from planvow.kernel.perform.method import (
    DEFAULT_BASE_COST,
    MethodClass,
    MethodKind,
    OperatorResult,
    OperatorStatus,
    PerformDomain,
    PerformMethod,
)
from planvow.kernel.perform.task import Task

__all__ = [
    "DEBATE",
    "Compound",
    "OperatorResult",
    "OperatorStatus",
    "PerformMethod",
    "Primitive",
    "compound",
    "primitive",
]

DEBATE = PerformDomain("debate")
"""The task network that takes a transcript apart."""
DEBATE.deduplicate("EXTRACT_ATOMIC_CLAIM", "EXTRACT_CLAIM", "CLASSIFY_CLAIM_TYPE", "FACT_CHECK_CLAIM")


def compound(name: str, task: str, base_cost: float = DEFAULT_BASE_COST) -> Callable[[MethodClass], MethodClass]:
    """Register a method that gives subtasks."""
    return DEBATE.method(name, task, base_cost, kind=MethodKind.COMPOUND)


def primitive(
    name: str, task: str, base_cost: float = DEFAULT_BASE_COST, requires_llm: bool = False
) -> Callable[[MethodClass], MethodClass]:
    """Register a method that acts."""
    return DEBATE.method(name, task, base_cost, requires_llm, kind=MethodKind.PRIMITIVE)


class _Costed:
    _base_cost: float

    def preconditions(self, state: DiscourseState, task: Task) -> bool:
        return True

    def cost(self, state: DiscourseState, task: Task) -> float:
        return self._base_cost + task.depth


class Compound(_Costed):
    """A method that gives subtasks; none means that there is nothing to do."""

    def execute(self, state: DiscourseState, task: Task) -> OperatorResult:
        raise NotImplementedError("Compound methods should not have execute() called")


class Primitive(_Costed):
    """A method that acts."""

    def decompose(self, state: DiscourseState, task: Task) -> list[Task]:
        return []


def reading_of(state: DiscourseState, task: Task) -> TurnReading:
    """Return what the language back-end says about the turn of a task."""
    turn_index = task.params["turn_index"]
    return state.readings.turn(turn_index) if state.readings else TurnReading(turn_index=turn_index)


def claim_key(turn_index: int, claim_index: int) -> str:
    """Return the key under which a reading's claim is found again."""
    return f"{turn_index}:{claim_index}"


def done(state: DiscourseState, task: Task, *artifacts: Artifact) -> OperatorResult:
    """Emit artifacts with their lineage and answer SUCCESS."""
    emitted = []
    for artifact in artifacts:
        artifact.credit(task)
        emitted.append(state.emit_artifact(artifact))
    return OperatorResult(
        status=OperatorStatus.SUCCESS,
        artifacts_emitted=emitted,
        state_mutations=[f"Added {artifact_id}" for artifact_id in emitted],
    )
