"""A timed plan as a picture: a Gantt chart in text for terminals, in SVG for pages. No dependency.

A bar runs from the chosen start to the chosen end; the thin line around it is the window in which it could move: from
the earliest start to the latest end.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from planvow.kernel.answer.paper import MOST_ROWS, fill, paper, seen, stroke
from planvow.kernel.domain.terms import item_text
from planvow.kernel.time.report import TimeAllocation
from planvow.notebook.html import Bar
from planvow.temporal import format_ticks
from planvow.temporal.durations import ticks_in_words
from planvow.temporal.scale import round_marks, ticks_in_brief

NOTHING = "no times: no command has a duration and nothing says when\n"
_LABEL_WIDTH = 32
_ROW, _BAR, _LEFT, _WIDTH, _RIGHT = 26, 14, 240, 720, 48  # pixels
_FONT = "system-ui, sans-serif"


def timeline_text(allocations: Sequence[TimeAllocation], *, width: int = 60, label_width: int = _LABEL_WIDTH) -> str:
    """Draw the plan as text: `█` where a command runs, `·` where it could."""
    if not allocations:
        return NOTHING
    span = _span(allocations)
    lines = [f"{'':{label_width}} 0{format_ticks(span):>{width - 1}}"]
    for allocation in allocations:
        begin, end, latest = (
            round(ticks * width / span) for ticks in (allocation.start, allocation.end, _latest_end(allocation, span))
        )
        end = max(end, begin + 1)  # even an instant is seen
        bar = " " * begin + "█" * (end - begin) + "·" * max(0, latest - end)
        label = _short(_label(allocation), label_width)
        lines.append(f"{label:{label_width}} {bar:{width}} {_times(allocation)}".rstrip())
    return "\n".join(lines) + "\n"


def fitted_timeline(allocations: Sequence[TimeAllocation], columns: int) -> str:
    """Draw the plan as text of at most so many columns; times are never cut, labels and bars share the rest."""
    room = columns - max(map(len, map(_times, allocations)), default=0) - 2
    label_width = min(_LABEL_WIDTH, max(1, room // 2))
    return timeline_text(allocations, width=min(60, max(10, room - label_width)), label_width=label_width)


def timeline_svg(allocations: Sequence[TimeAllocation], *, rows: int | None = MOST_ROWS) -> str:
    """Draw the plan as SVG: bars, windows, labels and a scale; of a long one the beginning, and how many are left."""
    if not allocations:
        said = f'<text x="8" y="20" {fill("ink")}>{NOTHING.strip()}</text>'
        return f"{paper(600, 30, 'No times', font=_FONT)}{said}</svg>"
    span = _span(allocations)
    drawn = allocations[:rows]
    hidden = len(allocations) - len(drawn)
    bottom = _ROW * (len(drawn) + 1) + 6
    height = bottom + (_ROW if hidden else 0) + 4
    parts = [paper(_LEFT + _WIDTH + _RIGHT, height, f"Timeline of {len(allocations):,} commands", font=_FONT)]
    for mark in round_marks(span):
        x = _LEFT + mark * _WIDTH // span
        parts.append(f'<line x1="{x}" y1="{_ROW}" x2="{x}" y2="{bottom}" {stroke("grid")}/>')
        parts.append(f'<text x="{x}" y="17" text-anchor="middle" {fill("quiet")}>{ticks_in_brief(mark)}</text>')
    for row, allocation in enumerate(drawn, start=1):
        parts.append(_row_svg(allocation, row * _ROW + 4, span))
    if hidden:
        parts.append(f'<text x="8" y="{bottom + 17}" {fill("quiet")}>… {hidden:,} more commands are not drawn</text>')
    return "\n".join([*parts, "</svg>\n"])


def bars_of(allocations: Sequence[TimeAllocation]) -> tuple[list[Bar], int]:
    """Return the rows of a chart and how long it is."""
    span = _span(allocations)
    bars = [
        Bar(
            label=_label(each),
            start=each.start,
            end=each.end,
            latest=_latest_end(each, span),
            told=_told(each),
        )
        for each in allocations
    ]
    return bars, span


def _row_svg(allocation: TimeAllocation, y: int, span: int) -> str:
    def x(ticks: int) -> int:
        return _LEFT + ticks * _WIDTH // span

    begin, end = x(allocation.start), max(x(allocation.end), x(allocation.start) + 2)
    latest = x(_latest_end(allocation, span))
    middle = y + _BAR // 2
    label = escape(_short(_label(allocation), _LABEL_WIDTH))
    tip = escape(f"{_label(allocation)}: {_told(allocation)}")
    return (
        f'<g><title>{tip}</title><text x="8" y="{y + 11}" {fill("ink")}>{label}</text>'
        f'<line x1="{begin}" y1="{middle}" x2="{latest}" y2="{middle}" {stroke("window")} stroke-width="2"/>'
        f'<rect x="{begin}" y="{y}" width="{end - begin}" height="{_BAR}" rx="3" {fill("bar")}/></g>'
    )


def _span(allocations: Sequence[TimeAllocation]) -> int:
    """The length of the picture: to the last chosen end, and to the latest end where one is near enough to matter."""
    chosen = max(1, max(allocation.end for allocation in allocations))
    windows = [a.latest_end for a in allocations if a.latest_end is not None and a.latest_end <= 2 * chosen]
    return max([chosen, *windows])


def _latest_end(allocation: TimeAllocation, span: int) -> int:
    return span if allocation.latest_end is None else min(span, allocation.latest_end)


def _label(allocation: TimeAllocation) -> str:
    using = f" with {', '.join(allocation.entities)}" if allocation.entities else ""
    return seen(item_text(allocation.item) + using)


def _told(allocation: TimeAllocation) -> str:
    return f"{ticks_in_words(allocation.start)} to {ticks_in_words(allocation.end)}"


def _times(allocation: TimeAllocation) -> str:
    return f"{format_ticks(allocation.start)} – {format_ticks(allocation.end)}"


def _short(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"
