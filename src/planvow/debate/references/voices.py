"""How each speaker is written into a stand-alone text: a name, or a role with its article, and a pronoun if known.

The pronoun comes from the label itself or from how the transcript calls the speaker ("Mr. Orr", "Anna Orr"). One
mention that says otherwise, of a namesake perhaps, and none is used: nobody is called "he" on a guess.
"""

import re
from typing import NamedTuple

from planvow.debate.terms.transcript import UNKNOWN_SPEAKER, Transcript
from planvow.debate.words.names import gender_of_name
from planvow.debate.words.wordsets import word_set

_ROLES = word_set(
    """
    moderator host presenter interviewer questioner audience member caller panelist panellist narrator announcer
    reporter anchor journalist correspondent chair chairman chairwoman participant voter student man woman male female
    voice unidentified
    """
)
_QUESTIONERS = word_set("question questioner q")
_CALLED = re.compile(r"\b([A-Z][a-z]+)\.? ([A-Z][a-z][\w'’-]*)")  # in a line of speech, not "Jim.\nORR:"


class Voice(NamedTuple):
    """A speaker in a sentence: "Senator Orr", "the moderator"."""

    name: str
    gender: str = ""
    """ "male", "female" or "" when nothing tells."""


def speaker_name(label: str) -> str:
    """A speaker's label as it reads in a sentence: "SENATOR KENNEDY" becomes "Senator Kennedy"."""
    name = " ".join(label.split())
    return name.title().replace("'S", "'s") if name.isupper() else name


def voices_of(transcript: Transcript) -> dict[str, Voice]:
    """The voice of every speaker label but that of unknown speakers."""
    labels = dict.fromkeys(turn.speaker for turn in transcript.turns if turn.speaker != UNKNOWN_SPEAKER)
    surnames = {label: label.split()[-1].lower() for label in labels if label.split()}
    heard = _genders_heard(transcript.text, frozenset(surnames.values()))
    found: dict[str, Voice] = {}
    for label in labels:
        own = gender_of_name([part.lower().strip(".") for part in label.split()]) if not is_role(label) else ""
        called = heard.get(surnames.get(label, ""), set())
        found[label] = Voice(_written(label), own or (next(iter(called)) if len(called) == 1 else ""))
    return found


def is_role(label: str) -> bool:
    """Whether a label says what somebody is there for ("MODERATOR", "QUESTION"), not who it is."""
    words = set(label.lower().split())
    return bool(words) and (words <= _QUESTIONERS or words <= _ROLES)


def _written(label: str) -> str:
    if not is_role(label):
        return speaker_name(label)
    words = label.lower().split()
    return "the questioner" if set(words) <= _QUESTIONERS else f"the {' '.join(words)}"


def _genders_heard(text: str, surnames: frozenset[str]) -> dict[str, set[str]]:
    """For every surname the genders of the titles and first names that stand before it."""
    found: dict[str, set[str]] = {}
    for match in _CALLED.finditer(text):
        surname = match.group(2).lower()
        if surname.endswith(("'s", "’s")):
            surname = surname[:-2]
        gender = gender_of_name([match.group(1).lower()]) if surname in surnames else ""
        if gender:
            found.setdefault(surname, set()).add(gender)
    return found
