"""Whom "you" means, where that is sure: somebody called by name, or the only opponent, just answered.

Most of what is said to "you" is said to everybody ("if you work hard") or to nobody ("you know"), and in a hall to
whoever asked. So only what can be true of one person is read as said to one: what "you" did or said, and "your" record,
plan or party, and whatever follows a call at once ("Ms Orr, your ferries"). To whom, is told by a name in the same
sentence; else the speaker of the turn before, if only two argue.
"""

from collections.abc import Mapping, Sequence

from planvow.debate.references.voices import Voice, is_role
from planvow.debate.terms.transcript import UNKNOWN_SPEAKER, SpeakerTurn
from planvow.debate.words.names import TITLES
from planvow.debate.words.words import Sentence
from planvow.debate.words.wordsets import word_set

_PAST_AUXILIARIES = word_set("have 've ’ve had 'd did were")
_DONE_BY_ANYBODY = word_set(
    """
    know knew hear heard see saw seen get got ask asked want wanted think thought have had watch watched lose lost pay
    paid live lived work worked grow grew buy bought notice noticed feel felt remember
    """
)
_OWN_NOUNS = word_set(
    """
    administration record plan party proposal budget policy policies campaign presidency tenure statement position vote
    votes bill platform manifesto government cabinet answer argument claim figures opponent colleague predecessor
    """
)
_SUPPOSED = word_set("if when whenever whether unless suppose imagine")
_OF_ANYBODY = word_set("know see can cannot ca could need have must might may should would will 'll ’ll 'd ’d get")
_BETWEEN = word_set(
    "just also never always even really only recently once actually already simply yourself not n't n’t"
)


class Addressee:
    """Follows who speaks after whom, and says whom the "you" of a sentence means."""

    def __init__(self, turns: Sequence[SpeakerTurn], voices: Mapping[str, Voice], presiding: frozenset[str]) -> None:
        self._voices = voices
        self._presiding = presiding
        known = {turn.speaker_key: turn.speaker for turn in turns if not turn.is_preamble}
        self._named = {
            key: _name_parts(label) for key, label in known.items() if label != UNKNOWN_SPEAKER and not is_role(label)
        }
        self._labels = known
        self._arguing = [key for key in self._named if key not in presiding]
        self._current = self._before = ""

    def start_turn(self, speaker_key: str) -> None:
        """Somebody begins to speak; whoever spoke just before may be answered."""
        if speaker_key != self._current:
            self._before, self._current = self._current, speaker_key

    def meant(self, words: Sentence) -> dict[int, str]:
        """Places of "you" and "your" in a sentence with the name of the one they mean."""
        called = "" if words[-1].text == "?" else self._called(words)
        places = [at for at in range(len(words)) if _is_personal(words, at, is_called=bool(called))]
        if not places or words[-1].text == "?":
            return {}
        voice = self._voices.get(self._labels.get(called or self._answered(), ""))
        return dict.fromkeys(places, voice.name) if voice is not None else {}

    def _called(self, words: Sentence) -> str:
        """The other speaker whom a sentence calls: a name between marks, or at one end of it."""
        found = {
            key
            for at, word in enumerate(words)
            for key, parts in self._named.items()
            if key != self._current and word.text.lower() in parts and _stands_apart(words, at)
        }
        return found.pop() if len(found) == 1 else ""

    def _answered(self) -> str:
        """The only opponent, when the turn just before was theirs."""
        others = [key for key in self._arguing if key != self._current]
        if self._current not in self._arguing or len(others) != 1:
            return ""
        return others[0] if self._before == others[0] else ""


def _name_parts(label: str) -> frozenset[str]:
    return frozenset(part for part in (word.lower().strip(".,") for word in label.split()) if part not in TITLES)


def _stands_apart(words: Sentence, at: int) -> bool:
    """ "…, Senator Orr, …": titles and names before it, a mark or an end on both sides."""
    first = at
    while first and (words[first - 1].pos == "PROPN" or words[first - 1].text.lower().rstrip(".") in TITLES):
        first -= 1
    opens = first == 0 or words[first - 1].text == ","
    closes = at + 1 == len(words) or words[at + 1].text in (",", ".", "!", ";", ":", "--", "—")
    return opens and closes and (first > 0 or (at + 1 < len(words) and words[at + 1].text == ","))


def _is_personal(words: Sentence, at: int, *, is_called: bool) -> bool:
    lower = words[at].text.lower()
    if lower not in ("you", "your") or any(word.text.lower() in _SUPPOSED for word in words[max(0, at - 6) : at]):
        return False
    if is_called and 0 < at < 6 and words[at - 1].text == "," and not _supposes(words, at):
        return True  # "Ms Orr, your company lost": who is called has what follows at once
    if lower == "your":
        near = [word.text.lower() for word in words[at + 1 : at + 4]]
        noun = next((at for at, word in enumerate(near) if word in _OWN_NOUNS), None)
        return noun is not None and not any(word in (",", "and", "or", "'s", "’s") for word in near[:noun])
    return _did_something(words, at)


def _supposes(words: Sentence, at: int) -> bool:
    """ "Anna, you need a ticket to sail", "Anna, you know": true of anybody, or a way to begin."""
    following = words[at + 1].text.lower() if at + 1 < len(words) else ""
    return words[at].text.lower() == "you" and following in _OF_ANYBODY


def _did_something(words: Sentence, at: int) -> bool:
    """ "You said", "you have voted", "you were the governor": true or false of one person."""
    if at and words[at - 1].text.lower() in ("thank", "do", "did", "of", "for", "to", "and", "or", "with"):
        return False
    rest = [word for word in words[at + 1 : at + 6] if word.text.lower() not in _BETWEEN]
    if not rest:
        return False
    verb, following = rest[0], rest[1] if len(rest) > 1 else None
    if verb.tag == "VBD" and verb.pos == "VERB":
        return verb.lemma.lower() not in _DONE_BY_ANYBODY and verb.text.lower() not in _DONE_BY_ANYBODY
    if verb.text.lower() in _PAST_AUXILIARIES and following is not None and following.tag in ("VBN", "VBD", "VB"):
        done = {following.text.lower(), following.lemma.lower()}
        return done.isdisjoint(_DONE_BY_ANYBODY) and following.text.lower() not in ("been", "to", "gone")
    return False
