"""Finding out why: the same search once more, watched.

The watcher keeps one record per node of the current path, with what was refused there, what was tried and where that
failed, and what plans over it cost; coming back to a node folds the deepest failure of the abandoned branch into it.
When the run arrives at the plan in question, the records are the decisions that led there. When the best plan was
asked for, the run goes on to its end, so that the records also tell what became of the alternatives tried later.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from planvow.errors import did_you_mean
from planvow.kernel.answer.explanation import (
    DEARER,
    LACKS_CAPABILITY,
    NOT_APPLICABLE,
    NOT_TRIED,
    TRIED_AND_FAILED,
    Alternative,
    DeadEnd,
    Decision,
    Explanation,
)
from planvow.kernel.answer.silence import Silences
from planvow.kernel.answer.ways import Ways, further_ways, is_generator, offers
from planvow.kernel.domain.domain import Method
from planvow.kernel.domain.terms import Check, Goal
from planvow.kernel.search.loop import Search
from planvow.kernel.search.problem import Problem
from planvow.kernel.search.table import SEQUENCE, amount
from planvow.kernel.search.watcher import NO_METHOD, NO_OFFER, NO_REASON, Node, Trail
from planvow.kernel.world.reason import after, either

KEPT = "kept from the plan that was repaired: "
_BEST: dict[str | tuple[str, ...], str] = {"cost": "cheapest", "steps": "shortest", "makespan": "earliest done"}
_FIRST = {"declared": "declared first", "cost": "the cheapest", "learned": "scored highest"}
Way = tuple[str, int]
"""A method's name, and which of its decompositions."""


@dataclass(frozen=True, kw_only=True)
class Origin:
    """Where a stretch of a plan comes from: the search that found it, and which of its nodes these are."""

    problem: Problem
    trail: Trail
    start: int
    stop: int


def explain(problem: Problem, trail: Sequence[Node] | None, iterations: int) -> Explanation:
    """Search again and say how it came to a plan, or why there is none.

    `iterations` is what the search took the first time: one that was interrupted is followed as far as it went.
    """
    if trail is None or (problem.optimal is not None and iterations > 0):
        problem = replace(problem, budgets=replace(problem.budgets, max_iterations=max(1, iterations)))
    watcher = _Notes()
    watcher.search = search = Search(problem, watcher=watcher)
    chosen: list[_Chosen] | None = None
    for found in search.run():
        watcher.found(found.values[0] if found.values else found.cost)
        if found.trail == trail:
            chosen = [_Chosen(record, record.how, record.ordinal) for record in watcher.records]
            if problem.optimal is None:
                break
    if chosen is None or trail is None:
        refusals = dict(sorted(watcher.reasons.items(), key=lambda pair: (-pair[1], pair[0])))
        under_way = watcher.innermost() if search.hit is not None and search.hit.budget == "max_iterations" else ()
        return Explanation(deepest=watcher.deepest, refusals=refusals, under_way=under_way)
    is_whole = problem.optimal is not None and search.hit is None
    if is_whole:
        watcher.back(0)  # the search has ended without going back further
    ways = further_ways(problem, trail)
    decisions = [
        _Judgement(search, node, ways.get(node_id, Ways()), is_whole).decision(node_id)
        for node_id, node in enumerate(chosen, start=1)
        if isinstance(node.how, Method) and node.how.kind != SEQUENCE
    ]
    return Explanation(decisions=tuple(decisions), deepest=watcher.deepest)


def explain_repaired(origins: Sequence[Origin]) -> Explanation:
    """Say how a plan came about whose first part is new and whose rest was kept as it was."""
    first, *others = origins
    new = explain(first.problem, first.trail, 0)
    decisions, reached = list(new.decisions), first.stop - first.start
    for origin in others:
        shift = reached - origin.start
        decisions += [
            replace(decision, node_id=decision.node_id + shift, why=f"{KEPT}{decision.why}")
            for decision in explain(origin.problem, origin.trail, 0).decisions
            if origin.start < decision.node_id <= origin.stop
        ]
        reached += origin.stop - origin.start
    return replace(new, decisions=tuple(decisions))


@dataclass
class _Record:
    """What happened at one node of the current path."""

    item: Any
    parent_id: int = 0
    how: object = None
    ordinal: int = 0
    refused: dict[str, str] = field(default_factory=dict)
    failed: dict[Way, DeadEnd] = field(default_factory=dict)
    costs: dict[Way, float] = field(default_factory=dict)
    """What the cheapest plan costs that was found with a method."""
    offered: dict[Way, object] = field(default_factory=dict)
    scores: dict[str, Mapping[str, float]] = field(default_factory=dict)
    deepest: DeadEnd | None = None
    """The dead end furthest along in the branch now being tried."""

    def fail(self, end: DeadEnd | None) -> None:
        """Take note of where the method that was being tried has failed."""
        if isinstance(self.how, Method) and end is not None:
            self.failed.setdefault((self.how.name, self.ordinal), end)


