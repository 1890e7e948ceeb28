"""A result as a notebook shows it: the tree and the times, or why there is no plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

from planvow.kernel.answer.drawing import COMMAND_MARK, node_text
from planvow.kernel.answer.graph import ROOT_ID
from planvow.kernel.answer.timeline import bars_of
from planvow.notebook.html import chart, folded, shown, text, tree
from planvow.temporal.scale import round_marks, ticks_in_brief

if TYPE_CHECKING:
    from planvow.kernel.answer.result import Result


def result_html(result: Result) -> str:
    """Return tree, timeline and reasons of a plan; of a failure the reason first."""
    if not result.success:
        why = text(result.explanation.text(solved=False))
        return shown(f"{result.status}: {result.reason}", folded("why", why, is_open=True), good=False)
    graph = result.solution_graph
    drawn = tree(
        ROOT_ID, lambda at: node_text(graph[at]).removeprefix(COMMAND_MARK), lambda at: graph[at].children, len(graph)
    )
    parts = [drawn]
    if result.time_allocations:
        bars, span = bars_of(result.time_allocations)
        scale = [(mark, ticks_in_brief(mark)) for mark in round_marks(span)]
        parts.append(folded("when", chart(bars, span, scale), is_open=True))
    parts.append(folded("why", text(result.explain_text())))
    count = len(result.plan)
    return shown(f"{result.status}: {count:,} step{'' if count == 1 else 's'}", *parts, good=True)
