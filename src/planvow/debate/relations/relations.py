"""Which proposition argues for or against which.

Relations hold between propositions, not between turns: most attacks stay inside one speaker's own turn, where
the other side's position is stated and then answered (`spec/debate-evidence.md`). A proposition looks for one
target among its neighbours and, when another speaker is answered, among the claims of the turn before. Two
linear models decide: how well a pair fits (one target or none is chosen), and whether the link supports or
attacks.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from planvow.debate.relations.stance import NONE, Stance
from planvow.debate.scoring.features import Features
from planvow.debate.words.lexicon import CLASS_OF, FUNCTION_WORDS, WORD_CLASSES
from planvow.debate.words.words import Sentence
from planvow.debate.words.wordsets import word_set

WINDOW = 6  # nine of ten linked neighbours within a turn are no farther apart
_CONTENT = frozenset({"NOUN", "PROPN", "VERB", "ADJ", "NUM"})
_LIGHT = word_set("be have do go get make say think know want thing people way lot time")
_LINKING_ADVERBS = word_set(
    """
    however therefore thus hence moreover furthermore nevertheless nonetheless instead fact example
    course
    """
)
_TELLING_CLASSES = (
    "agreement",
    "blame",
    "boost",
    "comparison",
    "contrast",
    "deixis",
    "disagreement",
    "evidence",
    "example",
    "hedge",
    "liking",
    "moral",
    "negation",
    "obligation",
    "praise",
    "quantity",
    "reasoning",
    "saying",
    "thinking",
    "wanting",
)
_TELLING_STARTS = word_set("this that these those it he she they i we you if when not no")


@dataclass(frozen=True, slots=True)
class Proposition:
    """What relation features need to know of one claim."""

    words: Sentence
    role: str
    speaker: str
    turn: int
    sentence: int
    opening: str = ""
    """Connectives in front of it, lower case."""
    presides: bool = False
    """Said by somebody who runs the talk."""
    stance: Stance = NONE
    """Where its speaker stands in this turn towards whoever spoke before."""
    content: frozenset[str] = field(default_factory=frozenset)
    classes: frozenset[str] = field(default_factory=frozenset)
    starts: tuple[str, ...] = ()
    """Its first two words, lower case."""
    addresses: bool = False
    """Whether it says "you"."""
    meaning: Features = field(default_factory=dict, compare=False)
    """What its sentence means, where a ranker says it."""


def proposition(
    words: Sentence,
    *,
    role: str,
    speaker: str,
    turn: int,
    sentence: int,
    opening: str = "",
    presides: bool = False,
    stance: Stance = NONE,
    meaning: Features | None = None,
) -> Proposition:
    content = frozenset(
        word.lemma.lower() for word in words if word.pos in _CONTENT and word.lemma.lower() not in _LIGHT
    )
    classes = {name for word in words for name in CLASS_OF.get(word.lemma.lower(), ())}
    classes |= {name for word in words for name in CLASS_OF.get(word.text.lower(), ())}
    lowered = [word.text.lower() for word in words]
    return Proposition(
        words,
        role,
        speaker,
        turn,
        sentence,
        opening,
        presides,
        stance,
        content,
        frozenset(classes),
        tuple(lowered[:2]),
        "you" in lowered,
        meaning or {},
    )


def pair_features(
    source: Proposition, target: Proposition, distance: int, between: Sequence[Proposition] = ()
) -> Features:
    """Features of "source argues for or against target"; `distance` > 0 when the target comes later."""
    way = "forward" if distance > 0 else "back"
    found: Features = {"bias": 1.0}
    far = min(abs(distance), WINDOW)
    found[f"distance:{way}_{far}"] = 1.0
    found[f"roles:{source.role}_{target.role}"] = 1.0
    found[f"roles:{source.role}_{target.role}_{way}"] = 1.0
    found[f"roles_distance:{source.role}_{target.role}_{way}_{min(far, 3)}"] = 1.0
    same = source.speaker == target.speaker
    found["speaker:same" if same else "speaker:other"] = 1.0
    if source.turn == target.turn:
        found["turn:same"] = 1.0
        if source.sentence == target.sentence:
            found[f"sentence:same_{way}"] = 1.0
        elif abs(source.sentence - target.sentence) == 1:
            found[f"sentence:next_{way}"] = 1.0
    else:
        found[f"turn:{'same' if same else 'other'}_speaker_{min(abs(source.turn - target.turn), 3)}"] = 1.0
        if not same:
            # Who answers another takes up their words; neighbours in one turn need not.
            found[f"across:{'shares' if source.content & target.content else 'no'}_words"] = 1.0
    _connectives(found, source, "source", way)
    _connectives(found, target, "target", way)
    later = source if distance < 0 else target
    for name in ("contrast", "reasoning", "addition", "example"):
        if any(word in WORD_CLASSES[name] for word in later.opening.split()):
            found[f"between:{name}_{way}"] = 1.0
            if far == 1:
                found[f"just_between:{name}_{way}"] = 1.0
    shared = len(source.content & target.content)
    if shared:
        found["shared_words"] = min(shared, 4) / 4
        found["shares_words"] = 1.0
    if any(other.role == target.role for other in between):
        found[f"same_role_between:{target.role}"] = 1.0
    if any(other.role == "CLAIM" for other in between):
        found["claim_between"] = 1.0
    _classes(found, source, target, way)
    negated = ("negation" in source.classes) + ("negation" in target.classes)
    found[f"negations:{negated}"] = 1.0
    if source.addresses:
        found["source:addresses"] = 1.0
    return found


def _connectives(found: Features, piece: Proposition, side: str, way: str) -> None:
    for word in piece.opening.split()[:4]:
        if word in FUNCTION_WORDS or word in _LINKING_ADVERBS:
            found[f"{side}_opens:{word}_{way}"] = 1.0


def _classes(found: Features, source: Proposition, target: Proposition, way: str) -> None:
    for name in _TELLING_CLASSES:
        in_source, in_target = name in source.classes, name in target.classes
        if in_source:
            found[f"source:{name}"] = 1.0
        if in_target:
            found[f"target:{name}"] = 1.0
        if in_source and in_target:
            found[f"both:{name}"] = 1.0
    if ("praise" in source.classes) != ("praise" in target.classes) and ("blame" in source.classes) != (
        "blame" in target.classes
    ):
        found["praise_against_blame"] = 1.0
    for word in source.starts:
        if word in _TELLING_STARTS:
            found[f"source_starts:{word}_{way}"] = 1.0
