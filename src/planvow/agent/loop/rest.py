"""What is left of an agenda when steps were done side by side, or when the domain's code has changed.

The engine repairs a plan whose steps were done up to the one that failed (`kernel.repair.replan`). Where steps behind
the failed one are done already, the agenda is put together here: what was done wholly is left out, what nobody touched
stays the task it was, and what was begun is taken apart into what is missing. Then it is planned like any other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from planvow.kernel.answer.planning import solve
from planvow.kernel.answer.result import Result
from planvow.kernel.domain.domain import Command
from planvow.kernel.domain.terms import Check
from planvow.kernel.search.problem import Problem
from planvow.kernel.search.table import as_goal, item_key
from planvow.kernel.world.state import State
from planvow.status import Status


@dataclass(frozen=True, kw_only=True)
class TreeNode:
    """One node of a derivation: the node above it (0 for none), what it is, and whether it is a command."""

    parent_id: int
    item: Any
    is_command: bool


def tree_of(result: Result) -> tuple[TreeNode, ...]:
    """Return a plan's derivation; node ids are places counted from 1."""
    return tuple(
        TreeNode(
            parent_id=parent_id,
            item=as_goal(item.goal) if isinstance(item, Check) else item,
            is_command=isinstance(how, Command),
        )
        for parent_id, item, how, _ in result.trail
    )


class Rest:
    """The part of a tree that was not executed."""

    def __init__(self, tree: Sequence[TreeNode], executed: frozenset[int]) -> None:
        self._tree = tree
        self._children: list[list[int]] = [[] for _ in range(len(tree) + 1)]
        self._below = [0] * (len(tree) + 1)
        self._done = [0] * (len(tree) + 1)
        for node_id in range(len(tree), 0, -1):
            node = tree[node_id - 1]
            self._below[node_id] += node.is_command
            self._done[node_id] += node_id in executed
            self._below[node.parent_id] += self._below[node_id]
            self._done[node.parent_id] += self._done[node_id]
            self._children[node.parent_id].append(node_id)
        for children in self._children:
            children.reverse()
        left = [n for n, node in enumerate(tree, 1) if node.is_command and n not in executed]
        self._first_left = left[0] if left else len(tree) + 1

    def agenda(self, redone: int | None = None) -> tuple[Any, ...]:
        """Return what is left to do; the node `redone` is put back as it stood, whatever of it was done."""
        return tuple(self._items(0, redone))

    def whole_items(self) -> tuple[Any, ...]:
        """Return the items of the agenda that are not wholly done, each as it stood."""
        roots = [n for n in self._children[0] if self._done[n] < self._below[n] or n > self._first_left]
        return tuple(self._tree[n - 1].item for n in roots)

    def _items(self, node_id: int, redone: int | None) -> Iterator[Any]:
        for child in self._children[node_id]:
            if child == redone:
                yield self._tree[child - 1].item
            elif not self._below[child]:
                if child > self._first_left:  # it decided that there was nothing to do, in a state that is to come
                    yield self._tree[child - 1].item
            elif not self._done[child] and not self._contains(child, redone):
                yield self._tree[child - 1].item
            elif self._done[child] < self._below[child] or self._contains(child, redone):
                yield from self._items(child, redone)

    def _contains(self, node_id: int, inner: int | None) -> bool:
        while inner is not None and inner > node_id:
            inner = self._tree[inner - 1].parent_id
        return inner == node_id and node_id != 0


def plan_rest(
    result: Result,
    observed: State,
    *,
    executed: frozenset[int],
    failed: int,
    banned: bool,
    interrupt: Callable[[], bool] | None = None,
) -> Result:
    """Plan what is left after a node failed: the node anew, or else the lowest of those above it that leads to a plan.

    `executed` are the nodes of the commands that were done, in whatever order.
    """
    tree = tree_of(result)
    rest = Rest(tree, executed)
    key = item_key(tree[failed - 1].item)
    base = replace(
        result.problem,
        state=observed.snapshot(),
        blacklist=result.problem.blacklist | ({key} if banned else frozenset()),
    )
    answer = Result(status=Status.NO_PLAN, problem=replace(base, todo=rest.agenda()))
    hit = None
    for node_id in _lineage(tree, failed):
        if banned and node_id == failed:
            continue
        answer = solve(replace(base, todo=rest.agenda(node_id)), interrupt=interrupt)
        hit = hit or answer.hit
        if answer.success or answer.status is Status.INTERRUPTED:
            return answer
    if hit is not None and answer.status is Status.NO_PLAN:
        return replace(answer, status=Status.BUDGET_EXCEEDED, hit=hit)
    return answer


def _lineage(tree: Sequence[TreeNode], node_id: int) -> Iterator[int]:
    while node_id > 0:
        yield node_id
        node_id = tree[node_id - 1].parent_id


def rest_problem(base: Problem, todo: Sequence[Any], observed: State) -> Problem:
    """Return the problem of planning an agenda anew from what was observed; nothing is forbidden there."""
    return replace(base, todo=tuple(todo), state=observed.snapshot())
