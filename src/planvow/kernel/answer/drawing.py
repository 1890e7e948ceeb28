"""Pictures of a solution graph as plain text: a tree for terminals, Mermaid, DOT, and SVG drawn without any tool."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from html import escape
from typing import Any

from planvow.kernel.answer.graph import ROOT_ID, GraphNode, SolutionGraph
from planvow.kernel.answer.paper import MOST_ROWS, fill, outlined, paper, seen, stroke

MAX_LABEL = 60
MAX_INDENT = 40
COMMAND_MARK = "▸ "
_MARKS = {"command": COMMAND_MARK, "satisfied": "✓ ", "check": "✓ "}


def text_tree(graph: SolutionGraph) -> str:
    """Return the graph as an indented tree: commands with ▸, goals that held with ✓, methods in brackets."""
    lines = []
    for node, depth, link in _walk(graph):
        lines.append(f"{_stem(depth, link)}{node_text(node)}")
    return "\n".join(lines)


def node_text(node: GraphNode) -> str:
    """Return one node as a line: its mark, what it is, by which method, and whether it was done before."""
    method = f"  [{seen(node.method)}]" if node.method else ""
    old = "  (done before)" if node.tag == "old" and node.kind == "command" else ""
    return f"{_MARKS.get(node.kind, '')}{_short(node.label)}{method}{old}"


def mermaid(graph: SolutionGraph) -> str:
    """Return the graph as a Mermaid flowchart."""
    lines = ["flowchart TD"]
    for node in graph:
        text = _mermaid_text(f"{_short(node.label)}{f' | {node.method}' if node.method else ''}")
        shape = f'(["{text}"])' if node.kind == "command" else f'["{text}"]'
        lines.append(f"  n{node.node_id}{shape}")
    lines += [f"  n{node.parent_id} --> n{node.node_id}" for node in graph if node.parent_id is not None]
    return "\n".join(lines) + "\n"


def dot(graph: SolutionGraph) -> str:
    """Return the graph in Graphviz's language."""
    lines = ["digraph plan {", '  node [shape=box, fontname="sans-serif"];']
    for node in graph:
        label = _short(node.label) + (f"\n{seen(node.method)}" if node.method else "")
        quoted = label.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        style = ", style=rounded" if node.kind == "command" else ""
        lines.append(f'  n{node.node_id} [label="{quoted}"{style}];')
    lines += [f"  n{node.parent_id} -> n{node.node_id};" for node in graph if node.parent_id is not None]
    return "\n".join([*lines, "}"]) + "\n"


ROW, INDENT, SIDE, MARGIN = 24, 22, 7, 12


def svg(graph: SolutionGraph, *, rows: int | None = MOST_ROWS) -> str:
    """Return the graph as SVG: a row per node, indented by depth, in the order of the plan.

    A large tree is folded: the nodes nearest to the top are drawn, and each says how many are hidden below it.
    """
    drawn = _nearest(graph, rows)
    below = _hidden_below(graph, drawn)
    lines = [
        (MARGIN + min(depth, MAX_INDENT) * INDENT, node, _row_text(node) + below.get(node.node_id, ""))
        for node, depth, _ in _walk(graph, drawn)
    ]
    places = {node.node_id: (x, MARGIN + at * ROW) for at, (x, node, _) in enumerate(lines)}
    note = f"{len(drawn):,} of {len(graph):,} nodes are drawn" if len(drawn) < len(graph) else ""
    width = max(x + _width(text) for x, _, text in [*lines, (MARGIN, None, note)]) + MARGIN
    height = MARGIN * 2 + (len(lines) + bool(note)) * ROW
    parts = [paper(width, height, f"Solution graph of {len(graph):,} nodes", font="monospace")]
    for x, node, text in lines:
        parent = None if node.parent_id is None else places[node.parent_id]
        parts += _box(node, x, places[node.node_id][1], text, parent)
    if note:
        parts.append(f'<text x="{MARGIN}" y="{height - MARGIN - 6}" {fill("quiet")}>{note}</text>')
    return "".join([*parts, "</svg>"])


def _box(node: GraphNode, x: int, y: int, text: str, parent: tuple[int, int] | None) -> Iterator[str]:
    if parent is not None:
        px, py = parent
        yield f'<path d="M{px + 6} {py + 20} V{y + 10} H{x}" fill="none" {stroke("line")}/>'
    look = outlined("command" if node.kind == "command" else "box", "line")
    yield f'<rect x="{x}" y="{y}" width="{_width(text)}" height="20" rx="4" {look}/>'
    yield f'<text x="{x + SIDE}" y="{y + 14}" {fill("ink")}>{escape(text)}</text>'


def _width(text: str) -> int:
    """Return how wide a box with a text is: a character of the font takes at most 7.25 pixels."""
    return len(text) * 29 // 4 + 2 * SIDE


def _nearest(graph: SolutionGraph, most: int | None) -> set[int]:
    """Return the nodes nearest to the top: level by level, at most so many."""
    if most is None or len(graph) <= most:
        return {node.node_id for node in graph}
    found = [ROOT_ID]
    for at in found:  # grows while it is read
        found += graph[at].children[: most - len(found)]
    return set(found)


def _hidden_below(graph: SolutionGraph, drawn: set[int]) -> dict[int, str]:
    """Return for each node that hides others a remark with their number."""
    if len(drawn) == len(graph):
        return {}
    hidden: dict[int, int] = {}
    for node, _, _ in reversed(list(_walk(graph))):  # children come before their parents
        if node.node_id not in drawn and node.parent_id is not None:
            hidden[node.parent_id] = hidden.get(node.parent_id, 0) + hidden.get(node.node_id, 0) + 1
    return {at: f"  … {count:,} more below" for at, count in hidden.items() if at in drawn}


Link = Any
"""Whether a node is its parent's last child, and the parent's own link: (is last, link of the parent) or None."""


def _walk(graph: SolutionGraph, only: Collection[int] | None = None) -> Iterator[tuple[GraphNode, int, Link]]:
    """Yield nodes in pre-order with their depth and link; without recursion, for plans of any length."""
    stack: list[tuple[int, int, Link]] = [(ROOT_ID, 0, None)]
    while stack:
        node_id, depth, link = stack.pop()
        node = graph[node_id]
        yield node, depth, link
        for place, child in enumerate(reversed(node.children)):
            if only is None or child in only:
                stack.append((child, depth + 1, (place == 0, link)))


def _stem(depth: int, link: Link) -> str:
    """Return what stands before a node in the text tree; beyond some depth a number stands for the outer levels."""
    if link is None:
        return ""
    parts = ["└─ " if link[0] else "├─ "]
    shown = 1
    link = link[1]
    while link is not None and shown < MAX_INDENT:
        parts.append("   " if link[0] else "│  ")
        shown += 1
        link = link[1]
    return (f"…{depth - shown} " if link is not None else "") + "".join(reversed(parts))


def _row_text(node: GraphNode) -> str:
    return _short(node.label) + (f"  [{seen(node.method)}]" if node.method else "")


def _short(label: str) -> str:
    line = seen(" ".join(label.split()))
    return line if len(line) <= MAX_LABEL else f"{line[: MAX_LABEL - 1]}…"


def _mermaid_text(text: str) -> str:
    return "".join(c if c.isalnum() or c in " _-.,:()[]=|/+…" else f"#{ord(c)};" for c in text)
