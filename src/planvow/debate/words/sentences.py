"""Sentence spans by rule.

Transcribed speech carries its own punctuation, and rules over that punctuation agree with human
segmentation better than a parser does (`spec/debate-evidence.md`). A boundary is an end mark, its
closing quotes, white space and something that can open a sentence. Invariant: spans are ordered,
do not overlap, start and end on a non-space character, and every non-space character lies in one.

Seed 000, sentence split.
"""

import re
from collections.abc import Iterator

from planvow.debate.words.wordsets import word_set

# Full stops after these belong to the word. All of them are general English abbreviations.
_TITLES = word_set(
    """
    mr mrs ms dr prof sen rep gov pres gen col lt sgt capt cmdr adm maj hon rev fr sr jr st mt ft messrs
    mme mlle supt det insp amb sec
    """
)
_OTHER = word_set(
    """
    vs v etc eg ie cf al no nos vol ch fig art pp approx dept est inc corp ltd co bros assn jan feb mar
    apr jun jul aug sept sep oct nov dec mon tue wed thu fri sat ave blvd rd
    """
)
# After a dotted abbreviation ("U.S.", "p.m.") only a word like these opens a new sentence.
_OPENERS = word_set(
    """
    i we he she it they you this that these those there the a an and but so or if when what who why how
    where now well yes no my our his her their its your in on at as for let not because
    """
)
_BEFORE_FIGURES = word_set("no nos mar art sat sun fig est co v jan")
_ABLE_TO_END = word_set("etc inc corp ltd co al bros jr sr")

MAX_SENTENCE = 1200  # characters; the longest sentence in the labelled debates has 792

# Both are written so that no run of marks is gone through twice: a line of sixty dashes must not cost a minute.
_END = re.compile(r"""(?<![.!?…])[.!?…]++(?:["'”’)\]»]+)?(?=\s|$|["“‘(\[][A-Z])""")
_PARAGRAPH = re.compile(r"\n")
_NEXT = re.compile(r"""\s*(?:[-–—•*>♪]\s*)*(["“‘'(\[«¿¡]*)(\w+)""")
_LAST_WORD = re.compile(r"([^\s\"“‘'(\[]+)$")
_DOTTED = re.compile(r"^(?:[A-Za-z]\.)+[A-Za-z]$")


def split_sentences(text: str, start: int = 0, end: int | None = None) -> list[tuple[int, int]]:
    """Spans of the sentences of `text[start:end]`, as offsets into `text`."""
    stop = len(text) if end is None else end
    cuts = sorted({*_end_mark_cuts(text, start, stop), *(m.start() for m in _PARAGRAPH.finditer(text, start, stop))})
    spans: list[tuple[int, int]] = []
    left = start
    for cut in [*cuts, stop]:
        piece = _trimmed(text, left, cut)
        if piece is not None:
            spans.extend(_cut_to_length(text, *piece))
        left = cut
    return spans


def _cut_to_length(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Cut what no person would say in one sentence: speech recognisers may leave hours without a full stop."""
    while end - start > MAX_SENTENCE:
        at = max(text.rfind(mark, start + MAX_SENTENCE // 2, start + MAX_SENTENCE) for mark in (", ", "; "))
        if at < 0:
            at = text.rfind(" ", start + 1, start + MAX_SENTENCE)
        cut = at + 1 if at >= 0 else start + MAX_SENTENCE
        piece = _trimmed(text, start, cut)
        if piece is not None:
            yield piece
        rest = _trimmed(text, cut, end)
        if rest is None:
            return
        start, end = rest
    yield start, end


def _end_mark_cuts(text: str, start: int, stop: int) -> list[int]:
    cuts = []
    for mark in _END.finditer(text, start, stop):
        following = _NEXT.match(text, mark.end(), stop)
        if following is None or _is_boundary(text, start, mark, following):
            cuts.append(mark.end())
    return cuts


def _is_boundary(text: str, start: int, mark: "re.Match[str]", following: "re.Match[str]") -> bool:
    word = following.group(2)
    opens = following.group(1) != "" or word[0].isupper() or word[0].isdigit() or not word[0].isascii()
    marks = mark.group().rstrip("\"'”’)]»")
    if marks in ("...", "…", ".."):
        return opens
    if marks != ".":
        # "!" and "?" may stand inside a sentence: 'Wow! that is' is rare, 'he asked "why?" and left' is not.
        return opens or mark.group() == marks
    if not opens:
        return False
    before = _LAST_WORD.search(text, max(start, mark.start() - 40), mark.start())
    if before is None:
        return True
    last = before.group(1)
    plain = last.lower().strip(".")
    if plain in _TITLES:
        # "Jr." and "St." may end a sentence, but a name after them is far more common.
        return plain in _ABLE_TO_END and word.lower() in _OPENERS
    if len(last) == 1 and last.isalpha() and last.isupper():
        return last == "I" or (word.lower() in _OPENERS and word != "I" and len(word) > 1)
    if _DOTTED.match(last):
        return word.lower() in _OPENERS
    if plain in _OTHER:
        if plain in _BEFORE_FIGURES:
            # These are words and names as well: only "No. 5", "Jan. 14" and the like keep the stop.
            return not word[0].isdigit() or last[0].islower()
        return plain in _ABLE_TO_END and word.lower() in _OPENERS
    return True


def _trimmed(text: str, start: int, end: int) -> tuple[int, int] | None:
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    return (start, end) if start < end else None
