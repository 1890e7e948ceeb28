"""Depth-first search over decompositions: the one loop.

The agenda is the list of items that is being worked through and the lists behind it, which branches share, so pushing
and coming back cost next to nothing. The path is a list of nodes with parent numbers, cut off when the search comes
back. The state undoes its own writes. A node with alternatives leaves a choice point, and failing means taking the next
alternative of the latest one. There is no recursion: plan length is bounded by budgets. Alternatives are tried in order
and one at a time, so two runs visit the same nodes.

The loop keeps nothing for explanations. Whoever wants to know more runs it again with a `Watcher` and gets the same
answer. What is rare (propagators, bounds, blacklists) stands below the loop.

Algorithm: total-order forward decomposition (SHOP, GTPyhop) with chronological backtracking; seed 001, section 3.1.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from types import GeneratorType
from typing import Any

from planvow.budgets import BudgetHit
from planvow.errors import PlanvowError
from planvow.kernel.domain.domain import Command, Refusal, unmet
from planvow.kernel.domain.terms import Annotated, Check, item_text, normal_item
from planvow.kernel.errors import (
    DomainFunctionError,
    MethodWroteError,
    MutableValueError,
    WrongReturnError,
    raised_at,
)
from planvow.kernel.search.agenda import Path
from planvow.kernel.search.conditions import Conditions
from planvow.kernel.search.loop_guard import LOOP, SUSPECT, SUSPECTED, LoopGuard
from planvow.kernel.search.problem import Problem
from planvow.kernel.search.scoring import Scores
from planvow.kernel.search.table import (
    CHECK,
    COMMAND,
    MULTIGOAL,
    SEQUENCE,
    TASK,
    Alternatives,
    Entry,
    Table,
    amount,
    arguments,
    as_goal,
)
from planvow.kernel.search.watcher import NO_METHOD, NO_REASON, SATISFIED, Found, Progress, Trail, Watcher
from planvow.kernel.world.history import History
from planvow.kernel.world.in_place_changes import Loosely
from planvow.kernel.world.state import State
from planvow.kernel.world.variable import undo_to

TURNS_BETWEEN_LOOKS = 256
"""How many turns of the loop pass between two looks at `interrupt` and `progress`."""


Choice = tuple[Any, ...]
"""A node with alternatives left: (node id, the agenda behind it in six parts as in `agenda`, item, item with its
metadata, kind, arguments, alternatives left, method and function called last, source, taken, length of the log, mark of
the conditions). `source` is the generator that the method returned, while it may yield more; `taken` counts what it has
yielded."""


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
        self.scores = problem.scores.copy() if problem.scores is not None else Scores()

        self.state = problem.draft()
        self.path = Path()
        self._log = self.state._log
        self._variables = dict(vars(self.state))
        self._table = Table(problem, self.state)
        self._has_metadata = False
        self._conditions = conditions = Conditions(problem, self.state)
        self._guard = LoopGuard(
            self.state,
            self.path,
            is_on=problem.loop_guard != "off" and conditions.can_be_compared,
            whole_search=problem.loop_guard == "search",
            # Where more than state and agenda decides, circles must be seen before it does.
            from_the_start=bool(conditions.propagators)
            or problem.selection == "learned"
            or problem.budgets.max_depth is not None
            or problem.budgets.max_stack_size is not None,
        )

    def run(self) -> Generator[Found, None, None]:
        """Yield plans in order; with `optimal` set, each is cheaper than the one before."""
        problem, watcher, guard = self.problem, self.watcher, self._guard
        state, log, path = self.state, self._log, self.path
        items, parents, hows, marks = path.items, path.parents, path.hows, path.marks
        conditions = self._conditions
        propagators = conditions.propagators
        by_name, choices = self._table.by_name, list[Choice]()
        max_depth = _limit(problem.budgets.max_depth)
        max_stack = problem.budgets.max_stack_size
        is_plain = not conditions.exist  # a command's model alone decides
        is_ordered = problem.selection == "declared"
        deepest = 0
        # The agenda: the list being worked through, the place in it, its parent and depth, the lists behind it.
        siblings, index, parent_id, depth, behind, items_behind = start = problem.todo, 0, 0, 1, None, 0
        mark = 0  # how long the log is
        conditions_mark = None
        iterations, alarm = 0, self._next_look(0)
        failing = False
        function: Any = None  # what is being called: for the message, should it raise
        item: Any = None
        try:
            while True:
                iterations += 1
                if iterations >= alarm:
                    if self._must_stop(iterations, deepest):
                        return
                    alarm = self._next_look(iterations)

                if failing:  # come back to the latest choice point
                    if choices:
                        (
                            node_id, siblings, index, parent_id, depth, behind, items_behind, item, told, kind,
                            args, alternatives, method, function, source, taken, mark, conditions_mark,
                        ) = choices.pop()  # fmt: skip
                        self._restore(node_id, mark, conditions_mark)
                    elif self._start_deeper():
                        siblings, index, parent_id, depth, behind, items_behind = start
                        mark, failing = 0, False
                        continue
                    else:
                        return
                else:  # take the next item
                    if index == len(siblings):
                        if behind is None:  # nothing is left to do: the path is a plan
                            self.iterations, self.deepest = iterations, deepest
                            yield self._found()
                            failing = True
                            continue
                        siblings, index, parent_id, depth, behind, items_behind = behind
                    item = told = siblings[index]
                    index += 1
                    try:
                        entry = by_name[item[0]] if type(item) is tuple else None
                    except (KeyError, IndexError, TypeError):
                        entry = None
                    if entry is None:
                        item, told, entry = self._unusual(item, parent_id)
                    if depth > deepest:
                        if depth > max_depth:
                            failing = self._cut("max_depth", max_depth, parent_id, told)
                            continue
                        deepest = depth
                    kind = entry.kind

                    if kind is COMMAND:
                        command, function, reason = entry.command, entry.model, entry.lacking
                        if not is_plain and reason is None:
                            reason = conditions.before(command, len(items) + 1, parent_id, index - 1, told)
                        if reason is None:
                            try:
                                answer = function(*item[1:])
                            except MutableValueError as error:
                                if not error.is_change:
                                    raise
                                undo_to(log, mark)
                                function = entry.model = Loosely(command.model, state)
                                answer = function(*item[1:])
                            if answer is not state:
                                reason = self._outcome(answer, command, mark)
                            if reason is None and not is_plain:
                                reason = conditions.after(siblings, index, behind)
                        if reason is None:
                            items.append(told)
                            parents.append(parent_id)
                            hows.append(command)
                            marks.append(mark)
                            mark = len(log)
                            if watcher is not None:
                                watcher.chose(len(items), parent_id, item, command, 0)
                        else:
                            failing = True
                            if watcher is not None:
                                watcher.refused(len(items) + 1, item, command, reason)
                                watcher.dead_end(len(items) + 1, parent_id, item, reason)
                        continue

                    if kind is TASK:
                        args = item[1:]
                    else:
                        settled = self._look(kind, parent_id, index - 1, item, told)
                        if settled is not None:
                            failing = not settled
                            continue
                        args = arguments(item)
                    node_id = len(items) + 1
                    if not guard.post_depth < depth < guard.post_end or (
                        item == guard.post_item and guard.watched.get(guard.watched_key) == guard.watched_value
                    ):
                        reason = guard.look(
                            node_id, parent_id, item, depth, siblings, index, behind, items_behind, conditions.cost,
                            conditions.fingerprints if propagators else None,
                        )  # fmt: skip
                        if reason is SUSPECTED:
                            path.append(told, parent_id, SUSPECT, mark)
                            lengths = path.lengths_behind(siblings, index, parent_id, behind)
                            node_id, parent_id, item = self._leave_circle(choices, lengths)
                            reason = LOOP
                        if reason is not None:
                            failing = True
                            if watcher is not None:
                                watcher.dead_end(node_id, parent_id, item, reason)
                            continue
                    alternatives = entry.alternatives if is_ordered else self._ordered(entry, item)
                    source, taken = None, 0
                    if watcher is not None:
                        for method, why in entry.set_aside:
                            watcher.refused(node_id, item, method, why)
                    if not is_plain:
                        conditions_mark = conditions.mark()

                # Find the next alternative that applies.
                while True:
                    if source is not None:
                        answer = next(source, _NO_MORE)
                        if answer is _NO_MORE:
                            source = None
                            continue
                        taken += 1
                        iterations += 1  # a generator may go on for ever without a turn of the loop
                        if iterations >= alarm and self._must_stop(iterations, deepest):
                            return
                    elif alternatives is not None:
                        method, function, alternatives = alternatives
                        answer = function(*args)
                    else:
                        failing = True
                        break
                    if len(log) != mark:
                        raise MethodWroteError(method.name, path=self.place(parent_id))
                    if type(answer) is list or type(answer) is tuple:
                        failing = False
                        break
                    if type(answer) is GeneratorType and source is None:
                        source, taken = answer, 0
                        continue
                    reason = _reason(answer, method.name)
                    if watcher is not None:
                        watcher.refused(node_id, item, method, reason)
                if failing:
                    if watcher is not None:
                        watcher.dead_end(node_id, parent_id, item, NO_METHOD)
                    continue
                if alternatives is not None or source is not None:
                    choices.append((
                        node_id, siblings, index, parent_id, depth, behind, items_behind, item, told, kind,
                        args, alternatives, method, function, source, taken, mark, conditions_mark,
                    ))  # fmt: skip
                if propagators:
                    answer, reason = conditions.decompose(answer, node_id, parent_id, index - 1, kind, told)
                    if reason is not None:
                        failing = True
                        if watcher is not None:
                            watcher.refused(node_id, item, method, reason)
                        continue

                items.append(told)
                parents.append(parent_id)
                hows.append(method)
                marks.append(mark)
                ordinal = 0
                if source is not None:
                    ordinal = path.ordinals[node_id] = taken - 1
                if watcher is not None:  # before the scores move: it is told those that decided
                    watcher.chose(node_id, parent_id, item, method, ordinal)
                if not is_ordered and problem.selection == "learned":
                    self.scores.applied(method)

                # Its subtasks come next, before the rest of the agenda.
                if kind is not TASK and kind is not SEQUENCE:
                    answer = (*answer, Check(as_goal(item)))
                if index < len(siblings):
                    behind = siblings, index, parent_id, depth, behind, items_behind
                    items_behind += len(siblings) - index
                siblings, index, parent_id = answer, 0, node_id
                depth += 1
                if max_stack is not None and len(siblings) + items_behind > max_stack:
                    failing = self._cut("max_stack_size", max_stack, parents[-1], told)
        except PlanvowError as error:
            if error.place is None and function is not None:
                error.place = raised_at(function.__func__, error)
            raise
        except Exception as error:
            if function is None:
                raise
            raise DomainFunctionError(function.__func__, item, error) from error
        finally:
            self.iterations, self.deepest = min(iterations, _limit(problem.budgets.max_iterations)), deepest

    def entry(self, item: Any) -> Entry:
        """Return how an item is handled."""
        return self._table.entry(item, self.place, 0)

    def history(self, marks: list[int]) -> History:
        """Return what was written so far, with the lengths of the log before each node."""
        return History(
            start=self.problem.state,
            draft=self.state,
            variables=self._variables,
            log=self._log.copy(),
            marks=marks,
        )

    def place(self, node_id: int) -> str:
        """Return the tasks that led to a node, outermost first."""
        names = []
        while node_id > 0:
            names.append(item_text(self.path.item(node_id)))
            node_id = self.path.parents[node_id - 1]
        return " > ".join(reversed(names)) or "agenda"

    def _outcome(self, answer: Any, command: Command, mark: int) -> str | None:
        """Make sense of a model's answer that is not the draft it was given."""
        if isinstance(answer, State):
            self.state.become(answer)
            return None
        if len(self._log) > mark:
            undo_to(self._log, mark)
        return _reason(answer, command.name)

    def _unusual(self, told: Any, parent_id: int) -> tuple[Any, Any, Entry]:
        """Return an item that is no tuple with a known name: bare, with its metadata, and how it is handled."""
        item = told
        if type(item) is Annotated:
            item = item.item
            self._has_metadata = True
        if type(item) is list or type(item) is dict:  # the forms an item has in JSON
            item = told = normal_item(item)
        return item, told, self._table.entry(item, self.place, parent_id)

    def _look(self, kind: str, parent_id: int, position: int, item: Any, told: Any) -> bool | None:
        """See whether a goal holds. True and False settle the node; None means that it must be worked for."""
        if kind is SEQUENCE:
            return None
        goals = item.goals if kind is CHECK else item.goals() if kind is MULTIGOAL else [as_goal(item)]
        reason, how = None, CHECK if kind is CHECK else SATISFIED
        if unmet(self.state, goals):
            if kind is not CHECK:
                return None
            reason = "the goal does not hold after what was done for it"
        elif self._conditions.propagators:
            reason = self._conditions.visit(len(self.path) + 1, parent_id, position, how, told)
        if reason is None:
            self.path.append(told, parent_id, how, len(self._log))
            if self.watcher is not None:
                self.watcher.chose(len(self.path), parent_id, item, how, 0)
        elif self.watcher is not None:
            self.watcher.dead_end(len(self.path) + 1, parent_id, item, reason)
        return reason is None

    def _ordered(self, entry: Entry, item: Any) -> Alternatives:
        if self.problem.selection == "learned":
            return self._table.linked(self.scores.ordered(entry.methods))
        # A stable sort: ties stay as declared.
        return self._table.linked(sorted(entry.methods, key=lambda method: amount(method.cost, self.state, item)))

    def _restore(self, node_id: int, mark: int, conditions_mark: Any, *, is_told: bool = True) -> None:
        """Bring everything back to what it was when a choice point was made."""
        self.backtracks += 1
        if len(self._log) > mark:
            undo_to(self._log, mark)
        self.path.cut(node_id - 1 if node_id > 0 else 0)
        self._guard.back_to(node_id)
        if conditions_mark is not None:
            self._conditions.undo(conditions_mark)
        if self.watcher is not None and is_told:
            self.watcher.back(node_id)

    def _leave_circle(self, choices: list[Choice], lengths: list[int]) -> tuple[int, int, Any]:
        """Go back to the first node that stands where the path has been before; return its id, parent and item."""
        path = self.path
        node_id = self._guard.index_path(lengths) or len(path)
        while choices and choices[-1][0] >= node_id:
            choices.pop()
        parent_id, item, mark = path.parents[node_id - 1], path.item(node_id), path.marks[node_id - 1]
        self._restore(node_id, mark, None, is_told=node_id < len(path))  # nobody was told of the suspect itself
        return node_id, parent_id, item

    def _start_deeper(self) -> bool:
        """Begin again with deeper nesting allowed, if the loop guard has cut something that might matter."""
        if not self._guard.cut_nested:
            return False
        self._restore(0, 0, None)
        self._conditions.restart()
        self._guard.restart()
        return True

    def _cut(self, budget: str, limit: int, parent_id: int, told: Any) -> bool:
        """Note the first limit that cut a branch; always true, since the branch fails."""
        self.hit = self.hit or BudgetHit(budget=budget, limit=limit)
        if self.watcher is not None:
            self.watcher.dead_end(len(self.path) + 1, parent_id, told, f"{budget} = {limit} is reached")
        return True

    def _must_stop(self, iterations: int, depth: int) -> bool:
        limit = self.problem.budgets.max_iterations
        if limit is not None and iterations > limit:
            self.hit = BudgetHit(budget="max_iterations", limit=limit)
            return True
        if self.progress is not None:
            self.progress(Progress(iterations, depth, self.backtracks))
        if self.interrupt is not None and self.interrupt():
            self.interrupted = True
            return True
        return False

    def _next_look(self, iterations: int) -> int:
        end = _limit(self.problem.budgets.max_iterations) + 1
        if self.interrupt is None and self.progress is None:
            return end
        return min(end, iterations + TURNS_BETWEEN_LOOKS)

    def _found(self) -> Found:
        reports = self._conditions.found()
        path = self.path
        annotations = {}
        items = path.items.copy()
        if self._has_metadata:
            annotations = {i: item.metadata for i, item in enumerate(items, start=1) if type(item) is Annotated}
            items = [path.item(node_id) for node_id in range(1, len(path) + 1)]
        ordinals = [0] * len(path)
        for node_id, ordinal in path.ordinals.items():
            ordinals[node_id - 1] = ordinal
        trail = Trail((path.parents.copy(), items, path.hows.copy(), ordinals))
        history = self.history(path.marks.copy())
        return Found(trail, self.state.snapshot(), self._conditions.cost, reports, annotations, history)


_NO_MORE: Any = object()
_NO_LIMIT = 1 << 62


def _limit(value: int | None) -> int:
    return _NO_LIMIT if value is None else value


def _reason(answer: Any, name: str) -> str:
    """Return the reason of a failure, or raise when the answer is not one."""
    if isinstance(answer, Refusal):
        return answer.reason
    if answer is None or answer is False:
        return NO_REASON
    raise WrongReturnError(
        f"{name} returned {answer!r:.80}",
        hint="a command returns the state; a method a list; None, False or refuse('reason') mean not applicable",
    )
