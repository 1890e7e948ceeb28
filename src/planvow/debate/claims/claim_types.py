"""What kind of claim a proposition is: every reading it allows, each with its confidence, its reasons and its cost.

The costs are the policy; the cheapest reading wins. A demand or a promise stays one even when it mentions a figure,
unless the figures dominate; talk about method, definitions and thoughts that no record can settle are told by their
words before a weak sign of a fact; a checkable statement is EMPIRICAL from the fitted probability on. What shows no
sign is UNCLASSIFIED, never EMPIRICAL by default (seed 000, section 13). The task network chooses between the readings.
"""

from collections.abc import Iterable, Iterator

from planvow.debate.claims.attitudes import judgements, opens_with_opinion, state_of_mind
from planvow.debate.claims.definitions import definition_of
from planvow.debate.claims.everyday.distinctions import distinction_of
from planvow.debate.claims.everyday.plain import plain_statement
from planvow.debate.claims.everyday.remarks import saying_in
from planvow.debate.claims.method_talk import method_talk_in
from planvow.debate.claims.modality import IMPERATIVE, Cue, needs_so_much
from planvow.debate.claims.reports import reports_another
from planvow.debate.claims.thought import thought_in
from planvow.debate.terms.language import TypeReading
from planvow.debate.words.lexicon import SECOND, WORD_CLASSES
from planvow.debate.words.words import Sentence
from planvow.debate.words.wordsets import word_set

STRONG_FACT = 0.6  # from here on figures outweigh a modal verb
PLAIN_FACT = 0.75  # and from here on talk of method and definitions that are only likely
REPORTED = 0.8  # so many of the reports in labelled debates are checkable (221 of 268)
_SEEMING = word_set("be look seem appear")
_EXPECTED = word_set("likely certain bound set expected forecast projected doomed poised predicted due")
_MAYBE = word_set("might may could")
_EXPECTED_OF = WORD_CLASSES["people"] | WORD_CLASSES["office"] | word_set("ally partner country nation everybody")
_ONE_CASE = word_set("the this that we they he she it our their his her")
_COMING = word_set("tomorrow soon eventually")
_FORESEEING = word_set("predict foresee forecast expect anticipate project")


def classify(words: Sentence, p_factual: float, threshold: float, cues: list[Cue]) -> TypeReading:
    """Return the cheapest reading of one proposition."""
    return type_readings(words, p_factual, threshold, cues)[0]


def type_readings(
    words: Sentence, p_factual: float, threshold: float, cues: list[Cue], meant: Iterable[TypeReading] = ()
) -> tuple[TypeReading, ...]:
    """All readings of a proposition, the cheapest first, from its words, factual probability, cues and meaning."""
    lowered = [word.text.lower().replace("’", "'") for word in words]
    kinds = {cue.kind: cue for cue in reversed(cues)}  # the first cue of each kind
    found = [
        *_as_fact(words, lowered, p_factual, threshold, kinds),
        *_as_opinion(lowered, kinds),
        *_by_cues(kinds, cues),
        *_by_words(words, lowered, kinds),
        *judgements(words, lowered),
        *meant,
        TypeReading("unclassified", 0.3, ("no sign of any type",), "none", 100.0),
    ]
    best: dict[str, TypeReading] = {}
    for reading in found:
        if reading.claim_type not in best or reading.cost < best[reading.claim_type].cost:
            best[reading.claim_type] = reading
    return tuple(sorted(best.values(), key=lambda reading: reading.cost))


def _as_fact(
    words: Sentence, lowered: list[str], p_factual: float, threshold: float, kinds: dict[str, Cue]
) -> Iterator[TypeReading]:
    is_order = "normative" in kinds and kinds["normative"].phrase == IMPERATIVE
    said = None if is_order else reports_another(words)
    if said is not None:  # whatever it demands or foretells, that it was said is a fact or none
        yield TypeReading("empirical", REPORTED, (f"reports what somebody said: {said!r}",), "report", 22.0)
    if needs_so_much(words, lowered):
        yield TypeReading("empirical", 0.5, ("says how much of something is needed",), "fact", 40.0)
    if " used to " in " ".join(lowered) and not kinds:
        yield TypeReading("empirical", 0.6, ("says what used to be",), "fact", 45.0)
    if p_factual < threshold:
        plain = None if kinds else plain_statement(words, lowered, p_factual)
        if plain is not None:
            yield plain
        return
    bound = bool(kinds) or opens_with_opinion(lowered) is not None
    if p_factual >= PLAIN_FACT:
        cost = 14.0
    elif p_factual >= STRONG_FACT:
        cost = 18.5
    else:
        cost = 50.0 if bound else 23.0
    confidence = _fact_confidence(p_factual, threshold)
    yield TypeReading("empirical", confidence, ("reads like a checkable statement",), "fact", cost)