class _Chosen(NamedTuple):
    """A node of the plan, with what it was broken down by: the record itself may have moved on since."""

    record: _Record
    how: Any
    ordinal: int


class _Notes:
    """A Watcher that keeps a record per node of the path."""

    search: Search

    def __init__(self) -> None:
        self.records: list[_Record] = []
        self.deepest: DeadEnd | None = None
        self.reasons: dict[str, int] = {}
        self._silences = Silences()
        self._latest: tuple[int, str] = 0, ""  # the node of the latest refusal, and what it comes to

    def chose(
        self, node_id: int, parent_id: int, item: object, how: object, ordinal: int, subtasks: object = ()
    ) -> None:
        record = self._at(node_id, item)
        record.parent_id, record.how, record.ordinal = parent_id, how, ordinal
        if isinstance(how, Method):
            record.offered[how.name, ordinal] = subtasks

    def refused(self, node_id: int, item: object, how: Any, reason: str) -> None:
        if reason is NO_REASON or reason is NO_OFFER:
            reason = self._silences.reason(self.search.state, how, item, reason)
        self._latest = node_id, reason
        self._at(node_id, item).refused.setdefault(how.name, reason)
        text = after(f"{how.name}: ", reason)
        self.reasons[text] = self.reasons.get(text, 0) + 1

    def dead_end(self, node_id: int, parent_id: int, item: Any, reason: str) -> None:
        record = self.records[node_id - 1] if node_id <= len(self.records) else None
        if reason is NO_REASON and self._latest[0] == node_id:
            reason = self._latest[1]
        elif reason is NO_METHOD and record is not None and record.refused:
            reason = either([after(f"{name}: ", why) for name, why in record.refused.items()])
        elif reason is NO_METHOD:
            reason = self._why_no_method(item)
        end = DeadEnd(node_id=node_id, item=item, path=self._above(parent_id), reason=reason)
        self.deepest = _further(self.deepest, end)
        if self.records:
            innermost = self.records[-1]
            innermost.deepest = _further(innermost.deepest, end)

    def back(self, node_id: int) -> None:
        if node_id == 0:
            self._leave(0)
            return
        furthest = self._leave(node_id)
        record = self.records[node_id - 1]
        record.fail(_further(record.deepest, furthest))
        record.how, record.deepest = None, None

    def _leave(self, node_id: int) -> DeadEnd | None:
        """Leave the nodes after one; return the dead end furthest along among them."""
        furthest: DeadEnd | None = None
        while len(self.records) > node_id:
            gone = self.records.pop()
            furthest = _further(gone.deepest, furthest)
            gone.fail(furthest)
        return furthest

    def found(self, cost: float) -> None:
        """Take note that the path is a plan: with `optimal`, cheaper than all before it."""
        for record in self.records:
            if isinstance(record.how, Method):
                record.costs[record.how.name, record.ordinal] = cost

    def innermost(self) -> tuple[Any, ...]:
        """Return the tasks that are being broken down now, outermost first."""
        return self._above(len(self.records))

    def _above(self, node_id: int) -> tuple[Any, ...]:
        items = []
        while node_id > 0:
            items.append(self.records[node_id - 1].item)
            node_id = self.records[node_id - 1].parent_id
        return tuple(reversed(items))

    def _why_no_method(self, item: object) -> str:
        """Tell a goal that nobody can reach from one whose methods all declined without a word."""
        domain = self.search.problem.domain
        if not isinstance(item, Goal) or item.predicate in domain.goal_methods:
            return NO_METHOD
        meant = did_you_mean(item.predicate, domain.goal_methods)
        return f"no goal method is for {item.predicate!r}{f' ({meant})' if meant else ''}"

    def _at(self, node_id: int, item: object) -> _Record:
        """Return the record of a node, making it at the first event there."""
        if node_id > len(self.records):
            # Branches that were abandoned without coming back to this node's place have been popped by `back`.
            self.records.append(_Record(item=item, scores=self._scores(item)))
        return self.records[node_id - 1]

    def _scores(self, item: object) -> dict[str, Mapping[str, float]]:
        """Return the score of each method at this moment, in its parts."""
        search, problem = self.search, self.search.problem
        if problem.selection == "declared" or isinstance(item, Check):
            return {}
        methods = search.entry(item).methods
        if problem.selection == "cost":
            return {method.name: {"cost": amount(method.cost, search.state, item)} for method in methods}
        return {method.name: search.scores.parts(method) for method in methods}


