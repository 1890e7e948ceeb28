"""Which claims of a turn stand together as one argument.

An argument is a claim and everything in the same turn that is said in its support, directly or through other
claims. The relations between propositions decide, not the turn (spec/debate-evidence.md: most attacks stay inside
one speaker's own turn).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from planvow.debate.terms.language import RelationReading, TurnReading


@dataclass(frozen=True, kw_only=True)
class Argument:
    """Indices of claims in a turn's reading: the one argued for, and those that support it."""

    head: int
    supporters: tuple[int, ...] = ()


def asserted_claims(reading: TurnReading) -> list[int]:
    """Return the indices of the claims the speaker makes; quoted and supposed ones are not among them."""
    return [index for index, claim in enumerate(reading.claims) if claim.scope == "TURN"]


def group_arguments(reading: TurnReading) -> list[Argument]:
    """Group the asserted claims of a turn into arguments, in the order of their heads."""
    asserted = asserted_claims(reading)
    supports = _support_targets(reading, frozenset(asserted))
    heads: dict[int, int] = {}
    members: dict[int, list[int]] = {}
    for index in asserted:
        members.setdefault(_head(index, supports, heads), []).append(index)
    return [
        Argument(head=head, supporters=tuple(index for index in members[head] if index != head))
        for head in sorted(members)  # reading order
    ]


def leading_relation(
    turn_index: int, argument: Argument, leaving: Mapping[int, Sequence[RelationReading]]
) -> RelationReading | None:
    """Return the relation by which an argument answers another one: the surest that leaves it from its head.

    When the head has none, the surest attack by one of its supporters counts. `leaving` has the turn's relations by
    the claim they come from.
    """
    inside = {argument.head, *argument.supporters}

    def outward(claim: int) -> list[RelationReading]:
        return [
            relation
            for relation in leaving.get(claim, ())
            if relation.target.turn_index != turn_index or relation.target.claim_index not in inside
        ]

    chosen = outward(argument.head) or [
        relation for claim in argument.supporters for relation in outward(claim) if relation.kind == "REBUTTAL"
    ]
    return max(chosen, key=lambda relation: relation.confidence, default=None)  # the first of equals


def _support_targets(reading: TurnReading, asserted: frozenset[int]) -> dict[int, int]:
    """Return for each claim the one it supports most surely within the turn."""
    best: dict[int, RelationReading] = {}
    for relation in reading.relations:
        source, target = relation.source, relation.target
        same_turn = source.turn_index == target.turn_index == reading.turn_index
        if relation.kind != "SUPPORT" or not same_turn or source == target:
            continue
        if source.claim_index not in asserted or target.claim_index not in asserted:
            continue
        known = best.get(source.claim_index)
        if known is None or relation.confidence > known.confidence:
            best[source.claim_index] = relation
    return {index: relation.target.claim_index for index, relation in best.items()}


def _head(index: int, supports: dict[int, int], heads: dict[int, int]) -> int:
    """Follow support to its end; in a circle the first claim spoken is the head. `heads` remembers what was found."""
    path: dict[int, int] = {}  # claim -> how far along
    at = index
    while at not in heads and at not in path and at in supports:
        path[at] = len(path)
        at = supports[at]
    if at in heads:
        head = heads[at]
    elif at in path:
        head = min(claim for claim, place in path.items() if place >= path[at])
    else:
        head = at
    heads.update(dict.fromkeys(path, head))
    return head
