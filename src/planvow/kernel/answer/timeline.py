"""A timed plan as a picture: a Gantt chart in text for terminals, in SVG for pages. No dependency.

A bar runs from the chosen start to the chosen end; the thin line around it is the window in which it could move: from
the earliest start to the latest end.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from planvow.kernel.domain.terms import item_text
from planvow.kernel.time.report import TimeAllocation
from planvow.notebook.html import Bar
from planvow.temporal import format_ticks
from planvow.temporal.durations import ticks_in_words

NOTHING = "no times: no command has a duration and nothing says when\n"
_LABEL_WIDTH = 32
_ROW, _BAR, _LEFT, _WIDTH = 26, 14, 230, 720  # pixels


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


def timeline_svg(allocations: Sequence[TimeAllocation]) -> str:
    """Draw the plan as SVG: bars, windows, labels and a scale."""
    if not allocations:
        return f'{_svg(600, 30)}<text x="8" y="20">{NOTHING.strip()}</text></svg>'
    span = _span(allocations)
    height = _ROW * (len(allocations) + 1) + 10
    parts = [_svg(_LEFT + _WIDTH + 40, height), f"<title>Timeline of {len(allocations)} commands</title>"]
    for tick in range(5):
        x = _LEFT + tick * _WIDTH // 4
        parts.append(f'<line x1="{x}" y1="{_ROW}" x2="{x}" y2="{height}" stroke="#ddd"/>')
        parts.append(f'<text x="{x}" y="14" text-anchor="middle" fill="#666">{format_ticks(span * tick // 4)}</text>')
    for row, allocation in enumerate(allocations, start=1):
        parts.append(_row_svg(allocation, row * _ROW + 4, span))
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
            told=f"{ticks_in_words(each.start)} to {ticks_in_words(each.end)}",
        )
        for each in allocations
    ]
    return bars, span


def _svg(width: int, height: int) -> str:
    font = 'font-family="system-ui, sans-serif" font-size="12"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" {font} role="img">'


def _row_svg(allocation: TimeAllocation, y: int, span: int) -> str:
    def x(ticks: int) -> int:
        return _LEFT + ticks * _WIDTH // span

    begin, end = x(allocation.start), max(x(allocation.end), x(allocation.start) + 2)
    latest = x(_latest_end(allocation, span))
    middle = y + _BAR // 2
    label, tip = escape(_short(_label(allocation), _LABEL_WIDTH)), escape(f"{_label(allocation)}: {_times(allocation)}")
    return (
        f'<g><title>{tip}</title><text x="8" y="{y + 11}">{label}</text>'
        f'<line x1="{begin}" y1="{middle}" x2="{latest}" y2="{middle}" stroke="#8ab" stroke-width="2"/>'
        f'<rect x="{begin}" y="{y}" width="{end - begin}" height="{_BAR}" rx="3" fill="#2a6f97"/></g>'
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
    return item_text(allocation.item) + using


def _times(allocation: TimeAllocation) -> str:
    return f"{format_ticks(allocation.start)} – {format_ticks(allocation.end)}"


def _short(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"
