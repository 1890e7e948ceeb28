"""Several goals in one graph of tool calls: the only place where goals are merged.

Each goal is planned by itself first: one that fails takes those that need it with it, and the rest is still planned;
the answer is then partial and says what is left out. What can be planned is planned together, with the fewest calls for
all of it: opening a page opens the browser, what several goals need is called once, and the same goal twice is one.
Goals that share nothing have no edges between them. A goal that depends on another starts with an action that waits for
the other's final action, in a world in which the other's effects already hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from planvow.errors import expect
from planvow.goals.plan.calls import Call, call_for
from planvow.goals.plan.chain import Chain, Link, shortest_chain
from planvow.goals.plan.index import ToolIndex, effects_of, tool_index
from planvow.goals.plan.planner import GoalPlanner, unproved
from planvow.goals.plan.search import Proof
from planvow.goals.plan.together import Asked, Shares, dealt_out, twins
from planvow.goals.values.config import GoalConfig, folded
from planvow.goals.values.metagoal import MetaGoal, anchor_of
from planvow.goals.values.paths import resolve_path
from planvow.goals.values.values import PlannedAction, PlanResult, Refused, ToolCapability, ToolGoal, WorldState
from planvow.kernel.world.values import FrozenDict


@dataclass(frozen=True, kw_only=True)
class FailedGoal:
    """A goal that is not in the graph, and why."""

    index: int
    goal: ToolGoal
    status: str
    reason: str
    reason_code: str | None = None
    blocker: str | None = None


@dataclass(frozen=True, kw_only=True)
class PlanGraph:
    """All actions of all goals. `execution_order` is one order that respects every edge.

    >>> wish = GoalInterpreter().interpret("open notepad and calculator").meta_goal
    >>> GoalOrchestrator().plan(wish, WorldState(), ToolRegistry.default().capabilities()).graph.execution_order
    ('g0_a1', 'g1_a1')
    """

    nodes: tuple[PlannedAction, ...]
    edges: tuple[tuple[str, str], ...]
    goal_actions: Mapping[int, tuple[str, ...]]
    """Goal index → ids of its actions. A goal that another one's actions reach as well has theirs."""
    execution_order: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class OrchestratorResult:
    """The joined answer: success, partial, or why nothing is planned.

    >>> wish = GoalInterpreter().interpret("open notepad and calculator").meta_goal
    >>> answer = GoalOrchestrator().plan(wish, WorldState(), ToolRegistry.default().capabilities())
    >>> answer.failed_goals
    ()
    """

    status: str
    graph: PlanGraph | None = None
    failed_goals: tuple[FailedGoal, ...] = ()
    warnings: tuple[str, ...] = field(default_factory=tuple)
    reason: str | None = None


