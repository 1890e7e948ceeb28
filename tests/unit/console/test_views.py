"""What pages show, without a browser: lanes with pressed gaps, deep trees, order, differences, invisible characters."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from planvow import Domain, State, plan
from planvow.adapters.console.frame.rendering import address, page, visible
from planvow.adapters.console.views.charts import chart_of
from planvow.adapters.console.views.difference import side_by_side
from planvow.adapters.console.views.lanes import every_lanes, lanes_of
from planvow.adapters.console.views.pictures import exported
from planvow.adapters.console.views.plan import DEEPEST, OPEN_BELOW, plan_view
from planvow.adapters.console.views.runs import runs_view
from planvow.adapters.console.views.texts import fact_text, item_text, span_text


def job(*spans):
    attempts = [
        SimpleNamespace(worker_id="w", begun_at=b, ended_at=e, outcome="SUCCESS", became="COMMITTED") for b, e in spans
    ]
    steps = [
        SimpleNamespace(state=SimpleNamespace(op="do", ordinal=n), arguments={}, attempts=[attempt])
        for n, attempt in enumerate(attempts, start=1)
    ]
    return SimpleNamespace(steps=steps, status=SimpleNamespace(job_id="job_1"))


def test_idle_hours_are_pressed_together_and_busy_time_keeps_its_proportions():
    lanes = lanes_of([job((0, 1000), (1000, 3000), (7_200_000, 7_203_000))], now=8_000_000)
    widths = [bar.width for bar in lanes.bars]
    assert widths[1] == pytest.approx(2 * widths[0], rel=0.01)
    assert widths[2] == pytest.approx(3 * widths[0], rel=0.01)
    assert [text for _, text in lanes.gaps] == ["1 h 59 min"]
    assert lanes_of([job()], now=0) is None


def test_attempts_for_phones_keep_inside_their_width_with_names_above():
    wide, narrow = every_lanes([job((0, 1000), (1000, 3000), (7_200_000, 7_203_000))], now=8_000_000)
    for picture in (wide, narrow):
        assert all(bar.x >= 0 and bar.x + bar.width <= picture.width for bar in picture.bars)
        assert [bar.tip for bar in picture.bars] == [bar.tip for bar in wide.bars]
    (_, name_at), bar = narrow.workers[0], narrow.bars[0]
    assert bar.y - name_at == 16
    assert narrow.width == 360
    assert every_lanes([job()], now=0) == ()


def countdown(size, width=1):
    domain = Domain("count")

    @domain.command
    def step(state, n):
        state.at["n"] = n
        return state

    @domain.method(task="down")
    def on(state, n):
        return [*[("step", n)] * width, ("down", n - 1)] if n else []

    return plan(domain, State(at={"n": size}), [("down", size)]).certificate().document


def test_a_tree_deeper_than_pages_can_nest_is_still_written_whole():
    document = countdown(400)
    view = plan_view(document, address=lambda node: f"#n{node}")
    text = page("node_tree.html", view=view)
    assert text.count("<details") == text.count("</details>") == DEEPEST
    assert text.count('class="row"') == view.tree.size == 801


@pytest.mark.long
def test_a_large_tree_is_shown_closed():
    small, large = (plan_view(countdown(2, size), address=str) for size in (10, OPEN_BELOW))
    assert (small.tree.is_open, large.tree.is_open) == (True, False)
    assert "<details open" not in page("node_tree.html", view=large)


def test_the_order_comes_from_what_steps_read_and_write_unless_it_is_given():
    document = countdown(3)
    assert [row.after for row in plan_view(document, address=str).steps] == [(), (1,), (2,)]
    assert [row.after for row in plan_view(document, order=[], address=str).steps] == [(), (), ()]


@pytest.mark.parametrize(("form", "begins"), [("svg", "<svg"), ("mermaid", "flowchart"), ("dot", "digraph")])
def test_a_certificate_is_drawn_as_the_result_is(form, begins):
    assert exported(form, countdown(2)).startswith(begins)


def test_changed_steps_stand_beside_each_other():
    changes = [("only first", "a"), ("only second", "b"), ("only second", "c"), ("same", "d"), ("only first", "e")]
    rows = side_by_side([{"change": change, "step": step} for change, step in changes])
    told = [(row.sign, row.first, row.second) for row in rows]
    assert told == [("≠", "a", "b"), ("+", "", "c"), ("=", "d", "d"), ("−", "e", "")]


def test_characters_that_turn_or_hide_text_are_shown_by_their_numbers():
    assert visible("a\u202eb\u200bc\x07\n\ud800") == "a⟨U+202E⟩b⟨U+200B⟩c⟨U+0007⟩\n⟨U+D800⟩"
    assert address("run", id="../x?y=1&z#\u202e") == "/console/run?id=..%2Fx%3Fy%3D1%26z%23%E2%80%AE"


def test_texts_of_values():
    assert item_text(["go", "ann", {"$tuple": ["a", 1]}]) == "go(ann, (a, 1))"
    assert item_text({"goal": ["at", "ann", "park"]}) == "at[ann] = park"
    assert fact_text(["at", "ann"]) == "at[ann] is absent"
    assert [span_text(ms) for ms in (5, 1500, 61_000, 7_200_000, 90_000_000)] == [
        "5 ms", "1.5 s", "1 min 1 s", "2 h", "1 d 1 h",
    ]  # fmt: skip


def test_an_empty_list_says_which_filter_did_it():
    job = SimpleNamespace(
        run_id="r", job_id="job_1", plan_hash="h", planner_id="htn", intent="", steps=2, committed=2, failed=0, dead=0,
        cancelled=0, leased=0, finished=True, parent_job_id=None, created_at=5,
    )  # fmt: skip
    seen = SimpleNamespace(
        runs={"r": (job,)}, questions=(), late=frozenset(), requests={}, asked={"r": {"why": "tea"}}, now=10, older=None
    )
    none = SimpleNamespace(runs={}, older=None)
    view = runs_view([seen], seen, [], {})
    assert [(line.state, line.title) for line in view.lines] == [("done", "tea")]
    assert runs_view([seen], seen, [], {"state": "failed"}).empty == "There is no run that failed."
    told = runs_view([none], none, [], {"find": "TEA", "since": "day"}).empty
    assert told == "There is no run with “TEA” and of the last day."
    assert runs_view([none], none, [], {}).empty == "Nothing was posted to this ledger yet."


def test_the_scale_of_a_chart_has_round_times_and_names_them_exactly():
    minute = 60 * 1_000_000
    steps = [{"start": 0, "end": 105 * minute, "command": ["bake"], "node": 1}]
    chart = chart_of(steps, {1: {"latest_end": 150 * minute}}, str)
    assert [text for _, text in chart.ticks] == ["0", "30 min", "1 h", "1 h 30 min", "2 h", "2 h 30 min"]
    assert chart_of([{**steps[0], "end": 5}], {}, str).bars[0].tip.endswith("0.000005 s")
