"""Mentions of persons and things: names, noun phrases and pronouns, with their grammatical role.

Names come from the parser's entities and from runs of proper nouns; noun phrases are a noun with what stands
left of it. Without a tree the role is guessed from the position relative to the first finite verb.
"""

from dataclasses import dataclass

from planvow.debate.words.lexicon import CLASS_OF, WORD_CLASSES
from planvow.debate.words.names import FEMALE_WORDS, MALE_WORDS, PRONOUN_GENDER, TITLES, gender_of_name
from planvow.debate.words.words import Sentence, entities_of, has_tree
from planvow.debate.words.wordsets import word_set

_PERSON_NOUNS = (
    WORD_CLASSES["people"]
    | WORD_CLASSES["office"]
    | MALE_WORDS
    | FEMALE_WORDS
    | word_set("neighbour neighbor boss colleague friend author professor landlord tenant driver nurse doctor engineer")
)
_KINDS = {"ORG": "group", "NORP": "nation", "GPE": "land", "LOC": "place", "FAC": "place"}
_NOT_NAMES = frozenset({"DATE", "TIME", "PERCENT", "MONEY", "QUANTITY", "ORDINAL", "CARDINAL"})
_MODIFIERS = frozenset({"DET", "ADJ", "NUM", "NOUN", "PROPN", "PRON", "PART"})


@dataclass(frozen=True, slots=True)
class Mention:
    """A stretch of a sentence that may refer. `head`, `first`, `after` count words of the sentence."""

    start: int
    end: int
    text: str
    first: int
    after: int
    head: int
    role: str
    """subject, object, owner (possessive), oblique or other."""
    kind: str
    """person, name (who knows of what), group, nation, land, place, thing or pronoun."""
    gender: str
    """male, female, thing, many or "" when unknown."""
    is_name: bool
    key: str
    """What two mentions of one name share: its last word, lower case; else the head noun's lemma."""


def mentions_in(words: Sentence, text: str) -> list[Mention]:
    """All mentions of a sentence in text order; `text` is what the words' offsets index."""
    names = _names(words)
    taken = {index for first, after, _ in names for index in range(first, after)}
    found = [_name_mention(words, text, first, after, kind) for first, after, kind in names]
    for index, word in enumerate(words):
        if index in taken:
            continue
        lower = word.text.lower()
        if word.pos == "PRON" and lower in PRONOUN_GENDER:
            found.append(_mention(words, text, index, index + 1, index, "pronoun", PRONOUN_GENDER[lower], False, lower))
        elif (word.pos == "NOUN" or (index == 0 and word.pos == "PROPN")) and _heads_phrase(words, index):
            first = _phrase_start(words, index, taken)
            lemma = word.lemma.lower()
            kind = "person" if lemma in _PERSON_NOUNS else "thing"
            plural = word.tag in ("NNS", "NNPS") or (word.pos == "PROPN" and lemma.endswith("s"))
            gender = _noun_gender(lemma, plural, kind)
            found.append(_mention(words, text, first, index + 1, index, kind, gender, False, lemma))
    return sorted(found, key=lambda mention: (mention.start, mention.end))  # text order


def _names(words: Sentence) -> list[tuple[int, int, str]]:
    found = []
    covered: set[int] = set()
    for first, after, kind in entities_of(words):
        covered.update(range(first, after))
        if kind in _NOT_NAMES:
            continue
        while first < after and (words[first].pos in ("DET", "PART", "PUNCT", "ADP") or words[first].text == "'s"):
            first += 1
        while after > first and (words[after - 1].text in ("'s", "’s", "'", "’") or words[after - 1].pos == "PUNCT"):
            after -= 1
        # "Senator Smith": the title in front belongs to the name.
        while first > 0 and words[first - 1].text.lower().rstrip(".") in TITLES and words[first - 1].text[:1].isupper():
            first -= 1
        if after > first and not _is_noun_with_capital(words, first, after):
            found.append((first, after, kind))
            covered.update(range(first, after))
    index = 0
    while index < len(words):
        if words[index].pos == "PROPN" and index not in covered:
            after = index + 1
            while after < len(words) and words[after].pos == "PROPN" and after not in covered:
                after += 1
            if not _is_noun_with_capital(words, index, after):
                found.append((index, after, ""))
            index = after
        else:
            index += 1
    return found


