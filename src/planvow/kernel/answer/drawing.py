"""Pictures of a solution graph as plain text: a tree for terminals, Mermaid, DOT, and SVG drawn without any tool."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Any

from planvow.kernel.answer.graph import ROOT_ID, GraphNode, SolutionGraph

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
    method = f"  [{node.method}]" if node.method else ""
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
        label = _short(node.label) + (f"\n{node.method}" if node.method else "")
        quoted = label.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        style = ", style=rounded" if node.kind == "command" else ""
        lines.append(f'  n{node.node_id} [label="{quoted}"{style}];')
    lines += [f"  n{node.parent_id} -> n{node.node_id};" for node in graph if node.parent_id is not None]
    return "\n".join([*lines, "}"]) + "\n"


ROW, INDENT, CHARACTER, MARGIN = 24, 22, 7, 12


def svg(graph: SolutionGraph) -> str:
    """Return the graph as SVG: one row per node, indented by depth, in the order of the plan."""
    rows = [(min(depth, MAX_INDENT), node) for node, depth, _ in _walk(graph)]
    places = {node.node_id: (MARGIN + depth * INDENT, MARGIN + i * ROW) for i, (depth, node) in enumerate(rows)}
    widest = max(MARGIN * 2 + d * INDENT + CHARACTER * (len(_row_text(n)) + 3) for d, n in rows)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{widest}" height="{MARGIN * 2 + len(rows) * ROW}" '
        'font-family="monospace" font-size="12" role="img" aria-label="solution graph">'
    ]
    for _, node in rows:
        x, y = places[node.node_id]
        if node.parent_id is not None:
            px, py = places[node.parent_id]
            corner = f"M{px + 6} {py + 18} V{y + 10} H{x}"
            parts.append(f'<path d="{corner}" fill="none" stroke="#999"/>')
        fill = "#e8f1fb" if node.kind == "command" else "#ffffff"
        width = CHARACTER * (len(_row_text(node)) + 2)
        parts.append(f'<rect x="{x}" y="{y}" width="{width}" height="20" rx="4" fill="{fill}" stroke="#666"/>')
        parts.append(f'<text x="{x + CHARACTER}" y="{y + 14}" fill="#111">{escape(_row_text(node))}</text>')
    return "".join([*parts, "</svg>"])


Link = Any
"""Whether a node is its parent's last child, and the parent's own link: (is last, link of the parent) or None."""


def _walk(graph: SolutionGraph) -> Iterator[tuple[GraphNode, int, Link]]:
    """Yield nodes in pre-order with their depth and link; without recursion, for plans of any length."""
    stack: list[tuple[int, int, Link]] = [(ROOT_ID, 0, None)]
    while stack:
        node_id, depth, link = stack.pop()
        node = graph[node_id]
        yield node, depth, link
        for place, child in enumerate(reversed(node.children)):
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
    return _short(node.label) + (f"  [{node.method}]" if node.method else "")


def _short(label: str) -> str:
    line = " ".join(label.split())
    return line if len(line) <= MAX_LABEL else f"{line[: MAX_LABEL - 1]}…"


def _mermaid_text(text: str) -> str:
    return "".join(c if c.isalnum() or c in " _-.,:()[]=|/+…" else f"#{ord(c)};" for c in text)
