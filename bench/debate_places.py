"""Where components stand that people marked with words left out, or whose words occur more than once.

The data give a place only to components whose text occurs exactly, and once, in the debate. "She kept promising trams"
of "she kept - year after year - promising trams" has none, so relations to it count as missed and those drawn to the
claim as wrong. Here such a component gets the tightest stretch of its section that has its words in order, where there
is one; two equally tight ones are told apart by where the section says it stands.
"""

import re
from collections import Counter
from typing import Any, NamedTuple

Row = dict[str, Any]
_WORD = re.compile(r"[^\W_]+")
_LEFT_OUT = 150  # characters that may be left out of a short component; of a long one as many as it has
_ASTRAY = 3  # characters by which a section's own offset may be off


class _Stretch(NamedTuple):
    length: int
    start: int
    end: int


def with_places(section: Row, name: str, text: str) -> list[Row]:
    """The components of a section that stand in this debate, also those given no place where it can be found."""
    placed = [c for c in section["components"] if c["debate_id"] == name and c["start"] is not None]
    lost = [c for c in section["components"] if c["start"] is None]
    if not placed or len({c["debate_id"] for c in section["components"] if c["debate_id"]}) > 1:
        return placed
    begins = Counter(c["start"] - c["sec_start"] for c in placed if c["sec_start"] >= 0)
    if not begins:
        return placed
    begin = begins.most_common(1)[0][0]
    first, last = min(c["start"] for c in placed), max(c["end"] for c in placed)
    for component in lost:
        hint = begin + component["sec_start"] if component["sec_start"] >= 0 else None
        found = tightest(text, component["text"], (max(0, first - _LEFT_OUT), last + 10 * _LEFT_OUT), hint)
        if found is not None:
            placed.append({**component, "start": found[0], "end": found[1], "debate_id": name})
    return placed


def tightest(text: str, words: str, within: tuple[int, int], hint: int | None = None) -> tuple[int, int] | None:
    """The shortest stretch that has these words in order; none where several are and nothing tells which."""
    wanted = [word.group().lower() for word in _WORD.finditer(words)]
    have = list(_WORD.finditer(text, *within))
    most = 2 * len(words) + _LEFT_OUT
    begins = [at for at, word in enumerate(have) if wanted and word.group().lower() == wanted[0]]
    found = sorted(stretch for at in begins if (stretch := _from(have[at:], wanted, most)) is not None)
    best = [stretch for stretch in found if stretch.length == found[0].length]
    if hint is not None:
        best = [stretch for stretch in best if abs(stretch.start - hint) <= _ASTRAY]
    return (best[0].start, best[0].end) if len(best) == 1 else None


def _from(have: list[re.Match[str]], wanted: list[str], most: int) -> _Stretch | None:
    start, at = have[0].start(), 0
    for word in have:
        if word.end() - start > most:
            return None
        at += word.group().lower() == wanted[at]
        if at == len(wanted):
            return _Stretch(word.end() - start, start, word.end())
    return None
