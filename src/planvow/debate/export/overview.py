"""The whole debate at a glance: a row per speaker, a tick per related claim at its place, arcs between speakers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from planvow.debate.export.exchanges import Exchange

WIDTH = 720
LABEL_WIDTH = 110
ROW_HEIGHT = 26
MAX_ROWS = 8
OTHERS = "others"


def overview(public: Mapping[str, Any], exchanges: Sequence[Exchange]) -> str:
    """Return the overview as SVG."""
    linked = {claim_id for exchange in exchanges for claim_id, _ in exchange.rows}
    claims = [claim for claim in public["claims"] if claim["claim_id"] in linked]
    often = Counter(claim["speaker_key"] or "" for claim in claims)
    ranked = sorted(often, key=lambda key: (-often[key], key))  # most claims first, then by name
    names = ranked if len(ranked) <= MAX_ROWS else [*ranked[: MAX_ROWS - 1], OTHERS]
    length = max(1, public["meta"]["characters"])
    height = len(names) * ROW_HEIGHT + 8
    places: dict[str, tuple[float, float]] = {}
    ticks = []
    for claim in claims:
        key = claim["speaker_key"] or ""
        row = names.index(key if key in names else OTHERS)
        x = round(LABEL_WIDTH + (WIDTH - LABEL_WIDTH - 6) * claim["span"][0] / length, 1)
        y = 4 + row * ROW_HEIGHT
        places[claim["claim_id"]] = (x, y + ROW_HEIGHT / 2)
        ticks.append(
            f'<rect class="tick t-{claim["claim_type"]}" data-claim="{claim["claim_id"]}" '
            f'x="{x:g}" y="{y + 4}" width="2" height="{ROW_HEIGHT - 8}"/>'
        )
    rows = "".join(
        f'<text x="0" y="{4 + row * ROW_HEIGHT + 17}">{escape(_fitting(name))}</text>'
        f'<line x1="{LABEL_WIDTH}" x2="{WIDTH}" y1="{4 + (row + 1) * ROW_HEIGHT}" y2="{4 + (row + 1) * ROW_HEIGHT}"/>'
        for row, name in enumerate(names)
    )
    arcs = "".join(
        _arc(relation, places)
        for relation in public["relations"]
        if places[relation["source"]][1] != places[relation["target"]][1]
    )
    return (
        f'<div class="scroll overview"><svg role="img" aria-label="Where in the debate related claims stand" '
        f'width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" xmlns="http://www.w3.org/2000/svg">'
        f"{rows}{arcs}{''.join(ticks)}</svg></div>"
    )


def _arc(relation: Mapping[str, Any], places: Mapping[str, tuple[float, float]]) -> str:
    (sx, sy), (tx, ty) = places[relation["source"]], places[relation["target"]]
    middle = (sy + ty) / 2
    return (
        f'<path class="edge {relation["type"].lower()}" d="M{sx + 1:g} {sy:g}C{sx + 1:g} {middle:g} {tx + 1:g} '
        f'{middle:g} {tx + 1:g} {ty:g}" data-source="{relation["source"]}" data-target="{relation["target"]}"/>'
    )


def _fitting(name: str) -> str:
    return name if len(name) <= 15 else name[:14] + "…"
