"""Which claims of a turn stand together as one argument.

An argument is a claim and everything in the same turn that is said in its support, directly or through other
claims. The relations between propositions decide, not the turn (spec/debate-evidence.md: most attacks stay inside
one speaker's own turn).
"""

from __future__ import annotations

from dataclasses import dataclass

from planvow.debate.language import RelationReading, TurnReading


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
    members: dict[int, list[int]] = {}
    for index in asserted:
        members.setdefault(_head(index, supports), []).append(index)
    return [
        Argument(head=head, supporters=tuple(index for index in members[head] if index != head))
        for head in sorted(members)  # reading order
    ]


def leading_relation(reading: TurnReading, argument: Argument) -> RelationReading | None:
    """Return the relation by which an argument answers another one: the surest that leaves it from its head.

    When the head has none, the surest attack by one of its supporters counts.
    """
    inside = {argument.head, *argument.supporters}
    leaving = [
        relation
        for relation in reading.relations
        if relation.source.turn_index == reading.turn_index
        and relation.source.claim_index in inside
        and not (relation.target.turn_index == reading.turn_index and relation.target.claim_index in inside)
    ]
    by_head = [relation for relation in leaving if relation.source.claim_index == argument.head]
    attacks = [relation for relation in leaving if relation.kind == "REBUTTAL"]
    chosen = by_head or attacks
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


def _head(index: int, supports: dict[int, int]) -> int:
    """Follow support to its end; in a circle the first claim spoken is the head."""
    path = [index]
    while path[-1] in supports:
        following = supports[path[-1]]
        if following in path:
            return min(path[path.index(following) :])
        path.append(following)
    return path[-1]
