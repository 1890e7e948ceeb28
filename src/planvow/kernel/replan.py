"""Repairing a plan from the middle (seed 001, section 3.3).

What was done stays. The failed node, then its ancestors from the lowest up, are broken down anew in the state that
was observed, the same method being allowed again. After that the rest of the old plan is walked through first,
without search; when it still holds it is kept as it is, and only otherwise is the rest of the agenda planned again.
So a late failure costs what comes after it and not what came before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from planvow.errors import InputError
from planvow.kernel.domain import Command
from planvow.kernel.planning import solve
from planvow.kernel.problem import Problem
from planvow.kernel.replay import Walk
from planvow.kernel.result import Repair, Result, Statistics, result_of
from planvow.kernel.search import Search
from planvow.kernel.state import State
from planvow.kernel.table import item_key
from planvow.kernel.terms import Annotated
from planvow.kernel.watch import Found, Node
from planvow.status import Status


def replan(
    result: Result,
    state: State,
    fail_node_id: int,
    *,
    blacklist: bool = True,
    interrupt: Callable[[], bool] | None = None,
) -> Result:
    """Continue a plan whose node failed, from the state that was observed. `plan` holds what is still to be done.

    The failed command, with its arguments, is kept out of the new plan unless `blacklist` is False.
    """
    tree = Tree(result)
    if not 1 <= fail_node_id <= len(tree.trail):
        raise InputError(
            f"the solution graph has no node {fail_node_id}",
            hint="find_failed_nodes() and Result.solution_graph give ids",
        )
    _, failed_item, failed_how, _ = tree.trail[fail_node_id - 1]
    banned = blacklist and isinstance(failed_how, Command)
    base = replace(
        result.problem,
        state=state.snapshot(),
        blacklist=result.problem.blacklist | ({item_key(failed_item)} if banned else set()),
    )
    lineage = [node_id for node_id in tree.lineage(fail_node_id) if not (banned and node_id == fail_node_id)]
    # A banned command that stands in the agenda itself has no ancestor that could do without it.
    answer = Result(status=Status.NO_PLAN, problem=replace(base, todo=tuple(tree.pending(fail_node_id))))
    spent, hit = Statistics(), None
    for node_id in lineage:
        answer = _redo(tree, base, node_id, interrupt)
        spent, hit = _sum(spent, answer.statistics), hit or answer.hit
        if answer.success:
            repair = tree.repaired(answer, fail_node_id, node_id)
            return replace(answer, statistics=spent, repair=repair)
        if answer.status is Status.INTERRUPTED:
            break
    if hit is not None and answer.status is Status.NO_PLAN:
        answer = replace(answer, status=Status.BUDGET_EXCEEDED)
    return replace(answer, statistics=spent, hit=hit)


def _redo(tree: Tree, base: Problem, node_id: int, interrupt: Callable[[], bool] | None) -> Result:
    """Break one node down anew and go on: with the old rest if it still holds, else by search."""
    problem = replace(base, todo=tuple(tree.pending(node_id)))
    if problem.propagators or problem.optimal is not None:  # both judge a plan as a whole
        return solve(problem, interrupt=interrupt)
    search = Search(replace(problem, todo=problem.todo[:1]), interrupt=interrupt)
    found = next(search.run(), None)
    if found is None:
        return replace(result_of(search, None), problem=problem)
    rest = tree.rest(node_id)
    if _holds(search.state, problem, tree.trail, rest):
        trail = (*found.trail, *tree.moved(rest, len(found.trail)))
        whole = Found(trail, search.state.snapshot(), found.cost, found.reports, found.annotations)
        return replace(result_of(search, whole), problem=problem)
    return solve(problem, interrupt=interrupt)


def _holds(state: State, problem: Problem, trail: Sequence[Node], rest: range) -> bool:
    """Walk through old nodes on a state; say whether all of them answer as before."""
    walk = Walk(state, trail)
    for index in rest:
        _, item, how, _ = trail[index]
        if problem.blacklist and isinstance(how, Command) and item_key(item) in problem.blacklist:
            return False
        if walk.step(index) is not None:
            return False
    return True


class Tree:
    """The solution tree of a result, as repairs see it. Indexes count from 0, node ids from 1."""

    def __init__(self, result: Result) -> None:
        self.result = result
        self.trail = tuple(result.repair.trail if result.repair is not None else result.trail)
        self._agendas: dict[int, list[int]] = {}

    def lineage(self, node_id: int) -> Iterator[int]:
        """Yield a node and its ancestors, lowest first, without the root."""
        while node_id > 0:
            yield node_id
            node_id = self.trail[node_id - 1][0]

    def pending(self, node_id: int) -> Iterator[Any]:
        """Yield the agenda at a node: its item and everything that stood behind it."""
        for later in self._pending_ids(node_id):
            item = self.trail[later - 1][1]
            metadata = self._metadata(later)
            yield item if metadata is None else Annotated(item, metadata)

    def rest(self, node_id: int) -> range:
        """Return the indexes of the nodes after a node's subtree."""
        behind = self._pending_ids(node_id)[1:]
        return range(behind[0] - 1 if behind else len(self.trail), len(self.trail))

    def moved(self, rest: range, shift_to: int) -> Iterator[Node]:
        """Yield old nodes as part of a new trail in which they begin after `shift_to` nodes."""
        shift = shift_to - rest.start
        for index in rest:
            parent_id, item, how, ordinal = self.trail[index]
            yield parent_id + shift if parent_id > rest.start else 0, item, how, ordinal

    def repaired(self, answer: Result, failed_node_id: int, redone_node_id: int) -> Repair:
        """Put the new nodes in the place of the old ones."""
        owners = [self.trail[node_id - 1][0] for node_id in self._pending_ids(redone_node_id)]
        kept = list(self.trail[: redone_node_id - 1])
        shift, top = len(kept), -1
        for parent_id, item, how, ordinal in answer.trail:
            top += parent_id == 0
            kept.append((parent_id + shift if parent_id else owners[top], item, how, ordinal))
        return Repair(
            previous=self.result,
            failed_node_id=failed_node_id,
            redone_node_id=redone_node_id,
            trail=tuple(kept),
            stability=self._stability(answer, failed_node_id),
        )

    def _pending_ids(self, node_id: int) -> list[int]:
        """Return a node, its later siblings, those of its parent, and so on: the agenda, by node ids."""
        if node_id not in self._agendas:
            open_parents = {0, *self.lineage(node_id)} - {node_id}
            later = range(node_id + 1, len(self.trail) + 1)
            self._agendas[node_id] = [node_id, *(i for i in later if self.trail[i - 1][0] in open_parents)]
        return self._agendas[node_id]

    def _metadata(self, node_id: int) -> Any:
        first_new_id = self.result.repair.redone_node_id if self.result.repair is not None else 1
        return self.result.annotations.get(node_id - first_new_id + 1)

    def _stability(self, answer: Result, failed_node_id: int) -> float:
        """Return the share of the old commands still to come that the new plan has as well."""
        old = Counter(
            item_key(item) for _, item, how, _ in self.trail[failed_node_id - 1 :] if isinstance(how, Command)
        )
        return (old & Counter(answer.plan)).total() / old.total() if old else 1.0


def _sum(a: Statistics, b: Statistics) -> Statistics:
    return Statistics(
        iterations=a.iterations + b.iterations,
        backtracks=a.backtracks + b.backtracks,
        max_depth=max(a.max_depth, b.max_depth),
    )
