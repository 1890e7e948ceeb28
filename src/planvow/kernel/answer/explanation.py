"""Why this plan, why not another, why none: answers from running the same search once more and watching it.

The watcher keeps one record per node of the current path, with what was refused there and what was tried and where that
failed; coming back to a node folds the deepest failure of the abandoned branch into it. When the run arrives at the
plan in question, the records are the decisions that led there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from planvow.errors import did_you_mean
from planvow.kernel.domain.domain import Command, Method
from planvow.kernel.domain.terms import Check, Goal, Item, item_text
from planvow.kernel.search.loop import Search
from planvow.kernel.search.problem import Problem
from planvow.kernel.search.table import SEQUENCE, Entry, amount
from planvow.kernel.search.watcher import NO_METHOD, ContinuedTrail, Node
from planvow.kernel.world.reason import after, either, indented, told

NOT_APPLICABLE, LACKS_CAPABILITY, TRIED_AND_FAILED, NOT_TRIED = (
    "not_applicable", "lacks_capability", "tried_and_failed", "not_tried",
)  # fmt: skip


SHOWN = 4
"""Tasks shown at each end of a long path."""


def path_text(path: Sequence[Item]) -> str:
    """Return tasks one inside the other, outermost first; of a deep nesting the two ends."""
    if len(path) <= 2 * SHOWN + 1:
        return " > ".join(map(item_text, path))
    left_out = f"… {len(path) - 2 * SHOWN:,} more …"
    return " > ".join([*map(item_text, path[:SHOWN]), left_out, *map(item_text, path[-SHOWN:])])


def _score_text(score: Mapping[str, float] | None) -> str:
    return f" ({', '.join(f'{part} {value:g}' for part, value in score.items())})" if score else ""


@dataclass(frozen=True, kw_only=True)
class DeadEnd:
    """Where a branch ended: the item that could not be done, the tasks above it, and the reason."""

    node_id: int
    item: Item
    path: tuple[Item, ...]
    reason: str

    def __str__(self) -> str:
        return told(self.with_place)

    @property
    def with_place(self) -> str:
        """The reason after what could not be done."""
        above = path_text(self.path)
        return after(f"{item_text(self.item)}{f' (in {above})' if above else ''}: ", self.reason)


@dataclass(frozen=True, kw_only=True)
class Alternative:
    """A method that was not chosen."""

    method: str
    verdict: str
    """not_applicable, lacks_capability, tried_and_failed or not_tried."""
    reason: str
    score: Mapping[str, float] | None = None

    def __str__(self) -> str:
        reason = told(self.reason)
        words = {
            NOT_APPLICABLE: f"does not apply: {reason}",
            LACKS_CAPABILITY: f"was left out: {reason}",
            TRIED_AND_FAILED: f"was tried and failed at {reason}",
            NOT_TRIED: f"was not tried: {reason}",
        }
        head, newline, rest = words[self.verdict].partition("\n")
        return f"{self.method} {head}{_score_text(self.score)}{newline}{rest}"


@dataclass(frozen=True, kw_only=True)
class Decision:
    """One choice of a method, with what spoke for it and against the others."""

    node_id: int
    item: Item
    method: str
    why: str
    score: Mapping[str, float] | None
    alternatives: tuple[Alternative, ...]

    def __str__(self) -> str:
        others = "".join(f"\n    {indented(str(alternative))}" for alternative in self.alternatives)
        return f"{item_text(self.item)}: {self.method}, {self.why}{_score_text(self.score)}{others}"


@dataclass(frozen=True, kw_only=True)
class Explanation:
    """The decisions that led to a plan, or the dead ends that left none."""

    decisions: tuple[Decision, ...] = ()
    deepest: DeadEnd | None = None
    """The dead end furthest along; for a failed search, where it came closest."""
    refusals: Mapping[str, int] = field(default_factory=dict)
    """How often each reason was given, most frequent first."""
    under_way: tuple[Item, ...] = ()
    """The tasks, one inside the other, that a search was busy with when a limit ended it."""

    def text(self, *, solved: bool) -> str:
        """Return the explanation in sentences."""
        if solved:
            return "\n".join(str(decision) for decision in self.decisions) or "There was nothing to decide."
        return "\n".join(self.why_none())

    def why_none(self) -> list[str]:
        """Return what is known of a search that found nothing, in entries of one or more lines."""
        lines = []
        if self.deepest is not None:
            lines.append(f"The search came furthest at {self.deepest}.")
        elif not self.refusals:
            lines.append("No branch was looked at to its end.")
        if self.under_way:
            lines.append(f"When it stopped it was inside {path_text(self.under_way)}.")
        counts = list(self.refusals.items())[:5]
        for reason, count in counts:
            lines.append(f"  {'once' if count == 1 else f'{count} times'}: {indented(told(reason))}")
        return lines


def explain(problem: Problem, trail: Sequence[Node] | None, iterations: int) -> Explanation:
    """Search again and say how it came to a plan, or why there is none.

    `iterations` is what the search took the first time: one that was interrupted is followed as far as it went.
    """
    if trail is None:
        problem = replace(problem, budgets=replace(problem.budgets, max_iterations=max(1, iterations)))
    watcher = _Notes()
    watcher.search = search = Search(problem, watcher=watcher)
    if not any(found.trail == trail for found in search.run()):
        refusals = dict(sorted(watcher.reasons.items(), key=lambda pair: (-pair[1], pair[0])))
        under_way = watcher.innermost() if search.hit is not None and search.hit.budget == "max_iterations" else ()
        return Explanation(deepest=watcher.deepest, refusals=refusals, under_way=under_way)
    decisions = [
        _decision(search.entry(record.item), problem.selection, node_id, record, record.how)
        for node_id, record in enumerate(watcher.records, start=1)
        if isinstance(record.how, Method) and record.how.kind != SEQUENCE
    ]
    return Explanation(decisions=tuple(decisions), deepest=watcher.deepest)


@dataclass
class _Record:
    """What happened at one node of the current path."""

    item: Item
    parent_id: int = 0
    how: Command | Method | None = None
    refused: dict[str, str] = field(default_factory=dict)
    failed: dict[str, DeadEnd] = field(default_factory=dict)
    scores: dict[str, Mapping[str, float]] = field(default_factory=dict)
    deepest: DeadEnd | None = None
    """The dead end furthest along in the branch now being tried."""


class _Notes:
    """A Watcher that keeps a record per node of the path."""

    search: Search

    def __init__(self) -> None:
        self.records: list[_Record] = []
        self.deepest: DeadEnd | None = None
        self.reasons: dict[str, int] = {}

    def chose(self, node_id: int, parent_id: int, item: Item, how: Command | Method, ordinal: int) -> None:
        record = self._at(node_id, item)
        record.parent_id, record.how = parent_id, how

    def refused(self, node_id: int, item: Item, how: Command | Method, reason: str) -> None:
        self._at(node_id, item).refused.setdefault(how.name, reason)
        text = after(f"{how.name}: ", reason)
        self.reasons[text] = self.reasons.get(text, 0) + 1

    def dead_end(self, node_id: int, parent_id: int, item: Item, reason: str) -> None:
        record = self.records[node_id - 1] if node_id <= len(self.records) else None
        if reason is NO_METHOD and record is not None and record.refused:
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
            self.records.clear()
            return
        record = self.records[node_id - 1]
        while len(self.records) > node_id:
            gone = self.records.pop()
            record.deepest = _further(record.deepest, gone.deepest)
        if isinstance(record.how, Method) and record.deepest is not None:
            record.failed.setdefault(record.how.name, record.deepest)
        record.how, record.deepest = None, None

    def innermost(self) -> tuple[Item, ...]:
        """Return the tasks that are being broken down now, outermost first."""
        return self._above(len(self.records))

    def _above(self, node_id: int) -> tuple[Item, ...]:
        items = []
        while node_id > 0:
            items.append(self.records[node_id - 1].item)
            node_id = self.records[node_id - 1].parent_id
        return tuple(reversed(items))

    def _why_no_method(self, item: Item) -> str:
        """Tell a goal that nobody can reach from one whose methods all declined without a word."""
        domain = self.search.problem.domain
        if not isinstance(item, Goal) or item.predicate in domain.goal_methods:
            return NO_METHOD
        meant = did_you_mean(item.predicate, domain.goal_methods)
        return f"no goal method is for {item.predicate!r}{f' ({meant})' if meant else ''}"

    def _at(self, node_id: int, item: Item) -> _Record:
        """Return the record of a node, making it at the first event there."""
        if node_id > len(self.records):
            # Branches that were abandoned without coming back to this node's place have been popped by `back`.
            self.records.append(_Record(item=item, scores=self._scores(item)))
        return self.records[node_id - 1]

    def _scores(self, item: Item) -> dict[str, Mapping[str, float]]:
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


def _decision(entry: Entry, selection: str, node_id: int, record: _Record, method: Method) -> Decision:
    others = [m for m in entry.methods if m.name != method.name]
    left_out = {m.name: reason for m, reason in entry.set_aside}
    alternatives = [_alternative(m, record, method) for m in others]
    alternatives += [Alternative(method=n, verdict=LACKS_CAPABILITY, reason=r) for n, r in left_out.items()]
    tried = any(a.verdict in (NOT_APPLICABLE, TRIED_AND_FAILED) for a in alternatives)
    if not others:
        why = "the only method there is" if not left_out else "the only method that may be used"
    elif tried:
        why = "the first that led to a plan"
    else:
        words = {"declared": "declared first", "cost": "the cheapest", "learned": "scored highest"}
        why = f"{words[selection]}, and it led to a plan"
    return Decision(
        node_id=node_id,
        item=record.item,
        method=method.name,
        why=why,
        score=record.scores.get(method.name),
        alternatives=tuple(alternatives),
    )


def _alternative(method: Method, record: _Record, chosen: Method) -> Alternative:
    if method.name in record.failed:
        verdict, reason = TRIED_AND_FAILED, record.failed[method.name].with_place
    elif method.name in record.refused:
        verdict, reason = NOT_APPLICABLE, record.refused[method.name]
    else:
        verdict, reason = NOT_TRIED, f"{chosen.name} came first and led to a plan"
    return Alternative(method=method.name, verdict=verdict, reason=reason, score=record.scores.get(method.name))


def explain_repaired(problem: Problem, trail: ContinuedTrail, before: Mapping[int, Decision]) -> Explanation:
    """Say how a plan came about whose first part is new and whose rest was kept as it was.

    `before` holds the decisions of the plan that was repaired, by their nodes in its solution graph.
    """
    new = explain(replace(problem, todo=problem.todo[:1]), trail.new, 0)
    shift = len(trail.new) - trail.start
    kept = [
        replace(decision, node_id=node_id + shift, why=f"kept from the plan that was repaired: {_once(decision.why)}")
        for node_id, decision in sorted(before.items())
        if node_id > trail.start
    ]
    return replace(new, decisions=(*new.decisions, *kept))


def _once(why: str) -> str:
    return why.removeprefix("kept from the plan that was repaired: ")
