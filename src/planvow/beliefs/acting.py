"""Believe, plan, act, be surprised, learn, plan again: the loop in which beliefs meet facts.

The persona plans on what it believes. Its commands run against the facts. What a command changes, the persona sees,
because it did it. When one fails, the persona looks at everything the command was about, and plans anew from where it
stands. Seed 001, sections 1 and 4.2.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from planvow.beliefs.manager import BeliefManager
from planvow.beliefs.persona import Belief
from planvow.execution import Course, drive, in_sequence
from planvow.kernel.answer.planning import plan
from planvow.kernel.answer.result import Result
from planvow.kernel.domain.domain import Domain
from planvow.kernel.domain.terms import Item
from planvow.kernel.repair.acting_step import act
from planvow.kernel.repair.lookahead import start_later, steps_of
from planvow.kernel.world.recorder import ABSENT, RecordingState
from planvow.kernel.world.state import State
from planvow.retry import Failure
from planvow.step import Step


@dataclass(frozen=True, kw_only=True)
class Surprise:
    """A command that the world refused although the persona believed in it.

    >>> Surprise(command=("walk", "ann", "park"), reason="the bridge is shut").reason
    'the bridge is shut'
    """

    command: tuple[Any, ...]
    reason: str


@dataclass(frozen=True, kw_only=True)
class BeliefRun:
    """What happened: the plans made, the commands that worked, the surprises between them.

    >>> BeliefRun(success=True, executed=(("walk", "ann", "park"),), surprises=(), plans=()).success
    True
    """

    success: bool
    executed: tuple[tuple[Any, ...], ...]
    surprises: tuple[Surprise, ...]
    plans: tuple[Result, ...]


def act_on_beliefs(
    manager: BeliefManager,
    persona_id: str,
    domain: Domain,
    todo: Iterable[Item],
    *,
    max_tries: int = 10,
    options: Mapping[str, Any] | None = None,
) -> BeliefRun:
    """Pursue an agenda until a whole plan has run, no plan is left, or `max_tries` plans were made.

    >>> manager = BeliefManager(start)
    >>> _ = manager.register(Persona.human("ann"))
    >>> for subject in ("ann", "park"):
    ...     _ = manager.sense("ann", subject)
    >>> act_on_beliefs(manager, "ann", travel, todo).executed
    (('walk', 'ann', 'park'),)
    """
    agenda = list(todo)
    executed: list[tuple[Any, ...]] = []
    surprises: list[Surprise] = []
    plans: list[Result] = []
    settings = dict(options or {})
    for tick in range(1, max_tries + 1):
        persona = manager.get(persona_id)
        believed = manager.planner_state(persona_id, persona_id)
        assert isinstance(believed, State)  # a persona may always see its own mind
        result = plan(domain, believed, agenda, capabilities=persona.capabilities, **settings)
        plans.append(result)
        if not result.success:
            break
        commands = {str(node_id): command for node_id, command in steps_of(result)}
        acting = _Acting(manager=manager, persona_id=persona_id, domain=domain, tick=tick, commands=commands)
        failed = acting.to_the_end()
        executed += acting.executed
        if failed is None or acting.surprise is None:
            return BeliefRun(success=True, executed=tuple(executed), surprises=tuple(surprises), plans=tuple(plans))
        surprises.append(acting.surprise)
        settings = start_later(settings, result, failed)
    return BeliefRun(success=False, executed=tuple(executed), surprises=tuple(surprises), plans=tuple(plans))


@dataclass(kw_only=True)
class _Acting:
    """One plan being run against the facts: what worked, and what the persona was wrong about."""

    manager: BeliefManager
    persona_id: str
    domain: Domain
    tick: int
    commands: Mapping[str, tuple[Any, ...]]
    executed: list[tuple[Any, ...]] = field(default_factory=list)
    surprise: Surprise | None = None

    def to_the_end(self) -> int | None:
        """Run the commands one after the other; return the node of the first that fails."""
        course = Course(in_sequence(self.commands))
        drive(course, self._attempt)
        return int(course.stopped_by) if course.stopped_by is not None else None

    def _attempt(self, step: Step, number: int) -> Failure | None:
        command = self.commands[step.step_id]
        held = self.domain.commands[command[0]]
        promise = act(RecordingState(self.manager.facts), held.runtime or held.model, command)
        if promise.refusal is not None:
            self.manager.observe_failure(self.persona_id, command[1:], time=self.tick)
            self.surprise = Surprise(command=command, reason=promise.refusal)
            return Failure(code="COMMAND_FAILED", message=promise.refusal)
        for predicate, subject, value in promise.writes:
            _change(self.manager, self.persona_id, predicate, subject, value, self.tick)
        self.executed.append(command)
        return None


def _change(manager: BeliefManager, persona_id: str, predicate: str, subject: Any, value: Any, tick: int) -> None:
    """Write what a command did into the facts, and into the mind of who did it."""
    if value is ABSENT:
        State.remove(manager.facts, subject, predicate)
        manager.believe(persona_id, subject, predicate, None)
    else:
        manager.facts.set_predicate(subject, predicate, value, {"type": "fact", "timestamp": tick})
        manager.believe(persona_id, subject, predicate, Belief(value=value, timestamp=tick, source=persona_id))
