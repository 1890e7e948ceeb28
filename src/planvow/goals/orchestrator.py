"""Several goals, planned one by one and joined into one graph of tool calls.

Independent goals have no edges between them. A goal that depends on another starts with an action that waits for the
other's final action, and is planned in a world in which the other's effects already hold. A goal that fails takes
those that need it with it, and the rest is still planned: the answer is then partial and says what is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from planvow.goals.chain import ToolIndex
from planvow.goals.config import GoalConfig, folded
from planvow.goals.metagoal import DEPENDENT, MetaGoal, anchor_of
from planvow.goals.paths import is_absolute, resolve_path
from planvow.goals.planner import GoalPlanner
from planvow.goals.values import Goal, PlannedAction, PlanResult, ToolCapability, WorldState
from planvow.kernel.values import FrozenDict


@dataclass(frozen=True, kw_only=True)
class FailedGoal:
    """A goal that is not in the graph, and why."""

    index: int
    goal: Goal
    reason: str
    reason_code: str | None = None
    blocker: str | None = None


@dataclass(frozen=True, kw_only=True)
class PlanGraph:
    """All actions of all goals. `execution_order` is one order that respects every edge."""

    nodes: tuple[PlannedAction, ...]
    edges: tuple[tuple[str, str], ...]
    goal_actions: Mapping[int, tuple[str, ...]]
    execution_order: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class OrchestratorResult:
    """The joined answer: success, partial, blocked or no_capability."""

    status: str
    graph: PlanGraph | None = None
    failed_goals: tuple[FailedGoal, ...] = ()
    warnings: tuple[str, ...] = field(default_factory=tuple)
    reason: str | None = None


class GoalOrchestrator:
    """Plans groups of goals with a goal planner."""

    def __init__(self, planner: GoalPlanner | None = None, *, anchors: Mapping[str, str] | None = None) -> None:
        self.planner = planner or GoalPlanner()
        self.anchors = dict(anchors or {})

    def plan(
        self, meta: MetaGoal, world_state: WorldState, capabilities: Iterable[ToolCapability] | ToolIndex | None
    ) -> OrchestratorResult:
        """Plan every goal that can be planned and join the plans."""
        index = capabilities if isinstance(capabilities, ToolIndex) else ToolIndex(capabilities or ())
        meta, browser = without_redundant_launch(meta, self.planner.config)
        paths: dict[int, str] = {}
        results: dict[int, PlanResult] = {}
        failed: list[FailedGoal] = []
        for number, goal in enumerate(meta.goals):
            lost = [need for need in meta.dependencies.get(number, ()) if need not in results]
            if lost:
                failed.append(
                    _failed(number, goal, f"goal {lost[0]}, which it depends on, failed", "dependency_failed")
                )
                continue
            resolved = self._resolved(meta, number, paths)
            holding = _effects(meta.dependencies.get(number, ()), meta, results, index)
            result = self.planner.plan(resolved, world_state, index, browser=browser, also=holding)
            if result.plan is None:
                failed.append(_failed(number, goal, result.reason or "", result.reason_code, result.blocker))
            else:
                results[number] = result
        return _joined(meta, results, failed)

    def _resolved(self, meta: MetaGoal, number: int, paths: dict[int, str]) -> Goal:
        """Return a file goal with its absolute path, as far as scope and anchors tell it."""
        goal = meta.goals[number]
        if goal.goal_type != "file_operation" or not goal.target or goal.resolved_path:
            return goal
        parent = meta.parent_of(number)
        path = resolve_path(
            goal.target, self.anchors, parent=paths.get(parent) if parent is not None else None, anchor=anchor_of(goal)
        )
        if path is None:
            return goal
        paths[number] = path
        there = goal.destination
        if there and not is_absolute(there):
            there = resolve_path(there, self.anchors, anchor=anchor_of(goal))
        return replace(goal, resolved_path=path, destination=there)


def without_redundant_launch(meta: MetaGoal, config: GoalConfig) -> tuple[MetaGoal, str | None]:
    """Drop "open the browser" where a browser goal follows: opening the page opens the browser.

    Returns the goals that are left and the browser that was asked for.
    """
    browsing = [i for i, g in enumerate(meta.goals) if g.goal_type in ("browser_search", "browser_navigate")]
    launch = next((i for i, g in enumerate(meta.goals) if _launches_browser(g, config)), None)
    if launch is None or not browsing or min(browsing) < launch:
        return meta, None
    asked = config.app(meta.goals[launch].target or meta.goals[launch].platform or "")
    left = [i for i in range(len(meta.goals)) if i != launch]
    place = {old: new for new, old in enumerate(left)}
    needs = {place[i]: tuple(place[n] for n in meta.dependencies.get(i, ()) if n != launch) for i in left}
    goals = tuple(
        replace(meta.goals[i], scope=None) if launch in meta.dependencies.get(i, ()) else meta.goals[i] for i in left
    )
    kind = "single" if len(goals) == 1 else DEPENDENT if any(needs.values()) else "independent_multi"
    return MetaGoal(meta_type=kind, goals=goals, dependencies=needs), folded(asked)


def _launches_browser(goal: Goal, config: GoalConfig) -> bool:
    return goal.goal_type == "app_launch" and config.is_browser(goal.target or goal.platform or "")


def _failed(index: int, goal: Goal, reason: str, code: str | None, blocker: str | None = None) -> FailedGoal:
    return FailedGoal(index=index, goal=goal, reason=reason, reason_code=code, blocker=blocker)


def _effects(
    needs: tuple[int, ...], meta: MetaGoal, results: Mapping[int, PlanResult], index: ToolIndex
) -> frozenset[str]:
    """Return the words that hold once these goals, and what they depend on, are done."""
    words: set[str] = set()
    for need in needs:
        words |= _effects(meta.dependencies.get(need, ()), meta, results, index)
        plan = results[need].plan
        for action in plan.actions if plan else ():
            words |= {*index.by_name[action.tool].effects, action.expected_effect}
    return frozenset(words)


def _joined(meta: MetaGoal, results: Mapping[int, PlanResult], failed: list[FailedGoal]) -> OrchestratorResult:
    warnings = tuple(warning for result in results.values() for warning in result.warnings)
    if not results:
        codes = {failure.reason_code for failure in failed}
        status = "no_capability" if codes == {"no_tool"} else "blocked"
        reason = "; ".join(failure.reason for failure in failed)
        return OrchestratorResult(status=status, failed_goals=tuple(failed), reason=reason)
    graph = _graph(meta, results)
    if not failed:
        return OrchestratorResult(status="success", graph=graph, warnings=warnings)
    reason = f"{len(failed)} of {len(meta.goals)} goals cannot be planned"
    return OrchestratorResult(
        status="partial", graph=graph, failed_goals=tuple(failed), warnings=warnings, reason=reason
    )


def _graph(meta: MetaGoal, results: Mapping[int, PlanResult]) -> PlanGraph:
    nodes: list[PlannedAction] = []
    goal_actions: dict[int, tuple[str, ...]] = {}
    finals: dict[int, str] = {}
    for number, result in results.items():
        plan = result.plan
        if plan is None:
            continue
        prefix = meta.goals[number].goal_id or f"g{number}"
        names = {action.action_id: f"{prefix}_{action.action_id}" for action in plan.actions}
        waits = tuple(finals[need] for need in meta.dependencies.get(number, ()))
        for action in plan.actions:
            own = tuple(names[need] for need in action.depends_on)
            first = not own  # what depends on nothing else in its goal waits for the goals before it
            nodes.append(
                replace(action, action_id=names[action.action_id], depends_on=(*waits, *own) if first else own)
            )
        goal_actions[number] = tuple(names[action.action_id] for action in plan.actions)
        finals[number] = names[plan.goal_achieved_by]
    edges = tuple((need, action.action_id) for action in nodes for need in action.depends_on)
    # Goals come in order and depend only on earlier ones, so the list itself is a topological order.
    order = tuple(action.action_id for action in nodes)
    return PlanGraph(nodes=tuple(nodes), edges=edges, goal_actions=FrozenDict(goal_actions), execution_order=order)
