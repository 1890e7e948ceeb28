"""How things show themselves in notebooks: HTML that takes the colours of its page, light or dark, long parts folded.

Colours come from the text around it and from middle tones that both themes can bear; no script, nothing is fetched.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

FEW = 60
"""Up to so many nodes or rows stand there open; of more, only the beginning."""
TOGETHER = 100
"""Children of one node that are folded together where there are more."""
DEEPEST = 40
"""Browsers nest no further than some hundred elements: what is deeper stands one below the other."""
BAR, WINDOW, GOOD, BAD = "#3b82b6", "#8fa3b0", "#2f9e5b", "#d9534f"
_STYLE = """<style>
.planvow{font:13px/1.5 system-ui,sans-serif;color:inherit;text-align:left}
.planvow details>div{padding-left:1.2em}.planvow summary{cursor:pointer}
.planvow table{font:inherit;border-collapse:collapse;margin:.3em 0;color:inherit}
.planvow td{padding:1px 12px 1px 0;text-align:left;vertical-align:top;border:0;background:none;color:inherit}
.planvow .quiet{opacity:.65}.planvow svg text{fill:currentColor}
</style>"""


@dataclass(frozen=True, kw_only=True)
class Bar:
    """One row of a chart of times: from when to when it runs, and until when it could."""

    label: str
    start: int
    end: int
    latest: int
    told: str


def shown(title: str, *parts: str, good: bool | None = None) -> str:
    """Return a whole answer: one line in bold, and what belongs to it."""
    colour = "" if good is None else f' style="color:{GOOD if good else BAD}"'
    return f'{_STYLE}<div class="planvow"><div><b{colour}>{escape(title)}</b></div>{"".join(parts)}</div>'


def folded(title: str, body: str, *, is_open: bool = False) -> str:
    """Return a part that can be folded."""
    return f"<details{' open' if is_open else ''}><summary>{escape(title)}</summary><div>{body}</div></details>"


def text(said: str) -> str:
    """Return lines as they are."""
    return f'<pre style="white-space:pre-wrap;color:inherit;background:none;margin:0">{escape(said)}</pre>'


def table(rows: Iterable[Sequence[object]]) -> str:
    """Return rows of cells; beyond some they are folded."""
    made = ["<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows]
    first, rest = "".join(made[:FEW]), made[FEW:]
    more = folded(f"{len(rest):,} more", f"<table>{''.join(rest)}</table>") if rest else ""
    return f"<table>{first}</table>{more}"


def tree(top: Any, label: Callable[[Any], str], children: Callable[[Any], Sequence[Any]], count: int) -> str:
    """Return a tree whose nodes fold; one with many nodes is folded below its first level."""
    return _node(top, label, children, 0, is_open=lambda depth: count <= FEW or depth == 0)


def _node(
    node: Any,
    label: Callable[[Any], str],
    children: Callable[[Any], Sequence[Any]],
    depth: int,
    *,
    is_open: Callable[[int], bool],
) -> str:
    below = children(node)
    if not below:
        return f"<div>{escape(label(node))}</div>"
    if depth >= DEEPEST:
        return _flat(node, label, children)
    made = [_node(child, label, children, depth + 1, is_open=is_open) for child in below]
    if len(made) > TOGETHER:
        made = [
            folded(f"{at + 1:,} to {min(at + TOGETHER, len(made)):,}", "".join(made[at : at + TOGETHER]))
            for at in range(0, len(made), TOGETHER)
        ]
    return folded(label(node), "".join(made), is_open=is_open(depth))


def _flat(node: Any, label: Callable[[Any], str], children: Callable[[Any], Sequence[Any]]) -> str:
    lines, waiting = [], [node]
    while waiting:
        node = waiting.pop()
        lines.append(f"<div>{escape(label(node))}</div>")
        waiting += reversed(children(node))
    return folded(f"{len(lines):,} further down", "".join(lines))


def chart(bars: Sequence[Bar], span: int, scale: Sequence[tuple[int, str]]) -> str:
    """Return bars over time, with a scale in words that people use; of many bars only the beginning is drawn."""
    drawn = bars[: 4 * FEW]
    left, width, row = 240, 480, 22
    height = row * (len(drawn) + 1)

    def x(ticks: int) -> int:
        return left + ticks * width // max(1, span)

    whole = left + width + 80
    parts = [f'<svg viewBox="0 0 {whole} {height}" width="{whole}" style="max-width:100%" role="img">']
    for mark, said in scale:
        at = x(mark)
        parts.append(f'<line x1="{at}" y1="{row}" x2="{at}" y2="{height}" stroke="{WINDOW}" stroke-opacity=".4"/>')
        parts.append(f'<text x="{at}" y="13" text-anchor="middle" font-size="11" opacity=".75">{escape(said)}</text>')
    for number, bar in enumerate(drawn, start=1):
        y, begin, end, latest = number * row, x(bar.start), x(bar.end), x(bar.latest)
        label = escape(bar.label if len(bar.label) <= 36 else bar.label[:35] + "…")
        parts.append(
            f"<g><title>{escape(f'{bar.label}: {bar.told}')}</title>"
            f'<text x="0" y="{y + 14}" font-size="12">{label}</text>'
            f'<line x1="{begin}" y1="{y + 10}" x2="{latest}" y2="{y + 10}" stroke="{WINDOW}" stroke-width="2"/>'
            f'<rect x="{begin}" y="{y + 3}" width="{max(2, end - begin)}" height="14" rx="3" fill="{BAR}"/></g>'
        )
    more = f'<div class="quiet">and {len(bars) - len(drawn):,} more</div>' if len(bars) > len(drawn) else ""
    return "".join([*parts, "</svg>", more])
