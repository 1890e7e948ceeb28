"""Goals that belong together: a platform and the search that follows, and who waits for whom."""

from __future__ import annotations

from dataclasses import replace

from planvow.goals.grammar.pages import platform_of_page
from planvow.goals.understand.doubt import Doubt
from planvow.goals.values.config import GoalConfig
from planvow.goals.values.metagoal import MetaGoal
from planvow.goals.values.values import ToolGoal


def joined(goals: list[ToolGoal], parts: list[int], config: GoalConfig) -> MetaGoal | Doubt:
    """Return goals as one group; `parts` counts the "then" before each."""
    merged: list[ToolGoal] = []
    kept: list[int] = []
    for number, goal in enumerate(goals):
        before = merged[-1] if merged else None
        doubt = _in_which_app(goal, goals[:number], config)
        if doubt is not None:
            return doubt
        if goal.goal_type == "browser_search" and before is not None and before.goal_type == "browser_navigate":
            opened = platform_of_page(before.target or "", config)
            if goal.platform not in (None, "google", opened):  # said outright: two wishes
                merged.append(goal)
                kept.append(parts[number])
                continue
            if opened is None or goal.platform not in (None, opened):
                other = goal.platform or "google"
                choices = tuple(f"search {name} for {goal.query}" for name in (opened, other) if name)
                return Doubt(reason=f"search on {opened or before.target} or on {other}?", choices=choices)
            merged[-1] = replace(goal, platform=opened, goal_id=before.goal_id)
        else:
            merged.append(goal)
            kept.append(parts[number])
    return MetaGoal.of(merged, _together(_then(kept), _in_order(merged)))


def _in_which_app(goal: ToolGoal, earlier: list[ToolGoal], config: GoalConfig) -> Doubt | None:
    """Doubt a search right after an app that may have a search of its own, and a page after two browsers."""
    if goal.goal_type == "browser_search" and goal.platform is None and earlier:
        before = earlier[-1]
        if before.goal_type == "app_launch" and not config.is_browser(before.target or ""):
            choices = (f"open {before.target}, then search google for {goal.query}", f"search google for {goal.query}")
            return Doubt(reason=f"search in {before.target} or on the web?", choices=choices)
    browsers = [g.target or "" for g in earlier if g.goal_type == "app_launch" and config.is_browser(g.target or "")]
    if goal.goal_type in ("browser_search", "browser_navigate") and len(browsers) > 1:
        return Doubt(reason=f"in which browser: {' or '.join(browsers)}?")
    return None


def _in_order(goals: list[ToolGoal]) -> dict[int, tuple[int, ...]]:
    """Return the dependencies of goals about the same file or folder, or one in the other: as said, one by one."""
    needs = {}
    for index, goal in enumerate(goals):
        earlier = (i for i in range(index) if any(_overlap(a, b) for a in _paths(goals[i]) for b in _paths(goal)))
        found = tuple(earlier)
        if found:
            needs[index] = found
    return needs


def _paths(goal: ToolGoal) -> list[str]:
    if goal.goal_type != "file_operation":
        return []
    target = (goal.target or "").rstrip("/")
    renamed = "/".join([*target.split("/")[:-1], goal.new_name]) if goal.new_name else None
    return [f"{goal.scope or ''}:{path.rstrip('/')}" for path in (target, goal.destination, renamed) if path]


def _overlap(one: str, other: str) -> bool:
    return f"{one}/".startswith(f"{other}/") or f"{other}/".startswith(f"{one}/")


def _together(*needs: dict[int, tuple[int, ...]]) -> dict[int, tuple[int, ...]]:
    """Return all dependencies together; a `MetaGoal` puts them in order."""
    indices = dict.fromkeys(index for need in needs for index in need)
    return {index: tuple(i for need in needs for i in need.get(index, ())) for index in indices}


def _then(parts: list[int]) -> dict[int, tuple[int, ...]]:
    """Return the dependencies that "then" makes: a goal waits for all goals of the nearest part before its own."""
    needs = {}
    for index, part in enumerate(parts):
        before = max((p for p in parts if p < part), default=None)
        if before is not None:
            needs[index] = tuple(i for i, p in enumerate(parts) if p == before)
    return needs
