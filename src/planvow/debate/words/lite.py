"""The lite back-end's reading of words: tokens, tags and lemmas by rule, no dependency and no tree.

Closed-class words come from a table, the rest from endings, capital letters and the word before. It is wrong
more often than a trained tagger, but always in the same way, it costs microseconds, and the weights fitted on
its features know its habits.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from planvow.debate.words.lexicon import CLASS_OF, NUMBER_WORDS, WORD_CLASSES
from planvow.debate.words.names import FEMALE_NAMES, LANDS, MALE_NAMES, PEOPLES, TITLES
from planvow.debate.words.words import Sentence, Span, Word
from planvow.debate.words.wordsets import word_set

_TOKEN = re.compile(
    r"""(?:[A-Za-z]\.){2,}|\$|\d+(?:[.,]\d+)*(?:st|nd|rd|th|s|m|bn|k)?%?|[A-Za-zÀ-ɏ]+(?:['’-][A-Za-zÀ-ɏ]+)*\.?(?=\s[A-Z])|"""
    r"""[A-Za-zÀ-ɏ]+(?:['’-][A-Za-zÀ-ɏ]+)*['’]?|\.\.\.|--|\w+|[^\w\s]""",
    re.UNICODE,
)
_CAPITALISED = re.compile(r"(?<![\w'’])[A-Z][a-zÀ-ɏ]+")
_CLITIC = re.compile(r"^(.+?)(n['’]t|['’](?:s|re|ve|ll|d|m))$", re.IGNORECASE)
_ABBREVIATIONS = frozenset(t + "." for t in TITLES if len(t) <= 5) | {"vs.", "jr.", "sr."}

_TAGGED: dict[str, tuple[str, str, str]] = {}


def _table(pos: str, tag: str, words: str, lemma: str | None = None) -> None:
    for word in words.split():
        _TAGGED[word] = (pos, tag, lemma or word)


_table("DET", "DT", "the a an every each no any some another either neither all both half")
_table("PRON", "DT", "this that these those")
_table("PRON", "PRP", "i you he she it we they me him us them myself yourself himself herself itself")
_table("PRON", "PRP", "ourselves themselves")
_table("PRON", "PRP", "somebody someone anybody anyone everybody everyone nobody something anything")
_table("PRON", "PRP", "everything nothing none one")
_table("PRON", "PRP$", "my your his her its our their mine yours hers ours theirs")
_table("PRON", "WP", "who what whom whose whoever whatever")
_table("PRON", "WDT", "which")
_table("SCONJ", "WRB", "when where why how whenever wherever")
_table("PRON", "EX", "there")
_table("ADP", "IN", "of in on at by for from with without about against between among through during")
_table("ADP", "IN", "before after above below over under into")
_table("ADP", "IN", "onto upon across toward towards within per via despite behind beyond near since")
_table("ADP", "IN", "until except like as out off up down around")
_table("SCONJ", "IN", "because although though while whereas unless if whether than so")
_table("CCONJ", "CC", "and but or nor yet plus")
_table("PART", "TO", "to")
_table("PART", "RB", "not n't n’t")
_table("PART", "POS", "'s ’s", "'s")
_table("AUX", "MD", "will would shall should can could may might must ought wo ca 'll ’ll 'd ’d cannot")
_table("AUX", "VBZ", "is", "be")
_table("AUX", "VBP", "are am 'm 're ’m ’re", "be")
_table("AUX", "VBD", "was were", "be")
_table("AUX", "VB", "be", "be")
_table("AUX", "VBN", "been", "be")
_table("AUX", "VBG", "being", "be")
_table("AUX", "VBZ", "has", "have")
_table("AUX", "VBP", "have 've ’ve", "have")
_table("AUX", "VBD", "had", "have")
_table("VERB", "VBG", "having", "have")
_table("AUX", "VBP", "do", "do")
_table("AUX", "VBZ", "does", "do")
_table("AUX", "VBD", "did", "do")
_table("INTJ", "UH", "yes yeah well oh okay ok uh um no please hello hi bye thanks")
_table("ADV", "RB", "never always often sometimes now then here today tomorrow tonight yesterday again")
_table("ADV", "RB", "already still ever just only even also too")
_table("ADV", "RB", "very really quite almost perhaps maybe soon later instead however therefore thus")
_table("ADV", "RB", "moreover away back ago together once")
_table("ADV", "RBR", "more less better worse further")
_table("ADV", "RBS", "most least")
_table("ADJ", "JJ", "many much few several such other same new old good great bad big small high low long")
_table("ADJ", "JJ", "short own right wrong sure able")
_table("ADJ", "JJ", "important different large free true real full public last next first second third")
_table("ADJ", "JJ", "young poor rich hard clear whole")
_table("ADJ", "JJS", "best worst biggest largest highest lowest greatest")
_table("ADJ", "JJR", "bigger larger higher lower greater smaller fewer")
_table("NUM", "CD", " ".join(NUMBER_WORDS - {"one", "half", "third", "quarter"}))

_IRREGULAR: dict[str, tuple[str, str]] = {}
for _line in """
say said said|tell told told|think thought thought|know knew known|go went gone|get got gotten
|make made made|take took taken|see saw seen|come came come|give gave given|find found found
|feel felt felt|leave left left|keep kept kept|begin began begun|show showed shown|hear heard heard
|run ran run|hold held held|bring brought brought|write wrote written|sit sat sat|stand stood stood
|lose lost lost|pay paid paid|meet met met|lead led led|understand understood understood
|speak spoke spoken|spend spent spent|grow grew grown|win won won|buy bought bought|send sent sent
|build built built|fall fell fallen|cut cut cut|rise rose risen|drive drove driven|break broke broken
|sell sold sold|fight fought fought|teach taught taught|choose chose chosen|become became become
|mean meant meant|put put put|set set set|let let let|hurt hurt hurt|shoot shot shot
|forget forgot forgotten|eat ate eaten|draw drew drawn|wear wore worn|throw threw thrown
|catch caught caught|deal dealt dealt|lie lied lied|steal stole stolen|hide hid hidden|lay laid laid
|lend lent lent|bear bore borne|shut shut shut|hit hit hit|cost cost cost|read read read
""".replace("\n", "").split("|"):
    _base, _past, _participle = _line.split()
    _IRREGULAR[_participle] = (_base, "VBN")
    _IRREGULAR[_past] = (_base, "VBD")
_VERBS = (
    frozenset(
        word
        for name in (
            "saying",
            "asking",
            "thinking",
            "wanting",
            "causing",
            "rising",
            "falling",
            "change",
            "voting",
            "giving",
            "doing",
            "showing",
            "liking",
        )
        for word in WORD_CLASSES[name]
    )
    | frozenset(_base for _base, _ in _IRREGULAR.values())
    | word_set(
        """
    need spend pay cost save earn try use call talk happen live look help let
    """
    )
)
_PAST_SAME = word_set("cut put set let hurt cost hit shut read run come become")
_ADJECTIVE_ENDINGS = ("ous", "ful", "ive", "able", "ible", "ical", "less", "ish", "ary")
_NOUN_ENDINGS = (
    "tion",
    "sion",
    "ment",
    "ness",
    "ity",
    "ance",
    "ence",
    "ship",
    "ism",
    "ist",
    "hood",
    "age",
    "ure",
    "cy",
)
_MONTHS = word_set(
    """
    january february march april june july august september october november december
    """
)
_DAYS = word_set("monday tuesday wednesday thursday friday saturday sunday")


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
    if not form[:1].isupper() or lower in CLASS_OF or lower in _VERBS:
        return False
    return lower in names or (following[:1].isupper() and following[1:].islower() and not lower.endswith(("ly", "ing")))


def _tag(form: str, previous: Word | None, opens: bool) -> tuple[str, str, str]:
    lower = form.lower()
    if not lower[0].isalnum() and lower not in _TAGGED:
        return ("SYM", "$", form) if form in "$£€%" else ("PUNCT", form[0] if form[0] in ".,:" else ":", form)
    if lower[0].isdigit():
        return "NUM", "CD", form
    if lower in _TAGGED:
        return _TAGGED[lower]
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
    if lower in _IRREGULAR:
        base, tag = _IRREGULAR[lower]
        if previous is not None and previous.pos == "AUX":
            tag = "VB" if previous.tag == "MD" else "VBN"
        return "VERB", tag, base
    if after_to and lower in _VERBS:
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
        if base in _VERBS and after_nominal and not after_determiner:
            return "VERB", "VBZ", base
        return "NOUN", "NNS", base
    if lower in _VERBS and not after_determiner:
        return "VERB", "VB" if previous is None or after_to else "VBP", lower
    if lower.endswith(_ADJECTIVE_ENDINGS):
        return "ADJ", "JJ", lower
    if lower.endswith("est") and len(lower) > 5:
        return "ADJ", "JJS", lower
    if after_to and not lower.endswith(_NOUN_ENDINGS):
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
        if base in _VERBS:
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
                if lower in _MONTHS or lower in _DAYS
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
