"""The Argument Interchange Format as JSON: what was said (L), what it says (I), and how both hang together.

Each claim is a locution L that asserts (YA) a proposition I. Support is an inference RA, attack a conflict CA. The
transition TA from the answered locution to the answering one anchors (YA) the inference or conflict it creates.
Rephrasings (MA) are not detected and so never written.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

_SCHEMES = {"SUPPORT": ("RA", "Default Inference", "Arguing"), "REBUTTAL": ("CA", "Default Conflict", "Disagreeing")}


class _Graph:
    def __init__(self) -> None:
        self.nodes: list[dict[str, Any]] = []
        self.edges: list[dict[str, Any]] = []

    def node(self, kind: str, text: str) -> int:
        number = len(self.nodes) + 1
        self.nodes.append({"nodeID": number, "text": text, "type": kind})
        return number

    def path(self, *nodes: int) -> None:
        for start, end in pairwise(nodes):
            self.edges.append({"edgeID": len(self.edges) + 1, "fromID": start, "toID": end})


def to_aif(public: dict[str, Any]) -> dict[str, Any]:
    """Return nodes, edges, locutions and participants."""
    graph = _Graph()
    people: dict[str, int] = {}
    locutions: list[dict[str, Any]] = []
    said: dict[str, int] = {}
    means: dict[str, int] = {}
    for claim in public["claims"]:
        speaker = claim["speaker"] or "UNKNOWN"
        person = people.setdefault(speaker, len(people) + 1)
        locution = graph.node("L", f"{speaker} : {claim['clean_text']}")
        proposition = graph.node("I", claim["standalone_text"])
        graph.path(locution, graph.node("YA", "Asserting"), proposition)
        said[claim["claim_id"]], means[claim["claim_id"]] = locution, proposition
        locutions.append(
            {
                "nodeID": locution,
                "personID": person,
                "claimID": claim["claim_id"],
                "span": claim["span"],
                "start_ms": claim["start_ms"],
                "end_ms": claim["end_ms"],
            }
        )
    for relation in public["relations"]:
        kind, scheme, act = _SCHEMES[relation["type"]]
        source, target = relation["source"], relation["target"]
        link = graph.node(kind, scheme)
        graph.path(means[source], link, means[target])
        transition = graph.node("TA", "Default Transition")
        first, then = sorted((said[source], said[target]))  # a transition runs the way it was spoken
        graph.path(first, transition, then)
        graph.path(transition, graph.node("YA", act), link)
    return {
        "nodes": graph.nodes,
        "edges": graph.edges,
        "locutions": locutions,
        "participants": [{"participantID": number, "name": name} for name, number in people.items()],
    }
