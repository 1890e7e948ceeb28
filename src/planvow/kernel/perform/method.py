"""Methods of perform mode and the domain that holds them.

A method is a class with `preconditions`, `cost`, `decompose` and `execute`. Our own say what they are: a
**compound** one gives subtasks (none means there is nothing to do), a **primitive** one acts. A class without a
kind follows the seed: no subtasks means execute, and an `execute` that raises NotImplementedError was a compound
with nothing to do.

Methods belong to a domain object. The seed's bare `@method` decorator registers into `DEFAULT_DOMAIN`
(seed 000, sections 2.2 and 2.3; DESIGN ruling 9).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum, StrEnum, auto
from typing import Any, Protocol, TypeVar

from planvow.errors import InputError
from planvow.kernel.perform.task import Task

DEFAULT_BASE_COST = 10.0

MethodClass = TypeVar("MethodClass", bound=type)


class MethodKind(StrEnum):
    """Whether a method gives subtasks or acts."""

    COMPOUND = "compound"
    PRIMITIVE = "primitive"


class OperatorStatus(Enum):
    """How a primitive ended."""

    SUCCESS = auto()
    FAILED = auto()
    """Undone; the next cheapest method of the same task is tried."""
    BLOCKED = auto()
    """Waits for something outside: undone, parked and reported."""
    SKIPPED = auto()
    """Its preconditions no longer held: nothing was done and nothing is wrong."""


@dataclass
class OperatorResult:
    """What a primitive answers."""

    status: OperatorStatus
    artifacts_emitted: list[str] = field(default_factory=list)
    state_mutations: list[str] = field(default_factory=list)
    error: str | None = None

    def __post_init__(self) -> None:
        # The seed allows None for both lists.
        self.artifacts_emitted = list(self.artifacts_emitted or ())
        self.state_mutations = list(self.state_mutations or ())


class PerformMethod(Protocol):
    """What the planner calls. `state` is whatever blackboard the domain works on."""

    _method_name: str
    _task_type: str
    _base_cost: float
    _requires_llm: bool

    def preconditions(self, state: Any, task: Task) -> bool: ...

    def cost(self, state: Any, task: Task) -> float: ...

    def decompose(self, state: Any, task: Task) -> list[Task]: ...

    def execute(self, state: Any, task: Task) -> OperatorResult: ...


class PerformDomain:
    """Methods by task type, in the order they were registered; which task types are done once only."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._methods: dict[str, list[type]] = {}
        self._deduplicated: set[str] = set()

    def method(
        self,
        name: str,
        task: str,
        base_cost: float = DEFAULT_BASE_COST,
        requires_llm: bool = False,
        *,
        kind: MethodKind | None = None,
    ) -> Callable[[MethodClass], MethodClass]:
        """Register the decorated class as a method for a task type."""
        if not name or not task:
            raise InputError("a method needs a name and the type of task it is for")

        def register(cls: MethodClass) -> MethodClass:
            for attribute, value in {
                "_method_name": name,
                "_task_type": task,
                "_base_cost": base_cost,
                "_requires_llm": requires_llm,
                "_kind": kind,
            }.items():
                setattr(cls, attribute, value)
            self._methods.setdefault(task, []).append(cls)
            return cls

        return register

    def deduplicate(self, *task_types: str) -> None:
        """Do equal tasks of these types once only. Never for tasks that open and close something."""
        self._deduplicated.update(task_types)

    def is_deduplicated(self, task: Task) -> bool:
        """Say whether equal tasks are to be done once: by type, or because the task brings its own key."""
        return task.dedup_key is not None or task.task_type in self._deduplicated

    def methods_for(self, task_type: str) -> Sequence[type]:
        """Return the method classes for a task type, oldest first."""
        return tuple(self._methods.get(task_type, ()))

    @property
    def task_types(self) -> tuple[str, ...]:
        """Every task type some method takes, in order of registration."""
        return tuple(self._methods)


DEFAULT_DOMAIN = PerformDomain("default")


def method(
    name: str, task: str, base_cost: float = DEFAULT_BASE_COST, requires_llm: bool = False
) -> Callable[[MethodClass], MethodClass]:
    """Register the decorated class in the default domain: the seed's decorator."""
    return DEFAULT_DOMAIN.method(name, task, base_cost, requires_llm)


def get_methods_for_task(task_type: str) -> list[type]:
    """Return the default domain's methods for a task type."""
    return list(DEFAULT_DOMAIN.methods_for(task_type))


def kind_of(candidate: object) -> MethodKind | None:
    """Return the kind a method declares, or None for a class in the seed's style."""
    kind: MethodKind | None = getattr(candidate, "_kind", None)
    return kind
