"""Claims that no record can settle, about everybody and everything: mind, truth, freedom, meaning, morals as such.

Such words are common in speeches ("freedom is on the ballot"), so one of them is not enough: what is said must be
general, without names, figures, persons of the talk or a past, and said of the matter itself.
"""

from itertools import pairwise

from planvow.debate.claims.everyday.ideas import is_deep
from planvow.debate.terms.language import TypeReading
from planvow.debate.words.lexicon import FIRST_SINGULAR, NUMBER_WORDS, SECOND, WORD_CLASSES
from planvow.debate.words.words import Sentence, Word
from planvow.debate.words.wordsets import word_pairs, word_set

_STRONG = word_set(
    """
    consciousness determinism metaphysics metaphysical ontology epistemology afterlife soul souls eternity
    immortality moral-truth existentialism nihilism relativism utilitarianism selfhood qualia
    """
)
_STRONG_PAIRS = word_pairs(
    """
    free will, human nature, moral truth, moral truths, the self, absolute certainty, ought from, human
    condition, moral facts, the beholder, moral law, objective truth, derive what
    """
)
_LEANING = word_pairs(
    """
    meaning of, someone else, be free, appear to, by nature, fully human, be human, being human, same person,
    same mind, to be, its meaning, such thing, no purpose, in itself, somebody else, other minds
    """
)
_MATTERS = word_set(
    """
    truth reality morality mind beauty evil goodness justice freedom death life meaning existence happiness
    knowledge god time suffering history virtue power man mankind humanity human experience essence purpose universe
    self language illusion past future fate eternity copy name opinion person pain certainty belief reason wisdom
    love identity memory fiction invention construction fate destiny perception animal machine character rights
    moral impression purpose being chemical brain thought cause
    """
)
_GENERAL = word_set(
    """
    everything nothing nobody none nowhere every only everyone everybody everywhere anyone anybody always never ever all
    merely itself whatever whoever otherwise alone cannot absolute absolutely
    """
)
_KNOWING = word_set(
    """
    know known perceived perceive matters exist exists existed think appear derive believe believes condemned
    responsible
    """
)
_MODALS = word_set("can could cannot may might ca")
_NEEDED = 3.0
_FEWEST = 3


def thought_in(words: Sentence, lowered: list[str], *, is_normative: bool) -> TypeReading | None:
    """The reading of a proposition as philosophical, if it is general enough and speaks of such matters."""
    strong = _strong(lowered)
    if len(lowered) < _FEWEST or not _could_be_general(words, lowered, strong):
        return None
    matters = [at for at, word in enumerate(words) if _is_matter(word)]
    leaning = any(pair in _LEANING for pair in pairwise(lowered))
    general = sum(word in _GENERAL for word in lowered) + ("no one" in " ".join(lowered))
    knowing = any(word in _KNOWING for word in lowered)
    everybody = _of_everybody(words, lowered)
    if (
        strong is None
        and not matters
        and not leaning
        and not (general and (knowing or everybody))
        and everybody < _NEEDED
    ):
        return None
    score = (_NEEDED if strong is not None else 0.0) + 1.3 * min(len(matters), 3) + 0.8 * min(general, 2)
    score += 1.0 * knowing + 0.5 * (not _MODALS.isdisjoint(lowered)) + 0.5 * ("no" in lowered or "not" in lowered)
    score += 1.5 * leaning
    if matters and _opens_with(lowered, matters[0]):
        score += 0.9
    score += everybody
    if is_normative and strong is None:
        score -= 1.5
    if score < _NEEDED:
        return None
    sign = strong or (lowered[matters[0]] if matters else " ".join(lowered[:2]))
    plain = score >= _NEEDED + 1
    return TypeReading(
        "philosophical", 0.75 if plain else 0.6, (f"speaks in general of {sign!r}",), "thought", 17.0 if plain else 21.0
    )


def _is_matter(word: Word) -> bool:
    return word.pos in ("NOUN", "PROPN") and (
        word.lemma.lower() in _MATTERS or word.text.lower() in _MATTERS or is_deep(word)
    )


