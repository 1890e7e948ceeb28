"""In which order steps stand: first what they wait for, then their place in the request (seed 002, Determinism Rules).

Defaults, where an operation has no `after` of its own: a write waits for every read that has none either, for
earlier writes to the same file; a test waits for those reads and for every write before it in the request. Reads
and notes wait for nothing. Where an intent's method gave the order, a group waits for the group before it instead; an
operation with `after` links belongs to the latest group it is linked to, so links and groups cannot contradict.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from typing import NamedTuple

from planvow.errors import did_you_mean
from planvow.governed.compile.request import Operation
from planvow.governed.errors import RequestOrderError
from planvow.governed.operation_kinds import Turn, turn_of


class Node(NamedTuple):
    """An operation with the names it can be waited for under; merged reads have several."""

    operation: Operation
    names: tuple[str, ...]


def dependencies(nodes: Sequence[Node]) -> list[list[int]]:
    """Return for each node the positions it waits for, in order."""
    known = {name: position for position, node in enumerate(nodes) for name in node.names}
    free_reads = [
        i for i, node in enumerate(nodes) if turn_of(node.operation.op) is Turn.READ and node.operation.after is None
    ]
    groups = _groups(nodes, known)
    found: list[set[int]] = []
    writes: list[int] = []
    for position, node in enumerate(nodes):
        operation = node.operation
        turn = turn_of(operation.op)
        if operation.after is not None:
            found.append(_linked(operation, known))
        elif operation.group is not None:
            found.append({*_group_before(groups, operation.group), *_same_file(nodes, writes, operation)})
        elif turn is Turn.WRITE:
            found.append({*free_reads, *_same_file(nodes, writes, operation)})
        elif turn is Turn.TEST:
            found.append({*free_reads, *writes})
        else:
            found.append(set())
        if turn is Turn.WRITE:
            writes.append(position)
    return [sorted(needs) for needs in found]


def _groups(nodes: Sequence[Node], known: dict[str, int]) -> dict[int, list[int]]:
    """Return the members of each group, linked operations with the latest of what they are linked to."""
    group_of = {i: node.operation.group for i, node in enumerate(nodes) if node.operation.group is not None}
    linked = [(i, _linked(nodes[i].operation, known)) for i in group_of if nodes[i].operation.after]
    moved = True
    while moved:  # groups only grow and there are finitely many, so this ends even where links run in a circle
        moved = False
        for position, links in linked:
            latest = max(group_of[position], *(group_of[other] for other in links))
            moved = moved or latest != group_of[position]
            group_of[position] = latest
    members: dict[int, list[int]] = {}
    for position, group in group_of.items():
        members.setdefault(group, []).append(position)
    return members


def _group_before(groups: dict[int, list[int]], group: int) -> list[int]:
    """Return the nearest earlier group that has members; merging reads may have emptied one."""
    earlier = [number for number in groups if number < group]
    return groups[max(earlier)] if earlier else []


def _same_file(nodes: Sequence[Node], writes: Sequence[int], operation: Operation) -> list[int]:
    """Return the earlier writes to the file an operation writes to."""
    if turn_of(operation.op) is not Turn.WRITE:
        return []
    return [i for i in writes if nodes[i].operation.refs["file_path"] == operation.refs["file_path"]]


def ordered(nodes: Sequence[Node], needs: Sequence[Sequence[int]]) -> list[int]:
    """Return the positions in plan order, or raise RequestOrderError showing a circle."""
    waiting = [len(needed) for needed in needs]
    followers: list[list[int]] = [[] for _ in nodes]
    for position, needed in enumerate(needs):
        for other in needed:
            followers[other].append(position)
    # Positions in the request are distinct, so they alone decide between steps that are ready.
    ready = [position for position, count in enumerate(waiting) if count == 0]
    heapq.heapify(ready)
    order = []
    while ready:
        position = heapq.heappop(ready)
        order.append(position)
        for follower in followers[position]:
            waiting[follower] -= 1
            if waiting[follower] == 0:
                heapq.heappush(ready, follower)
    if len(order) < len(nodes):
        raise _circle(nodes, needs, {position for position, count in enumerate(waiting) if count})
    return order


def _linked(operation: Operation, known: dict[str, int]) -> set[int]:
    found = set()
    for link, name in enumerate(operation.after or ()):
        if name not in known:
            raise RequestOrderError(
                f"{name[:80]!r} is not the id of an op, nor a symbol or file of this request",
                place=f"{operation.place}.after[{link}]",
                hint=did_you_mean(name, known),
            )
        found.add(known[name])
    return found


def _circle(nodes: Sequence[Node], needs: Sequence[Sequence[int]], stuck: set[int]) -> RequestOrderError:
    """Walk from a stuck node along what it waits for until a node comes again: the walk's end is a circle."""
    path = [min(stuck)]
    while path[-1] not in path[:-1]:
        path.append(next(other for other in needs[path[-1]] if other in stuck))
    circle = path[path.index(path[-1]) :]
    shown = " waits for ".join(nodes[i].operation.name or nodes[i].operation.place for i in circle)
    return RequestOrderError(
        f"these operations wait for one another: {shown}",
        place=nodes[circle[0]].operation.place,
        hint="take one of the `after` links out",
    )
