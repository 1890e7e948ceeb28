"""From the choices of a search to a plan: the decomposition tree and the order of the actions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

from planvow.hddl.language.plan_format import Decomposition, HddlPlan, PlanStep
from planvow.hddl.lifted.normal import NormalProblem


class Node:
    """A task of a plan: an action when `method` is None, else a compound task with what it became."""

    __slots__ = ("children", "method", "objects", "task")

    def __init__(self, task: int, objects: tuple[int, ...]) -> None:
        self.task = task
        self.objects = objects
        self.method: int | None = None
        self.children: tuple[Node, ...] = ()

    def size(self) -> int:
        """Return the number of tasks and actions below a node, itself included."""
        count, pending = 0, [self]
        while pending:
            count += 1
            pending += pending.pop().children
        return count

    def depth(self, last_named: int) -> int:
        """Return how deep tasks and actions are nested; tasks numbered past `last_named` are artificial, no level.

        The root itself has depth 0, so what the problem asks for has depth 1.
        """
        deepest, pending = 0, [(self, 0)]
        while pending:
            node, depth = pending.pop()
            deepest = max(deepest, depth)
            pending += [(child, depth + (child.task <= last_named)) for child in node.children]
        return deepest

    def without(self, first: int) -> None:
        """Put in place of every task below that is numbered from `first` on what it became."""
        pending = [self]
        while pending:
            node = pending.pop()
            while any(child.task >= first for child in node.children):
                parts = (child.children if child.task >= first else (child,) for child in node.children)
                node.children = tuple(chain.from_iterable(parts))
            pending += node.children

    def decompose(self, method: int, subtasks: Iterable[Any]) -> tuple[Node, ...]:
        """Note the method chosen and return the new children."""
        self.method = method
        self.children = tuple(Node(subtask.task, subtask.objects) for subtask in subtasks)
        return self.children


def leftmost(problem: NormalProblem, choices: Sequence[Any]) -> tuple[Node, list[Node]]:
    """Replay choices (task, method, subtasks) made for the leftmost compound task each time."""
    (root,) = replay(problem, (Node(problem.root, ()),), choices)
    return root, in_order(root)


def replay(problem: NormalProblem, nodes: Iterable[Node], choices: Iterable[Any]) -> list[Node]:
    """Return nodes like these, broken down by choices made for the leftmost compound task each time."""
    made = [Node(node.task, node.objects) for node in nodes]
    agenda = made[::-1]
    remaining = iter(choices)
    while agenda:
        node = agenda.pop()
        problem.deadline.spend()
        if node.task >= problem.action_count:
            choice = next(remaining)
            agenda.extend(reversed(node.decompose(choice.method, choice.subtasks)))
    return made


def in_order(root: Node) -> list[Node]:
    """Return the actions below a node from left to right."""
    found: list[Node] = []
    pending = [root]
    while pending:
        node = pending.pop()
        if node.method is None:
            found.append(node)
        pending.extend(reversed(node.children))
    return found


def to_plan(problem: NormalProblem, root: Node, executed: Sequence[Node]) -> HddlPlan:
    """Number actions in the order of execution, then compound tasks from the root down, and give them their names."""
    numbers = {id(node): number for number, node in enumerate(executed)}
    compound: list[Node] = []
    pending = [root]
    while pending:
        node = pending.pop()
        if node.method is not None:
            if node.task < problem.root:
                numbers[id(node)] = len(executed) + len(compound)
                compound.append(node)
            pending.extend(reversed(node.children))
    steps = []
    for number, node in enumerate(executed):
        problem.deadline.spend()
        name, *arguments = problem.task_text(node.task, node.objects)
        steps.append(PlanStep(step_id=number, action=name, arguments=tuple(arguments)))
    decompositions = []
    for node in compound:
        problem.deadline.spend()
        name, *arguments = problem.task_text(node.task, node.objects)
        assert node.method is not None
        decompositions.append(
            Decomposition(
                task_id=numbers[id(node)],
                task=name,
                arguments=tuple(arguments),
                method=problem.methods[node.method].name,
                children=tuple(numbers[id(child)] for child in _shown(problem, node)),
            )
        )
    if problem.is_classical:
        roots = tuple(range(len(executed)))
    else:
        roots = tuple(numbers[id(child)] for child in _shown(problem, root))
    return HddlPlan(steps=tuple(steps), roots=roots, decompositions=tuple(decompositions))


def _shown(problem: NormalProblem, node: Node) -> list[Node]:
    """Return a node's children, with what an artificial task became in place of the artificial task."""
    shown = []
    for child in node.children:
        while child.task >= problem.first_artificial:
            (child,) = child.children
        shown.append(child)
    return shown
