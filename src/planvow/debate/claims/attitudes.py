"""What the speaker feels, wants or judges: states of mind in the first person, and words of praise, blame and duty."""

import re
from collections.abc import Iterator

from planvow.debate.terms.language import TypeReading
from planvow.debate.words.lexicon import FIRST_PLURAL, FIRST_SINGULAR, WORD_CLASSES
from planvow.debate.words.words import Sentence, Word, has_tree, root_of
from planvow.debate.words.wordsets import word_set

_OPINION_VERBS = word_set("think believe feel know")
_STATE_VERBS = _OPINION_VERBS | word_set(
    """
    hope want wish love like hate care worry fear regret appreciate respect understand agree disagree doubt trust
    support oppose suspect prefer enjoy miss admire dislike remember dream resent mind mistrust dread envy loathe
    adore cherish detest treasure crave
    """
)
_LASTING = word_set(
    """
    love hate fear regret admire enjoy miss dream resent feel doubt suspect prefer like dread envy adore
    """
)  # in the past, too
_STATE_ADJECTIVES = word_set(
    """
    proud glad sorry happy sad worried concerned grateful confident sure certain afraid committed pleased delighted
    honored angry convinced torn sick tired shocked terrified scared ashamed thrilled excited disappointed
    frustrated nervous relieved lost stunned uneasy tempted thankful comfortable uncomfortable overjoyed heartbroken
    furious ambivalent moved touched hopeful surprised puzzled amazed impressed bored curious anxious desperate
    willing
    """
)
_OWN_NOUNS = word_set(
    """
    fear hope view worry dream belief feeling opinion concern wish heart instinct impression hunch
    """
)
_MOVING = word_set(
    """
    bother worry strike annoy frighten scare please surprise puzzle upset trouble move sadden pain amuse amaze hurt
    haunt fascinate
    """
)
_PERSONS = word_set("i he she they you who")
_PERSON_NOUNS = WORD_CLASSES["people"] | WORD_CLASSES["office"] | word_set("lady gentleman member colleague guy expert")
_VALUE_CLASSES = ("moral", "praise", "blame")
_VALUES = word_set(
    """
    cruel indefensible unacceptable unjust irresponsible inexcusable disgrace disgraceful scandal scandalous outrage
    shame shameful insult unfair fair fairest decent immoral wise unwise foolish selfish cowardly reckless unworthy
    madness folly lunacy insanity shocking appalling dreadful hypocritical generous noble inhumane barbaric pathetic
    """
)
_DUTIES = word_set("duty obligation responsibility right business place excuse")
_OWED = word_set("owe owes owed entitled deserve deserves")
_MAKING = word_set("make makes made making leave leaves left get gets drive drives drove turn turns")
_FOUND = word_set("it that this him her them")
_HARD = word_set("hard difficult easy strange odd funny sad")
_OTHERS = word_set("you he she they it that who")
_BODY = word_set("heart stomach gut conscience nerves mood spirits knees jaw")
_DEEPLY_FELT = _STATE_ADJECTIVES - word_set(
    "sure certain sick moved touched committed lost confident willing clear shocked"
)
_FELT = _STATE_ADJECTIVES | word_set(
    "feel want wonder think cry laugh shudder cringe mad crazy up down speechless cold"
)
_STAND = re.compile(
    r"\bi (?:am|'m|was) (?:not |all |very much |rather |firmly |also )*(?:for|against|in favou?r of|in two minds|"
    r"of two minds|torn|behind|with you|undecided)\b"
    r"|\bi (?:do |did |really |just |simply |still )*(?:n't |not |never )"
    r"(?:accept|buy|mind|care|enjoy|trust|envy|dread) (?:that|this|it|the|any|about|him|her|them)\b"
    r"|\bi (?:could|can|ca) ?(?:not|n't) (?:care|bring myself)\b"
    r"|\b(?:my|our) blood (?:boil|run|ran|froze)|\ba soft spot\b"
    r"|\bi (?:have|'ve) (?:gone|been going|changed) (?:back and forth|my mind|round in circles)\b"
    r"|\bi (?:keep|kept|lie|lay|am|'m) (?:on )?(?:lying |lie )?"
    r"(?:awake|worrying|wondering|thinking|asking myself|dreaming)\b"
    r"|\bi (?:have|'ve got|had|feel|felt) (?:a |an |no |some |every |much |great |my |real |nothing but |mixed )*"
    r"(?:sympathy|doubts?|misgivings|regrets?|hopes?|fears?|confidence|respect|feelings?|admiration|time for|patience|"
    r"faith)\b"
)
_FAR_INSIDE = 3  # words after which "I" is somebody's aside


