"""Timed plans as pictures."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

from planvow.kernel.answer.timeline import NOTHING, fitted_timeline, timeline_svg, timeline_text
from planvow.kernel.time.report import TimeAllocation

MINUTE = 60_000_000


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
    assert len(root.findall(".//{http://www.w3.org/2000/svg}rect")) == 2
    assert "bake(<pie>)" in "".join(root.itertext())


def test_a_plan_without_times_says_so():
    assert timeline_text([]) == NOTHING
    assert "no times" in timeline_svg([])
