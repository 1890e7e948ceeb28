"""Random domains of plain functions, and a planner that is obviously right: it copies the state for every step.

The functions use what Python offers: they change lists, dictionaries and sets in place, delete and put back, look at
the order of keys, fail after they have written; methods return lists or are generators. They run on planvow's states
and, for the reference, on plain objects.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from types import GeneratorType, SimpleNamespace
from typing import Any

from planvow import Domain, Goal, MultiGoal, State
from planvow.kernel.domain.terms import Check
from planvow.kernel.world.values import thaw

KEYS = ("a", "b")


def condition(chance: random.Random):
    key, value = chance.choice(KEYS), chance.randint(0, 1)
    return chance.choice([
        lambda s: s.fact.get(key) == value,
        lambda s: s.fact.get(key) == value,
        lambda s: len(s.words[key]) < 2 + value,
        lambda s: s.day == value,
        lambda s: (value in s.seen) == bool(value),
        lambda s: next(iter(s.queue), None) == key,
        lambda s: s.box[key]["x"] == value,
    ])  # fmt: skip


def effect(chance: random.Random):
    key, value = chance.choice(KEYS), chance.randint(0, 1)

    def count(s):
        s.day = (s.day + 1) % 2

    def put(s):
        s.fact[key] = value

    def replace(s):
        s.fact = {**s.fact, key: value}

    def lengthen(s):
        s.words[key] = [*s.words[key], value]

    def go_last(s):
        if key in s.queue:
            s.queue[key] = s.queue.pop(key)

    def inside(s):
        s.box[key]["x"] = value

    return chance.choice([
        count, count, put, put, put, replace, lengthen, go_last, inside,
        lambda s: s.fact.pop(key, None), lambda s: s.queue.pop(key, None),
        lambda s: s.words[key].append(value), lambda s: s.seen.add(value), lambda s: s.seen.discard(value),
    ])  # fmt: skip


class RandomProblem:
    """A domain without recursion, a state and an agenda, all from one number."""

    def __init__(self, seed: int) -> None:
        self._chance = chance = random.Random(seed)
        self.tasks = [f"t{i}" for i in range(chance.randint(1, 4))]
        self.commands = {f"c{i}": self._command() for i in range(chance.randint(1, 4))}
        self.has_goals = chance.random() < 0.5
        self.goal_methods = [self._method([], with_goals=False) for _ in range(chance.randint(1, 3) * self.has_goals)]
        self.methods = {
            task: [
                self._method(self.tasks[place + 1 :], with_goals=self.has_goals) for _ in range(chance.randint(1, 3))
            ]
            for place, task in enumerate(self.tasks)
        }
        self.agenda = self._items(self.tasks, chance.randint(1, 3), with_goals=self.has_goals)
        self.start = {
            "fact": {key: chance.randint(0, 1) for key in KEYS if chance.random() < 0.8},
            "words": {key: [] for key in KEYS}, "box": {key: {"x": 0} for key in KEYS},
            "queue": dict.fromkeys(KEYS, 1), "day": chance.randint(0, 1),
            "seen": {0} if chance.random() < 0.5 else set(),
        }  # fmt: skip

    def state(self) -> State:
        return State(copy.deepcopy(self.start))

    def domain(self) -> Domain:
        domain = Domain("random")
        for name, model in self.commands.items():
            domain.command(model, name=name)
        for task, methods in self.methods.items():
            for number, method in enumerate(methods):
                domain.method(task=task, name=f"m{number}")(method)
        for number, method in enumerate(self.goal_methods):
            domain.method(goal="fact", name=f"g{number}")(method)
        return domain

    def _command(self):
        needs = [condition(self._chance) for _ in range(self._chance.choice([0, 0, 1, 2]))]
        does = [effect(self._chance) for _ in range(self._chance.choice([0, 1, 1, 2, 3]))]
        is_late, no = self._chance.random() < 0.15, self._chance.choice([None, False])

        def model(state):
            if not is_late and not all(need(state) for need in needs):
                return no
            for change in does:
                change(state)
            return no if is_late and not all(need(state) for need in needs) else state

        return model

    def _method(self, below, *, with_goals):
        needs = [condition(self._chance) for _ in range(self._chance.choice([0, 0, 1]))]
        is_generator = self._chance.random() < 0.3
        lists = [
            self._items(below, self._chance.choice([0, 1, 1, 2, 2, 3]), with_goals=with_goals)
            for _ in range(self._chance.choice([1, 2, 3]) if is_generator else 1)
        ]

        def one(state, *_):
            return list(lists[0]) if all(need(state) for need in needs) else None

        def several(state, *_):
            for items in lists:
                if all(need(state) for need in needs):
                    yield list(items)

        return several if is_generator else one

    def _items(self, below, count, *, with_goals):
        return [self._item(below, with_goals=with_goals) for _ in range(count)]

    def _item(self, below, *, with_goals):
        draw = self._chance.random()
        if with_goals and draw < 0.15:
            return Goal("fact", self._chance.choice(KEYS), self._chance.randint(0, 1))
        if with_goals and draw < 0.25:
            return MultiGoal(fact={key: self._chance.randint(0, 1) for key in KEYS})
        return (self._chance.choice([*self.commands, *self.commands, *below]),)


class TooManyError(Exception):
    """The reference has looked at more nodes than it wants to."""


def reference_plans(
    problem: RandomProblem, agenda, state: SimpleNamespace, *, banned=(), limit: int = 3000
) -> Iterator[tuple[Any, tuple[Any, ...], SimpleNamespace]]:
    """Yield (derivation, plan, final state) of every plan, in the order of the methods."""
    nodes = 0

    def holds(state, goal) -> bool:
        goals = goal.goals() if isinstance(goal, MultiGoal) else [goal]
        return all(g[1] in state.fact and state.fact[g[1]] == g[2] for g in goals)

    def ways(item, state):
        if isinstance(item, MultiGoal):
            missing = [goal for goal in item.goals() if not holds(state, goal)]
            yield "split", [*missing, item]
            if len(missing) > 1:
                for goal in missing:
                    yield "split", [goal, item]
            return
        is_goal = isinstance(item, Goal)
        for number, method in enumerate(problem.goal_methods if is_goal else problem.methods[item[0]]):
            answer = method(state)
            for items in answer if isinstance(answer, GeneratorType) else [answer]:
                if items is not None:
                    yield (number, repr(items)), items

    def seek(state, agenda, derivation, plan):
        nonlocal nodes
        nodes += 1
        if nodes > limit:
            raise TooManyError
        if not agenda:
            yield derivation, plan, state
            return
        item, rest = agenda[0], agenda[1:]
        is_goal = isinstance(item, Goal | MultiGoal)
        if isinstance(item, Check) or (is_goal and holds(state, item)):
            if holds(state, item.goal if isinstance(item, Check) else item):
                yield from seek(state, rest, (*derivation, "held"), plan)
        elif not is_goal and item[0] in problem.commands:
            after = copy.deepcopy(state)
            if item not in banned and problem.commands[item[0]](after) is after:
                yield from seek(after, rest, (*derivation, item), (*plan, item))
        else:
            check = (Check(item),) if is_goal else ()
            for how, items in ways(item, state):
                yield from seek(state, (*items, *check, *rest), (*derivation, how), plan)

    yield from seek(state, tuple(agenda), (), ())


def plainly(state: State) -> SimpleNamespace:
    """Return a state as the reference has it."""
    return SimpleNamespace(**{
        predicate: {key: thaw(value) for key, value in held.items()} if isinstance(held, dict) else thaw(held)
        for predicate, held in vars(state).items()
    })  # fmt: skip


def content(state: SimpleNamespace) -> Any:
    """Return all that a function could see in a state, the order of keys included."""
    return {
        predicate: list(held.items()) if isinstance(held, dict) else held for predicate, held in vars(state).items()
    }
