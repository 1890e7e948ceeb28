"""What every task of an HDDL plan became, with a value for each variable of its method.

A plan in HDDL's format leaves out the variables of a method that neither its task nor its parts show; plans of
unified-planning have them all. They are found as the method's conditions want them, at the first moment at which these
hold, as the verifier finds that moment.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import Any

from planvow.errors import PlanvowError
from planvow.hddl.language.formula import TRUE, And
from planvow.hddl.language.model import HddlMethod, HddlProblem
from planvow.hddl.language.plan_format import HddlPlan
from planvow.hddl.verify.history import Binding, History
from planvow.hddl.verify.matching import assignments, bound_arguments

ROOT = -1


@dataclass(frozen=True)
class Expansion:
    """The method of a task, the values of its variables, and for each of its subtasks the part that it became."""

    method: HddlMethod
    binding: Binding
    parts: tuple[int, ...]


def expansions(problem: HddlProblem, plan: HddlPlan) -> dict[int, Expansion]:
    """Return the expansion of every task of a plan that the verifier accepts, by identifier; the root's is at ROOT."""
    walk = _Walk(problem, plan)
    _run(walk.end_of(ROOT, 0))
    return walk.found


def _run(work: Generator[Any, int, int]) -> None:
    """Run a generator that yields the generators it waits for: recursion as deep as the plan, without the stack."""
    stack, answer = [work], None
    while stack:
        try:
            stack.append(stack[-1].send(answer))  # type: ignore[arg-type]
            answer = None
        except StopIteration as done:
            stack.pop()
            answer = done.value


class _Walk:
    def __init__(self, problem: HddlProblem, plan: HddlPlan) -> None:
        self.problem, self.plan = problem, plan
        self.found: dict[int, Expansion] = {}
        self.history = History(problem)
        self.position = {step.step_id: index for index, step in enumerate(plan.steps)}
        self.parts = {part.task_id: part for part in plan.decompositions}
        self.calls = {step.step_id: (step.action, step.arguments) for step in plan.steps}
        self.calls.update({part.task_id: (part.task, part.arguments) for part in plan.decompositions})
        for step in plan.steps:
            action = problem.domain.action_named[step.action]
            self.history.apply(action, {p.name: name for p, name in zip(action.parameters, step.arguments)})
        self.span = self._spans()

    def _children(self, identifier: int) -> tuple[int, ...]:
        return self.plan.roots if identifier == ROOT else self.parts[identifier].children

    def _spans(self) -> dict[int, tuple[int, int]]:
        """Return the first and the last position of the actions below each task."""
        order = [ROOT]
        for identifier in order:
            order += () if identifier in self.position else self._children(identifier)
        span: dict[int, tuple[int, int]] = {}
        for identifier in reversed(order):
            if identifier in self.position:
                span[identifier] = (self.position[identifier], self.position[identifier])
            else:
                below = [span[child] for child in self._children(identifier)]
                first = min((one[0] for one in below), default=len(self.plan.steps))
                span[identifier] = (first, max((one[1] for one in below), default=-1))
        return span

    def end_of(self, identifier: int, earliest: int) -> Generator[Any, int, int]:
        """Expand a task that starts at `earliest` or later; return the moment at which all of it is over."""
        if identifier in self.position:
            return self.position[identifier] + 1
        expansion, moment = self._expansion(identifier, earliest)
        self.found[identifier] = expansion
        ends: dict[int, int] = {}
        network = expansion.method.network
        for index in network.topological_order:
            start = max([moment, *(ends[first] for first, second in network.ordering if second == index)])
            ends[index] = yield self.end_of(expansion.parts[index], start)
        return max([moment, *ends.values()])

    def _expansion(self, identifier: int, earliest: int) -> tuple[Expansion, int]:
        children = self._children(identifier)
        for method, head in self._methods(identifier):
            for slots, binding in assignments(method.network, [self.calls[child] for child in children], head):
                parts = tuple(child for _, child in sorted(zip(slots, children)))
                if all(self.span[parts[a]][1] < self.span[parts[b]][0] for a, b in method.network.ordering):
                    moment = self._moment(method, binding, earliest, self.span[identifier][0])
                    if moment is not None:
                        return Expansion(method, self._whole(method, binding, moment), parts), moment
        raise PlanvowError(f"the verifier accepted task {identifier} of a plan, but nothing expands it")

    def _methods(self, identifier: int) -> Iterator[tuple[HddlMethod, Binding]]:
        if identifier == ROOT:
            initial = self.problem.initial
            assert initial is not None
            yield HddlMethod(name="root", task="root", parameters=initial.parameters, network=initial.network), {}
            return
        part = self.parts[identifier]
        for method in self.problem.domain.methods_for[part.task]:
            head = bound_arguments(method, part.arguments) if method.name == part.method else None
            if head is not None:
                yield method, head

    def _moment(self, method: HddlMethod, binding: Binding, earliest: int, latest: int) -> int | None:
        if method.precondition == TRUE:
            latest = min(latest, earliest)
        conditions = And((method.network.constraint, method.precondition))
        moments = range(earliest, max(earliest, latest) + 1)
        return next((m for m in moments if self.history.can_hold(conditions, binding, method.parameters, m)), None)

    def _whole(self, method: HddlMethod, binding: Binding, moment: int) -> Binding:
        """Give each variable that is left the first object with which the conditions still can hold."""
        conditions = And((method.network.constraint, method.precondition))
        for parameter in method.parameters:
            if parameter.name not in binding:
                trials = ({**binding, parameter.name: name} for name in self.problem.choices_for(parameter))
                binding = next(t for t in trials if self.history.can_hold(conditions, t, method.parameters, moment))
        return binding
