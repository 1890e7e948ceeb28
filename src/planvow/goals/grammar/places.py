"""Where something lies, said beside the order: behind it ("…, it's in downloads") or before it ("in "
"my documents there's a
folder named x, rename it to y"). Put where the grammar looks for it."""

from __future__ import annotations

import re
from collections.abc import Iterator

_ANCHOR = r"(?P<place>desktop|documents|downloads)(?: folder| directory)?"
_LYING = re.compile(
    r",? (?:that's|that is|that lies|that sits|which is|which lies|which sits|lying|located|sitting|stored|saved) "
    r"(?P<prep>in|on|inside) (?=(?:my |the )?(?:desktop|documents|downloads)\b)",
    re.I,
)
_BEHIND = re.compile(
    rf"(?P<rest>.+?)(?:[,;.]|\s[-–—])\s*(?:it's|it is|its|it lies|it sits|that's|that one is|you'll find it"
    rf"|it should be) (?:in|on|inside) (?:my |the )?{_ANCHOR}",
    re.I,
)
_BEFORE = re.compile(
    rf"(?:in|on|inside) (?:my |the )?{_ANCHOR},? (?:there's|there is|i have|i've got|you'll find) (?:a|an|the) "
    r"(?P<kind>file|folder) (?:named |called )?(?P<name>[^,;.]+?(?:\.\w{1,5})?)[,;.] (?:and |so "
    r")?(?:please |now |can you "
    r"|could you |would you |just )*(?P<verb>rename|read|list|show me) (?:it|that|that one)(?P<rest>(?: .+)?)",
    re.I,
)
_PAUSED = re.compile(r", (?=(?:in|on|inside) (?:my |the )?(?:desktop|documents|downloads)(?: folder)?$)", re.I)
_GOES = re.compile(r"(?:move|copy|relocate|transfer|duplicate|shift)\b", re.I)
_PLACED = re.compile(r"\b(?:desktop|documents|downloads)\b", re.I)


def placed_behind(sentence: str) -> Iterator[str]:
    """Yield a sentence with the place where something lies beside its name, or in front."""
    found = _PAUSED.sub(" ", sentence)
    if found != sentence:
        yield found
    found = _LYING.sub(lambda match: f" {match['prep']} ", sentence)
    if found != sentence:
        yield found
    match = _BEHIND.fullmatch(sentence)
    if match is not None:
        yield from _with_place(match["rest"], match["place"].casefold())
    match = _BEFORE.fullmatch(sentence)
    if match is not None:
        rest = match["rest"].strip()
        new = rest.removeprefix("to ").removeprefix("as ")
        to = f' to "{new}"' if match["verb"].casefold() == "rename" and '"' not in rest else f" {rest}"
        verb = (
            "list" if match["kind"].casefold() == "folder" and match["verb"].casefold() != "rename" else match["verb"]
        )
        yield f'{verb} the {match["kind"]} called "{match["name"]}" in {match["place"].casefold()}{to}'.strip()


def _with_place(order: str, place: str) -> Iterator[str]:
    if _GOES.match(order):
        if len(re.findall(r"\s(?:to|into)\s", order)) == 1:
            yield re.sub(r"\s(to|into)\s", rf" from {place} \1 ", order)
    elif not _PLACED.search(order):
        yield f"in {place}, {order}"
