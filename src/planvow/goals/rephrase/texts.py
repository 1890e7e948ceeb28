"""Writing said otherwise: what a file shall say, hold or end with (`texts.frames`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from planvow.goals.grammar.marks import NEGATION, QUANTITY, marks_of
from planvow.goals.rephrase.fillers import VERB_WORDS
from planvow.goals.rephrase.frames import read_frames

_ABOUT_TEXT = re.compile(
    r"(?:a|an|the|my|our|your|his|her|their|this|that|these|those|some|any|it|them|one|two|three|what|whatever|from|of"
    r"|in|on|about|for|to|by|with|at|as|and|then|up|file|folder|more|another|everything|something|anything|nothing"
    r"|all(?= (?:of|the|my|files|lines|its|other)\b))\b|.*(?:\.\w|'s\b|[\",;/]|:(?!\d)|\b(?:contents?|text|lines?"
    r"|words?|paragraphs?|poem|story|stories|essay|summary|letter|code|script|program|function|list|report|article"
    r"|email|chapter|version|copy|date|time|today|it|them|that|this|everything|something|anything|instead|results?"
    r"|output|data|numbers?|count|break|spacing)\b)",
    re.I,
)
"""`append the date`, `add a poem`: about a text, or a text to be made up."""
_ENDS_IN_TIME = re.compile(r".*\b(?:tomorrow|tonight|later|now|soon|every \w+|at \S+|on \w+day|please)$", re.I)
_BELOW = re.compile(
    r",? (?:below|under|underneath|after|beneath|on top of) (?:what's|what is|whatever is"
    r"|everything(?: that's| that is)?|the rest|all that's|the existing text)(?: (?:already|there|in it|in there|here"
    r"|now))*$",
    re.I,
)
"""`…, below what's there already`: it is added, and nothing is lost."""
INSIDE = re.compile(r"\s(?:(?:in|inside|within) (?:it|there|the file)|inside)$", re.I)
"""`with the text good morning in it`: said of the file, or its last words?"""
_GOES_ON = re.compile(
    rf"(?:[,;.]|\band\b|\bthen\b)\s*(?:and |then |also |please )*(?:{'|'.join(sorted(VERB_WORDS))})\s", re.I
)
_FRAMES = read_frames("texts")


def written(sentence: str) -> Iterator[str]:
    """Yield a sentence as the plain order to write something, or to make a file with it."""
    for order, match in _FRAMES.fitting(sentence):
        parts = match.groupdict()
        said = next(name for name in _FITS if name in parts)
        if _FITS[said](parts[said], order):
            parts = {name: text.rstrip(" ,") if name == "made" else text for name, text in parts.items()}
            yield order.format_map(parts | {said: _quoted(parts[said]), "f": _plain(parts.get("f", ""))})
    below = _BELOW.search(sentence)
    if below is not None:
        added = re.sub(
            r"^(?:write|put|jot|note|scribble|stick|pop|place|type)(?: down)? ", "add ", sentence[: below.start()]
        )
        yield added if added.startswith("add ") else ""


def _is_text(text: str, _: str) -> bool:
    """Say whether no other order begins in a text."""
    return not _GOES_ON.search(text.strip("\"'"))


def _is_literal(text: str, order: str) -> bool:
    """Say whether words without quotes are the text itself: `call the dentist`, not `a poem`."""
    kinds = {mark.kind for mark in marks_of(text)}
    vetoed = kinds - {QUANTITY} if order.startswith("append") else kinds - {QUANTITY, "time"}
    return not (vetoed or _ABOUT_TEXT.match(text) or _GOES_ON.search(f"{text} ") or _ENDS_IN_TIME.match(text))


def _is_whole(text: str, _: str) -> bool:
    """Say whether a text in quotes, or one without that sets no condition and no time, stands for itself."""
    if text[:1] in "\"'":
        return True
    if INSIDE.search(text):
        return False
    bad = re.search(r"\b(?:but|except|without|instead)\b|\band\b.*\w\.\w", text, re.I)
    return not bad and {mark.kind for mark in marks_of(text)} <= {NEGATION, QUANTITY} and not _GOES_ON.search(text)


def _quoted(text: str) -> str:
    return text if text[:1] in "\"'" and len(text) > 1 else f'"{text}"'


def _plain(file: str) -> str:
    return re.sub(r"^(?:the |my |our )?(?:text |new )?", "the ", file) if re.search(r"\bfile\b", file) else file


_FITS: dict[str, Callable[[str, str], bool]] = {"q": _is_text, "literal": _is_literal, "content": _is_whole}
"""Which words can be the part of an order that has this name."""
