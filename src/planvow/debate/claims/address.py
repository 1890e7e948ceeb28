"""Forms of address: "Mr. President," and "Senator Orr," in front of what is said, ", sir" after it.

They tell to whom something is said, not what. A title by itself between commas always addresses somebody; a name may
also begin a list or take an apposition, so it counts only before a word with which a clause begins, or as a first name
at the end that is nobody's apposition ("They shut it, Anna", not "they hired my sister, Anna").
"""

from planvow.debate.words.names import FEMALE_NAMES, LANDS, MALE_NAMES
from planvow.debate.words.words import Sentence
from planvow.debate.words.wordsets import word_set

# What somebody can be called by without a name.
_CALLED = word_set(
    """
    president governor senator congressman congresswoman secretary mayor general judge minister chancellor professor
    doctor chairman chairwoman chair speaker moderator ambassador councillor sir madam ma'am gentlemen ladies folks
    """
)
_BEFORE_TITLE = word_set("mr mr. madam mister vice prime attorney")
_WHOLE = (
    ("ladies", "and", "gentlemen"),
    ("my", "friends"),
    ("my", "fellow", "americans"),
    ("my", "fellow", "citizens"),
)
# "Jim, I think" addresses; "Wales, Scotland and ..." is a list, "Anna Orr, a nurse" an apposition.
_AFTER_NAME = word_set(
    """
    i you we let that this it there what the my your here if when as how why first actually look well frankly again
    """
)
_ADVERBIAL = word_set("in on at during under with for after before since over by")
_PARTNER = word_set("i you we your my our")
_DETERMINED_BY = word_set("a an the my your his her our their this that called named")
_MAX_NAME = 4


def opening_address(words: Sentence, first: int, after: int) -> int:
    """How many words at `first`, the last comma not counted, call somebody; 0 when none do."""
    sure = 0
    at = first
    while at < after:
        stop = _before_comma(words, _title(words, at, after), after)
        if stop:
            sure = stop
        else:
            stop = _before_comma(words, _name(words, at, after), after)
            if not stop:
                break
            if _begins_clause(words, stop + 1, after):
                sure = stop
                break
        at = stop + 1
        if at < after and words[at].text.lower() == "and":  # "Governor, and Senator Orr, you both ..."
            at += 1
    return sure - first if sure else 0


def _before_comma(words: Sentence, end: int, after: int) -> int:
    return end if end and end < after and words[end].text == "," else 0


def closing_address(words: Sentence, first: int, after: int) -> int:
    """How many words at the end, their comma counted, call somebody ("..., Mr. President"); 0 when none do."""
    for size in range(1, _MAX_NAME + 1):
        begin = after - size
        if begin - 1 > first and words[begin - 1].text == "," and _title(words, begin, after) == after:
            return size + 1
    return 2 if _calls_by_first_name(words, first, after) else 0


def _calls_by_first_name(words: Sentence, first: int, after: int) -> bool:
    """Whether the last word is a first name after a comma, and neither ends a list nor says who somebody is."""
    comma = after - 2
    if comma <= first + 1 or words[comma].text != ",":
        return False
    name = words[after - 1].text
    if not name[:1].isupper() or name.lower() not in (MALE_NAMES | FEMALE_NAMES) - LANDS:
        return False
    before = words[comma - 1]
    if (before.pos == "PROPN" and not before.entity.endswith("DATE")) or any(
        word.text == "," for word in words[first:comma]
    ):
        return False
    determined = any(word.text.lower() in _DETERMINED_BY for word in words[max(first, comma - 4) : comma - 1])
    return before.pos != "NOUN" or before.tag == "NNS" or not determined  # no one name stands for several


def inner_address(words: Sentence, comma: int, after: int) -> int:
    """The index after ", Governor," at `comma`, or `comma` when nobody is called there."""
    if words[comma].text != ",":
        return comma
    end = _before_comma(words, _title(words, comma + 1, after), after)
    return end + 1 if end else comma


def _title(words: Sentence, at: int, after: int) -> int:
    """The index after a title that stands for a person ("Mr. Vice President", "sir"), or 0."""
    lowered = [word.text.lower().replace("’", "'") for word in words[at : min(at + _MAX_NAME, after)]]
    for phrase in _WHOLE:
        if tuple(lowered[: len(phrase)]) == phrase:
            return at + len(phrase)
    size = 0
    while size < len(lowered) and lowered[size] in _BEFORE_TITLE:
        size += 1
    if size < len(lowered) and lowered[size] in _CALLED:
        return at + size + 1
    return at + size if size and lowered[size - 1] in _CALLED else 0


def _name(words: Sentence, at: int, after: int) -> int:
    """The index after a name, titles in front included, or 0."""
    end = at
    while end < after and end - at < _MAX_NAME and words[end].pos == "PROPN":
        end += 1
    return end if end > at else 0


def _begins_clause(words: Sentence, at: int, after: int) -> bool:
    if at >= after:
        return False
    word = words[at].text.lower()
    if word in _AFTER_NAME:
        return True
    near = {following.text.lower() for following in words[at : at + 16]}
    return word in _ADVERBIAL and bool(near & _PARTNER)
