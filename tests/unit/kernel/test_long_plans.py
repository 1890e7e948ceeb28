"""Plans of a hundred thousand steps, in one call, without recursion."""

from __future__ import annotations

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
    assert result.to_svg().count("<rect") == len(result.solution_graph)
    assert len(simulate(plan(counter(), State(count={"n": 0}), [("down", 50)]))) == 51


def test_a_long_agenda_is_planned_and_drawn():
    result = plan(counter(), State(count={"n": 0}), [("tick",)] * 5_000)
    assert result.to_text().count("▸ tick()") == 5_000
    assert result.to_svg().count("<rect") == 5_001
