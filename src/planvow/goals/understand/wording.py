"""Goals as sentences: how a reading is said so that it is read again as just that."""

from __future__ import annotations

from collections.abc import Sequence

from planvow.goals.values.metagoal import MetaGoal
from planvow.goals.values.paths import ANCHORS
from planvow.goals.values.values import ToolGoal


def said(meta: MetaGoal) -> str:
    """Return a sentence for a group of goals. Whoever shows it tries first whether it is understood."""
    return ", then ".join(_said(goal, meta.goals) for goal in meta.goals)


def _said(goal: ToolGoal, goals: Sequence[ToolGoal]) -> str:
    if goal.goal_type == "browser_search":
        return f"search {goal.platform} for {goal.query}" if goal.platform else f"search for {goal.query}"
    if goal.goal_type == "browser_navigate":
        return f"go to {goal.target}"
    if goal.goal_type == "app_launch":
        return f"open {goal.target}"
    if goal.goal_type == "system_query":
        return f"what is the {goal.query}"
    return _file(goal)


def _file(goal: ToolGoal) -> str:
    thing = f'{goal.object_type or "file"} called "{goal.target}"'
    where = _place(goal.scope)
    if goal.action == "create":
        content = f' with content "{goal.content}"' if goal.content is not None else ""
        return f"create a {thing}{content}{where}"
    if goal.action in ("write", "append"):
        return f'{goal.action} "{goal.content}" to the {thing}{where}'
    if goal.action == "rename":
        return f'rename the {thing}{where} to "{goal.new_name}"'
    if goal.action in ("move", "copy"):
        there = goal.destination or ""
        to = f'the folder "{there.rstrip("/")}"' if there.endswith("/") else f'"{there}"'
        return f"{goal.action} the {thing}{where} to {to}"
    if goal.action == "list":
        return f'list the folder "{goal.target}"{where}'
    return f"{goal.action} the {thing}{where}"


def _place(scope: str | None) -> str:
    if scope is None:
        return ""
    if scope.startswith("drive:"):
        return f" on drive {scope[6:]}"
    return f" in {scope}" if scope in ANCHORS else " in it"
