"""A turn as it would have been written down by somebody who sets marks: sentences, capitals, questions.

Text with marks passes unchanged. Text without them (speech recognition, some captions) is cut where the words say that
a sentence begins, never into more than `LONGEST` words; text in one case gets capitals at the starts of sentences and
of names that are known. The text stays as long as it was: places in it are places in what was given.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from planvow.debate.speech.boundaries import BINDING, FINITE, OPENING, gap_scores, probability
from planvow.debate.speech.case import Case, case_of, with_capitals, without_capitals
from planvow.debate.speech.grammar import clause_scores
from planvow.debate.terms.transcript import Span, SpeakerTurn
from planvow.debate.words.lite import read_words
from planvow.debate.words.sentences import split_sentences
from planvow.debate.words.words import Word
from planvow.debate.words.wordsets import word_set

LONGEST = 60
"""Words in a sentence that was cut out of speech without marks."""
WORDS_PER_MARK = 45  # people say twelve to twenty words a sentence
FEWEST = 8  # words: what is shorter is one sentence, marked or not
EAGERNESS = 3.0  # added to the log-odds: a claim that is cut too often harms less than two in one
NO_VERB = 3.0  # what a sentence without a finite verb has against it
CROWDED = 1.0  # what speaks against each finite verb more than the words that bind clauses allow
LEFT_OPEN = 2.0  # what speaks against a sentence that ends before its "if" or "when" is answered
PAUSE_MS = 700
PAUSE = 3.0  # what a pause this long adds to the log-odds
_END_MARK = re.compile(r"[.!?…](?=[\"'”’)\]»]*(?:\s|$))")
_INNER_MARK = re.compile(r"[,;:–—](?=\s)|--")
_ASKING = word_set("do does did is are was were will would can could should has have had")
_QUESTION_WORDS = word_set("what who why how where when which whose")
_LEAD_IN = word_set("and but so well now okay yeah then wait hmm")
_SUBJECTS = word_set("i you we he she they it there this that the a an your our my any anybody anyone")


@dataclass(frozen=True, slots=True)
class Heard:
    """A turn's text with capitals, its sentences, and how sure their ends are."""

    text: str
    spans: list[Span]
    confidences: tuple[float, ...] = ()
    """One for each sentence; empty when marks told them all."""
    questions: frozenset[int] = frozenset()
    """Sentences without a mark whose word order asks."""

    def confidence(self, sentence: int) -> float:
        """How sure it is that a sentence begins and ends where it was cut."""
        return self.confidences[sentence] if self.confidences else 1.0


def heard(turns: Sequence[SpeakerTurn]) -> list[Heard]:
    """All turns, read as their transcript needs it: with its own marks and capitals where it has them."""
    spoken = [turn.text for turn in turns if not turn.is_preamble]
    words = sum(len(text.split()) for text in spoken)
    marks = sum(len(_END_MARK.findall(text)) for text in spoken)
    # One sentence without its full stop is no sign of speech without marks; several turns or cues are, or many words.
    is_one_piece = len(spoken) == 1 and all(len(turn.cue_times) < 2 for turn in turns)
    is_unmarked = words >= FEWEST and words > WORDS_PER_MARK * (marks + is_one_piece)
    case = case_of(spoken)
    names = frozenset(name for turn in turns for name in turn.speaker.lower().split() if name.isalpha())
    return [_heard(turn, case, names, is_unmarked=is_unmarked and not turn.is_preamble) for turn in turns]


def _heard(turn: SpeakerTurn, case: Case, names: frozenset[str], *, is_unmarked: bool) -> Heard:
    text = turn.text
    if case is not Case.MIXED:
        text = with_capitals(without_capitals(text) if case is Case.UPPER else text, names)
    spans: list[Span] = []
    confidences: list[float] = []
    questions: set[int] = set()
    for span in split_sentences(text):
        if not _lacks_marks(text, span, is_unmarked):
            if is_unmarked and not _END_MARK.search(text, *span) and _asks(_read(text, span)):
                questions.add(len(spans))
            spans.append(span)
            confidences.append(1.0)
            continue
        for piece, confidence, asks in _cut(turn, text, span):
            if asks:
                questions.add(len(spans))
            spans.append(piece)
            confidences.append(confidence)
    if not is_unmarked and min(confidences, default=1.0) == 1.0 and case is Case.MIXED:
        return Heard(text, spans)
    starts = {start for start, _ in spans}
    text = "".join(_upper(c) if at in starts else c for at, c in enumerate(text))
    return Heard(text, spans, tuple(confidences), frozenset(questions))


