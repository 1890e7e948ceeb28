"""Concepts told apart or put under another: "an estimate is not a promise", "files aren't knowledge".

Said of any such thing, with nothing of the day: an article or a bare noun in front, a noun behind "is".
"""

from planvow.debate.claims.everyday.ideas import is_deep, is_idea
from planvow.debate.terms.language import TypeReading
from planvow.debate.words.lexicon import FIRST_SINGULAR, WORD_CLASSES
from planvow.debate.words.words import Sentence, has_tree
from planvow.debate.words.wordsets import word_set

_BE = word_set("is are 's 're")
_ADVERBS = word_set("really simply just merely still always also never only basically essentially in fact then")
_NOT_GENERAL = FIRST_SINGULAR | word_set(
    """
    we us our he she they it this that these those there his her their its my your here now the which today such some
    many most
    """
)
_RELATIVE = word_set("that which who whom where when")
_AFTER_KIND = word_set("with without of in for to ,")
_WORD_SAID = word_set("say says said hear hears use uses")
_MEANT = (("they", "mean"), ("we", "mean"), ("talking", "about"), ("it", "means"))
_CALLERS = word_set("you we they people some lawyers economists others")
_COMPARED = (("nothing", "to", "do", "with"), ("little", "to", "do", "with"))
_COVERING = word_set("cover covers include includes mean means embrace embraces involve involves")
_LONGEST = 10
_FEWEST = 3
_JUDGED = WORD_CLASSES["praise"] | WORD_CLASSES["blame"] | word_set("shame scandal disgrace insult joke nightmare")


def distinction_of(words: Sentence, lowered: list[str]) -> TypeReading | None:
    """The reading of a proposition as a remark about concepts, if it is one."""
    if len(lowered) < _FEWEST:
        return None
    sign = _word_use(words, lowered) or _scope_of(words, lowered)
    if sign is not None:
        return TypeReading("conceptual", 0.65, (f"says what a word is for: {sign!r}",), "definition", 12.0)
    lead = next((at for at, word in enumerate(words[:5]) if word.text == ","), -1) + 1
    if lead and words[0].pos in ("ADV", "ADP", "VERB"):  # "strictly speaking, a loan that ..."
        words, lowered = words[lead:], lowered[lead:]
    sign = _is_or_is_not(words, lowered) if len(lowered) >= _FEWEST else None
    if sign is not None:
        return TypeReading("conceptual", 0.6, (f"says what something is or is not: {sign!r}",), "definition", 19.5)
    return None


def _word_use(words: Sentence, lowered: list[str]) -> str | None:
    """ "When planners say amenity they are talking about ...", "what you call a bonus is ...", "the word x has ..."."""
    if lowered[0] in ("when", "if") and not _WORD_SAID.isdisjoint(lowered[1:6]):
        for pair in _MEANT:
            if any(tuple(lowered[at : at + 2]) == pair for at in range(3, len(lowered) - 1)):
                return " ".join(pair)
    if (
        lowered[0] == "what"
        and len(lowered) > 5
        and lowered[2] in ("call", "calls")
        and (lowered[1] in _CALLERS or words[1].tag == "NNS")
    ):
        return f"what {lowered[1]} call"
    if lowered[:2] in (["the", "word"], ["the", "term"]) and len(lowered) > 3:
        stated = next((at for at, word in enumerate(words[2:8], 2) if word.tag in ("VBZ", "MD")), None)
        return "the word" if stated is not None else None
    return None


def _scope_of(words: Sentence, lowered: list[str]) -> str | None:
    """ "Offside has nothing to do with ...", "heritage covers more than ..."."""
    if words[0].pos not in ("NOUN", "VERB", "PROPN") and lowered[0] not in ("a", "an"):
        return None
    for at in range(1, min(6, len(lowered) - 3)):
        if lowered[at] in _COVERING and lowered[at + 1 : at + 3] == ["more", "than"]:
            return f"{lowered[at]} more than"
        if lowered[at] in ("has", "have") and tuple(lowered[at + 1 : at + 5]) in _COMPARED:
            return " ".join(lowered[at : at + 5])
    return None


def _is_or_is_not(words: Sentence, lowered: list[str]) -> str | None:
    verb = next((at for at, word in enumerate(lowered[:_LONGEST]) if word in _BE and at), None)
    if verb is None or not _is_general(words, lowered, verb):
        return None
    at, denied = verb + 1, False
    while at < len(lowered) and (lowered[at] in ("not", "n't", "no") or lowered[at] in _ADVERBS):
        denied |= lowered[at] in ("not", "n't", "no", "never")
        if lowered[at] == "no":
            at += 1
            break
        at += 1
    kind = _kind(words, lowered, at, bare=denied)
    if kind is None or any(word.lemma.lower() in _JUDGED for word in words[verb:]):
        return None
    of_ideas = is_idea(words[kind]) or any(is_idea(word) for word in words[:verb] if word.pos == "NOUN")
    if not (denied or of_ideas or lowered[0] in ("a", "an")):
        return None
    open_kind = lowered[kind] in ("whatever", "whoever")
    ends = open_kind or kind + 1 >= len(lowered) or lowered[kind + 1] in _RELATIVE | _AFTER_KIND
    you_do = kind + 2 < len(lowered) and lowered[kind + 1] in ("you", "one", "we")
    return " ".join(lowered[verb : kind + 1]) if ends or you_do else None


def _is_general(words: Sentence, lowered: list[str], verb: int) -> bool:
    """Any such thing: no name, no figure, nobody of the talk; "you" may stand in what tells which."""
    if words[0].pos not in ("NOUN", "DET", "PROPN", "ADJ", "VERB") and lowered[0] != "that":
        return False
    if lowered[0] == "that" and (words[0].pos == "DET" or verb < 2 or words[1].tag not in ("NN", "NNS") or verb > 2):
        return False
    subject = lowered[1:verb] if lowered[0] == "that" else lowered[:verb]
    begins = next((at for at, word in enumerate(subject) if at and (word in _RELATIVE or word == "you")), len(subject))
    if not _NOT_GENERAL.isdisjoint(subject[:begins]) or lowered[0] in ("no", "all", "every", "each"):
        return False
    if any(
        (word.entity and not (at == 0 and is_deep(word))) or word.pos == "NUM" or word.tag in ("VBD", "MD")
        for at, word in enumerate(words[:verb])
    ):
        return False
    return any(word.pos in ("NOUN", "PROPN") for word in words[:verb])


def _kind(words: Sentence, lowered: list[str], at: int, *, bare: bool) -> int | None:
    """The noun behind "is": with an article, or bare where an adjective cannot be meant."""
    if at >= len(words):
        return None
    if lowered[at] in ("something", "anything", "nothing", "whatever", "whoever"):
        return at
    article = lowered[at] in ("a", "an") or lowered[at - 1] == "no"
    if lowered[at] in ("a", "an"):
        at += 1
    while at < len(words) and words[at].pos == "ADJ" and article:
        at += 1
    if at >= len(words) or not (words[at].pos == "NOUN" or (bare and not has_tree(words) and is_idea(words[at]))):
        return None  # without a tree a noun after "not" passes for a verb
    while at + 1 < len(words) and words[at + 1].pos == "NOUN":
        at += 1
    if article:
        return at
    sure = has_tree(words) and words[at].tag in ("NN", "NNS")
    return at if (sure or is_deep(words[at]) or words[at].tag == "NNS") and (bare or is_deep(words[at])) else None
