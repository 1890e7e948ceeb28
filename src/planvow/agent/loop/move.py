"""What follows from where a run stands: the one decision of the agent's loop, without acting on it.

`next_move` looks at the steps of the run's latest plan and at what is known of the world. It answers with work to do,
a repair, a wait for somebody, or an end. A restarted agent asks it the same question and gets the same answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from planvow.agent.loop.world import Broken
from planvow.cassette.ledger.model import StepState, StepStatus
from planvow.status import Status

DEFAULT_MAX_REPAIRS = 20


class Waiting(StrEnum):
    """What a run waits for."""

    APPROVAL = "approval"
    UNKNOWN = "unknown"
    TOOL = "tool"


@dataclass(frozen=True, kw_only=True)
class Question:
    """Something that only a person, or another agent, can help with."""

    kind: Waiting
    job_id: str
    ordinal: int
    text: str


@dataclass(frozen=True, kw_only=True)
class Work:
    """Steps are open: run those that are ready, wait for those that others hold."""


@dataclass(frozen=True, kw_only=True)
class Repair:
    """A step failed, or the world is not what the plan needs: plan what is left."""

    ordinal: int
    reason: str
    banned: bool
    """Whether the step's command, with its arguments, is kept out of the new plan."""


@dataclass(frozen=True, kw_only=True)
class Wait:
    """Nothing can go on until somebody answers."""

    questions: tuple[Question, ...]


@dataclass(frozen=True, kw_only=True)
class Finish:
    """The run is over."""

    status: Status
    reason: str


Move = Work | Repair | Wait | Finish


@dataclass(frozen=True, kw_only=True)
class Standing:
    """The latest plan of a run, as far as it got."""

    steps: Sequence[StepState]
    broken: Broken | None
    """Why the plan cannot go on although no tool failed, if so."""
    questions: tuple[Question, ...] = ()
    repairs: int = 0
    errors: Mapping[int, str] = field(default_factory=dict)
    """What went wrong with the steps that failed, in words."""
    broken_off: frozenset[int] = frozenset()
    """Steps that were failed before they ran because the plan no longer held."""
    denied: str | None = None
    """Who refused the plan as a whole, or cancelled it, and why."""
    may_repeat: frozenset[int] = frozenset()
    """Steps whose tool may be called again after it did not bring what it promised."""


def next_move(standing: Standing, *, max_repairs: int = DEFAULT_MAX_REPAIRS) -> Move:
    """Say what is to be done next."""
    lost = [step for step in standing.steps if step.status in (StepStatus.FAILED, StepStatus.DEAD)]
    failed = next((step for step in lost if step.ordinal not in standing.broken_off), None)
    if any(step.status in (StepStatus.PENDING, StepStatus.LEASED) for step in standing.steps):
        return _open_move(standing)
    if standing.denied is not None:
        return Finish(status=Status.REJECTED, reason=standing.denied)
    broken = standing.broken
    if failed is None and broken is None:
        return Finish(status=Status.SOLVED if standing.steps else Status.SATISFIED, reason=_END[bool(standing.steps)])
    if failed is None:
        assert broken is not None
        repair = Repair(
            ordinal=broken.ordinal,
            reason=broken.reason,
            banned=broken.is_own and broken.ordinal not in standing.may_repeat,
        )
    else:
        why = standing.errors.get(failed.ordinal, "its workers died")
        repair = Repair(ordinal=failed.ordinal, reason=f"step {failed.ordinal} failed: {why}", banned=True)
    if standing.repairs >= max_repairs:
        reason = f"{repair.reason}; the plan was repaired {standing.repairs} times already (max_repairs)"
        return Finish(status=Status.BUDGET_EXCEEDED, reason=reason)
    return repair


def is_moving(steps: Iterable[StepState]) -> bool:
    """Say whether a step is being run, or could be: it waits neither for another nor for a person."""
    return any(
        step.status is StepStatus.LEASED or (step.status is StepStatus.PENDING and not step.waiting_for)
        for step in steps
    )


def _open_move(standing: Standing) -> Move:
    """Work on what is ready; wait where a doubt must be settled first or everything left is held for a person."""
    doubts = any(question.kind is Waiting.UNKNOWN for question in standing.questions)
    if standing.questions and (doubts or not is_moving(standing.steps)):
        return Wait(questions=standing.questions)
    return Work()


_END = {True: "every step is done", False: "nothing needs to be done"}
