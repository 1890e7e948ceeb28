"""The least that can be called an HTN planner: a state with an undo log, a linked agenda, chronological backtracking.

A yardstick for `bench/htn.py`: what the same functions cost when there are no checks, limits, loop guard, statistics,
messages, goals, frozen values, derivation tree or typed result. It plans for tuples of known names only.
"""

from __future__ import annotations

from typing import Any

ABSENT: Any = object()


class Logged(dict[Any, Any]):
    """A dictionary that writes what it held before into a log."""

    __slots__ = ("log",)

    def __setitem__(self, key: Any, value: Any) -> None:
        self.log.append((self, key, self.get(key, ABSENT)))
        dict.__setitem__(self, key, value)


class BareState:
    """Predicates as attributes, all on one log."""

    def __init__(self, content: dict[str, dict[Any, Any]]) -> None:
        self.log: list[Any] = []
        for predicate, subjects in content.items():
            logged = Logged(subjects)
            logged.log = self.log
            setattr(self, predicate, logged)


def bare_plan(functions: dict[str, Any], content: dict[str, Any], todo: list[Any]) -> list[Any] | None:
    """Return the first plan, or None."""
    actions = {action.__name__: action for action in functions["actions"]}
    methods_of = functions["task_methods"]
    state, plan, choices = BareState(content), list[Any](), list[Any]()
    log = state.log
    agenda: Any = None
    for item in reversed(todo):
        agenda = item, agenda
    while agenda is not None:
        item, rest = agenda
        action = actions.get(item[0])
        subtasks: Any = None
        if action is not None:
            if action(state, *item[1:]):
                plan.append(item)
                subtasks = ()
        else:
            methods, cursor, mark, length = methods_of[item[0]], 0, len(log), len(plan)
            subtasks = methods[0](state, *item[1:])
            if len(methods) > 1:
                choices.append((item, rest, methods, 1, mark, length))
        while subtasks is None:  # back to the latest task with a method left
            if not choices:
                return None
            item, rest, methods, cursor, mark, length = choices.pop()
            while len(log) > mark:
                target, key, old = log.pop()
                if old is ABSENT:
                    del target[key]
                else:
                    dict.__setitem__(target, key, old)
            del plan[length:]
            subtasks = methods[cursor](state, *item[1:])
            if cursor + 1 < len(methods):
                choices.append((item, rest, methods, cursor + 1, mark, length))
        agenda = rest
        for subtask in reversed(subtasks):
            agenda = subtask, agenda
    return plan
