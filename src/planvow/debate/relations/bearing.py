"""How a claim bears on its neighbours, read from its own words: argued at all or not, a position or a reason, of what.

Each bearing is a weighted sum of the features of the sentence, fitted on claims as they are found. Pairs are judged by
the bearings of both ends, since who reads like a reason for what came before argues for it more often than others do,
and by how close their words are, also against those that stand beside them; where a ranker says what sentences mean, by
that too.
"""

import math
from collections.abc import Mapping, Sequence
from operator import mul
from typing import NamedTuple

from planvow.debate.relations.contradiction import contradiction
from planvow.debate.relations.relations import Proposition
from planvow.debate.scoring.features import Features, Place, sentence_features
from planvow.debate.scoring.model import Linear, Table

ARGUING = ("argues_back", "argues_on", "argued_later", "argued_before")
ATTACKING = ("attacks_back", "attacks_on", "attacked_later", "attacked_before")
BEARINGS = ("marked", "thesis", *ARGUING, *ATTACKING)
"""Marked by people at all; a position, not a reason; a reason for what came before, or for what comes; given a reason
later, or before; and the same of what speaks against something."""
NEAR = 3  # three of four linked neighbours are no farther apart, and farther ones are seldom sure
FAR = "far"  # of pairs that are neither near nor in the same words, which are linked less often
MOST = 4.0  # a sum beyond it says no more
_TAKEN_UP = 2  # stems
_STEM = 5  # letters: "tax" and "taxes", "employ" and "employment"
_SUBJECT_WITHIN = 6  # words
_PRONOUNS = ("i", "we", "you", "he", "she", "they", "it", "this", "that", "there")

Bearing = dict[str, float]


class Wording(NamedTuple):
    """What of a claim's words is held against those of another."""

    stems: frozenset[str]
    words: tuple[str, ...]
    subject: str
    meaning: tuple[float, ...]
    """Of length 1; empty without a ranker."""


class Placed(NamedTuple):
    """A claim among the others, with its wording and how it bears on them."""

    proposition: Proposition
    wording: Wording
    bearing: Bearing


def claim_features(turn: Sequence[Proposition]) -> list[Features]:
    """Features of the claims of one turn, as far as the claims themselves show the turn."""
    size = turn[-1].sentence + 1 if turn else 0
    return [sentence_features(claim.words, Place(claim.sentence, size)) | claim.meaning for claim in turn]


def placed(turn: Sequence[Proposition], table: Table) -> list[Placed]:
    """The claims of a turn with their bearings: none where a table of planvow before debate/4 has no such models."""
    models = {name: table.models[name] for name in BEARINGS if name in table.models}
    found = claim_features(turn) if models else [{} for _ in turn]
    return [
        Placed(claim, wording(claim), bearing(features, models)) for claim, features in zip(turn, found, strict=True)
    ]


def bearing(features: Features, models: Mapping[str, Linear]) -> Bearing:
    """What each model says of one claim, from -1 to 1."""
    return {name: max(-1.0, min(1.0, model.score(features) / MOST)) for name, model in models.items()}


def wording(claim: Proposition) -> Wording:
    """The words of a claim as they are compared."""
    words = tuple(word.text.lower() for word in claim.words)
    subject = next((word for word in words[:_SUBJECT_WITHIN] if word in _PRONOUNS), "")
    length = math.sqrt(math.fsum(number * number for number in claim.meaning.values())) or 1.0
    meaning = tuple(number / length for number in claim.meaning.values())
    return Wording(frozenset(word[:_STEM] for word in claim.content), words, subject, meaning)


def is_near(claims: Sequence[Placed], source: int, target: int) -> bool:
    """Whether a target stands close by in the same turn."""
    same_turn = claims[source].proposition.turn == claims[target].proposition.turn
    return same_turn and abs(source - target) <= NEAR


