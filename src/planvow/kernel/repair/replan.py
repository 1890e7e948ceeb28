"""Repairing a plan from the middle (seed 001, section 3.3).

What was done stays. The failed node, then its ancestors from the lowest up, are broken down anew in the state that
was observed, the same method being allowed again. After that the rest of the old plan is looked at first, without
search: it holds when the state is the one it was planned in, or when all its functions, called once more, answer as
before. Then it is kept as it is, and only otherwise is the rest of the agenda planned again.
So a late failure costs what comes after it and not what came before.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from planvow.errors import InputError
from planvow.kernel.answer.explaining import Origin
from planvow.kernel.answer.planning import solve
from planvow.kernel.answer.result import Repair, Result, Statistics, result_of
from planvow.kernel.answer.tree import Tree
from planvow.kernel.domain.domain import Command
from planvow.kernel.domain.metadata import time_at
from planvow.kernel.domain.terms import bare_item, item_json
from planvow.kernel.repair.replay import Walk
from planvow.kernel.repair.time_past import ContinuedTiming, continued_timing
from planvow.kernel.search.loop import Search
from planvow.kernel.search.problem import Problem
from planvow.kernel.search.table import added_up, amount, item_key
from planvow.kernel.search.watcher import ContinuedTrail, Found, Trail
from planvow.kernel.time.timing import Timing
from planvow.kernel.world.state import State
from planvow.status import Status


def replan(
    result: Result,
    state: State,
    fail_node_id: int,
    *,
    blacklist: bool = True,
    now: object = None,
    interrupt: Callable[[], bool] | None = None,
) -> Result:
    """Continue a plan whose node failed, from the state that was observed. `plan` holds what is still to be done.

    The failed command, with its arguments, is kept out of the new plan unless `blacklist` is False. In a plan with
    times nothing new starts before `now`, which is the planned start of what failed unless it is given.

    Where no plan was found, `fail_node_id` is one that `find_failed_nodes()` gives. Nothing was done and no command has
    failed in the world, so nothing is kept out: the whole agenda is planned again from the state that was observed.

    >>> replan(result, start, fail_node_id=2).status  # walking failed, and there is no other way
    <Status.NO_PLAN: 'no_plan'>
    """
    _check_given(result, state)
    moment = None if now is None else time_at("now", now)
    if not result.success:
        return _from_the_start(result, state, fail_node_id, moment, interrupt)
    tree = solution_tree(result)
    trail = tree.trail
    _check_node(fail_node_id, len(trail))
    banned = blacklist and isinstance(trail.hows[fail_node_id - 1], Command)
    base = replace(
        result.problem,
        state=state.snapshot(),
        blacklist=result.problem.blacklist | ({item_key(trail.items[fail_node_id - 1])} if banned else set()),
    )
    lineage = [node_id for node_id in tree.lineage(fail_node_id) if not (banned and node_id == fail_node_id)]
    if not lineage:  # a banned command that stands in the agenda itself: no ancestor could do without it
        return Result(status=Status.NO_PLAN, problem=replace(base, todo=tree.pending(fail_node_id)))
    spent, hit = Statistics(), None
    for node_id in lineage:
        answer = _redo(result, tree, _timed(base, result, tree, fail_node_id, node_id, moment), node_id, interrupt)
        spent, hit = _sum(spent, answer.statistics), hit or answer.hit
        if answer.success:
            repair = Repair(
                failed_node_id=fail_node_id,
                redone_node_id=node_id,
                tree=tree,
                new=Trail.of(answer.trail),
                failures=(*result.find_failed_nodes(), _failure(trail, fail_node_id)),
                origins=_origins(result, answer, tree),
            )
            return replace(answer, statistics=spent, repair=repair)
        if answer.status is Status.INTERRUPTED:
            break
    if hit is not None and answer.status is Status.NO_PLAN:
        answer = replace(answer, status=Status.BUDGET_EXCEEDED)
    return replace(answer, statistics=spent, hit=hit)


def _check_given(result: object, state: object) -> None:
    if not isinstance(result, Result):
        hint = "give the Result that plan() returned"
        raise InputError(f"a Result is repaired, got {type(result).__name__}", place="result", hint=hint)
    if not isinstance(state, State):
        hint = "give the state that was observed when the command failed"
        raise InputError(f"the state must be a planvow State, got {type(state).__name__}", place="state", hint=hint)


def _check_node(fail_node_id: object, count: int) -> None:
    if not isinstance(fail_node_id, int) or isinstance(fail_node_id, bool) or not 1 <= fail_node_id <= count:
        raise InputError(
            f"the solution graph has no node {fail_node_id!r:.60}; its nodes are the whole numbers 1 to {count}",
            place="fail_node_id",
            hint="take node_id of a node of result.solution_graph, or id of a row of find_failed_nodes()",
        )


def _from_the_start(
    result: Result, state: State, fail_node_id: int, now: int | None, interrupt: Callable[[], bool] | None
) -> Result:
    """Plan what had no plan again, in another state."""
    known = [row["id"] for row in result.find_failed_nodes()]
    if isinstance(fail_node_id, bool) or fail_node_id not in known:
        raise InputError(
            f"no node {fail_node_id!r:.60} failed; {f'node {known[0]} did' if known else 'nothing was looked at'}",
            place="fail_node_id",
            hint="take id of a row of find_failed_nodes()" if known else "plan again with a higher limit",
        )
    problem = replace(result.problem, state=state.snapshot())
    if now is not None:
        timed = [replace(f, start_time=now) if isinstance(f, Timing) else f for f in problem.propagators]
        problem = replace(problem, propagators=tuple(timed))
    return solve(problem, interrupt=interrupt)


def _failure(trail: Trail, node_id: int) -> dict[str, object]:
    """Return a node that failed in execution as `find_failed_nodes` tells it."""
    item, how = trail.items[node_id - 1], trail.hows[node_id - 1]
    kind = how if isinstance(how, str) else how.kind
    return {"id": node_id, "kind": kind, "item": item_json(item), "reason": "reported as failed"}


def _origins(result: Result, answer: Result, tree: Tree) -> tuple[Origin, ...]:
    """Return where the nodes of a repaired plan come from; none when one search found them all."""
    trail = answer.trail
    if not isinstance(trail, ContinuedTrail):
        return ()
    first = replace(answer.problem, todo=answer.problem.todo[:1])
    origins = [Origin(problem=first, trail=trail.new, start=0, stop=len(trail.new))]
    reached = tree.first_new_id - 1
    for origin in result.origins():
        behind = max(0, trail.start - reached)  # so many of its nodes are not in the rest
        reached += origin.stop - origin.start
        if reached > trail.start:
            origins.append(replace(origin, start=origin.start + behind))
    return tuple(origins)


def solution_tree(result: Result) -> Tree:
    """Return the whole tree of a plan, with what was done before a repair."""
    repair = result.repair
    if repair is None:
        return Tree(Trail.of(result.trail), result.annotations)
    first_new_id = repair.redone_node_id
    kept = {node_id: told for node_id, told in repair.tree.annotations.items() if node_id < first_new_id}
    new = {node_id + first_new_id - 1: told for node_id, told in result.annotations.items()}
    return Tree(repair.trail, kept | new, first_new_id)


def _timed(base: Problem, result: Result, tree: Tree, failed: int, redone: int, now: int | None) -> Problem:
    """Return the problem with the times of what was done behind it."""
    if "temporal" not in result.reports:
        return base
    timed = [
        continued_timing(factory, result, tree, failed=failed, redone=redone, now=now)
        if isinstance(factory, Timing | ContinuedTiming)
        else factory
        for factory in base.propagators
    ]
    return replace(base, propagators=tuple(timed))


def _redo(result: Result, tree: Tree, base: Problem, node_id: int, interrupt: Callable[[], bool] | None) -> Result:
    """Break one node down anew and go on: with the old rest if it still holds, else by search."""
    problem = replace(base, todo=tree.pending(node_id))
    if problem.propagators or problem.optimal is not None or _is_limited_as_a_whole(problem):
        return solve(problem, interrupt=interrupt)  # all of these judge a plan as a whole
    search = Search(replace(problem, todo=problem.todo[:1]), interrupt=interrupt)
    found = next(search.run(), None)
    if found is None:
        return result_of(search, None, problem)
    whole = _continued(result, tree, problem, search, found, tree.rest(node_id))
    if whole is None:
        return solve(problem, interrupt=interrupt)
    return result_of(search, whole, problem)


def _is_limited_as_a_whole(problem: Problem) -> bool:
    return problem.max_cost is not None or problem.budgets.max_stack_size is not None


def _continued(result: Result, tree: Tree, problem: Problem, search: Search, found: Found, rest: int) -> Found | None:
    """Put the old nodes from an index on behind a new path, if they still hold after it.

    They do if the state there is the very one they were planned in (functions are deterministic, ADR 0013). If it is
    another one, they are called again and must answer as before.
    """
    trail = ContinuedTrail(found.trail, tree.trail, rest)
    shift = len(found.trail) - rest
    kept = {node_id + shift: told for node_id, told in tree.annotations.items() if node_id > rest}
    found = found._replace(annotations={**found.annotations, **kept})
    if problem.blacklist and not problem.blacklist.isdisjoint(tree.trail.commands_from(rest)):
        return None
    history, older, older_index = found.history, result.history, rest - tree.first_new_id + 1
    same = older is not None and rest < len(tree.trail) and older.is_at(older_index, search.state)
    if same and not problem.counts_cost:
        assert older is not None
        assert history is not None
        assert result.final_state is not None
        history = history.continued_by(older, older_index)
        cost = added_up((how.cost for how in tree.trail.hows[rest:] if type(how) is Command), found.cost)
        return found._replace(trail=trail, final_state=result.final_state, history=history, cost=cost)
    marks, walk, cost = list(search.path.marks), Walk(search.state, tree.trail), found.cost
    try:
        for index in range(rest, len(tree.trail)):
            marks.append(len(search.state._log))
            how = tree.trail.hows[index]
            if type(how) is Command:
                cost += amount(how.cost, search.state, bare_item(tree.trail.items[index]))
            if walk.step(index) is not None:
                return None
    except Exception:  # a function that raises does not answer as before; if search gets there it says what is wrong
        return None
    return found._replace(trail=trail, final_state=search.state.snapshot(), history=search.history(marks), cost=cost)


def _sum(a: Statistics, b: Statistics) -> Statistics:
    return Statistics(
        iterations=a.iterations + b.iterations,
        backtracks=a.backtracks + b.backtracks,
        max_depth=max(a.max_depth, b.max_depth),
    )
