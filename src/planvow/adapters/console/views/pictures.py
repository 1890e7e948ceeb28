"""Plans in the formats others read: the engine's own pictures, drawn from a certificate."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from planvow.contract.certificate.items import item_from_data
from planvow.kernel.answer.drawing import dot, mermaid, svg
from planvow.kernel.answer.graph import ROOT_ID, GraphNode, SolutionGraph

FORMS = {
    "svg": "image/svg+xml",
    "mermaid": "text/plain; charset=utf-8",
    "dot": "text/vnd.graphviz; charset=utf-8",
    "json": "application/json",
    "certificate": "application/json",
}
ENDINGS = {"mermaid": "mmd", "certificate": "json"}
_TOLD = ("status", "planner", "domain", "asked", "root", "nodes", "steps")
_DRAWN = {"svg": svg, "mermaid": mermaid, "dot": dot}


def exported(form: str, certificate: Mapping[str, Any]) -> str:
    """Return a plan in one of the forms."""
    if form == "certificate":
        return json.dumps(certificate, ensure_ascii=False, separators=(",", ":")) + "\n"
    if form == "json":
        kept = {name: certificate.get(name) for name in _TOLD}
        return json.dumps(kept, ensure_ascii=False, indent=2) + "\n"
    return _DRAWN[form](graph_of(certificate))


def graph_of(certificate: Mapping[str, Any]) -> SolutionGraph:
    """Return the solution graph that a certificate holds; one of steps alone where it has no derivation."""
    nodes = certificate.get("nodes") or [
        {"id": number, "kind": "command", "item": _command(step), "children": []}
        for number, step in enumerate(certificate.get("steps") or (), start=1)
    ]
    tops = tuple(certificate.get("root") or range(1, len(nodes) + 1))
    above = {child: node["id"] for node in nodes for child in node["children"]}
    root = GraphNode(node_id=ROOT_ID, parent_id=None, kind="root", item=(), children=tops)
    made = [
        GraphNode(
            node_id=node["id"],
            parent_id=above.get(node["id"], ROOT_ID),
            kind=node["kind"],
            item=item_from_data(node["item"]),
            method=(node.get("call") or {}).get("method"),
            children=tuple(node["children"]),
        )
        for node in nodes
    ]
    return SolutionGraph(nodes=(root, *made))


def _command(step: Mapping[str, Any]) -> list[Any]:
    held = step.get("command")
    if isinstance(held, list):
        return held
    given = step.get("params") or step.get("refs") or {}
    return [str(step.get("skill") or step.get("op")), *(str(value) for value in given.values())]
