"""What is done by saying it, in councils, boards and parliaments: motions, votes called out, items of an agenda.

"I move that we table item 6" asserts nothing that could be true or false. "The motion passed in 2019" does: what is
done now is said in the present tense.
"""

from planvow.debate.words.lexicon import NUMBER_WORDS
from planvow.debate.words.words import Sentence
from planvow.debate.words.wordsets import word_set

_MOVED = word_set("motion amendment resolution ordinance ayes noes ays nays")
_CARRIED = word_set("carries passes fails carry pass fail have has prevails")
_AFTER_CARRIED = word_set(", . ; : ! by unanimously on with as")
_STANDS = word_set("is stands are")
_DECIDED = word_set("carried adopted defeated adjourned seconded tabled")
_HAS_IT = word_set("have has")
_ITEMS = word_set("item items agenda")
_MARKS = frozenset(",:;.–—-")
_OPENERS = word_set("and so then okay well yes mr madam chair chairman , . the that")
_PLAIN_MOVES = word_set("that we to adjourn approval for")
_DONE_TO_MOTIONS = word_set(
    "table adjourn approve adopt amend strike accept close postpone continue dismiss reconsider suspend waive"
)
_SECONDED = word_set("it that the . ,")


def is_proceeding(words: Sentence) -> bool:
    """Whether a sentence does something in a meeting instead of stating something."""
    lowered = [word.text.lower() for word in words]
    at = 0
    while at < len(lowered) - 1 and lowered[at] in _OPENERS:
        at += 1
    rest = lowered[at:]
    return _moves(rest) or _calls_out(rest) or _calls_up(words[at:], rest)


def _moves(rest: list[str]) -> bool:
    """ "I move that ...", "I second the motion", "I yield back"."""
    if len(rest) < 3 or rest[0] not in ("i", "we"):
        return rest[:2] == ["so", "moved"] or rest[:1] in (["seconded"], ["moved"])
    verb, following = rest[1], rest[2]
    if verb == "move":
        return following in _PLAIN_MOVES and not (following == "to" and _goes_somewhere(rest))
    if verb == "second":
        return following in _SECONDED
    return verb == "yield" and following in ("back", "the", "my")


def _goes_somewhere(rest: list[str]) -> bool:
    """ "I move to Boston" is a journey; "I move to table it" has a verb."""
    return len(rest) < 4 or rest[3] not in _DONE_TO_MOTIONS


def _calls_out(rest: list[str]) -> bool:
    """ "Motion carries, four to one", "the ayes have it", "the meeting is adjourned"."""
    if len(rest) < 2:
        return False
    if rest[0] in _MOVED and rest[1] in _CARRIED:
        if rest[1] in _HAS_IT:
            return rest[2:3] == ["it"]
        # "The amendment fails to protect anybody" says something of it.
        return len(rest) == 2 or rest[2] in _AFTER_CARRIED or rest[2] in NUMBER_WORDS or rest[2][0].isdigit()
    return rest[0] in (_MOVED | {"meeting"}) and rest[1] in _STANDS and rest[2:3] != [] and rest[2] in _DECIDED


def _calls_up(words: Sentence, rest: list[str]) -> bool:
    """ "Item 4, public comment": a number and what it is about, and no verb between."""
    if len(rest) < 3 or rest[0] not in _ITEMS:
        return False
    number = 2 if rest[:2] == ["agenda", "item"] else 1
    if len(rest) <= number + 1 or words[number].pos != "NUM":
        return False
    return rest[number + 1] in _MARKS
