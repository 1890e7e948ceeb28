"""Depth-first search over decompositions of a totally ordered problem.

The leftmost task of the agenda is decomposed; actions at the front are carried out at once. The stack is explicit,
the state is one store with undo, agendas are shared. A node is cut when

* its state lacks what the agenda needs (`agenda`: look-ahead over all that is left to do, the goal included);
* the same state with the same agenda was met before: whatever follows from it was or is being looked at;
* a task would be decomposed inside itself with nothing changed in between (`t → [t, a]`) more often than `repeats`
  allows. This third rule may lose plans, so a search that used it and ended without a plan has proved nothing
  (`cuts` says so);
* with a `limit` on length: no plan from here on can be short enough.

Algorithm: total-order forward decomposition (Nau et al., SHOP), with the look-ahead of PANDADealer.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple, Protocol

from planvow.hddl.lifted.agenda import Agenda, GroundTask, Workshop
from planvow.hddl.lifted.nearness import Nearness

MAX_REORDERED = 128
"""Decompositions of one task that are shuffled or ranked; further ones follow in their own order."""
CHILDREN_PER_EFFORT = 4
"""Ranked or shuffled children that count as one unit of effort."""


class Choice(NamedTuple):
    """A task, the number of the method chosen for it, and the subtasks."""

    task: Any
    method: int
    subtasks: tuple[Any, ...]


class LengthLimit(Protocol):
    """Which plans are short enough."""

    def allows(self, price: float, agenda: Agenda) -> bool:
        """Say whether a plan may go on with an agenda after actions of a price."""
        ...

    def price(self, action: Any) -> float:
        """Return what an action adds to the price."""
        ...


class _Ancestor:
    """A task being decomposed: all agendas longer than `length` belong to its subtree."""

    __slots__ = ("depth", "key", "length", "parent", "task")

    def __init__(self, task: GroundTask, length: int, key: int, parent: _Ancestor | None, depth: int) -> None:
        self.depth = depth
        self.task = task
        self.length = length
        self.key = key
        self.parent = parent


class _Frame:
    """A choice point: what is left to try, and what the current attempt changed."""

    __slots__ = ("ancestor", "children", "choice", "flipped", "length", "rest", "task")

    def __init__(
        self, task: GroundTask, rest: Agenda, children: Iterator[Any], ancestor: _Ancestor, length: float
    ) -> None:
        self.length = length
        self.task = task
        self.rest = rest
        self.children = children
        self.ancestor = ancestor
        self.flipped: list[int] = []
        self.choice: tuple[int, tuple[Any, ...]] | None = None


class DepthFirst:
    """One depth-first run, which can be continued slice by slice.

    `seed` 0 tries methods in the order of the file; any other number shuffles the children of every node. A guided run
    tries those children first after whose first actions the next tasks find most of what they must, and shuffles
    only those of equal rank; with `nearness` the nearest come before all others. After a plan a run can go on to the
    next one when `plan` is set to None again.

    `start` is the agenda to begin with, the end of it at which a run is done, and the state (`state ^ initial`).
    """

    def __init__(
        self,
        workshop: Workshop,
        *,
        seed: int = 0,
        repeats: int = 0,
        guided: bool = False,
        nearness: Nearness | None = None,
        max_depth: int | None = None,
        limit: LengthLimit | None = None,
        start: tuple[Agenda, Agenda, int] | None = None,
    ) -> None:
        self._workshop = workshop
        self._limit = limit
        self._seed = seed
        self._guided = guided
        self._nearness = nearness
        self._repeats = repeats
        self._max_depth = max_depth
        self._stack: list[_Frame] = []
        self._visited: dict[tuple[int, int], float] = {}
        """The nodes met, and after actions of which price at the least."""
        if start is None:
            empty = workshop.book.empty
            start = workshop.book.put((workshop.tables[workshop.problem.root][()],), empty), empty, 0
        self._start: Agenda | None = start[0]
        self._end, self._key = start[1:]
        self._shuffles = 0
        self.effort = 0
        """Expansions, and what else takes as long as one."""
        self.cuts = 0
        self.is_too_deep = False
        """Whether tasks or actions below `max_depth` were left out. The problem's own tasks have depth 1."""
        self.deepest = 0
        self.is_exhausted = False
        self.plan: list[Choice] | None = None

    def run(self, limit: int) -> None:
        """Go on for about `limit` units of effort, or until `plan` or `is_exhausted` is set.

        The workshop's state may be used by others between two calls.
        """
        facts = self._workshop.facts
        facts.move_to(self._key)
        deadline = self._workshop.problem.deadline
        stop = self.effort + limit
        agenda = self._start
        self._start = None
        while self.plan is None and self.effort < stop:
            deadline.spend()
            if agenda is not None:
                self._descend(agenda)
                agenda = None
            elif self._stack:
                agenda = self._next_child(self._stack)
            else:
                self.is_exhausted = True
                break
        self._key = facts.state ^ facts.initial

    def _next_child(self, stack: list[_Frame]) -> Agenda | None:
        workshop = self._workshop
        frame = stack[-1]
        if frame.flipped:
            workshop.undo(frame.flipped)
            frame.flipped = []
        for choice in frame.children:
            if choice is None:  # a join at work: counted, and the caller may look at the clock
                self.effort += 1
                return None
            if self._max_depth is not None and choice[1] and frame.ancestor.depth >= self._max_depth:
                self.is_too_deep = True
                continue
            agenda = workshop.book.put(choice[1], frame.rest)
            # A needed fact may be numbered only now: ask the store again.
            state = workshop.facts.state
            if not (agenda.is_dead or agenda.must & ~state or agenda.must_not & state):
                frame.choice = choice
                return agenda
        stack.pop()
        return None

    def _descend(self, agenda: Agenda) -> None:
        """Carry out the actions in front and open a choice point at the first compound task."""
        workshop = self._workshop
        facts = workshop.facts
        stack = self._stack
        limit = self._limit
        length: float = stack[-1].length if stack else 0
        flipped: list[int] = []
        while not agenda.is_dead:
            if limit is not None and not limit.allows(length, agenda):
                break
            task = agenda.task
            if agenda is self._end:
                if agenda.must & ~facts.state or agenda.must_not & facts.state:
                    break
                if task is None and workshop.goal_test is not None and not workshop.goal_test():
                    break
                self.plan = [Choice(frame.task, *frame.choice) for frame in stack if frame.choice is not None]
                break
            if task.is_action:
                changes = workshop.apply(task)
                if changes is None:
                    break
                flipped += changes
                agenda = agenda.rest
                length += 1 if limit is None else limit.price(task)
                continue
            if agenda.must & ~facts.state or agenda.must_not & facts.state:
                break
            key = facts.state ^ facts.initial
            node = (key, agenda.serial)
            soonest = self._visited.get(node)
            if soonest is not None and (limit is None or soonest <= length):
                break
            ancestor = self._ancestor(task, agenda, key)
            if ancestor is None:
                self.cuts += 1
                break
            self._visited[node] = length
            if stack:
                stack[-1].flipped = flipped
            self.effort += 1
            stack.append(_Frame(task, agenda.rest, self._children(task, agenda.rest), ancestor, length))
            if len(stack) > self.deepest:
                self.deepest = len(stack)
            return
        workshop.undo(flipped)

    def _children(self, task: GroundTask, rest: Agenda) -> Iterator[Any]:
        children = self._workshop.children(task)
        if self._guided:
            return self._ranked(task, children, rest)
        if not self._seed:
            return children
        first = [child for child in islice(children, MAX_REORDERED) if child is not None]
        return _chain(self._shuffled(first), children)

    def _ranked(self, task: GroundTask, children: Iterator[Any], rest: Agenda) -> Iterator[Any]:
        """Yield children in the order of their rank, the hopeless ones left out."""
        first = [child for child in islice(children, MAX_REORDERED) if child is not None]
        if len(first) > 1:
            self.effort += len(first) // CHILDREN_PER_EFFORT
            self._shuffles += 1
            self._measure(task)
            ranks = []
            deadline = self._workshop.problem.deadline
            for index, child in enumerate(first):
                deadline.spend(1 + len(child[1]))
                rank = self._rank(self._workshop.book.put(child[1], rest))
                if rank is not None:
                    near = 0 if self._nearness is None else self._nearness.of(child[1])
                    tie = mix(self._seed, self._shuffles, index) if self._seed else index
                    ranks.append((near, rank, tie, index))
            first = [first[index] for _, _, _, index in sorted(ranks)]
        yield from first
        yield from children

    def _measure(self, task: GroundTask) -> None:
        if self._nearness is not None:
            before = self._nearness.opened
            self._nearness.measure(task)
            self.effort += self._nearness.opened - before

    def _rank(self, agenda: Agenda) -> int | None:
        """Return how many wishes are open after the actions in front, or None when the agenda is hopeless.

        Past the end of the run there are only actions that stay: where that has what it needs, no wish is open.
        """
        workshop = self._workshop
        facts = workshop.facts
        flipped: list[int] = []
        rank: int | None = None
        if not (agenda.is_dead or agenda.must & ~facts.state or agenda.must_not & facts.state):
            while agenda is not self._end and agenda.task.is_action:
                changes = workshop.apply(agenda.task)
                if changes is None:
                    break
                flipped += changes
                agenda = agenda.rest
            else:
                state = facts.state
                if not (agenda.is_dead or agenda.must & ~state or agenda.must_not & state):
                    rank = 0
                    if agenda is not self._end:
                        rank = (agenda.wish & ~state).bit_count() + (agenda.wish_not & state).bit_count()
            workshop.undo(flipped)
        return rank

    def _shuffled(self, items: list[Any]) -> list[Any]:
        self._shuffles += 1
        self.effort += len(items) // CHILDREN_PER_EFFORT
        order = [(mix(self._seed, self._shuffles, index), index) for index in range(len(items))]
        return [items[index] for _, index in sorted(order)]

    def _ancestor(self, task: GroundTask, agenda: Agenda, key: int) -> _Ancestor | None:
        """Return the chain of tasks above a node with the node itself, or None when it repeats one of them."""
        above = self._stack[-1].ancestor if self._stack else None
        while above is not None and above.length >= agenda.length:
            above = above.parent
        left = self._repeats
        same = above
        while same is not None and same.key == key:
            if same.task is task:
                if left == 0:
                    return None
                left -= 1
            same = same.parent
        depth = 0 if above is None else above.depth + (task.task <= self._workshop.problem.root)
        return _Ancestor(task, agenda.length - 1, key, above, depth)


def _chain(first: list[Any], rest: Iterator[Any]) -> Iterator[Any]:
    yield from first
    yield from rest


def mix(*numbers: int) -> int:
    """Return a number that looks random and depends on nothing but the arguments (the finaliser of SplitMix64)."""
    value = 0
    for number in numbers:
        value = (value + number * 0x9E3779B97F4A7C15 + 0x632BE59BD9B4E019) & 0xFFFFFFFFFFFFFFFF
        value = ((value ^ value >> 30) * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
        value = ((value ^ value >> 27) * 0x94D049BB133111EB) & 0xFFFFFFFFFFFFFFFF
        value ^= value >> 31
    return value
