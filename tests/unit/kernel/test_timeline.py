"""Timed plans as pictures."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree

import pytest

from planvow import Domain, State, plan
from planvow.kernel.answer.timeline import NOTHING, fitted_timeline, timeline_svg, timeline_text
from planvow.kernel.time.report import TimeAllocation
from planvow.temporal.scale import round_marks, ticks_in_brief

MINUTE = 60_000_000


def test_a_chart_spells_out_what_nobody_sees():
    rows = [row(1, ("say", "\x1b[2J"), 0, 1, entities=("\u202eann",))]
    for picture in (timeline_svg(rows), timeline_text(rows)):
        assert all(c.isprintable() or c == "\n" for c in picture)
    ElementTree.fromstring(timeline_svg(rows))


def row(node, item, start, end, latest_end=None, entities=()):
    return TimeAllocation(
        node_id=node,
        item=item,
        earliest_start=start * MINUTE,
        latest_start=None,
        earliest_end=end * MINUTE,
        latest_end=None if latest_end is None else latest_end * MINUTE,
        entities=entities,
    )


PLAN = [row(1, ("bake", "<pie>"), 0, 40, 50), row(2, ("serve", "pie"), 40, 40, 60, ("ann",))]


def test_text_shows_bars_windows_and_times():
    lines = timeline_text(PLAN, width=60).splitlines()
    assert lines[1].count("█") == 40
    assert lines[1].count("·") == 10
    assert lines[1].endswith("PT0S – PT40M")
    assert lines[2].startswith("serve(pie) with ann")
    assert lines[2].count("█") == 1


def test_a_fitted_timeline_is_as_wide_as_the_terminal_and_cuts_no_times():
    rows = [row(1, ("bake", "a pie of many apples"), 0, 40, 50), row(2, ("serve", "a pie of many apples"), 40, 55)]
    for columns in (50, 80, 200):
        lines = fitted_timeline(rows, columns).splitlines()
        assert max(map(len, lines)) <= columns
        assert lines[1].endswith("PT0S – PT40M")
        assert "█" in lines[2]
    assert fitted_timeline(rows, 200) == timeline_text(rows)


def test_svg_is_well_formed_and_escaped():
    root = ElementTree.fromstring(timeline_svg(PLAN))
    assert len(root.findall(".//{http://www.w3.org/2000/svg}g/{http://www.w3.org/2000/svg}rect")) == 2
    assert "bake(<pie>)" in "".join(root.itertext())


def test_a_scale_has_round_times_in_words():
    drawn = timeline_svg(PLAN)
    assert re.findall(r">([^<>]*(?:min|h| s))</text>", drawn) == [
        "0 s",
        *(f"{ten} min" for ten in range(10, 60, 10)),
        "1 h",
    ]
    assert "PT" not in drawn
    assert "0 seconds to 40 minutes" in drawn


@pytest.mark.parametrize(
    ("span", "marks"),
    [
        (1, ["0 s", "0.000001 s"]),
        (900_000, ["0 s", "0.2 s", "0.4 s", "0.6 s", "0.8 s"]),
        (75 * MINUTE, ["0 s", "15 min", "30 min", "45 min", "1 h", "1 h 15 min"]),
        (60 * 24 * 40 * MINUTE, ["0 s", "10 d", "20 d", "30 d", "40 d"]),
        (2**53 - 1, ["0 s", "20000 d", "40000 d", "60000 d", "80000 d", "100000 d"]),
    ],
)
def test_marks_are_few_and_round_for_any_span(span, marks):
    assert [ticks_in_brief(mark) for mark in round_marks(span)] == marks


def test_of_many_commands_the_first_are_drawn_and_the_rest_is_counted():
    rows = [row(number, ("bake", number), number, number + 1) for number in range(1, 5_001)]
    drawn = ElementTree.fromstring(timeline_svg(rows))
    assert int(drawn.get("height")) < 4_100
    assert "… 4,850 more commands are not drawn" in drawn.itertext()
    assert "not drawn" not in timeline_svg(rows, rows=None)


def test_every_colour_has_one_for_dark_pages_and_text_can_be_read_on_both():
    for picture in (timeline_svg(PLAN), timeline_svg([]), plan(*something()).to_svg()):
        style = re.search(r"prefers-color-scheme:dark\)\{(.*)\}</style>", picture)[1]
        dark = dict(re.findall(r"\.pv-picture \.([\w-]+)\{(?:fill|stroke):(#\w+)\}", style))
        light = {name: colour for names, colour in COLOURED.findall(picture) for name in names.split()}
        used = {name for names in re.findall(r'class="(pv-[^"]*)"', picture) for name in names.split()}
        assert used - {"pv-picture"} <= set(dark)
        for colours in (dark, light):
            for ink in {"pv-ink", "pv-quiet"} & set(light):
                for ground in {"pv-paper", "pv-box", "pv-command"} & set(light):
                    assert contrast(colours[ink], colours[ground]) > 4.5  # what WCAG asks of text


COLOURED = re.compile(r'class="(pv-\w+)[^"]*" fill="(#\w+)"')


def something():
    domain = Domain("tea")
    domain.add_actions(serve)
    domain.method(task="treat", name="kindly")(lambda state: [("serve",)])
    return domain, State(done={}), [("treat",)]


def serve(state):
    return state


def contrast(one: str, other: str) -> float:
    lighter, darker = sorted((brightness(one), brightness(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def brightness(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(share * part for share, part in zip((0.2126, 0.7152, 0.0722), linear))


def test_a_plan_without_times_says_so():
    assert timeline_text([]) == NOTHING
    assert "no times" in timeline_svg([])
