"""What kind of claim a proposition is, how sure that is, and why.

The order of the tests is the policy. A demand or a promise stays one even when it mentions a figure, unless the
figures dominate; a checkable statement is EMPIRICAL from the fitted probability on; the rest is told by its
form: first-person states, definitions, talk about method, value words. What shows no sign is UNCLASSIFIED,
never EMPIRICAL by default (seed 000, section 13).
"""

from itertools import pairwise
from typing import NamedTuple

from planvow.debate.claims.modality import Cue
from planvow.debate.words.lexicon import FIRST_PLURAL, FIRST_SINGULAR, WORD_CLASSES
from planvow.debate.words.words import Sentence, Word, has_tree, root_of
from planvow.debate.words.wordsets import word_set


class TypeReading(NamedTuple):
    """A claim type (a value of the taxonomy), the confidence in it and the reasons."""

    claim_type: str
    confidence: float
    reasons: tuple[str, ...]


STRONG_FACT = 0.6  # from here on figures outweigh a modal verb
_OPINION_VERBS = word_set("think believe feel know")
_STATE_VERBS = _OPINION_VERBS | word_set(
    """
    hope want wish love like hate care worry fear regret appreciate respect understand agree disagree
    doubt trust support oppose
    """
)
_STATE_ADJECTIVES = word_set(
    """
    proud glad sorry happy sad worried concerned grateful confident sure certain afraid committed
    pleased delighted honored angry convinced
    """
)
_PHILOSOPHICAL = word_set(
    """
    consciousness determinism metaphysics metaphysical ontology epistemology afterlife soul
    """
)
_PHILOSOPHICAL_PAIRS = frozenset({("free", "will"), ("human", "nature"), ("moral", "truth")})
_METHOD_WORDS = word_set(
    """
    methodology methodological sample sampling controlled experiment experimental randomised randomized
    peer-reviewed causation correlation confounder confounding statistically extrapolate falsifiable
    replicate replicated reproducible
    """
)
_METHOD_PAIRS = frozenset(
    {("study", "design"), ("control", "group"), ("margin", "of"), ("data", "set"), ("selection", "bias")}
)
_DEFINING_PHRASES = (
    ("is", "defined", "as"),
    ("are", "defined", "as"),
    ("refers", "to"),
    ("refer", "to"),
    ("we", "mean"),
    ("is", "called"),
    ("means", "that"),
    ("is", "known", "as"),
    ("by", "definition"),
)
_VALUE_CLASSES = ("moral", "praise", "blame")


def classify(words: Sentence, p_factual: float, threshold: float, cues: list[Cue]) -> TypeReading:
    """Decide the type of one proposition from its words, its factual probability and its modality cues."""
    lowered = [word.text.lower().replace("’", "'") for word in words]
    kinds = {cue.kind: cue for cue in reversed(cues)}  # the first cue of each kind
    opinion = opens_with_opinion(lowered)
    bound = bool(kinds) or opinion is not None
    if p_factual >= (STRONG_FACT if bound else threshold):
        return TypeReading("empirical", _fact_confidence(p_factual, threshold), ("reads like a checkable statement",))
    if opinion is not None and not bound_beyond_opinion(kinds):
        return TypeReading("introspective", 0.9, (f"opens with {opinion!r}",))
    for test in (_methodological, _conceptual, _philosophical):
        found = test(lowered)
        if found is not None:
            return found
    if "desire" in kinds and min(cue.at for cue in cues) == kinds["desire"].at:
        # "She wants us to ...": the outermost verb comes first and is what is asserted.
        return TypeReading("introspective", 0.75, (f"states a wish: {kinds['desire'].phrase!r}",))
    if "normative" in kinds:
        return TypeReading("normative", 0.8, (f"demands: {kinds['normative'].phrase!r}",))
    if "desire" in kinds:
        return TypeReading("introspective", 0.75, (f"states a wish: {kinds['desire'].phrase!r}",))
    if "future" in kinds:
        return TypeReading("predictive", 0.7, (f"speaks of what is to come: {kinds['future'].phrase!r}",))
    state = _first_person_state(words, lowered)
    if state is not None:
        return state
    return (
        _by_value_words(words, lowered)
        or _by_degree(words, lowered)
        or TypeReading("unclassified", 0.3, ("no sign of any type",))
    )


