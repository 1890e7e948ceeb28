"""What an HDDL domain and problem say, as immutable values.

Every name in the model is spelt as at its declaration. A reference matches a declaration without regard to case (the
exact spelling first, should two declarations differ in case only), and the parser replaces it by the declared
spelling: whoever uses the model compares plain strings and prints the author's names.

`HddlDomain.source.place(node.at)` turns the offset of a node into file:line:column. Conditions are in `formula`.

Language: Höller et al., HDDL: An Extension to PDDL for Expressing Hierarchical Planning Problems (AAAI 2020).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from heapq import heappop, heappush
from itertools import pairwise

from planvow.hddl.language.formula import ROOT_TYPE, TRUE, Atom, Formula, Parameter, offset
from planvow.hddl.language.source import NO_SOURCE, Place, Source


@dataclass(frozen=True, kw_only=True)
class Effect:
    """One literal that an action makes true (or false, when `is_delete`).

    Nested `and`, `forall` and `when` are flattened: the literal changes for every choice of `parameters` for which
    `condition` holds in the state before the action. Where an action both adds and deletes an atom, it is added.
    """

    atom: Atom
    is_delete: bool = False
    parameters: tuple[Parameter, ...] = ()
    condition: Formula = TRUE
    at: int = offset()


@dataclass(frozen=True, kw_only=True)
class Increase:
    """What an action adds to a cost function: a number, or the value of a function given in the problem."""

    function: Atom
    amount: int | float | Atom
    at: int = offset()


@dataclass(frozen=True, kw_only=True)
class Type:
    """A type and the types directly above it. Several parents: the type was declared below each of them."""

    name: str
    parents: tuple[str, ...] = (ROOT_TYPE,)
    at: int = offset()


@dataclass(frozen=True, kw_only=True)
class Object:
    """A constant of the domain or an object of the problem."""

    name: str
    types: tuple[str, ...] = (ROOT_TYPE,)
    at: int = offset()


@dataclass(frozen=True, kw_only=True)
class Declaration:
    """A name with parameters. Those of different classes are never equal."""

    name: str
    parameters: tuple[Parameter, ...] = ()
    at: int = offset()


class Predicate(Declaration):
    """A declared predicate."""


class Function(Declaration):
    """A declared numeric function; only costs are made of them."""


class Task(Declaration):
    """A compound task: what methods decompose."""


@dataclass(frozen=True, kw_only=True)
class Action:
    """A primitive task: what a plan consists of."""

    name: str
    parameters: tuple[Parameter, ...] = ()
    precondition: Formula = TRUE
    effects: tuple[Effect, ...] = ()
    costs: tuple[Increase, ...] = ()
    at: int = offset()


@dataclass(frozen=True, kw_only=True)
class Subtask:
    """One member of a task network: a task or an action with its arguments.

    The label is how the ordering was written. What it says is in `TaskNetwork.ordering`, so equality ignores it.
    """

    task: str
    arguments: tuple[str, ...] = ()
    label: str | None = field(default=None, compare=False)
    at: int = offset()


@dataclass(frozen=True, kw_only=True)
class TaskNetwork:
    """Subtasks, which must come before which (pairs of their indexes), and constraints on variables.

    `is_sequence` says that the author wrote them as `:ordered-subtasks`; `ordering` then has the consecutive pairs.
    """

    subtasks: tuple[Subtask, ...] = ()
    ordering: tuple[tuple[int, int], ...] = ()
    is_sequence: bool = False
    constraint: Formula = TRUE
    at: int = offset()

    @cached_property
    def topological_order(self) -> tuple[int, ...]:
        """Return the indexes in an order that the ordering allows, the earliest declared first among free ones.

        Shorter than the subtasks when the ordering runs in a circle, which the parser refuses.
        """
        waiting_for = [0] * len(self.subtasks)
        after: list[list[int]] = [[] for _ in self.subtasks]
        for first, second in set(self.ordering):
            after[first].append(second)
            waiting_for[second] += 1
        free = [index for index, count in enumerate(waiting_for) if not count]  # ascending, hence a heap
        order: list[int] = []
        while free:
            index = heappop(free)
            order.append(index)
            for second in after[index]:
                waiting_for[second] -= 1
                if not waiting_for[second]:
                    heappush(free, second)
        return tuple(order)

    @cached_property
    def is_totally_ordered(self) -> bool:
        """Whether only one order of the subtasks is allowed."""
        order, pairs = self.topological_order, set(self.ordering)
        return len(order) == len(self.subtasks) and all(pair in pairs for pair in pairwise(order))


@dataclass(frozen=True, kw_only=True)
class HddlMethod:
    """One way to decompose a task. The task's arguments are usually parameters of the method, but may be constants."""

    name: str
    task: str
    arguments: tuple[str, ...] = ()
    parameters: tuple[Parameter, ...] = ()
    precondition: Formula = TRUE
    network: TaskNetwork = TaskNetwork()
    at: int = offset()


@dataclass(frozen=True, kw_only=True)
class Remark:
    """Something odd in a file that does not stop it from being used."""

    place: Place
    text: str
    code: str = field(default="REMARK", repr=False)

    def __str__(self) -> str:
        return f"{self.place}: {self.text}"


