"""Choosing the target of each proposition once a turn is complete.

A proposition sees its neighbours in the turn on both sides and the last propositions of the turns before. One
target or none is chosen by the link model; the attack model then says whether it supports or rebuts. How often
people drew such a link between claims as they are found is a question of its own: what is too unsure is only possible.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from planvow.debate.relations.answers import Answer, answer_of
from planvow.debate.relations.bearing import Placed, may_show, placed, weighed_pair
from planvow.debate.relations.opposites import say_opposites
from planvow.debate.relations.relations import WINDOW, Proposition, pair_features
from planvow.debate.relations.stance import agrees_with
from planvow.debate.scoring.features import Features
from planvow.debate.scoring.model import LINKED, OPPOSED, SHOWING, Table
from planvow.debate.scoring.wording import CONSIDERED, phrases
from planvow.debate.terms.language import Basis, ClaimKey, RelationKind, RelationReading
from planvow.debate.words.lexicon import FUNCTION_WORDS

ANSWER_CONFIDENCE = 0.5
SURE_ANSWER = 0.05
"""How sure the showing models have to be of an attack that words tell, to show it."""
REACH_BACK = 14  # propositions of earlier turns that can still be answered
_PERSONS = frozenset({"you", "your", "he", "his", "him", "she", "her", "opponent"})
_OPPOSED_CLASSES = (("rising", "falling"), ("falling", "rising"), ("praise", "blame"), ("blame", "praise"))
_NONE_CLASSES = ("disagreement", "agreement", "contrast", "reasoning", "evidence", "obligation", "quantity", "deixis")


class Links(NamedTuple):
    """Relations of a turn: those that are shown by default, and those that are only possible."""

    shown: list[RelationReading]
    possible: list[RelationReading]


class _Judged(NamedTuple):
    """What a relation would be: which kind, what speaks for it, and what is said of that."""

    kind: RelationKind
    bases: tuple[Basis, ...]
    said: str
    drawn: float
    """How sure the models that drew it are, where components are given."""


class Linker:
    """Collects propositions and gives the relations of each finished turn."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._shows = all(name in table.models for name in SHOWING.values())
        self._earlier: list[tuple[ClaimKey, Placed]] = []
        self._turn: list[tuple[ClaimKey, Proposition]] = []

    def add(self, key: ClaimKey, proposition: Proposition) -> None:
        self._turn.append((key, proposition))

    def relations_of_turn(self) -> Links:
        turn = placed([proposition for _, proposition in self._turn], self._table)
        everything = [*self._earlier, *zip((key for key, _ in self._turn), turn, strict=True)]
        keys, claims = [key for key, _ in everything], [claim for _, claim in everything]
        props = [claim.proposition for claim in claims]
        sure: dict[RelationReading, bool] = {}
        for index in range(len(self._earlier), len(everything)):
            sure.update(self._relations(keys, claims, props, index))
        found = one_way(list(sure))
        sentences = {key: said.sentence for key, said in self._turn}
        shown = once_a_sentence([r for r in found if sure[r]], sentences)
        rest = set(found).difference(shown)
        self._earlier = everything[-REACH_BACK:]
        self._turn = []
        return Links(shown, [r for r in found if r in rest])

    def _relations(
        self, keys: list[ClaimKey], claims: list[Placed], props: list[Proposition], index: int
    ) -> Iterator[tuple[RelationReading, bool]]:
        """The relations that leave a proposition, each with whether it is sure enough to be shown."""
        targets = candidates(props, index)
        pairs = [pair_features_at(props, index, target) for target in targets]
        link = self._table["link"]
        scores = link.choice(pairs, none_features(props, index))
        allowed = [may_link(props[index], props[target]) for target in targets]
        chosen = chosen_targets(scores, allowed, link.threshold)
        answer = answer_of(props, index, targets, scores, chosen)
        near = [
            at for at, target in enumerate(targets) if self._shows and allowed[at] and may_show(claims, index, target)
        ]
        for at in dict.fromkeys((*answer.chosen, *near)):
            pairs[at] = weighed_pair(pairs[at], claims, index, targets[at])
        surest = self._surest(pairs, near)
        for at in dict.fromkeys((*answer.chosen, *surest)):
            judged = self._judged(props, index, targets[at], pairs[at], scores[at], answer)
            taken = judged is not None and not {"stance", "contradiction"}.isdisjoint(judged.bases)
            kind = surest.get(at)
            if kind is not None and not taken and (judged is None or judged.kind != kind):
                judged = _Judged(kind, _cues(pairs[at], kind), "", scores[at])
            if judged is None:
                continue
            sure = self._sure(judged, pairs[at])
            answers = bool(answer.marker) and judged.kind == "REBUTTAL" and _others(props, index, targets[at])
            relation = RelationReading(
                kind=judged.kind,
                source=keys[index],
                target=keys[targets[at]],
                confidence=round(max(sure, ANSWER_CONFIDENCE) if answers else sure, 4),
                reasons=(*([judged.said] if judged.said else []), *self._reasons(judged.kind, pairs[at])),
                bases=judged.bases,
            )
            told = (taken or answers) and (judged.kind == "SUPPORT" or sure >= SURE_ANSWER)
            yield relation, told or kind == judged.kind or not self._shows

    def _judged(
        self, props: list[Proposition], index: int, place: int, pair: Features, score: float, answer: Answer
    ) -> _Judged | None:
        """What the link to a chosen target says: stance first, then what turns against it, then the attack model."""
        own, target, attack = props[index], props[place], self._table["attack"]
        other = _others(props, index, place)
        probability = attack.probability(pair)
        if other and agrees_with(answer.stance, target.speaker, answer.before):
            said = f"agrees with the other speaker: {answer.stance.phrase!r}"
            return _Judged("SUPPORT", ("stance",), said, score * max(0.5, 1 - probability))
        answers = other and bool(answer.marker)
        likely = is_attack(pair, probability, attack.threshold)
        if answers or (likely and opposes(own, target)):
            # "But" makes an attack at least as likely as not, whatever else speaks against it.
            turned = max(probability, 0.5) if probability < attack.threshold else probability
            said = f"answers the other speaker: {answer.marker!r}" if answers else ""
            bases = (answer.basis,) if answers else _cues(pair, "REBUTTAL")
            return _Judged("REBUTTAL", bases, said, score * turned)
        if other and "agreement" not in own.classes:
            return None  # who does not say so argues neither for another speaker nor against one
        return _Judged("SUPPORT", _cues(pair, "SUPPORT"), "", score * (1 - probability))

    def _surest(self, pairs: Sequence[Features], near: Sequence[int]) -> dict[int, RelationKind]:
        """The near target that is surest to be argued for, and the one against, where that is sure enough."""
        found: dict[int, RelationKind] = {}
        kinds: tuple[RelationKind, ...] = ("SUPPORT", "REBUTTAL")
        for kind in kinds if near else ():
            probabilities = {at: self._probability(kind, pairs[at]) for at in near}
            best = max(near, key=lambda at: probabilities[at])  # the first of equals
            if probabilities[best] >= self._table[SHOWING[kind]].threshold:
                found[best] = kind
        return found

    def _sure(self, judged: _Judged, pair: Features) -> float:
        return self._probability(judged.kind, pair) if self._shows else judged.drawn

    def _probability(self, kind: RelationKind, pair: Features) -> float:
        """How often people drew such a relation. Attacks are rare, so two ways of asking are better than one.

        One model knows attacks among all pairs. Two know links among all pairs, of which there are seven times as many
        to learn from, and attacks among links. What counts is the geometric mean.
        """
        among_all = self._table[SHOWING[kind]].probability(pair)
        if kind == "SUPPORT" or OPPOSED not in self._table.models:
            return among_all
        return math.sqrt(among_all * self._table[LINKED].probability(pair) * self._table[OPPOSED].probability(pair))

    def _reasons(self, kind: RelationKind, pair: Features) -> tuple[str, ...]:
        """What spoke most for it, in the model that says how sure it is."""
        drawing = "attack" if kind == "REBUTTAL" else "link"
        model = self._table[SHOWING[kind] if self._shows else drawing]
        return phrases(model.reasons_for(pair, CONSIDERED), 2)


