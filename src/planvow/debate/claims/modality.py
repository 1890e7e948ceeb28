"""What a proposition does besides stating: demand, foretell, wish, report, suppose.

Each cue is a short pattern over words, so every answer comes with the words that caused it ("should", "is going
to", "wants to"). Works on both back-ends: only forms, lemmas and coarse tags are read.
"""

from collections.abc import Iterator
from typing import NamedTuple

from planvow.debate.words.lexicon import WORD_CLASSES
from planvow.debate.words.words import Sentence, has_tree, root_of
from planvow.debate.words.wordsets import word_set


class Cue(NamedTuple):
    """One sign of a modality: which, where it stands and the words."""

    kind: str
    at: int
    phrase: str


IMPERATIVE = "imperative"
"""What stands for the words of a cue that is a form of the verb."""
_WILL = word_set("will 'll wo shall gonna gon wouldnt")
_BE = word_set("is are was were am be been being 's 're 'm")
_NEED_ADJECTIVES = word_set("important essential necessary vital crucial critical imperative")
_BEFORE_GOT_TO = word_set("have has 've 's we you i they just")
_WANT = word_set("want wish hope desire intend")
_WILLING = word_set("willing eager keen hopeful")
_LET_NOT = word_set("let allow permit just continue")
_SKIPPED = word_set(
    """
    also just really still always never probably only not n't certainly absolutely be have to very
    """
)
_ATTENTION = word_set("keep remember imagine note mind")  # "..., keep in mind what he did": of what follows
_WITH_CLAIMS = ("people", "office", "institution", "welfare", "economy")
_CONDITIONS = word_set("if when whenever once before unless")
_SUBJECT_PRONOUNS = word_set("i you he she it we they who that this there")


def modality_cues(words: Sentence) -> list[Cue]:
    """All cues in text order of one clause or sentence."""
    lowered = [word.text.lower().replace("’", "'") for word in words]
    cues = [*_normative(words, lowered), *_future(words, lowered), *_desire(words, lowered)]
    asserted = [cue for cue in cues if cue.kind == "normative" or not _is_embedded(words, lowered, cue)]
    return sorted(asserted, key=lambda cue: (cue.at, cue.kind))  # text order


def _is_embedded(words: Sentence, lowered: list[str], cue: Cue) -> bool:
    """A cue in a relative clause ("people who want ...") or under "if" says nothing about the whole."""
    if not has_tree(words):
        before = lowered[max(0, cue.at - 3) : cue.at]
        if cue.phrase == "would" and "if" in before:
            return True  # "the second, if he'd let me finish, is that we lost them"
        return cue.kind == "desire" and any(text in ("if", "who", "what", "whatever") for text in before)
    at = cue.at
    for _ in range(12):
        word = words[at]
        if word.dep == "relcl":
            return True
        if word.dep == "advcl" and cue.kind == "desire":
            return any(w.head == at and w.dep == "mark" and w.text.lower() == "if" for w in words)
        if word.head == at:
            return False
        at = word.head
    return False


def _at(lowered: list[str], index: int) -> str:
    return lowered[index] if 0 <= index < len(lowered) else ""


def _next_verb(words: Sentence, lowered: list[str], index: int) -> int | None:
    """Index of the base-form verb that follows, past adverbs and negation."""
    for at in range(index, min(index + 5, len(words))):
        if words[at].tag == "VB" or (words[at].pos in ("VERB", "AUX") and lowered[at] == words[at].lemma):
            return at
        if words[at].pos not in ("ADV", "PART") and lowered[at] not in _SKIPPED:
            return None
    return None


def _normative(words: Sentence, lowered: list[str]) -> Iterator[Cue]:
    for index in range(len(words)):
        for words_of in (_obligation, _necessity, _call_to_act):
            said = words_of(words, lowered, index)
            if said:
                yield Cue("normative", index, said)
            if said is not None:
                break
    order = _imperative(words, lowered)
    if order is not None:
        yield order


