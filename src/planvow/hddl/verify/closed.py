"""Whether what a proof lists is closed under the rules of its problem, and what follows from that. See `no_plan`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from planvow.hddl.language.formula import And, Formula, Parameter
from planvow.hddl.language.model import HddlProblem, InitialNetwork, TaskNetwork
from planvow.hddl.verify.world import Binding, Call, Fact, Facts, World
from planvow.verdict import Fault

State = frozenset[Fact]


class Condition(StrEnum):
    """What a proof must keep."""

    FORM = "form"
    HASH = "hash"
    PROBLEM = "problem"
    CLOSED = "closed"
    UNSOLVABLE = "unsolvable"
    LIMIT = "limit"


class Wrong(Exception):
    """The first thing that is wrong with a proof."""

    def __init__(self, condition: Condition, place: str, message: str) -> None:
        self.fault = Fault(condition=condition, place=place, message=message)


class Way(NamedTuple):
    """A way to do something: a method for a call, or the initial network."""

    name: str
    parameters: tuple[Parameter, ...]
    condition: Formula
    network: TaskNetwork
    binding: Binding


def shown(words: tuple[str, ...]) -> str:
    """Return a fact or a call as HDDL writes it."""
    return f"({' '.join(words)})"


def initial_way(initial: InitialNetwork) -> Way:
    """Return the initial network as a way."""
    return Way("the initial network", initial.parameters, initial.network.constraint, initial.network, {})


def ways_of(problem: HddlProblem, call: Call) -> Iterator[Way]:
    """Yield the methods for a compound call, with what it binds."""
    for method in problem.domain.methods_for[call[0]]:
        bound: dict[str, str] = {}
        for term, name in zip(method.arguments, call[1:], strict=True):
            if (bound.setdefault(term, name) if term[0] == "?" else term) != name:
                break
        else:
            condition = And((method.network.constraint, method.precondition))
            name = f"{method.name} of {shown(call)}"
            yield Way(name, method.parameters, condition, method.network, bound)


def action_binding(world: World, call: Call) -> Binding:
    """Return the variables of an action as a call binds them."""
    action = world.problem.domain.action_named[call[0]]
    return {parameter.name: name for parameter, name in zip(action.parameters, call[1:], strict=True)}


class RelaxedProof:
    """Facts and calls that are claimed to be all that can ever be."""

    def __init__(self, world: World, facts: Sequence[Fact], calls: Sequence[Call]) -> None:
        self._world = world
        self._calls = frozenset(calls)
        self._facts = frozenset(facts)
        self._index = Facts((*world.rigid, *facts))

    def check(self) -> None:
        """Raise Wrong unless the lists are closed and leave no plan."""
        world, problem = self._world, self._world.problem
        for fact in sorted(world.initial - self._facts):
            raise Wrong(Condition.CLOSED, shown(fact), "it holds at the beginning and is not listed")
        could_end = self._could_do_all_actions() if problem.initial is None else self._could_do(problem.initial)
        if could_end and world.holds(problem.goal, {}, self._facts, maybe=True):
            raise Wrong(Condition.UNSOLVABLE, "", "what is listed does not rule out that there is a plan")

    def _could_do(self, initial: InitialNetwork) -> bool:
        """Whether an instance of the initial network could be completed."""
        problem = self._world.problem
        roots = list(self._instances(initial_way(initial)))
        done: set[Call] = set()
        ways: list[tuple[Call, frozenset[Call]]] = []
        for call in self._calls:
            if call[0] not in problem.domain.action_named:
                ways += [(call, parts) for way in ways_of(problem, call) for parts in self._instances(way)]
            elif self._acts(call):
                done.add(call)
        _complete(done, ways)
        return any(done >= root for root in roots)

    def _could_do_all_actions(self) -> bool:
        """A problem without a hierarchy calls every action there is."""
        for action in self._world.problem.domain.actions:
            for binding in self._world.instances(action.parameters, action.precondition, {}, self._index):
                self._acts((action.name, *(binding[parameter.name] for parameter in action.parameters)))
        return True

    def _acts(self, call: Call) -> bool:
        """Whether an action could be carried out; then all that it could add is listed."""
        action = self._world.problem.domain.action_named[call[0]]
        binding = action_binding(self._world, call)
        if not self._world.holds(action.precondition, binding, self._facts, maybe=True):
            return False
        for fact in sorted(self._world.effects(action, binding, self._facts, maybe=True) - self._facts):
            raise Wrong(Condition.CLOSED, shown(fact), f"{shown(call)} could add it and it is not listed")
        return True

    def _instances(self, way: Way) -> Iterator[frozenset[Call]]:
        """Yield the calls of every instance of a way whose condition could hold; all of them are listed."""
        world = self._world
        for binding in world.instances(way.parameters, way.condition, way.binding, self._index):
            if world.holds(way.condition, binding, self._facts, maybe=True):
                calls = world.calls(way.network, binding)
                if calls is not None:
                    for call in calls:
                        if call not in self._calls:
                            raise Wrong(Condition.CLOSED, shown(call), f"{way.name} could call it and it is not listed")
                    yield frozenset(calls)


def _complete(done: set[Call], ways: list[tuple[Call, frozenset[Call]]]) -> None:
    """Add to what can be done all calls that have a way of which every part can be done."""
    waiting: dict[Call, list[int]] = {}
    missing, ready = [], []
    for number, (_, parts) in enumerate(ways):
        lacking = parts - done
        missing.append(len(lacking))
        for part in lacking:
            waiting.setdefault(part, []).append(number)
        if not lacking:
            ready.append(number)
    while ready:
        call = ways[ready.pop()][0]
        if call not in done:
            done.add(call)
            for number in waiting.get(call, ()):
                missing[number] -= 1
                if missing[number] == 0:
                    ready.append(number)


class TableProof:
    """For calls in states, the states in which they may end."""

    def __init__(
        self,
        world: World,
        facts: Sequence[Fact],
        calls: Sequence[Call],
        states: Sequence[tuple[int, ...]],
        results: Sequence[tuple[int, int, tuple[int, ...]]],
    ) -> None:
        self._world = world
        self._index: dict[State, Facts] = {}
        self._ends: dict[tuple[Call, State], frozenset[State]] = {}
        listed = [frozenset(facts[place] for place in state) for state in states]
        for call, state, ends in results:
            key = (calls[call], listed[state])
            if key in self._ends:
                raise Wrong(Condition.FORM, shown(key[0]), "its results in one state are listed twice")
            self._ends[key] = frozenset(listed[end] for end in ends)

    def check(self) -> None:
        """Raise Wrong unless the tables are closed and leave no plan."""
        problem = self._world.problem
        networks = [method.network for method in problem.domain.methods]
        if problem.initial is None or not all(n.is_totally_ordered for n in (problem.initial.network, *networks)):
            raise Wrong(Condition.PROBLEM, "kind", "tables prove nothing about problems that are not totally ordered")
        for (call, state), ends in self._ends.items():
            for reached, name in self._ways_to_end(call, state):
                if not reached <= ends:
                    raise Wrong(Condition.CLOSED, shown(call), f"{name} ends in a state that is not listed")
        for end in self._reached(initial_way(problem.initial), self._world.initial):
            if any(self._world.holds(problem.goal, {}, state) for state in end):
                raise Wrong(Condition.UNSOLVABLE, "", "what is listed does not rule out that there is a plan")

    def _ways_to_end(self, call: Call, state: State) -> Iterator[tuple[set[State], str]]:
        """Yield for every way to do a call in a state the states in which it may end, and what it is called."""
        action = self._world.problem.domain.action_named.get(call[0])
        if action is None:
            for way in ways_of(self._world.problem, call):
                for reached in self._reached(way, state):
                    yield reached, way.name
            return
        binding = action_binding(self._world, call)
        if self._world.holds(action.precondition, binding, state):
            yield {self._world.effects(action, binding, state)}, "it"

    def _reached(self, way: Way, state: State) -> Iterator[set[State]]:
        """Yield, for every instance of a way whose condition holds in a state, the states in which it may end."""
        world = self._world
        index = self._index.get(state)
        if index is None:
            index = self._index[state] = Facts((*world.rigid, *state))
        for binding in world.instances(way.parameters, way.condition, way.binding, index):
            calls = world.calls(way.network, binding)
            if calls is None or not world.holds(way.condition, binding, state):
                continue
            reached = {state}
            for call in calls:
                reached = {end for before in reached for end in self._looked_up(way, call, before)}
            yield reached

    def _looked_up(self, way: Way, call: Call, state: State) -> frozenset[State]:
        ends = self._ends.get((call, state))
        if ends is None:
            raise Wrong(Condition.CLOSED, shown(call), f"{way.name} calls it in a state that is not listed")
        return ends