def _of_everybody(words: Sentence, lowered: list[str]) -> float:
    """How much the way a sentence opens says that it holds for everybody and always; 0 where nothing does."""
    first = lowered[0]
    if first == "to" and "is" in lowered[2:7] and "to" in lowered[lowered.index("is", 2) :][:4]:
        return 3.2  # "to forgive is to refuse ..."
    if first in ("whatever", "whoever") and len(lowered) > 2:
        return 2.0
    if first in ("nobody", "everybody", "everyone", "nothing", "everything") and lowered[1] in ("is", "can", "who"):
        return 1.5
    if first == "what" and lowered[1] in ("makes", "counts", "matters") and "is" in lowered[2:]:
        return 1.5
    if lowered[:2] == ["you", "cannot"] or lowered[:3] in (["you", "ca", "n't"], ["you", "can", "not"]):
        return 0.8
    if lowered[:3] == ["there", "is", "no"]:
        return 0.8
    if first in ("every", "no") and is_deep(words[1]):
        return 1.0
    if first == "if" and lowered[1] in ("everything", "nothing", "everybody", "nobody"):
        return 1.5
    bare = words[0].pos in ("NOUN", "PROPN") and is_deep(words[0])
    if first == "the" and lowered[2:3] == ["of"] and "matter" not in lowered[:5] and is_deep(words[1]):
        return 1.0
    return 1.0 if bare or (first in ("a", "an") and len(words) > 1 and is_deep(words[1])) else 0.0


def _strong(lowered: list[str]) -> str | None:
    for at, word in enumerate(lowered):
        if word in _STRONG:
            return word
        if tuple(lowered[at : at + 2]) in _STRONG_PAIRS:
            return " ".join(lowered[at : at + 2])
    return None


def _opens_with(lowered: list[str], at: int) -> bool:
    """The matter itself is spoken of: it is the first noun of the sentence."""
    return at == 0 or (at == 1 and lowered[0] in ("a", "an", "the", "all", "no", "human", "without"))


def _could_be_general(words: Sentence, lowered: list[str], strong: str | None) -> bool:
    of_the_talk = _OF_THE_TALK - {"will"} if strong == "free will" else _OF_THE_TALK
    if _of_everybody(words, lowered):
        of_the_talk = of_the_talk - {"would", "us"}
    if any(lower in FIRST_SINGULAR or lower in of_the_talk for lower in lowered):
        return False
    anybody = lowered[0] == "you" and lowered[1] in ("cannot", "ca", "can", "may")
    if any(lower in SECOND for lower in lowered[2:] if not (anybody and lower == "your")) or any(
        lower in NUMBER_WORDS and lower != "one" for lower in lowered
    ):
        return False
    named = (
        word for at, word in enumerate(words) if word.entity and not (at == 0 and is_deep(word))
    )  # "Justice is ..."
    if any(word.text not in ("God", "one") for word in named) or any(
        word.pos == "NUM" and word.text != "one" for word in words
    ):
        return False
    before = ("", *lowered)
    if any(word.tag == "VBD" and word.lemma != "be" and before[at] not in _SOMETHING for at, word in enumerate(words)):
        return False
    return not any(word.lemma.lower() in _PUBLIC for word in words)


_OF_THE_TALK = word_set(
    """
    our us he she his her him them my this these here today now tonight ago going will would wo 'll should must
    """
)
_SOMETHING = word_set("what whatever who nobody nothing")  # "a prisoner of what happened"
_PUBLIC = (
    WORD_CLASSES["economy"]
    | WORD_CLASSES["institution"]
    | WORD_CLASSES["law"]
    | WORD_CLASSES["office"]
    | WORD_CLASSES["conflict"]
    | WORD_CLASSES["welfare"]
    | WORD_CLASSES["spending"]
    | WORD_CLASSES["procedure"]
) - word_set("time question answer cause force state rule agreement second turn act")
