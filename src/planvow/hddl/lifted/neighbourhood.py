"""A better plan from a plan: parts of its tree are broken down anew while everything around them stays.

A window is a row of sister tasks. The actions before it lead to a state; those after it, folded into one agenda, say
what they need; between the two a depth-first run looks for a way to do the window's tasks that is cheaper and leaves
what is needed. Small windows come first, at every place, then larger ones, up to the whole plan; a sweep that found
nothing is repeated with more effort for each window and other ties. Tasks that were done although nothing was to be
done, detours and undone steps go this way, and a long plan is many windows, none of them harder for it.

Only actions are held against what follows; whether the methods that stay may still be used is for the caller to say
(`accepts`), who verifies the whole plan. It nearly always may, and on plans of thousands of actions that would be most
of the work: so the caller is asked after one change, two more, four more, and at last. Once the answer is no, what was
done since is undone, and from then on it is asked after every change. Totally ordered trees only.

Idea: Nakhost and Müller, Action Elimination and Plan Neighborhood Graph Search (ICAPS 2010), here on trees.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from planvow.hddl.lifted.agenda import Agenda, Workshop
from planvow.hddl.lifted.depth_first import DepthFirst
from planvow.hddl.lifted.derivation import Node, in_order, replay
from planvow.hddl.lifted.facts import key_of
from planvow.hddl.lifted.prices import Prices

SMALLEST_WINDOW = 4
"""Actions of the smallest windows; the next ones have twice as many."""
EFFORT_PER_ACTION = 8
"""What a run may spend on each action of its window in the first sweep; twice as much in the next."""
ACTIONS_PER_EFFORT = 20
"""Actions replayed or verified that count as one unit of effort."""
MAX_SWEEPS = 6


def looking(executed: list[Node]) -> int:
    """Return what it costs to look at a whole plan once."""
    return 1 + len(executed) // ACTIONS_PER_EFFORT


class _Window:
    """Some children of a node, and the places of their first action and of the first one after them."""

    __slots__ = ("end", "first", "last", "parent", "start")

    def __init__(self, parent: Node, first: int, last: int, start: int, end: int) -> None:
        self.parent, self.first, self.last, self.start, self.end = parent, first, last, start, end


class Neighbourhood:
    """Looks for cheaper plans around one. `solution` is the best found, if any is better."""

    name = "neighbourhood"

    def __init__(
        self, workshop: Workshop, root: Node, prices: Prices, accepts: Callable[[Node, list[Node]], bool]
    ) -> None:
        self._workshop = workshop
        self._root = root
        self._prices = prices
        self._accepts = accepts
        self.effort = 0
        self.solution: tuple[Node, list[Node]] | None = None
        self._unasked: list[tuple[Node, tuple[Node, ...]]] = []
        """Changes that the caller was not asked about: nodes, and their children before."""
        self._most_unasked = 1
        self._is_trusted = True
        self._is_whole = self._follow()

    def run(self, effort: int) -> None:
        """Spend no more than so much effort, what was spent at the beginning included."""
        stop = effort
        sweep = 0
        while self._is_whole and self.effort + 2 * self._looking < stop and sweep < MAX_SWEEPS:
            if not self._sweep(sweep, stop):
                sweep += 1
        if self._unasked:
            self._ask()

    def _sweep(self, number: int, stop: int) -> bool:
        """Try every window once; return whether the plan became better."""
        is_better = False
        size = SMALLEST_WINDOW
        while size < 2 * len(self._executed):
            tried: set[tuple[int, int]] = set()
            for window in self._windows(size):
                left = stop - self.effort - 2 * self._looking
                if left <= 0:
                    return is_better
                if (window.start, window.end) in tried or not self._is_there(window):
                    continue
                tried.add((window.start, window.end))
                slice_effort = (window.end - window.start + 2) * EFFORT_PER_ACTION << number
                if self._try(window, number, min(slice_effort, left)):
                    is_better = True
            size *= 2
        return is_better

    def _windows(self, size: int) -> Iterator[_Window]:
        """Yield rows of children with about so many actions, from the left; those of a plan that has changed lapse."""
        spans = self._spans
        for parent in list(self._parents):
            children = parent.children
            first = 0
            while first < len(children):
                start, last = spans[id(children[first])][0], first
                while last + 1 < len(children) and spans[id(children[last])][1] - start < size:
                    last += 1
                end = spans[id(children[last])][1]
                if end - start <= 2 * size and any(child.method is not None for child in children[first : last + 1]):
                    yield _Window(parent, first, last + 1, start, end)
                if self._spans is not spans:
                    return
                first = (first + last) // 2 + 1

    def _is_there(self, window: _Window) -> bool:
        return id(window.parent) in self._spans

    def _try(self, window: _Window, seed: int, effort: int) -> bool:
        """Look for a cheaper way through a window; put it into the plan if the whole is accepted."""
        tables = self._workshop.tables
        nodes = window.parent.children[window.first : window.last]
        rest = self._rest(window.end)
        agenda = self._workshop.book.put([tables[node.task][key_of(node.objects)] for node in nodes], rest)
        limit = _Limit(self._prices, rest, sum(self._costs[window.start : window.end]))
        run = DepthFirst(
            self._workshop, guided=True, seed=seed, limit=limit, start=(agenda, rest, self._states[window.start])
        )
        run.run(effort)
        self.effort += max(1, run.effort)
        if run.plan is None:
            return False
        before = window.parent.children
        made = replay(self._workshop.problem, nodes, run.plan)
        window.parent.children = (*before[: window.first], *made, *before[window.last :])
        self.effort += self._looking
        self._unasked.append((window.parent, before))
        unasked = len(self._unasked)
        if unasked >= self._most_unasked and not self._ask():
            self._is_whole = unasked == 1 or self._follow()
            return False
        self._is_whole = self._follow()
        return self._is_whole

    def _ask(self) -> bool:
        """Keep the changes since the caller was asked last if the whole is accepted, else undo them."""
        executed = in_order(self._root)
        is_accepted = self._accepts(self._root, executed)
        if is_accepted:
            self.solution = (self._root, executed)
            self._most_unasked *= 2 if self._is_trusted else 1
        else:
            for parent, children in reversed(self._unasked):
                parent.children = children
            self._most_unasked, self._is_trusted = 1, False
        self._unasked = []
        return is_accepted

    def _follow(self) -> bool:
        """Carry the plan out and note states, costs and spans; say whether it works."""
        workshop = self._workshop
        executed = self._executed = in_order(self._root)
        self._looking = looking(executed)
        self.effort += self._looking
        actions = self._actions = [workshop.tables[node.task][key_of(node.objects)] for node in executed]
        facts, deadline = workshop.facts, workshop.problem.deadline
        facts.move_to(0)
        self._states = [0]
        for action in actions:
            deadline.spend()
            if workshop.apply(action) is None:
                return False
            self._states.append(facts.state ^ facts.initial)
        self._costs = [self._prices.of(node.task, node.objects) for node in executed]
        self._rests: list[Agenda] = [workshop.book.empty]
        self._measure()
        return True

    def _rest(self, place: int) -> Agenda:
        """Return the agenda of all actions from a place on, made when asked for: what stands before is often never."""
        rests, actions, workshop = self._rests, self._actions, self._workshop
        while len(rests) <= len(actions) - place:
            workshop.problem.deadline.spend()
            rests.append(workshop.book.put((actions[-len(rests)],), rests[-1]))
        return rests[len(actions) - place]

    def _measure(self) -> None:
        """Note for every node the places of its first action and of the first one after it."""
        self._spans: dict[int, tuple[int, int]] = {}
        self._parents: list[Node] = []
        place = 0
        pending: list[tuple[Node, int]] = [(self._root, -1)]
        while pending:
            node, start = pending.pop()
            if start >= 0:
                self._spans[id(node)] = (start, place)
            elif node.method is None:
                self._spans[id(node)] = (place, place + 1)
                place += 1
            else:
                self._parents.append(node)
                pending.append((node, place))
                pending += [(child, -1) for child in reversed(node.children)]


class _Limit:
    """Ways through a window that cost less than the one known. `rest` is what follows, whose price stays."""

    def __init__(self, prices: Prices, rest: Agenda, price: float) -> None:
        self._prices = prices
        self._rest = rest
        self._price = price

    def allows(self, price: float, agenda: Agenda) -> bool:
        """Say whether a way may go on with an agenda after actions of a price: what is left costs something too."""
        ahead: float = 0
        task: Any = agenda.task
        while agenda is not self._rest and task is not None and task.is_action:
            ahead += self._prices.of(task.task, task.objects)
            agenda = agenda.rest
            task = agenda.task
        return price + ahead < self._price

    def price(self, action: Any) -> float:
        """Return what an action adds."""
        return self._prices.of(action.task, action.objects)
