"""What a text of HDDL says it is, read from its beginning alone: a domain or a problem, its name, and whose problem."""

from __future__ import annotations

import re
from typing import NamedTuple

ENOUGH = 20_000
"""Characters within which a text has said what it is."""
_OPENING = re.compile(
    r"\A\ufeff?(?:\s|;[^\n]*\n)*\(\s*define\s*(?:;[^\n]*\n\s*)*\(\s*(domain|problem)\s+([^\s();]+)", re.IGNORECASE
)
_NAMES_DOMAIN = re.compile(r"\(\s*:domain\s+([^\s();]+)", re.IGNORECASE)


class Opening(NamedTuple):
    """How a text begins: `domain` or `problem`, and its name."""

    kind: str
    name: str


def opening_of(text: str) -> Opening | None:
    """Return how a text begins; None where it says neither.

    >>> opening_of("; tea for two\\n(define (domain tea)")
    Opening(kind='domain', name='tea')
    """
    match = _OPENING.match(text)
    return Opening(match.group(1).lower(), match.group(2)) if match else None


class Wanted(NamedTuple):
    """The domain that a problem names, in small letters as names are compared, and where that is written."""

    name: str
    at: int


def domain_wanted(text: str) -> Wanted | None:
    """Return which domain a problem is for.

    >>> domain_wanted("(define (problem two-guests) (:domain Tea)")
    Wanted(name='tea', at=29)
    """
    match = _NAMES_DOMAIN.search(text)
    return Wanted(match.group(1).lower(), match.start()) if match else None
