"""The answer of a planning call: the plan, how it came about, or why there is none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from planvow.budgets import BudgetHit
from planvow.errors import RefusedError
from planvow.hooks import hook
from planvow.kernel.answer.graph import SolutionGraph
from planvow.kernel.answer.paper import MOST_ROWS
from planvow.kernel.answer.timeline import timeline_svg, timeline_text
from planvow.kernel.answer.tree import Tree
from planvow.kernel.domain.terms import Check, item_json
from planvow.kernel.search.loop import Search
from planvow.kernel.search.problem import Problem
from planvow.kernel.search.scoring import Scores
from planvow.kernel.search.watcher import Found, Node, Trail
from planvow.kernel.time.links import STATED_ORDER
from planvow.kernel.world.history import History
from planvow.kernel.world.state import State
from planvow.status import Status

if TYPE_CHECKING:  # pictures and explanations are imported by those who ask for them
    from planvow.kernel.answer.explaining import Origin
    from planvow.kernel.answer.explanation import Alternative, DeadEnd, Explanation
    from planvow.kernel.answer.partial_order import PartialOrder


@dataclass(frozen=True, kw_only=True)
class Statistics:
    """What a search spent. The same for the same problem."""

    iterations: int = 0
    backtracks: int = 0
    max_depth: int = 0


@dataclass(frozen=True, kw_only=True)
class Repair:
    """How a plan came out of an earlier one (ruling 13: a new plan, linked to its parent).

    It holds the earlier plan's tree and not its result, so that a chain of repairs does not keep all of them in memory.
    """

    failed_node_id: int
    """The node of the previous solution graph that failed."""
    redone_node_id: int
    """The node that was broken down anew: the failed one or the lowest ancestor for which that led to a plan."""
    tree: Tree = field(repr=False, compare=False)
    """The previous solution tree."""
    new: Trail = field(repr=False, compare=False)
    """The nodes from `redone_node_id` on."""
    failures: tuple[Mapping[str, Any], ...] = ()
    """The nodes that failed, in this repair and those before it, as `find_failed_nodes` tells them."""
    origins: tuple[Origin, ...] = field(default=(), repr=False, compare=False)
    """Where the nodes of the new plan come from, when some were kept from the old one."""

    @cached_property
    def trail(self) -> Trail:
        """The whole tree: what was done before, then what is new."""
        return self.tree.grafted(self.new, self.redone_node_id)

    @cached_property
    def stability(self) -> float:
        """The share of the commands still to come in the previous plan that are in the new one."""
        return self.tree.stability(self.new, self.failed_node_id)


@dataclass(frozen=True, kw_only=True, repr=False)
class Result:
    """A plan with its derivation, or a status that says why there is none.

    `success`, `status`, `reason` and `plan` are the answer; `to_text()`, `to_mermaid()`, `explain_text()` show it to
    people; `certificate()` to whoever has to check it; `as_dict()` to programs.

    >>> result.status, result.plan
    (<Status.SOLVED: 'solved'>, (('walk', 'ann', 'park'),))
    >>> print(result.to_text())
    agenda
    └─ travel(ann, park)  [on_foot]
       └─ ▸ walk(ann, park)
    """

    status: Status
    problem: Problem
    trail: Sequence[Node] = ()
    final_state: State | None = None
    cost: float | None = None
    """What the commands of the plan cost together; None without a plan."""
    values: Mapping[str, float] = field(default_factory=dict)
    """What the plan comes to in each thing that `optimal` names."""
    bound: Mapping[str, float] | None = None
    """What no plan comes to less than in each of them; None where the search did not look at everything."""
    proven_optimal: bool = False
    reports: Mapping[str, Any] = field(default_factory=dict)
    """What the propagators had to say about the plan."""
    annotations: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)
    """Metadata attached to items, by node id."""
    repair: Repair | None = None
    """Where this plan came from, if it repairs another."""
    history: History | None = field(default=None, compare=False)
    """What the plan wrote, if it is known: lets a repair see at once that the rest still holds."""
    statistics: Statistics = field(default_factory=Statistics)
    hit: BudgetHit | None = None
    """The limit that ended the search or cut some of it."""
    scores: Scores | None = None
    """Learned scores to give to the next call; None unless selection is learned."""

    @property
    def success(self) -> bool:
        return self.status.is_success

    @cached_property
    def plan(self) -> tuple[Any, ...]:
        """The commands in order, each a tuple of name and arguments."""
        return Trail.of(self.trail).commands

    @property
    def steps(self) -> tuple[Any, ...]:
        return self.plan

    @property
    def time_allocations(self) -> Any:
        """When each command starts and ends, if time was part of the problem."""
        return self.reports.get("time_allocations", {})

    @property
    def reason(self) -> str:
        """Why the call ended as it did, in a sentence."""
        if self.success or (self.hit is None and self.status is not Status.INTERRUPTED):
            return _SENTENCES[self.status]
        ended = str(self.hit) if self.hit is not None else "the search was interrupted"
        return f"{ended} (nothing is proved){_endless(self.statistics)}"

    @cached_property
    def solution_graph(self) -> SolutionGraph:
        """The derivation tree: task → method → subtasks; for a repaired plan with what was done before."""
        if self.repair is None:
            return SolutionGraph.from_trail(self.trail)
        return SolutionGraph.from_trail(self.repair.trail, first_new_id=self.repair.redone_node_id)

    def certificate(self) -> Any:
        """Return the plan's certificate: everything a third party needs to check it (`planvow.Certificate`).

        Certificates belong to the contract, a layer above, which offers to build them (`planvow.hooks`).
        """
        return hook("build_certificate")(self)

    def partial_order(self) -> PartialOrder:
        """Return which steps must come before which, from what they read and write: the others may run side by side.

        Every sequence of the steps that keeps the order runs through and ends in the same state. Numbers are places in
        `plan`. In a timed plan, stated relations and shared entities order steps further.
        """
        if not self.success:
            hint = "only a solved problem has an order"
            raise RefusedError(f"there is no plan to order: {self.status}", hint=hint)
        return self._order

    @cached_property
    def _order(self) -> PartialOrder:
        from planvow.kernel.answer.partial_order import order_of

        return order_of(self.problem, self.trail, self.reports.get(STATED_ORDER, ()))

    @cached_property
    def explanation(self) -> Explanation:
        """The decisions that led to this plan, or the dead ends that left none; found by running the search again."""
        from planvow.kernel.answer.explaining import explain, explain_repaired

        if self.repair is not None and self.repair.origins:
            return explain_repaired(self.repair.origins)
        return explain(self.problem, self.trail if self.success else None, self.statistics.iterations)

    def origins(self) -> tuple[Origin, ...]:
        """Return the searches that found the nodes of this plan, in their order."""
        from planvow.kernel.answer.explaining import Origin

        if self.repair is not None and self.repair.origins:
            return self.repair.origins
        return (Origin(problem=self.problem, trail=Trail.of(self.trail), start=0, stop=len(self.trail)),)

    def explain_plan(self) -> dict[str, Any]:
        """Return why this plan, why not the alternatives, or why none, as JSON data (seed 001, section 5.2)."""
        kinds = Counter(node.kind for node in self.solution_graph if node.kind != "root")
        deepest = self.explanation.deepest
        return {
            "success": self.success,
            "status": self.status.value,
            "reason": self.reason,
            "plan": [item_json(step) for step in self.plan],
            "nodes": dict(kinds),
            "statistics": vars(self.statistics),
            "selection": self.problem.selection,
            "decisions": [
                {**vars(d), "item": item_json(d.item), "alternatives": [_alternative_json(a) for a in d.alternatives]}
                for d in self.explanation.decisions
            ],
            "deepest_dead_end": None if deepest is None else _dead_end_json(deepest),
            "refusals": {str(reason): count for reason, count in self.explanation.refusals.items()},
        }

    def explain_text(self) -> str:
        """Return the explanation in sentences for people."""
        ended = f"The search ended: {self.reason}" if self.hit is not None and not self.success else self.reason
        return f"{ended[:1].upper()}{ended[1:]}.\n{self.explanation.text(solved=self.success)}"

    def find_failed_nodes(self) -> list[dict[str, Any]]:
        """Return the nodes that failed: in execution, for a repaired plan; in search, where there is no plan.

        Ids of the first kind are those of the plan that was repaired. Both are ids that `replan` takes.
        """
        if self.repair is not None:
            return [dict(row) for row in self.repair.failures]
        if self.success or self.explanation.deepest is None:
            return []
        return [_dead_end_json(self.explanation.deepest)]

    def to_mermaid(self) -> str:
        """Return the solution graph as a Mermaid flowchart."""
        from planvow.kernel.answer.drawing import mermaid

        return mermaid(self.solution_graph)

    def to_dot(self) -> str:
        """Return the solution graph in Graphviz's language."""
        from planvow.kernel.answer.drawing import dot

        return dot(self.solution_graph)

    def to_svg(self, *, rows: int | None = MOST_ROWS) -> str:
        """Return the solution graph as an SVG picture, folded beyond so many rows; `rows=None` draws every node."""
        from planvow.kernel.answer.drawing import svg

        return svg(self.solution_graph, rows=rows)

    def to_text(self) -> str:
        """Return the solution graph as a text tree."""
        from planvow.kernel.answer.drawing import text_tree

        return text_tree(self.solution_graph)

    def to_timeline(self) -> str:
        """Return when each command runs, and could run, as a text chart."""
        return timeline_text(self.time_allocations)

    def to_timeline_svg(self, *, rows: int | None = MOST_ROWS) -> str:
        """Return the same as an SVG picture: bars, and the windows in which they could move; of many the first."""
        return timeline_svg(self.time_allocations, rows=rows)

    def __repr__(self) -> str:
        return f"<Result {self.status}: {len(self.plan)} step{'' if len(self.plan) == 1 else 's'}>"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        from planvow.kernel.answer.showing import result_html

        return {"text/plain": f"{self.status}: {self.reason}\n{self.to_text()}", "text/html": result_html(self)}

    def as_dict(self) -> dict[str, Any]:
        """Return the result as JSON data: what `--json` prints. Equal problems give equal bytes."""
        return {
            "status": self.status.value,
            "reason": self.reason,
            "plan": [item_json(step) for step in self.plan],
            "cost": self.cost,
            "statistics": vars(self.statistics),
            "tree": self.solution_graph.as_dict(),
            "time_allocations": self.time_allocations,
        }


