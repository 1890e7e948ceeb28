"""Order that is said the other way round: "before you open excel, create a folder" is the folder, then excel."""

from __future__ import annotations

import re
from collections.abc import Iterator

from planvow.goals.grammar.courtesy import BARE

_YOU = r"(?:you(?:'ve| have)? )?"
_ORDERS = (
    (re.compile(r"(?P<later>.+?)[,;–—-]* but (?:first|before that),? (?P<first>.+)", re.I), ("first", "later")),
    (re.compile(r"(?P<later>.+?)[,;–—-]* but (?P<first>.+) first", re.I), ("first", "later")),
    (re.compile(rf"before {_YOU}(?P<later>.+?), (?P<first>.+)", re.I), ("first", "later")),
    (re.compile(rf"after {_YOU}(?P<first>.+?), (?P<later>.+)", re.I), ("first", "later")),
    (re.compile(rf"(?P<first>.+?),? before {_YOU}(?P<later>.+)", re.I), ("first", "later")),
    (re.compile(rf"(?P<later>.+?),? after {_YOU}(?P<first>.+)", re.I), ("first", "later")),
)


def in_order(sentence: str) -> Iterator[str]:
    """Yield a sentence in the order in which things are done, if it says another."""
    for pattern, order in _ORDERS:
        match = pattern.fullmatch(sentence)
        if match is not None and '"' not in match[order[0]][:1]:
            yield ", then ".join(_bare(match[name]) for name in order)


def _bare(clause: str) -> str:
    word, blank, rest = clause.partition(" ")
    return f"{BARE.get(word.casefold(), word)}{blank}{rest}"
