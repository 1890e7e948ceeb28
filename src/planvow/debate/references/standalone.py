"""A claim's words so that they can be read without the debate around them.

The speaker takes the place of "I", "me" and "my", by name the first time and by pronoun after that where it is
known and nobody else can be meant, with the verb made to agree; a reference takes the name of what it was
committed to; asides and false starts go. Nothing else changes: a stand-alone text is a reading aid, never
a summary; the first person of somebody who is quoted stays, and so do "we" and most of "you", because who they include
is the reader's judgement.
"""

import re
from collections.abc import Collection, Mapping

from planvow.debate.claims.asides import dropped_words
from planvow.debate.references.voices import Voice
from planvow.debate.words.names import PRONOUN_GENDER
from planvow.debate.words.words import Sentence, entities_of
from planvow.debate.words.wordsets import word_set

_THIRD_FORMS = {
    "am": "is",
    "are": "is",
    "'m": "is",
    "have": "has",
    "'ve": "has",
    "do": "does",
    "were": "was",
    "'re": "is",
    "go": "goes",
    "m": "is",
}
_FULL_FORMS = {"'ll": "will", "wo": "will", "ca": "can"}
_AGAIN = {
    "male": {"i": "he", "me": "him", "my": "his", "mine": "his", "myself": "himself"},
    "female": {"i": "she", "me": "her", "my": "her", "mine": "hers", "myself": "herself"},
}
_OPINION = word_set("think guess suppose reckon")
_SAID = word_set("said says say saying told tells replied asked goes went")
_BEFORE_VERB = word_set("ADV PART")
_DOUBLE_COMMA = re.compile(r",(?: ?,)+")  # what stood between them was no part of the speech


def standalone(
    text: str,
    words: Sentence,
    first: int,
    after: int,
    speaker: Voice | None,
    replacements: Mapping[int, str],
    quoted: Collection[int] = (),
    addressed: Mapping[int, str] | None = None,
) -> str:
    """The words `first` to `after` of `text` with `replacements` (word index to text) and the speaker put in.

    Without a speaker (an unlabelled transcript) and in the words `quoted` the first person stays. `addressed` has the
    places of "you" and "your" that mean one person, with the name.
    """
    lowered = [word.text.lower().replace("’", "'") for word in words]
    changed: dict[int, str] = dict(replacements)
    dropped = dropped_words(words, lowered, first, after)
    if speaker:
        again = _AGAIN.get(_pronoun_gender(words, lowered, first, after, speaker, replacements), {})
        named = False
        for index in range(first, _quoted_from(lowered, first, after)):
            if index not in dropped and index not in quoted and index not in replacements:
                named |= _first_person(
                    words, lowered, index, first, after, speaker.name, again if named else {}, changed, dropped
                )
    for index, name in (addressed or {}).items():
        if first <= index < after and index not in quoted and index not in dropped:
            _second_person(words, lowered, index, after, name, changed)
    return _joined(text, words, first, after, changed, dropped)


def _second_person(
    words: Sentence, lowered: list[str], index: int, after: int, name: str, changed: dict[int, str]
) -> None:
    """Put a name in place of "you" or "your", and the verb in agreement with it."""
    if lowered[index] == "your":
        changed[index] = f"{name}'s"
        return
    changed[index] = name
    verb = _verb_after(words, index, after)
    if verb is None and _must_be_verb(words, index + 1, after):
        changed.setdefault(index + 1, third_person(words[index + 1].text, "VBP"))
    if verb is not None:
        changed.setdefault(verb, third_person(words[verb].text, words[verb].tag))


def _pronoun_gender(
    words: Sentence, lowered: list[str], first: int, after: int, speaker: Voice, replacements: Mapping[int, str]
) -> str:
    """Gender of the pronoun for a speaker named already, or "": nothing tells it, or it could mean another."""
    others = any(PRONOUN_GENDER.get(lower) == speaker.gender for lower in lowered[first:after]) or any(
        kind == "PERSON" and first <= begin < after for begin, _, kind in entities_of(words)
    )
    return "" if others or replacements else speaker.gender


def _quoted_from(lowered: list[str], first: int, after: int) -> int:
    """Where somebody else's first person begins ("she said, I want to work"); `after` when it does not."""
    for index in range(first + 2, after):
        if lowered[index] != "i" or lowered[index - 1] not in (",", ":", '"', "“", "‘"):
            continue
        before = [lower for lower in lowered[max(first, index - 5) : index - 1] if lower[:1].isalpha()]
        if before and before[-1] in _SAID and not {"i", "we"} & set(before):
            return index
    return after


