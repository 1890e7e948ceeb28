"""Small random domains from plain data, and what they can do by brute force: a second opinion without search.

A description says, per command, what it needs and changes, and per task and method, what it needs and its subtasks. It
can be turned into a planvow domain, into plain functions, and into the set of all end states, computed as a least
fixed point over (task, state).
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from planvow import Domain, State

Facts = tuple[tuple[str, int], ...]
"""A state as sorted (name, value) pairs; an absent name is absent."""


@dataclass(frozen=True)
class Description:
    """A random domain, its start and its agenda."""

    commands: dict[str, tuple[Facts, tuple[tuple[str, int | None], ...]]]
    methods: dict[str, list[tuple[Facts, list[str]]]]
    start: Facts
    agenda: list[str]


def random_description(seed: int, *, recursive: bool = True) -> Description:
    chance = random.Random(seed)
    names = [f"v{i}" for i in range(chance.randint(1, 3))]
    tasks = [f"t{i}" for i in range(chance.randint(1, 4))]

    def needs() -> Facts:
        return tuple((name, chance.randint(0, 1)) for name in names if chance.random() < 0.35)

    def effects() -> tuple[tuple[str, int | None], ...]:
        return tuple((name, chance.choice([0, 1, 1, None])) for name in names if chance.random() < 0.6)

    commands = {f"c{i}": (needs(), effects()) for i in range(chance.randint(1, 4))}
    methods = {}
    for place, task in enumerate(tasks):
        below = tasks if recursive else tasks[place + 1 :]
        usable = [*commands, *commands, *below]
        methods[task] = [
            (needs(), [chance.choice(usable) for _ in range(chance.choice([0, 1, 1, 2, 2, 3]))])
            for _ in range(chance.randint(1, 3))
        ]
    agenda = [chance.choice([*tasks, *tasks, *commands]) for _ in range(chance.randint(1, 3))]
    return Description(commands, methods, tuple((name, chance.randint(0, 1)) for name in names), agenda)


def holds(needed: Facts, facts: Facts) -> bool:
    return set(needed) <= set(facts)


def changed(facts: Facts, effects) -> Facts:
    new = dict(facts)
    for name, value in effects:
        if value is None:
            new.pop(name, None)
        else:
            new[name] = value
    return tuple(sorted(new.items()))


def end_states(description: Description) -> set[Facts]:
    """Every state the agenda can end in: empty means that there is no plan."""
    table: dict[tuple[str, Facts], set[Facts]] = {}
    wanted: set[tuple[str, Facts]] = set()

    def after(item: str, facts: Facts) -> set[Facts]:
        if item in description.commands:
            needed, effects = description.commands[item]
            return {changed(facts, effects)} if holds(needed, facts) else set()
        wanted.add((item, facts))
        return table.get((item, facts), set())

    def after_all(items: list[str], facts: Facts) -> set[Facts]:
        reached = {facts}
        for item in items:
            reached = {end for one in reached for end in after(item, one)}
        return reached

    while True:
        goal = after_all(description.agenda, description.start)
        grown = False
        for task, facts in list(wanted):
            ends = set()
            for needed, subtasks in description.methods[task]:
                if holds(needed, facts):
                    ends |= after_all(subtasks, facts)
            if not ends <= table.get((task, facts), set()):
                table.setdefault((task, facts), set()).update(ends)
                grown = True
        if not grown and all(key in table or not _grows(table, key) for key in wanted):
            size = len(wanted)
            goal = after_all(description.agenda, description.start)
            if len(wanted) == size:
                return goal


def _grows(table, key) -> bool:
    if key in table:
        return False
    table[key] = set()
    return True


def functions(description: Description):
    """Return the commands and methods as functions over `state.v`, as GTPyhop and planvow both take them."""

    def make_command(name, needed, effects):
        def command(state):
            if any(state.v.get(key) != value for key, value in needed):
                return None
            for key, value in effects:
                if value is None:
                    state.v.pop(key, None)
                else:
                    state.v[key] = value
            state.log["n"] = state.log["n"] + 1  # GTPyhop drops actions that change nothing from its plans
            return state

        command.__name__ = name
        return command

    def make_method(name, needed, subtasks):
        def method(state):
            if any(state.v.get(key) != value for key, value in needed):
                return None
            return [(subtask,) for subtask in subtasks]

        method.__name__ = name
        return method

    commands = [make_command(name, *parts) for name, parts in description.commands.items()]
    methods = {
        task: [make_method(f"{task}_m{i}", *parts) for i, parts in enumerate(listed)]
        for task, listed in description.methods.items()
    }
    return commands, methods


def domain_of(description: Description) -> Domain:
    """Return the planvow domain; without the counter of `functions`, so that states can come again."""
    commands, methods = functions(description)

    def without_counter(command):
        def model(state):
            count = state.log["n"]
            answer = command(state)
            state.log["n"] = count
            return answer

        model.__name__ = command.__name__
        return model

    return Domain.from_functions("random", actions=[without_counter(c) for c in commands], task_methods=methods)


def start_of(description: Description) -> State:
    return State(v=dict(description.start), log={"n": 0})


def agenda_of(description: Description) -> list[tuple[str]]:
    return [(item,) for item in description.agenda]


def facts_of(state: State) -> Facts:
    return tuple(sorted(state.v.items()))
