"""Claims that say what a word or thing is: a defining phrase, or a kind with what sets it apart.

"A tariff is a tax on things from abroad" names a kind (a tax) and a difference (on things from abroad) of something in
general. "The fee is a tax on the poor" says something of one fee, and "education is the key to success" is a picture.
"""

from planvow.debate.terms.language import TypeReading
from planvow.debate.words.lexicon import FIRST_PLURAL, FIRST_SINGULAR, SECOND
from planvow.debate.words.words import Sentence, has_tree
from planvow.debate.words.wordsets import word_set

_PHRASES = """
    defined as, refers to, refer to, is called, are called, is known as, are known as, is termed, by definition,
    count as, counts as, the word, the term, what we call, the same thing as, two different things,
    two different concepts, very different things, is one thing, a difference between, consists of, consist of,
    is a form of, is a type of,
    is a kind of, are a type of, is the process of, is the study of, is the ability to, is the act of,
    is a measure of, is a state of, describes the, describes what, also called, also known as, referred to as,
    occurs when, not the same, the same as, nothing but a, the process by, the degree to, the extent to, is when
"""
_OF_A_WORD = word_set("mean means meant cover covers describe describes use uses used refers come")
_MEANING = word_set("mean means meant")
_BE = word_set("is are be")
_HEDGES = word_set(
    """
    simply basically really just merely essentially nothing but only not usually generally always by
    """
)
_OPEN_HEADS = word_set("anyone anybody one someone somebody anything something what whatever whoever everything")
_DIFFERENCE = word_set("that which who whom whose where when in of on to for with from between made used based")
_PICTURES = word_set(
    """
    key way problem reason issue thing answer solution threat mistake disaster result product time part fact matter
    question shame priority challenge lot bit number majority third half member leader friend man woman sign step
    story state country nation people president party line point idea goal test mess example cause source top best
    """
)
_PERSONAL = FIRST_SINGULAR | FIRST_PLURAL | SECOND | word_set("he she they his her their who what there here")
_PARTICULAR = _PERSONAL | word_set("this that these those it its which such some many most all")
_NAMING = word_set("called as termed")
_MEANERS = word_set("i we they you economists people lawyers scientists")
_NO_MEANING = word_set("business well it anything nothing something much a was were")
_LONGEST_SUBJECT = 9


def definition_of(words: Sentence, lowered: list[str]) -> TypeReading | None:
    """The reading of a proposition as a definition or a distinction, if it can be one."""
    phrase = _phrase(words, lowered) or _defined_as(lowered) or _named(words, lowered) or _meaning(words, lowered)
    if phrase is not None:
        return TypeReading("conceptual", 0.75, (f"defines: {phrase!r}",), "definition", 11.0)
    first = _after_lead(words)
    kind = _kind_and_difference(words[first:], lowered[first:])
    if kind is not None:
        # Of "a tariff", of any, hardly anything but what it is can be said.
        cost = 13.0 if lowered[first] in ("a", "an") else 19.0
        return TypeReading("conceptual", 0.65, (f"says what something is: {kind!r}",), "definition", cost)
    return None


def _after_lead(words: Sentence) -> int:
    """Where the sentence begins after "In economics," or "Legally,"."""
    if words and words[0].pos in ("ADP", "ADV"):
        comma = next((at for at, word in enumerate(words[:6]) if word.text == ","), None)
        if comma is not None and comma + 1 < len(words):
            return comma + 1
        article = next((at for at, word in enumerate(words[:5]) if at > 1 and word.text in ("a", "an")), None)
        if article is not None and words[article - 1].pos == "NOUN":  # "in our trade a snag is ..."
            return article
    return 0


def _phrase(words: Sentence, lowered: list[str]) -> str | None:
    for at, word in enumerate(lowered):
        for phrase in _BY_FIRST.get(word, ()):
            after = at + len(phrase)
            if tuple(lowered[at:after]) == phrase and _defines(lowered, at, phrase):
                if phrase[-1] in _NAMING and after < len(words) and words[after].text[:1].isupper():
                    continue  # a program that is called by its name
                return " ".join(phrase)
    return None


def _defines(lowered: list[str], at: int, phrase: tuple[str, ...]) -> bool:
    """Said of a word or of any such thing; "what the senator refers to" is not."""
    if phrase[0] in ("the", "what"):
        if lowered[0] in ("he", "she", "it", "they", "you"):
            return False  # who used which word, is a fact
        opens = not at and phrase[0] == "what"
        return opens or phrase[-1] in ("as", "by", "to") or not _OF_A_WORD.isdisjoint(lowered)
    if phrase[0] == "a":
        return lowered[0] == "there"
    if phrase[0] == "by":
        return True
    if phrase[0] == "referred" and lowered[0] == "it":
        return False  # "it's referred to as a ban" is said of one thing
    particular = _PERSONAL if phrase[-1] in _NAMING else _PARTICULAR
    return at > 0 and particular.isdisjoint(lowered[:at])


