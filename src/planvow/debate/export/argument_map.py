"""The argument map: an overview of the whole debate, and one drawing for each group of claims that hang together.

A debate of ninety minutes has over a thousand related claims; in one picture nobody would find anything. Claims that
are connected by support and attack form an exchange. Each exchange is a line that opens into its own SVG: under each
claim, indented, what supports it (green) or attacks it (red, dashed). Only claims that take part in a relation are
drawn. Node ids are claim ids, so the page can find and light up a claim.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from planvow.debate.export.exchanges import Exchange, find_exchanges
from planvow.debate.export.overview import overview

NODE_WIDTH = 430
LINE_HEIGHT = 16
HEAD_HEIGHT = 15
ROW_GAP = 9
INDENT = 24
MAX_INDENT = 144  # deeper trees are indented less per step
CHARACTERS_PER_LINE = 58
MAX_LINES = 3
_SLOTS = 5  # so many parallel bows beside the nodes before they share a track

Claim = Mapping[str, Any]


def argument_map(public: Mapping[str, Any]) -> str:
    """Return the map of an analysis, or a sentence when no claim is related to another."""
    exchanges = find_exchanges(public["claims"], public["relations"])
    if not exchanges:
        return '<p class="empty">No claim of this transcript supports or attacks another.</p>'
    claims = {claim["claim_id"]: claim for claim in public["claims"]}
    drawn = "".join(_exchange(exchange, claims, number) for number, exchange in enumerate(exchanges))
    return overview(public, exchanges) + _MARKERS + f'<div class="exchanges">{drawn}</div>'


_MARKERS = (
    '<svg class="markers" width="0" height="0" aria-hidden="true"><defs>'
    + "".join(
        f'<marker id="tip-{kind}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="9" markerHeight="9" '
        f'markerUnits="userSpaceOnUse" orient="auto-start-reverse">'
        f'<path class="tip {kind}" d="M0 0 8 4 0 8z"/></marker>'
        for kind in ("support", "rebuttal")
    )
    + "</defs></svg>"
)


def _exchange(exchange: Exchange, claims: Mapping[str, Claim], number: int) -> str:
    members = [claims[claim_id] for claim_id, _ in exchange.rows]
    turns = [claim["turn_index"] for claim in members]
    where = f"#{min(turns)}" if min(turns) == max(turns) else f"#{min(turns)}–{max(turns)}"
    speakers = ", ".join(dict.fromkeys(claim["speaker"] or "" for claim in members))
    head = claims[exchange.head]
    attacks = sum(relation["type"] == "REBUTTAL" for relation in exchange.relations)
    supports = len(exchange.relations) - attacks
    counts = f'<span class="n">{len(members)} claims</span>'
    counts += f'<span class="n support">{supports} support</span>' if supports else ""
    counts += f'<span class="n rebuttal">{attacks} attack</span>' if attacks else ""
    return (
        f'<details class="exchange" data-order="{number}" data-size="{len(members)}" data-attacks="{attacks}">'
        f'<summary><span class="gist t-{head["claim_type"]}">{escape(_shortened(head["standalone_text"]))}</span>'
        f'<span class="meta"><span>{escape(speakers)} {where}</span>{counts}</span></summary>'
        f'<div class="scroll">{_drawing(exchange, claims)}</div></details>\n'
    )


def _drawing(exchange: Exchange, claims: Mapping[str, Claim]) -> str:
    deepest = max(depth for _, depth in exchange.rows)
    indent = min(INDENT, MAX_INDENT // max(1, deepest))
    places: dict[str, tuple[int, int, int]] = {}
    nodes: list[str] = []
    y = 4
    spoken_by = None
    for claim_id, depth in exchange.rows:
        claim = claims[claim_id]
        lines = _wrapped(claim["clean_text"])
        has_head = spoken_by != claim["turn_index"]
        spoken_by = claim["turn_index"]
        height = LINE_HEIGHT * len(lines) + 12 + (HEAD_HEIGHT if has_head else 0)
        x = 4 + depth * indent
        places[claim_id] = (x, y, height)
        nodes.append(_node(claim, x, y, height, lines, has_head))
        y += height + ROW_GAP
    bows = [relation for relation in exchange.relations if not exchange.is_branch(relation)]
    width = 4 + deepest * indent + NODE_WIDTH + (16 + 8 * min(_SLOTS, len(bows)) if bows else 4)
    edges = [
        _branch(relation, places, indent)
        if exchange.is_branch(relation)
        else _bow(relation, places, 4 + deepest * indent + NODE_WIDTH, number)
        for number, relation in enumerate(exchange.relations)
    ]
    return (
        f'<svg class="map" role="group" aria-label="{len(nodes)} claims, {len(edges)} relations" '
        f'width="{width}" height="{y}" viewBox="0 0 {width} {y}" xmlns="http://www.w3.org/2000/svg">'
        + "".join(edges)
        + "".join(nodes)
        + "</svg>"
    )


def _node(claim: Claim, x: int, y: int, height: int, lines: Sequence[str], has_head: bool) -> str:
    top = y + 17
    head = ""
    if has_head:
        said = f"{escape(claim['speaker'] or '')} #{claim['turn_index']}"
        head = f'<text class="head" x="{x + 12}" y="{top - 1}">{said}</text>'
        top += HEAD_HEIGHT
    words = "".join(
        f'<tspan x="{x + 12}" dy="{LINE_HEIGHT if number else 0}">{escape(line)}</tspan>'
        for number, line in enumerate(lines)
    )
    return (
        f'<g class="node t-{claim["claim_type"]}" data-claim="{claim["claim_id"]}" tabindex="0" role="button">'
        f"<title>{escape(claim['standalone_text'])}</title>"
        f'<rect x="{x}" y="{y}" width="{NODE_WIDTH}" height="{height}" rx="6"/>'
        f'<rect class="bar" x="{x}" y="{y}" width="4" height="{height}" rx="2"/>'
        f'{head}<text x="{x + 12}" y="{top}">{words}</text></g>'
    )


def _branch(relation: Mapping[str, Any], places: Mapping[str, tuple[int, int, int]], indent: int) -> str:
    """From a claim up to the one above it that it supports or attacks."""
    sx, sy, _ = places[relation["source"]]
    tx, ty, th = places[relation["target"]]
    trunk = tx + indent / 2
    return _edge(relation, f"M{sx} {sy + 14}H{trunk + 4:g}Q{trunk:g} {sy + 14} {trunk:g} {sy + 10}V{ty + th + 1}")


def _bow(relation: Mapping[str, Any], places: Mapping[str, tuple[int, int, int]], right: int, number: int) -> str:
    """Beside the nodes, between claims that do not stand one below the other."""
    sx, sy, sh = places[relation["source"]]
    tx, ty, th = places[relation["target"]]
    start_y, end_y = sy + sh / 2, ty + th / 2
    bend = right + 14 + 8 * (number % _SLOTS)
    return _edge(
        relation,
        f"M{sx + NODE_WIDTH} {start_y:g}C{bend} {start_y:g} {bend} {end_y:g} {tx + NODE_WIDTH + 1} {end_y:g}",
    )


def _edge(relation: Mapping[str, Any], path: str) -> str:
    kind = relation["type"].lower()
    return (
        f'<path class="edge {kind}" d="{path}" marker-end="url(#tip-{kind})" '
        f'data-source="{relation["source"]}" data-target="{relation["target"]}"/>'
    )


def _shortened(text: str, length: int = 140) -> str:
    return text if len(text) <= length else text[: length - 1].rsplit(" ", 1)[0] + "…"


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
