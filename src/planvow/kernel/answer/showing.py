"""A result as a notebook shows it: the tree and the times, or why there is no plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

from planvow.kernel.answer.drawing import COMMAND_MARK, node_text
from planvow.kernel.answer.graph import ROOT_ID
from planvow.kernel.answer.timeline import bars_of
from planvow.notebook.html import chart, folded, shown, text, tree
from planvow.temporal.durations import ticks_in_words

if TYPE_CHECKING:
    from planvow.kernel.answer.result import Result


_BRIEF = {" minute": " min", " hour": " h", " second": " s", " day": " d"}


def _briefly(ticks: int) -> str:
    """Return ticks as a scale says them: `1 h 30 min`."""
    said = ticks_in_words(ticks)
    for word, brief in _BRIEF.items():
        said = said.replace(f"{word}s", brief).replace(word, brief)
    return said


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
        parts.append(folded("when", chart(bars, span, _briefly), is_open=True))
    parts.append(folded("why", text(result.explain_text())))
    count = len(result.plan)
    return shown(f"{result.status}: {count:,} step{'' if count == 1 else 's'}", *parts, good=True)
