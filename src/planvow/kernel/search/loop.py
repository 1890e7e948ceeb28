"""Depth-first search over decompositions: the one loop.

The agenda is the list of items that is being worked through and the lists behind it, which branches share, so pushing
and coming back cost next to nothing. The path is a list of nodes with parent numbers, cut off when the search comes
back. The state undoes its own writes. A node with alternatives leaves a choice point, and failing means taking the next
alternative of the latest one. There is no recursion: plan length is bounded by budgets. Alternatives are tried in order
and one at a time, so two runs visit the same nodes.

`kernel.search.plain` is the same algorithm on one page, and this module is held to it. `_forward` is the one part that
is denser than the others: a call costs as much as a twelfth of a turn, so what every turn needs stands in one place,
and what is rare is handed on to `_meet` and `_break_down` (`kernel.search.stepping`).

The loop keeps nothing for explanations. Whoever wants to know more runs it again with a `Watcher` and gets the same
answer.

Algorithm: total-order forward decomposition (SHOP, GTPyhop) with chronological backtracking; seed 001, section 3.1.
"""

from __future__ import annotations

from collections.abc import Generator

from planvow.budgets import BudgetHit
from planvow.errors import PlanvowError
from planvow.kernel.errors import DomainFunctionError, raised_at
from planvow.kernel.search.agenda import NODE
from planvow.kernel.search.choice import choice_at
from planvow.kernel.search.standing import limit_of
from planvow.kernel.search.stepping import NOT_ASKED, Stepping
from planvow.kernel.search.table import COMMAND, TASK
from planvow.kernel.search.watcher import Found


class Search(Stepping):
    """One search of one problem. `run` yields plans until the space or a budget is exhausted."""

    __slots__ = ()

    def run(self) -> Generator[Found, None, None]:
        """Yield plans in order; with `optimal` set, each is cheaper than the one before."""
        try:
            while self._forward():
                found = self._found()
                if found is not None:
                    yield found
                if not self._back():
                    return
        except PlanvowError as error:
            function = self._function_called_last()
            if error.place is None and function is not None:
                error.place = raised_at(function, error)
            raise
        except Exception as error:
            function = self._function_called_last()
            if function is None:
                raise
            self._blame_the_item(function, error)
            raise DomainFunctionError(function, self._item, error) from error
        finally:
            if self.hit is None and self._conditions.gave_up:
                self.hit = BudgetHit(budget="max_iterations", limit=limit_of(self.problem.budgets.max_iterations))
            self.iterations = min(self.iterations, limit_of(self.problem.budgets.max_iterations))

    def _forward(self) -> bool:  # noqa: C901
        """Work the agenda off, going back where that fails; return whether nothing is left: then the path is a plan."""
        by_name, nodes, state, log, guard = self._table.by_name, self.path.nodes, self.state, self._log, self._guard
        while True:
            siblings, index, parent_id, depth, behind, items_behind = self._agenda
            is_stuck, (post, post_end, post_item) = True, guard.post
            for self.iterations in range(self.iterations + 1, self._alarm):  # noqa: B020
                if index == len(siblings):
                    if behind is None:
                        return True
                    siblings, index, parent_id, depth, behind, items_behind = behind
                item = told = siblings[index]
                index += 1
                try:
                    entry = by_name[item[0]] if type(item) is tuple else None
                except (KeyError, IndexError, TypeError):
                    entry = None
                if entry is None:
                    item, told, entry = self._unusual(item, parent_id)
                if depth > self.deepest:
                    if depth > self._max_depth and not self._cut("max_depth", self._max_depth, parent_id, told):
                        break
                    self.deepest = depth
                kind, how, mark = entry.kind, entry.how, len(log)
                if entry.function is None:  # more than one function decides
                    self._agenda = siblings, index, parent_id, depth, behind, items_behind
                    is_stuck = not self._meet(entry, item, told)
                    break
                if kind is TASK and (not post < depth < post_end or (item == post_item and not guard.has_moved())):
                    agenda = siblings, index, parent_id, depth, behind, items_behind
                    if (reason := guard.look(agenda, len(nodes) // NODE + 1, item)) is not None:
                        self._leave_circle(reason, agenda, item, told)
                        break
                    post, post_end, post_item = guard.post
                try:
                    answer = entry.function(*item[1:])
                except Exception as error:
                    answer = self._call_again(error, entry, item, mark, parent_id)
                if kind is COMMAND:
                    if answer is state or self._outcome(answer, how, mark) is None:
                        nodes.extend((told, parent_id, how, mark))
                        continue
                    break
                if (type(answer) is not list and type(answer) is not tuple) or len(log) != mark:
                    self._agenda = siblings, index, parent_id, depth, behind, items_behind
                    is_stuck = not self._break_down(self._choice(entry, item, told, mark), answer)
                    break
                nodes.extend((told, parent_id, how, mark))
                if entry.others is not None:
                    agenda = siblings, index, parent_id, depth, behind, items_behind
                    self._choices.append(choice_at(len(nodes) // NODE, agenda, entry, item, told, mark))
                if index < len(siblings):
                    behind = siblings, index, parent_id, depth, behind, items_behind
                    items_behind += len(siblings) - index
                siblings, index, parent_id, depth = answer, 0, len(nodes) // NODE, depth + 1
            else:
                self._agenda = siblings, index, parent_id, depth, behind, items_behind
                is_stuck = self._must_stop_before_next_turn()
            if is_stuck and not self._back():
                return False

    def _back(self) -> bool:
        """Return to the latest node with alternatives left and take one, until one applies; say whether one does."""
        while not self._is_stopped:
            if self.iterations + 1 >= self._alarm and self._must_stop_before_next_turn():
                return False
            self.iterations += 1
            if not self._choices:
                return self._start_deeper()
            choice = self._choices.pop()
            if self._jumper is not None:
                self._jumper.back(choice, self._agenda[2])
            if self._learner is not None:
                self._learner.back(choice, self._agenda[2])
            self._restore(choice.node_id, choice.mark)
            if choice.conditions_mark is not None:
                self._conditions.undo(choice.conditions_mark)
            if self.watcher is not None:
                self.watcher.back(choice.node_id)
            if self._jumper is not None and self._jumper.passes_over(choice):
                self._jumper.failed(TASK, None, None, ())
            elif self._break_down(choice, NOT_ASKED):
                return True
            self._agenda = choice.agenda  # the dead end is the node itself
        return False

    def _start_deeper(self) -> bool:
        """Begin again with deeper nesting allowed, if the loop guard has cut something that might matter."""
        if not self._guard.cut_nested:
            return False
        self._jumper = None
        self._restore(0, 0)
        if self.watcher is not None:
            self.watcher.back(0)
        self._conditions.restart()
        self._guard.restart()
        if self._learner is not None:
            self._learner.restart()
        self._agenda = self._start
        return True
