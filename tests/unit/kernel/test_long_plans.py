"""Plans of a hundred thousand steps, in one call, without recursion."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest

from planvow import Domain, State, plan
from planvow.kernel import simulate


def counter() -> Domain:
    domain = Domain("counter")

    @domain.command
    def tick(state):
        state.count["n"] += 1
        return state

    @domain.method(task="until")
    def once_more(state, limit):
        return [("tick",), ("until", limit)] if state.count["n"] < limit else []

    @domain.method(task="down")
    def down(state, n):
        return [("down", n - 1), ("tick",)] if n else []

    return domain


def test_a_hundred_thousand_steps_by_tail_recursion():
    result = plan(counter(), State(count={"n": 0}), [("until", 100_000)])
    assert len(result.plan) == 100_000
    assert result.final_state.count["n"] == 100_000
    assert result.statistics.backtracks == 0


@pytest.mark.long
def test_twenty_thousand_levels_of_nesting_and_their_pictures():
    result = plan(counter(), State(count={"n": 0}), [("down", 20_000)])
    assert len(result.plan) == 20_000
    assert result.solution_graph.path_to(20_001)[0].item == ("down", 20_000)
    deepest = max(result.to_text().splitlines(), key=len)
    assert deepest.startswith("…")
    assert len(deepest) < 250
    assert result.to_svg(rows=None).count("<text") == len(result.solution_graph)
    assert result.to_svg().count("… 39,852 more below") == 1
    assert len(simulate(plan(counter(), State(count={"n": 0}), [("down", 50)]))) == 51


def test_a_long_agenda_is_planned_and_drawn():
    result = plan(counter(), State(count={"n": 0}), [("tick",)] * 5_000)
    assert result.to_text().count("▸ tick()") == 5_000
    assert result.to_svg(rows=None).count("<text") == 5_001
    folded = ElementTree.fromstring(result.to_svg())
    assert int(folded.get("height")) < 4_000
    told = list(folded.itertext())
    assert "agenda  … 4,851 more below" in told
    assert "150 of 5,001 nodes are drawn" in told
    assert told.count("tick()") == 149


def test_of_a_large_tree_the_levels_nearest_to_the_top_are_drawn_and_what_is_hidden_adds_up():
    domain = counter()
    domain.method(task="round")(lambda state: [("tick",)] * 30)
    domain.method(task="game")(lambda state: [("round",)] * 10)
    result = plan(domain, State(count={"n": 0}), [("game",)])
    told = list(ElementTree.fromstring(result.to_svg(rows=40)).itertext())
    assert sum("round()" in line for line in told) == 10
    hidden = [int(line.split("… ")[1].split()[0]) for line in told if "more below" in line]
    assert 40 + sum(hidden) == len(result.solution_graph)