def _further(a: DeadEnd | None, b: DeadEnd | None) -> DeadEnd | None:
    """Return the dead end that is further along; the earlier one when they are equal."""
    if a is None or b is None:
        return a or b
    return b if b.node_id > a.node_id else a


class _Judgement:
    """What is to be said about one node of a plan."""

    def __init__(self, search: Search, node: _Chosen, ways: Ways, is_whole: bool) -> None:
        self._record, self._method, self._ordinal = node
        self._ways = ways
        self._is_whole = is_whole  # nothing was left untried
        self._problem, self._entry = search.problem, search.entry(self._record.item)
        self._offered: dict[str, dict[int, object]] = {}  # by method: there may be thousands of either
        for (name, ordinal), subtasks in self._record.offered.items():
            self._offered.setdefault(name, {})[ordinal] = subtasks

    def decision(self, node_id: int) -> Decision:
        """Return what was decided at the node, and why."""
        others = [method for method in self._entry.methods if method.name != self._method.name]
        left_out = {method.name: reason for method, reason in self._entry.set_aside}
        own = list(self._own_ways())
        alternatives = [*own, *(alternative for method in others for alternative in self._about(method))]
        why = self._why(alternatives, is_only=not others and not own, may_be_others=bool(left_out))
        alternatives += [Alternative(method=n, verdict=LACKS_CAPABILITY, reason=r) for n, r in left_out.items()]
        return Decision(
            node_id=node_id,
            item=self._record.item,
            method=self._method.name,
            why=why,
            score=self._record.scores.get(self._method.name),
            alternatives=tuple(alternatives),
            way=self._ordinal + 1 if self._is_generator(self._method) else None,
        )

    def _why(self, alternatives: Sequence[Alternative], *, is_only: bool, may_be_others: bool) -> str:
        if is_only:
            return "the only method that may be used" if may_be_others else "the only method there is"
        if self._problem.optimal is not None:
            best = _BEST.get(self._problem.optimal, "best")
            return f"the {best} plan{'' if self._is_whole else ' that was found'} goes this way"
        if any(a.verdict in (NOT_APPLICABLE, TRIED_AND_FAILED) for a in alternatives):
            return "the first that led to a plan"
        return f"{_FIRST[self._problem.selection]}, and it led to a plan"

    def _own_ways(self) -> Iterable[Alternative]:
        """Yield the other ways that the chosen method offered or would have offered."""
        if self._is_generator(self._method):
            yield from self._tried_ways(self._method)
            known = self._offered.get(self._method.name, ())
            for ordinal, subtasks in self._ways.further:
                if ordinal not in known:
                    yield self._alternative(self._method, NOT_TRIED, self._why_not_tried(), ordinal, subtasks)

    def _about(self, method: Method) -> Iterable[Alternative]:
        """Yield what became of another method: one word, or one for each way that it offered."""
        tried = list(self._tried_ways(method))
        if tried:
            yield from tried
        elif method.name in self._record.refused:
            yield self._alternative(method, NOT_APPLICABLE, self._record.refused[method.name])
        else:
            yield self._alternative(method, NOT_TRIED, self._why_not_tried())

    def _tried_ways(self, method: Method) -> Iterable[Alternative]:
        record = self._record
        for ordinal, subtasks in self._offered.get(method.name, {}).items():
            if method is self._method and ordinal == self._ordinal:
                continue
            way = method.name, ordinal
            shown = (ordinal, subtasks) if self._is_generator(method) else (None, None)
            if way in record.costs and self._problem.optimal is not None:
                best = _BEST.get(self._problem.optimal, "best")
                yield self._alternative(
                    method, DEARER, f"the {best} plan with it comes to {record.costs[way]:g}", *shown
                )
            elif way in record.failed:
                yield self._alternative(method, TRIED_AND_FAILED, record.failed[way].with_place, *shown)
            elif method.name in record.refused:  # somebody objected to what it gave
                yield self._alternative(method, NOT_APPLICABLE, record.refused[method.name], *shown)

    def _why_not_tried(self) -> str:
        if self._problem.optimal is not None:
            return "the search was ended before its turn came"
        return f"{self._method.name} came first and led to a plan"

    def _is_generator(self, method: Method) -> bool:
        return is_generator(method) or any(self._offered.get(method.name, ()))

    def _alternative(
        self, method: Method, verdict: str, reason: str, ordinal: int | None = None, subtasks: Any = None
    ) -> Alternative:
        return Alternative(
            method=method.name,
            verdict=verdict,
            reason=reason,
            score=self._record.scores.get(method.name),
            way=None if ordinal is None else ordinal + 1,
            offers=None if ordinal is None else offers(subtasks),
        )