def opens_with_opinion(lowered: list[str]) -> str | None:
    """ "I think" and its like at the start, if that is how the proposition opens."""
    if not lowered or lowered[0] != "i":
        return None
    for at in (1, 2):
        if at < len(lowered) and lowered[at] in _OPINION_VERBS:
            return " ".join(["I", *lowered[1 : at + 1]])
    return None


def bound_beyond_opinion(kinds: dict[str, Cue]) -> bool:
    return "normative" in kinds or "future" in kinds


def _fact_confidence(p_factual: float, threshold: float) -> float:
    """The probability itself where it is above one half; a decision below that is a weak one."""
    return round(max(p_factual, 0.5 + 0.1 * (p_factual - threshold)), 4)


def _methodological(lowered: list[str]) -> TypeReading | None:
    hit = next((word for word in lowered if word in _METHOD_WORDS), None)
    pair = next((pair for pair in pairwise(lowered) if pair in _METHOD_PAIRS), None)
    if hit is None and pair is None:
        return None
    return TypeReading("methodological", 0.8, (f"speaks of method: {hit or ' '.join(pair or ())!r}",))


def _conceptual(lowered: list[str]) -> TypeReading | None:
    for phrase in _DEFINING_PHRASES:
        size = len(phrase)
        for at in range(1, len(lowered) - size + 1):
            if tuple(lowered[at : at + size]) == phrase:
                return TypeReading("conceptual", 0.75, (f"defines: {' '.join(phrase)!r}",))
    return None


def _philosophical(lowered: list[str]) -> TypeReading | None:
    hit = next((word for word in lowered if word in _PHILOSOPHICAL), None)
    if hit is None:
        hit = next((" ".join(pair) for pair in pairwise(lowered) if pair in _PHILOSOPHICAL_PAIRS), None)
    return None if hit is None else TypeReading("philosophical", 0.75, (f"speaks of {hit!r}",))


def _first_person_state(words: Sentence, lowered: list[str]) -> TypeReading | None:
    for index in range(min(3, len(words))):  # further on it is somebody's aside
        if lowered[index] not in ("i", "we"):
            continue
        for at in range(index + 1, min(index + 6, len(words))):
            if words[at].lemma in _STATE_VERBS and words[at].pos == "VERB" and words[at].tag in ("VBP", "VB", "VBG"):
                return TypeReading("introspective", 0.8, (f"a state of mind: {lowered[at]!r}",))
            if lowered[at] in _STATE_ADJECTIVES:
                return TypeReading("introspective", 0.75, (f"a state of mind: {lowered[at]!r}",))
    return None


def _by_value_words(words: Sentence, lowered: list[str]) -> TypeReading | None:
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
            if word.pos in ("ADJ", "NOUN") and _is_value_word(word):
                return TypeReading("normative", 0.65, (f"judges: {word.text.lower()!r}",))
    if any(word in FIRST_SINGULAR or word in FIRST_PLURAL for word in lowered) and any(
        lower in WORD_CLASSES["moral"] for lower in lowered
    ):
        return TypeReading("normative", 0.6, ("speaks of values",))
    return None


def _by_degree(words: Sentence, lowered: list[str]) -> TypeReading | None:
    """ "Too high", "not good enough": more or less than it should be."""
    for index, lower in enumerate(lowered):
        following = words[index + 1] if index + 1 < len(words) else None
        # Without a trained tagger a rare adjective passes for a noun.
        degree = ("ADJ", "ADV") if has_tree(words) else ("ADJ", "ADV", "NOUN")
        if lower == "too" and following is not None and following.pos in degree:
            return TypeReading("normative", 0.65, (f"judges: 'too {following.text.lower()}'",))
        if lower == "enough" and index and words[index - 1].pos == "ADJ":
            return TypeReading("normative", 0.65, (f"judges: '{lowered[index - 1]} enough'",))
    return None


def _is_value_word(word: Word) -> bool:
    return any(
        word.lemma.lower() in WORD_CLASSES[name] or word.text.lower() in WORD_CLASSES[name] for name in _VALUE_CLASSES
    )
