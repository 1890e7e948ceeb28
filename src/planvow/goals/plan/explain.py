"""Why each tool is in a plan, and what would help a goal that has none: sentences for people, read off the values."""

from __future__ import annotations

from collections.abc import Mapping

from planvow.goals.plan.index import ToolIndex
from planvow.goals.plan.orchestrator import FailedGoal, PlanGraph
from planvow.goals.values.metagoal import MetaGoal
from planvow.goals.values.values import PlannedAction, ToolGoal


def why_each_tool(graph: PlanGraph, meta: MetaGoal, index: ToolIndex) -> Mapping[str, str]:
    """Return for every action, by id, why its tool is called."""
    reasons: dict[str, str] = {}
    nodes = {node.action_id: node for node in graph.nodes}
    for number, action_ids in graph.goal_actions.items():
        actions = [nodes[action_id] for action_id in action_ids]
        for action in actions[:-1]:
            reasons[action.action_id] = _provides(action, graph, index)
        word = _goal_word(meta.goals[number], actions[-1])
        if word is not None:
            reasons[actions[-1].action_id] = _achieves(word, index)
    return reasons


def what_would_help(failure: FailedGoal) -> str | None:
    """Return what would unblock a goal that failed, where that can be said."""
    if failure.blocker is not None:
        return f"a tool with the effect {failure.blocker!r}, or a world that shows it"
    if failure.reason_code == "no_tool":
        return f"a tool that {failure.reason.removeprefix('no tool ')}"
    if failure.reason_code == "dependency_failed":
        return "mending the goal it depends on"
    return None


def _goal_word(goal: ToolGoal, final: PlannedAction) -> str | None:
    if goal.goal_type == "file_operation":
        return final.expected_effect.removesuffix("_done")
    # A launch that a page made superfluous shares the page's action, which has its own reason.
    return None if goal.goal_type == "app_launch" and "url" in final.args else goal.goal_type


def _achieves(word: str, index: ToolIndex) -> str:
    count = len(index.achieving(word))
    return f"the only tool for {word}" if count == 1 else f"the shortest way to {word} among {count} tools"


def _provides(action: PlannedAction, graph: PlanGraph, index: ToolIndex) -> str:
    resting = [node for node in graph.nodes if action.action_id in node.depends_on]
    users = [a.action_id for a in resting if action.expected_effect in index.by_name[a.tool].requires]
    return f"gives {action.expected_effect}, which {' and '.join(users)} needs"