def _obligation(words: Sentence, lowered: list[str], index: int) -> str | None:
    """The words for a duty that start here; "" where its words stand here but say none, None where others may."""
    word, lower = words[index], lowered[index]
    before, following = _at(lowered, index - 1), _at(lowered, index + 1)
    if lower in ("should", "ought", "shouldn't", "gotta") or (lower == "got" and following == "ta"):
        return lower
    if lower == "must" and not (following in ("be", "have") and before in ("it", "that", "there", "this")):
        return lower
    if word.lemma in ("have", "need") and following == "to" and word.tag != "VBG" and word.pos != "NOUN":
        if _tells_which(words, lowered, index):
            return ""
        if lower in ("'d", "had") and word.lemma == "have":
            return ""
        is_told = _next_verb(words, lowered, index + 2) is not None or index + 2 >= len(words)
        return f"{lower} to" if is_told else ""
    if lower == "got" and following == "to" and before in _BEFORE_GOT_TO:
        return "got to" if _next_verb(words, lowered, index + 2) is not None else ""
    if word.lemma == "need" and word.pos == "VERB" and word.tag in ("VBP", "VBZ", "VB") and following != "to":
        return None if _is_measured_need(words, lowered, index) or _is_of_a_kind(words, index) else lower
    return None


def _tells_which(words: Sentence, lowered: list[str], index: int) -> bool:
    """ "Anything that has to be done twice", "a loan you never have to pay back": of any such thing, no duty."""
    begin = index - 1
    while begin > 0 and words[begin].pos in ("ADV", "PART"):
        begin -= 1
    any_such = lowered[begin - 1 : begin] != [] and (
        lowered[begin - 1] in ("anything", "something", "anyone", "somebody", "someone")
        or (begin >= 2 and words[begin - 1].pos == "NOUN" and lowered[begin - 2] in ("a", "an"))
    )
    return any_such and lowered[begin] in ("that", "which", "who", "you", "one")


def _is_of_a_kind(words: Sentence, index: int) -> bool:
    """ "Goalkeepers need stronger wrists", "blame doesn't need knowledge": a bare noun that is nobody's cause."""
    before = [word for word in words[:index] if word.pos not in ("AUX", "PART", "ADV")]
    if len(before) != 1 or before[0].pos != "NOUN" or before[0].text.isupper():
        return False
    lemma = before[0].lemma.lower()
    return not any(lemma in WORD_CLASSES[name] for name in _WITH_CLAIMS)


def _is_measured_need(words: Sentence, lowered: list[str], index: int) -> bool:
    """ "Bees need two million flowers": how much of it, is a fact; "we need 400 nurses" asks for them."""
    asked = any(near in ("we", "i", "you") for near in lowered[max(0, index - 3) : index])
    return not asked and any(near.pos == "NUM" for near in words[index + 1 : index + 4])


def needs_so_much(words: Sentence, lowered: list[str]) -> bool:
    """Whether it is said how much or how long something other than the people talking needs."""
    return any(
        word.lemma == "need" and word.tag in ("VBP", "VBZ") and _is_measured_need(words, lowered, index)
        for index, word in enumerate(words)
    )


def _necessity(words: Sentence, lowered: list[str], index: int) -> str | None:
    """What is called needed, owed or expected here; answers as `_obligation` does."""
    lower, following = lowered[index], _at(lowered, index + 1)
    if lower in _NEED_ADJECTIVES and following in ("to", "that", "for", "we", "too"):
        return f"{lower} {following}" if any(text in _BE for text in lowered[max(0, index - 4) : index]) else ""
    if lower == "supposed" and following == "to":
        return "supposed to"
    return lower if lower in ("deserve", "deserves") else None


