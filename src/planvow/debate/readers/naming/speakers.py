"""One key per speaker: MR. NIXON, NIXON and RICHARD NIXON are one when nobody else can be meant.

Titles are dropped for comparing, never for showing. A single name joins a full name only when exactly one full name in
this transcript begins or ends with it; so CANDIDATE A and SENATOR A stay two (spec/000 sections 2 and 4).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from planvow.debate.terms.transcript import UNKNOWN_SPEAKER
from planvow.debate.words.wordsets import word_set

_TITLES = word_set(
    """
    MR MRS MS MISS DR PROF PROFESSOR SEN SENATOR REP REPRESENTATIVE CONGRESSMAN CONGRESSWOMAN GOV
    GOVERNOR PRES PRESIDENT VP GEN GENERAL COL COLONEL LT CAPT CAPTAIN ADM SIR LORD LADY DAME REV HON
    JUDGE JUSTICE MAYOR MP SECRETARY AMB AMBASSADOR FORMER CHAIRMAN CHAIRWOMAN CHAIR US VICE
    """
)
_MIN_SHORT_NAME = 3


def speaker_keys(labels: Iterable[str]) -> dict[str, str]:
    """Return the comparison key of each display label."""
    ordered = list(dict.fromkeys(labels))
    words = {label: _words(label) for label in ordered}
    full = list(dict.fromkeys(w for w in words.values() if len(w) > 1 and not any(part.isdigit() for part in w)))
    by_end: dict[str, list[tuple[str, ...]]] = {}
    for name in full:
        for end in dict.fromkeys((name[0], name[-1])):
            by_end.setdefault(end, []).append(name)
    keys: dict[str, str] = {}
    for label in ordered:
        own = words[label]
        if len(own) == 1 and len(own[0]) >= _MIN_SHORT_NAME:
            matches = by_end.get(own[0], [])
            if len(matches) == 1:
                own = matches[0]
        keys[label] = " ".join(own) or UNKNOWN_SPEAKER
    return keys


def _words(label: str) -> tuple[str, ...]:
    everything = re.sub(r"[^\w\s-]", "", label.replace("_", " ").replace(".", " ")).upper().split()
    everything = [word for word in everything if word != "THE"] or everything
    bare = [word for word in everything if word not in _TITLES]
    if not bare or all(len(word) == 1 for word in bare):  # THE PRESIDENT; SENATOR A
        return tuple(everything)
    middle = [word for i, word in enumerate(bare) if len(word) > 1 or i in (0, len(bare) - 1)]  # HOWARD K SMITH
    return tuple(middle)
