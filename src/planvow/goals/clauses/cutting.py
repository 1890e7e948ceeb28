"""A wish cut into its clauses: at marks that pause or end, and at words after which somebody begins anew."""

from __future__ import annotations

import re
from dataclasses import dataclass

from planvow.goals.grammar.quotes import quotes_hidden
from planvow.goals.rephrase.fillers import VERB_WORDS

_REQUEST = r"(?:can|could|would|will|might) (?:you|u|ya|ye)\b|(?:i was|i'm|i am) (?:just )?wondering\b"
_TELLER = (
    r"(?:i|i'm|im|i've|i'd|i'll|we|we're|we've|my|our|he|he's|she|she's|they|they're|it's|there's|that's|nobody"
    r"|everyone|it|the)\b"
)
_ORDER = rf"(?:{_REQUEST}|(?:please |just |kindly |now |yeah |yes )*(?:{'|'.join(sorted(VERB_WORDS))}|tell)\b)"
_LAUGHS = r"(?:lol|lmao|haha+|hehe+|omg|ugh+|tbh|ngl|smh|asap)"
_JOINT = re.compile(
    r"\s*(?:[.!?…]+(?=\s|$)|[,;–—]|:(?=\s)|\s-+(?=\s))[\s,.!?…–—-]*(?:(?:so|and|but|anyway|anyhow|because|cos"
    r"|cause)\b,?\s+)*"
    rf"|\s+(?:and so|so|so that|because|'?cause|cos|coz|cuz|but|anyway)\s+(?={_TELLER}|{_ORDER}|what|how|yeah)"
    rf"|\s+and\s+(?={_TELLER}|{_REQUEST})|\s+since\s+(?=(?:i|we|my|it's)\b)"
    r"|\s+(?=maybe (?:someone|somebody|he|she|they|i'll|it'll)\b)"
    rf"|\s+(?={_REQUEST})|(?:\s+|^){_LAUGHS}\b[\s,.!?…]*",
    re.I,
)


@dataclass(frozen=True)
class Clause:
    """One clause, where it stands, and what joins it to the one before."""

    text: str
    start: int
    end: int
    joint: str


def clauses_of(text: str) -> tuple[Clause, ...]:
    """Return the clauses of a text."""
    found, at, joint = [], 0, ""
    for cut in _JOINT.finditer(quotes_hidden(text)):
        if text[at : cut.start()].strip():
            found.append(Clause(text[at : cut.start()].strip(), at, cut.start(), joint))
            joint = cut[0]
        else:
            joint += cut[0]
        at = cut.end()
    if text[at:].strip():
        found.append(Clause(text[at:].strip(), at, len(text), joint))
    return tuple(found)
