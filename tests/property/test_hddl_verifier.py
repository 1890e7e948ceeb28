"""The verifier and a brute-force reading of the definition agree on tiny random plans, right and wrong."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest

from hddl_oracle import is_right
from planvow.hddl.language.formula import TRUE, And, Atom, Equal, Exists, Not, Parameter, SortOf
from planvow.hddl.language.model import (
    Action,
    Effect,
    HddlDomain,
    HddlMethod,
    HddlProblem,
    InitialNetwork,
    Object,
    Predicate,
    Subtask,
    Task,
    TaskNetwork,
    Type,
)
from planvow.hddl.language.plan_format import Decomposition, HddlPlan, PlanStep, format_plan, parse_plan
from planvow.hddl.verify.verifier import Condition, verify_plan

X, Y = Parameter("?x", ("thing",)), Parameter("?y", ("thing", "tool"))
ARITY = {"act0": 0, "act1": 1, "act2": 2, "job0": 0, "job1": 1}


class Maker:
    """Makes random tiny problems and plans; the same ones for the same seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.problem = self._problem()

    def literal(self, terms):
        atom = self.random.choice((Atom("p"), Atom("q", (self.random.choice(terms),))))
        kind = self.random.random()
        if kind < 0.5:
            return atom
        if kind < 0.7:
            return Not(atom)
        if kind < 0.8:
            return Exists((Parameter("?e", ("tool",)),), Atom("q", ("?e",)))
        return TRUE

    def effects(self, terms):
        def one():
            condition = self.literal(terms) if self.random.random() < 0.2 else TRUE
            atom = self.random.choice((Atom("p"), Atom("q", (self.random.choice(terms),))))
            return Effect(atom=atom, is_delete=self.random.random() < 0.4, condition=condition)

        return tuple(one() for _ in range(self.random.randint(0, 2)))

    def network(self, terms, size):
        names = [self.random.choice(sorted(ARITY)) for _ in range(self.random.randint(0, size))]
        subtasks = tuple(
            Subtask(task=name, arguments=tuple(self.random.choice(terms) for _ in range(ARITY[name]))) for name in names
        )
        pairs = [(i, j) for i in range(len(names)) for j in range(i + 1, len(names)) if self.random.random() < 0.4]
        flip = self.random.random() < 0.3
        ordering = tuple((len(names) - 1 - i, len(names) - 1 - j) if flip else (i, j) for i, j in pairs)
        constraint = self.random.choice((TRUE, TRUE, Not(Equal(terms[0], terms[-1])), SortOf(terms[0], "tool")))
        return TaskNetwork(subtasks=subtasks, ordering=ordering, constraint=constraint)

    def method(self, name, task):
        terms = ("?x", "?y", "a")
        return HddlMethod(
            name=name,
            task=task,
            arguments=("?x",) if ARITY[task] else (),
            parameters=(X, Y),
            precondition=And((self.literal(terms), self.literal(terms))),
            network=self.network(terms, 3),
        )

    def _problem(self):
        actions = [
            Action(name="act0", precondition=self.literal("ab"), effects=self.effects("ab")),
            Action(name="act1", parameters=(X,), precondition=self.literal(("?x",)), effects=self.effects(("?x", "b"))),
            Action(name="act2", parameters=(X, Y), effects=self.effects(("?x", "?y"))),
        ]
        methods = [self.method(f"m{i}", self.random.choice(("job0", "job1"))) for i in range(4)]
        domain = HddlDomain(
            name="d",
            types=(Type(name="thing"), Type(name="tool", parents=("thing",))),
            constants=(Object(name="a", types=("thing",)), Object(name="b", types=("tool",))),
            predicates=(Predicate(name="p"), Predicate(name="q", parameters=(X,))),
            tasks=(Task(name="job0"), Task(name="job1", parameters=(X,))),
            methods=(HddlMethod(name="stop0", task="job0"), *methods),
            actions=tuple(actions),
        )
        return HddlProblem(
            name="p",
            domain=domain,
            init=tuple(f for f in (Atom("p"), Atom("q", ("a",)), Atom("q", ("b",))) if self.random.random() < 0.5),
            initial=InitialNetwork(parameters=(X,), network=self.network(("?x", "b"), 2)),
            goal=self.literal("ab") if self.random.random() < 0.2 else TRUE,
        )

    def plan(self):
        """Derive a plan from the root, then put the actions in some order."""
        steps, parts = [], []
        identifiers = iter(range(1, 1000))

        def derive(network, binding, depth):
            order = list(network.topological_order)
            made = {}
            for index in order:
                subtask = network.subtasks[index]
                arguments = tuple(binding.get(t, t) for t in subtask.arguments)
                made[index] = identifier = next(identifiers)
                if subtask.task.startswith("act"):
                    steps.append(PlanStep(step_id=identifier, action=subtask.task, arguments=arguments))
                    continue
                methods = [m for m in self.problem.domain.methods if m.task == subtask.task]
                if depth > 2 or not methods:
                    raise RecursionError
                method = self.random.choice(methods)
                inner = {"?x": self.random.choice("ab"), "?y": self.random.choice("ab")}
                inner.update(dict(zip(method.arguments, arguments)))
                children = derive(method.network, inner, depth + 1)
                parts.append(
                    Decomposition(
                        task_id=identifier,
                        task=subtask.task,
                        arguments=arguments,
                        method=method.name,
                        children=children,
                    )
                )
            return tuple(made[index] for index in order)

        initial = self.problem.initial
        roots = derive(initial.network, {"?x": self.random.choice("ab")}, 0)
        if self.random.random() < 0.4:
            self.random.shuffle(steps)
        if len(parts) > 4 or len(steps) > 5:
            raise RecursionError
        return HddlPlan(steps=tuple(steps), roots=roots, decompositions=tuple(parts))

    def mutated(self, plan):
        choice = self.random.randrange(8)
        steps, parts = list(plan.steps), list(plan.decompositions)
        if choice == 0 and steps:
            steps.pop(self.random.randrange(len(steps)))
        elif choice == 1 and steps:
            index = self.random.randrange(len(steps))
            steps[index] = replace(
                steps[index], arguments=tuple(self.random.choice("abc") for _ in steps[index].arguments)
            )
        elif choice == 2 and parts:
            index = self.random.randrange(len(parts))
            parts[index] = replace(parts[index], method=self.random.choice(("m0", "m1", "m2", "stop0", "no")))
        elif choice == 3 and parts:
            index = self.random.randrange(len(parts))
            children = list(parts[index].children)
            self.random.shuffle(children)
            parts[index] = replace(parts[index], children=tuple(children))
        elif choice == 4 and len(steps) > 1:
            i, j = self.random.sample(range(len(steps)), 2)
            steps[i], steps[j] = steps[j], steps[i]
        elif choice == 5:
            roots = list(plan.roots)
            self.random.shuffle(roots)
            return replace(plan, roots=tuple(roots[: len(roots) - self.random.randrange(2)]))
        elif choice == 6 and parts:
            parts.pop(self.random.randrange(len(parts)))
        return replace(plan, steps=tuple(steps), decompositions=tuple(parts))


@pytest.mark.parametrize("block", range(4))
def test_verifier_agrees_with_the_definition(block):
    seen = Counter()
    for seed in range(block * 700, (block + 1) * 700):
        maker = Maker(seed)
        for _ in range(4):
            try:
                plan = maker.plan()
            except RecursionError:
                continue
            for candidate in (plan, maker.mutated(plan), maker.mutated(maker.mutated(plan))):
                verdict = verify_plan(maker.problem, candidate)
                assert verdict.accepted == is_right(maker.problem, candidate), (seed, candidate, verdict)
                assert parse_plan(format_plan(candidate)) == candidate
                seen[verdict.fault and verdict.fault.condition] += 1
    assert min(seen[fault] for fault in (None, *Condition) if fault is not Condition.FORMAT) >= 5, seen
