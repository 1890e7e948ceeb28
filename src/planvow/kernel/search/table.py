"""What an item means in one problem: looked up once per name, not once per visit.

Order of look-up (spec of seed 001): multigoal object, task methods, commands, goal methods. Methods and commands
that need a capability the persona lacks are set aside here, before anything is scored or tried, with the reason
that explanations show.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from types import MethodType
from typing import Any

from planvow.kernel.domain.domain import Amount, Command, Domain, Method
from planvow.kernel.domain.multigoals import SPLIT
from planvow.kernel.domain.terms import Check, Goal, MultiGoal, is_sequence, normal_item
from planvow.kernel.errors import UnknownItemError
from planvow.kernel.search.problem import Problem
from planvow.kernel.world.in_place_changes import loosely
from planvow.kernel.world.state import State

COMMAND, TASK, GOAL, MULTIGOAL, SEQUENCE, CHECK = "command", "task", "goal", "multigoal", "sequence", "check"


Alternatives = tuple[Method, Callable[..., object], "Alternatives"] | None
"""Methods in the order in which they are tried: None, or (first, its function, the others in the same form)."""


@dataclass(slots=True)
class Entry:
    """How one kind of item is handled."""

    kind: str
    how: Any = None
    """The command, or the first method."""
    function: Callable[..., object] | None = None
    """Its function, bound to the state, where that alone decides: nobody looks on, nothing else has a say."""
    others: Alternatives = None
    """The methods after the first."""
    model: Any = None
    """The command's model, bound to the state."""
    lacking: str | None = None
    """Why the persona cannot run this command."""
    methods: tuple[Method, ...] = ()
    alternatives: Alternatives = None
    """The methods as search takes them one by one, in order of declaration."""
    set_aside: tuple[tuple[Method, str], ...] = ()
    """Methods the persona lacks a capability for, with the reason."""


class Table:
    """The entries of a problem's domain, by name.

    Functions are bound to the one state a search works on, as methods are to their object: that makes them quicker to
    call than putting the state before the arguments each time.
    """

    def __init__(self, problem: Problem, state: State, *, is_free: bool) -> None:
        self._is_free = is_free
        self._domain = problem.domain
        self._state = state
        self._capabilities = problem.capabilities
        domain = problem.domain
        self.by_name: dict[str, Entry] = {
            **{name: self._compound(GOAL, methods) for name, methods in domain.goal_methods.items()},
            **{name: self._atomic(command) for name, command in domain.commands.items()},
            **{name: self._compound(TASK, methods) for name, methods in domain.task_methods.items()},
        }

    def entry(self, item: object, place: Callable[[int], str], parent_id: int) -> Entry:
        """Return how an item is handled, for all that is not simply a known name."""
        if isinstance(item, Check):
            return _CHECK
        if isinstance(item, MultiGoal):
            fitting = [m for m in self._domain.multigoal_methods if m.tag is None or m.tag == item.goal_tag]
            return self._compound(MULTIGOAL, fitting or [SPLIT])
        if isinstance(item, Goal):
            return self._compound(GOAL, self._domain.goal_methods.get(item.predicate, ()))
        if is_sequence(item):
            return self._compound(SEQUENCE, (_IN_ORDER,))
        found = self.by_name.get(item[0]) if isinstance(item, tuple) and item else None
        if found is None:
            raise UnknownItemError(item, known=self._domain.names(), path=place(parent_id))
        return found

    def linked(self, methods: Sequence[Method]) -> Alternatives:
        """Return methods one behind the other."""
        alternatives: Alternatives = None
        for method in reversed(methods):
            alternatives = method, self._state._bound(method.function), alternatives
        return alternatives

    def loosen(self, entry: Entry) -> Callable[..., Any]:
        """Let a command change values in place from now on; return its model."""
        entry.model = model = MethodType(loosely(entry.how.model), self._state)
        if entry.function is not None:
            entry.function = model
        return model

    def _atomic(self, command: Command) -> Entry:
        model, lacking = MethodType(command.model, self._state), self._lacks(command.requires)
        function = model if self._is_free and lacking is None else None
        return Entry(COMMAND, how=command, function=function, model=model, lacking=lacking)

    def _compound(self, kind: str, methods: Iterable[Method]) -> Entry:
        lacking = [(method, self._lacks(method.requires)) for method in methods]
        methods = tuple(method for method, reason in lacking if reason is None)
        alternatives = self.linked(methods)
        first, function, others = alternatives or (None, None, None)
        return Entry(
            kind,
            how=first,
            function=function if self._is_free and kind is TASK else None,
            others=others,
            methods=methods,
            alternatives=alternatives,
            set_aside=tuple((method, reason) for method, reason in lacking if reason is not None),
        )

    def _lacks(self, requires: frozenset[str]) -> str | None:
        if self._capabilities is None or requires <= self._capabilities:
            return None
        missing = sorted(requires - self._capabilities)  # sorted: a set has no order
        return f"the persona lacks {', '.join(missing)}"


def _in_order(state: object, *items: object) -> list[object]:
    return list(items)


_CHECK = Entry(CHECK)
_IN_ORDER = Method(name="in_order", function=_in_order, subject="", kind=SEQUENCE)


def kind_of(domain: Domain, item: Any) -> str | None:
    """Return what a bare item is in a domain; None where nothing has its name."""
    if isinstance(item, Check):
        item = as_goal(item.goal)
    if isinstance(item, Goal | MultiGoal):
        return GOAL if isinstance(item, Goal) else MULTIGOAL
    if is_sequence(item):
        return SEQUENCE
    tables = ((TASK, domain.task_methods), (COMMAND, domain.commands), (GOAL, domain.goal_methods))
    return next((kind for kind, table in tables if item and item[0] in table), None)


def arguments(item: Any) -> tuple[object, ...]:
    """Return what a method or command function gets besides the state."""
    if type(item) is tuple:
        return item if is_sequence(item) else item[1:]
    return (item,) if isinstance(item, MultiGoal) else tuple(item[1:])


def as_goal(item: Any) -> Any:
    """Return the Goal or MultiGoal that an item stands for."""
    return item if isinstance(item, Goal | MultiGoal) else Goal(*item)


def amount(value: Amount, state: object, item: object) -> float:
    """Return a declared cost in this state."""
    return value(state, *arguments(item)) if callable(value) else value


def added_up(costs: Iterable[Any], before: float = 0) -> float:
    """Add costs one after the other: how `sum` rounds fractions depends on the version of Python."""
    for cost in costs:
        before += cost
    return before


def item_key(item: object) -> Any:
    """Return an item in a form that can be looked up in a set."""
    try:
        hash(item)
    except TypeError:
        return normal_item(item)
    return item
