"""Words inside a claim that a reader can do without: asides, false starts, calls to somebody.

Only what says nothing is dropped: "you know" between commas, the first try of "the -- the rate", ", Governor,".
"""

from planvow.debate.claims.address import inner_address
from planvow.debate.words.words import Sentence
from planvow.debate.words.wordsets import word_set

_ASIDES = (
    ("you", "know"),
    ("i", "mean"),
    ("i", "have", "to", "say"),
    ("i", "must", "say"),
    ("i", "have", "to", "point", "out"),
    ("i", "'m", "afraid"),
    ("i", "am", "afraid"),
    ("uh",),
    ("um",),
    ("er",),
    ("erm",),
)
_DASHES = frozenset({"--", "-", "—", "–"})
_PAUSES = _DASHES | {","}
# Said twice in a row these are a stutter; "that that" and "had had" may be grammar, "very very" is meant.
_STUTTERED = word_set("the a an of and to in we i they our my is")
_LONGEST_START = 4


def dropped_words(words: Sentence, lowered: list[str], first: int, after: int) -> set[int]:
    """Indices of the words from `first` to `after` that can go."""
    dropped: set[int] = set()
    for index in range(first, after):
        dropped.update(_aside(lowered, index, first, after))
        dropped.update(_false_start(lowered, index, after))
        if index > first:
            dropped.update(range(index, inner_address(words, index, after)))
    return dropped


def _aside(lowered: list[str], index: int, first: int, after: int) -> list[int]:
    for aside in _ASIDES:
        end = index + len(aside)
        if tuple(lowered[index:end]) != aside or end > after:
            continue
        comma_after = end < after and lowered[end] in _PAUSES
        comma_before = index > first and lowered[index - 1] in _PAUSES
        if comma_after:
            return list(range(index, end + 1))
        if comma_before:
            return list(range(index - 1, end))
        if len(aside) == 1:
            return list(range(index, end))
    return []


def _false_start(lowered: list[str], index: int, after: int) -> range:
    """The first of two equal tries, with the dash after it: "if the -- if the fee falls"."""
    for size in range(_LONGEST_START, 0, -1):
        again = index + size + 1
        if again + size <= after and lowered[again - 1] in _DASHES:
            tried = lowered[index : again - 1]
            if tried == lowered[again : again + size] and not _DASHES & set(tried):
                return range(index, again)
    if index + 1 < after and lowered[index] == lowered[index + 1] and lowered[index] in _STUTTERED:
        return range(index, index + 1)
    return range(0)
