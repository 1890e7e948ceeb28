"""Pieces of sentences that assert nothing: questions without a question mark, starts that were broken off, remarks on
the talk itself, and what the hearer is told to do on the spot ("Ask a man in a cast", "Picture a child who ...").
"""

from planvow.debate.claims.everyday.remarks import is_remark
from planvow.debate.claims.method_talk import method_talk_in
from planvow.debate.claims.modality import IMPERATIVE, modality_cues
from planvow.debate.claims.trimming import Clause
from planvow.debate.words.words import Sentence
from planvow.debate.words.wordsets import word_set

_ASKING = word_set("will would can could do does did are is was were have has")
_QUESTION_WORDS = word_set("what who why how where when which")
_ASKED = word_set("i you we he she they it")
_CONTENT = word_set("NOUN PROPN VERB ADJ ADV NUM")
_UNFINISHED = word_set("DET ADP AUX CCONJ SCONJ PART")
_ON_THE_SPOT = word_set("ask tell listen imagine picture consider read hear watch wait stay stand try guess")
_TOO_SHORT = 4  # words that a speaker who broke off leaves behind without having said anything
_SHORT = 8


def asks(words: Sentence, clause: Clause) -> bool:
    """ "Could you tell us", "what did they do": a question by its word order."""
    opening = [word.text.lower() for word in words[clause.first : min(clause.first + 3, clause.after)]]
    if len(opening) < 3:
        return False
    if opening[0] in _ASKING and opening[1] == "you":
        return True
    return opening[0] in _QUESTION_WORDS and opening[1] in _ASKING and opening[2] in _ASKED


def is_of_the_talk(piece: Sentence) -> bool:
    """A remark on the talk, or something that the hearer is asked to do, look at or think of here and now."""
    lowered = [word.text.lower().replace("’", "'") for word in piece]
    if is_remark(lowered):
        return True
    order = next((cue for cue in modality_cues(piece) if cue.phrase == IMPERATIVE), None)
    if order is None or lowered[order.at + 1 : order.at + 2] == [","]:
        return False  # "remember, there was a debt before": what follows is said
    on_the_spot = piece[order.at].lemma.lower() in _ON_THE_SPOT
    return on_the_spot and method_talk_in(piece, lowered) is None  # "ask a hundred people, not ten"


def is_fragment(words: Sentence, clause: Clause, broken_off: bool) -> bool:
    """ "We're", "he actually got --": nothing was said yet. `broken_off`: the sentence stops in the middle."""
    piece = [word for word in words[clause.first : clause.after] if word.pos != "PUNCT"]
    if not any(word.pos in _CONTENT and word.lemma != "be" for word in piece):
        return True
    if len(piece) < _TOO_SHORT and not any(word.pos in ("VERB", "AUX") for word in piece):
        return True
    if not broken_off or any(word.pos != "PUNCT" for word in words[clause.after :]):
        return False
    return len(piece) < _TOO_SHORT or (len(piece) < _SHORT and piece[-1].pos in _UNFINISHED)
