"""Which claims hang together: groups connected by relations, each laid out as a tree for drawing.

In a group every claim stands below the one it supports or attacks most surely. Relations that do not fit the tree are
kept beside it; nothing is left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Relation = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Exchange:
    """A group of connected claims."""

    rows: tuple[tuple[str, int], ...]
    """(claim id, depth) from top to bottom."""
    above: Mapping[str, str]
    """For each claim that stands below another: that other."""
    relations: tuple[Relation, ...]
    head: str
    """The claim with the most claims below it, the first spoken of equals."""

    def is_branch(self, relation: Relation) -> bool:
        """Say whether a relation is drawn by its place in the tree."""
        target: str = relation["target"]
        return self.above.get(relation["source"]) == target


def find_exchanges(claims: Sequence[Mapping[str, Any]], relations: Sequence[Relation]) -> list[Exchange]:
    """Return the groups of connected claims in the order they begin."""
    spoken = {claim["claim_id"]: (*claim["span"], claim["claim_id"]) for claim in claims}
    group = {claim_id: claim_id for claim_id in spoken}

    def root_of(claim_id: str) -> str:
        while group[claim_id] != claim_id:
            group[claim_id] = group[group[claim_id]]
            claim_id = group[claim_id]
        return claim_id

    for relation in relations:
        group[root_of(relation["source"])] = root_of(relation["target"])
    inside: dict[str, list[Relation]] = {}
    for relation in relations:
        inside.setdefault(root_of(relation["source"]), []).append(relation)
    found = [_exchange(related, spoken) for related in inside.values()]
    return sorted(found, key=lambda exchange: min(spoken[claim_id] for claim_id, _ in exchange.rows))  # as spoken


def _exchange(relations: Sequence[Relation], spoken: Mapping[str, tuple[Any, ...]]) -> Exchange:
    above = _parents(relations, spoken)
    members = sorted({end for r in relations for end in (r["source"], r["target"])}, key=spoken.__getitem__)
    below: dict[str, list[str]] = {}
    for claim_id in members:
        if claim_id in above:
            below.setdefault(above[claim_id], []).append(claim_id)
    rows: list[tuple[str, int]] = []
    waiting = [(claim_id, 0) for claim_id in reversed(members) if claim_id not in above]
    sizes: dict[str, int] = {}
    while waiting:
        claim_id, depth = waiting.pop()
        rows.append((claim_id, depth))
        waiting += [(child, depth + 1) for child in reversed(below.get(claim_id, ()))]
    for claim_id, _ in reversed(rows):  # claims below before those above
        sizes[claim_id] = 1 + sum(sizes[child] for child in below.get(claim_id, ()))
    head = max((claim_id for claim_id, depth in rows if depth == 0), key=lambda claim_id: sizes[claim_id])
    return Exchange(rows=tuple(rows), above=above, relations=tuple(relations), head=head)


def _parents(relations: Sequence[Relation], spoken: Mapping[str, tuple[Any, ...]]) -> dict[str, str]:
    """Return for each claim the one it is surest to support or attack; in a circle the first claim spoken is on top."""
    surest: dict[str, Relation] = {}
    for relation in relations:
        source = relation["source"]
        known = surest.get(source)
        if source != relation["target"] and (known is None or relation["confidence"] > known["confidence"]):
            surest[source] = relation
    above = {source: relation["target"] for source, relation in surest.items()}
    settled: set[str] = set()
    for claim_id in list(above):
        line: dict[str, int] = {}  # claim -> how far up
        at = claim_id
        while at in above and at not in settled and at not in line:
            line[at] = len(line)
            at = above[at]
        if at in line:
            del above[min((known for known, place in line.items() if place >= line[at]), key=spoken.__getitem__)]
        settled.update(line)
    return above
