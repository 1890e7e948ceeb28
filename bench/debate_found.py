"""Claims as they are found in debates whose labels did not help to find them, and the relations drawn between them.

Reading is most of the cost, and the models of relations do not change what is read: every debate is read once, with
sentence models of other debates, and relations are then drawn anew for each set of models.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import planvow.debate.analysis.reading as reading_module
from debate_corpora import CachedParser
from debate_relations import Component, Debate, debates, matches
from planvow.debate.analysis.reading import ParsedLanguage
from planvow.debate.readers.read import read_transcript
from planvow.debate.relations.linking import REACH_BACK, Linker, Links, candidates, may_link, pair_features_at
from planvow.debate.relations.relations import Proposition
from planvow.debate.scoring.features import Features
from planvow.debate.scoring.model import Linear, Table
from planvow.debate.terms.language import ClaimKey

FOLDS = 7


def folds(groups: Sequence[str], count: int = FOLDS) -> list[list[str]]:
    distinct = sorted(set(groups))
    return [distinct[at::count] for at in range(count)]


class Found(NamedTuple):
    """A debate with its claims as they were found and the components they stand for."""

    debate: Debate
    claims: list[tuple[ClaimKey, Proposition]]
    standing: dict[ClaimKey, Component]


def found_claims(
    parser: CachedParser, sentence_models: Callable[[Collection[str]], Mapping[str, Linear]]
) -> list[Found]:
    """Read every debate with the sentence models of the other groups of debates."""
    labelled = list(debates())
    found = []
    for held in folds([debate.group for debate in labelled]):
        silent = {name: Linear(weights={}, threshold=2.0) for name in ("attack", "link", "person", "thing")}
        table = Table(parser=parser.name, version="held out", models={**silent, **sentence_models(held)})
        for debate in labelled:
            if debate.group in held:
                found.append(_read(parser, table, debate))
    return found


def _read(parser: CachedParser, table: Table, debate: Debate) -> Found:
    claims: list[tuple[ClaimKey, Proposition]] = []

    class Listening(Linker):
        """Notes what it is told and draws nothing."""

        def add(self, key: ClaimKey, proposition: Proposition) -> None:
            claims.append((key, proposition))

        def relations_of_turn(self) -> Links:
            return Links([], [])

    transcript = read_transcript(debate.text)
    own: Any = reading_module
    own.Linker = Listening
    try:
        readings = list(ParsedLanguage(parser, table).read(transcript))
    finally:
        own.Linker = Linker
    return Found(debate, claims, matches(transcript, readings, debate))


class Pair(NamedTuple):
    """Two claims that may be linked, and how people linked the components they stand for ("" when they did not)."""

    group: str
    features: Features
    kind: str


def pairs_of(found: Found) -> Iterator[Pair]:
    """All pairs that the application would consider."""
    props = [proposition for _, proposition in found.claims]
    standing = [found.standing.get(key) for key, _ in found.claims]
    kinds = {(source, target): kind for kind, source, target in found.debate.links}
    begins = 0
    for index, own in enumerate(props):
        if index and props[index - 1].turn != own.turn:
            begins = index
        for target in candidates(props, index):
            if target < begins - REACH_BACK or not may_link(own, props[target]):
                continue
            one, other = standing[index], standing[target]
            kind = kinds.get((one.id, other.id), "") if one and other else ""
            yield Pair(found.debate.group, pair_features_at(props, index, target), kind)


def draw(found: Found, table: Table) -> Links:
    """The relations that the application draws between the claims found."""
    linker = Linker(table)
    drawn = Links([], [])
    by_turn: dict[int, list[tuple[ClaimKey, Proposition]]] = defaultdict(list)
    for key, proposition in found.claims:
        by_turn[key.turn_index].append((key, proposition))
    for claims in by_turn.values():
        for key, proposition in claims:
            linker.add(key, proposition)
        links = linker.relations_of_turn()
        drawn.shown.extend(links.shown)
        drawn.possible.extend(links.possible)
    return drawn
