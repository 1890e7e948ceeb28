"""Greedy best-first search over a totally ordered ground problem.

A node is a state and an agenda that starts with a compound task for which there is a real choice: actions in front are
carried out and tasks with one possible method are decomposed on the way. Nodes that lack what their agenda needs are
pruned before they are estimated, equal nodes are met once. The node with the smallest estimate (a relaxed plan) is
expanded next (`frontier` says which among equals).

Estimates are dear. A lazy search estimates a node only when it is taken from the queue, under the estimate of the
node it came from, the child that the relaxed plan uses first. An eager search estimates every child at once (few
of them: a node with many children is treated lazily).

Left recursion can make agendas grow without end, so the search may run for ever; when it does end without a plan,
there is none. A partially ordered problem is read in the order in which its methods list their subtasks: every plan of
that reading is a plan, and many problems have one there that a search over networks does not come to; its end proves
nothing.
"""

from __future__ import annotations

from typing import Any

from planvow.hddl.grounded.greedy import Greedy
from planvow.hddl.grounded.problem import GroundMethod, GroundProblem
from planvow.hddl.grounded.relaxed import RelaxedPlan
from planvow.hddl.lifted.agenda import Agenda, AgendaBook
from planvow.hddl.lifted.depth_first import Choice
from planvow.hddl.lifted.derivation import leftmost

MAX_FORCED = 5_000
"""Decompositions without a choice that are followed in a row; left recursion could follow them for ever."""
MAX_EAGER = 64
"""Children of one node that an eager search estimates at once."""


class _Path:
    """The choices that led to a node, as a linked list."""

    __slots__ = ("before", "length", "method")

    def __init__(self, method: GroundMethod, before: _Path | None) -> None:
        self.method = method
        self.before = before
        self.length: int = before.length + 1 if before is not None else 1


class BestFirst(Greedy):
    """One greedy best-first search over states and agendas."""

    def __init__(
        self,
        ground: GroundProblem,
        relaxed: RelaxedPlan,
        *,
        eager: bool,
        novel: bool = False,
        diverse: bool = False,
        max_depth: int | None = None,
    ) -> None:
        self._book = AgendaBook(ground.goal_must, ground.goal_must_not, ground.goal_possible)
        self._below: dict[int, int] = {0: 0}
        self._visited: set[tuple[int, int]] = set()
        agenda = self._book.put((ground.root,), self._book.empty) if ground.is_solvable else self._book.empty
        start = (ground.init, agenda, None, None)
        super().__init__(ground, relaxed, eager=eager, novel=novel, diverse=diverse, max_depth=max_depth, start=start)
        if not ground.problem.is_totally_ordered:
            self.name += " in order"
            self.is_proof = False

    def _visit(self, state: int, agenda: Agenda, path: _Path | None, children: Any) -> None:
        if children is None:
            self._reach(state, agenda, path)
        else:
            self._expand(state, children, path)

    def _expand(self, state: int, children: list[tuple[GroundMethod, Agenda]], path: _Path | None) -> None:
        self.expansions += 1
        for method, child in children:
            self._reach(state, child, _Path(method, path))
            if self.solution is not None:
                return

    def _children(self, state: int, agenda: Agenda) -> list[tuple[GroundMethod, Agenda]]:
        found = []
        rest = agenda.rest
        for method in agenda.task.methods:
            if (
                method.needs & ~state
                or method.needs_not & state
                or (method.test is not None and not method.test(state))
            ):
                continue
            child = self._book.put(method.subtasks, rest)
            if not (child.is_dead or child.must & ~state or child.must_not & state):
                found.append((method, child))
        return found

    def _reach(self, state: int, agenda: Agenda, path: _Path | None) -> None:
        """Follow forced steps from a node; if it is new and not hopeless, put its children into the queue."""
        forced = 0
        deadline = self._ground.problem.deadline
        while True:
            deadline.spend()
            if agenda.must & ~state or agenda.must_not & state or agenda.is_dead:
                return
            task = agenda.task
            if task is None:
                if self._ground.goal_test is None or self._ground.goal_test(state):
                    self._finish(path)
                return
            if task.is_action:
                after = task.applied(state)
                if after is None:
                    return
                state, agenda = after, agenda.rest
                continue
            node = (state, agenda.serial)
            if node in self._visited:
                return
            self._visited.add(node)
            children = self._children(state, agenda)
            if len(children) != 1 or forced == MAX_FORCED:
                break
            forced += 1
            self.expansions += 1
            path = _Path(children[0][0], path)
            agenda = children[0][1]
        if not children:
            return
        self.evaluations += 1
        estimate = self._estimate(state, agenda)
        length = path.length if path is not None else 0
        if self._is_hopeless(estimate, length):
            return
        if self._eager and len(children) <= MAX_EAGER:
            whole = (state, agenda, path, children)
            self._frontier.put(estimate, False, length, whole, state=state, front=task)
            return
        preferred = self._relaxed.preferred(task)
        self.expansions += 1
        for method, child in reversed(children):
            half = (state, child, _Path(method, path), None)
            self._frontier.put(estimate, method is not preferred, length, half, state=state, front=child.task)

    def _estimate(self, state: int, agenda: Agenda) -> int:
        """Return how far it still is from a node, or UNREACHABLE."""
        return self._relaxed.estimate(state, agenda, self._items_below(agenda))

    def _items_below(self, agenda: Agenda) -> int:
        """Return all items that the tasks of an agenda may bring about, kept for every agenda met."""
        known = self._below
        chain = []
        while agenda.serial not in known:
            chain.append(agenda)
            agenda = agenda.rest
        found = known[agenda.serial]
        for longer in reversed(chain):
            more = found | self._relaxed.below(longer.task)
            if more != found:
                found = more
            known[longer.serial] = found
        return found

    def _finish(self, path: _Path | None) -> None:
        choices = []
        while path is not None:
            choices.append(Choice(path.method.task, path.method.number, path.method.subtasks))
            path = path.before
        self._found(leftmost(self._ground.problem, choices[::-1]))
