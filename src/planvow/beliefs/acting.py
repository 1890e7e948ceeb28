"""Believe, plan, act, be surprised, learn, plan again: the loop in which beliefs meet facts.

The persona plans on what it believes. Its commands run against the facts. What a command changes, the persona sees,
because it did it. When one fails, the persona looks at everything the command was about, and plans anew from where it
stands. Seed 001, sections 1 and 4.2.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from planvow.beliefs.manager import BeliefManager
from planvow.beliefs.persona import Belief
from planvow.kernel.answer.planning import plan
from planvow.kernel.answer.result import Result
from planvow.kernel.domain.domain import Domain, Refusal
from planvow.kernel.domain.terms import Item
from planvow.kernel.repair.lookahead import start_later, steps_of
from planvow.kernel.world.in_place_changes import call
from planvow.kernel.world.recorder import ABSENT, RecordingState
from planvow.kernel.world.state import State


@dataclass(frozen=True, kw_only=True)
class Surprise:
    """A command that the world refused although the persona believed in it."""

    command: tuple[Any, ...]
    reason: str


@dataclass(frozen=True, kw_only=True)
class BeliefRun:
    """What happened: the plans made, the commands that worked, the surprises between them."""

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
    """Pursue an agenda until a whole plan has run, no plan is left, or `max_tries` plans were made."""
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
        surprise, node_id = _act(manager, persona_id, domain, result, executed, tick)
        if surprise is None:
            return BeliefRun(success=True, executed=tuple(executed), surprises=tuple(surprises), plans=tuple(plans))
        surprises.append(surprise)
        settings = start_later(settings, result, node_id)
    return BeliefRun(success=False, executed=tuple(executed), surprises=tuple(surprises), plans=tuple(plans))


def _act(
    manager: BeliefManager,
    persona_id: str,
    domain: Domain,
    result: Result,
    executed: list[tuple[Any, ...]],
    tick: int,
) -> tuple[Surprise | None, int]:
    """Run a plan against the facts; stop at the first command that fails there, and tell its node."""
    for node_id, command in steps_of(result):
        held = domain.commands[command[0]]
        world = RecordingState(manager.facts)
        answer = call(held.runtime or held.model, world, *command[1:])
        if not isinstance(answer, State):
            manager.observe_failure(persona_id, command[1:], time=tick)
            why = answer.reason if isinstance(answer, Refusal) else "it did not work"
            return Surprise(command=command, reason=why), node_id
        if answer is not world:
            world.become(answer)
        _, _, writes = world.take()
        for predicate, subject, value in writes:
            _change(manager, persona_id, predicate, subject, value, tick)
        executed.append(command)
    return None, 0


def _change(manager: BeliefManager, persona_id: str, predicate: str, subject: Any, value: Any, tick: int) -> None:
    """Write what a command did into the facts, and into the mind of who did it."""
    if value is ABSENT:
        manager.facts.remove(subject, predicate)
        manager.believe(persona_id, subject, predicate, None)
    else:
        manager.facts.set_predicate(subject, predicate, value, {"type": "fact", "timestamp": tick})
        manager.believe(persona_id, subject, predicate, Belief(value=value, timestamp=tick, source=persona_id))