def opens_with_opinion(lowered: list[str]) -> str | None:
    """ "I think" and its like at the start, if that is how the proposition opens."""
    if not lowered or lowered[0] != "i":
        return None
    for at in (1, 2):
        if at < len(lowered) and lowered[at] in _OPINION_VERBS:
            return " ".join(["I", *lowered[1 : at + 1]])
    return None


def state_of_mind(words: Sentence, lowered: list[str]) -> TypeReading | None:
    """ "I am worried", "my fear is", "what bothers me": said of the speaker's own mind."""
    own = _own_noun(lowered) or _moved(words, lowered) or _own_stand(lowered)
    sign = own or _own_state(words, lowered)
    if sign is None:
        return None
    cost = 22.0 if own is not None else 29.0 if sign == "rather" else 38.0
    return TypeReading("introspective", 0.8, (f"a state of mind: {sign!r}",), "state", cost)


def _own_state(words: Sentence, lowered: list[str]) -> str | None:
    for index in range(min(_FAR_INSIDE, len(words))):
        if lowered[index] not in ("i", "we"):
            continue
        for at in range(index + 1, min(index + 6, len(words))):
            said = words[at].pos == "VERB" and words[at].tag in ("VBP", "VB", "VBG")
            mistaken = at == index + 1 and words[at].pos == "NOUN"  # without a tree a rare verb passes for a noun
            if words[at].lemma in _STATE_VERBS and (said or mistaken):
                return lowered[at]
            if lowered[index] == "i" and words[at].lemma in _LASTING and words[at].tag in ("VBD", "VBN"):
                return lowered[at]
            if lowered[at] in _STATE_ADJECTIVES:
                return lowered[at]
        if lowered[index] == "i" and _cannot_stand(lowered, index):
            return "cannot stand"
        if lowered[index] == "i" and "rather" in lowered[index + 1 : index + 4]:
            return "rather"
    return None


def _moved(words: Sentence, lowered: list[str]) -> str | None:
    """ "It makes me uneasy", "my heart sank", "we were heartbroken when", "I find it hard to", "I lie awake"."""
    for at, lower in enumerate(lowered[:-2]):
        of_us = lowered[at + 1] == "us" and lowered[max(0, at - 1)] in ("it", "that", "this")
        if lower in _MAKING and (lowered[at + 1] == "me" or of_us):
            felt = lowered[at + 2 : at + 5]
            if not _FELT.isdisjoint(felt):
                return f"{lower} {lowered[at + 1]}"
        own = lower in ("my", "our") and at < _FAR_INSIDE and lowered[at + 1] in _BODY
        if own and words[at + 2].pos not in ("NOUN", "PROPN"):  # "my heart sank", not "my heart surgeon"
            return f"{lower} {lowered[at + 1]}"
    if lowered[:1] in (["i"], ["we"]) or lowered[1:2] == ["i"]:
        others = next((at for at, word in enumerate(lowered[1:7], 1) if word in _OTHERS), 7)
        near = lowered[1:others]
        deep = next((word for word in near if word in _DEEPLY_FELT), None)
        how = next((at for at, word in enumerate(words[1:4], 2) if word.lemma == "feel"), 0)
        if how and how < len(words) and words[how].pos in ("ADV", "ADJ"):
            return f"feel {lowered[how]}"
        if deep is not None and any(word.lemma in ("be", "feel", "get", "become") for word in words[1:5]):
            return deep
        verb = next((at for at, word in enumerate(words[1:5], 1) if word.lemma == "find"), None)
        if verb is not None and verb + 1 < len(words) and lowered[verb + 1] in _FOUND:
            judged = next((word for word in words[verb + 2 :] if word.pos != "ADV"), None)
            if judged is not None and (judged.pos == "ADJ" or judged.tag == "VBG" or judged.text.lower() in _HARD):
                return lowered[verb]
    return None


