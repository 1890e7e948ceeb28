"""Pictures of a plan as places and sizes: bars with windows in time, and steps in rounds with what links them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from planvow.adapters.console.views.texts import cut, item_text, ticks_text
from planvow.temporal.scale import round_marks

MOST_BARS, MOST_STEPS = 400, 160
_LEFT, _WIDTH, _ROW = 250, 720, 24
_BOX, _HIGH, _ACROSS, _DOWN = 190, 26, 250, 38


@dataclass(frozen=True, kw_only=True)
class TimeBar:
    """When a step runs, and the window in which it could."""

    text: str
    tip: str
    href: str
    y: int
    x: float
    width: float
    window_x: float
    window_width: float
    entities: str


@dataclass(frozen=True, kw_only=True)
class Chart:
    """A Gantt chart."""

    bars: tuple[TimeBar, ...]
    ticks: tuple[tuple[float, str], ...]
    height: int
    has_windows: bool
    left_out: int
    entities: tuple[tuple[str, int], ...] = ()
    """Who or what is needed, with its row."""
    uses: tuple[TimeBar, ...] = ()
    """When each of them is needed, and for what."""
    entities_height: int = 0
    width: int = _LEFT + _WIDTH + 20


@dataclass(frozen=True, kw_only=True)
class Box:
    """A step in the graph."""

    number: int
    text: str
    tip: str
    href: str
    x: int
    y: int


@dataclass(frozen=True, kw_only=True)
class Line:
    """A link in the graph."""

    path: str
    tip: str


@dataclass(frozen=True, kw_only=True)
class Graph:
    """The order of the steps, in rounds; empty boxes where there are too many to draw."""

    boxes: tuple[Box, ...]
    lines: tuple[Line, ...]
    rounds: int
    width: int
    height: int
    too_many: int = 0
    box_width: int = _BOX
    box_height: int = _HIGH


def chart_of(
    steps: Sequence[Mapping[str, Any]], windows: Mapping[Any, Mapping[str, Any]], address: Callable[[int], str]
) -> Chart | None:
    """Return the chart of a timed plan; None where nothing takes time."""
    timed = [step for step in steps if isinstance(step.get("start"), int) and isinstance(step.get("end"), int)]
    last = max((step["end"] for step in timed), default=0)
    if not last:
        return None
    latest = [w.get("latest_end") for w in windows.values()]
    span = max([last, *(end for end in latest if isinstance(end, int) and end <= 2 * last)])

    def x(ticks: int) -> float:
        return round(_LEFT + min(ticks, span) * _WIDTH / span, 1)

    bars = []
    for row, step in enumerate(timed[:MOST_BARS]):
        window = windows.get(step.get("node"), {})
        begin, end = step["start"], step["end"]
        until = window.get("latest_end")
        late = end if not window else span if until is None else until
        text = item_text(step.get("command"))
        using = ", ".join(map(str, step.get("entities") or ()))
        tip = f"{text}: {ticks_text(begin)} – {ticks_text(end)}"
        if window:
            tip += f", at the latest until {'any time' if until is None else ticks_text(until)}"
        bars.append(
            TimeBar(
                text=cut(text, 36),
                tip=tip,
                href=address(int(step.get("node") or 0)),
                y=26 + row * _ROW,
                x=x(begin),
                width=max(2.0, round(x(end) - x(begin), 1)),
                window_x=x(begin),
                window_width=round(x(late) - x(begin), 1),
                entities=using,
            )
        )
    rows, uses = _uses(timed, x, address)
    return Chart(
        entities=tuple(rows.items()),
        uses=uses,
        entities_height=34 + len(rows) * _ROW,
        bars=tuple(bars),
        ticks=tuple((x(mark), ticks_text(mark)) for mark in round_marks(span)),
        height=34 + len(bars) * _ROW,
        has_windows=bool(windows),
        left_out=max(0, len(timed) - MOST_BARS),
    )


def _uses(
    steps: Sequence[Mapping[str, Any]], x: Callable[[int], float], address: Callable[[int], str]
) -> tuple[dict[str, int], tuple[TimeBar, ...]]:
    """Return a row for each entity that steps need, and when it is needed for what."""
    rows: dict[str, int] = {}
    uses = []
    for step in steps[:MOST_BARS]:
        text = item_text(step.get("command"))
        for entity in map(str, step.get("entities") or ()):
            y = rows.setdefault(entity, 26 + len(rows) * _ROW)
            begin, width = x(step["start"]), max(2.0, round(x(step["end"]) - x(step["start"]), 1))
            tip = f"{entity}: {text}, {ticks_text(step['start'])} – {ticks_text(step['end'])}"
            uses.append(
                TimeBar(
                    text=cut(text, max(1, int((width - 6) / 7))) if width > 20 else "",
                    tip=tip,
                    href=address(int(step.get("node") or 0)),
                    y=y,
                    x=begin,
                    width=width,
                    window_x=begin,
                    window_width=0,
                    entities=entity,
                )
            )
    return rows, tuple(uses)


def graph_of(
    texts: Sequence[str], edges: Sequence[Sequence[Any]], nodes: Sequence[int], address: Callable[[int], str]
) -> Graph | None:
    """Return steps in rounds from left to right; links that follow from others are not drawn."""
    if not texts:
        return None
    level = [0] * len(texts)
    into: list[list[Sequence[Any]]] = [[] for _ in texts]
    for edge in edges:
        if 0 <= edge[0] < edge[1] < len(texts):
            into[edge[1]].append(edge)
    before: list[set[int]] = []
    for number, links in enumerate(into):
        level[number] = max((level[link[0]] + 1 for link in links), default=0)
        before.append(set[int]().union(*(before[link[0]] | {link[0]} for link in links)))
    rounds = max(level) + 1
    if len(texts) > MOST_STEPS:
        return Graph(boxes=(), lines=(), rounds=rounds, width=0, height=0, too_many=len(texts))
    rows: dict[int, int] = {}
    place = []
    for number in range(len(texts)):
        row = rows.get(level[number], 0)
        rows[level[number]] = row + 1
        place.append((8 + level[number] * _ACROSS, 8 + row * _DOWN))
    boxes = tuple(
        Box(
            number=number + 1,
            text=cut(f"{number + 1}  {text}", 30),
            tip=text,
            href=address(nodes[number]),
            x=place[number][0],
            y=place[number][1],
        )
        for number, text in enumerate(texts)
    )
    lines = []
    for after, links in enumerate(into):
        direct = {link[0] for link in links}
        for link in links:
            if any(link[0] in before[other] for other in direct):
                continue
            (x1, y1), (x2, y2) = place[link[0]], place[after]
            x1, y1, y2 = x1 + _BOX, y1 + _HIGH // 2, y2 + _HIGH // 2
            bend = min(40, (x2 - x1) // 2)
            about = f" {link[3]}" if link[3] else ""
            tip = f"step {link[0] + 1} before step {after + 1}: {link[2]}{about}"
            lines.append(Line(path=f"M{x1} {y1}C{x1 + bend} {y1} {x2 - bend} {y2} {x2} {y2}", tip=tip))
    return Graph(
        boxes=boxes,
        lines=tuple(lines),
        rounds=rounds,
        width=16 + (rounds - 1) * _ACROSS + _BOX,
        height=16 + (max(rows.values()) - 1) * _DOWN + _HIGH,
    )
