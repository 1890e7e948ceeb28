"""How near a task is to something that can be done: the tasks opened, each the first subtask of the one before.

Left recursion (`get-to ?v ?l` asks for `get-to ?v ?m` and then drives from m to l) looks for a way backwards from where
it shall end, and nothing changes in the world meanwhile. Depth first, it walks every simple path of a region that has
no way out. Breadth first from the task, the nearest one is found that ends or begins with an action at once.
"""

from __future__ import annotations

from typing import Any

from planvow.hddl.lifted.agenda import GroundTask, Workshop

MAX_OPENED = 2_000
"""Tasks opened by one measurement; what is further away counts as far."""
FAR = 1 << 30


class Nearness:
    """Distances of tasks in the current state, measured anew when that has changed."""

    def __init__(self, workshop: Workshop) -> None:
        self._workshop = workshop
        self._key = 0
        self._known: dict[int, int] = {}
        """Distances by the serials of tasks, in the state in which they were measured."""
        self.opened = 0
        """Tasks opened so far: the measure of effort."""

    def measure(self, task: GroundTask) -> None:
        """Measure how far a task is, and all that lie on the shortest ways from it."""
        facts = self._workshop.facts
        key = facts.state ^ facts.initial
        if key != self._key:
            self._key = key
            self._known = {}
        if task.serial in self._known:
            return
        self._known[task.serial] = FAR
        openers: dict[int, list[int]] = {task.serial: []}
        queue = [task]
        for opened in queue:  # grows while it is walked
            if len(openers) > MAX_OPENED:
                return
            self.opened += 1
            if self._open(opened, openers, queue):
                self._spread(opened.serial, openers)
                return

    def of(self, subtasks: tuple[Any, ...]) -> int:
        """Return how far the first of some subtasks is: 0 for an action, or where there is none."""
        if not subtasks or subtasks[0].is_action:
            return 0
        return 1 + self._known.get(subtasks[0].serial, FAR)

    def _open(self, task: GroundTask, openers: dict[int, list[int]], queue: list[GroundTask]) -> bool:
        """Note the tasks that a task may begin with; return whether it may end, or begin with an action, at once."""
        facts, deadline = self._workshop.facts, self._workshop.problem.deadline
        for choice in self._workshop.children(task):
            deadline.spend()
            if choice is None:
                continue
            if not choice[1]:
                return True
            first = choice[1][0]
            if not first.is_possible or first.must & ~facts.state or first.must_not & facts.state:
                continue
            if first.is_action:
                return True
            if first.serial not in openers:
                openers[first.serial] = []
                queue.append(first)
            openers[first.serial].append(task.serial)
        return False

    def _spread(self, serial: int, openers: dict[int, list[int]]) -> None:
        """Count from the nearest task back to those that open it."""
        self._known[serial] = 0
        reached = [serial]
        counted = {serial}
        for near in reached:  # grows while it is walked
            for opener in openers[near]:
                if opener not in counted:
                    counted.add(opener)
                    self._known[opener] = self._known[near] + 1
                    reached.append(opener)
