"""Who "he", "my opponent" and "the senator" are where exactly two argue: the other, as long as nobody else is named.

In a debate of two most of what is said of a person is said of the other. Within a turn the person named last is meant:
once the opponent is named, "he" is the opponent until another person comes up; right after the opponent has spoken,
nobody needs to be named. A title stands for the opponent when the talk calls the opponent by it and the speaker not.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from planvow.debate.references.mentions import Mention
from planvow.debate.references.voices import Voice, is_role
from planvow.debate.terms.transcript import UNKNOWN_SPEAKER, Span, SpeakerTurn
from planvow.debate.words.names import PRONOUN_GENDER
from planvow.debate.words.words import Sentence
from planvow.debate.words.wordsets import word_set

_TITLES = ("vice president", "president", "senator", "governor", "mayor", "congressman", "congresswoman", "secretary")
_CALLED = re.compile(rf"\b({'|'.join(_TITLES)}) ([a-z][\w'’-]+)", re.IGNORECASE)
_ROLES = word_set("opponent rival")
_BODIES = word_set(
    """
    congress senate house medicare medicaid security party parties street court union nations department administration
    committee university act fund reserve guard army navy force bureau agency commission council republicans democrats
    republican democrat democratic christmas internet bible god labor gulf world state college school week month
    """
)
_CALLED_OFTEN = 2  # a title that is heard once may be another's


class Opponent:
    """Follows who was named last in a turn, and says which words of a sentence mean the only opponent."""

    def __init__(self, turns: Sequence[SpeakerTurn], voices: Mapping[str, Voice], presiding: frozenset[str]) -> None:
        labels = {turn.speaker_key: turn.speaker for turn in turns if not turn.is_preamble}
        arguing = [
            key
            for key, label in labels.items()
            if key not in presiding and label != UNKNOWN_SPEAKER and not is_role(label)
        ]
        two = len(arguing) == 2
        self._other: dict[str, str] = dict(zip(arguing, reversed(arguing), strict=True)) if two else {}
        self._voice = {key: voices[labels[key]] for key in self._other}
        self._surname = {key: labels[key].split()[-1].lower().strip(".,") for key in self._other}
        self._title = self._titles(turns)
        self._current = self._before = ""
        self._last = ""

    def _titles(self, turns: Sequence[SpeakerTurn]) -> dict[str, str]:
        """The title each of the two is called by, where only that one is."""
        heard: dict[str, Counter[str]] = {key: Counter() for key in self._other}
        for text in [turn.text for turn in turns] if self._other else ():
            for match in _CALLED.finditer(text):
                for key, surname in self._surname.items():
                    if match.group(2).lower().removesuffix("'s").removesuffix("’s") == surname:
                        heard[key][match.group(1).lower()] += 1
        found: dict[str, str] = {}
        for key, counted in heard.items():
            title, count = next(iter(counted.most_common(1)), ("", 0))  # of equals the one heard first
            if count >= _CALLED_OFTEN and not heard[self._other[key]][title]:
                found[key] = title
        return found

    def start_turn(self, speaker_key: str) -> None:
        """Somebody begins to speak; right after the opponent, the opponent is in mind."""
        if speaker_key != self._current:
            self._before, self._current = self._current, speaker_key
        other = self._other.get(speaker_key, "")
        self._last = "opponent" if other and self._before == other else ""

    def meant(self, words: Sentence, mentions: Sequence[Mention], quoted: Sequence[Span]) -> dict[int, str]:
        """Places in a sentence with what to write there: a name for a pronoun or role, "" for a role's first words."""
        other = self._other.get(self._current, "")
        if not other:
            return {}
        voice = self._voice[other]
        found: dict[int, str] = {}
        for mention in mentions:
            if mention.kind == "pronoun":
                if PRONOUN_GENDER.get(mention.key) not in ("male", "female"):
                    continue
                meant = self._last == "opponent" and voice.gender in ("", mention.gender)
                inside = any(start <= mention.start < end for start, end in quoted)
                if meant and not inside and not mention.key.endswith(("self", "hers")):
                    owns = mention.key == "his" or (mention.key == "her" and mention.role == "owner")
                    found[mention.first] = f"{voice.name}'s" if owns else voice.name
            elif self._is_role(words, mention, other):
                self._last = "opponent"
                if not any(start <= mention.start < end for start, end in quoted):
                    found.update(dict.fromkeys(range(mention.first, mention.after - 1), ""))
                    found[mention.after - 1] = voice.name
            elif mention.is_name and self._surname[other] in mention.text.lower().split():
                self._last = "opponent"
            elif mention.gender != "many" and (mention.kind in ("person", "name") or _may_be_a_person(words, mention)):
                self._last = ""
        return found

    def _is_role(self, words: Sentence, mention: Mention, other: str) -> bool:
        """ "My opponent", "the senator": not "the senator from Ohio", nor a name with its title."""
        text = mention.text.lower()
        after = words[mention.after].text.lower() if mention.after < len(words) else ""
        if after in ("of", "from", "who", "for", "to", "in") or (
            mention.after < len(words) and words[mention.after].pos == "PROPN"
        ):
            return False
        first, _, rest = text.partition(" ")
        if first == "my":
            return rest in _ROLES
        return first == "the" and rest == self._title.get(other)


def _may_be_a_person(words: Sentence, mention: Mention) -> bool:
    """A name of which nothing tells whose it is, as "Warren Buffett" is to a reader without a list of people."""
    if mention.kind != "group" or not mention.is_name or mention.text.isupper():
        return False
    before = words[mention.first - 1].text.lower() if mention.first else ""
    return before != "the" and mention.key not in _BODIES
