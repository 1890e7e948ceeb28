"""The algorithm on one page: HTN planning as depth-first search, with nothing around it. Read this first.

An **agenda** is a list of items, worked off from the left. What is done with the first item depends on what it is:

    a command     changes a copy of the state, and the rest of the agenda is worked off there; or it does not apply
    a goal        that holds already is done
    a task,       is broken down: each of its methods looks at the state and offers a list of items, several, or none;
    another goal  each list in turn takes the item's place, followed for a goal by a check that it holds then
    a check       fails unless its goal holds
    nothing left  the commands on the way here are a plan

Going forward is a call, a dead end is a call that yields nothing, and coming back (backtracking) is the next turn of
the caller's loop. Nothing has to be undone, because each command worked on a copy.

`kernel.search.loop` gives the same plans in the same order, and is held to that on thousands of random domains. It does
not copy and does not recur, so that plans may be long; it sees when it runs in circles, keeps budgets, asks
propagators and can tell why it did what it did. Here, a domain that runs in circles never ends, and Python's recursion
limit bounds a plan.

Ghallab, Nau and Traverso, "Automated Planning", chapter 11; for goals and multigoals, GTPyhop.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator
from types import GeneratorType
from typing import Any, NamedTuple

from planvow.kernel.domain.domain import Command, Domain, Method
from planvow.kernel.domain.terms import Bare, Check, Goal, Item, MultiGoal, bare_item, is_sequence
from planvow.kernel.errors import UnknownItemError
from planvow.kernel.world.state import SCALAR_SUBJECT

AnyState = Any
"""A `State`, or any object with dictionaries for predicates that can be copied."""


class Node(NamedTuple):
    """One item and what was done with it."""

    item: Item
    how: str
    """The name of the command or method, or "holds"."""
    subtasks: tuple[Item, ...] = ()
    is_step: bool = False


class PlainPlan(NamedTuple):
    """A plan, and how the agenda led to it."""

    steps: tuple[Item, ...]
    final_state: AnyState
    derivation: tuple[Node, ...]


def plain_plans(domain: Domain, state: AnyState, agenda: Iterable[Item]) -> Iterator[PlainPlan]:
    """Yield every plan for an agenda, in the order in which the methods are declared."""
    for final_state, path in _seek(domain, state, tuple(agenda), ()):
        yield PlainPlan(tuple(node.item for node in path if node.is_step), final_state, path)


def _seek(
    domain: Domain, state: AnyState, agenda: tuple[Item, ...], path: tuple[Node, ...]
) -> Iterator[tuple[AnyState, tuple[Node, ...]]]:
    if not agenda:
        yield state, path
        return
    item, rest = bare_item(agenda[0]), agenda[1:]
    meaning = _meaning(domain, item)
    if isinstance(meaning, Command):
        after = _applied(meaning, state, item)
        if after is not None:
            yield from _seek(domain, after, rest, (*path, Node(item, meaning.name, is_step=True)))
    elif isinstance(meaning, Goal | MultiGoal | Check) and _holds(state, meaning):
        yield from _seek(domain, state, rest, (*path, Node(item, "holds")))
    elif not isinstance(meaning, Check):
        check = (Check(meaning),) if isinstance(meaning, Goal | MultiGoal) else ()
        for method, subtasks in _ways(domain, state, meaning):
            node = Node(item, method, subtasks)
            yield from _seek(domain, state, (*subtasks, *check, *rest), (*path, node))


def _meaning(domain: Domain, item: Bare) -> Any:
    """Return the command an item names, the goal it stands for, or the item itself if it is a task or a list of items.

    A name is looked up among the tasks first, then the commands, then the goals.
    """
    if isinstance(item, Goal | MultiGoal | Check) or is_sequence(item) or item[0] in domain.task_methods:
        return item
    if item[0] in domain.commands:
        return domain.commands[item[0]]
    if item[0] in domain.goal_methods:
        return Goal(*item)
    raise UnknownItemError(item, known=domain.names(), path="agenda")


def _applied(command: Command, state: AnyState, item: tuple[Any, ...]) -> AnyState | None:
    """Return the state after a command, or None if the command does not apply."""
    after = command.model(copy.deepcopy(state), *item[1:])
    return after if isinstance(after, type(state)) else None


def _holds(state: AnyState, goal: Goal | MultiGoal | Check) -> bool:
    goal = goal.goal if isinstance(goal, Check) else goal
    return not _unmet(state, goal.goals() if isinstance(goal, MultiGoal) else [goal])


def _unmet(state: AnyState, goals: Iterable[Goal]) -> list[Goal]:
    """Return the goals whose subject has not got the value they ask for."""
    missing = []
    for goal in goals:
        held = vars(state).get(goal.predicate, {})
        subjects = held if isinstance(held, dict) else {SCALAR_SUBJECT: held}
        if goal.subject not in subjects or subjects[goal.subject] != goal.value:
            missing.append(goal)
    return missing


def _ways(domain: Domain, state: AnyState, item: Bare) -> Iterator[tuple[str, tuple[Item, ...]]]:
    """Yield each way to break an item down that applies: the name of a method, and a list that it offers."""
    if isinstance(item, tuple) and is_sequence(item) and not isinstance(item, Goal):
        yield "in order", tuple(item)
        return
    methods, arguments = _methods(domain, item)
    for method in methods:
        answer = method.function(state, *arguments)
        for subtasks in answer if isinstance(answer, GeneratorType) else [answer]:
            if isinstance(subtasks, list | tuple):  # None, False and refuse("reason") mean that it does not apply
                yield method.name, tuple(subtasks)
    if isinstance(item, MultiGoal) and not methods:  # reach what is missing, one by one, then look at the whole again
        missing = _unmet(state, item.goals())
        yield "split", (*missing, item)
        if len(missing) > 1:  # or in another order
            yield from (("split", (goal, item)) for goal in missing)


def _methods(domain: Domain, item: Bare) -> tuple[list[Method], tuple[object, ...]]:
    """Return the methods for a task or goal, in order of declaration, and their arguments."""
    if isinstance(item, MultiGoal):
        return [m for m in domain.multigoal_methods if m.tag in (None, item.goal_tag)], (item,)
    table = domain.goal_methods if isinstance(item, Goal) else domain.task_methods
    return table.get(item[0], []), tuple(item[1:])
