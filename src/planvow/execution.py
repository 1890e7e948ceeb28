"""The rules of running a plan, without running anything: what may start, what a failure means, what to wait.

A `Course` is a plan under way. Whoever acts asks it what comes next, tries that, and tells it how it went; the course
answers what follows. Runs in memory, lookahead and the belief loop hand their way of trying to `drive`; the ledger's
workers ask `after_failure` and let the database carry out the answer. `next_steps` says for any statuses what the
rules allow: what the databases give out to workers, and what the proof of a ledger accepts, is tested to be just that.

`on_error` says what happens when a step has failed for good: abort stops the plan, continue goes on without the steps
that needed it, retry also tries errors of unknown class again and then stops. Retryable errors are retried up to
`retry_count` times under every policy (attempts = 1 + retries), except that a step with side effects and no
idempotency key is never run twice.

Seed 004, "Plan Structure Contract"; spec 004, "Execution".
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from planvow.errors import PlanOrderError
from planvow.retry import DEFAULT_BACKOFF, Backoff, ErrorClass, Failure, backoff_ms
from planvow.step import OnError, Step

IDEMPOTENCY_PARAM = "idempotency_key"
SIDE_EFFECT_METHODS = frozenset({"POST", "PUT", "PATCH", "DELETE"})


class StepStatus(StrEnum):
    """Where a step stands in a run."""

    PENDING = "pending"
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    SKIPPED = "skipped"

    @property
    def is_final(self) -> bool:
        """Whether this step will not change any more."""
        return self in (StepStatus.SUCCEEDED, StepStatus.FAILED, StepStatus.SKIPPED)


class Reaction(StrEnum):
    """What follows from a failed attempt."""

    RETRY = "retry"
    STOP_PLAN = "stop_plan"
    GO_ON = "go_on"


@dataclass(frozen=True, kw_only=True)
class Decision:
    """What to do after a failed attempt, and why, in words."""

    reaction: Reaction
    reason: str
    delay_ms: int = 0


@dataclass(frozen=True, kw_only=True)
class SkillRules:
    """What is known about a skill when one of its steps fails: what a manifest says, or nothing."""

    side_effects: bool = False
    retryable_codes: tuple[str, ...] = ()
    max_retries: int | None = None
    backoff: Backoff = DEFAULT_BACKOFF


UNKNOWN_SKILL = SkillRules()


@dataclass(frozen=True, kw_only=True)
class NextSteps:
    """What the statuses of a run allow now. All in the plan's canonical order."""

    ready: tuple[str, ...]
    skip: tuple[str, ...]
    aborted_by: str | None
    finished: bool


