"""The solution graph: which task was broken down by which method into what (seed 001, section 3.3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from planvow.kernel.domain.domain import Command, Method
from planvow.kernel.domain.terms import item_json, item_text

ROOT_ID = 0


@dataclass(frozen=True, kw_only=True)
class GraphNode:
    """One node. Ids count from 1 in the order of the plan; 0 is the root."""

    node_id: int
    parent_id: int | None
    kind: str
    """root, task, goal, multigoal, sequence, command, satisfied (a goal that held already), check (looked at again)."""
    item: Any
    method: str | None = None
    children: tuple[int, ...] = ()
    tag: str = "new"
    """old for what was done before a repair, new for the rest."""

    @property
    def label(self) -> str:
        if self.kind == "root":
            return "agenda"
        return item_text(self.item)


@dataclass(frozen=True, kw_only=True)
class SolutionGraph:
    """A derivation tree, nodes by id.

    >>> [node.item for node in result.solution_graph.nodes][-1]
    ('walk', 'ann', 'park')
    """

    nodes: tuple[GraphNode, ...]

    @classmethod
    def from_trail(cls, trail: Sequence[tuple[int, Any, Any, int]], *, first_new_id: int = 1) -> SolutionGraph:
        """Build the tree from a finished path; nodes before `first_new_id` are tagged old."""
        children: list[list[int]] = [[] for _ in range(len(trail) + 1)]
        for node_id, (parent_id, _, _, _) in enumerate(trail, start=1):
            children[parent_id].append(node_id)
        nodes = [GraphNode(node_id=ROOT_ID, parent_id=None, kind="root", item=(), children=tuple(children[0]))]
        for node_id, (parent_id, item, how, _) in enumerate(trail, start=1):
            nodes.append(
                GraphNode(
                    node_id=node_id,
                    parent_id=parent_id,
                    kind=how if isinstance(how, str) else how.kind,
                    item=item,
                    method=how.name if isinstance(how, Method) else None,
                    children=tuple(children[node_id]),
                    tag="old" if node_id < first_new_id else "new",
                )
            )
        return cls(nodes=tuple(nodes))

    def __getitem__(self, node_id: int) -> GraphNode:
        return self.nodes[node_id]

    def __len__(self) -> int:
        return len(self.nodes)

    def __iter__(self) -> Iterator[GraphNode]:
        return iter(self.nodes)

    def commands(self) -> list[GraphNode]:
        """Return the command nodes in the order of the plan."""
        return [node for node in self.nodes if node.kind == Command.kind]

    def path_to(self, node_id: int) -> list[GraphNode]:
        """Return the nodes from below the root down to a node."""
        path: list[GraphNode] = []
        current: int | None = node_id
        while current:
            path.append(self.nodes[current])
            current = self.nodes[current].parent_id
        return path[::-1]

    def as_dict(self) -> list[dict[str, Any]]:
        """Return the nodes as JSON data."""
        return [
            {
                "id": node.node_id,
                "parent": node.parent_id,
                "kind": node.kind,
                "item": item_json(node.item.goal if node.kind == "check" else node.item),
                "method": node.method,
                "children": list(node.children),
                "tag": node.tag,
            }
            for node in self.nodes
        ]
