"""Greedy best-first progression of partially ordered task networks.

A node is a state and a network: a tuple of entries (task, entries that must come before it, as a bit set of
positions). Only entries without a predecessor are free. The successors of a node are: carrying out any one free
action, and decomposing the first free compound task by any of its methods. Which compound task comes first does
not matter for completeness, because decomposing changes no fact: a method's precondition becomes an entry of its
own (a check) before all its subtasks. A check, or an action without effects, that is free and holds is carried out
at once: doing so never hurts.

Equal nodes are met once. If the queue runs empty there is no plan; recursion can keep it from ever running empty.

Source: Höller et al., HTN Planning as Heuristic Progression Search (JAIR 2020).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from planvow.hddl.grounded.greedy import Greedy
from planvow.hddl.grounded.problem import GroundMethod, GroundProblem, Item
from planvow.hddl.grounded.relaxed import RelaxedPlan
from planvow.hddl.lifted.derivation import Node

CHECK = -1
"""The task number of a check."""

Entry: TypeAlias = tuple[Item, int]
Network: TypeAlias = tuple[Entry, ...]


class _Step:
    """What was done to reach a node: the entry at a position was carried out, or decomposed by a method."""

    __slots__ = ("before", "length", "method", "position")

    def __init__(self, position: int, method: GroundMethod | None, before: _Step | None) -> None:
        self.position = position
        self.method = method
        self.before = before
        self.length: int = before.length + 1 if before is not None else 1


class PartialOrder(Greedy):
    """One greedy best-first search over states and networks."""

    def __init__(
        self,
        ground: GroundProblem,
        relaxed: RelaxedPlan,
        *,
        eager: bool,
        diverse: bool = False,
        max_depth: int | None = None,
    ) -> None:
        self._checks: dict[int, Item] = {}
        self._serial = len(ground.items)
        self._entries: dict[Entry, Entry] = {}
        self._visited: set[tuple[int, Network]] = set()
        start = (ground.init, ((ground.root, 0),), None)
        super().__init__(ground, relaxed, eager=eager, diverse=diverse, max_depth=max_depth, start=start)

    def _visit(self, state: int, network: Network, step: _Step | None) -> None:
        """Go on from a node that was reached (eager), or reach one whose last step is still to be done (lazy).

        Most nodes of a lazy search never have their turn, so they wait as a step and the network before it.
        """
        if not self._eager:
            self._reach(state, network if step is None else self._after(network, step), step)
        else:
            for after, last in self._steps(state, network, step):
                self._reach(after, self._after(network, last), last)
        self.expansions += 1

    def _reach(self, state: int, network: Network, step: _Step | None) -> None:
        """Estimate a node that is new; queue it (eager) or its successors under its estimate (lazy)."""
        if self.solution is not None:
            return
        state, network, step = self._harmless(state, network, step)
        self._ground.problem.deadline.spend(len(network))
        node = (state, network)
        if node in self._visited:
            return
        self._visited.add(node)
        if not network:
            if self._ground.is_goal(state):
                self._found(self._derivation(step))
            return
        estimate = self._estimate(state, network)
        length = step.length if step is not None else 0
        if self._is_hopeless(estimate, length):
            return
        if self._eager:
            self._frontier.put(estimate, False, length, (state, network, step))
            return
        task = next((item for item, before in network if not before and not item.is_action), None)
        preferred = self._relaxed.preferred(task) if task is not None else None
        for after, last in list(self._steps(state, network, step))[::-1]:
            is_less = last.method is not None and last.method is not preferred
            self._frontier.put(estimate, is_less, length, (after, network, last))

    def _steps(self, state: int, network: Network, step: _Step | None) -> Iterator[tuple[int, _Step]]:
        """Yield what can be done next, and the state after it."""
        is_decomposed = False
        for position, (item, before) in enumerate(network):
            if before:
                continue
            if item.is_action:
                after = item.applied(state)
                if after is not None:
                    yield after, _Step(position, None, step)
            elif not is_decomposed:
                is_decomposed = True
                for method in item.methods:
                    yield state, _Step(position, method, step)

    def _after(self, network: Network, step: _Step) -> Network:
        """Return the network after a step."""
        if step.method is None:
            return self._removed(network, step.position)
        return self._decomposed(network, step.position, step.method)

    def _harmless(self, state: int, network: Network, step: _Step | None) -> tuple[int, Network, _Step | None]:
        """Carry out free actions and checks that hold and change nothing."""
        position = 0
        while position < len(network):
            item, before = network[position]
            if not before and item.is_action and not item.may_add | item.may_delete and item.applied(state) is not None:
                network = self._removed(network, position)
                step = _Step(position, None, step)
                position = 0
            else:
                position += 1
        return state, network, step

    def _estimate(self, state: int, network: Network) -> int:
        self.evaluations += 1
        relaxed = self._relaxed
        goals = list(relaxed.goal)
        below = 0
        for item, _ in network:
            if item.task == CHECK:
                goals += relaxed.atoms(item.must, item.must_not)
            else:
                goals.append(relaxed.done(item))
                below |= relaxed.below(item)
        return relaxed.estimate_goals(state, goals, below)

    def _decomposed(self, network: Network, position: int, method: GroundMethod) -> Network:
        """Replace a free entry by a method's subtasks, after a check of the method's precondition if it has one."""
        check = self._check_of(method)
        subtasks = method.subtasks
        offset = position + (check is not None)
        gained = (check is not None) + len(subtasks) - 1
        new: list[Entry] = []
        if check is not None:
            new.append((check, 0))
        before = [1 << position if check is not None else 0 for _ in subtasks]
        for first, second in self._ground.problem.methods[method.number].ordering:
            before[second] |= 1 << offset + first
        new += zip(subtasks, before)
        new = list(map(self._shared, new))
        replaced = ((1 << gained + 1) - 1) << position
        low = (1 << position) - 1
        result: list[Entry] = []
        for index, entry in enumerate(network):
            if index == position:
                result += new
                continue
            predecessors = entry[1]
            moved = predecessors & low | predecessors >> position + 1 << position + 1 + gained
            if predecessors >> position & 1:
                moved |= replaced
            result.append(entry if moved == predecessors else self._shared((entry[0], moved)))
        return tuple(result)

    def _removed(self, network: Network, position: int) -> Network:
        """Return the network without the entry at a position; nothing has to wait for it any more."""
        low = (1 << position) - 1
        result: list[Entry] = []
        for index, entry in enumerate(network):
            if index != position:
                before = entry[1]
                moved = before & low | before >> position + 1 << position
                result.append(entry if moved == before else self._shared((entry[0], moved)))
        return tuple(result)

    def _shared(self, entry: Entry) -> Entry:
        """Return the one object that stands for equal entries: networks differ in few of them and are many."""
        return self._entries.setdefault(entry, entry)

    def _check_of(self, method: GroundMethod) -> Item | None:
        if not (method.must or method.must_not or method.test is not None):
            return None
        check = self._checks.get(id(method))
        if check is None:
            self._serial += 1
            check = self._checks[id(method)] = Item((CHECK, ()), self._serial, True)
            check.must, check.must_not, check.test = method.must, method.must_not, method.test
        return check

    def _derivation(self, last: _Step | None) -> tuple[Node, list[Node]]:
        """Replay the steps on a list of plan nodes that moves as the network's entries did."""
        steps: list[_Step] = []
        while last is not None:
            steps.append(last)
            last = last.before
        root = Node(self._ground.problem.root, ())
        nodes: list[Node | None] = [root]
        executed: list[Node] = []
        for step in reversed(steps):
            node = nodes[step.position]
            if step.method is None:
                if node is not None:
                    executed.append(node)
                del nodes[step.position]
            else:
                assert node is not None
                children: list[Node | None] = [None] if self._check_of(step.method) is not None else []
                children += node.decompose(step.method.number, step.method.subtasks)
                nodes[step.position : step.position + 1] = children
        return root, executed
