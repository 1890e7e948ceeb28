"""What stands around a proposition and is no part of it: connectives, fillers, address, announcements, punctuation.

What is taken off in front is remembered as the opening, because "but" and "because" tell how the proposition relates
to the one before. What would leave nothing is kept.
"""

from typing import NamedTuple

from planvow.debate.claims.address import closing_address, opening_address
from planvow.debate.words.announcing import announcement_length
from planvow.debate.words.words import Sentence, Word
from planvow.debate.words.wordsets import word_set


class Clause(NamedTuple):
    """Words `first` to `after` (exclusive) of a sentence."""

    first: int
    after: int
    opening: str
    """The connectives taken off in front, lower case: "and", "because", "but now"."""


_CONNECTIVES = word_set(
    """
    and but so or nor yet because since although though whereas now well then also however therefore
    thus moreover furthermore nevertheless instead anyway again finally first second secondly third
    thirdly yes no yeah okay ok oh uh um look listen see hence besides meanwhile additionally
    consequently indeed actually frankly obviously hey alright right sure boy gosh 'cause
    """
)
_PHRASES = (
    ("you", "know"),
    ("i", "mean"),
    ("in", "fact"),
    ("of", "course"),
    ("for", "example"),
    ("for", "instance"),
    ("by", "the", "way"),
    ("first", "of", "all"),
    ("as", "a", "matter", "of", "fact"),
    ("in", "other", "words"),
    ("on", "the", "other", "hand"),
    ("at", "the", "same", "time"),
    ("number", "one"),
    ("number", "two"),
    ("number", "three"),
    ("in", "addition"),
    ("you", "see"),
    ("and", "so"),
    ("all", "right"),
    ("as", "you", "know"),
    ("as", "i", "said"),
    ("let", "me", "say"),
    ("let", "me", "tell", "you"),
    ("let", "me", "be", "clear"),
)
_NEEDS_COMMA = word_set(
    """
    first second third now then see look again no instead since so well actually indeed obviously though right sure boy
    gosh hey alright
    """
)
# "Well what we did", "So if you ask me", but "Well over half", "So many of them", "So that we can", "So do we".
_LOOSE = word_set("well so")
_SUBJECT_BEGINS = word_set("PRON DET PROPN")
_CLAUSE_BEGINS = word_set("if when what where how why because since while unless as let of for there")
_QUOTES = frozenset({'"', "“", "”", "``", "''"})


def trim(words: Sentence, first: int, after: int) -> Clause:
    """Take connectives and punctuation off both ends; what would leave nothing is kept."""
    begin = first
    opening: list[str] = []
    while first < after:
        step = _opening_length(words, first, after)
        opening.extend(_plain(word) for word in words[first : first + step] if word.pos != "PUNCT")
        step = step or opening_address(words, first, after) or announcement_length(words, first, after)
        if step == 0:
            break
        first += step
    while after > first and (
        words[after - 1].pos in ("PUNCT", "SPACE")
        and words[after - 1].text not in ('"', "”", ")")
        and not any(map(str.isalnum, words[after - 1].text))  # taggers take "BioNTech" and "-70" for punctuation
    ):
        after -= 1
    while after > first and words[after - 1].text.lower() in ("and", "but", "or", "because", ","):
        after -= 1
    after -= closing_address(words, first, after)
    first, after = _without_stray_quotes(words, first, after)
    if first >= after:
        return Clause(begin, begin, "")
    return Clause(first, after, " ".join(opening))


def _without_stray_quotes(words: Sentence, first: int, after: int) -> tuple[int, int]:
    """Take off quotation marks that enclose the whole piece or belong to a neighbour."""
    while first < after:
        marks = [at for at in range(first, after) if words[at].text in _QUOTES]
        if not marks:
            return first, after
        encloses = len(marks) == 2 and marks[0] == first and marks[1] == after - 1
        if marks[0] == first and (len(marks) == 1 or encloses):
            first += 1
        elif marks[-1] == after - 1 and len(marks) == 1:
            after -= 1
        else:
            return first, after
        while first < after and words[after - 1].text in (",", ".", "!"):
            after -= 1
    return first, after


def _opening_length(words: Sentence, first: int, after: int) -> int:
    """How many words at `first` are connective, filler or punctuation."""
    word = words[first]
    lower = word.text.lower()
    marks = word.pos in ("PUNCT", "SPACE") and not any(map(str.isalnum, word.text))
    if (marks and word.text not in ('"', "“", "(", "$")) or lower in (
        ",",
        "-",
        "--",
        "...",
        "—",
        "–",
    ):
        return 1
    following = words[first + 1].text if first + 1 < after else ""
    for phrase in _PHRASES:
        size = len(phrase)
        if (
            tuple(w.text.lower() for w in words[first : first + size]) == phrase
            and first + size < after
            and words[first + size].text in (",", "--")
        ):
            return size
    if lower == "i" and following.lower() == "mean" and _opens_clause(words[first + 2 : after]):
        return 2
    if lower == "because" and following.lower() == "of":
        return 0
    if lower in _CONNECTIVES and (
        following == "," or lower not in _NEEDS_COMMA or (lower in _LOOSE and _opens_clause(words[first + 1 : after]))
    ):
        return 1 if first + 1 < after else 0
    return 0


def _opens_clause(rest: Sentence) -> bool:
    if len(rest) < 2 or rest[0].text.lower() == "that":  # "so that we can", "I mean that"
        return False
    if rest[0].text.lower() in _CONNECTIVES and rest[1].text == ",":  # "so look, ..."
        return True
    return rest[0].pos in _SUBJECT_BEGINS or rest[0].text.lower() in _CLAUSE_BEGINS


def _plain(word: Word) -> str:
    lower = word.text.lower().replace("’", "'")
    return "because" if lower == "'cause" else lower
