"""Logs of chats: a date or time and a name in front of every message."""

from __future__ import annotations

import re
from collections import Counter

from planvow.debate.readers.naming.clock import CLOCK
from planvow.debate.readers.naming.headings import DATE, HALF_DAY
from planvow.debate.readers.naming.label import Label

_DATED = re.compile(
    rf"""^[\u200e\u200f\ufeff]*\[?{DATE},?[ \t]+(?:{CLOCK}){HALF_DAY}?\]?(?:[ \t]+[-–—])?[ \t]+
    (?:[\u200e\u200f~]*[ \t]*(?P<name>[^:\n<>]{{1,50}}?):(?=[ \t\n]))?""",
    re.MULTILINE | re.VERBOSE,
)
_FROM = re.compile(
    rf"^(?:{CLOCK})[ \t]+From[ \t]+(?P<name>[^:\n]{{1,50}}?)(?:[ \t]+[tT]o[ \t]+[^:\n]{{1,50}})?[ \t]*:", re.MULTILINE
)
_NICK = re.compile(rf"^(?:\[?{CLOCK}\]?[ \t]*)?<[@+ ]?(?P<name>[^\s<>/][^<>\n]{{0,29}})>[ \t]+(?=\S)", re.MULTILINE)


def message_labels(text: str) -> list[Label]:
    """Return where messages begin; a stamped line without a name is a notice of the program."""
    for form in (_DATED, _FROM, _NICK):
        lines = list(form.finditer(text))
        seen = Counter(line["name"] for line in lines if line["name"])
        if len(seen) > 1 and max(seen.values()) > 1:
            return [
                Label(
                    name=line["name"],
                    line_start=line.start(),
                    words_start=line.end(),
                    is_heading=line["name"] is None,
                )
                for line in lines
            ]
    return []