_SENTENCES = {
    Status.SOLVED: "a plan was found",
    Status.SATISFIED: "nothing needs to be done",
    Status.NO_PLAN: "there is no plan: every alternative was looked at",
}
_DEEP, _MOSTLY_DOWN = 500, 10


def _endless(statistics: Statistics) -> str:
    """Say so when a search that a limit ended went down most of the time: it looks like recursion without an end."""
    if statistics.max_depth < _DEEP or statistics.max_depth * _MOSTLY_DOWN < statistics.iterations:
        return ""
    return (
        f"; it went {statistics.max_depth:,} tasks deep: if a method asks for its own task without an end, "
        "no limit is high enough"
    )


def _dead_end_json(end: DeadEnd) -> dict[str, object]:
    kind = "check" if isinstance(end.item, Check) else "item"
    return {
        "id": end.node_id,
        "kind": kind,
        "item": item_json(end.item),
        "path": [item_json(item) for item in end.path],
        "reason": str(end.reason),
    }


def _alternative_json(alternative: Alternative) -> dict[str, object]:
    return {**vars(alternative), "reason": str(alternative.reason)}


def result_of(search: Search, found: Found | None, problem: Problem | None = None) -> Result:
    """Put together the answer of a search that has just found a plan or has ended; `problem` may be a larger one."""
    problem = problem or search.problem
    common: dict[str, Any] = {
        "problem": problem,
        "statistics": Statistics(iterations=search.iterations, backtracks=search.backtracks, max_depth=search.deepest),
        "hit": search.hit,
        "scores": search.scores if problem.selection == "learned" else None,
    }
    if found is not None:
        return Result(
            status=Status.SOLVED if found.trail.commands else Status.SATISFIED,
            trail=found.trail,
            final_state=found.final_state,
            cost=found.cost,
            values=dict(zip(problem.objective, found.values or (), strict=False)),
            reports=found.reports,
            annotations=found.annotations,
            history=found.history,
            **common,
        )
    if search.interrupted:
        return Result(status=Status.INTERRUPTED, **common)
    return Result(status=Status.BUDGET_EXCEEDED if search.hit else Status.NO_PLAN, **common)