def _others(props: Sequence[Proposition], source: int, target: int) -> bool:
    return props[source].speaker != props[target].speaker


def _cues(pair: Features, kind: RelationKind) -> tuple[Basis, ...]:
    """Whether a connective between neighbours says what the relation is."""
    names = ("contrast",) if kind == "REBUTTAL" else ("reasoning", "example")
    found = any(f"just_between:{name}_{way}" in pair for name in names for way in ("back", "forward"))
    return ("cue",) if found else ()


def one_way(found: Sequence[RelationReading]) -> list[RelationReading]:
    """Of two propositions that would each argue for (or against) the other, only the surer does; else the later one."""
    sure = {(each.kind, each.source, each.target): (each.confidence, each.source) for each in found}
    return [
        each
        for each in found
        if (each.kind, each.target, each.source) not in sure
        or sure[each.kind, each.source, each.target] > sure[each.kind, each.target, each.source]
    ]


def once_a_sentence(found: Sequence[RelationReading], sentences: Mapping[ClaimKey, int]) -> list[RelationReading]:
    """Of the claims of one sentence that argue for the same, only the surest does; of equals the first."""
    best: dict[tuple[int, ClaimKey], RelationReading] = {}
    supports = [relation for relation in found if relation.kind == "SUPPORT"]
    for relation in sorted(supports, key=lambda relation: -relation.confidence):
        best.setdefault((sentences[relation.source], relation.target), relation)
    kept = set(best.values())
    return [relation for relation in found if relation.kind != "SUPPORT" or relation in kept]


