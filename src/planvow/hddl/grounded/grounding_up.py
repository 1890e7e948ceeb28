"""Grounding from the actions up: for problems whose methods call far more tasks than can ever be completed.

The same semi-naive Datalog as `grounding`, read the other way round. A fact of a task here means that the task can be
completed: an action once its preconditions are reached, a compound task once all subtasks of one of its methods
can be completed. Nothing is called, so tasks that the root never needs are grounded too; in exchange, a method
whose subtasks only rarely fit together (many variables, tied by what the subtasks need) is found by joining the
subtasks instead of guessing.

Source: Behnke et al., On Succinct Groundings of HTN Planning Problems (AAAI 2020), whose grounder starts from the
actions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from planvow.hddl.grounded.grounding import Call, Grounder, Trigger, values_text
from planvow.hddl.lifted.joins import Joiner, Rule
from planvow.hddl.lifted.schema import EQUAL, Literal


class UpwardGrounder(Grounder):
    """Completes what can be completed. The results look like those of `Grounder`."""

    def _begin(self) -> None:
        """Write the joins, complete what needs nothing first and reach what holds at the beginning."""
        self._triggers, beginnings = self._rules()
        for beginning in beginnings:
            self._complete_all(beginning())
        self._reach_initial()

    def _enter(self, item: Call) -> None:
        """Follow a fact that is new, or a task that can be completed."""
        predicates = len(self._problem.predicates)
        if predicates <= item[0] < predicates + self._problem.action_count:
            self._apply(self.calls[item[0] - predicates, item[1]])
        trigger = self._triggers[item[0]]
        if trigger is not None:
            self._complete_all(trigger(*item[1]))

    def call(self, task: int, objects: tuple[int, ...]) -> int:
        """Return the number of a ground task that can be completed, noting it if it is new."""
        number = self.calls.get((task, objects))
        if number is None:
            self._spend()
            number = self.calls[task, objects] = len(self.calls)
            self.call_list.append((task, objects))
            self._queue.append((len(self._problem.predicates) + task, objects))
        return number

    def _complete_all(self, found: Iterator[Any]) -> None:
        actions = self._problem.action_count
        entries = []
        for entry in found:  # to the end before anything is completed, which changes the tables that are joined
            self._problem.deadline.spend()
            entries.append(entry)
        for entry in entries:
            self._spend()
            if entry is None:
                continue
            number, values = entry
            if number < actions:
                self.call(number, values)
            elif (number - actions, values) not in self.methods:
                method = number - actions
                schema = self._problem.methods[method]
                self.methods[method, values] = None
                self.call(schema.task, tuple(values[t] if t >= 0 else ~t for t in schema.arguments))

    def _rules(self) -> tuple[list[Trigger], list[Callable[..., Iterator[Any]]]]:
        """Write the joins: for every predicate (or task) those it can set off, and those that need nothing first.

        Actions are rules under their own numbers, methods under theirs plus the number of actions.
        """
        problem = self._problem
        predicates = len(problem.predicates)
        domains = (*problem.predicate_domains, *problem.task_domains)
        joiner = Joiner(problem, self._reached, copies=False)
        bodies: list[tuple[int, tuple[int, ...], list[Literal]]] = []
        for number, action in enumerate(problem.actions):
            bodies.append((number, action.domains, [lit for lit in action.condition.literals if self._is_kept(lit)]))
        for number, method in enumerate(problem.methods):
            if self._lookahead.can_finish(method):
                rule = self._lookahead.rule(number)
                body = [literal for literal in rule.literals if self._is_kept(literal)]
                body += [Literal(predicates + task, terms) for task, terms in method.subtasks]
                bodies.append((problem.action_count + number, method.domains, list(dict.fromkeys(body))))
        entries: list[list[Rule]] = [[] for _ in domains]
        beginnings: list[Rule] = []
        for number, variables, body in bodies:
            moving = [index for index, literal in enumerate(body) if self._is_moving(literal)]
            if not moving:
                beginnings.append(Rule(number, (), (), variables, tuple(body), ()))
            for index in moving:
                others = tuple(literal for other, literal in enumerate(body) if other != index)
                head = body[index]
                entries[head.predicate].append(Rule(number, head.terms, domains[head.predicate], variables, others, ()))
        triggers = [joiner.generator(rules, values_text) if rules else None for rules in entries]
        return triggers, [joiner.generator([rule], values_text) for rule in beginnings]

    def _is_moving(self, literal: Literal) -> bool:
        """Whether the literal may become true while the grounder works."""
        if literal.predicate == EQUAL:
            return False
        return literal.predicate >= len(self._problem.predicates) or not self._problem.is_rigid[literal.predicate]
