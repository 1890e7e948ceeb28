"""The argument map as SVG: one lane per speaker, time running down, green for support and red for attack.

Only claims that take part in a relation are drawn; the rest would be a list, and the list is elsewhere in the
report. Node ids are claim ids, so the page can find and light up a claim.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

LANE_WIDTH = 350
NODE_WIDTH = 286
LINE_HEIGHT = 15
ROW_GAP = 12
TOP = 46
CHARACTERS_PER_LINE = 39
MAX_LINES = 3
_SLOTS = 5  # so many parallel curves beside a lane before they share a track


def argument_map(public: Mapping[str, Any]) -> str:
    """Return the map of an analysis, or a sentence when no claim is related to another."""
    linked = {end for relation in public["relations"] for end in (relation["source"], relation["target"])}
    claims = [claim for claim in public["claims"] if claim["claim_id"] in linked]
    if not claims:
        return '<p class="empty">No claim of this transcript supports or attacks another.</p>'
    claims.sort(key=lambda claim: claim["span"])  # as spoken, whatever order a ranking gave them
    lanes: dict[str, int] = {}
    for claim in claims:
        lanes.setdefault(claim["speaker_key"] or claim["speaker"] or "", len(lanes))
    places: dict[str, tuple[int, int, int]] = {}
    nodes: list[str] = []
    y = TOP
    for claim in claims:
        lane = lanes[claim["speaker_key"] or claim["speaker"] or ""]
        lines = _wrapped(claim["clean_text"])
        height = LINE_HEIGHT * len(lines) + 14
        x = 20 + lane * LANE_WIDTH
        places[claim["claim_id"]] = (x, y, height)
        nodes.append(_node(claim, x, y, height, lines))
        y += height + ROW_GAP
    width = 20 + len(lanes) * LANE_WIDTH + 40
    edges = [_edge(relation, places, number) for number, relation in enumerate(public["relations"])]
    heads = [
        f'<g class="lane"><text x="{20 + lane * LANE_WIDTH}" y="24">{escape(name)}</text>'
        f'<line x1="{20 + lane * LANE_WIDTH}" y1="32" x2="{20 + lane * LANE_WIDTH + NODE_WIDTH}" y2="32"/></g>'
        for name, lane in lanes.items()
    ]
    return (
        f'<svg class="map" role="img" aria-label="Argument map: {len(claims)} claims, {len(edges)} relations" '
        f'width="{width}" height="{y + 20}" viewBox="0 0 {width} {y + 20}" xmlns="http://www.w3.org/2000/svg">'
        "<defs>"
        + "".join(
            f'<marker id="tip-{kind}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="9" markerHeight="9" '
            f'markerUnits="userSpaceOnUse" '
            f'orient="auto-start-reverse"><path class="tip {kind}" d="M0 0 8 4 0 8z"/></marker>'
            for kind in ("support", "rebuttal")
        )
        + "</defs>"
        + "".join(heads)
        + "".join(edges)
        + "".join(nodes)
        + "</svg>"
    )


def _node(claim: Mapping[str, Any], x: int, y: int, height: int, lines: list[str]) -> str:
    words = "".join(
        f'<tspan x="{x + 12}" dy="{LINE_HEIGHT if number else 0}">{escape(line)}</tspan>'
        for number, line in enumerate(lines)
    )
    return (
        f'<g class="node t-{claim["claim_type"]}" data-claim="{claim["claim_id"]}" tabindex="0" role="button">'
        f"<title>{escape(claim['standalone_text'])}</title>"
        f'<rect x="{x}" y="{y}" width="{NODE_WIDTH}" height="{height}" rx="7"/>'
        f'<rect class="bar" x="{x}" y="{y}" width="4" height="{height}" rx="2"/>'
        f'<text x="{x + 12}" y="{y + 18}">{words}</text></g>'
    )


def _edge(relation: Mapping[str, Any], places: Mapping[str, tuple[int, int, int]], number: int) -> str:
    sx, sy, sh = places[relation["source"]]
    tx, ty, th = places[relation["target"]]
    start_y, end_y = sy + sh / 2, ty + th / 2
    if sx == tx:  # same lane: a bow on the right
        right = sx + NODE_WIDTH
        bend = right + 14 + 8 * (number % _SLOTS)
        path = f"M{right} {start_y:g}C{bend} {start_y:g} {bend} {end_y:g} {right + 2} {end_y:g}"
    else:
        leave, arrive = (sx + NODE_WIDTH, tx - 2) if sx < tx else (sx, tx + NODE_WIDTH + 2)
        middle = (leave + arrive) / 2
        path = f"M{leave} {start_y:g}C{middle:g} {start_y:g} {middle:g} {end_y:g} {arrive} {end_y:g}"
    kind = relation["type"].lower()
    return (
        f'<path class="edge {kind}" d="{path}" marker-end="url(#tip-{kind})" '
        f'data-source="{relation["source"]}" data-target="{relation["target"]}"/>'
    )


def _wrapped(text: str) -> list[str]:
    lines = [""]
    for word in text.split():
        word = word if len(word) <= CHARACTERS_PER_LINE else word[: CHARACTERS_PER_LINE - 1] + "…"
        if len(lines[-1]) + len(word) + 1 > CHARACTERS_PER_LINE and lines[-1]:
            if len(lines) == MAX_LINES:
                lines[-1] = lines[-1][: CHARACTERS_PER_LINE - 1] + "…"
                return lines
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}".strip()
    return lines