def _call_to_act(words: Sentence, lowered: list[str], index: int) -> str | None:
    """How somebody is called on to act, or not to allow something, here; answers as `_obligation` does."""
    lower, following = lowered[index], _at(lowered, index + 1)
    if lower in ("let", "lets") and following in ("us", "'s", "not", "me") and index <= 2:
        return f"{lower} {following}"
    if lower in ("ca", "can", "cannot", "can't") and _cannot_allow(lowered, index):
        return "cannot allow"
    if lower == "better" and _at(lowered, index - 1) in ("'d", "had") and index + 1 < len(words):
        return "had better"
    if lower == "time" and following in ("to", "we", "for", "that", "the"):
        return "it is time" if any(text in _BE for text in lowered[max(0, index - 2) : index]) else None
    return None


def _cannot_allow(lowered: list[str], index: int) -> bool:
    rest = lowered[index + 1 : index + 4]
    negated = lowered[index] in ("cannot", "can't") or any(text in ("not", "n't") for text in rest[:1])
    if "afford" in rest:  # "she can't afford to live here" forbids nobody anything
        return negated and not {"i", "he", "she", "they", "who"} & set(lowered[max(0, index - 3) : index])
    return negated and any(text in _LET_NOT for text in rest)


def _imperative(words: Sentence, lowered: list[str]) -> Cue | None:
    start = next(
        (
            i
            for i, word in enumerate(words)
            if word.pos not in ("PUNCT", "INTJ", "CCONJ")
            and lowered[i] not in ("please", "so", "then", "just", "and", "but")
        ),
        None,
    )
    if start is None:
        return None
    if lowered[start] in _CONDITIONS:  # "When she tells you that, ask her why"
        base = ("VB",) if has_tree(words) else ("VB", "VBP")
        places = range(len(words) - 4, start, -1)  # of a comma with more behind it than a verb and a full stop
        comma = next((i for i in places if lowered[i] == "," and words[i + 1].tag in base), None)
        if comma is None or lowered[comma + 1] in _ATTENTION:
            return None
        start = comma + 1
    first = lowered[start]
    if first == "do" and _at(lowered, start + 1) in ("n't", "not") and _at(lowered, start + 2) not in _SUBJECT_PRONOUNS:
        return Cue("normative", start, IMPERATIVE)
    if (
        words[start].tag not in ("VB", "VBP" if _at(lowered, start - 1) == "," and not has_tree(words) else "VB")
        or words[start].pos != "VERB"
        or first in ("let", "thank", "look", "see", "say", "guess", "think")
    ):
        return None
    if has_tree(words) and (
        root_of(words) != start or any(w.head == start and w.dep in ("nsubj", "expl", "nsubjpass") for w in words)
    ):
        return None
    return Cue("normative", start, IMPERATIVE)


def _future(words: Sentence, lowered: list[str]) -> Iterator[Cue]:
    for index, (word, lower) in enumerate(zip(words, lowered, strict=True)):
        following = _at(lowered, index + 1)
        if lower in _WILL and word.pos != "NOUN":
            yield Cue("future", index, "will" if lower in ("'ll", "wo") else lower)
        elif lower == "going" and following == "to" and _next_verb(words, lowered, index + 2) is not None:
            yield Cue("future", index, "going to")
        elif lower in ("would", "'d") and word.tag == "MD" and not _wishes(lowered, index):
            yield Cue("future", index, "would")
        elif lower == "about" and following == "to" and _at(lowered, index - 1) in _BE:
            yield Cue("future", index, "about to")


def _wishes(lowered: list[str], index: int) -> bool:
    return any(text in ("like", "love", "prefer", "hope") for text in lowered[index + 1 : index + 3])


def _desire(words: Sentence, lowered: list[str]) -> Iterator[Cue]:
    for index, (word, lower) in enumerate(zip(words, lowered, strict=True)):
        if (
            (word.lemma in _WANT and word.pos == "VERB")
            or lower in ("hoping", "hopes", "hoped")
            or (lower in _WILLING and any(text in _BE for text in lowered[max(0, index - 3) : index]))
        ):
            yield Cue("desire", index, lower)
        elif lower in ("would", "'d") and _wishes(lowered, index):
            yield Cue("desire", index, "would like")