def _is_noun_with_capital(words: Sentence, first: int, after: int) -> bool:
    """ "Taxes rose": a common noun at the start of a sentence that a tagger takes for a name."""
    if first or after != 1 or words[0].text.isupper():
        return False
    lower = words[0].text.lower()
    known = any(form in CLASS_OF for form in (lower, lower.removesuffix("s"), lower.removesuffix("es")))
    return known and lower not in TITLES


def _name_mention(words: Sentence, text: str, first: int, after: int, kind: str) -> Mention:
    head = after - 1
    if has_tree(words):
        head = next(
            (i for i in range(first, after) if not first <= words[i].head < after or words[i].head == i), after - 1
        )
    parts = [word.text.lower().strip(".") for word in words[first:after]]
    gender = gender_of_name(parts)
    if kind == "PERSON" or (kind in ("", "ORG", "GPE", "NORP", "PRODUCT", "WORK_OF_ART", "FAC") and gender):
        what = "person"
    else:
        what = _KINDS.get(kind, "thing") if kind else "name"
    return _mention(words, text, first, after, head, what, gender, True, parts[-1])


def _mention(
    words: Sentence, text: str, first: int, after: int, head: int, kind: str, gender: str, is_name: bool, key: str
) -> Mention:
    start, end = words[first].start, words[after - 1].end
    return Mention(start, end, text[start:end], first, after, head, role_of(words, head), kind, gender, is_name, key)


_ROLES = {
    "nsubj": "subject",
    "nsubjpass": "subject",
    "csubj": "subject",
    "expl": "subject",
    "dobj": "object",
    "dative": "object",
    "attr": "object",
    "poss": "owner",
    "pobj": "oblique",
    "appos": "appos",
    "conj": "conj",
}


def role_of(words: Sentence, index: int) -> str:
    if has_tree(words):
        role = _ROLES.get(words[index].dep, "other")
        if role in ("conj", "appos"):
            above = _ROLES.get(words[words[index].head].dep, "other")
            return above if above in ("subject", "object", "oblique", "owner") else "other"
        return role
    lower = words[index].text.lower()
    if lower in ("his", "its", "their", "theirs") or (index + 1 < len(words) and words[index + 1].text in ("'s", "’s")):
        return "owner"
    if lower == "her":
        return "owner" if index + 1 < len(words) and words[index + 1].pos in ("NOUN", "ADJ", "PROPN") else "object"
    if lower in ("him", "them"):
        return "object"
    if index > 0 and words[index - 1].pos == "ADP":
        return "oblique"
    following = next((w.pos for w in words[index + 1 : index + 4] if w.pos not in ("ADV", "PART")), "")
    return "subject" if following in ("VERB", "AUX") else "object"


def _heads_phrase(words: Sentence, index: int) -> bool:
    if has_tree(words):
        return words[index].dep not in ("compound", "nmod", "npadvmod")
    return index + 1 >= len(words) or words[index + 1].pos not in ("NOUN", "PROPN")


def _phrase_start(words: Sentence, head: int, taken: set[int]) -> int:
    first = head
    while first > 0 and first - 1 not in taken and words[first - 1].pos in _MODIFIERS:
        if has_tree(words):
            above = words[first - 1].head
            if not first - 1 < above <= head:
                break
        first -= 1
    return first


def _noun_gender(lemma: str, plural: bool, kind: str) -> str:
    if plural:
        return "many"
    if lemma in MALE_WORDS:
        return "male"
    if lemma in FEMALE_WORDS:
        return "female"
    return "" if kind == "person" else "thing"