def _upper(character: str) -> str:
    upper = character.upper()
    return upper if len(upper) == 1 else character


def _lacks_marks(text: str, span: Span, is_unmarked: bool) -> bool:
    size = len(text[span[0] : span[1]].split())
    if is_unmarked:
        return size >= FEWEST
    return size > LONGEST and size > WORDS_PER_MARK * len(_INNER_MARK.findall(text, *span))


def _cut(turn: SpeakerTurn, text: str, span: Span) -> list[tuple[Span, float, bool]]:
    """(span, confidence, whether it asks) of the sentences of a stretch without marks."""
    words = _read(text, span)
    paused = _after_pauses(turn, words)
    gaps = zip(gap_scores(words), clause_scores(words), strict=True)
    scores = [fit + rule + EAGERNESS + (PAUSE if at in paused else 0.0) for at, (fit, rule) in enumerate(gaps)]
    starts = _best_starts(words, scores)
    found = []
    for first, after in zip(starts, [*starts[1:], len(words)], strict=True):
        ends = [probability(scores[at]) for at in (first, after) if 0 < at < len(words)]
        inner = [1.0 - probability(score) for score in scores[first + 1 : after]]
        piece = (words[first].start, words[after - 1].end)
        found.append((piece, round(min([*ends, *inner], default=1.0), 4), _asks(words[first:after])))
    return found


def _read(text: str, span: Span) -> list[Word]:
    """The words of a stretch, read as the weights were fitted: without capitals."""
    return _whole_words(text, read_words(without_capitals(text), *span))


def _whole_words(text: str, words: Sequence[Word]) -> list[Word]:
    """The words as they stand between spaces: what clings to another ("n't", "'s") begins no sentence."""
    found: list[Word] = []
    for word in words:
        if found and not text[word.start - 1].isspace():
            tag = word.tag if word.tag in FINITE else found[-1].tag
            found[-1] = found[-1]._replace(end=word.end, tag=tag)
        elif found and word.tag == "MD" and word.text == "may" and found[-1].tag == "IN":
            found.append(word._replace(pos="PROPN", tag="NNP"))  # "in may"
        else:
            found.append(word)
    return found


def _after_pauses(turn: SpeakerTurn, words: Sequence[Word]) -> set[int]:
    """The words in front of which nobody spoke for a while, by the times of cues."""
    times = turn.cue_times
    places = [later[0] for before, later in pairwise(times) if later[1] - before[2] >= PAUSE_MS]
    return {bisect_left(words, place, key=lambda word: word.start) for place in places}


def _best_starts(words: Sequence[Word], scores: Sequence[float]) -> list[int]:
    """First words of the sentences of the likeliest cutting."""
    verbs = list(accumulate((word.tag in FINITE for word in words), initial=0))
    binding = list(accumulate((word.text.lower() in BINDING for word in words), initial=0))
    opens = [word.text.lower() in OPENING for word in words]
    best, cut_at = [0.0], [0]
    for after in range(1, len(words) + 1):
        value, cut = -math.inf, after - 1
        for first in range(max(0, after - LONGEST), after):
            clauses = verbs[after] - verbs[first]
            against = NO_VERB if not clauses else CROWDED * max(0, clauses - 1 - (binding[after] - binding[first]))
            if opens[first] and clauses < 2:
                against += LEFT_OPEN
            way = best[first] + (scores[first] if first else 0.0) - against
            if way > value:
                value, cut = way, first
        best.append(value)
        cut_at.append(cut)
    starts, at = [], len(words)
    while at:
        at = cut_at[at]
        starts.append(at)
    return starts[::-1]


def _asks(words: Sequence[Word]) -> bool:
    """ "why should the ferry stay", "do you know that", "who says so": asked, by the order of the words."""
    opening = [word.text.lower() for word in words[:5]]
    while opening and opening[0] in _LEAD_IN:
        opening = opening[1:]
    if len(opening) < 2:
        return False
    if opening[0] in _QUESTION_WORDS:
        if opening[1] in _ASKING:
            return opening[0] != "what" or len(opening) < 3 or opening[2] in _SUBJECTS
        return opening[0] == "who" and opening[1].endswith("s")
    return opening[0] in _ASKING and opening[1] in _SUBJECTS and opening[1] not in ("that", "this")
