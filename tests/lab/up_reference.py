"""Has a hierarchical problem of unified-planning a plan? Asked of unified-planning's own simulator and evaluator.

Every decomposition in every order is tried, breadth first, without estimates: slow, simple, and nothing of planvow's.
"""

from __future__ import annotations

import warnings
from itertools import product

from unified_planning.exceptions import UPInvalidActionError
from unified_planning.model import Action
from unified_planning.model.walkers import StateEvaluator
from unified_planning.shortcuts import SequentialSimulator

MAX_SEEN = 4000


class Reference:
    """One problem. A network is a tuple of (name, task, arguments, names that come before)."""

    def __init__(self, problem) -> None:
        self.problem, self.environment = problem, problem.environment
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that the simulator does not know of hierarchies
            self.simulator = SequentialSimulator(problem, name="sequential_simulator")
        self.evaluator = StateEvaluator(problem)
        self.fluents = [
            fluent(*chosen)
            for fluent in problem.fluents
            for chosen in product(*(list(problem.objects(p.type)) for p in fluent.signature))
        ]

    def shortest(self) -> int | None:
        """Return the number of actions of the shortest plan; None when there is none. Raises past the limit."""
        network = self.problem.task_network
        start = self.simulator.get_initial_state()
        level = []
        for binding in self._bindings(network.variables):
            if all(self._holds(constraint, binding, start) for constraint in network.non_temporal_constraints()):
                level.append((start, self._expanded(network, binding, "r"), 0))
        seen = set()
        length = 0
        while level:
            later = []
            for state, entries, done in level:
                key = (tuple(map(state.get_value, self.fluents)), _canonical(entries))
                if key in seen:
                    continue
                seen.add(key)
                if len(seen) > MAX_SEEN:
                    raise OverflowError
                if not entries and all(self._holds(goal, {}, state) for goal in self.problem.goals):
                    return done
                for one, rest, cost in self._steps(state, entries):
                    (later if cost else level).append((one, rest, done + cost))
            level, length = later, length + 1
        return None

    def _steps(self, state, entries):
        for entry in entries:
            name, task, arguments, before = entry
            if before:
                continue
            others = [other for other in entries if other is not entry]
            if isinstance(task, Action):
                if self._fits(task.parameters, arguments):
                    after = self._applied(state, task, arguments)
                    if after is not None:
                        yield after, _replaced(others, name, ()), 1
                continue
            if not self._fits(task.parameters, arguments):
                continue
            for method in self.problem.methods:
                if method.achieved_task.task.name == task.name:
                    yield from self._decomposed(state, method, entry, others)

    def _applied(self, state, action, arguments):
        try:
            return self.simulator.apply(state, action, arguments)
        except UPInvalidActionError:  # its effects contradict each other, whatever the state
            return None

    def _decomposed(self, state, method, entry, others):
        name, _, arguments, _ = entry
        head = {p.name: value for p, value in zip(method.achieved_task.parameters, arguments)}
        for binding in self._bindings(method.parameters, head):
            conditions = [*method.preconditions, *method.non_temporal_constraints()]
            if all(self._holds(condition, binding, state) for condition in conditions):
                yield state, _replaced(others, name, self._expanded(method, binding, name)), 0

    def _bindings(self, parameters, head=None):
        head = head or {}
        choices = []
        for parameter in parameters:
            fitting = [self._object(item) for item in self.problem.objects(parameter.type)]
            choices.append([value for value in fitting if head.get(parameter.name, value) == value])
        for chosen in product(*choices):
            yield dict(zip(parameters, chosen))

    def _object(self, item):
        return self.environment.expression_manager.ObjectExp(item)

    def _fits(self, parameters, arguments):
        return all(value.object() in self.problem.objects(p.type) for p, value in zip(parameters, arguments))

    def _substituted(self, expression, binding):
        manager = self.environment.expression_manager
        known = {manager.ParameterExp(parameter): value for parameter, value in binding.items()}
        return self.environment.substituter.substitute(expression, known)

    def _holds(self, expression, binding, state):
        return self.evaluator.evaluate(self._substituted(expression, binding), state).is_true()

    def _expanded(self, network, binding, above):
        made = []
        for subtask in network.subtasks:
            arguments = tuple(self._substituted(node, binding) for node in subtask.parameters)
            before = [first for first, second in network.partial_order() if second == subtask.identifier]
            named = f"{above}.{subtask.identifier}"
            made.append((named, subtask.task, arguments, frozenset(f"{above}.{first}" for first in before)))
        return tuple(made)


def _replaced(others, gone, new):
    """Return the network without one entry; who waited for it waits for what it became."""
    heirs = frozenset(name for name, *_ in new)
    return tuple((n, t, a, (b - {gone}) | heirs if gone in b else b) for n, t, a, b in others) + tuple(new)


def _canonical(entries):
    place = {name: index for index, (name, *_) in enumerate(entries)}
    return tuple((t.name, a, tuple(sorted(place[one] for one in b))) for _, t, a, b in entries)
