"""Plain statements: something that can be pointed at, and what it does, has or is like, with no figure and no past.

"The old quarry floods every winter" and "surface water goes to a pond" show none of the signs that speeches have, yet a
look would settle them. What judges, foretells, wishes or speaks of ideas is not plain, nor is what needs "it", "this"
or "them" to say what it means: nobody knows what to look at. Of the business of state the weights know better, since
they were fitted on nothing else: what they doubt there people seldom call a fact, and seldom worth a check.
"""

from itertools import pairwise

from planvow.debate.claims.everyday.ideas import is_deep, is_idea
from planvow.debate.terms.language import TypeReading
from planvow.debate.words.lexicon import FIRST_PLURAL, FIRST_SINGULAR, SECOND, WORD_CLASSES
from planvow.debate.words.words import Sentence, Word
from planvow.debate.words.wordsets import word_set

LIKELY = 0.08
"""So likely to be a fact it must be by its words: of those below hardly any was called one."""
_NOT_PLAIN = (
    WORD_CLASSES["praise"]
    | WORD_CLASSES["blame"]
    | WORD_CLASSES["moral"]
    | WORD_CLASSES["wanting"]
    | WORD_CLASSES["thinking"]
    | WORD_CLASSES["procedure"]
    | WORD_CLASSES["saying"]
    | word_set("should would could must might shall will 'll 'd can ca cannot if unless whatever whoever whether worth")
)
_STATE = (
    WORD_CLASSES["economy"]
    | WORD_CLASSES["institution"]
    | WORD_CLASSES["law"]
    | WORD_CLASSES["office"]
    | WORD_CLASSES["conflict"]
    | WORD_CLASSES["voting"]
    | WORD_CLASSES["people"]
    | word_set("country nation america world state policy politician citizen")
) - word_set(
    """
    school hospital house man woman child boy girl kid mother father wife husband son daughter friend parent student
    teacher nurse doctor owner
    """
)
_OF_THE_TALK = word_set("it them him there so such thing ones same usual")
_POINTING = word_set("this that these those")
_BEFORE_SUBJECT = word_set("the a an my our his her their its this that these those half most some many every each all")
_OWN_LIFE = word_set("live work drive farm teach run own have leave start get grow keep study play serve travel rent")
_VAGUE = word_set(
    """
    long short big small high low old new cheap expensive hot cold warm slow fast heavy easy hard quiet loud busy
    rich poor tall wide narrow deep shallow early far near large young
    """
)
_DENIALS = word_set("not n't no never")
_NAMING = word_set("NN NNS NNP NNPS JJ JJR JJS CD VBG VBN")
_FINITE = word_set("VBZ VBP VBD MD")
_FEWEST = 4
_FAR = 6


def plain_statement(words: Sentence, lowered: list[str], p_factual: float) -> TypeReading | None:
    """The reading of a proposition as a plain fact, if nothing but its plainness says so."""
    if len(words) < _FEWEST or p_factual < LIKELY or not SECOND.isdisjoint(lowered):
        return None
    if any(lower in _NOT_PLAIN or word.lemma.lower() in _NOT_PLAIN for word, lower in zip(words, lowered, strict=True)):
        return None
    tags = {word.tag for word in words}
    if _FINITE.isdisjoint(tags) and ("VB" in tags or not _may_hide_verb(words)):
        return None  # "hospital car parks, to be precise", "our designs, our patents"
    if (lowered[-1] in _VAGUE and not {"than", "as"} & set(lowered)) or _is_called(words):
        return None  # "the winter is long", "our record is clear": as one takes it
    if any(is_deep(word) for word in words if word.pos == "NOUN"):
        return None  # "women have respect for me"
    if _needs_the_talk(words, lowered) or any(_is_of_state(word) for word in words):
        return None
    subject = _subject(words, lowered)
    if subject is None:
        return None
    return TypeReading("empirical", 0.5, (f"says plainly what a look would settle: {subject!r}",), "fact", 60.0)


def _is_called(words: Sentence) -> bool:
    """ "Words are plentiful": an adjective behind "be", and no comparison."""
    behind = ((word, words[at + 1 : at + 3]) for at, word in enumerate(words) if word.lemma == "be")
    return any(next((w.tag for w in after if w.tag != "RB"), "") == "JJ" for _, after in behind)


def _may_hide_verb(words: Sentence) -> bool:
    """Two nouns in a row: without a tree "owls hunt" passes for such."""
    return any(one.pos == other.pos == "NOUN" for one, other in pairwise(words))


def _needs_the_talk(words: Sentence, lowered: list[str]) -> bool:
    """ "The baker sells them", "this keeps the rain out": only who heard the rest knows what to look at."""
    if not _OF_THE_TALK.isdisjoint(lowered[1:]):
        return True
    return any(lower in _POINTING and _is_alone(lower, words[at + 1 : at + 2]) for at, lower in enumerate(lowered))


def _is_alone(pointing: str, following: Sentence) -> bool:
    """ "This keeps", "that." and not "that door": without a tree "keeps" may pass for a noun of several."""
    tag = following[0].tag if following else ""
    return tag not in _NAMING or (tag == "NNS" and pointing in ("this", "that"))


def _is_of_state(word: Word) -> bool:
    return word.entity[2:] in ("GPE", "NORP", "ORG", "PERSON") or word.lemma.lower() in _STATE


def _subject(words: Sentence, lowered: list[str]) -> str | None:
    """What something is said of, if it can be looked at: a noun near the beginning, or the speaker's own daily life."""
    if lowered[0] == "i":
        verb = next((word for word in words[1:4] if word.pos in ("VERB", "AUX")), None)
        lives = any(
            word.lemma in _OWN_LIFE
            and not (word.lemma == "have" and words[at + 1 : at + 2] and words[at + 1].tag in ("VBN", "VBD", "RB"))
            for at, word in enumerate(words[1:5], 1)
        )
        return "i" if verb is not None and lives and _DENIALS.isdisjoint(lowered) else None
    for at, word in enumerate(words[:_FAR]):
        if word.pos in ("NOUN", "PROPN"):
            while at + 1 < len(words) and words[at + 1].pos in ("NOUN", "PROPN") and words[at].tag == "NN":
                at += 1
                if words[at].tag == "NNS":
                    break
            return None if is_idea(words[at]) or is_idea(word) else lowered[at]
        if (
            word.pos in ("VERB", "AUX")
            or lowered[at] in FIRST_SINGULAR - {"my"}
            or lowered[at] in FIRST_PLURAL - {"our"}
        ):
            return None
        if word.pos == "ADP":
            return None  # "as far as ...", "without a baseline ..."
        if word.pos in ("PRON", "SCONJ") and lowered[at] not in _BEFORE_SUBJECT:
            return None
    return None
