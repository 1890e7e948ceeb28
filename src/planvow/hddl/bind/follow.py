"""A plan found elsewhere → a kernel result, without search.

The kernel's functions are called along the plan: each task's method must offer the very decomposition that the plan
has, each command must apply. What comes out is the result the kernel would have given had it found this plan itself,
so a plan of the HDDL solvers can be certified, explained and repaired.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from planvow.errors import RefusedError
from planvow.hddl.bind.binding import ROOT, BoundProblem
from planvow.hddl.bind.partial import PERFORM, free_entries
from planvow.hddl.language.plan_format import HddlPlan
from planvow.hddl.verify.matching import assignments
from planvow.kernel.answer.result import Result
from planvow.kernel.domain.domain import Method, Refusal
from planvow.kernel.domain.terms import MultiGoal
from planvow.kernel.search.problem import make_problem
from planvow.kernel.search.watcher import SATISFIED
from planvow.status import Status

_Call = tuple[str, ...]


def follow(bound: BoundProblem, plan: HddlPlan) -> Result:
    """Return the result that stands for this plan; raise RefusedError where the plan cannot be followed."""
    walk = _Walk(bound, plan)
    if bound.problem.initial is None:
        walk.classical()
    elif bound.is_totally_ordered:
        walk.tree()
    else:
        walk.network()
    for item in bound.todo:
        if isinstance(item, MultiGoal):
            walk.note(0, item, SATISFIED, 0)
        elif item[0] == ":goal":
            walk.take(item, 0, lambda answer: answer == [])
    return Result(
        status=Status.SOLVED if plan.steps else Status.SATISFIED,
        problem=make_problem(bound.domain, bound.state, bound.todo),
        trail=tuple(walk.trail),
        final_state=walk.state.snapshot(),
    )


class _Walk:
    def __init__(self, bound: BoundProblem, plan: HddlPlan) -> None:
        self.bound, self.plan = bound, plan
        self.state = bound.state.journaled()
        self.trail: list[tuple[int, Any, Any, int]] = []
        self.parts = {part.task_id: part for part in plan.decompositions}
        self.calls: dict[int, _Call] = {step.step_id: (step.action, *step.arguments) for step in plan.steps}
        self.calls.update({part.task_id: (part.task, *part.arguments) for part in plan.decompositions})

    def note(self, parent: int, item: Any, how: Any, ordinal: int) -> int:
        self.trail.append((parent, item, how, ordinal))
        return len(self.trail)

    def command(self, item: _Call, parent: int) -> None:
        """Do one action."""
        command = self.bound.domain.commands[item[0]]
        answer = command.model(self.state, *item[1:])
        if isinstance(answer, Refusal):
            raise RefusedError(f"the plan cannot be followed: ({' '.join(item)}): {answer.reason}")
        self.note(parent, item, command, 0)

    def take(self, item: Any, parent: int, is_wanted: Any, named: str | None = None) -> tuple[int, list[Any]]:
        """Break an item down in the wanted way; return its node and the decomposition."""
        for method in self.bound.domain.task_methods[item[0]]:
            if named is None or method.name.partition(" #")[0] == named:
                found = self.offered(method, item, is_wanted)
                if found is not None:
                    return self.note(parent, item, method, found[0]), found[1]
        raise RefusedError(f"the plan cannot be followed: no method gives its decomposition of {item[0]}")

    def offered(self, method: Method, item: Any, is_wanted: Any) -> tuple[int, list[Any]] | None:
        answer = method.function(self.state, *item[1:])
        offers: Iterable[Any] = () if answer is None or isinstance(answer, Refusal) else answer
        if isinstance(answer, list):
            offers = [answer]
        return next(((number, offer) for number, offer in enumerate(offers) if is_wanted(offer)), None)

    def classical(self) -> None:
        """Every action comes from `:reach`, which then stands at the end again."""
        parent = 0
        for step in self.plan.steps:
            item = self.calls[step.step_id]
            parent, _ = self.take((":reach",), parent, lambda offer, item=item: offer[:1] == [item])
            self.command(item, parent)
        self.take((":reach",), parent, lambda offer: offer == [])

    def tree(self) -> None:
        """Go through the decomposition depth first, which for a totally ordered plan is the order of execution."""
        parent = 0
        if self.bound.todo[:1] == ((ROOT,),):
            wanted = [self.calls[root] for root in self.plan.roots]
            parent, _ = self.take((ROOT,), 0, lambda offer: offer == wanted)
        waiting = [(root, parent) for root in reversed(self.plan.roots)]
        while waiting:
            identifier, parent = waiting.pop()
            item = self.calls[identifier]
            if identifier not in self.parts:
                self.command(item, parent)
                continue
            part = self.parts[identifier]
            wanted = [self.calls[child] for child in part.children]
            node, _ = self.take(item, parent, lambda offer, wanted=wanted: offer == wanted, part.method)
            waiting += [(child, node) for child in reversed(part.children)]

    def network(self) -> None:
        """Break down what can be broken down, as early as possible, and do the next action otherwise."""
        paths: dict[Any, int | None] = {(): None}
        item: Any = self.bound.todo[0]
        parent, done = 0, 0
        while item[1]:
            advanced = self._decomposed(item, parent, paths)
            if advanced is not None:
                parent, item = advanced
                continue
            step = self.plan.steps[done] if done < len(self.plan.steps) else None
            wanted = self.calls[step.step_id] if step else ()
            entry = next((e for e in free_entries(*item[1:]) if step and paths[e[0]] == step.step_id), None)
            if entry is None:
                raise RefusedError("the plan cannot be followed: its next action may not start yet", place=str(step))

            def is_wanted(offer: Any, wanted: _Call = wanted, entry: Any = entry) -> bool:
                return offer[0] == wanted and entry not in offer[1][1]

            parent, offer = self.take(item, parent, is_wanted, PERFORM)
            self.command(wanted, parent)
            item, done = offer[1], done + 1
        self.take(item, parent, lambda offer: offer == [])

    def _decomposed(self, item: Any, parent: int, paths: dict[Any, int | None]) -> tuple[int, Any] | None:
        """Break down one free compound task as the plan does, if its method applies now."""
        for entry in free_entries(*item[1:]):
            path, identifier = entry[0], paths[entry[0]]
            if identifier is not None and identifier not in self.parts:
                continue
            if identifier is None:
                initial = self.bound.problem.initial
                assert initial is not None
                name, networks, children = "start", [initial.network], self.plan.roots
            else:
                part = self.parts[identifier]
                methods = self.bound.problem.domain.methods_for[part.task]
                networks = [method.network for method in methods if method.name == part.method]
                name, children = f"{part.task}: {part.method}", part.children
            calls = [self.calls[child] for child in children]
            for network in networks:
                for slots, _ in assignments(network, [(call[0], call[1:]) for call in calls], {}):
                    made = {((*path, slot), *call) for slot, call in zip(slots, calls)}
                    kept = {other for other in item[1] if other != entry}

                    def is_wanted(offer: Any, whole: set[Any] = made | kept) -> bool:
                        return set(offer[0][1]) == whole

                    try:
                        node, offer = self.take(item, parent, is_wanted, name)
                    except RefusedError:
                        continue
                    paths.update({(*path, slot): child for slot, child in zip(slots, children)})
                    return node, offer[0]
        return None
