"""Claims about how something is known: samples, comparisons, measures, sources, inferences.

What a study found can be checked like any fact. That it asked only people with a telephone, or that two things rising
together prove nothing, is a remark about method, and belongs to those who check reasoning.
"""

from itertools import pairwise

from planvow.debate.claims.shortcomings import shortcoming_in
from planvow.debate.terms.language import TypeReading
from planvow.debate.words.words import Sentence
from planvow.debate.words.wordsets import word_pairs, word_set

_STRONG = word_set(
    """
    methodology methodological sampling randomised randomized peer-reviewed causation correlation correlate
    confounder confounding confounded extrapolate extrapolates extrapolated extrapolation falsifiable unfalsifiable
    falsify refute replicate replicated replication reproducible reproduce anecdote anecdotes anecdotal fallacy
    fallacious circular biased biases bias calibrated calibration unrepresentative placebo blinding double-blind
    non-sequitur tautology sample samples error-bar conclusion conclusions hearsay self-reported self-selected
    survivorship cherry-picked cherry-picking cherry-pick inference statistically outlier
    """
)
_STRONG_PAIRS = word_pairs(
    """
    control group, study design, selection bias, random sample, sample size, not representative, hardly typical,
    hardly representative, data set, cause and, not follow, n't follow, not evidence, proves nothing, error bar,
    error bars, prove that, show that, imply that, rules out, second hand, the sources, your source, your
    sources, public opinion, two groups, prove nothing, shows nothing, explains nothing, tells us, say nothing,
    says nothing, nothing about, not comparable, with oranges, to oranges, and oranges, burden of, margin of,
    small numbers, straw man, double counting, reviewed by, not proof, no control, the premise, n't evidence,
    worded so, little power, be compared, worded to
    """
)
_DENIED = word_pairs(
    """
    prove that, show that, imply that
    """
)
_SECOND_OF_PAIR = {"cause": "effect", "burden": "proof", "margin": "error", "tells": "nothing"}
_EVIDENCE = word_set(
    """
    study survey poll trial model figure statistic sample average percentage comparison projection sensor test
    experiment census argument theory conclusion respondent data datum number result evidence interview response
    measurement estimate reasoning logic premise paper questionnaire observation laboratory method question proof
    variable auditor patient effect chart graph analysis case claim estimate source participant researcher
    scientist expert consultant questionnaire forecast simulation
    """
)
_METHOD_VERBS = word_set(
    """
    conclude compare measure count assume adjust repeat infer derive generalise generalize exclude mislead confuse
    conflate distort skew word calibrate sample hide overstate understate verify observe
    """
)
_LIMITS = word_set(
    """
    only nothing cannot ca n't not never too twice single without meaningless unreliable hardly handful few merely
    same double invalid flawed misleading different little nobody guess whether alike another own
    """
)
_OMISSIONS = word_pairs(
    """
    leave out, rely on, pick the, arrive at
    """
)
# What evidence itself does when it cannot carry a conclusion.
_FAILINGS = word_set("assume ignore exclude hide mislead overstate understate distort reach ask interview omit")
_NEEDED, _PLAIN = 3.0, 4.0


def method_talk_in(words: Sentence, lowered: list[str]) -> TypeReading | None:
    """The reading of a proposition as talk about method, if enough of its words say so."""
    score, sign = 0.0, ""
    strong = next((word for word in lowered if word in _STRONG), None) or _strong_pair(lowered)
    if strong is not None:
        score, sign = 2.5, strong
    lemmas = [word.lemma.lower() for word in words]
    evidence = next((lemma for lemma in lemmas if lemma in _EVIDENCE), None)
    verb = _method_verb(words, lemmas, of_evidence=not _EVIDENCE.isdisjoint(lemmas[:3]))
    limit = next((word for word in lowered if word in _LIMITS), None)
    if verb is not None and limit is None and not _EVIDENCE.isdisjoint(lemmas[:3]):
        limit = verb if verb == "leave out" or verb in _FAILINGS - {"ask", "interview", "reach"} else None
    if strong is None and (verb is None or limit is None):
        return _by_construction(lemmas, lowered)
    score += (evidence is not None) + (verb is not None) + (limit is not None)
    if strong is None and "twice" in lowered and verb in ("count", "measure"):
        score += 1
    if score < _NEEDED:
        return _by_construction(lemmas, lowered)
    sign = sign or f"{verb} ... {limit}"
    return TypeReading(
        "methodological", 0.8 if score >= _PLAIN else 0.65, (f"speaks of method: {sign!r}",), "method",
        10.0 if score >= _PLAIN else 18.0,
    )  # fmt: skip


def _by_construction(lemmas: list[str], lowered: list[str]) -> TypeReading | None:
    sign = shortcoming_in(lemmas, lowered)
    if sign is None:
        return None
    return TypeReading("methodological", 0.6, (f"speaks of what evidence can carry: {sign!r}",), "method", 14.5)


def _strong_pair(lowered: list[str]) -> str | None:
    for at, pair in enumerate(pairwise(lowered)):
        if pair in _STRONG_PAIRS:
            if pair in _DENIED and not {"not", "n't", "never", "cannot"} & set(lowered[max(0, at - 3) : at]):
                continue
            wanted = _SECOND_OF_PAIR.get(pair[0])
            if wanted is None or wanted in lowered[at + 1 : at + 5]:
                return " ".join(pair)
    return None


def _method_verb(words: Sentence, lemmas: list[str], *, of_evidence: bool) -> str | None:
    for at, lemma in enumerate(lemmas):
        if words[at].pos not in ("VERB", "AUX", "NOUN"):
            continue
        if words[at].pos == "VERB" and (lemma in _METHOD_VERBS or (of_evidence and lemma in _FAILINGS)):
            return lemma
        if lemma in ("comparison", "assumption", "measurement"):
            return lemma
        if at + 1 < len(lemmas) and (lemma, lemmas[at + 1]) in _OMISSIONS:
            return f"{lemma} {lemmas[at + 1]}"
    return None