class GoalOrchestrator:
    """Plans groups of goals with a goal planner.

    >>> wish = GoalInterpreter().interpret("open notepad and calculator").meta_goal
    >>> GoalOrchestrator().plan(wish, WorldState(), ToolRegistry.default().capabilities()).status
    'success'
    """

    def __init__(self, planner: GoalPlanner | None = None, *, anchors: Mapping[str, str] | None = None) -> None:
        self.planner = planner or GoalPlanner()
        self.anchors = dict(anchors or {})

    def plan(
        self, meta: MetaGoal, world_state: WorldState, capabilities: Iterable[ToolCapability] | ToolIndex | None
    ) -> OrchestratorResult:
        """Plan every goal that can be planned and join the plans."""
        expect(meta, MetaGoal, "meta", "a MetaGoal")
        expect(world_state, WorldState, "world_state", "a WorldState")
        index = tool_index(capabilities)
        launch = redundant_launch(meta, self.planner.config)
        planned = self._planned(meta, launch, world_state, index)
        if launch is not None and not _opened_by(meta, launch, planned.graph):
            planned = self._planned(meta, None, world_state, index)  # no page is opened: the browser is, by itself
        return planned

    def _planned(
        self, meta: MetaGoal, launch: int | None, world_state: WorldState, index: ToolIndex
    ) -> OrchestratorResult:
        config = self.planner.config
        needs = _needs(meta, launch)
        browser = folded(config.app(_app(meta.goals[launch]))) if launch is not None else None
        results: dict[int, PlanResult] = {}
        asked: dict[int, Asked] = {}
        failed: list[FailedGoal] = []
        for number, goal in enumerate(meta.goals):
            if number == launch:
                continue
            lost = [need for need in needs[number] if need not in results]
            resolved = self._resolved(meta, number, results) if not lost else None
            if resolved is None:
                result = _failure("blocked", "dependency_failed", f"dependency failed: {meta.id_of(lost[0])}")
            elif isinstance(resolved, Refused):
                result = _failure("rejected", resolved.code, resolved.reason)
            else:
                holding = _effects(needs[number], needs, results, index, config)
                own = browser if launch is not None and number > launch else None
                result = self.planner.plan(resolved, world_state, index, browser=own, also=holding)
            if result.plan is None or not isinstance(resolved, ToolGoal):
                failed.append(_failed(number, goal, result))
                continue
            results[number] = result
            used = own or self.planner.browser(world_state)
            call = call_for(resolved, config, used)
            if isinstance(call, Call):
                asked[number] = Asked(goal_id=meta.id_of(number), call=call, browser=used)
        if not asked:
            return _nothing(failed)
        return self._together(meta, launch, needs, asked, results, failed, world_state.words(), index)

    def _together(
        self,
        meta: MetaGoal,
        launch: int | None,
        needs: Mapping[int, tuple[int, ...]],
        asked: Mapping[int, Asked],
        results: Mapping[int, PlanResult],
        failed: list[FailedGoal],
        holding: frozenset[str],
        index: ToolIndex,
    ) -> OrchestratorResult:
        """Plan the goals that can be planned as one; where they undo each other, without the last ones."""
        same = twins(asked, needs)
        numbers = [number for number in asked if number not in same]
        needs = {number: tuple(dict.fromkeys(same.get(n, n) for n in needs[number])) for number in numbers}
        chain = self._chain(numbers, needs, asked, results, holding, index)
        while not chain.links:
            last = numbers.pop()
            reason = f"it cannot be had together with {', '.join(meta.id_of(number) for number in numbers)}"
            failed.append(_failed(last, meta.goals[last], _failure("blocked", str(chain.verdict), reason)))
            chain = self._chain(numbers, needs, asked, results, holding, index)
        nodes, used = dealt_out(Shares(chain.links, numbers, needs), asked)
        used |= {later: used[earlier] for later, earlier in same.items() if earlier in used}
        graph = _graph(meta, launch, nodes, used)
        warnings = (*(w for number in numbers for w in asked[number].call.warnings), *unproved(chain))
        if not failed:
            return OrchestratorResult(status="success", graph=graph, warnings=warnings)
        reason = f"{len(failed)} of {len(meta.goals)} goals cannot be planned"
        return OrchestratorResult(
            status="partial", graph=graph, failed_goals=tuple(failed), warnings=warnings, reason=reason
        )

    def _chain(
        self,
        numbers: list[int],
        needs: Mapping[int, tuple[int, ...]],
        asked: Mapping[int, Asked],
        results: Mapping[int, PlanResult],
        holding: frozenset[str],
        index: ToolIndex,
    ) -> Chain:
        plans = [plan for number in numbers if (plan := results[number].plan) is not None]
        tools = [index.by_name[plan.actions[-1].tool] for plan in plans]
        undo = any("=" in effect for tool in tools for effect in tool.effects)
        if all(plan.total_actions == 1 for plan in plans) and not undo:  # one call for each goal: fewer there are none
            links = [
                Link(plan.actions[0].tool, asked[number].call.word, (), place)
                for place, (number, plan) in enumerate(zip(numbers, plans, strict=True))
            ]
            return Chain(Proof.MINIMAL, tuple(links))
        place = {number: place for place, number in enumerate(numbers)}
        wanted = [
            self.planner.wanted(asked[number].call, tuple(place[need] for need in needs[number])) for number in numbers
        ]
        limits = replace(self.planner.limits, max_calls=self.planner.limits.max_calls * len(numbers))
        return shortest_chain(wanted, index, holding, browsers=self.planner.config.browsers, limits=limits)

    def _resolved(self, meta: MetaGoal, number: int, results: Mapping[int, PlanResult]) -> ToolGoal | Refused:
        """Return a file goal with its absolute paths, as far as scope and anchors tell them."""
        goal = meta.goals[number]
        parent = meta.parent_of(number)
        base = _folder_made_by(results[parent]) if parent is not None else None
        if parent is not None and base is None:
            return Refused(code="invalid_scope", reason=f"goal {meta.id_of(parent)} makes no folder to be inside of")
        if goal.goal_type != "file_operation" or not goal.target:
            return goal
        path = goal.resolved_path or resolve_path(goal.target, self.anchors, parent=base, anchor=anchor_of(goal))
        there = goal.destination
        if there:
            moved = resolve_path(there, self.anchors, anchor=anchor_of(goal))
            if isinstance(moved, Refused):
                return moved
            there = moved
        return path if isinstance(path, Refused) else replace(goal, resolved_path=path, destination=there)


