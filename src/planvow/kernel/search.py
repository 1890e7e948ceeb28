"""Depth-first search over decompositions: the one loop.

The agenda is a linked list that branches share, so pushing and coming back cost nothing; the path is a list of
nodes with parent numbers, cut off when the search comes back; the state undoes its own writes. A node with
alternatives leaves a choice point, and failing means taking the next alternative of the latest one. There is no
recursion: plan length is bounded by budgets. Alternatives are tried in order and one at a time, so two runs visit
the same nodes.

The loop keeps nothing for explanations. Whoever wants to know more runs it again with a `Watcher`; the answer is
the same.

Algorithm: total-order forward decomposition (SHOP, GTPyhop) with chronological backtracking; seed 001, section 3.1.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping
from types import GeneratorType
from typing import Any, NamedTuple, Protocol

from planvow.budgets import BudgetHit
from planvow.errors import PlanvowError
from planvow.kernel.domain import Method, Refusal, unmet
from planvow.kernel.errors import DomainFunctionError, MethodWroteError, WrongReturnError
from planvow.kernel.guard import LoopGuard
from planvow.kernel.problem import Problem
from planvow.kernel.propagate import Visit, is_constraint
from planvow.kernel.scoring import Scores
from planvow.kernel.state import State
from planvow.kernel.table import (
    CHECK,
    COMMAND,
    GOAL,
    MULTIGOAL,
    SEQUENCE,
    TASK,
    Check,
    Entry,
    Table,
    amount,
    arguments,
    item_key,
)
from planvow.kernel.terms import Annotated, Goal, item_text
from planvow.kernel.variable import undo_to

TURNS_BETWEEN_LOOKS = 256
"""How many turns of the loop pass between two looks at `interrupt` and `progress`."""

SATISFIED = "satisfied"

Cell = Any
"""One agenda entry: (item, parent id, position among its siblings, depth, rest of the agenda, length from here)."""
Node = tuple[int, Any, Any, int]
"""One node of the path: (parent id, item, how, ordinal). `how` is the Command or Method, or the word "satisfied" or
"check" for a goal that held; `ordinal` says which of a generator's decompositions was taken."""


class Watcher(Protocol):
    """Told everything a search does. A node id says how far along the path it is; after `back(n)` nodes n, n+1 …
    are gone."""

    def chose(self, node_id: int, parent_id: int, item: Any, how: Any, ordinal: int) -> None: ...

    def refused(self, node_id: int, item: Any, how: Any, reason: str) -> None: ...

    def dead_end(self, node_id: int, item: Any, reason: str) -> None: ...

    def back(self, node_id: int) -> None: ...


class Progress(NamedTuple):
    """How far a running search is."""

    iterations: int
    depth: int
    backtracks: int


class Found(NamedTuple):
    """A plan, as the path that led to it."""

    trail: tuple[Node, ...]
    final_state: State
    cost: float
    reports: Mapping[str, Any]


class Choice:
    """A node with what is needed to try another of its alternatives."""

    __slots__ = ("cell", "cost", "cursor", "item", "kind", "mark", "marks", "metadata", "methods", "node_id", "source", "taken")  # fmt: skip  # noqa: E501

    def __init__(
        self,
        cell: Cell,
        node_id: int,
        item: Any,
        metadata: Mapping[str, Any],
        kind: str,
        methods: Any,
        mark: int,
        cost: float,
    ) -> None:
        self.cell, self.node_id, self.item, self.metadata, self.kind = cell, node_id, item, metadata, kind
        self.methods, self.mark, self.cost = methods, mark, cost
        self.cursor = 0
        self.source: Any = None  # the generator that the current method returned, while it may yield more
        self.taken = 0
        self.marks: list[Any] = []