def _as_opinion(lowered: list[str], kinds: dict[str, Cue]) -> Iterator[TypeReading]:
    opinion = opens_with_opinion(lowered)
    if opinion is not None and not bound_beyond_opinion(kinds):
        yield TypeReading("introspective", 0.9, (f"opens with {opinion!r}",), "opinion", 20.0)


def _by_cues(kinds: dict[str, Cue], cues: list[Cue]) -> Iterator[TypeReading]:
    if "desire" in kinds:
        # "She wants us to ...": the outermost verb comes first and is what is asserted.
        outermost = min(cue.at for cue in cues) == kinds["desire"].at
        cost = 30.0 if outermost else 34.0
        yield TypeReading("introspective", 0.75, (f"states a wish: {kinds['desire'].phrase!r}",), "wish", cost)
    if "normative" in kinds:
        yield TypeReading("normative", 0.8, (f"demands: {kinds['normative'].phrase!r}",), "demand", 32.0)
    if "future" in kinds:
        said = f"speaks of what is to come: {kinds['future'].phrase!r}"
        yield TypeReading("predictive", 0.7, (said,), "outlook", 36.0)


def _by_words(words: Sentence, lowered: list[str], kinds: dict[str, Cue]) -> Iterator[TypeReading]:
    for found in (
        method_talk_in(words, lowered),
        definition_of(words, lowered),
        distinction_of(words, lowered),
        None if reports_another(words) else thought_in(words, lowered, is_normative="normative" in kinds),
        state_of_mind(words, lowered),
        saying_in(lowered),
        _expectation(words, lowered),
        _would_be(words, lowered),
    ):
        if found is not None:
            yield found


def _would_be(words: Sentence, lowered: list[str]) -> TypeReading | None:
    """ "If we broke it, we'd owe them 19 million", "if the depot goes, the shops follow", "sooner or later ..."."""
    if not lowered:
        return None
    if lowered[0] in ("if", "unless", "once") and "," in lowered[2:]:
        comma = lowered.index(",", 2)
        rest, condition = lowered[comma + 1 :], words[1:comma]
        supposed = "would" in rest[:4] or "'d" in rest[:4]
        if supposed and "have" not in rest[:6]:
            return TypeReading("predictive", 0.7, ("says what would come of something",), "outlook", 13.2)
        of_one = any(word.text.lower() in _ONE_CASE for word in condition[:1]) and any(
            word in _ONE_CASE for word in rest[:1]
        )
        # "Cut" and "put" are their own past; after "if they" they are none.
        past = any(word.tag in ("VBD", "VBN", "MD") and word.text.lower() != word.lemma for word in words)
        if of_one and not past and not SECOND & set(lowered):
            return TypeReading("predictive", 0.6, ("says what comes of something",), "outlook", 22.5)
    if lowered[:3] == ["sooner", "or", "later"] or (
        lowered[0] in _COMING and words[-1].tag != "VBD" and not any(word.tag in ("VBD", "VBN") for word in words)
    ):
        return TypeReading("predictive", 0.6, ("speaks of a day to come",), "outlook", 22.0)
    return None


def bound_beyond_opinion(kinds: dict[str, Cue]) -> bool:
    return "normative" in kinds or "future" in kinds


def _fact_confidence(p_factual: float, threshold: float) -> float:
    """The probability itself where it is above one half; a decision below that is a weak one."""
    return round(max(p_factual, 0.5 + 0.1 * (p_factual - threshold)), 4)


def _expectation(words: Sentence, lowered: list[str]) -> TypeReading | None:
    """ "Is likely to shrink", "may collapse", "I predict": of what is to come, without a future tense."""
    for at, lower in enumerate(lowered[:-1]):
        expected = (
            lower in _EXPECTED
            and lowered[at + 1] == "to"
            and any(w.lemma in _SEEMING for w in words[max(0, at - 3) : at])
        )
        maybe = lower in _MAYBE and words[at].tag == "MD" and "have" not in lowered[at + 1 : at + 3]
        foreseen = words[at].lemma in _FORESEEING and at and lowered[at - 1] in ("i", "we")
        if foreseen and _foresees_figures(words, at):
            # "We expect revenue between 430 and 445 million": its figures are no facts yet.
            return TypeReading("predictive", 0.75, (f"expects: {lower!r}",), "outlook", 13.0)
        if expected or maybe or foreseen:
            cost = 35.0 if expected or foreseen else 44.0
            return TypeReading("predictive", 0.6, (f"expects: {lower!r}",), "outlook", cost)
    return None


def _foresees_figures(words: Sentence, at: int) -> bool:
    """ "We expect revenue of 430 million", and not "we expect them to pay 2 percent", which demands it."""
    ahead = words[at + 1 :]
    of_people = any(word.pos == "PRON" or word.lemma.lower() in _EXPECTED_OF for word in ahead[:3])
    return words[at].text.lower() == words[at].lemma and not of_people and any(word.pos == "NUM" for word in ahead)