def redundant_launch(meta: MetaGoal, config: GoalConfig) -> int | None:
    """Return the goal "open the browser" that a later browser goal makes superfluous: opening a page opens the browser.

    It stays when something else waits for it, and when several browsers are asked for: then each is meant.
    """
    launches = [i for i, g in enumerate(meta.goals) if g.goal_type == "app_launch" and config.is_browser(_app(g))]
    if len(launches) != 1:
        return None
    [launch] = launches
    waiting = [i for i, needs in meta.dependencies.items() if launch in needs]
    browsing = [i for i in range(launch + 1, len(meta.goals)) if meta.goals[i].goal_type in _BROWSING]
    return launch if browsing and all(i in browsing for i in waiting) else None


_BROWSING = ("browser_search", "browser_navigate")


def _app(goal: ToolGoal) -> str:
    return goal.target or goal.platform or ""


def _needs(meta: MetaGoal, launch: int | None) -> dict[int, tuple[int, ...]]:
    """Return what each goal waits for; what waited for a superfluous launch waits for what the launch waited for."""
    needs = {number: tuple(meta.dependencies.get(number, ())) for number in range(len(meta.goals))}
    if launch is None:
        return needs
    inherited = needs[launch]
    return {
        number: tuple(dict.fromkeys([*(n for n in own if n != launch), *(inherited if launch in own else ())]))
        for number, own in needs.items()
    }


def _folder_made_by(result: PlanResult) -> str | None:
    final = result.plan.actions[-1] if result.plan else None
    return final.args["path"] if final is not None and final.expected_effect == "create_folder_done" else None


def _failure(status: str, code: str, reason: str) -> PlanResult:
    return PlanResult(status=status, reason=reason, reason_code=code)


def _failed(number: int, goal: ToolGoal, result: PlanResult) -> FailedGoal:
    return FailedGoal(
        index=number,
        goal=goal,
        status=result.status,
        reason=result.reason or "",
        reason_code=result.reason_code,
        blocker=result.blocker,
    )


def _effects(
    needed: Iterable[int],
    needs: Mapping[int, tuple[int, ...]],
    results: Mapping[int, PlanResult],
    index: ToolIndex,
    config: GoalConfig,
) -> frozenset[str]:
    """Return the words that hold once these goals, and those they depend on, are done."""
    words: set[str] = set()
    todo, seen = [*needed], set()
    while todo:
        number = todo.pop()
        if number in seen:
            continue
        seen.add(number)
        todo.extend(needs[number])
        plan = results[number].plan
        for action in plan.actions if plan else ():
            words |= effects_of(index.by_name[action.tool], action.expected_effect, config.browsers)
    return frozenset(words)


def _nothing(failed: list[FailedGoal]) -> OrchestratorResult:
    # What failed only because another did says nothing of its own.
    statuses = {failure.status for failure in failed if failure.reason_code != "dependency_failed"}
    status = statuses.pop() if len(statuses) == 1 else "blocked"
    reason = "; ".join(failure.reason for failure in failed)
    return OrchestratorResult(status=status, failed_goals=tuple(failed), reason=reason)


def _graph(
    meta: MetaGoal, launch: int | None, nodes: tuple[PlannedAction, ...], used: Mapping[int, tuple[str, ...]]
) -> PlanGraph:
    edges = tuple((need, action.action_id) for action in nodes for need in action.depends_on)
    # A call depends only on earlier ones, so the list itself is a topological order.
    order = tuple(action.action_id for action in nodes)
    ordered = FrozenDict(sorted(used.items()))
    graph = PlanGraph(nodes=nodes, edges=edges, goal_actions=ordered, execution_order=order)
    if launch is None:
        return graph
    shared = {**used, launch: _opened_by(meta, launch, graph)}
    return replace(graph, goal_actions=FrozenDict(sorted(shared.items())))


def _opened_by(meta: MetaGoal, launch: int, graph: PlanGraph | None) -> tuple[str, ...]:
    """Return the actions of the first page that is opened after a launch, and with it the browser; none if none is."""
    for number, actions in graph.goal_actions.items() if graph else ():
        if number > launch and meta.goals[number].goal_type in _BROWSING:
            return actions
    return ()