class Search:
    """One search of one problem. `run` yields plans until the space or a budget is exhausted."""

    def __init__(
        self,
        problem: Problem,
        *,
        watcher: Watcher | None = None,
        interrupt: Callable[[], bool] | None = None,
        progress: Callable[[Progress], None] | None = None,
    ) -> None:
        self.problem, self.watcher, self.interrupt, self.progress = problem, watcher, interrupt, progress
        self.iterations = self.backtracks = self.deepest = 0
        self.hit: BudgetHit | None = None
        self.interrupted = False
        self.best: float | None = None
        self.scores = (problem.scores or Scores()).copy()

        self.state = problem.state.journaled()
        self.trail: list[Node] = []
        self._log = self.state._log
        self._table = Table(problem)
        self._choices: list[Choice] = []
        self._cost: float = 0
        self._learned = self.scores if problem.selection == "learned" else None
        self._propagators = [make() for make in problem.propagators]
        self._guard: LoopGuard | None = None
        if problem.loop_guard != "off" and all(hasattr(p, "fingerprint") for p in self._propagators):
            self._guard = LoopGuard(self.state, self.trail, whole_search=problem.loop_guard == "search")
        self._function: Any = None  # the domain function being called, for the message should it raise
        self._first_marks = [propagator.mark() for propagator in self._propagators]
        self._alarm = self._next_look()

    def run(self) -> Generator[Found, None, None]:
        """Yield plans in order; with `optimal` set, each is cheaper than the one before."""
        agenda = start = _pushed(self.problem.todo, 0, 1, None)
        by_name, choices = self._table.by_name, self._choices
        failing = False
        item: Any = None
        try:
            while True:
                self.iterations += 1
                if self.iterations >= self._alarm and self._must_stop(agenda):
                    return
                if failing:
                    if choices:
                        choice = self._back()
                        item = choice.item
                    elif self._start_deeper():
                        agenda, failing = start, False
                        continue
                    else:
                        return
                elif agenda is None:
                    yield self._found()
                    failing = True
                    continue
                else:
                    cell, item, metadata = agenda, agenda[0], _NO_METADATA
                    if type(item) is Annotated:
                        item, metadata = item.item, item.metadata
                    entry = by_name.get(item[0]) if type(item) is tuple and item and type(item[0]) is str else None
                    if entry is None:
                        entry = self._table.entry(item, self.place, cell[1])
                    agenda = cell[4]
                    if cell[3] > self.deepest and self._is_beyond("max_depth", cell[3], item):
                        failing = True
                        continue
                    kind = entry.kind
                    if kind is COMMAND:
                        failing = not self._apply(entry, cell, item, metadata)
                        continue
                    if kind is not TASK and kind is not SEQUENCE:
                        outcome = self._look(kind, cell, item, metadata)
                        if outcome is not None:
                            failing = not outcome
                            continue
                    opened = self._open(entry, cell, item, metadata)
                    if opened is None:
                        failing = True
                        continue
                    choice = opened
                failing, agenda = self._decompose(choice)
        except PlanvowError:
            raise
        except Exception as error:
            if self._function is None:
                raise
            raise DomainFunctionError(self._function, item, error) from error

    def _apply(self, entry: Entry, cell: Cell, item: Any, metadata: Mapping[str, Any]) -> bool:
        """Run a command's model; say whether it joined the path."""
        command: Any = entry.command
        reason = entry.lacking
        if reason is None and self.problem.blacklist and item_key(item) in self.problem.blacklist:
            reason = "it is blacklisted"
        if reason is None:
            state, mark = self.state, len(self._log)
            duration = command.duration
            self._function = model = command.model
            if self._propagators and callable(duration):
                duration = duration(state, *item[1:])
            if self.problem.optimal is not None:
                self._cost += 1 if self.problem.optimal == "steps" else amount(command.cost, state, item)
            answer = model(state, *item[1:])
            self._function = None
            if answer is not state:
                if isinstance(answer, State):
                    state.become(answer)
                else:
                    reason = _reason(answer, command.name)
                    undo_to(self._log, mark)
            if reason is None and self.problem.optimal is not None:
                reason = self._is_too_dear(cell[4])
            if reason is None and self._propagators:
                reason = self._push(cell, COMMAND, item, metadata, duration)
        if reason is None:
            self._join(cell, item, command)
            return True
        if self.watcher is not None:
            self.watcher.refused(len(self.trail) + 1, item, command, reason)
            self.watcher.dead_end(len(self.trail) + 1, item, reason)
        return False

    def _look(self, kind: str, cell: Cell, item: Any, metadata: Mapping[str, Any]) -> bool | None:
        """See whether a goal holds. True and False settle the node; None means that it must be worked for."""
        goals = item.goals if kind is CHECK else item.goals() if kind is MULTIGOAL else [_as_goal(item)]
        reason = None
        if unmet(self.state, goals):
            if kind is not CHECK:
                return None
            reason = "the goal does not hold after what was done for it"
        how = CHECK if kind is CHECK else SATISFIED
        if reason is None and self._propagators:
            reason = self._push(cell, how, item, metadata, None)
        if reason is None:
            self._join(cell, item, how)
            return True
        if self.watcher is not None:
            self.watcher.dead_end(len(self.trail) + 1, item, reason)
        return False

    def _open(self, entry: Entry, cell: Cell, item: Any, metadata: Mapping[str, Any]) -> Choice | None:
        """Make a choice point for a compound item, or None when the search has been here before."""
        node_id, guard, kind = len(self.trail) + 1, self._guard, entry.kind
        if guard is not None and kind is not SEQUENCE:
            prints: list[Any] = [propagator.fingerprint() for propagator in self._propagators]  # type: ignore[attr-defined]
            reason = guard.enter(cell, node_id, item, tuple(prints))
            if reason is not None:
                if self.watcher is not None:
                    self.watcher.dead_end(node_id, item, reason)
                return None
        if self.watcher is not None:
            for method, reason in entry.set_aside:
                self.watcher.refused(node_id, item, method, reason)
        methods = self._ordered(entry.methods, item)
        choice = Choice(cell, node_id, item, metadata, kind, methods, len(self._log), self._cost)
        if self._propagators:
            choice.marks = [propagator.mark() for propagator in self._propagators]
        self._choices.append(choice)
        return choice

    def _decompose(self, choice: Choice) -> tuple[bool, Cell]:
        """Take the next alternative of a node: (failing, agenda)."""
        if choice.source is None:
            if choice.cursor >= len(choice.methods):
                return self._exhausted(choice)
            method = choice.methods[choice.cursor]
            choice.cursor += 1
            choice.taken = 0
            self._function = method.function
            answer = method.function(self.state, *arguments(choice.item))
            if type(answer) is GeneratorType:
                choice.source = answer
        else:
            method = choice.methods[choice.cursor - 1]
            choice.taken += 1
        if choice.source is not None:
            self._function = method.function
            answer = next(choice.source, _NO_MORE)
            if answer is _NO_MORE:
                choice.source = None
                answer = Refusal("it yields nothing") if choice.taken == 0 else _NO_MORE
        self._function = None
        if len(self._log) != choice.mark:
            undo_to(self._log, choice.mark)
            raise MethodWroteError(f"method {method.name!r} changed the state", place=self.place(choice.node_id - 1))
        if answer is _NO_MORE:
            return True, None
        if type(answer) is not list and type(answer) is not tuple:
            reason = _reason(answer, method.name)
            if self.watcher is not None:
                self.watcher.refused(choice.node_id, choice.item, method, reason)
            return True, None
        return self._push_subtasks(choice, method, answer)

    def _push_subtasks(self, choice: Choice, method: Method, subtasks: Any) -> tuple[bool, Cell]:
        cell, node_id, watcher = choice.cell, choice.node_id, self.watcher
        if choice.source is None and choice.cursor >= len(choice.methods):
            self._choices.pop()  # nothing left to come back for
        if self._propagators or any(is_constraint(part) for part in subtasks if type(part) is not tuple):
            constraints = tuple(part for part in subtasks if is_constraint(part))
            subtasks = [part for part in subtasks if not is_constraint(part)]
            reason = self._push(cell, choice.kind, choice.item, choice.metadata, None, constraints)
            if reason is not None:
                if watcher is not None:
                    watcher.refused(node_id, choice.item, method, reason)
                return True, None
        agenda, depth = cell[4], cell[3] + 1
        if choice.kind is GOAL or choice.kind is MULTIGOAL:
            goal = choice.item if choice.kind is MULTIGOAL else _as_goal(choice.item)
            agenda = _pushed([Check(goal)], node_id, depth, agenda, first=len(subtasks))
        agenda = _pushed(subtasks, node_id, depth, agenda)
        self._join(cell, choice.item, method, choice.taken)
        if self._learned is not None:
            self._learned.applied(method)
        if agenda is not None and self._is_beyond("max_stack_size", agenda[5], choice.item):
            return True, None
        return False, agenda

    def _exhausted(self, choice: Choice) -> tuple[bool, Cell]:
        self._choices.pop()
        if self.watcher is not None:
            reason = "none of its methods led on" if choice.methods else "it has no method that may be used"
            self.watcher.dead_end(choice.node_id, choice.item, reason)
        return True, None

    def _back(self) -> Choice:
        """Restore everything to what it was when the latest choice point was made."""
        self.backtracks += 1
        choice = self._choices[-1]
        undo_to(self._log, choice.mark)
        del self.trail[choice.node_id - 1 :]
        self._cost = choice.cost
        if self._guard is not None:
            self._guard.back_to(choice.node_id)
        for propagator, mark in zip(self._propagators, choice.marks, strict=True):
            propagator.undo(mark)
        if self.watcher is not None:
            self.watcher.back(choice.node_id)
        return choice

    def _join(self, cell: Cell, item: Any, how: Any, ordinal: int = 0) -> None:
        self.trail.append((cell[1], item, how, ordinal))
        if self.watcher is not None:
            self.watcher.chose(len(self.trail), cell[1], item, how, ordinal)

    def _push(
        self, cell: Cell, kind: str, item: Any, metadata: Mapping[str, Any], duration: Any, constraints: Any = ()
    ) -> str | None:
        """Tell the propagators about a node; return the first objection."""
        visit = Visit(len(self.trail) + 1, cell[1], cell[2], kind, item, metadata, duration, constraints)
        for propagator in self._propagators:
            objection = propagator.push(visit)
            if objection is not None:
                return objection
        return None

    def _ordered(self, methods: tuple[Method, ...], item: Any) -> Any:
        if len(methods) < 2 or self.problem.selection == "declared":
            return methods
        if self._learned is not None:
            return self._learned.ordered(methods)
        return sorted(methods, key=lambda method: amount(method.cost, self.state, item))  # stable: ties as declared

    def _is_too_dear(self, rest: Cell) -> str | None:
        """Compare what a path costs, and must still cost, with the best plan so far."""
        if self.best is None:
            return None
        bound = self.problem.lower_bound
        ahead = bound(self.state, _items(rest)) if bound is not None else 0
        if self._cost + ahead < self.best:
            return None
        return f"it would cost at least {self._cost + ahead:g}, and a plan for {self.best:g} is known"

    def _is_beyond(self, budget: str, amount: int, item: Any) -> bool:
        """Compare a count with its limit; remember the first limit that cut something."""
        limit = getattr(self.problem.budgets, budget)
        if limit is None or amount <= limit:
            if budget == "max_depth":
                self.deepest = amount
            return False
        if self.hit is None:
            self.hit = BudgetHit(budget=budget, limit=limit)
        if self.watcher is not None:
            self.watcher.dead_end(len(self.trail) + 1, item, f"{budget} = {limit} is reached")
        return True

    def _must_stop(self, agenda: Cell) -> bool:
        limit = self.problem.budgets.max_iterations
        if limit is not None and self.iterations > limit:
            self.iterations = limit
            self.hit = BudgetHit(budget="max_iterations", limit=limit)
            return True
        if self.interrupt is not None and self.interrupt():
            self.interrupted = True
            return True
        if self.progress is not None:
            self.progress(Progress(self.iterations, agenda[3] if agenda is not None else 0, self.backtracks))
        self._alarm = self._next_look()
        return False

    def _next_look(self) -> int:
        limit = self.problem.budgets.max_iterations
        if self.interrupt is None and self.progress is None:
            return (1 << 62) if limit is None else limit + 1
        look = self.iterations + TURNS_BETWEEN_LOOKS
        return look if limit is None else min(look, limit + 1)

    def _start_deeper(self) -> bool:
        """Begin again with deeper nesting allowed, if the loop guard has cut something that might matter."""
        if self._guard is None or not self._guard.cut_nested:
            return False
        self._guard.restart()
        undo_to(self._log, 0)
        self.trail.clear()
        self._cost = 0
        for propagator, mark in zip(self._propagators, self._first_marks, strict=True):
            propagator.undo(mark)
        if self.watcher is not None:
            self.watcher.back(1)
        return True

    def _found(self) -> Found:
        reports: dict[str, Any] = {}
        for propagator in self._propagators:
            reports.update(propagator.report())
        if self.problem.optimal is not None:
            self.best = self._cost
        return Found(tuple(self.trail), self.state.snapshot(), self._cost, reports)

    def place(self, node_id: int) -> str:
        """Return the tasks that led to a node, outermost first."""
        names = []
        while node_id > 0:
            parent_id, item, _, _ = self.trail[node_id - 1]
            names.append(item_text(item))
            node_id = parent_id
        return " > ".join(reversed(names)) or "agenda"


_NO_METADATA: Mapping[str, Any] = {}
_NO_MORE: Any = object()


def _pushed(items: Iterable[Any], parent_id: int, depth: int, agenda: Cell, first: int = 0) -> Cell:
    """Put items before an agenda, the first one foremost."""
    listed = items if isinstance(items, list | tuple) else list(items)
    length = 0 if agenda is None else agenda[5]
    for position in range(len(listed) - 1, -1, -1):
        length += 1
        agenda = (listed[position], parent_id, first + position, depth, agenda, length)
    return agenda


def _items(cell: Cell) -> tuple[Any, ...]:
    items = []
    while cell is not None:
        items.append(cell[0])
        cell = cell[4]
    return tuple(items)


def _as_goal(item: Any) -> Goal:
    return item if isinstance(item, Goal) else Goal(*item)


def _reason(answer: Any, name: str) -> str:
    """Return the reason of a failure, or raise when the answer is not one."""
    if isinstance(answer, Refusal):
        return answer.reason
    if answer is None or answer is False:
        return f"{name} returned {answer}"
    raise WrongReturnError(
        f"{name} returned {answer!r:.80}",
        hint="a command returns the state; a method a list; None, False or refuse('reason') mean not applicable",
    )
