"""The world as an agent knows it: the state a plan starts in, what its steps promised, and what was seen since.

It is made from receipts in the order of their chain, so every process that reads the ledger knows the same world.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from planvow.kernel.answer.result import Result
from planvow.kernel.domain.domain import Command, Method
from planvow.kernel.domain.multigoals import unmet
from planvow.kernel.domain.terms import Check, Goal, MultiGoal, item_text
from planvow.kernel.repair.acting_step import Deviation, act, see, write
from planvow.kernel.repair.replay import Walk, replay_plan
from planvow.kernel.world.recorder import RecordingState, Triple
from planvow.kernel.world.state import State


@dataclass(frozen=True, kw_only=True)
class Broken:
    """Why a plan cannot simply go on: which step did not keep its promise, or what the rest lacks."""

    reason: str
    ordinal: int
    """The step to repair from: the one that broke its promise, or the first that is still to come."""
    is_own: bool
    """Whether that step ran and did not bring what it promised."""


class PlanInHand:
    """A plan with its derivation: its steps by number, and whether what is left of it still holds."""

    def __init__(self, result: Result) -> None:
        self.result = result
        self.commands = result.plan
        hows = [(node_id, node) for node_id, node in enumerate(result.trail, start=1)]
        self.nodes = [node_id for node_id, node in hows if isinstance(node[2], Command)]
        """Node ids of the commands, in order: step number n is at place n - 1."""
        self._writes: list[tuple[Triple, ...]] | None = None

    def writes(self, ordinal: int) -> tuple[Triple, ...]:
        """Return what a step was planned to write."""
        if self._writes is None:
            nodes = replay_plan(self.result)
            self._writes = [node.writes for node in nodes if node.kind == Command.kind]
        return self._writes[ordinal - 1]

    def objection(self, world: State, done: frozenset[int]) -> str | None:
        """Say why what is left of the plan does not hold in this world; None if it does.

        Every function that decides about the rest is called again, in its turn, and must answer as it did.
        """
        executed = {self.nodes[ordinal - 1] for ordinal in done}
        left = [node_id for node_id in self.nodes if node_id not in executed]
        state = RecordingState(world)
        if not left:
            return _unmet_goal(self.result.problem.todo, state)
        trail = self.result.trail
        untouched = _untouched(trail, executed)
        walk = Walk(state, trail)
        for index, (_, item, how, _) in enumerate(trail):
            node_id = index + 1
            is_command, is_method = isinstance(how, Command), isinstance(how, Method)
            is_behind = node_id > left[0]
            wanted = (is_command and node_id not in executed) or (is_method and node_id in untouched)
            if not (wanted or (not is_command and not is_method and is_behind)):
                continue
            try:
                objection = walk.step(index)
            except Exception as error:  # a function that raises does not answer as it did
                objection = f"{type(error).__name__}: {error}"
            if objection is not None:
                return f"{item_text(item)}: {objection}"
        return None


def _untouched(trail: Sequence[Any], executed: set[int]) -> set[int]:
    """Return the nodes that have commands below them, none of which was executed."""
    below = [0] * (len(trail) + 1)
    done = [0] * (len(trail) + 1)
    for node_id in range(len(trail), 0, -1):
        parent_id, _, how, _ = trail[node_id - 1]
        below[node_id] += isinstance(how, Command)
        done[node_id] += node_id in executed
        below[parent_id] += below[node_id]
        done[parent_id] += done[node_id]
    return {node_id for node_id in range(1, len(trail) + 1) if below[node_id] and not done[node_id]}


def _unmet_goal(todo: Sequence[Any], state: State) -> str | None:
    """Return the first goal of an agenda that does not hold at its end, in words."""
    for item in todo:
        if isinstance(item, Check):
            item = item.goal
        goals = list(item.goals()) if isinstance(item, MultiGoal) else [item] if isinstance(item, Goal) else []
        missing = unmet(state, goals)
        if missing:
            return f"{item_text(missing[0])} does not hold"
    return None


@dataclass
class World:
    """What an agent takes for the case, and whether its plan can go on there."""

    hand: PlanInHand
    done: set[int] = field(default_factory=set)
    deviations: list[tuple[int, Deviation]] = field(default_factory=list)
    """What was seen and is not as it should be, with the step after which it was seen."""
    broken: Broken | None = None
    _state: RecordingState | None = None
    _unplayed: list[int] = field(default_factory=list)
    """Steps that were done and of which nothing was seen: what they promised is worked out when somebody looks."""

    @property
    def state(self) -> RecordingState:
        """The world by now."""
        waiting, self._unplayed = self._unplayed, []
        for ordinal in waiting:
            self._play(ordinal)
        return self._written

    @property
    def _written(self) -> RecordingState:
        if self._state is None:
            self._state = RecordingState(self.hand.result.problem.state)
        return self._state

    def succeeded(self, ordinal: int, facts: Sequence[Triple]) -> None:
        """Take in that a step was done and what was seen then."""
        self.done.add(ordinal)
        if not facts:
            self._unplayed.append(ordinal)
            return
        assert self.state is not None  # what was done before comes first
        self._look(ordinal, facts, self._play(ordinal))

    def _play(self, ordinal: int) -> tuple[Triple, ...]:
        """Do to the world what a step promised; return that."""
        command = self.hand.commands[ordinal - 1]
        held = self.hand.result.problem.domain.commands[command[0]]
        try:
            promise = act(self._written, held.model, command)
            writes = promise.writes if promise.refusal is None else None
        except Exception:  # the model meets a world that it was not written for; the plan says what was to come
            writes = None
        if writes is None:
            writes = self.hand.writes(ordinal)
            for triple in writes:
                write(self._written, triple)
        return writes

    def saw(self, ordinal: int, facts: Sequence[Triple]) -> None:
        """Take in what was seen when a step was not done."""
        if facts:
            self._look(ordinal, facts, ())

    def _look(self, ordinal: int, facts: Sequence[Triple], promised: Sequence[Triple]) -> None:
        deviations = see(self.state, facts, promised)
        self.deviations += [(ordinal, deviation) for deviation in deviations]
        if not deviations or self.broken is not None:
            return
        own = next((deviation for deviation in deviations if deviation.was_promised), None)
        if own is not None:
            self.broken = Broken(reason=str(own), ordinal=ordinal, is_own=True)
            return
        objection = self.hand.objection(self.state, frozenset(self.done))
        if objection is not None:
            left = [number for number in range(1, len(self.hand.commands) + 1) if number not in self.done]
            at = left[0] if left else len(self.hand.commands)
            self.broken = Broken(reason=f"{deviations[0]}; {objection}", ordinal=at, is_own=False)
