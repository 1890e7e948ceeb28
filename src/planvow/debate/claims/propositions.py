"""From a sentence to its claims: is it argued, which pieces does it have, what is each.

The decision to speak of a claim at all is taken for the sentence (that is where people agree); role, type and
score belong to the clause. Questions, housekeeping and fillers are left out and named as such.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from planvow.debate.claims.claim_types import type_readings
from planvow.debate.claims.clauses import clauses_of
from planvow.debate.claims.meaning import meant_types
from planvow.debate.claims.modality import modality_cues
from planvow.debate.claims.reports import report_of, reports_another
from planvow.debate.claims.trimming import Clause
from planvow.debate.claims.unasserted import asks, is_fragment, is_of_the_talk
from planvow.debate.scoring.features import Features, Place, sentence_features
from planvow.debate.scoring.model import Linear, Table
from planvow.debate.scoring.wording import CONSIDERED, phrases
from planvow.debate.terms.language import Role, ScopeKind, SentenceKind, TypeReading
from planvow.debate.words.announcing import announced_from
from planvow.debate.words.lexicon import WORD_CLASSES
from planvow.debate.words.proceedings import is_proceeding
from planvow.debate.words.quotations import share_inside
from planvow.debate.words.words import Sentence, Span, Word
from planvow.debate.words.wordsets import word_set

ALWAYS_CLAIMED = 0.5  # a sentence this likely to be factual is worth showing even when nobody argues from it
MOSTLY = 0.8  # of a claim between quotation marks makes it a quotation
PLAINLY_FACTUAL = 0.8  # so much is asked of moderators' sentences about the debate or themselves
PLAINLY_STATED = 0.25  # "Taxes are too high." is short, and yet a claim
_GROUNDS = frozenset({"because", "since"})
_SUPPOSING = word_set("suppose imagine assume assuming supposing")


@dataclass(frozen=True, slots=True)
class Draft:
    """A claim before relations and references are known."""

    clause: Clause
    words: Sentence
    """The words of the clause alone, heads counted from its first word."""
    role: Role
    types: tuple[TypeReading, ...]
    """Its readings, the cheapest first."""
    check_worthiness: float
    reasons: tuple[str, ...]
    """Why it has its role; why its type, the readings say."""
    scope: ScopeKind


@dataclass(frozen=True, slots=True)
class SentenceDraft:
    """A sentence with its kind and its claims."""

    words: Sentence
    kind: SentenceKind
    drafts: tuple[Draft, ...] = ()
    meant: Features = field(default_factory=dict, compare=False)
    """What the sentence means, where a ranker says it."""


def part(words: Sentence, first: int, after: int) -> Sentence:
    """Some words of a sentence as one of their own: links to the outside become roots."""
    if first == 0 and after == len(words):
        return words
    cut: list[Word] = []
    for index in range(first, after):
        word = words[index]
        if first <= word.head < after and word.head != index:
            cut.append(word._replace(head=word.head - first))
        else:
            cut.append(word._replace(head=index - first, dep="ROOT" if word.dep else ""))
    return tuple(cut)


def read_sentence(
    words: Sentence,
    place: Place,
    table: Table,
    quoted: Sequence[Span] = (),
    *,
    presides: bool = False,
    meaning: Callable[[], Features] | None = None,
) -> SentenceDraft:
    """Take a sentence apart; `quoted` are the quoted stretches of its turn, `presides`: its speaker runs the talk.

    `meaning` gives features of what the sentence means, where a ranker does.
    """
    if not words:
        return SentenceDraft(words, "filler")
    features = sentence_features(part(words, announced_from(words), len(words)), place)
    kind = _kind(words, features)
    if kind in ("question", "filler"):
        return SentenceDraft(words, kind)
    if is_proceeding(words):
        return SentenceDraft(words, "housekeeping")
    whole = clauses_of(words)
    asserting = [clause for clause in whole if not asks(words, clause)]
    if whole and not asserting:
        return SentenceDraft(words, "question")
    asserting = [clause for clause in asserting if not is_of_the_talk(part(words, clause.first, clause.after))]
    if whole and not asserting:
        return SentenceDraft(words, "housekeeping")
    broken_off = "end:broken_off" in features
    clauses = [clause for clause in asserting if not is_fragment(words, clause, broken_off)]
    if not clauses:
        return SentenceDraft(words, "filler")
    meant = meaning() if meaning is not None else {}
    features |= meant
    factual = table["factual"].probability(features)
    needed = PLAINLY_FACTUAL if presides and _of_talk_or_self(features) else ALWAYS_CLAIMED
    reported = any(reports_another(part(words, clause.first, clause.after)) for clause in clauses)
    argued = not presides and (reported or _is_argued(features, whole, table["argument"]))
    if factual < needed and not argued:
        return SentenceDraft(words, _unargued_kind(words))
    sentence = _Weighed(words, place, features, meant, factual, table["check_worthy"].probability(features))
    drafts = [_draft(sentence, clause, table, quoted, is_whole=len(whole) == 1) for clause in clauses]
    return SentenceDraft(words, "statement", tuple(drafts), meant)


def _is_argued(features: Features, clauses: Sequence[Clause], model: Linear) -> bool:
    if any(clause.opening.split()[-1:] == ["because"] for clause in clauses[1:]):
        return True
    needed = min(model.threshold, PLAINLY_STATED) if _states_plainly(features) else model.threshold
    return model.probability(features) >= needed


def _states_plainly(features: Features) -> bool:
    """Says something of a named person or thing in a finite clause, and nothing about how the talk is run."""
    return (
        any(name in features for name in ("subject:noun", "subject:name", "subject:other"))
        and "tense:none" not in features
        and not _about_the_talk(features)
    )


def _of_talk_or_self(features: Features) -> bool:
    return _about_the_talk(features) or "subject:first_singular" in features


def _about_the_talk(features: Features) -> bool:
    return any(name in features for name in ("class:procedure", "class:courtesy", "class:asking"))


def _kind(words: Sentence, features: Features) -> SentenceKind:
    if "end:question" in features:
        return "question"
    letters = sum(1 for word in words if word.text[:1].isalnum())
    if letters < 2 or ("no_verb" in features and letters < 4):
        return "filler"
    return "statement"


def _unargued_kind(words: Sentence) -> SentenceKind:
    lemmas = {word.lemma.lower() for word in words} | {word.text.lower() for word in words}
    if lemmas & (WORD_CLASSES["procedure"] | WORD_CLASSES["courtesy"]):
        return "housekeeping"
    return "filler" if len(words) < 6 else "statement"


class _Weighed(NamedTuple):
    """A sentence with what the models say of it as a whole."""

    words: Sentence
    place: Place
    features: Features
    meant: Features
    factual: float
    worth: float


def _draft(sentence: _Weighed, clause: Clause, table: Table, quoted: Sequence[Span], *, is_whole: bool) -> Draft:
    piece = part(sentence.words, clause.first, clause.after)
    own, factual, worth = sentence.features, sentence.factual, sentence.worth
    if not is_whole:
        # The clause alone lacks context, the sentence alone lacks focus: their mean did best.
        own = sentence_features(piece, sentence.place) | sentence.meant
        factual = (factual + table["factual"].probability(own)) / 2
        worth = (worth + table["check_worthy"].probability(own)) / 2
    model = table["claim"]
    opening = clause.opening.split()
    role: Role = "CLAIM" if model.probability(own) >= model.threshold else "PREMISE"
    reasons: tuple[str, ...] = ()
    if opening and opening[-1] in _GROUNDS:
        role = "PREMISE"
        reasons = (f"given as a reason: {opening[-1]!r}",)
    meant = meant_types(table, sentence.meant)
    kinds = type_readings(piece, factual, table["factual"].threshold, modality_cues(piece), meant)
    if kinds[0].sign == "fact":
        signs = phrases(table["factual"].reasons_for(own, CONSIDERED), 3)
        kinds = (kinds[0]._replace(reasons=(*kinds[0].reasons, *signs)), *kinds[1:])
    scope = _scope(sentence.words, clause, quoted)
    return Draft(clause, piece, role, kinds, round(worth, 4), reasons, scope)


def _scope(words: Sentence, clause: Clause, quoted: Sequence[Span]) -> ScopeKind:
    """QUOTE when the piece is another's words, marked or not; HYPOTHETICAL when it is supposed, or not said at all."""
    if share_inside(quoted, words[clause.first].start, words[clause.after - 1].end) > MOSTLY:
        return "QUOTE"
    if words[clause.first].text.lower() in _SUPPOSING:
        return "HYPOTHETICAL"
    report = report_of(words)
    if report is not None and report.speech is not None and clause.after > report.speech:
        if clause.first >= report.speech:
            return "QUOTE"
        return "HYPOTHETICAL" if report.is_unsaid else "TURN"
    return "TURN"
