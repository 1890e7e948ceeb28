"""The Argument Interchange Format as AIFdb and its tools exchange it: what was said (L), what it says (I), and how
both hang together.

Each claim is a locution L that asserts (YA) a proposition I. Support is an inference RA, attack a conflict CA. The
transition TA from the earlier locution to the later one anchors (YA) the inference or conflict it creates.
Rephrasings (MA) are not detected and so never written. Ids are texts, as in AIFdb; names of people are cut into the
two parts its tools show.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

_SCHEMES = {"SUPPORT": ("RA", "Default Inference", "Arguing"), "REBUTTAL": ("CA", "Default Conflict", "Disagreeing")}


class _Graph:
    def __init__(self) -> None:
        self.nodes: list[dict[str, Any]] = []
        self.edges: list[dict[str, Any]] = []

    def node(self, kind: str, text: str) -> str:
        number = str(len(self.nodes) + 1)
        self.nodes.append({"nodeID": number, "text": text, "type": kind})
        return number

    def path(self, *nodes: str) -> None:
        for start, end in pairwise(nodes):
            edge = {"edgeID": str(len(self.edges) + 1), "fromID": start, "toID": end, "formEdgeID": None}
            self.edges.append(edge)


def to_aif(public: dict[str, Any]) -> dict[str, Any]:
    """Return nodes, edges, locutions and participants."""
    graph = _Graph()
    people: dict[str, str] = {}
    locutions: list[dict[str, Any]] = []
    said: dict[str, str] = {}
    means: dict[str, str] = {}
    for claim in public["claims"]:
        speaker = claim["speaker"] or "UNKNOWN"
        person = people.setdefault(speaker, str(len(people) + 1))
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
    spans = {claim["claim_id"]: claim["span"] for claim in public["claims"]}
    transitions: dict[tuple[str, str], str] = {}
    for relation in public["relations"]:
        kind, scheme, act = _SCHEMES[relation["type"]]
        source, target = relation["source"], relation["target"]
        link = graph.node(kind, scheme)
        graph.path(means[source], link, means[target])
        first, then = sorted((source, target), key=spans.__getitem__)  # a transition runs the way it was spoken
        if (first, then) not in transitions:
            transitions[first, then] = graph.node("TA", "Default Transition")
            graph.path(said[first], transitions[first, then], said[then])
        graph.path(transitions[first, then], graph.node("YA", act), link)
    return {
        "nodes": graph.nodes,
        "edges": graph.edges,
        "schemefulfillments": [],
        "locutions": locutions,
        "participants": [_participant(number, name) for name, number in people.items()],
    }


def _participant(number: str, name: str) -> dict[str, str]:
    *first, last = name.split() or [name]
    return {"participantID": number, "name": name, "firstname": " ".join(first), "surname": last}