def _first_person(
    words: Sentence,
    lowered: list[str],
    index: int,
    first: int,
    after: int,
    speaker: str,
    again: Mapping[str, str],
    changed: dict[int, str],
    dropped: set[int],
) -> bool:
    """Put the speaker in place of one word; True when it names or means the speaker now."""
    lower = lowered[index]
    if lower == "i":
        verb = _verb_after(words, index, after)
        if verb is not None and lowered[verb] in _OPINION and _is_opinion(words, lowered, index, verb, first, after):
            # "I think taxes are too high" stands alone as "taxes are too high".
            dropped.update(range(index, verb + 1))
            if verb + 1 < after and (lowered[verb + 1] == "," or _links(words, lowered, verb + 1)):
                dropped.add(verb + 1)
            if index > first and lowered[index - 1] == ",":
                dropped.add(index - 1)
            return False
        changed[index] = again.get(lower, speaker)
        if verb is None and _must_be_verb(words, index + 1, after):
            changed.setdefault(index + 1, third_person(words[index + 1].text, "VBP"))
        if verb is not None:
            changed.setdefault(verb, third_person(words[verb].text, words[verb].tag))
            for also in _coordinated(words, verb, first, after):
                changed.setdefault(also, third_person(words[also].text, words[also].tag))
    elif lower == "my" or (lower == "mine" and words[index].pos == "PRON"):
        changed[index] = again.get(lower, f"{speaker}'s")
    elif lower in ("me", "myself"):
        changed[index] = again.get(lower, speaker)
    else:
        return False
    return True


def _links(words: Sentence, lowered: list[str], index: int) -> bool:
    """ "that" before a clause ("I think that taxes ..."), not as its subject ("I think that's ...")."""
    if lowered[index] != "that":
        return False
    if words[index].dep:
        return words[index].dep == "mark"
    following = words[index + 1] if index + 1 < len(words) else None  # "that fee is ...": a determiner
    return following is not None and following.tag != "NN" and following.pos not in ("AUX", "VERB", "ADJ", "PART")


def _verb_after(words: Sentence, index: int, after: int) -> int | None:
    for at in range(index + 1, min(index + 4, after)):
        if words[at].pos in ("VERB", "AUX"):
            return at
        if words[at].pos not in _BEFORE_VERB:
            return None
    return None


def _must_be_verb(words: Sentence, index: int, after: int) -> bool:
    """Whether what follows "I" is a verb that the tagger took for a noun ("I agree that ..."), as "I" has a verb."""
    if index + 1 >= after:
        return False
    word = words[index]
    return word.tag == "NN" and word.text.isalpha() and word.text.islower()


def _coordinated(words: Sentence, verb: int, first: int, after: int) -> list[int]:
    """ "I live here and work there": verbs joined to the first that share its subject and its tense."""
    if words[verb].tag != "VBP" or words[verb].dep in ("aux", "auxpass"):
        return []
    joined = [verb]
    for at in range(verb + 1, after):
        word = words[at]
        if word.dep == "conj" and word.head in joined and word.tag in ("VBP", "VB") and word.pos in ("VERB", "AUX"):
            below = [w for i, w in enumerate(words) if w.head == at and i != at]
            if not any(w.dep in ("nsubj", "nsubjpass", "expl", "aux") for w in below):
                joined.append(at)
    return joined[1:]


def _is_opinion(words: Sentence, lowered: list[str], index: int, verb: int, first: int, after: int) -> bool:
    """ "I (really) think" with what is thought after it, or as an afterthought at the end."""
    if any(word.text.lower() in ("not", "n't", "n’t") for word in words[index:verb]):
        return False
    if verb + 1 >= after:
        return index > first and lowered[index - 1] == ","
    return _clause_follows(words, lowered, verb + 1, after)


def _clause_follows(words: Sentence, lowered: list[str], index: int, after: int) -> bool:
    if index >= after:
        return False
    if lowered[index] in ("about", "of", "so", "not"):
        return False
    return any(word.pos in ("VERB", "AUX") for word in words[index:after])


def third_person(form: str, tag: str) -> str:
    """The present-tense form that goes with a name, for the form that went with "I"."""
    lower = form.lower().replace("’", "'")
    if lower in _THIRD_FORMS:
        return _THIRD_FORMS[lower]
    if lower in _FULL_FORMS:
        return _FULL_FORMS[lower] if lower == "'ll" else form
    if lower == "'d":
        return "had" if tag == "VBD" else "would"
    if tag not in ("VBP", "VB"):
        return form
    if lower.endswith(("s", "x", "z", "ch", "sh", "o")):
        return form + "es"
    if lower.endswith("y") and lower[-2:-1] not in ("a", "e", "i", "o", "u"):
        return form[:-1] + "ies"
    return form + "s"


def _joined(text: str, words: Sentence, first: int, after: int, changed: Mapping[int, str], dropped: set[int]) -> str:
    parts: list[str] = []
    for index in range(first, after):
        if index in dropped:
            continue
        word = words[index]
        spaced = index > first and word.start > words[index - 1].end
        piece = changed.get(index, text[word.start : word.end])
        if index in changed:  # "The moderator" in front, "the First Minister" behind
            article = piece[:4] in ("The ", "the ") or index == first
            initial = piece[:1].upper() if index == first else piece[:1].lower()
            piece = initial + piece[1:] if article else piece
        starts_clitic = piece[:1] in ("'", "’") or piece.lower() in ("n't", "n’t")
        if parts and (spaced or (index in changed and not starts_clitic)):
            parts.append(" ")
        parts.append(piece)
    return _DOUBLE_COMMA.sub(",", " ".join("".join(parts).split()))