@dataclass(frozen=True, kw_only=True)
class HddlDomain:
    """An HDDL domain. `types` always has `object` implicitly and never lists it.

    >>> [action.name for action in parse_domain(domain_text).actions]
    ['walk']
    """

    name: str
    requirements: tuple[str, ...] = ()
    types: tuple[Type, ...] = ()
    constants: tuple[Object, ...] = ()
    predicates: tuple[Predicate, ...] = ()
    functions: tuple[Function, ...] = ()
    tasks: tuple[Task, ...] = ()
    methods: tuple[HddlMethod, ...] = ()
    actions: tuple[Action, ...] = ()
    remarks: tuple[Remark, ...] = field(default=(), compare=False, repr=False)
    source: Source = field(default=NO_SOURCE, compare=False, repr=False)

    @cached_property
    def action_named(self) -> Mapping[str, Action]:
        """Actions by name."""
        return {action.name: action for action in self.actions}

    @cached_property
    def task_named(self) -> Mapping[str, Task]:
        """Compound tasks by name."""
        return {task.name: task for task in self.tasks}

    @cached_property
    def predicate_named(self) -> Mapping[str, Predicate]:
        """Predicates by name."""
        return {predicate.name: predicate for predicate in self.predicates}

    @cached_property
    def methods_for(self) -> Mapping[str, tuple[HddlMethod, ...]]:
        """Methods of every compound task, in the order of the file."""
        found: dict[str, list[HddlMethod]] = {task.name: [] for task in self.tasks}
        for method in self.methods:
            found[method.task].append(method)
        return {task: tuple(methods) for task, methods in found.items()}

    @cached_property
    def supertypes(self) -> Mapping[str, tuple[str, ...]]:
        """Every type with itself and all types above it, nearest first, `object` last."""
        parents = {declared.name: declared.parents for declared in self.types}
        parents[ROOT_TYPE] = ()
        above: dict[str, tuple[str, ...]] = {}
        for name in parents:
            found: dict[str, None] = {}
            level = [name]
            while level:
                found.update(dict.fromkeys(level))
                level = [parent for below in level for parent in parents.get(below, ()) if parent not in found]
            found.pop(ROOT_TYPE, None)
            above[name] = (*found, ROOT_TYPE)
        return above


@dataclass(frozen=True, kw_only=True)
class InitialNetwork:
    """The `:htn` section: what is to be done, with variables that the planner may choose."""

    parameters: tuple[Parameter, ...] = ()
    network: TaskNetwork = TaskNetwork()
    at: int = offset()


@dataclass(frozen=True, kw_only=True)
class FunctionValue:
    """The value of a function in the initial state."""

    function: Atom
    value: int | float
    at: int = offset()


@dataclass(frozen=True, kw_only=True)
class Metric:
    """What makes a plan good: `minimize` or `maximize` a function."""

    direction: str
    function: Atom
    at: int = offset()


@dataclass(frozen=True, kw_only=True)
class HddlProblem:
    """An HDDL problem of a domain.

    `objects` are the problem's own; `all_objects` has the domain's constants too, first. A problem without `:htn`
    (`initial` is None) is a classical one: any executable sequence of actions that reaches the goal solves it.

    >>> problem = parse_problem(problem_text, parse_domain(domain_text))
    >>> problem.name, problem.domain.name
    ('to-the-park', 'walks')
    """

    name: str
    domain: HddlDomain
    requirements: tuple[str, ...] = ()
    objects: tuple[Object, ...] = ()
    init: tuple[Atom, ...] = ()
    values: tuple[FunctionValue, ...] = ()
    initial: InitialNetwork | None = None
    goal: Formula = TRUE
    metric: Metric | None = None
    remarks: tuple[Remark, ...] = field(default=(), compare=False, repr=False)
    source: Source = field(default=NO_SOURCE, compare=False, repr=False)

    @cached_property
    def all_objects(self) -> tuple[Object, ...]:
        """Constants, then the problem's objects; one declared in both has the types of both."""
        types: dict[str, tuple[str, ...]] = {}
        for item in (*self.domain.constants, *self.objects):
            types[item.name] = tuple(dict.fromkeys((*types.get(item.name, ()), *item.types)))
        return tuple(Object(name=name, types=its_types) for name, its_types in types.items())

    @cached_property
    def objects_of(self) -> Mapping[str, tuple[str, ...]]:
        """Names of the objects of every type, subtypes included, in the order of their declaration."""
        members: dict[str, dict[str, None]] = {name: {} for name in self.domain.supertypes}
        for item in self.all_objects:
            for declared in item.types:
                for name in self.domain.supertypes[declared]:
                    members[name][item.name] = None
        return {name: tuple(found) for name, found in members.items()}

    def choices_for(self, parameter: Parameter) -> tuple[str, ...]:
        """Return the objects a parameter may stand for, in the order of their declaration."""
        if len(parameter.types) == 1:
            return self.objects_of[parameter.types[0]]
        allowed = {name for its_type in parameter.types for name in self.objects_of[its_type]}
        return tuple(item.name for item in self.all_objects if item.name in allowed)
