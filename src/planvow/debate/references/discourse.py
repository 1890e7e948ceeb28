"""Who and what the talk is about: entities, their mentions so far, and features that link a pronoun to one.

An entity collects mentions: names that share a last word, a definite noun phrase repeated, pronouns that were
resolved to it. Only the entities heard most recently are kept as candidates, so the cost of a pronoun does not
grow with the debate.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from planvow.debate.references.mentions import Mention
from planvow.debate.scoring.features import Features
from planvow.debate.words.names import TITLES
from planvow.debate.words.words import Sentence, has_tree
from planvow.debate.words.wordsets import word_set

_LEADS = word_set("^ , and but or that when while because as if after before where who which with for of to by from in")
# Kinds of names that taggers give to persons by mistake often enough; how often, the weights know.
_MISTAKEN = frozenset({"group", "nation", "land", "thing"})
MEMORY = 40  # entities kept as candidates: enough for the last dozen sentences of dense speech
SPEAKERS = 20  # so many more, when there are so many speakers


@dataclass(slots=True)
class Heard:
    """One mention in its place: which sentence of the talk, and where."""

    sentence: int
    turn: int
    mention: Mention
    words: Sentence


@dataclass(slots=True, eq=False)
class Entity:
    """A person or thing with the mentions heard so far (the newest last)."""

    serial: int
    name: str
    kind: str
    gender: str
    keys: set[str] = field(default_factory=set)
    heard: list[Heard] = field(default_factory=list)
    count: int = 0
    names: int = 0
    is_speaker: bool = False
    named_at: Heard | None = None
    """The latest mention by name or noun phrase."""
    spoken_of_as: set[str] = field(default_factory=set)
    """Genders of pronouns that plainly meant this entity: evidence, not agreement."""

    def hear(self, heard: Heard) -> None:
        mention = heard.mention
        self.heard.append(heard)
        del self.heard[:-4]  # older mentions no longer decide anything
        self.count += 1
        if mention.kind != "pronoun":
            self.named_at = heard
        if mention.is_name:
            self.names += 1
            self.keys.update(_name_keys(mention.text))
            if len(mention.text) > len(self.name):
                self.name = mention.text
        if not self.gender and mention.gender:
            self.gender = mention.gender


def _name_keys(text: str) -> list[str]:
    return [
        part for part in (word.lower().strip(".,'’\"") for word in text.split()) if len(part) > 1 and part not in TITLES
    ]


class Discourse:
    """The entities of one talk, most recently heard last."""

    def __init__(self) -> None:
        self.entities: list[Entity] = []
        self._serial = 0

    def add_speaker(self, label: str, gender: str = "") -> Entity:
        entity = self._new(label, "person", gender)
        entity.is_speaker = True
        entity.keys.update(_name_keys(label))
        return entity

    def _new(self, name: str, kind: str, gender: str) -> Entity:
        self._serial += 1
        entity = Entity(self._serial, name, kind, gender)
        self.entities.append(entity)
        return entity

    def hear(self, heard: Heard, entity: Entity | None = None) -> Entity:
        """Give a mention to its entity (a new one if none fits) and move that to the front of attention."""
        mention = heard.mention
        entity = entity or self.match(mention) or self._new(mention.text, mention.kind, mention.gender)
        entity.hear(heard)
        self.entities.remove(entity)
        self.entities.append(entity)
        if len(self.entities) > MEMORY:
            # Speakers stay: they can be meant at any time.
            index = next((i for i, old in enumerate(self.entities) if not old.is_speaker), None)
            if index is not None:
                del self.entities[index]
        return entity

    def recall(self, speaker: Entity) -> None:
        """Have a speaker among those who can be meant; of more than anyone could keep apart, the oldest goes."""
        if speaker not in self.entities:
            self.entities.append(speaker)
        if len(self.entities) > MEMORY + SPEAKERS:
            del self.entities[next(i for i, old in enumerate(self.entities) if old.is_speaker)]

    def match(self, mention: Mention) -> Entity | None:
        for entity in reversed(self.entities):
            if mention.is_name:
                parts = _name_keys(mention.text)
                if not parts or not entity.keys:
                    continue
                if mention.gender and entity.gender and mention.gender != entity.gender:
                    continue
                if set(parts) <= entity.keys or (entity.names and entity.keys <= set(parts)):
                    return entity
            elif not entity.is_speaker and entity.named_at is not None and not entity.names:
                old = entity.named_at.mention
                if (
                    old.key == mention.key
                    and mention.text.lower().startswith(("the ", "this ", "that ", "these ", "those "))
                    and old.gender == mention.gender
                ):
                    return entity
        return None


def fits(entity: Entity, mention: Mention) -> bool:
    """Agreement: could this pronoun mean this entity at all?"""
    wanted = mention.gender
    if wanted in ("male", "female"):
        if entity.gender in ("male", "female"):
            return entity.gender == wanted
        return entity.kind in ("person", "name") or (
            entity.names > 0 and entity.kind in _MISTAKEN and entity.gender == ""
        )
    if wanted == "thing":
        return entity.kind != "person" and entity.gender in ("thing", "")
    return entity.gender in ("many", "") and not (entity.kind == "person" and entity.names)


def pair_features(pronoun: Heard, entity: Entity, rank: int, subject_rank: int, of: int) -> Features:
    """Why this pronoun may mean this entity. Ranks count from the most recent fitting candidate."""
    found: Features = {
        "bias": 1.0,
        f"rank:{min(rank, 4)}": 1.0,
        f"subject_rank:{min(subject_rank, 3)}": 1.0,
        f"rivals:{min(of - 1, 4)}": 1.0,
    }
    found[f"gender:{'known' if entity.gender == pronoun.mention.gender else 'unknown'}"] = 1.0
    found[f"kind:{entity.kind}"] = 1.0
    found["named"] = 1.0 if entity.names else 0.0
    if entity.spoken_of_as:
        same = pronoun.mention.gender in entity.spoken_of_as
        found["spoken_of:same_gender" if same else "spoken_of:other_gender"] = 1.0
    if entity.is_speaker and not entity.heard:
        found["speaker_only"] = 1.0
    for limit in (1, 2, 4):
        if entity.count > limit:
            found[f"heard_more_than:{limit}"] = 1.0
    if entity.heard:
        _as_last_heard(found, pronoun, entity, rank)
    return found


def _as_last_heard(found: Features, pronoun: Heard, entity: Entity, rank: int) -> None:
    """How the pronoun stands to the last mention of the entity."""
    last, role = entity.heard[-1], pronoun.mention.role
    distance = pronoun.sentence - last.sentence
    follows = distance == 0 and last.mention.start > pronoun.mention.start
    found[f"sentences:{min(distance, 4)}"] = 1.0
    found[f"last_role:{last.mention.role}"] = 1.0
    found[f"roles:{role}_{last.mention.role}"] = 1.0
    if distance <= 1:
        found[f"near_roles:{role}_{last.mention.role}_{distance}"] = 1.0
    if last.mention.kind == "pronoun":
        found["last_is_pronoun"] = 1.0
        if last.mention.key == pronoun.mention.key:
            found["last_same_form"] = 1.0
    _around(found, pronoun, last, distance)
    if last.mention.kind != "pronoun" and _in_brackets(last):
        found["in_brackets"] = 1.0
    if follows:
        found["follows"] = 1.0
        found[f"follows_role:{last.mention.role}"] = 1.0
    if any(old.mention.role == "subject" and pronoun.sentence - old.sentence == 1 for old in entity.heard):
        found["subject_of_previous"] = 1.0
    if entity.heard[0].sentence == 0 and entity.heard[0].mention.role == "subject":
        found["opens_talk"] = 1.0
    if distance == 0 and not follows:
        _same_sentence(found, pronoun, last)
    found[f"rank_role:{min(rank, 2)}_{last.mention.role}"] = 1.0
    found[f"rank_role:{min(rank, 2)}_{role}_{last.mention.role}_{min(distance, 2)}"] = 1.0
    _in_its_sentence(found, pronoun, last, distance)


def _in_its_sentence(found: Features, pronoun: Heard, last: Heard, distance: int) -> None:
    """The part the last mention plays in its sentence, and how far away that is."""
    if has_tree(last.words):
        above = last.words[last.words[last.mention.head].head]
        if above.dep == "agent":
            found["agent_of_passive"] = 1.0
        main = last.words[_clause_of(last.words, last.mention.head)]
        found[f"in_clause:{main.dep}"] = 1.0
        if last.mention.role == "subject" and main.dep == "ROOT":
            found[f"main_subject:{min(distance, 2)}_{pronoun.mention.role}"] = 1.0
    if distance > 0 and last.mention.first <= 1:
        found["topic_of_sentence"] = 1.0
    gap = (pronoun.mention.first - last.mention.after) if distance == 0 else 12 * distance
    for limit in (2, 5, 10, 20):
        if gap > limit:
            found[f"farther_than:{limit}"] = 1.0


def _clause_of(words: Sentence, index: int) -> int:
    """The verb (or root) that governs a word."""
    for _ in range(40):
        word = words[index]
        if word.pos in ("VERB", "AUX") and word.dep not in ("aux", "auxpass"):
            return index
        if word.head == index:
            return index
        index = word.head
    return index


def _around(found: Features, pronoun: Heard, last: Heard, distance: int) -> None:
    """Closed-class words beside the two: "in Dallas" is no person, "and he" goes on with the same one."""
    words, mention = last.words, last.mention
    before = words[mention.first - 1] if mention.first else None
    after = words[mention.after] if mention.after < len(words) else None
    if before is not None and before.pos == "ADP":
        found[f"candidate_after:{before.text.lower()}"] = 1.0
    if after is not None:
        found[f"candidate_before:{after.pos if after.text != ',' else 'comma'}"] = 1.0
    if mention.is_name:
        found[f"name_words:{min(mention.after - mention.first, 3)}"] = 1.0
    if mention.first == 0:
        found[f"opens_sentence:{min(distance, 2)}"] = 1.0
    lead = pronoun.words[pronoun.mention.first - 1].text.lower() if pronoun.mention.first else "^"
    if lead in _LEADS:
        found[f"pronoun_after:{lead}_{last.mention.role}_{min(distance, 1)}"] = 1.0


def _in_brackets(heard: Heard) -> bool:
    """ "Mona (Janel Parrish)": who stands in brackets explains somebody else."""
    before = heard.words[heard.mention.first - 1].text if heard.mention.first else ""
    return before in ("(", "[", "-LRB-")


def plainly_meant(pronoun: Heard, entities: Sequence[Entity]) -> Entity | None:
    """The one person that a pronoun means without any weighing, if there is one.

    That is the only fitting person named earlier in the sentence, or else the only one of the sentence before.
    """
    people = [entity for entity in entities if entity.heard and entity.kind in ("person", "name") and entity.names]
    fitting = [entity for entity in people if fits(entity, pronoun.mention)]
    for back in (0, 1):
        near = [
            entity
            for entity in fitting
            if pronoun.sentence - entity.heard[-1].sentence == back
            and (back or entity.heard[-1].mention.start < pronoun.mention.start)
        ]
        if near:
            return near[0] if len(near) == 1 else None
    return None


def _same_sentence(found: Features, pronoun: Heard, last: Heard) -> None:
    words = pronoun.words
    if not has_tree(words):
        between = words[last.mention.after : pronoun.mention.first]
        if any(w.pos in ("SCONJ", "CCONJ") for w in between):
            found["conjunction_between"] = 1.0
        return
    at, other = pronoun.mention.head, last.mention.head
    mine, theirs = _clause_of(words, at), _clause_of(words, other)
    role = pronoun.mention.role
    reflexive = pronoun.mention.key.endswith(("self", "selves"))
    if mine == theirs:
        found[f"same_clause:{role}_{last.mention.role}"] = 1.0
        # A plain object cannot mean a co-argument of its own verb (binding principle B).
        if (
            role in ("object", "oblique")
            and not reflexive
            and last.mention.role == "subject"
            and words[at].dep in ("dobj", "dative", "pobj")
        ):
            found["binding_broken"] = 1.0
    else:
        above = mine
        for _ in range(12):
            if words[above].head == above:
                break
            above = words[above].head
            if above == theirs:
                found[f"clause_below:{last.mention.role}"] = 1.0
                found[f"via:{words[mine].dep}_{role}_{last.mention.role}"] = 1.0
                break
        if words[mine].dep == "conj" and words[mine].head == theirs:
            found[f"coordinated:{role}_{last.mention.role}"] = 1.0
    if words[other].dep == "poss":
        found["owner_near"] = 1.0
    if _below_relative_clause(words, at, other):
        found[f"in_relative_clause_of_it:{role}"] = 1.0
    if words[other].dep in ("conj", "appos"):
        found[f"candidate_dep:{words[other].dep}"] = 1.0


def _below_relative_clause(words: Sentence, index: int, noun: int) -> bool:
    """ "Mona, who told her": inside a clause about a noun, a pronoun seldom means that noun."""
    for _ in range(12):
        word = words[index]
        if word.dep == "relcl" and word.head == noun:
            return True
        if word.head == index:
            return False
        index = word.head
    return False


def rank_candidates(pronoun: Heard, entities: Sequence[Entity]) -> list[tuple[Entity, Features]]:
    """The fitting entities, most recent first, with their features."""
    fitting = [entity for entity in entities if fits(entity, pronoun.mention)]

    # Most recent first; those that follow the pronoun in its own sentence come last.
    def recency(entity: Entity) -> tuple[int, int, int]:
        if not entity.heard:
            return (1 << 30, 0, -entity.serial)
        last = entity.heard[-1]
        if last.sentence == pronoun.sentence and last.mention.start > pronoun.mention.start:
            return (1, 0, last.mention.start)
        return (pronoun.sentence - last.sentence, 0, -last.mention.start)

    fitting.sort(key=recency)
    most = max((entity.count for entity in fitting if entity.names), default=0)
    ranked = []
    subjects = 0
    for rank, entity in enumerate(fitting):
        features = pair_features(pronoun, entity, rank, subjects, len(fitting))
        if most > 1 and entity.names and entity.count == most:
            features["heard_most"] = 1.0
        ranked.append((entity, features))
        if entity.heard and entity.heard[-1].mention.role == "subject":
            subjects += 1
    return ranked
