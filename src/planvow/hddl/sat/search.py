"""The search: encode a layer, ask the solver for a plan that needs no further one, else go on to the next.

The assumptions of a question are that no compound task is left at the last layer. Without them the clauses say less
than the problem does, so where they cannot hold even then there is no plan, however many layers there may be.

A step is some positions encoded or some conflicts of the solver, so the work can be continued slice by slice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from planvow.hddl.grounded.problem import GroundProblem
from planvow.hddl.lifted.derivation import Node, in_order
from planvow.hddl.sat.clauses import FALSE, Clauses, SatSolver
from planvow.hddl.sat.encoding import Encoding
from planvow.hddl.sat.layers import Position

CONFLICTS = 250
"""Conflicts of the solver between two questions whether to go on."""
CLAUSES_PER_EFFORT = 50
"""Clauses that count as one unit of effort, like one conflict."""
MAX_CLAUSES = 20_000_000
MAX_LAYERS = 1_000
"""How far the search goes at most."""


class LayeredSearch:
    """The hierarchy given to a solver, layer by layer. Continued slice by slice."""

    name = "sat"

    def __init__(self, ground: GroundProblem, solver: SatSolver, max_depth: int | None = None) -> None:
        self._problem = ground.problem
        self._solver = solver
        self._clauses = Clauses(solver, ground.problem.deadline)
        self._encoding = Encoding(ground, self._clauses)
        self._max_depth = max_depth
        self._max_layers = MAX_LAYERS if max_depth is None else self._layers(max_depth)
        self._first_layer = layers_needed(ground)
        self._layer = [self._encoding.root]
        self._steps = self._work()
        self._conflicts = 0
        self.effort = 0
        self.depth = 0
        self.best_heuristic: int | None = None
        self.solution: tuple[Node, list[Node]] | None = None
        self.is_exhausted = False
        self.is_proof = True

    def run(self, effort: int) -> None:
        """Go on for about `effort` units, or until `solution` or `is_exhausted` is set."""
        started, spent = self.effort, self._spent()
        while self.effort < started + effort:
            if next(self._steps, self) is self:
                break
            self.effort = started + self._spent() - spent
        self.effort = max(self.effort, started + 1)

    def _spent(self) -> int:
        return self._clauses.count // CLAUSES_PER_EFFORT + self._conflicts

    def statistics(self) -> dict[str, int]:
        """Return counts of what was done."""
        return {
            "layers": self.depth,
            "positions": len(self._layer),
            "variables": self._clauses.variables,
            "clauses": self._clauses.count,
            "conflicts": self._conflicts,
        }

    def _work(self) -> Iterator[None]:
        while True:
            if self.depth >= self._first_layer:
                yield from self._ask()
                if self.solution is not None or self.is_exhausted:
                    return
            if self.depth >= self._max_layers or self._clauses.count >= MAX_CLAUSES:
                self.is_exhausted, self.is_proof = True, False
                return
            yield from self._next_layer()

    def _next_layer(self) -> Iterator[None]:
        truths = self._encoding.beginning
        layer: list[Position] = []
        for position in self._layer:
            layer += self._encoding.expand(position, truths)
            truths = layer[-1].truths_after()
            yield
        self._layer = layer
        self.depth += 1

    def _ask(self) -> Iterator[None]:
        """Ask whether there is a plan without further layers; if not, whether there is any."""
        open_tasks = [-position.open for position in self._layer if position.open != FALSE]
        if FALSE in open_tasks:
            return
        answer = None
        while answer is None:
            self._problem.deadline.ask()
            answer = self._solver.solve(open_tasks, CONFLICTS)
            self._conflicts = self._solver.conflicts()
            yield
        if answer:
            self._found(self._decoded())
        elif not open_tasks or not self._solver.needed():
            self.is_exhausted = True

    def _found(self, root: Node) -> None:
        """Keep a plan, unless it is nested too deeply."""
        if self._max_depth is not None and root.depth(self._problem.root) > self._max_depth:
            self.is_exhausted, self.is_proof = True, False
        else:
            self.solution = root, in_order(root)

    def _decoded(self) -> Node:
        """Return the decomposition that the solver found."""
        model = self._solver.model()
        holds: Callable[[int], bool] = lambda literal: model[abs(literal) - 1] == literal  # noqa: E731
        top = self._encoding.root
        (task,) = top.items
        root = Node(task.task, task.objects)
        pending = [(root, task, top)]
        while pending:
            node, item, position = pending.pop()
            if item.is_action:
                continue
            method = next(choice.method for choice in position.choices[item] if holds(choice.literal))
            children = node.decompose(method.number, method.subtasks)
            for child, subtask, place in zip(children, method.subtasks, position.below):
                assert place is not None
                pending.append((child, subtask, place))
        return root

    def _layers(self, max_depth: int) -> int:
        """Return how many layers plans of a depth can have.

        An artificial task is a layer, and no level; and a task that becomes nothing has nothing one layer below it.
        """
        has_artificial = len(self._problem.task_names) > self._problem.first_artificial
        return min(MAX_LAYERS, max_depth * (2 if has_artificial else 1) + 1)


def layers_needed(ground: GroundProblem) -> int:
    """Return the fewest layers below the root at which nothing is left to be decomposed, conditions left aside."""
    needed = dict.fromkeys(ground.actions, 0)
    is_stable = False
    while not is_stable:
        is_stable = True
        for item in reversed(ground.tasks):
            ground.problem.deadline.spend(1 + len(item.methods))
            found = min(
                (
                    1 + max((needed[subtask] for subtask in method.subtasks), default=0)
                    for method in item.methods
                    if all(subtask in needed for subtask in method.subtasks)
                ),
                default=None,
            )
            if found is not None and found < needed.get(item, found + 1):
                needed[item] = found
                is_stable = False
    return needed.get(ground.root, 0)
