"""Linguistic features of one sentence: what is counted, never which content words were said.

Every feature has a name a person can read: `word:because` (closed-class words only), `class:spending` (a list
of `lexicon`), `subject:first_plural`, `tense:past`, `entity:MONEY`, `place:first_in_turn`. The same function
serves both back-ends; features that need a parse are simply absent without one. Values lie in 0..1, so weights
can be compared.
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from planvow.debate.words.lexicon import (
    CLASS_OF,
    FIRST_PLURAL,
    FIRST_SINGULAR,
    FUNCTION_WORDS,
    MAGNITUDES,
    SECOND,
    WORD_CLASSES,
)
from planvow.debate.words.words import Sentence, entities_of, has_tree, root_of
from planvow.debate.words.wordsets import word_set

Features = dict[str, float]


class Place(NamedTuple):
    """Where a sentence stands in its turn."""

    at: int = 0
    of: int = 1
    after_question: bool = False
    """The turn before this one ended in a question."""


_YEAR = re.compile(r"^(?:1[5-9]|20)\d\d$")
_DIGIT = re.compile(r"\d")
_SUBJECTS = ("nsubj", "nsubjpass", "expl", "csubj")
_FINITE = {"VBD": "past", "VBP": "present", "VBZ": "present", "MD": "modal"}
_CLAUSES = word_set("ccomp xcomp advcl relcl acl conj parataxis csubj pcomp")
_CONTENT = word_set("NOUN VERB ADJ PROPN ADV NUM")


def sentence_features(words: Sentence, place: Place) -> Features:
    found: Features = {"bias": 1.0}
    add = found.setdefault
    lowered = [word.text.lower().replace("’", "'") for word in words]
    _length(found, words)
    _classes(found, words, lowered)
    _numbers(found, words, lowered)
    _grammar(found, words)
    _opening_and_end(found, words, lowered)
    if has_tree(words):
        _syntax(found, words, lowered)
    else:
        _surface_subject(found, words, lowered)
    for first, _, kind in entities_of(words):
        add(f"entity:{kind}", 1.0)
        if first == 0:
            add("opens:entity", 1.0)
    _place(found, place)
    return found


def _length(found: Features, words: Sentence) -> None:
    size = sum(1 for word in words if word.pos != "PUNCT")
    for limit in (3, 5, 8, 12, 18, 26, 40):
        if size > limit:
            found[f"longer_than:{limit}"] = 1.0
    found["length"] = min(size, 60) / 60
    content = sum(1 for word in words if word.pos in _CONTENT)
    found["content_share"] = content / max(1, size)


def _classes(found: Features, words: Sentence, lowered: Sequence[str]) -> None:
    hits: dict[str, int] = {}
    for word, lower in zip(words, lowered, strict=True):
        if lower in FUNCTION_WORDS:
            found[f"word:{lower}"] = 1.0
        names = CLASS_OF.get(word.lemma.lower()) or CLASS_OF.get(lower) or ()
        for name in names:
            hits[name] = hits.get(name, 0) + 1
    for name, count in hits.items():
        found[f"class:{name}"] = 1.0
        if count > 1:
            found[f"classes:{name}"] = min(count - 1, 3) / 3


def _numbers(found: Features, words: Sentence, lowered: Sequence[str]) -> None:
    count = 0
    for index, (word, lower) in enumerate(zip(words, lowered, strict=True)):
        following = words[index + 1] if index + 1 < len(words) else None
        after = lowered[index + 1] if following else ""
        if word.pos == "NUM" or _DIGIT.search(lower):
            count += 1
            if following is not None and following.pos in ("NOUN", "PROPN") and word.pos == "NUM":
                found["number:counts_noun"] = 1.0
            if after in ("percent", "%", "per") or lower.endswith("%"):
                found["number:percent"] = 1.0
            if after in MAGNITUDES:
                found["number:magnitude"] = 1.0
            if after.startswith(("year", "month", "week", "day", "hour", "decade")):
                found["number:duration"] = 1.0
        if _YEAR.match(lower):
            found["number:year"] = 1.0
        if lower in ("$", "£", "€"):
            found["number:money"] = 1.0
        if _DIGIT.search(lower):
            found["number:digits"] = 1.0
    if count:
        found["number"] = 1.0
        found["numbers"] = min(count, 5) / 5


def _grammar(found: Features, words: Sentence) -> None:
    tags: dict[str, int] = {}
    for word in words:
        tags[word.tag] = tags.get(word.tag, 0) + 1
    for tag in (
        "VBD",
        "VBN",
        "VBZ",
        "VBP",
        "VB",
        "VBG",
        "MD",
        "JJR",
        "JJS",
        "RBR",
        "RBS",
        "NNP",
        "NNPS",
        "CD",
        "UH",
        "EX",
        "WRB",
        "WP",
        "PRP$",
    ):
        if tag in tags:
            found[f"tag:{tag}"] = 1.0
            if tags[tag] > 1:
                found[f"tags:{tag}"] = min(tags[tag] - 1, 4) / 4
    total = max(1, len(words))
    for pos in ("NOUN", "PROPN", "VERB", "PRON", "ADJ", "ADV", "NUM", "ADP"):
        found[f"share:{pos}"] = sum(1 for word in words if word.pos == pos) / total
    for left, right in pairwise(words):
        if left.pos in ("PRON", "AUX", "VERB", "PART") and right.pos in (
            "AUX",
            "VERB",
            "ADJ",
            "ADV",
            "DET",
            "PART",
            "NUM",
        ):
            found[f"pair:{left.pos}_{right.pos}"] = 1.0
    if not any(word.pos in ("VERB", "AUX") for word in words):
        found["no_verb"] = 1.0


def _opening_and_end(found: Features, words: Sentence, lowered: Sequence[str]) -> None:
    if not words:
        return
    opening = [lower for word, lower in zip(words, lowered, strict=True) if word.pos != "PUNCT"][:2]
    if opening:
        if opening[0] in FUNCTION_WORDS:
            found[f"opens:{opening[0]}"] = 1.0
        for name in ("courtesy", "agreeing_opener", "contrast", "reasoning", "addition", "thinking", "saying"):
            if any(lower in WORD_CLASSES[name] for lower in opening):
                found[f"opens:{name}"] = 1.0
    ends = "".join(lowered[-2:])
    if "?" in ends:
        found["end:question"] = 1.0
    if "!" in ends:
        found["end:exclamation"] = 1.0
    if ends.rstrip(".").endswith(("--", "-", "—", "–")) or ends.endswith(("...", "…")):
        found["end:broken_off"] = 1.0
    if any(mark in text for text in lowered for mark in ('"', "“", "”")):
        found["quotes"] = 1.0


def _person(lower: str) -> str | None:
    if lower in FIRST_SINGULAR:
        return "first_singular"
    if lower in FIRST_PLURAL:
        return "first_plural"
    if lower in SECOND:
        return "second"
    if lower in ("he", "she", "they", "him", "her", "them"):
        return "third"
    return "it" if lower in ("it", "this", "that", "these", "those", "there") else None


def _syntax(found: Features, words: Sentence, lowered: Sequence[str]) -> None:
    root = root_of(words)
    tense = None
    subject = "none"
    for index, word in enumerate(words):
        if word.dep in _CLAUSES:
            found[f"clause:{word.dep}"] = 1.0
        if word.head == root and index != root:
            if word.dep in _SUBJECTS:
                subject = _person(lowered[index]) or (
                    "name" if word.pos == "PROPN" else "noun" if word.pos == "NOUN" else "other"
                )
                if word.pos == "NOUN":
                    for name in CLASS_OF.get(word.lemma.lower(), ()):
                        found[f"subject_class:{name}"] = 1.0
            if word.dep in ("aux", "auxpass") and word.tag in _FINITE:
                tense = tense or _FINITE[word.tag]
                if word.tag == "MD":
                    found[f"root_modal:{lowered[index]}"] = 1.0
            if word.dep == "neg":
                found["root:negated"] = 1.0
            if word.dep in ("dobj", "attr", "acomp", "ccomp", "xcomp", "prep", "advcl", "oprd", "dative"):
                found[f"root_has:{word.dep}"] = 1.0
            if word.dep == "auxpass":
                found["root:passive"] = 1.0
    tense = tense or _FINITE.get(words[root].tag, "none")
    if any(
        words[i].head == root and words[i].tag in ("VBP", "VBZ") and words[i].lemma == "have" and words[i].dep == "aux"
        for i in range(len(words))
    ):
        tense = "perfect"
    found[f"tense:{tense}"] = 1.0
    found[f"subject:{subject}"] = 1.0
    found[f"subject_tense:{subject}_{tense}"] = 1.0
    found[f"root_pos:{words[root].pos}"] = 1.0
    for name in CLASS_OF.get(words[root].lemma.lower(), ()):
        found[f"root:{name}"] = 1.0
        found[f"root_subject:{name}_{subject}"] = 1.0


def _surface_subject(found: Features, words: Sentence, lowered: Sequence[str]) -> None:
    """Without a tree: the last nominal before the first finite verb stands for the subject."""
    subject = "none"
    for index, word in enumerate(words):
        if word.tag in _FINITE:
            tense = _FINITE[word.tag]
            found[f"tense:{tense}"] = 1.0
            found[f"subject:{subject}"] = 1.0
            found[f"subject_tense:{subject}_{tense}"] = 1.0
            if word.tag == "MD":
                found[f"root_modal:{lowered[index]}"] = 1.0
            verb = word
            for later in words[index + 1 : index + 4]:
                if verb.pos == "AUX" and later.pos in ("VERB", "ADJ"):
                    verb = later
            for name in CLASS_OF.get(verb.lemma.lower(), ()):
                found[f"root:{name}"] = 1.0
                found[f"root_subject:{name}_{subject}"] = 1.0
            return
        if word.pos in ("NOUN", "PROPN", "PRON"):
            subject = _person(lowered[index]) or (
                "name" if word.pos == "PROPN" else "noun" if word.pos == "NOUN" else "other"
            )
    found["tense:none"] = 1.0


def _place(found: Features, place: Place) -> None:
    if place.at == 0:
        found["place:first_in_turn"] = 1.0
        if place.after_question:
            found["place:answers"] = 1.0
    elif place.at == 1:
        found["place:second_in_turn"] = 1.0
    if place.at == place.of - 1:
        found["place:last_in_turn"] = 1.0
    # How long the turn is stays out: on a stage short turns are interjections, in a chat they are all there is.
    found["place:how_far"] = place.at / max(1, place.of)
