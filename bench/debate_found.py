"""Claims as they are found in debates whose labels did not help to find them, and the relations drawn between them.

Reading is most of the cost, and the models of relations do not change what is read: every debate is read once, with
sentence models of other debates, and relations are then drawn anew for each set of models.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import planvow.debate.analysis.reading as reading_module
from debate_corpora import CachedParser
from debate_relations import KINDS, Component, Debate, debates, linked, matches
from planvow.debate.analysis.reading import ParsedLanguage
from planvow.debate.readers.read import read_transcript
from planvow.debate.relations.bearing import (
    ARGUING,
    ATTACKING,
    BEARINGS,
    Placed,
    claim_features,
    may_show,
    weighed_pair,
    wording,
)
from planvow.debate.relations.linking import Linker, Links, candidates, may_link, pair_features_at
from planvow.debate.relations.relations import Proposition
from planvow.debate.scoring.features import Features
from planvow.debate.scoring.model import Linear, Ranker, Table
from planvow.debate.terms.language import ClaimKey, RelationReading

FOLDS = 7


def folds(groups: Sequence[str], count: int = FOLDS) -> list[list[str]]:
    distinct = sorted(set(groups))
    return [distinct[at::count] for at in range(count)]


class Found(NamedTuple):
    """A debate with its claims as they were found and the components they stand for."""

    debate: Debate
    claims: list[tuple[ClaimKey, Proposition]]
    standing: dict[ClaimKey, tuple[Component, ...]]


def found_claims(
    parser: CachedParser,
    sentence_models: Callable[[Collection[str]], Mapping[str, Linear]],
    ranker: Ranker | None = None,
) -> list[Found]:
    """Read every debate with the sentence models of the other groups; a ranker only says what sentences mean."""
    labelled = list(debates())
    found = []
    for held in folds([debate.group for debate in labelled]):
        silent = {name: Linear(weights={}, threshold=2.0) for name in ("attack", "link", "person", "thing")}
        table = Table(parser=parser.name, version="held out", models={**silent, **sentence_models(held)})
        for debate in labelled:
            if debate.group in held:
                found.append(_read(parser, table, debate, ranker))
    return found


def _read(parser: CachedParser, table: Table, debate: Debate, ranker: Ranker | None) -> Found:
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
        readings = list(ParsedLanguage(parser, table, ranker).read(transcript))
    finally:
        own.Linker = Linker
    return Found(debate, claims, matches(transcript, readings, debate))


class Taught(NamedTuple):
    """A claim as found, with what people's components and links teach of how it bears on its neighbours."""

    features: Features
    labels: dict[str, bool]
    """By bearing; absent where it teaches nothing."""


class Pair(NamedTuple):
    """Two claims that may be linked, and how people linked the components they stand for ("" when they did not)."""

    source: int
    target: int
    features: Features
    kind: str
    near: bool

    @property
    def way(self) -> int:
        """How many claims on the target stands; less than 0: back."""
        return self.target - self.source


class Lesson(NamedTuple):
    """A debate as found, with what it teaches about claims and pairs of them."""

    found: Found
    pairs: list[Pair]
    claims: list[Taught]


ONE_IN = 4
KINDS_DRAWN = ("support", "attack")


def by_turn(found: Found) -> list[list[int]]:
    """The places of the claims of each turn."""
    turns: dict[int, list[int]] = defaultdict(list)
    for at, (key, _) in enumerate(found.claims):
        turns[key.turn_index].append(at)
    return list(turns.values())


def pairs_of(found: Found) -> list[Pair]:
    """All pairs that the application would consider; of the far ones one of `ONE_IN`."""
    claims = [Placed(proposition, wording(proposition), {}) for _, proposition in found.claims]
    props = [proposition for _, proposition in found.claims]
    standing = [found.standing.get(key, ()) for key, _ in found.claims]
    pairs, far = [], 0
    for source, own in enumerate(props):
        for target in candidates(props, source):
            if not may_link(own, props[target]):
                continue
            near = may_show(claims, source, target)
            far += not near
            if not near and far % ONE_IN:
                continue
            ends = standing[source], standing[target]
            kind = next((kind for kind in KINDS_DRAWN if linked(*ends, found.debate.links, kind)), "")
            features = weighed_pair(pair_features_at(props, source, target), claims, source, target)
            pairs.append(Pair(source, target, features, kind, near))
    return pairs


def lesson(found: Found) -> Lesson:
    """What a debate teaches."""
    pairs = pairs_of(found)
    claims: list[Taught] = []
    for turn in by_turn(found):
        for at, features in zip(turn, claim_features([found.claims[i][1] for i in turn]), strict=True):
            components = found.standing.get(found.claims[at][0], ())
            labels = dict.fromkeys(BEARINGS[2:], False) | {"marked": bool(components)}
            claims.append(Taught(features, labels | ({"thesis": components[0].role == "CLAIM"} if components else {})))
    for pair in pairs:
        same_turn = found.claims[pair.source][0].turn_index == found.claims[pair.target][0].turn_index
        if pair.kind and same_turn:
            back, on, later, before = ARGUING if pair.kind == "support" else ATTACKING
            claims[pair.source].labels[back if pair.way < 0 else on] = True
            claims[pair.target].labels[later if pair.way < 0 else before] = True
    return Lesson(found, pairs, claims)


def funnel(read: Iterable[tuple[Found, Links]]) -> dict[str, float]:
    """Where links of people are lost: ends not found, pairs not considered, and what is drawn and shown of the rest.

    Each figure is a share of all links of that kind: what recall would be if nothing after that point were lost.
    """
    left: Counter[str] = Counter()
    for found, drawn in read:
        props = [proposition for _, proposition in found.claims]
        standing = [found.standing.get(key, ()) for key, _ in found.claims]
        marked = {component.id for components in standing for component in components}
        links = found.debate.links
        considered = {
            link
            for source in range(len(props))
            for target in candidates(props, source)
            if may_link(props[source], props[target])
            for kind in KINDS_DRAWN
            for link in linked(standing[source], standing[target], links, kind)
        }
        shown = _drawn(drawn.shown, found)
        possible = shown | _drawn(drawn.possible, found)
        for kind, source, target in found.debate.links:
            ends = (source, target)
            steps = {
                "links": True,
                "both ends found": marked.issuperset(ends),
                "considered": (kind, *ends) in considered,
                "drawn, of any kind": any((name, *ends) in possible for name in KINDS.values()),
                "drawn": (kind, *ends) in possible,
                "shown": (kind, *ends) in shown,
            }
            left.update(f"{kind} {step}" for step, holds in steps.items() if holds)
    return {
        name: count / left[f"{name.split()[0]} links"] for name, count in sorted(left.items()) if "links" not in name
    }


def _drawn(relations: Iterable[RelationReading], found: Found) -> set[tuple[str, str, str]]:
    """What each relation says of every two components that its ends stand for."""
    return {
        (KINDS[r.kind], source.id, target.id)
        for r in relations
        for source in found.standing.get(r.source, ())
        for target in found.standing.get(r.target, ())
    }


def draw(found: Found, table: Table) -> Links:
    """The relations that the application draws between the claims found."""
    linker = Linker(table)
    drawn = Links([], [])
    for turn in by_turn(found):
        for at in turn:
            linker.add(*found.claims[at])
        links = linker.relations_of_turn()
        drawn.shown.extend(links.shown)
        drawn.possible.extend(links.possible)
    return drawn
