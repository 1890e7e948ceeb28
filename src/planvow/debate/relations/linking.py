"""Choosing the target of each proposition once a turn is complete.

A proposition sees its neighbours in the turn on both sides and the last propositions of the turns before. One
target or none is chosen by the link model; the attack model then says whether it supports or rebuts. How often
people drew such a link between claims as they are found is a question of its own: what is too unsure is only possible.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from planvow.debate.relations.contradiction import contradiction
from planvow.debate.relations.opposites import say_opposites
from planvow.debate.relations.relations import WINDOW, Proposition, pair_features
from planvow.debate.relations.stance import Stance, agrees_with, towards
from planvow.debate.scoring.features import Features
from planvow.debate.scoring.model import SHOWING, Table
from planvow.debate.scoring.wording import CONSIDERED, phrases
from planvow.debate.terms.language import ClaimKey, RelationKind, RelationReading
from planvow.debate.words.lexicon import FUNCTION_WORDS

ANSWER_CONFIDENCE = 0.5
REACH_BACK = 14  # propositions of earlier turns that can still be answered
_REBUTTING = frozenset({"disagree", "wrong", "incorrect", "untrue", "false", "nonsense"})
_REFUSING = frozenset({"but", "however", "no", "yet"})
_NEGATIONS = frozenset({"not", "n't", "n’t"})
_TURNING = frozenset({"but", "however", "yet", "nevertheless", "nonetheless"})
_PERSONS = frozenset({"you", "your", "he", "his", "him", "she", "her", "opponent"})
_OPPOSED_CLASSES = (("rising", "falling"), ("falling", "rising"), ("praise", "blame"), ("blame", "praise"))
_NONE_CLASSES = ("disagreement", "agreement", "contrast", "reasoning", "evidence", "obligation", "quantity", "deixis")


class Links(NamedTuple):
    """Relations of a turn: those that are shown by default, and those that are only possible."""

    shown: list[RelationReading]
    possible: list[RelationReading]


class Linker:
    """Collects propositions and gives the relations of each finished turn."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._earlier: list[tuple[ClaimKey, Proposition]] = []
        self._turn: list[tuple[ClaimKey, Proposition]] = []

    def add(self, key: ClaimKey, proposition: Proposition) -> None:
        self._turn.append((key, proposition))

    def relations_of_turn(self) -> Links:
        everything = [*self._earlier, *self._turn]
        props = [proposition for _, proposition in everything]
        sure: dict[RelationReading, bool] = {}
        for index in range(len(self._earlier), len(everything)):
            sure.update(self._relations(everything, props, index))
        found = one_way(list(sure))
        self._earlier = everything[-REACH_BACK:]
        self._turn = []
        return Links([r for r in found if sure[r]], [r for r in found if not sure[r]])

    def _relations(
        self, everything: list[tuple[ClaimKey, Proposition]], props: list[Proposition], index: int
    ) -> Iterator[tuple[RelationReading, bool]]:
        """The relations that leave a proposition, each with whether it is sure enough to be shown."""
        targets = candidates(props, index)
        pairs = [pair_features_at(props, index, target) for target in targets]
        link, attack = self._table["link"], self._table["attack"]
        scores = link.choice(pairs, none_features(props, index))
        others = [props[target].speaker != props[index].speaker for target in targets]
        chosen = chosen_targets(scores, [may_link(props[index], props[target]) for target in targets], link.threshold)
        answer = _answer(props, index, targets, scores, chosen)
        for at in answer.chosen:
            target = props[targets[at]]
            agrees = others[at] and agrees_with(answer.stance, target.speaker, answer.before)
            probability = attack.probability(pairs[at])
            answers = bool(answer.marker) and others[at]
            likely = is_attack(pairs[at], probability, attack.threshold)
            attacks = not agrees and (answers or (likely and opposes(props[index], target)))
            if others[at] and not attacks and not agrees and "agreement" not in props[index].classes:
                continue  # who does not say so argues neither for another speaker nor against one
            kind: RelationKind = "REBUTTAL" if attacks else "SUPPORT"
            said = f"answers the other speaker: {answer.marker!r}" if answers else ""
            said = f"agrees with the other speaker: {answer.stance.phrase!r}" if agrees else said
            why = (attack if attacks else link).reasons_for(pairs[at], CONSIDERED)
            # "But" makes an attack at least as likely as not, whatever else speaks against it.
            turned = max(probability, 0.5) if attacks and probability < attack.threshold else probability
            drawn = scores[at] * (turned if attacks else max(0.5, 1 - probability) if agrees else 1 - probability)
            sure, is_shown = self._shown(kind, pairs[at], drawn)
            relation = RelationReading(
                kind=kind,
                source=everything[index][0],
                target=everything[targets[at]][0],
                confidence=round(max(sure, ANSWER_CONFIDENCE) if answers else sure, 4),
                reasons=(*([said] if said else []), *phrases(why, 2)),
            )
            # Who says in so many words that they agree or deny is taken at their word.
            yield relation, is_shown or answers or agrees

    def _shown(self, kind: RelationKind, pair: Features, drawn: float) -> tuple[float, bool]:
        """How sure a relation is, and whether that is enough to show it."""
        model = self._table.models.get(SHOWING[kind])
        if model is None:
            return drawn, True
        probability = model.probability(pair)
        return probability, probability >= model.threshold