def opposes(source: Proposition, target: Proposition) -> bool:
    """Whether words show that one speaker turns against another: a denial, an opposite, a person spoken of."""
    if source.speaker == target.speaker or ("negation" in source.classes) != ("negation" in target.classes):
        return True
    if any(one in source.classes and other in target.classes for one, other in _OPPOSED_CLASSES):
        return True
    if say_opposites(source.words, target.words):
        return True
    return bool(source.classes & {"office"}) or any(word.text.lower() in _PERSONS for word in source.words)


def is_attack(pair: Features, probability: float, threshold: float) -> bool:
    """Likely enough, or joined to the words just before it in the same turn by "but" or "however" (spec/000)."""
    return probability >= threshold or ("just_between:contrast_back" in pair and "turn:same" in pair)


def may_link(source: Proposition, target: Proposition) -> bool:
    """Words show that one speaker takes up what another said; of whoever presides nobody is an opponent."""
    if source.speaker == target.speaker:
        return True
    return not (source.presides or target.presides) and not source.content.isdisjoint(target.content)


def chosen_targets(scores: Sequence[float], allowed: Sequence[bool], threshold: float) -> list[int]:
    """Indices of the targets that are likely enough, best first, at most two: few propositions argue for more."""
    likely = [at for at, score in enumerate(scores) if allowed[at] and score >= threshold]
    return sorted(likely, key=lambda at: (-scores[at], at))[:2]  # the first of equals


def candidates(props: list[Proposition], index: int) -> list[int]:
    """Indices of the propositions that `index` may argue for or against, in text order."""
    turn = props[index].turn
    near = [
        j
        for j in range(max(0, index - WINDOW), min(len(props), index + WINDOW + 1))
        if j != index and props[j].turn == turn
    ]
    before = [j for j in range(max(0, index - REACH_BACK), index) if props[j].turn != turn]
    return [*before, *near]  # text order: other turns end where this one begins


def pair_features_at(props: list[Proposition], source: int, target: int) -> Features:
    low, high = min(source, target), max(source, target)
    return pair_features(props[source], props[target], target - source, props[low + 1 : high][:8])


def none_features(props: list[Proposition], index: int) -> Features:
    """Features of "this proposition argues for nothing near it"."""
    own = props[index]
    found: Features = {"NONE": 1.0, f"NONE:{own.role}": 1.0, "NONE:length": min(len(own.words), 40) / 40}
    for word in own.opening.split()[:4]:
        if word in FUNCTION_WORDS:
            found[f"NONE:opens_{word}"] = 1.0
    if index == 0 or props[index - 1].turn != own.turn:
        found["NONE:first"] = 1.0
    if index + 1 == len(props) or props[index + 1].turn != own.turn:
        found["NONE:last"] = 1.0
    for name in _NONE_CLASSES:
        if name in own.classes:
            found[f"NONE:{name}"] = 1.0
    return found
