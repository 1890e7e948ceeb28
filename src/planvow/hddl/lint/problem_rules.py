"""The rules for a problem: what it asks for and can never have, in the order of its file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from planvow.hddl.language.formula import And
from planvow.hddl.language.model import Effect, HddlProblem, InitialNetwork
from planvow.hddl.lint.finding import INFO, Lint
from planvow.hddl.lint.rules import contradiction, reached, terms_of, unordered, unused_of
from planvow.hddl.lint.summary import Fact, Summary, literals


def lint_problem(problem: HddlProblem, summary: Summary | None = None) -> list[Lint]:
    """Return what a problem says and hardly means; offsets are those of its own file."""
    rules = _Rules(problem, summary or Summary(problem.domain))
    found = list(rules.goal())
    if problem.initial is not None:
        found += [*rules.variables(problem.initial), *rules.tasks(problem.initial)]
    return sorted(found, key=lambda lint: (lint.at, lint.code))


class _Rules:
    def __init__(self, problem: HddlProblem, summary: Summary) -> None:
        self.problem = problem
        self.summary = summary
        self.true = {Fact(fact.predicate, fact.arguments) for fact in problem.init}
        self.effects: dict[tuple[str, bool], list[tuple[Effect, dict[str, set[str]]]]] = {}
        """By predicate and whether it becomes true: the effects of the actions that can be met, with their choices."""
        used = reached(problem)
        for action in problem.domain.actions:
            for effect in action.effects if action.name in used else ():
                choices = {p.name: set(problem.choices_for(p)) for p in (*action.parameters, *effect.parameters)}
                self.effects.setdefault((effect.atom.predicate, not effect.is_delete), []).append((effect, choices))

    def goal(self) -> Iterator[Lint]:
        """Find goals that contradict each other, and those that are not there and that nothing brings about."""
        goal = self.problem.goal
        fault = contradiction((goal,))
        if fault:
            yield Lint(code="GOAL_NEVER_HOLDS", at=goal.at, message=f"the goal can never be reached: {fault}")
            return
        for part in goal.parts if isinstance(goal, And) else (goal,):
            for fact in literals(part):
                if not self._can_hold(fact):
                    yield Lint(
                        code="GOAL_NEVER_HOLDS",
                        at=part.at,
                        message=f"the goal can never be reached: {fact} does not hold at the beginning and no action "
                        "that can be met makes it so",
                    )

    def variables(self, initial: InitialNetwork) -> Iterator[Lint]:
        """Find variables that nothing uses, and those for which there is no object."""
        network = initial.network
        used = {term for subtask in network.subtasks for term in subtask.arguments} | {*terms_of(network.constraint)}
        yield from unused_of(initial.parameters, used, "no task of the problem uses {}: every object is tried in vain")
        for parameter in initial.parameters:
            if not self.problem.choices_for(parameter):
                yield Lint(
                    code="TASK_NEVER_APPLIES",
                    at=parameter.at,
                    message=f"there is no object for {parameter.name} ({' or '.join(parameter.types)})",
                )

    def tasks(self, initial: InitialNetwork) -> Iterator[Lint]:
        """Find tasks that can never be finished or begun, and orders that seem to be missing."""
        for subtask in initial.network.subtasks:
            if subtask.task not in self.summary.ends:
                message = f"the problem asks for {subtask.task}, which can never be finished"
                yield Lint(code="TASK_NEVER_ENDS", at=subtask.at, message=message)
                continue
            needed = sorted(self.summary.bound(self.summary.needs[subtask.task], subtask))
            missing = next((fact for fact in needed if not self._can_hold(fact)), None)
            if missing is not None:
                yield Lint(
                    code="TASK_NEVER_APPLIES",
                    at=subtask.at,
                    message=f"{subtask.task} can never be done here: it needs {missing}, which does not hold at the "
                    "beginning and no action that can be met makes it so",
                )
        for lint in unordered("the problem", initial.network, self.true, self.summary):
            yield replace(lint, severity=INFO)  # tasks of a problem often help each other, in whichever order

    def _can_hold(self, fact: Fact) -> bool:
        """Whether a fact holds at the beginning or may be brought about; variables may stand for anything."""
        if fact.predicate == "=" or any(term.startswith("?") for term in fact.terms):
            return True
        if (fact._replace(positive=True) in self.true) == fact.positive:
            return True
        return any(
            all(
                term == argument or argument in choices.get(term, ())
                for term, argument in zip(effect.atom.arguments, fact.terms)
            )
            for effect, choices in self.effects.get((fact.predicate, fact.positive), ())
        )
