"""What a name looks like where a transcript says who speaks, and what only looks like one."""

from __future__ import annotations

import re
import unicodedata

from planvow.debate.words.wordsets import word_set

_UPPER_NAME = re.compile(r"[^\W_][\w.'’&/ -]{0,39}")
_MC_OR_TITLE = re.compile(r"\b(?:Mc|Mac|Mr|Mrs|Ms|Dr|St|De|Di|La|Le|Van|Von|O)(?=[A-Z.'’ ])|\bde\b|\bvan\b|\bvon\b")
_ORDINALS = word_set("first second third fourth fifth 1st 2nd 3rd 4th 5th")
_DECORATION = frozenset({"So", "Sk", "Cf", "Mn", "Mc", "Me"})
_PARTICLES = word_set("de da del della der den di du la le van von bin ibn al el of the and")
MAX_NAME_WORDS = 4
_MAX_LABEL = 40

HEADINGS = word_set(
    """
    speakers participants panelists panellists panel moderators candidates guests hosts attendees
    present date time location venue place title topic topics subject source sources url transcript
    duration copyright agenda contents event summary update re fw fwd ps nb note notes warning caution
    disclaimer edit editor's contact email phone http https www sponsor sponsors sponsored by network
    format rules debate questioners questions witnesses members motion
    """
)
OPENERS = word_set(
    """
    note example remember look listen well so first second third fourth fifth finally lastly next then
    now here there this that these those however but and or because therefore thus also yes no ok okay
    right wrong true false fact facts myth point answer question bottom result results conclusion reason
    reasons problem issue step rule important moreover besides instead meanwhile again actually clearly
    obviously frankly imagine consider think ask tell say said quote unquote number one two three four
    five what why how when where who which
    """
)


def letters(name: str) -> str:
    """A name without what decorates its letters: emoji, vowel signs, accents of their own."""
    return "".join(c for c in name if c.isascii() or unicodedata.category(c) not in _DECORATION).strip()


def is_upper_name(name: str) -> bool:
    """Say whether a name is written in capitals: MR. SMITH, McCAIN."""
    if len(name) > _MAX_LABEL or _UPPER_NAME.fullmatch(name) is None:
        return False
    return has_no_lower_case(name) and (name.isupper() or _MC_OR_TITLE.search(name) is not None)


def has_no_lower_case(text: str) -> bool:
    return not any(c.islower() for c in _MC_OR_TITLE.sub("", text))


def is_name(name: str) -> bool:
    """Say whether one to four capitalised words can be a speaker's name."""
    words = name.replace("_", " ").split()
    if not words or len(words) > MAX_NAME_WORDS or len(name) > _MAX_LABEL:
        return False
    if not all(_is_name_word(word) or word in _PARTICLES for word in words):
        return False
    if words[0] in _PARTICLES or words[-1] in _PARTICLES:
        return False
    return words[0].lower().strip(".'’") not in OPENERS or (len(words) == 1 and words[0] in ("Question", "Answer"))


def is_place_in_turn(name: str) -> bool:
    """Say whether a speaker is named by whose turn it is, as debaters are: "First Proposition"."""
    words = name.split()
    return (
        1 < len(words) <= MAX_NAME_WORDS
        and words[0].lower() in _ORDINALS
        and all(word[0].isupper() and _is_name_word(word) and word.lower() not in OPENERS for word in words[1:])
    )


def _is_name_word(word: str) -> bool:
    if not re.fullmatch(r"[\w.'’-]+", word):
        return False
    return word[0].isupper() or word[0].isdigit() or (word[0].isalpha() and not word[0].islower())