class Course:
    """A plan under way: which steps may start, which never will. Every answer costs what it changes."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self.order = execution_order(steps)
        self.statuses = dict.fromkeys(self.order, StepStatus.PENDING)
        self.stopped_by: str | None = None
        self._steps = {step.step_id: step for step in steps}
        self._position = {step_id: place for place, step_id in enumerate(self.order)}
        self._needed_by: dict[str, list[str]] = {step_id: [] for step_id in self.order}
        self._waiting = {}
        for step_id in self.order:
            needs = dict.fromkeys(self._steps[step_id].depends_on)
            self._waiting[step_id] = len(needs)
            for needed in needs:
                self._needed_by[needed].append(step_id)
        self._ready = [place for place, step_id in enumerate(self.order) if not self._waiting[step_id]]

    def take(self) -> Step | None:
        """Return the first step that may start, now running, or None while nothing may."""
        for step_id in self._startable():
            self.statuses[step_id] = StepStatus.RUNNING
            return self._steps[step_id]
        return None

    def is_behind(self, step_id: str, other: str) -> bool:
        """Say whether a step stands after another in canonical order."""
        return self._position[step_id] > self._position[other]

    def ready(self) -> tuple[str, ...]:
        """Return every step that may start, in canonical order."""
        places = sorted(place for place in self._ready if self._is_pending(place))
        return tuple(self.order[place] for place in places)

    def succeeded(self, step_id: str) -> None:
        """Note that a step did what it should; what waited for it alone may start."""
        self.statuses[step_id] = StepStatus.SUCCEEDED
        for follower in self._needed_by[step_id]:
            self._waiting[follower] -= 1
            if not self._waiting[follower]:
                heapq.heappush(self._ready, self._position[follower])

    def failed(self, step_id: str, reaction: Reaction) -> None:
        """Note that a step failed for good: the plan stops there, or goes on without what needed it."""
        self.statuses[step_id] = StepStatus.FAILED
        if reaction is Reaction.STOP_PLAN:
            self.stopped_by = self.stopped_by or step_id
            self._skip(other for other in self.order if self.statuses[other] is StepStatus.PENDING)
        else:
            self._cut_off(step_id)

    def skipped(self, step_id: str) -> None:
        """Note that a step was left out, and what needs it with it."""
        self.statuses[step_id] = StepStatus.SKIPPED
        self._cut_off(step_id)

    @property
    def is_finished(self) -> bool:
        """Whether no step will change any more."""
        return all(status.is_final for status in self.statuses.values())

    def _startable(self) -> Iterator[str]:
        while self._ready:
            place = heapq.heappop(self._ready)
            if self._is_pending(place):
                yield self.order[place]

    def _is_pending(self, place: int) -> bool:
        return self.statuses[self.order[place]] is StepStatus.PENDING

    def _cut_off(self, step_id: str) -> None:
        lost = [step_id]
        while lost:
            for follower in self._needed_by[lost.pop()]:
                if self.statuses[follower] is StepStatus.PENDING:
                    self.statuses[follower] = StepStatus.SKIPPED
                    lost.append(follower)

    def _skip(self, step_ids: Iterator[str]) -> None:
        for step_id in step_ids:
            self.statuses[step_id] = StepStatus.SKIPPED


Attempt = Callable[[Step, int], Failure | None]
"""Try a step; the number of the attempt is given, the first is 1. Return what went wrong, or None."""
Judge = Callable[[Step, Failure, int], Decision]
"""Say what follows from the failure of an attempt."""


def stop_at_once(step: Step, failure: Failure, attempt: int) -> Decision:
    """Judge every failure as final: for loops that plan anew instead of trying again."""
    return Decision(reaction=Reaction.STOP_PLAN, reason=failure.message)


def drive(
    course: Course, attempt: Attempt, *, judge: Judge = stop_at_once, wait: Callable[[int], None] = lambda _ms: None
) -> None:
    """Run a course to its end, one step after the other in canonical order."""
    while (step := course.take()) is not None:
        number = 1
        while (failure := attempt(step, number)) is not None:
            decision = judge(step, failure, number)
            if decision.reaction is not Reaction.RETRY:
                course.failed(step.step_id, decision.reaction)
                break
            wait(decision.delay_ms)
            number += 1
        else:
            course.succeeded(step.step_id)


def in_sequence(step_ids: Iterable[str]) -> tuple[Step, ...]:
    """Return steps that only say in which order something is done: each waits for the one before it."""
    names = tuple(step_ids)
    return tuple(
        Step(step_id=name, skill=name, params={}, depends_on=(before,) if before is not None else ())
        for before, name in zip((None, *names), names)
    )


def execution_order(steps: Sequence[Step]) -> tuple[str, ...]:
    """Return the step ids in canonical order: dependencies first, otherwise as the plan lists them.

    Raises PlanOrderError when dependencies form a cycle or name no step.
    """
    position = {step.step_id: index for index, step in enumerate(steps)}
    for index, step in enumerate(steps):
        for place, dependency in enumerate(step.depends_on):
            if dependency not in position:
                raise PlanOrderError(
                    f"depends on {dependency!r:.80}, which is no step", place=f"$.steps[{index}].depends_on[{place}]"
                )
    waiting = [len(set(step.depends_on)) for step in steps]
    followers: list[list[int]] = [[] for _ in steps]
    for index, step in enumerate(steps):
        for dependency in dict.fromkeys(step.depends_on):
            followers[position[dependency]].append(index)
    ready = [index for index, count in enumerate(waiting) if count == 0]
    order: list[str] = []
    while ready:
        index = heapq.heappop(ready)  # the smallest position: the plan's own order breaks ties
        order.append(steps[index].step_id)
        for follower in followers[index]:
            waiting[follower] -= 1
            if waiting[follower] == 0:
                heapq.heappush(ready, follower)
    if len(order) < len(steps):
        stuck = next(index for index, count in enumerate(waiting) if count > 0)
        raise PlanOrderError("the dependencies form a cycle", place=f"$.steps[{stuck}].depends_on")
    return tuple(order)


def next_steps(steps: Sequence[Step], statuses: Mapping[str, StepStatus]) -> NextSteps:
    """Say which steps may start, which must be skipped, and whether the run is over.

    A step without a status is pending. A failed step that does not say `continue` stops the plan: nothing else
    starts, what runs may end. A failed or skipped step that says `continue` takes its dependents with it.
    """
    course = Course(steps)
    by_id = {step.step_id: step for step in steps}
    for step_id in course.order:
        match statuses.get(step_id, StepStatus.PENDING):
            case StepStatus.RUNNING:
                course.statuses[step_id] = StepStatus.RUNNING
            case StepStatus.SUCCEEDED:
                course.succeeded(step_id)
            case StepStatus.SKIPPED:
                course.skipped(step_id)
            case StepStatus.FAILED:
                goes_on = by_id[step_id].on_error is OnError.CONTINUE
                course.failed(step_id, Reaction.GO_ON if goes_on else Reaction.STOP_PLAN)
    pending = (step_id for step_id in course.order if statuses.get(step_id, StepStatus.PENDING) is StepStatus.PENDING)
    skip = tuple(step_id for step_id in pending if course.statuses[step_id] is StepStatus.SKIPPED)
    return NextSteps(ready=course.ready(), skip=skip, aborted_by=course.stopped_by, finished=course.is_finished)


def after_failure(
    step: Step,
    failure: Failure,
    *,
    attempt: int,
    run_id: str,
    rules: SkillRules = UNKNOWN_SKILL,
    params: Mapping[str, Any] | None = None,
) -> Decision:
    """Decide what follows when attempt number `attempt` (the first is 1) of a step has failed."""
    kind = failure.kind
    final = Reaction.GO_ON if step.on_error is OnError.CONTINUE else Reaction.STOP_PLAN
    listed = failure.code in rules.retryable_codes
    if not (kind.is_retryable or listed or (step.on_error is OnError.RETRY and kind is ErrorClass.UNKNOWN)):
        return Decision(reaction=final, reason=f"an error of class {kind.value} is not retried")
    allowed = step.retry_count if rules.max_retries is None else min(step.retry_count, rules.max_retries)
    if attempt > allowed:
        return Decision(reaction=final, reason=f"all {allowed + 1} attempts failed")
    if has_side_effects(step, rules, params) and not _has_idempotency_key(step, params):
        return Decision(reaction=final, reason="it has side effects and no idempotency key, so it is never run twice")
    delay = backoff_ms(
        run_id=run_id,
        step_id=step.step_id,
        attempt=attempt,
        backoff=rules.backoff,
        retry_after_ms=failure.retry_after_ms,
    )
    return Decision(reaction=Reaction.RETRY, reason=f"attempt {attempt} of {allowed + 1} failed", delay_ms=delay)


def has_side_effects(step: Step, rules: SkillRules = UNKNOWN_SKILL, params: Mapping[str, Any] | None = None) -> bool:
    """Say whether a step changes the world: its skill says so, or it carries an HTTP method that does."""
    if rules.side_effects:
        return True
    method = (params or step.params).get("method")
    return isinstance(method, str) and method.strip().upper() in SIDE_EFFECT_METHODS


def _has_idempotency_key(step: Step, params: Mapping[str, Any] | None) -> bool:
    key = (params or step.params).get(IDEMPOTENCY_PARAM)
    return isinstance(key, str) and bool(key.strip())
