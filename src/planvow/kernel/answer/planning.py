"""The functions people call: `plan` for one plan, `plans` for several."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Unpack

from planvow.errors import InputError
from planvow.kernel.answer.result import Result, result_of
from planvow.kernel.domain.domain import Domain, Method
from planvow.kernel.domain.terms import Item
from planvow.kernel.search.loop import Search
from planvow.kernel.search.problem import Options, Problem, make_problem
from planvow.kernel.search.tracing import TraceWatcher
from planvow.kernel.search.watcher import Found, Progress, Watcher
from planvow.kernel.world.state import State
from planvow.trace import TraceRecorder


def plan(
    domain: Domain | Problem,
    state: State | None = None,
    todo: Iterable[Item] | None = None,
    *,
    interrupt: Callable[[], bool] | None = None,
    progress: Callable[[Progress], None] | None = None,
    trace: TraceRecorder | None = None,
    **options: Unpack[Options],
) -> Result:
    """Find a plan for an agenda: tasks, commands and goals that are worked off in order.

        result = plan(travel, State(at={"ann": "home"}), [("travel", "ann", "park")])
        result.plan             # (("walk", "ann", "park"),)
        result.explain_text()   # why this way, or why there is none

    A problem that `make_problem` made is taken whole, with its options: `plan(problem)`.

    "No plan" is a result with a status and a reason; only misuse raises. Options: `budgets` (`Budgets(max_depth=20)`),
    `selection` ("declared", "cost" or "learned": which method is tried first), `scores` (where learning starts),
    `optimal` ("cost", "steps", "makespan", "tardiness" or several: the best plan) with `lower_bound`, `max_cost`,
    `blacklist` (commands that may not be used), `capabilities` (what the actor can do), `time`
    (`Timing(horizon="PT2H")`), `loop_guard`, `propagators`. `interrupt` is asked now and then and may end the call
    early; `progress` is told how far it is; `trace` records every choice, refusal, dead end and step back.
    """
    problem = _problem(domain, state, todo, options)
    return solve(
        problem, interrupt=interrupt, progress=progress, watcher=None if trace is None else TraceWatcher(trace)
    )


def _problem(domain: Domain | Problem, state: State | None, todo: Iterable[Item] | None, options: Options) -> Problem:
    if isinstance(domain, Problem):
        if state is not None or todo is not None or options:
            raise InputError(
                "a problem is planned for as it is: it has its state, agenda and options already",
                place="plan",
                hint="dataclasses.replace(problem, …) gives one with other parts",
            )
        return domain
    if state is None or todo is None:
        raise InputError(
            "a domain is planned with a state and an agenda", place="plan", hint="plan(domain, state, [task, …])"
        )
    return make_problem(domain, state, todo, **options)


def plans(
    domain: Domain, state: State, todo: Iterable[Item], *, limit: int | None = None, **options: Unpack[Options]
) -> Iterator[Result]:
    """Yield plan after plan, in the order in which search finds them; stop after `limit` of them.

        for result in plans(travel, state, [("travel", "ann", "park")], limit=3):
            print(result.plan)

    Options: see `plan`.
    """
    if limit is not None and (not isinstance(limit, int) or isinstance(limit, bool) or limit < 1):
        raise InputError(f"limit is a whole number of at least 1, or None for all plans; got {limit!r}", place="limit")
    problem = make_problem(domain, state, todo, **options)
    if problem.loop_guard == "search" or problem.optimal is not None:
        raise InputError("plans() lists what search finds; it takes neither loop_guard='search' nor optimal")
    search = Search(problem)
    seen = set()
    for found in search.run():
        signature = tuple((parent, repr(item), how) for parent, item, how, _ in found.trail)
        if signature in seen:  # a pass with deeper nesting finds the earlier plans again
            continue
        seen.add(signature)
        yield result_of(search, found)
        if limit is not None and len(seen) >= limit:
            return


def solve(
    problem: Problem,
    *,
    interrupt: Callable[[], bool] | None = None,
    progress: Callable[[Progress], None] | None = None,
    watcher: Watcher | None = None,
) -> Result:
    """Search a problem for its first plan, or for its best one when `optimal` is set.

    >>> solve(make_problem(travel, start, todo)).success
    True
    """
    search = Search(problem, interrupt=interrupt, progress=progress, watcher=watcher)
    best: Found | None = None
    for found in search.run():
        best = found
        if problem.optimal is None:
            break
    else:
        if best is not None and search.hit is None and not search.interrupted:
            bound = dict(zip(problem.objective, search.bound or (), strict=True))
            result = _rewarded(search, best)
            return replace(result, bound=bound, proven_optimal=tuple(bound.values()) == tuple(result.values.values()))
    if search.interrupted:
        best = None  # how far it came before a clock ended it must not decide which plan comes out
    return _rewarded(search, best)


def _rewarded(search: Search, found: Found | None) -> Result:
    result = result_of(search, found)
    if found is not None and result.scores is not None:
        methods = [how for _, _, how, _ in found.trail if isinstance(how, Method)]
        result.scores.solved(methods, len(result.plan))
    return result