def _own_stand(lowered: list[str]) -> str | None:
    """ "I'm against these houses", "I don't accept that", "I could not care less", "I keep lying awake"."""
    text = " ".join(lowered[:12])
    found = _STAND.search(text)
    return found.group() if found is not None else None


def _cannot_stand(lowered: list[str], index: int) -> bool:
    near = lowered[index + 1 : index + 4]
    return ("stand" in near or "help" in near or "bear" in near) and (
        "ca" in near or "cannot" in near or "can't" in near
    )


def _own_noun(lowered: list[str]) -> str | None:
    """ "My own view is", "it breaks my heart", "what bothers me"."""
    for at, lower in enumerate(lowered):
        if lower == "my" and at < _FAR_INSIDE:
            near = lowered[at + 1 : at + 3]
            noun = next((word for word in near if word in _OWN_NOUNS), None)
            if noun is not None and not {"of", "'s", "’s"} & set(lowered[at : at + 4]):
                return f"my {noun}"
        if lower == "me" and at and any(lowered[at - 1].startswith(verb) for verb in _MOVING):
            return f"{lowered[at - 1]} me"
    return None


def judgements(words: Sentence, lowered: list[str]) -> Iterator[TypeReading]:
    """Readings as a value judgement, the plainest first."""
    yield from _by_duty(words, lowered)
    yield from _by_value_words(words, lowered)
    yield from _by_degree(words, lowered)


def _by_duty(words: Sentence, lowered: list[str]) -> Iterator[TypeReading]:
    """ "Have a duty to", "no right to", "owe an apology", "entitled to a doctor"."""
    for at, lower in enumerate(lowered):
        if lower in _OWED and words[at].pos in ("VERB", "ADJ", "AUX") and at + 1 < len(words):
            if lower in ("owe", "owes") and any(word.pos == "NUM" or word.text == "$" for word in words[at:]):
                continue
            yield TypeReading("normative", 0.65, (f"speaks of what is owed: {lower!r}",), "judgement", 31.0)
            return
        held = (
            at >= 2 and lowered[at - 1] in ("a", "no", "the", "an", "every") and words[at - 2].lemma in ("have", "be")
        )
        if lower in _DUTIES and held and lowered[at + 1 : at + 2] in (["to"], ["in"], ["for"]):
            yield TypeReading("normative", 0.65, (f"speaks of a duty: {lower!r}",), "judgement", 31.0)
            return
        if (
            lower == "business"
            and lowered[max(0, at - 1) : at] in (["no"], ["any"])
            and words[at + 1 : at + 2]
            and words[at + 1].tag == "VBG"
        ):
            yield TypeReading("normative", 0.65, ("speaks of a duty: 'no business'",), "judgement", 31.0)
            return


