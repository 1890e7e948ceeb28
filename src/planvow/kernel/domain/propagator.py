"""The hook through which other constraints prune the search: time, resources, entities.

A propagator sees every node as it joins the current path, in the order of the plan, and may object. Marks nest like the
search's own: whatever was pushed after `mark()` is gone after `undo(mark)`. Search makes a fresh propagator from its
factory for every run, so a run that is repeated for an explanation or a certificate sees the same thing.

    push(visit)    None, or the reason why this cannot be; after a command's effects, after the choice of a method
    mark()         anything; before alternatives are tried at a node
    undo(mark)     when the search comes back to that node
    report()       {"time_allocations": ...}; when a plan is found; lands in `Result.reports`
    fingerprint()  optional; a hashable value, equal values being interchangeable from here on. Without it the loop
guard
                   is off, since a state that looks the same may then be later in time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol

from planvow.kernel.world.accesses import Accesses


class Visit(NamedTuple):
    """One node joining the path."""

    node_id: int
    """1, 2, 3 … along the path, in pre-order; the ids of the solution graph if this path becomes the plan."""
    parent_id: int
    """0 is the root."""
    position: int
    """Which child of its parent, counted from 0 in the order of the decomposition (of the agenda, for the root)."""
    kind: str
    """command, task, goal, multigoal, sequence, satisfied (a goal that held already) or check (looked at again)."""
    item: Any
    metadata: Mapping[str, Any]
    """What `attach_metadata` put on the item: keys "temporal" and "entity"; empty otherwise."""
    duration: Any
    """A command's declared duration, evaluated in the state before it if it is a function; None when not declared."""
    constraints: tuple[Any, ...]
    """What the chosen decomposition holds besides items (objects whose class has `is_plan_constraint = True`)."""
    accesses: Accesses | None = None
    """What the command or the chosen method read and wrote, if a factory has `needs_accesses = True`."""
    how: Any = None
    """The command."""


class Propagator(Protocol):
    """What search needs of a constraint network."""

    def push(self, visit: Visit) -> str | None: ...

    def mark(self) -> Any: ...

    def undo(self, mark: Any) -> None: ...

    def report(self) -> Mapping[str, Any]: ...


PropagatorFactory = Callable[[], Propagator]


def is_constraint(part: object) -> bool:
    """Say whether a part of a decomposition is a constraint on the items rather than an item."""
    return getattr(type(part), "is_plan_constraint", False) is True