class _Answer(NamedTuple):
    """Where a proposition stands to what others said, and the places of its targets."""

    stance: Stance
    before: str
    """Who is answered where nobody is named."""
    marker: str | None
    """What shows that it turns against another speaker."""
    chosen: list[int]


def _answer(
    props: list[Proposition], index: int, targets: Sequence[int], scores: Sequence[float], chosen: list[int]
) -> _Answer:
    """Read the stance first, then what the words contradict: each may bring a target that the models did not choose."""
    own, others = props[index], [props[target].speaker != props[index].speaker for target in targets]
    answered = _answered(props, index)
    stance = towards(own.stance, is_denial=answered is not None and "negation" in answered.classes)
    before = "" if answered is None else answered.speaker
    marker = _answering_marker(props, index, stance)
    if marker:
        if not any(others[at] for at in chosen):
            shared = {at: bool(own.content & props[targets[at]].content) for at, other in enumerate(others) if other}
            # Who denied in a sentence of its own says next what is so, and that may be about anything.
            near = [at for at, same in shared.items() if same or _denies_itself(stance, marker)]
            # What shares its words, then the likeliest; of equals the latest, which is what "but" usually answers.
            best = max(near, key=lambda at: (shared[at], scores[at], at), default=None)
            chosen = chosen if best is None else [*chosen, best]
    elif (against := _contradicted(props, index, targets)) is not None:
        marker = against.word
        # It turns against what the other speaker said, not against the speaker's own words just before.
        kept = [at for at in chosen if targets[at] not in (index - 1, against.target)]
        chosen = [*kept, targets.index(against.target)]
    elif stance.kind != "agree" and (against := _denied(props, index, targets)) is not None:
        marker = against.word
        chosen = [*(at for at in chosen if not others[at]), targets.index(against.target)]
    return _Answer(stance, before, marker, chosen)


def _answering_marker(props: list[Proposition], index: int, stance: Stance) -> str | None:
    """The word with which a turn opens against the one before ("but", "no", "wrong"), if it does (spec/000)."""
    own = props[index]
    if index == 0 or props[index - 1].turn == own.turn or props[index - 1].speaker == own.speaker:
        return None
    if stance.kind == "agree":
        return None
    opening = next((word for word in own.opening.split() if word in _REFUSING), None)
    if opening is not None:
        return opening
    if stance.kind == "deny":
        return stance.phrase
    said = [word.text.lower() for word in own.words[:8]]
    if said[:1] == ["no"] and said[1:2] == [","]:
        return "no"
    if said[:1] in (["if"], ["when"]):
        return None  # "if that is wrong" leaves it open
    if said[:1] in (["that"], ["it"], ["this"]) and _NEGATIONS & set(said[1:4]):
        return f"{said[0]} is not"
    return next((word for word in said if word in _REBUTTING), None)


def _answered(props: list[Proposition], index: int) -> Proposition | None:
    """What is answered where nobody is named: the last statement of another speaker who argues."""
    own = props[index]
    others = (p for p in reversed(props[:index]) if p.speaker != own.speaker and not p.presides)
    return next(others, None)


def one_way(found: Sequence[RelationReading]) -> list[RelationReading]:
    """Of two propositions that would each argue for the other, only the surer does; of equals the later one."""
    sure = {(relation.source, relation.target): (relation.confidence, relation.source) for relation in found}
    return [
        relation
        for relation in found
        if (relation.target, relation.source) not in sure
        or sure[relation.source, relation.target] > sure[relation.target, relation.source]
    ]


class _Contradicted(NamedTuple):
    word: str
    target: int


def _contradicted(props: list[Proposition], index: int, targets: Sequence[int]) -> _Contradicted | None:
    """What another speaker said that a proposition opening with "but" takes up again, if the words show it."""
    own, before = props[index], props[index - 1] if index else None
    word = next((word for word in own.opening.split() if word in _TURNING), None)
    if word is None or before is None or before.turn != own.turn:
        return None
    shared = {at: len(own.content & props[at].content) for at in targets if props[at].speaker != own.speaker}
    best = max(shared, key=lambda at: (shared[at], at), default=None)
    if best is None or shared[best] < 2 or shared[best] <= len(own.content & before.content):
        return None
    return _Contradicted(word, best)


def _denied(props: list[Proposition], index: int, targets: Sequence[int]) -> _Contradicted | None:
    """What another speaker said that cannot be so if this is: what shares most words with it, the latest of equals."""
    own = props[index]
    best: tuple[int, int, str] | None = None
    for at in targets:
        if props[at].speaker == own.speaker or own.presides or props[at].presides:
            continue
        found = contradiction(own, props[at])
        if found is not None and (best is None or (found.shared, at) > best[:2]):
            best = (found.shared, at, found.reason)
    return None if best is None else _Contradicted(best[2], best[1])


def _denies_itself(stance: Stance, marker: str) -> bool:
    return stance.kind != "deny" or stance.here or marker != stance.phrase


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
