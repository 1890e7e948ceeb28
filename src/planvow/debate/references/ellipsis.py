"""What an answer leaves out: "Did you examine the brakes?" "I did." is that she did examine the brakes.

Only the plain case is filled in: a question that opens with an auxiliary, answered at once by a subject that fits and
the same auxiliary, with nothing in what is repeated that would mean somebody else in another mouth.
"""

from planvow.debate.words.words import Sentence, Word
from planvow.debate.words.wordsets import word_set

_NOT = word_set("not n't n’t")
_PERSONS = word_set("i me my mine we us our ours you your yours myself yourself ourselves he him she her they them it")
_AFTER_HAVE, _BASE = word_set("VBN VBD"), word_set("VB VBP")
_HEARER, _SPEAKER = word_set("you"), word_set("i we")
_LONGEST = 14  # words to repeat: more would be a guess at what was meant
_MODALS = word_set("will would can could should must")


def left_out(text: str, asked: Sentence, words: Sentence, first: int, after: int) -> str:
    """The words of the question (in `text`) that the answer, words `first` to `after`, leaves out; "" where unsure."""
    end = after - 1
    while end > first and words[end].text.lower() in _NOT:
        end -= 1
    auxiliary = _auxiliary(words[end])
    if not auxiliary or end == first or end - first > 3 or not asked or _auxiliary(asked[0]) != auxiliary:
        return ""
    verb = _verb_of(asked, auxiliary)
    if verb is None or not _fits(asked[1:verb], words[first:end]):
        return ""
    said = list(asked[verb:])
    while said and said[-1].pos == "PUNCT":
        said.pop()
    if not said or len(said) > _LONGEST or any(word.text.lower() in _PERSONS for word in said):
        return ""
    return text[said[0].start : said[-1].end]


def _auxiliary(word: Word) -> str:
    lemma = word.lemma.lower()
    if lemma in ("do", "have") or lemma in _MODALS:
        return lemma
    return {"did": "do", "does": "do", "has": "have", "had": "have"}.get(word.text.lower(), "")


def _verb_of(asked: Sentence, auxiliary: str) -> int | None:
    """Where the verb of a question stands whose first word is its auxiliary."""
    if len(asked) > 2 and asked[1].pos == "PRON":
        return next((at for at in range(2, min(len(asked), 5)) if asked[at].pos != "ADV"), None)
    wanted = _AFTER_HAVE if auxiliary == "have" else _BASE
    for at in range(2, min(len(asked), 9)):
        if asked[at].tag in wanted and asked[at].pos in ("VERB", "AUX"):
            return at
        if asked[at].pos == "PUNCT":
            return None
    return None


def _fits(asked: Sentence, answers: Sentence) -> bool:
    """Whether the one who was asked about is the one the answer is about."""
    about = {word.text.lower() for word in asked}
    subject = {word.text.lower() for word in answers}
    if about & _SPEAKER:
        return False
    return bool(about & _HEARER) == bool(subject & _SPEAKER) and not subject & _HEARER
