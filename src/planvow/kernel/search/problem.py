"""Everything that decides which plan comes out, as one value.

Search, explanation, certificate and repair all start from a `Problem`; the same problem gives the same plan in
every process. What can end a run early without changing its answer (a clock, another thread) is not part of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal, TypedDict, Unpack

from planvow.budgets import Budgets
from planvow.errors import InputError, did_you_mean
from planvow.kernel.domain.domain import Domain, is_amount
from planvow.kernel.domain.entities import capability_set
from planvow.kernel.domain.propagator import PropagatorFactory
from planvow.kernel.domain.terms import Item, MultiGoal, normal_item
from planvow.kernel.search.scoring import Scores
from planvow.kernel.time.timing import Timing
from planvow.kernel.world.noting import NotingState
from planvow.kernel.world.state import State

DEFAULT_BUDGETS = Budgets()
SELECTIONS = ("declared", "cost", "learned")
LOOP_GUARDS = ("path", "search", "off")
OBJECTIVES = ("cost", "steps", "makespan", "tardiness")


@dataclass(frozen=True, kw_only=True)
class Problem:
    """A domain, a state and an agenda, with how to search.

    >>> problem = make_problem(travel, start, todo, budgets=Budgets(max_iterations=100))
    >>> solve(problem).plan
    (('walk', 'ann', 'park'),)
    """

    domain: Domain
    state: State
    todo: tuple[Item, ...]
    budgets: Budgets = DEFAULT_BUDGETS
    selection: str = "declared"
    """Which method first: as declared, cheapest, or by learned score."""
    scores: Scores | None = None
    """Scores to start from when selection is learned; none means that all start equal."""
    blacklist: frozenset[Item] = frozenset()
    """Commands, with their arguments, that may not be in the plan."""
    capabilities: frozenset[str] | None = None
    """What the acting persona can do; None means everything."""
    propagators: tuple[PropagatorFactory, ...] = ()
    loop_guard: str = "path"
    """Prune a state and agenda seen before: on the path, in the whole search, or not at all."""
    optimal: str | tuple[str, ...] | None = None
    """What is made as small as can be: the "cost", the "steps", the "makespan" (when all is done), the "tardiness" (by
    how much what was due is late), or several of them, the first counting most. None takes the first plan."""
    max_cost: float | None = None
    """Plans that cost more are no plans."""
    lower_bound: Callable[[State, tuple[Item, ...]], float] | None = None
    """Never more than what the rest of the agenda will cost from this state: cuts branches when `optimal` is set."""

    def __post_init__(self) -> None:
        _one_of("selection", self.selection, SELECTIONS)
        _one_of("loop_guard", self.loop_guard, LOOP_GUARDS)
        self._check_objective()
        if self.scores is not None and not isinstance(self.scores, Scores):
            hint = "result.scores of an earlier call, or Scores.from_dict(data)"
            raise InputError(f"scores are a Scores, got {type(self.scores).__name__}", place="scores", hint=hint)
        if not isinstance(self.budgets, Budgets):
            hint = "write budgets=Budgets(max_iterations=100_000)"
            raise InputError(f"budgets are a Budgets, got {type(self.budgets).__name__}", place="budgets", hint=hint)

    @property
    def objective(self) -> tuple[str, ...]:
        """What is made as small as can be, the most important first."""
        if self.optimal is None:
            return ()
        return (self.optimal,) if isinstance(self.optimal, str) else self.optimal

    @property
    def counts_cost(self) -> bool:
        """Whether costs have to be added up while searching: they decide, or depend on the state."""
        return (
            "cost" in self.objective
            or self.max_cost is not None
            or any(callable(command.cost) for command in self.domain.commands.values())
        )

    def _check_objective(self) -> None:
        if isinstance(self.optimal, list):
            object.__setattr__(self, "optimal", tuple(self.optimal))
        if self.optimal is not None and not isinstance(self.optimal, str | tuple):
            _one_of("optimal", self.optimal, (None, *OBJECTIVES))
        for name in self.objective:
            _one_of("optimal", name, (None, *OBJECTIVES))
        if len(set(self.objective)) < len(self.objective) or self.optimal == ():
            raise InputError(f"optimal names each objective once, got {self.optimal!r}", place="optimal")
        if self.max_cost is not None and not is_amount(self.max_cost):
            raise InputError(f"max_cost is a number of at least 0, got {self.max_cost!r:.60}", place="max_cost")
        is_timed = any(hasattr(factory, "needs_accesses") for factory in self.propagators)
        if not is_timed and not {"makespan", "tardiness"}.isdisjoint(self.objective):
            hint = "give commands a duration, or plan(..., time=Timing(...))"
            raise InputError("a plan without times has no makespan and no tardiness", place="optimal", hint=hint)

    def draft(self) -> State:
        """Return the state for a search to work on; it notes reads and writes if a propagator needs them."""
        is_noted = any(getattr(factory, "needs_accesses", False) for factory in self.propagators)
        return NotingState(self.state) if is_noted else self.state.journaled()


class Options(TypedDict, total=False):
    """How to search, as people write it: what `plan`, `plans` and `make_problem` take by keyword.

    `Problem` says what each means. `time` says how the plan is timed; a domain in which a command has a duration is
    timed anyway.
    """

    budgets: Budgets | None
    selection: Literal["declared", "cost", "learned"]
    scores: Scores | None
    blacklist: Iterable[Item]
    capabilities: Iterable[str] | None
    propagators: Iterable[PropagatorFactory]
    loop_guard: Literal["path", "search", "off"]
    optimal: str | tuple[str, ...] | None
    max_cost: float | None
    lower_bound: Callable[[State, tuple[Item, ...]], float] | None
    time: Timing | None


def make_problem(domain: Domain, state: State, todo: Iterable[Item], **how: Unpack[Options]) -> Problem:
    """Build a problem from what people write: lists for tuples, any iterable for sets, an open state.

        problem = make_problem(travel, State(at={"ann": "home"}), [("travel", "ann", "park")])

    A module that has one under the name `problem` can be planned by `planvow plan MODULE.py`. Options: see `plan`.
    """
    options: dict[str, Any] = {**how}
    if not isinstance(domain, Domain):
        raise InputError(f"the domain must be a planvow Domain, got {type(domain).__name__}")
    if not isinstance(state, State):
        raise InputError(f"the state must be a planvow State, got {type(state).__name__}")
    is_one_item = isinstance(todo, str | Mapping | MultiGoal) or (
        isinstance(todo, tuple) and bool(todo) and isinstance(todo[0], str)
    )
    if is_one_item or not isinstance(todo, Iterable):
        raise InputError("the agenda is a list of items", hint=f"write [{todo!r}] for one item")
    if options:
        _known_options(options)
    if options.get("capabilities") is not None:
        options["capabilities"] = capability_set(options["capabilities"], "capabilities")
    if "blacklist" in options:
        options["blacklist"] = frozenset(normal_item(item) for item in options["blacklist"])
    time = options.pop("time", None)
    if time is not None and not isinstance(time, Timing):
        raise InputError(f"time is a Timing, got {time!r:.60}", place="time", hint="write time=Timing(horizon='PT2H')")
    is_timed = any(isinstance(factory, Timing) for factory in options.get("propagators", ()))
    if time is None and not is_timed and any(command.duration is not None for command in domain.commands.values()):
        time = Timing()
    if time is not None:
        options["propagators"] = (*options.get("propagators", ()), time)
    if "propagators" in options:
        options["propagators"] = tuple(options["propagators"])
    if options.get("budgets") is None:
        options.pop("budgets", None)
    return Problem(domain=domain, state=state.snapshot(), todo=tuple(normal_item(item) for item in todo), **options)


def _known_options(options: Mapping[str, Any]) -> None:
    known = [field.name for field in fields(Problem) if field.name not in ("domain", "state", "todo")]
    for name in options:
        if name in {field.name for field in fields(Budgets)}:
            raise InputError(f"{name} is a budget", place=name, hint=f"write budgets=Budgets({name}=…)")
        if name not in (*known, "time"):
            hint = did_you_mean(name, [*known, "time"]) or f"options are {', '.join([*known, 'time'])}"
            raise InputError(f"there is no option {name!r:.60}", place=name, hint=hint)


def _one_of(name: str, value: object, allowed: tuple[object, ...]) -> None:
    if value not in allowed:
        raise InputError(f"{name} is one of {', '.join(map(repr, allowed))}; got {value!r}", place=name)