def takes_up(claims: Sequence[Placed], source: int, target: int) -> bool:
    """Whether a claim has words of another speaker's, not by chance."""
    other = claims[source].proposition.speaker != claims[target].proposition.speaker
    return other and len(claims[source].wording.stems & claims[target].wording.stems) >= _TAKEN_UP


def may_show(claims: Sequence[Placed], source: int, target: int) -> bool:
    """Whether a relation to a target may be shown for its content alone."""
    return is_near(claims, source, target) or takes_up(claims, source, target)


def weighed_pair(pair: Features, claims: Sequence[Placed], source: int, target: int) -> Features:
    """The features of a pair with how close its ends are in words and how they bear on their neighbours."""
    close = {f"close:{name}": value for name, value in _closeness(claims, source, target).items()}
    bears = borne(claims[source].bearing, claims[target].bearing, target - source)
    return pair | _directed(close, target - source) | bears | _reached(claims, source, target)


def borne(source: Bearing, target: Bearing, distance: int) -> Features:
    """Features of how the ends of a pair bear on their neighbours; `distance` > 0 when the target comes later."""
    sides = (("source", source), ("target", target))
    bears = {f"{side}_bears:{name}": value for side, own in sides for name, value in own.items()}
    both = {f"both_bear:{name}": value * target[name] for name, value in source.items()}
    return _directed(bears | both, distance)


def _reached(claims: Sequence[Placed], source: int, target: int) -> Features:
    """How a target that does not stand close by is reached."""
    if is_near(claims, source, target):
        return {}
    if not takes_up(claims, source, target):
        return {FAR: 1.0}
    own, other = claims[source], claims[target]
    begins = source == 0 or claims[source - 1].proposition.turn != own.proposition.turn
    signs = {
        "words": True,
        "more_words": len(own.wording.stems & other.wording.stems) > _TAKEN_UP,
        "at_once": begins,
        "against": contradiction(own.proposition, other.proposition) is not None,
    }
    return {f"takes_up:{name}": 1.0 for name, holds in signs.items() if holds}


def _directed(numbers: Features, distance: int) -> Features:
    """Each number by the way from source to target, and once more between neighbours."""
    ways = ["forward" if distance > 0 else "back", *(["next"] if abs(distance) == 1 else [])]
    return {f"{name}_{way}": value for way in ways for name, value in numbers.items()}


def _closeness(claims: Sequence[Placed], source: int, target: int) -> dict[str, float]:
    """How much the words of two claims have in common, from -1 to 1."""
    mine, theirs = claims[source].wording, claims[target].wording
    shared = len(mine.stems & theirs.stems)
    around = [
        at
        for at in range(max(0, source - NEAR), min(len(claims), source + NEAR + 1))
        if at not in (source, target) and is_near(claims, source, at)
    ]
    beside = [len(mine.stems & claims[at].wording.stems) for at in around]
    found = {
        "stems": shared / max(1, min(len(mine.stems), len(theirs.stems))),
        "closer": max(-3, min(3, shared - max(beside, default=0))) / 3,
        "words": min(10, len(set(mine.words) & set(theirs.words))) / 10,
        "longer": max(-30, min(30, len(mine.words) - len(theirs.words))) / 30,
    }
    if mine.subject and mine.subject == theirs.subject:
        found["subject"] = 1.0
    for size in (1, 2):
        if mine.words[:size] == theirs.words[:size]:
            found[f"begins_{size}"] = 1.0
    own = claims[source].proposition
    if mine.meaning and theirs.meaning and own.sentence != claims[target].proposition.sentence:
        alike = cosine(mine, theirs)
        rivals = [cosine(mine, claims[at].wording) for at in around if claims[at].proposition.sentence != own.sentence]
        found |= {"meaning": alike, "meaning_closer": alike - max(rivals, default=0.0)}
    return found


def cosine(one: Wording, other: Wording) -> float:
    """The cosine of two meanings, rounded: the last bits differ between machines."""
    return round(math.fsum(map(mul, one.meaning, other.meaning)), 4)
