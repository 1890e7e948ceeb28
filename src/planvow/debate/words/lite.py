"""The lite back-end's reading of words: tokens, tags and lemmas by rule, no dependency and no tree.

Closed-class words come from a table, the rest from endings, capital letters and the word before. It is wrong
more often than a trained tagger, but always in the same way, it costs microseconds, and the weights fitted on
its features know its habits.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from planvow.debate.words.forms import ADJECTIVE_ENDINGS, DAYS, IRREGULAR, MONTHS, NOUN_ENDINGS, TAGGED, VERBS
from planvow.debate.words.lexicon import CLASS_OF
from planvow.debate.words.names import FEMALE_NAMES, LANDS, MALE_NAMES, PEOPLES, TITLES
from planvow.debate.words.words import Sentence, Span, Word

_TOKEN = re.compile(
    r"""(?:[A-Za-z]\.){2,}|\$|\d+(?:[.,]\d+)*(?:st|nd|rd|th|s|m|bn|k)?%?|[A-Za-zÀ-ɏ]+(?:['’-][A-Za-zÀ-ɏ]+)*\.?(?=\s[A-Z])|"""
    r"""[A-Za-zÀ-ɏ]+(?:['’-][A-Za-zÀ-ɏ]+)*['’]?|\.\.\.|--|\w+|[^\w\s]""",
    re.UNICODE,
)
_CAPITALISED = re.compile(r"(?<![\w'’])[A-Z][a-zÀ-ɏ]+")
_CLITIC = re.compile(r"^(.+?)(n['’]t|['’](?:s|re|ve|ll|d|m))$", re.IGNORECASE)
_ABBREVIATIONS = frozenset(t + "." for t in TITLES if len(t) <= 5) | {"vs.", "jr.", "sr."}


class LiteParser:
    """Tags words by rule."""

    name = "lite"
    version = "lite-2"

    def parse(self, texts: Iterable[tuple[str, Sequence[Span]]]) -> Iterator[list[Sentence]]:
        for text, spans in texts:
            names = _capitalised_inside(text, spans)
            yield [read_words(text, start, end, names) for start, end in spans]


def _capitalised_inside(text: str, spans: Sequence[Span]) -> frozenset[str]:
    """Words with a capital inside a sentence: at the start of another one they are names too."""
    found = set()
    for start, end in spans:
        for match in islice(_CAPITALISED.finditer(text, start, end), 1, None):
            found.add(match.group().lower())
        opening = _CAPITALISED.match(text, start, end)
        if opening is None:  # the first capital of this sentence stands inside it
            found.update(match.group().lower() for match in islice(_CAPITALISED.finditer(text, start, end), 1))
    return frozenset(found)


def tokens(text: str, start: int, end: int) -> Iterator[Span]:
    """Spans of words and marks; contractions are split as in "do" + "n't"."""
    for match in _TOKEN.finditer(text, start, end):
        first, after = match.span()
        token = match.group()
        if (
            token.endswith(".")
            and len(token) > 2
            and token.count(".") == 1
            and token.lower() not in _ABBREVIATIONS
            and token != "..."
        ):
            yield from _split(text, first, after - 1)
            yield after - 1, after
        else:
            yield from _split(text, first, after)


def _split(text: str, first: int, after: int) -> Iterator[Span]:
    if after - first > 1 and text[after - 1] in "'’":  # "the voters' money", or the end of a quotation
        yield from _split(text, first, after - 1)
        yield after - 1, after
        return
    clitic = _CLITIC.match(text[first:after])
    if clitic is None:
        yield first, after
        return
    cut = first + len(clitic.group(1))
    yield from _split(text, first, cut)
    yield cut, after


def read_words(text: str, start: int, end: int, names: frozenset[str] = frozenset()) -> Sentence:
    """The words of one sentence; `names` are words known to be written with a capital elsewhere in the text."""
    spans = list(tokens(text, start, end))
    words: list[Word] = []
    for index, (first, after) in enumerate(spans):
        form = text[first:after]
        previous = words[-1] if words else None
        following = text[slice(*spans[index + 1])] if index + 1 < len(spans) else ""
        opens = index == 0 and not _opens_with_name(form, following, names)
        pos, tag, lemma = _tag(form, previous, opens)
        words.append(Word(first, after, form, lemma, pos, tag, "", index, ""))
    _repair(words)
    return tuple(_with_entities(words))


def _opens_with_name(form: str, following: str, names: frozenset[str]) -> bool:
    """At the start of a sentence a capital says nothing, unless the word has one elsewhere or the next has one too."""
    lower = form.lower()
    if not form[:1].isupper() or lower in CLASS_OF or lower in VERBS:
        return False
    return lower in names or (following[:1].isupper() and following[1:].islower() and not lower.endswith(("ly", "ing")))


def _tag(form: str, previous: Word | None, opens: bool) -> tuple[str, str, str]:
    lower = form.lower()
    if not lower[0].isalnum() and lower not in TAGGED:
        return ("SYM", "$", form) if form in "$£€%" else ("PUNCT", form[0] if form[0] in ".,:" else ":", form)
    if lower[0].isdigit():
        return "NUM", "CD", form
    if lower in TAGGED:
        return TAGGED[lower]
    if (
        form[0].isupper()
        and (not opens or lower in MALE_NAMES or lower in FEMALE_NAMES or lower.rstrip(".") in TITLES)
        and form != "I"
    ):
        return "PROPN", "NNP", form
    return _open_class(lower, previous)


def _open_class(lower: str, previous: Word | None) -> tuple[str, str, str]:
    after_to = previous is not None and (previous.tag in ("TO", "MD") or previous.text.lower() in ("n't", "not", "let"))
    after_nominal = previous is not None and (
        previous.pos in ("PROPN", "NOUN") or previous.tag in ("PRP", "WP", "WDT", "EX")
    )
    after_determiner = previous is not None and (previous.pos == "DET" or previous.tag == "PRP$")
    if lower in IRREGULAR:
        base, tag = IRREGULAR[lower]
        if previous is not None and previous.pos == "AUX":
            tag = "VB" if previous.tag == "MD" else "VBN"
        return "VERB", tag, base
    if after_to and lower in VERBS:
        return "VERB", "VB", lower
    if lower.endswith("ly"):
        return "ADV", "RB", lower
    if lower.endswith("ing") and len(lower) > 4:
        return "VERB", "VBG", _base_of(lower, 3)
    if lower.endswith("ed") and len(lower) > 3:
        participle = previous is not None and (previous.pos == "AUX" or previous.tag == "DT")
        return "VERB", "VBN" if participle else "VBD", _base_of(lower, 2)
    if lower.endswith("s") and not lower.endswith(("ss", "us", "is")):
        base = _singular(lower)
        if base in VERBS and after_nominal and not after_determiner:
            return "VERB", "VBZ", base
        return "NOUN", "NNS", base
    if lower in VERBS and not after_determiner:
        return "VERB", "VB" if previous is None or after_to else "VBP", lower
    if lower.endswith(ADJECTIVE_ENDINGS):
        return "ADJ", "JJ", lower
    if lower.endswith("est") and len(lower) > 5:
        return "ADJ", "JJS", lower
    if after_to and not lower.endswith(NOUN_ENDINGS):
        return "VERB", "VB", lower
    return "NOUN", "NN", lower


def _base_of(lower: str, ending: int) -> str:
    stem = lower[:-ending]
    for base in (
        stem,
        stem + "e",
        stem[:-1] if len(stem) > 2 and stem[-1] == stem[-2] else stem,
        stem[:-1] + "y" if stem.endswith("i") else stem,
    ):
        if base in VERBS:
            return base
    if len(stem) > 2 and stem[-1] == stem[-2] and stem[-1] not in "ls":
        return stem[:-1]
    return stem[:-1] + "y" if stem.endswith("i") else stem


def _singular(lower: str) -> str:
    if lower.endswith("ies") and len(lower) > 4:
        return lower[:-3] + "y"
    if lower.endswith(("sses", "ches", "shes", "xes")):
        return lower[:-2]
    return lower[:-1]


def _repair(words: list[Word]) -> None:
    """What only the next word can tell: "this year" is a determiner, "'s going" a verb, "that we" a conjunction."""
    for index, word in enumerate(words):
        following = words[index + 1] if index + 1 < len(words) else None
        lower = word.text.lower()
        if following is None:
            continue
        if lower in ("this", "that", "these", "those") and following.pos in ("NOUN", "PROPN", "ADJ", "NUM"):
            words[index] = word._replace(pos="DET")
        elif (
            lower == "that"
            and index > 0
            and words[index - 1].pos in ("VERB", "ADJ", "NOUN")
            and following.pos in ("PRON", "DET", "PROPN", "NOUN")
        ):
            words[index] = word._replace(pos="SCONJ", tag="IN")
        elif (
            word.tag == "POS"
            and index > 0
            and (words[index - 1].pos == "PRON" or following.tag in ("VBG", "VBN", "RB", "JJ", "DT"))
        ):
            words[index] = word._replace(pos="AUX", tag="VBZ", lemma="be")
        elif (
            word.pos == "AUX"
            and word.lemma in ("have", "do")
            and following.pos in ("DET", "NOUN", "ADJ", "NUM", "PART")
            and following.tag != "RB"
        ):
            words[index] = word._replace(pos="VERB")
        elif lower == "no" and following.pos in ("NOUN", "ADJ", "PRON"):
            words[index] = word._replace(pos="DET", tag="DT")
        elif (
            lower in ("need", "like", "love", "hope", "plan", "work", "vote")
            and index > 0
            and words[index - 1].tag in ("PRP", "NNP", "NNS")
        ):
            words[index] = word._replace(pos="VERB", tag="VBP", lemma=lower)


def _with_entities(words: list[Word]) -> Iterator[Word]:
    inside = ""
    for index, word in enumerate(words):
        lower = word.text.lower()
        kind = ""
        following = words[index + 1].text.lower() if index + 1 < len(words) else ""
        before = words[index - 1].text if index else ""
        if word.pos == "PROPN":
            named = lower in MALE_NAMES or lower in FEMALE_NAMES or lower.rstrip(".") in TITLES
            kind = (
                "DATE"
                if lower in MONTHS or lower in DAYS
                else inside
                if inside in ("PERSON", "ORG")
                else "PERSON"
                if named
                else "GPE"
                if lower in LANDS
                else "NORP"
                if lower in PEOPLES or lower.endswith(("ish", "ese"))
                else "ORG"
            )
        elif word.tag == "CD":
            if before in ("$", "£", "€") or inside == "MONEY":
                kind = "MONEY"
            elif following in ("percent", "%") or lower.endswith("%"):
                kind = "PERCENT"
            elif lower.isdigit() and len(lower) == 4 and lower[:2] in ("17", "18", "19", "20"):
                kind = "DATE"
            else:
                kind = "CARDINAL"
        elif lower in ("today", "tomorrow", "yesterday", "tonight"):
            kind = "DATE"
        yield word._replace(entity=f"{'I' if kind == inside else 'B'}-{kind}") if kind else word
        inside = kind
