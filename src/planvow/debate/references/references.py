"""Pronouns, demonstratives and definite phrases with what they may point to.

A tracker hears the sentences of a debate in order. For every third-person pronoun it ranks the entities that
agree with it, by a fitted choice between them and "none of these"; the probability is the confidence, so what
is committed is what the data says can be committed. "This" and "that" on their own point to the claim before
them, tentatively: people agree on it too seldom to commit.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from planvow.debate.references.discourse import Discourse, Entity, Heard, plainly_meant, rank_candidates
from planvow.debate.references.mentions import Mention, mentions_in
from planvow.debate.scoring.features import Features
from planvow.debate.scoring.model import Table
from planvow.debate.terms.language import (
    COMMIT_THRESHOLD,
    TENTATIVE_THRESHOLD,
    CandidateReading,
    EntityKind,
    ReferenceKind,
    ReferenceReading,
    resolution_status,
)
from planvow.debate.words.lexicon import WORD_CLASSES
from planvow.debate.words.names import gender_of_name
from planvow.debate.words.words import Sentence, has_tree
from planvow.debate.words.wordsets import word_set

# A person is committed from the table's own threshold on: where nine of ten were right on texts not fitted.
GUESSED = 0.12
LEAD = 0.01
SHOWN = 5  # candidates kept in a reading
_DUMMY_ADJECTIVES = word_set(
    """
    important clear true possible necessary hard easy time likely obvious difficult good right wrong
    """
)
_WEATHER = word_set("seem appear happen turn take rain")
_DEFINITE_HEADS = WORD_CLASSES["office"] | word_set("man woman plan bill law proposal policy program")


@dataclass(frozen=True, slots=True)
class Antecedent:
    """A claim that "this" or "that" may mean."""

    text: str
    turn: int
    span: tuple[int, int]


Observer = Callable[[Heard, Sequence[tuple[Entity, Features]], Features], None]


class ReferenceTracker:
    """Keeps the entities of one transcript and reads references sentence by sentence."""

    def __init__(self, table: Table, observer: Observer | None = None) -> None:
        self._table = table
        self._observer = observer
        self._discourse = Discourse()
        self._speakers: dict[str, Entity] = {}
        self._speaker_turn: dict[int, int] = {}
        self._current: Entity | None = None
        self._previous: Entity | None = None
        self._sentence = 0

    def start_turn(self, turn: int, speaker_key: str, label: str) -> None:
        """A speaker begins; the one before becomes somebody who can be meant."""
        if not label:
            self._current = None
            return
        entity = self._speakers.get(speaker_key)
        if entity is None:
            gender = gender_of_name([word.lower().strip(".") for word in label.split()])
            entity = self._speakers[speaker_key] = self._discourse.add_speaker(label, gender)
        self._discourse.recall(entity)
        if self._current is not None and self._current is not entity:
            self._previous = self._current
        self._current = entity
        self._speaker_turn[entity.serial] = turn

    def read(
        self, words: Sentence, text: str, turn: int, earlier: Sequence[Antecedent]
    ) -> tuple[list[Mention], list[ReferenceReading]]:
        """Mentions and references of the next sentence; `earlier` are claims before it, the newest last."""
        found = mentions_in(words, text)
        heard = [Heard(self._sentence, turn, mention, words) for mention in found]
        self._sentence += 1
        readings = []
        for index, item in enumerate(heard):
            mention = item.mention
            if mention.kind != "pronoun":
                readings.extend(self._definite(item))
                self._discourse.hear(item)
            elif not (mention.gender == "thing" and is_dummy(words, mention.head)):
                readings.append(self._pronoun(item, heard[index + 1 :]))
                self._hear_again(item)
        readings.extend(_demonstratives(words, earlier))
        return found, sorted(readings, key=lambda reading: reading.span)

    def _hear_again(self, item: Heard) -> None:
        """A pronoun that plainly means a person keeps that person in mind and tells how they are spoken of."""
        if item.mention.gender in ("male", "female"):
            others = [entity for entity in self._discourse.entities if entity is not self._current]
            meant = plainly_meant(item, others)
            if meant is not None:
                meant.spoken_of_as.add(item.mention.gender)

    def _candidates(self, item: Heard, later: Sequence[Heard]) -> list[tuple[Entity, Features]]:
        entities = [entity for entity in self._discourse.entities if entity is not self._current]
        # A name further on in the sentence can be meant too ("In his book, Smith ..."); it is not known yet.
        for following in later:
            if following.mention.is_name and self._discourse.match(following.mention) is None:
                entities.append(_preview(following))
        return rank_candidates(item, entities)

    def _pronoun(self, item: Heard, later: Sequence[Heard]) -> ReferenceReading:
        ranked = self._candidates(item, later)
        none = none_features(item, len(ranked))
        if self._observer is not None:
            self._observer(item, ranked, none)
        model = self._table["person" if item.mention.gender in ("male", "female") else "thing"]
        scores = model.choice([features for _, features in ranked], none)
        if item.mention.gender in ("male", "female"):
            scores = resolution_scores(scores, model.threshold)
        scores = [
            score if may_commit(entity, features, item) else min(score, COMMIT_THRESHOLD - 0.01)
            for score, (entity, features) in zip(scores, ranked, strict=True)
        ]
        order = sorted(range(len(ranked)), key=lambda i: (-scores[i], i))  # recency breaks ties
        shown = [self._candidate(ranked[i][0], scores[i], ranked[i][1], item.turn) for i in order[:SHOWN]]
        shown = self._other_speaker_alone(shown, ranked, order)
        return ReferenceReading(
            span=(item.mention.start, item.mention.end),
            surface=item.mention.text,
            kind="PRONOUN",
            candidates=tuple(shown),
        )

    def _other_speaker_alone(
        self, shown: list[CandidateReading], ranked: Sequence[tuple[Entity, Features]], order: Sequence[int]
    ) -> list[CandidateReading]:
        """When only the speaker before can be meant, that is a fair guess (spec/000, 5), not a commitment."""
        persons = [i for i in order if ranked[i][0].kind == "person"]
        if len(persons) == 1 and ranked[persons[0]][0] is self._previous and len(shown) == len(order):
            best = order.index(persons[0])
            shown = [
                replace(candidate, score=max(candidate.score, 0.75) if at == best else min(candidate.score, 0.6))
                for at, candidate in enumerate(shown)
            ]
            shown.sort(key=lambda candidate: -candidate.score)
        return shown

    def _candidate(self, entity: Entity, score: float, features: Features, turn: int) -> CandidateReading:
        place = entity.named_at or (entity.heard[-1] if entity.heard else None)
        kind = _entity_kind(entity)
        spoken = self._speaker_turn.get(entity.serial)
        if place is None:
            return CandidateReading(
                text=entity.name,
                kind=kind,
                turn_index=spoken or 0,
                span=(0, 0),
                score=round(score, 4),
                features=_shown(features),
            )
        mention = place.mention
        name = _as_named(place) if len(mention.text) >= len(entity.name) else entity.name
        return CandidateReading(
            text=name,
            kind=kind,
            turn_index=place.turn,
            span=(mention.start, mention.end),
            score=round(score, 4),
            features=_shown(features),
        )

    def _definite(self, item: Heard) -> list[ReferenceReading]:
        """ "The senator", "this plan": an earlier entity with the same noun, or a name with that title."""
        mention = item.mention
        lower = mention.text.lower()
        if (
            mention.is_name
            or not lower.startswith(("the ", "this ", "that ", "these ", "those "))
            or mention.key not in _DEFINITE_HEADS
        ):
            return []
        candidates: list[CandidateReading] = []
        for entity in reversed(self._discourse.entities):
            if entity is self._current or entity.named_at is None:
                continue
            titled = entity.names > 0 and mention.key in entity.name.lower().split()
            same = entity.names == 0 and entity.named_at.mention.key == mention.key
            if titled or same:
                score = 0.7 if titled and not candidates else 0.55 if not candidates else 0.3
                candidates.append(
                    self._candidate(entity, score, {"same_noun": 1.0, "named": float(entity.names > 0)}, item.turn)
                )
        if not candidates:
            return []
        return [
            ReferenceReading(
                span=(mention.start, mention.end),
                surface=mention.text,
                kind="DEFINITE_NP",
                candidates=tuple(candidates[:SHOWN]),
            )
        ]


def _as_named(place: Heard) -> str:
    """A mention as it reads in another sentence: "the Prime Minister", "young people" without its capital."""
    mention = place.mention
    before = place.words[mention.first - 1].text.lower() if mention.first else ""
    if mention.is_name:
        return f"the {mention.text}" if before == "the" else mention.text
    opens = mention.first == 0 and place.words[0].pos != "PROPN" and place.words[0].text != "I"
    return mention.text[:1].lower() + mention.text[1:] if opens else mention.text


def may_commit(entity: Entity, features: Features, pronoun: Heard) -> bool:
    """ "He" is committed only to what is known to be a person, and nothing is committed to a later mention."""
    if "follows" in features:
        return False
    gender = pronoun.mention.gender
    return (
        gender not in ("male", "female") or entity.kind == "person" or gender in (entity.gender, *entity.spoken_of_as)
    )


def resolution_scores(probabilities: Sequence[float], sure: float) -> list[float]:
    """Scores of persons on the scale of the thresholds: a clear leader is at least tentative, a sure one committed.

    Among many rivals the right person often gets a third of the probability while each of the others gets less: worth
    calling tentative. Where nobody leads, the scores stay close together and the reference is ambiguous.
    """
    scores = list(probabilities)
    order = sorted(range(len(scores)), key=lambda at: (-scores[at], at))  # recency breaks ties
    if not order:
        return scores
    best = order[0]
    lead = scores[best] - (scores[order[1]] if len(order) > 1 else 0.0)
    if lead < LEAD:
        return scores
    scores[best] = _spread(scores[best], sure)
    return scores


def _spread(probability: float, sure: float) -> float:
    if probability < GUESSED:
        return probability * TENTATIVE_THRESHOLD / GUESSED
    if probability >= sure:
        return COMMIT_THRESHOLD + (1 - COMMIT_THRESHOLD) * (probability - sure) / max(1 - sure, 1e-9)
    return TENTATIVE_THRESHOLD + (COMMIT_THRESHOLD - TENTATIVE_THRESHOLD) * (probability - GUESSED) / (sure - GUESSED)


def none_features(item: Heard, count: int) -> Features:
    """Features of "it points to none of the candidates"."""
    return {
        "NONE": 1.0,
        f"NONE:form_{item.mention.key}": 1.0,
        f"NONE:of_{min(count, 5)}": 1.0,
        f"NONE:role_{item.mention.role}": 1.0,
    }


def committed_text(reading: ReferenceReading) -> str | None:
    """What may be written in place of a reference, if the resolution is committed."""
    if reading.kind == "PRONOUN" and resolution_status([c.score for c in reading.candidates]) == "COMMITTED":
        return reading.candidates[0].text
    return None


def _preview(heard: Heard) -> Entity:
    mention = heard.mention
    entity = Entity(-mention.start - 1, mention.text, mention.kind, mention.gender)
    entity.hear(heard)
    return entity


def _entity_kind(entity: Entity) -> EntityKind:
    if entity.kind == "person" or entity.is_speaker or (entity.names and entity.gender in ("male", "female")):
        return "PERSON"
    if entity.named_at is not None and entity.named_at.mention.key in ("study", "report", "survey", "poll", "research"):
        return "STUDY"
    return "UNKNOWN" if entity.names else "CONCEPT"


def _shown(features: Features) -> Features:
    """Features that say something to a person; the bias does not."""
    return {name: value for name, value in features.items() if value and name != "bias"}


def is_dummy(words: Sentence, index: int) -> bool:
    """ "It is important to ...", "it seems that ...": points to nothing."""
    lower = words[index].text.lower()
    if lower != "it":
        return False
    if has_tree(words) and words[index].dep == "expl":
        return True
    rest = words[index + 1 : index + 6]
    if rest and rest[0].lemma in _WEATHER:
        return True
    for at, word in enumerate(rest):
        if word.text.lower() in _DUMMY_ADJECTIVES and any(
            later.text.lower() in ("to", "that", "for") for later in rest[at + 1 : at + 3]
        ):
            return True
    return False


def _demonstratives(words: Sentence, earlier: Sequence[Antecedent]) -> list[ReferenceReading]:
    readings = []
    for index, word in enumerate(words):
        lower = word.text.lower()
        if lower not in ("this", "that", "these", "those") or word.pos != "PRON":
            continue
        if has_tree(words) and word.dep not in ("nsubj", "nsubjpass", "dobj", "pobj"):
            continue
        if word.tag in ("WDT", "IN", "WP"):
            continue
        following = words[index + 1] if index + 1 < len(words) else None
        if following is not None and following.pos in ("NOUN", "ADJ", "PROPN"):
            continue
        kind: ReferenceKind = "DEMONSTRATIVE"
        scores = (0.65, 0.45, 0.3)
        candidates = tuple(
            CandidateReading(
                text=claim.text,
                kind="CLAIM",
                turn_index=claim.turn,
                span=claim.span,
                score=score,
                features={"claims_back": float(back + 1)},
            )
            for back, (claim, score) in enumerate(zip(reversed(earlier[-3:]), scores, strict=False))
        )
        readings.append(
            ReferenceReading(span=(word.start, word.end), surface=word.text, kind=kind, candidates=candidates)
        )
    return readings


__all__ = ["Antecedent", "ReferenceTracker", "committed_text", "none_features"]