def _by_value_words(words: Sentence, lowered: list[str]) -> Iterator[TypeReading]:
    """A judgement: a copula or a bare predicate with a word of praise, blame or morals."""
    if has_tree(words):
        root = root_of(words)
        near = [w for i, w in enumerate(words) if i == root or (w.head == root and w.dep in ("acomp", "attr", "oprd"))]
        copular = words[root].lemma in ("be", "seem", "look", "feel", "remain", "become") or words[root].pos in (
            "ADJ",
            "NOUN",
        )
    else:
        near = list(words)
        copular = any(w.lemma == "be" for w in words)
    if copular:
        for word in near:
            if word.pos in ("ADJ", "NOUN") and _is_value_word(word) and not _is_of_truth(words, lowered, word):
                # What "would be a disgrace" is judged, not foretold.
                plain = word.text.lower() in _VALUES
                cost = 33.0 if plain else 40.0
                yield TypeReading("normative", 0.65, (f"judges: {word.text.lower()!r}",), "judgement", cost)
                return
    if any(word in FIRST_SINGULAR or word in FIRST_PLURAL for word in lowered) and any(
        lower in WORD_CLASSES["moral"] and not _is_in_name(words, at) and not _is_of_truth(words, lowered, words[at])
        for at, lower in enumerate(lowered)
    ):
        yield TypeReading("normative", 0.6, ("speaks of values",), "judgement", 41.0)
        return
    if _best_is(words, lowered):
        yield TypeReading("normative", 0.6, ("says what would be best",), "judgement", 42.0)


def _is_of_truth(words: Sentence, lowered: list[str], word: Word) -> bool:
    """ "Wrong about whales", "if that's all right", "to be fair": no judgement of good and bad."""
    at = words.index(word)
    lower, following = lowered[at], lowered[at + 1 : at + 2]
    if lower in ("wrong", "right", "mistaken"):
        verb = next((place for place in range(at - 1, 0, -1) if words[place].pos not in ("ADV", "PART")), 0)
        whom = (
            [word for word in words[:verb] if word.pos in ("NOUN", "PROPN", "PRON")]
            if words[verb].lemma == "be"
            else []
        )
        of_person = bool(whom) and (
            whom[-1].text.lower() in _PERSONS or whom[-1].pos == "PROPN" or whom[0].lemma.lower() in _PERSON_NOUNS
        )
        return following == ["about"] or lowered[at - 1 : at] == ["all"] or (of_person and following != ["to"])
    return lowered[max(0, at - 2) : at] in (["to", "be"], ["let", "be"]) and (at < 4 or at + 1 == len(lowered))


def _best_is(words: Sentence, lowered: list[str]) -> bool:
    """ "The best thing is to ...", "it is better to ...", "worth more than ..."."""
    text = " ".join(lowered)
    if "worth more than" in text or "it is better to" in text or "it 's better to" in text:
        return True
    judged = any(
        word.text.lower() in _VALUES or word.text.lower() in WORD_CLASSES["moral"] | {"best", "better"}
        for word in words[:3]
    )
    return judged and lowered[0] == "the" and ("is to" in text or "would be to" in text)


def _by_degree(words: Sentence, lowered: list[str]) -> Iterator[TypeReading]:
    """ "Too high", "not good enough": more or less than it should be."""
    # Without a trained tagger a rare adjective passes for a noun.
    degree = ("ADJ", "ADV") if has_tree(words) else ("ADJ", "ADV", "NOUN")
    for index, lower in enumerate(lowered):
        following = words[index + 1] if index + 1 < len(words) else None
        if lower == "too" and following is not None and following.pos in degree:
            yield TypeReading("normative", 0.65, (f"judges: 'too {following.text.lower()}'",), "judgement", 43.0)
            return
        if lower == "enough" and index and words[index - 1].pos == "ADJ":
            yield TypeReading("normative", 0.65, (f"judges: '{lowered[index - 1]} enough'",), "judgement", 43.0)
            return


def _is_in_name(words: Sentence, at: int) -> bool:
    """ "The Rivers Trust", "Justice Orr": capitals inside a sentence."""
    return at > 0 and words[at].text[:1].isupper() and words[at - 1].text not in ('"', "“", ":")


def _is_value_word(word: Word) -> bool:
    forms = (word.lemma.lower(), word.text.lower())
    return any(form in _VALUES or any(form in WORD_CLASSES[name] for name in _VALUE_CLASSES) for form in forms)
