"""Acting on plans: run them against the world as it is, and plan again when it disagrees (seed 001, section 5.1).

Commands may fail when they are run. `run_lazy_lookahead` plans, runs commands until one fails, keeps that command
out, plans again from the state that was reached, and ends when a whole plan ran, when nothing is left to do, when
there is no plan, or after `max_tries` plans. How often a command is run again at once, and for how long one that
failed is kept out, is a matter of `Patience` (`kernel.repair.patience`). `simulate` only asks what a plan would do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from planvow import retry
from planvow.errors import InputError
from planvow.execution import Course, drive, in_sequence, stop_at_once
from planvow.kernel.answer.planning import plan
from planvow.kernel.answer.result import Result
from planvow.kernel.domain.domain import Command, Domain, Refusal
from planvow.kernel.domain.entities import Entity
from planvow.kernel.domain.terms import Item, item_text
from planvow.kernel.repair.patience import DEFAULT_PATIENCE, Bans, Patience
from planvow.kernel.search.table import item_key
from planvow.kernel.time.report import TimeAllocation
from planvow.kernel.time.services import as_uses
from planvow.kernel.time.timing import Timing
from planvow.kernel.world.in_place_changes import call
from planvow.kernel.world.state import State
from planvow.status import Status
from planvow.step import Step

Execute = Callable[[State, Any], object]
"""Run a command in the world: takes a draft of the real state and the command, answers like a command function."""


@dataclass(frozen=True, kw_only=True)
class Failure:
    """A command that did not do what its model said.

    >>> Failure(command=("walk", "ann", "park"), node_id=2, reason="it rains").reason
    'it rains'
    """

    command: Any
    node_id: int
    reason: str
    """What it said, or the exception it raised."""
    attempts: int = 1
    error: Exception | None = field(default=None, compare=False, repr=False)
    """The exception, if it raised one."""


@dataclass(frozen=True, kw_only=True)
class Execution:
    """What happened while acting.

    >>> run_lazy_lookahead(travel, start, todo).executed
    (('walk', 'ann', 'park'),)
    """

    status: Status
    """solved when a whole plan ran, satisfied when nothing was to be done, else why it ended."""
    executed: tuple[Any, ...]
    state: State
    tries: int
    failures: tuple[Failure, ...] = ()
    results: tuple[Result, ...] = ()
    """The plans that were made, in order."""
    error: Exception | None = field(default=None, compare=False)
    """What ended acting with the status `internal`: planning again or a hook raised after something was done."""

    @property
    def success(self) -> bool:
        return self.status.is_success


@dataclass(frozen=True, kw_only=True)
class Simulation:
    """The states a plan leads through: the first is the one it starts in.

    >>> [state.at["ann"] for state in simulate(result).states]
    ['home', 'park']
    """

    states: tuple[State, ...]
    failure: Failure | None = None
    """The command that would not apply, where the simulation stopped."""

    def __iter__(self) -> Iterator[State]:
        return iter(self.states)

    def __len__(self) -> int:
        return len(self.states)

    def __getitem__(self, index: int) -> State:
        return self.states[index]


def run_lazy_lookahead(
    domain: Domain,
    state: State,
    todo: Iterable[Item],
    max_tries: int = 10,
    *,
    execute: Execute | None = None,
    view: Callable[[State], State] = lambda state: state,
    observe: Callable[[Failure, State], None] = lambda failure, state: None,
    patience: Patience = DEFAULT_PATIENCE,
    **options: Any,
) -> Execution:
    """Plan, act and plan again until the agenda is done.

    `execute` runs a command in the world (by default the command's runtime function, or its model); an exception is a
    failure with its text as the reason. `view` gives what the planner may know of the real state, `observe` is told of
    every failure before the next plan, `patience` says how often a command is tried again and how long it is kept out.
    The given state stays as it is. In a plan with times, what was done ended as planned and the next plan starts after.

    >>> run = run_lazy_lookahead(travel, start, todo)
    >>> run.status, run.state.at["ann"]
    (<Status.SOLVED: 'solved'>, 'park')
    """
    if max_tries < 1:
        raise InputError(f"max_tries is a whole number of at least 1, got {max_tries!r}", place="max_tries")
    run = execute or _runner(domain)
    todo, real = list(todo), state.draft()
    bans = Bans(patience, options.pop("blacklist", ()))
    executed: list[object] = []
    failures: list[Failure] = []
    results: list[Result] = []
    status, error = Status.NO_PLAN, None
    try:
        for _ in range(max_tries):
            result = plan(domain, view(real), todo, blacklist=bans.for_next_plan(), **options)
            results.append(result)
            status = result.status
            if status is Status.NO_PLAN and bans.lift():
                continue
            if not result.success or not result.plan:
                break
            acting = _Acting(run, real, steps_of(result), patience=patience)
            failure = acting.to_the_end()
            real = acting.real
            executed += acting.executed
            if failure is None:
                break
            status = Status.BLOCKED
            failures.append(failure)
            bans.add(failure.command)
            options = start_later(options, result, failure.node_id)
            observe(failure, real)
    except Exception as raised:
        if not executed:  # then nothing is lost
            raise
        status, error = Status.INTERNAL, raised
    return Execution(
        status=status,
        executed=tuple(executed),
        state=real.snapshot(),
        tries=len(results),
        failures=tuple(failures),
        results=tuple(results),
        error=error,
    )


def simulate(result: Result, state: State | None = None, start: int = 0) -> Simulation:
    """Return the states that a plan leads through from its step `start` on, up to the first command that fails.

    >>> simulate(result).states[-1].at["ann"]
    'park'
    """
    real = (state if state is not None else result.problem.state).draft()
    states = [real.snapshot()]
    commands = result.problem.domain.commands

    def model(draft: State, item: Any) -> Any:
        return call(commands[item[0]].model, draft, *item[1:])

    acting = _Acting(model, real, steps_of(result)[start:], done=lambda reached: states.append(reached.snapshot()))
    return Simulation(failure=acting.to_the_end(), states=tuple(states))


def steps_of(result: Result) -> list[tuple[int, Any]]:
    """Return the commands that are still to be run, with their node ids in the solution graph."""
    first = result.repair.redone_node_id if result.repair is not None else 1
    return [
        (node_id, item_key(item))
        for node_id, (_, item, how, _) in enumerate(result.trail, start=first)
        if isinstance(how, Command)
    ]


def start_later(options: dict[str, Any], result: Result, failed: int) -> dict[str, Any]:
    """Return the options for a plan that starts when a command of this one has failed: its past is over.

    What was done ended as it was planned, what it consumed is gone, and the command failed when it was to start.
    """
    spans = {allocation.node_id: allocation for allocation in result.time_allocations}
    if failed not in spans:
        return options
    now = max([spans[failed].start, *(span.end for node_id, span in spans.items() if node_id < failed)])
    timings = [factory for factory in result.problem.propagators if isinstance(factory, Timing)]
    others = [factory for factory in options.get("propagators", ()) if not isinstance(factory, Timing)]
    left = _left(timings[-1].entities, (span for node_id, span in spans.items() if node_id < failed))
    return {**options, "propagators": others, "time": replace(timings[-1], start_time=now, entities=left)}


def _left(entities: tuple[Entity, ...], done: Iterable[TimeAllocation]) -> tuple[Entity, ...]:
    """Return the entities with what is left of those that are consumed."""
    used: Counter[str] = Counter()
    for use in (use for span in done for use in as_uses(span)):
        used[use.entity_id] += use.amount
    return tuple(
        replace(entity, capacity=entity.capacity - used[entity.entity_id]) if entity.is_consumable else entity
        for entity in entities
        if not entity.is_consumable or used[entity.entity_id] < entity.capacity
    )


class _Acting:
    """One plan being run: the state that was reached, and what was done on the way."""

    def __init__(
        self,
        run: Execute,
        real: State,
        commands: Sequence[tuple[int, Any]],
        done: Callable[[State], None] = lambda reached: None,
        patience: Patience | None = None,
    ) -> None:
        self.real, self.executed = real, list[Any]()
        self._run, self._done, self._patience = run, done, patience
        self._commands = {str(node_id): (node_id, command) for node_id, command in commands}

    def to_the_end(self) -> Failure | None:
        """Run the commands one after the other; return the one that failed, where acting stopped."""
        course = Course(in_sequence(self._commands))
        drive(course, self._attempt, judge=stop_at_once if self._patience is None else self._patience.judge)
        return None if course.stopped_by is None else self._failure

    def _attempt(self, step: Step, number: int) -> retry.Failure | None:
        """Run one command on a draft; on failure the state is what it was, unless the answer says otherwise."""
        node_id, command = self._commands[step.step_id]
        answer, error = self._answer(command)
        if isinstance(answer, State):
            self.real = answer.draft()
            self.executed.append(command)
            self._done(self.real)
            return None
        reason = answer.reason if isinstance(answer, Refusal) else f"{item_text(command)} failed"
        if error is not None:
            reason = f"{type(error).__name__}: {error}"
        self._failure = Failure(command=command, node_id=node_id, reason=reason, attempts=number, error=error)
        return retry.Failure(code="COMMAND_FAILED", message=reason)

    def _answer(self, command: Any) -> tuple[Any, Exception | None]:
        """Return what running a command gives; in the world an exception is one way to fail."""
        try:
            return self._run(self.real.journaled(), command), None
        except Exception as error:
            if self._patience is None:  # a model that raises in a simulation is a mistake in the domain
                raise
            return None, error


def _runner(domain: Domain) -> Execute:
    def run(draft: State, item: Any) -> Any:
        command = domain.commands[item[0]]
        return call(command.runtime or command.model, draft, *item[1:])

    return run