_BY_FIRST: dict[str, list[tuple[str, ...]]] = {}
for _each in (tuple(phrase.split()) for phrase in _PHRASES.split(",")):
    _BY_FIRST.setdefault(_each[0], []).append(_each)


def _defined_as(lowered: list[str]) -> str | None:
    """ "Is defined in our code as", with a few words between."""
    if "defined" in lowered:
        at = lowered.index("defined")
        if "as" in lowered[at + 1 : at + 6]:
            return "defined as"
    return None


def _named(words: Sentence, lowered: list[str]) -> str | None:
    """ "A process called osmosis"; a group or a program that is called by a name is no definition."""
    for at in range(2, len(words) - 1):
        if (
            lowered[at] == "called"
            and words[at - 1].pos in ("NOUN", "PUNCT")
            and words[at + 1].pos in ("NOUN", "ADJ", "DET")
        ):
            return "called" if _PARTICULAR.isdisjoint(lowered[:at]) else None
    return None


def _meaning(words: Sentence, lowered: list[str]) -> str | None:
    """ "Affordable means that ...", "by rent I mean ...": of a word; "I mean" and "that means" say nothing of one."""
    at = next((at for at, word in enumerate(lowered) if word in _MEANING and at), None)
    if at is None or at + 1 >= len(lowered):
        return None
    before = lowered[:at]
    if lowered[at + 1] == ",":
        return None  # "I mean, keep in mind"
    if before[-1] in _MEANERS:
        return "by ... mean" if before[0] == "by" or not {"talk", "say", "speak"}.isdisjoint(before) else None
    if not _PARTICULAR.isdisjoint(before) or "would" in before or "will" in before or len(before) > _LONGEST_SUBJECT:
        return None
    named = any(word.entity.startswith("B-") for word in words[:at])
    stated = any(word.pos in ("NOUN", "ADJ", "VERB", "PROPN") for word in words[:at])
    if words[at].pos == "NOUN" or lowered[at + 1] in _NO_MEANING:
        return None
    return lowered[at] if stated and not named else None


def _kind_and_difference(words: Sentence, lowered: list[str]) -> str | None:
    at = next((at for at, word in enumerate(lowered[: _LONGEST_SUBJECT + 1]) if word in _BE and at), None)
    if at is None or not _is_general(words, lowered, at):
        return None
    first = at + 1
    while first < len(lowered) and lowered[first] in _HEDGES:
        first += 1
    head = _head_of(words, lowered, first)
    if head is None or lowered[head] in _PICTURES or words[head].lemma.lower() in _PICTURES:
        return None
    rest = lowered[head + 1 :]
    if not rest or (lowered[head] == "one" and rest[0] == "of"):
        return None
    bare = words[first].pos != "DET" and not (has_tree(words) and words[head].tag in ("NN", "NNS"))
    if bare and lowered[head] not in _OPEN_HEADS and rest[0] not in ("that", "which", "who", ","):
        return None  # "banks are reluctant to": without an article a rare adjective passes for a noun
    opens_general = lowered[0] in ("a", "an") or lowered[head] in _OPEN_HEADS
    contrasted = "not" in rest and "," in rest and rest.index("not") == rest.index(",") + 1
    apart = (
        rest[0] in _DIFFERENCE
        or words[head + 1].tag in ("VBN", "VBG")
        or (rest[0] == "," and len(rest) > 1 and rest[1] in ("which", "that"))
    )
    if lowered[0] == "the" and rest[0] not in ("that", "which", "in", "used", "of", "where", "with"):
        return None
    if apart or contrasted or (opens_general and len(rest) > 1 and rest[0] in ("and", "plus", "or")):
        return " ".join(lowered[at : head + 1])
    return None


def _is_general(words: Sentence, lowered: list[str], verb: int) -> bool:
    """The subject is any such thing: no pronoun, no name, no figure in it, and one that is no person of ours."""
    if lowered[0] == "the" and verb < 3 and words[1].pos != "NOUN":
        return False
    if lowered[0] == "the" and not _PICTURES.isdisjoint(lowered[:verb]):
        return False  # "the result is interest costs that ..." says what came of something
    return _PARTICULAR.isdisjoint(lowered[:verb]) and not any(
        word.entity or word.pos == "NUM" or word.tag in ("VBD", "VBZ", "MD") or word.text in (",", "'s", "’s")
        for word in words[:verb]
    )


def _head_of(words: Sentence, lowered: list[str], first: int) -> int | None:
    """The noun that names the kind, right of its article and adjectives."""
    at = first
    while at < len(words) and (words[at].pos in ("DET", "ADJ", "ADV", "NUM") and lowered[at] not in _OPEN_HEADS):
        at += 1
    if at < len(words) and lowered[at] in _OPEN_HEADS:
        return at
    head = None
    while at < len(words) and words[at].pos in ("NOUN", "PROPN"):
        head = at
        at += 1
    return head
