"""Reports of what somebody said, and speech that stands in a sentence without quotation marks.

"You said we should not have a timeline" demands nothing: that you said so can be checked. "I'm not going to say to him,
I'll give you more" promises nothing: what follows the comma are words that nobody speaks in earnest.
"""

from typing import NamedTuple

from planvow.debate.words.lexicon import FIRST_PLURAL, FIRST_SINGULAR
from planvow.debate.words.words import Sentence
from planvow.debate.words.wordsets import word_set

_SAYING = word_set(
    """
    say tell claim announce declare argue promise insist propose pledge suggest admit testify vow demand write state
    warn complain deny
    """
)
_QUOTING = word_set("say tell reply answer shout")
_FINITE = word_set("VBD VBZ VBP VBN")
_DENIED = word_set("not n't never")
_SUPPOSED = word_set("would could might if should")
_NO_REPORT = word_set("as what like being been contrary")  # "as he said, fees rose" says that fees rose
_VAGUE = word_set(
    "people some somebody everybody everyone nobody folk folks many it that this there which what who to let"
)
_SUBJECTS = word_set("you he she they")
_SPEECH_BEGINS = word_set(
    "i we you he she they it this there let yes no look don't do not never stop go wait come give take buy vote get "
    "make keep leave trust forget"
)
_OPENING = 8  # words within which the verb of saying stands
_ADDRESSEE = 6  # words between it and the comma
_FEWEST = 3  # words of what was said


class Report(NamedTuple):
    """A verb of saying near the beginning of a sentence."""

    at: int
    is_own: bool
    """Whether the speaker reports or announces words of their own."""
    is_unsaid: bool
    """Whether it is not said after all: denied, supposed or only imagined."""
    speech: int | None
    """The first word of what is said, where it stands as it would be spoken."""


def report_of(words: Sentence) -> Report | None:
    """The report that a sentence or clause opens with, if any."""
    lowered = [word.text.lower().replace("’", "'") for word in words]
    for at in range(1, min(_OPENING, len(words) - _FEWEST)):
        if words[at].lemma.lower() not in _SAYING or words[at].pos not in ("VERB", "AUX"):
            continue
        before = lowered[:at]
        if not _NO_REPORT.isdisjoint(before):
            return None
        is_own = any(word in FIRST_SINGULAR or word in FIRST_PLURAL for word in before)
        # "I would say to him, fees are too high" says so, and politely.
        unsaid = _DENIED if is_own else _DENIED | _SUPPOSED
        is_unsaid = not unsaid.isdisjoint(before) or any(word.endswith("n't") for word in before)
        speech = _speech(words, lowered, at) if words[at].lemma.lower() in _QUOTING else None
        if is_own and not is_unsaid and words[at].tag != "VBD":
            speech = None  # "I'll tell you, we will win" is said in earnest
        return Report(at, is_own, is_unsaid, speech)
    return None


def reports_another(words: Sentence) -> str | None:
    """The verb with which a clause reports what another person said, if it does."""
    report = report_of(words)
    if report is None or report.is_own or report.is_unsaid or words[report.at].tag not in _FINITE:
        return None
    before = [word.text.lower() for word in words[: report.at]]
    named = any(word.pos in ("NOUN", "PROPN") for word in words[: report.at])
    if not _VAGUE.isdisjoint(before) or not (named or before[-1] in _SUBJECTS or before[0] in _SUBJECTS):
        return None
    rest = words[report.at + 1 :]
    return words[report.at].text.lower() if any(word.pos in ("VERB", "AUX") for word in rest) else None


def _speech(words: Sentence, lowered: list[str], at: int) -> int | None:
    """Where direct speech begins after a verb of saying: behind a comma, with a subject or a call of its own."""
    for comma in range(at + 1, min(at + 1 + _ADDRESSEE, len(words) - _FEWEST)):
        if lowered[comma] in (",", ":"):
            begins = lowered[comma + 1] in _SPEECH_BEGINS and lowered[comma + 1 : comma + 3] != ["you", "know"]
            return comma + 1 if begins else None
        if words[comma].pos in ("VERB", "AUX") or (lowered[at + 1] != "to" and words[at].lemma.lower() != "tell"):
            return None
    return None
