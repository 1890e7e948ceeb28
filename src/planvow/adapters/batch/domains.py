"""Which HDDL domain belongs to a problem file: the one it names, beside it or in the nearest folder above.

What a file is stands at its beginning; what it is called helps only where that does not decide.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from planvow.errors import InputError
from planvow.hddl.language.opening import ENOUGH, domain_wanted, opening_of
from planvow.hddl.parsing.files import read_file

DOMAIN, IN_DOMAINS = "domain.hddl", "domain"
"""What a domain is called: `domain.hddl`, or by a name with that word in it."""


class _Domain(NamedTuple):
    path: Path
    name: str
    """In small letters, as names are compared; nothing where the file does not say."""


def is_domain(path: Path, text: str) -> bool:
    """Whether a file holds a domain; where its text says neither, its name does."""
    opening = opening_of(text)
    return IN_DOMAINS in path.name if opening is None else opening.kind == "domain"


def domain_of(problem: Path, text: str) -> str:
    """Return the text of the domain of a problem, which has a text of its own."""
    wanted = domain_wanted(text)
    for folder in problem.absolute().parents:
        domains = _domains_in(folder)
        found = [each for each in domains if wanted is not None and each.name == wanted.name] or _unnamed(domains)
        if found:
            return _the_one(problem, found)
    hint = f"put {DOMAIN} beside its problems, or give domain and problem as texts in a .jsonl file"
    raise InputError("there is no domain for this problem", place=str(problem), hint=hint)


@lru_cache(maxsize=64)
def _domains_in(folder: Path) -> Sequence[_Domain]:
    """Return the domains of a folder; looked for once, however many problems lie there."""
    found = []
    for path in sorted(folder.glob("*.hddl")):
        opening = opening_of(_beginning(path))
        if opening is not None and opening.kind == "domain":
            found.append(_Domain(path, opening.name.lower()))
        elif opening is None and IN_DOMAINS in path.name:
            found.append(_Domain(path, ""))
    return found


def _beginning(path: Path) -> str:
    try:
        with path.open(encoding="utf-8-sig", errors="replace") as stream:
            return stream.read(ENOUGH)
    except OSError:
        return ""


def _unnamed(domains: Sequence[_Domain]) -> Sequence[_Domain]:
    """Return what a problem gets that names none of them: the only one with the word in its name, or `domain.hddl`."""
    named = [each for each in domains if IN_DOMAINS in each.path.name]
    return named if len(named) == 1 else [each for each in named if each.path.name == DOMAIN]


def _the_one(problem: Path, found: Sequence[_Domain]) -> str:
    """Return the text of the domain that is called like the problem, of `domain.hddl`, or of the only one there is."""
    own = (f"{problem.stem}-domain.hddl", problem.name.replace("problem", IN_DOMAINS))
    for name in (*own, DOMAIN):
        found = [each for each in found if each.path.name == name] or found
        if len(found) == 1:
            break
    texts = dict.fromkeys(read_file(each.path) for each in found)
    if len(texts) > 1:
        names = ", ".join(each.path.name for each in found[:3])
        hint = f"keep one of them, or call the right one {DOMAIN}"
        raise InputError(f"several domains have the name that it wants: {names}", place=str(problem), hint=hint)
    return next(iter(texts))
