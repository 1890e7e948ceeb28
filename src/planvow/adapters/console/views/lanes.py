"""Attempts as lanes by worker: when each began and ended, with idle hours pressed together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from planvow.adapters.console.views.texts import call_text, item_text, shortened, span_text

TOP = 22
_GAP = 34
_IDLE_SHARE = 0.25
"""An idle stretch longer than this share of the busy time is pressed together."""


@dataclass(frozen=True, kw_only=True)
class Format:
    """How large the picture is: a name stands before its lane, or above it where there is little room."""

    name: str
    width: int
    left: int
    row: int
    margin: int
    name_above: int
    """How far above its bars a name stands; 0 where it stands before them."""
    longest_name: int


WIDE = Format(name="wide", width=1000, left=130, row=30, margin=10, name_above=0, longest_name=16)
NARROW = Format(name="narrow", width=360, left=0, row=46, margin=1, name_above=16, longest_name=40)
"""As wide as a phone, so that nothing is drawn smaller than it is written."""


@dataclass(frozen=True, kw_only=True)
class Bar:
    """One attempt in the picture."""

    x: float
    y: int
    width: float
    outcome: str
    label: str
    tip: str
    anchor: str
    shown: str
    """The label as far as it fits into the bar."""


@dataclass(frozen=True, kw_only=True)
class Lanes:
    """The picture: lanes by worker, bars, pressed gaps, and the scale."""

    workers: tuple[tuple[str, int], ...]
    bars: tuple[Bar, ...]
    gaps: tuple[tuple[float, str], ...]
    ticks: tuple[tuple[float, str], ...]
    height: int
    width: int
    form: str


def every_lanes(
    jobs: Sequence[Any], now: int, commands: Mapping[tuple[str, int], Any] | None = None
) -> tuple[Lanes, ...]:
    """Return the picture for wide pages and the one for phones (a page shows one); none where nobody has begun."""
    drawn = (lanes_of(jobs, now, commands, form) for form in (WIDE, NARROW))
    return tuple(picture for picture in drawn if picture is not None)


def lanes_of(
    jobs: Sequence[Any], now: int, commands: Mapping[tuple[str, int], Any] | None = None, form: Format = WIDE
) -> Lanes | None:
    """Return the picture of a run's attempts; None where nobody has begun."""
    found = [
        (job, step, attempt, attempt.begun_at, max(attempt.begun_at, attempt.ended_at or now))
        for job in jobs
        for step in job.steps
        for attempt in step.attempts
    ]
    if not found:
        return None
    found.sort(key=lambda row: (row[3], row[4]))
    scale = _Scale([(begin, end) for *_, begin, end in found], form)
    names = list(dict.fromkeys(attempt.worker_id or "?" for _, _, attempt, _, _ in found))
    rows = {name: TOP + form.name_above + number * form.row for number, name in enumerate(names)}
    several = len([job for job in jobs if job.steps]) > 1
    numbers = {job.status.job_id: n for n, job in enumerate((j for j in jobs if j.steps), start=1)}
    bars = []
    for job, step, attempt, begin, end in found:
        x, far = scale.at(begin), scale.at(end)
        command = (commands or {}).get((job.status.job_id, step.state.ordinal))
        label = call_text(step.state.op, step.arguments) if command is None else item_text(command)
        width = max(4.0, far - x)
        plan = f"plan {numbers[job.status.job_id]}, " if several else ""
        became = attempt_word(attempt)
        tip = f"{plan}step {step.state.ordinal}, {label}: {became} in {span_text(end - begin)}"
        bars.append(
            Bar(
                x=round(x, 1),
                y=rows[attempt.worker_id or "?"],
                width=round(width, 1),
                outcome=became,
                label=label,
                tip=tip,
                anchor=f"s-{shortened(job.status.job_id)}-{step.state.ordinal}",
                shown=_fitting(f"{_MARKS.get(became, '')}{label}", width),
            )
        )
    return Lanes(
        workers=tuple(
            (shortened(name.rpartition("@")[0] or name, form.longest_name), y - form.name_above)
            for name, y in rows.items()
        ),
        bars=tuple(bars),
        gaps=tuple(scale.gaps),
        ticks=tuple(scale.ticks()),
        height=TOP + len(rows) * form.row + 6,
        width=form.width,
        form=form.name,
    )


_MARKS = {"failed": "✕ ", "retried": "↻ ", "lost": "? ", "running": "… "}


def attempt_word(attempt: Any) -> str:
    """Return what came of an attempt: done, failed, retried, running, lost (its worker never said), cancelled."""
    if attempt.outcome == "SUCCESS":
        return "done"
    if attempt.became == "LEASED":
        return "running"
    if attempt.became == "CANCELLED":
        return "cancelled"
    if attempt.outcome == "FAILURE":
        return "failed" if attempt.became == "FAILED" else "retried"
    return "lost" if attempt.outcome is None else "handed back"


def _fitting(text: str, width: float) -> str:
    room = int((width - 8) / 6.4)
    return "" if room < 2 else text if len(text) <= room else f"{text[: room - 1]}…"


class _Scale:
    """From moments to places: busy stretches in proportion, idle ones of one width each."""

    def __init__(self, spans: Sequence[tuple[int, int]], form: Format) -> None:
        self._left, self._right = form.left, form.width - form.margin
        busy: list[list[int]] = []
        for begin, end in sorted(spans):
            if busy and begin <= busy[-1][1]:
                busy[-1][1] = max(busy[-1][1], end)
            else:
                busy.append([begin, end])
        working = max(1, sum(end - begin for begin, end in busy))
        merged = [busy[0]]
        for begin, end in busy[1:]:
            if begin - merged[-1][1] <= working * _IDLE_SHARE:
                merged[-1][1] = end
            else:
                merged.append([begin, end])
        room = self._right - self._left - _GAP * (len(merged) - 1)
        whole = max(1, sum(end - begin for begin, end in merged))
        self.gaps: list[tuple[float, str]] = []
        self._parts: list[tuple[int, int, float, float]] = []
        x = float(self._left)
        for number, (begin, end) in enumerate(merged):
            if number:
                idle = begin - merged[number - 1][1]
                self.gaps.append((round(x + _GAP / 2, 1), span_text(idle)))
                x += _GAP
            width = max(30.0, room * (end - begin) / whole)
            self._parts.append((begin, end, x, width))
            x += width
        self._stretch = (self._right - self._left) / max(1.0, x - self._left)
        self.gaps = [(round(self._stretched(at), 1), text) for at, text in self.gaps]

    def at(self, moment: int) -> float:
        for begin, end, x, width in self._parts:
            if moment <= end:
                share = 0.0 if end == begin else max(0.0, (moment - begin) / (end - begin))
                return self._stretched(x + width * share)
        return float(self._right)

    def _stretched(self, x: float) -> float:
        return self._left + (x - self._left) * self._stretch

    def ticks(self) -> list[tuple[float, str]]:
        """Return the beginning of each busy stretch and the end of the last, counted from the first moment."""
        start = self._parts[0][0]
        marks = [(self.at(begin), begin - start) for begin, _, _, _ in self._parts]
        marks.append((self.at(self._parts[-1][1]), self._parts[-1][1] - start))
        return [(round(x, 1), "0" if after == 0 else f"+{span_text(after)}") for x, after in marks]
