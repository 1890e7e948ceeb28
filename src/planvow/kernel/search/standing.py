"""Where a search stands: the state, the path, the agenda, the choice points, the counts, and what ends it.

Everything that changes while a search runs is here, with the way back to a choice point and the look at the limits.
What to do next is for the loop (`kernel.search.loop`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from planvow.budgets import BudgetHit
from planvow.kernel.domain.domain import Command, Method
from planvow.kernel.domain.terms import Annotated, is_sequence, item_text
from planvow.kernel.errors import WrongArgumentsError, arguments_taken
from planvow.kernel.search.agenda import NODE, Agenda, Path
from planvow.kernel.search.backjumping import Jumper
from planvow.kernel.search.choice import Choice
from planvow.kernel.search.conditions import Conditions
from planvow.kernel.search.learning import Learner
from planvow.kernel.search.loop_guard import LoopGuard
from planvow.kernel.search.problem import Problem
from planvow.kernel.search.scoring import Scores
from planvow.kernel.search.table import SEQUENCE, Entry, Table, added_up
from planvow.kernel.search.watcher import Found, Progress, Trail, Watcher
from planvow.kernel.world.history import History
from planvow.kernel.world.variable import undo_to

TURNS_BETWEEN_LOOKS = 256
"""How many turns of the loop pass between two looks at `interrupt` and `progress`."""


class Standing:
    """One search of one problem, wherever it is."""

    __slots__ = (
        "_above",
        "_agenda",
        "_alarm",
        "_asked",
        "_choices",
        "_conditions",
        "_guard",
        "_has_conditions",
        "_has_metadata",
        "_is_stopped",
        "_item",
        "_jumper",
        "_learner",
        "_log",
        "_max_depth",
        "_max_stack",
        "_may_jump",
        "_start",
        "_table",
        "_variables",
        "backtracks",
        "deepest",
        "hit",
        "interrupt",
        "interrupted",
        "iterations",
        "path",
        "problem",
        "progress",
        "scores",
        "state",
        "watcher",
    )

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
        self._has_metadata = False
        self._conditions = conditions = Conditions(problem, self.state)
        self._has_conditions = conditions.exist
        self._table = Table(
            problem,
            self.state,
            is_free=watcher is None
            and not conditions.exist
            and problem.selection == "declared"
            and problem.budgets.max_stack_size is None,
        )
        self._start: Agenda = (problem.todo, 0, 0, 1, None, 0)
        self._agenda: Agenda = self._start
        self._choices: list[Choice] = []
        self._max_depth = limit_of(problem.budgets.max_depth)
        self._max_stack = limit_of(problem.budgets.max_stack_size)
        self._alarm = self._next_look(0)
        self._is_stopped = False
        self._asked: Command | Method | None = None
        self._item: object = None
        self._above = 0  # the node that the item stands below
        self._guard = LoopGuard(
            self.state,
            self.path,
            conditions,
            is_on=problem.loop_guard != "off" and conditions.can_be_compared,
            whole_search=problem.loop_guard == "search",
            # Where more than state and agenda decides, circles must be seen before it does.
            from_the_start=bool(conditions.propagators)
            or problem.selection == "learned"
            or problem.budgets.max_depth is not None
            or problem.budgets.max_stack_size is not None,
        )
        self._jumper: Jumper | None = None
        self._may_jump = conditions.may_be_passed_over and problem.selection != "learned"
        self._learner: Learner | None = None
        if problem.selection == "learned":
            # What else has a say may object to a path where it would not to another that leads to the same state.
            self._learner = Learner(self.scores, self.path, self._guard, keeps_nogoods=not conditions.exist)

    @property
    def bound(self) -> tuple[float, ...] | None:
        """What no plan can come to less than, in terms of what is made small; known when everything was looked at."""
        return self._conditions.bound

    def entry(self, item: object) -> Entry:
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
            node_id = self.path.parent(node_id)
        return " > ".join(reversed(names)) or "agenda"

    def _function_called_last(self) -> Callable[..., object] | None:
        """Return the function to blame for an error: the one that raised it, or else the last that answered."""
        called = (
            [self._asked] if self._asked is not None else [how for how in self.path.hows if not isinstance(how, str)]
        )
        if not called:
            return None
        return called[-1].model if isinstance(called[-1], Command) else called[-1].function

    def _blame_the_item(self, function: Any, error: Exception) -> None:
        """Raise WrongArgumentsError if a function could not be called with the arguments that its item has."""
        item = self._item
        if not isinstance(error, TypeError) or type(item) is not tuple or not item or is_sequence(item):
            return
        takes = arguments_taken(function, len(item) - 1)
        if takes is not None:
            raise WrongArgumentsError(item, takes=takes, place=self._who_gave(item)) from None

    def _who_gave(self, item: object) -> str:
        """Return where an item stands: the method that gave it, or its number in the agenda."""
        above = self._above
        while above:
            how = self.path.hows[above - 1]
            if isinstance(how, Method) and how.kind is not SEQUENCE:
                return f"an item that {how.name} gave"
            above = self.path.parent(above)
        places = [number for number, asked in enumerate(self.problem.todo, start=1) if asked == item]
        return f"item {places[0]} of the agenda" if places else "the agenda"

    def _found(self) -> Found | None:
        reports = self._conditions.found()
        if reports is None:
            return None
        path = self.path
        if self._learner is not None:
            self._learner.found()
        annotations = {}
        items = path.items
        if self._has_metadata:
            annotations = {i: item.metadata for i, item in enumerate(items, start=1) if type(item) is Annotated}
            items = [path.item(node_id) for node_id in range(1, len(path) + 1)]
        ordinals = [0] * len(path)
        for node_id, ordinal in path.ordinals.items():
            ordinals[node_id - 1] = ordinal
        trail = Trail((path.parents, items, path.hows, ordinals))
        history = self.history(path.marks)
        cost = self._conditions.cost
        if not self.problem.counts_cost:
            cost = added_up(how.cost for how in path.hows if type(how) is Command)
        return Found(trail, self.state.snapshot(), cost, reports, annotations, history, self._conditions.best)

    def _restore(self, node_id: int, mark: int) -> None:
        """Bring state, path and guard back to what they were when a node was met; 0 is the start."""
        self.backtracks += 1
        if len(self._log) > mark:
            undo_to(self._log, mark)
        path, guard = self.path, self._guard
        del path.nodes[NODE * (node_id - 1) if node_id > 0 else 0 :]
        if path.ordinals:
            path.cut_ordinals(node_id)
        if guard.latest_id > node_id:
            guard.back_to(node_id)

    def _cut(self, budget: str, limit: int, parent_id: int, told: object, below: int | None = None) -> bool:
        """Note the first limit that cut a branch; always false, since the branch leads nowhere."""
        self.hit = self.hit or BudgetHit(budget=budget, limit=limit)
        if self._learner is not None:
            self._learner.met(parent_id if below is None else below)
            self._learner.cut(parent_id if below is None else below)
        if self.watcher is not None:
            self.watcher.dead_end(len(self.path) + 1, parent_id, told, f"{budget} = {limit} is reached")
        return False

    def _must_stop_before_next_turn(self) -> bool:
        turn = self.iterations + 1
        self._alarm = self._next_look(turn)
        return self._must_stop(turn)

    def _must_stop(self, turn: int) -> bool:
        """Tell how far the search is, and see whether a limit or the caller ends it with this turn."""
        limit = self.problem.budgets.max_iterations
        if limit is not None and turn > limit:
            self.hit = BudgetHit(budget="max_iterations", limit=limit)
            self._is_stopped = True
        else:
            if self.progress is not None:
                self.progress(Progress(turn, self.deepest, self.backtracks))
            if self.interrupt is not None and self.interrupt():
                self.interrupted = self._is_stopped = True
        if self._is_stopped:
            self.iterations = turn
        return self._is_stopped

    def _next_look(self, iterations: int) -> int:
        end = limit_of(self.problem.budgets.max_iterations) + 1
        if self.interrupt is None and self.progress is None:
            return end
        return min(end, iterations + TURNS_BETWEEN_LOOKS)


_NO_LIMIT = 1 << 62


def limit_of(value: int | None) -> int:
    """Return a budget as a number, also where there is none."""
    return _NO_LIMIT if value is None else value
