"""Several goals that belong together: which there are, and which must wait for which.

Dependencies come from scopes: `inside:X` stands in the folder that goal X creates and waits for it, `after:X` only
waits, `root` and the base folders (`desktop`, `drive:d` …) wait for nothing. X is a goal's id, its target, its last
name, or its action. A scope that names nothing, or something later, is an error and never dropped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from planvow.errors import did_you_mean, expect
from planvow.goals.errors import MetaGoalError
from planvow.goals.values.config import folded
from planvow.goals.values.paths import ANCHORS
from planvow.goals.values.values import ToolGoal
from planvow.kernel.world.values import FrozenDict

SINGLE, INDEPENDENT, DEPENDENT = "single", "independent_multi", "dependent_multi"
META_TYPES = (SINGLE, INDEPENDENT, DEPENDENT)


@dataclass(frozen=True, kw_only=True)
class MetaGoal:
    """Goals and their dependencies (goal index → indices of earlier goals).

    >>> MetaGoal.of([ToolGoal(goal_type="app_launch", target="calculator")]).meta_type
    'single'
    """

    meta_type: str
    goals: tuple[ToolGoal, ...]
    dependencies: Mapping[int, tuple[int, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "goals", _listed(self.goals))
        kept = {index: tuple(sorted(set(needs))) for index, needs in sorted(self.dependencies.items()) if needs}
        object.__setattr__(self, "dependencies", FrozenDict(kept))
        if self.meta_type not in META_TYPES:
            raise MetaGoalError(f"meta_type is one of {', '.join(META_TYPES)}; got {self.meta_type!r}")
        if not self.goals:
            raise MetaGoalError("there are no goals")
        if self.meta_type == SINGLE and len(self.goals) != 1:
            raise MetaGoalError(f"single means one goal, not {len(self.goals)}")
        if self.meta_type != DEPENDENT and kept:
            raise MetaGoalError(f"{self.meta_type} goals do not depend on each other")
        self._check_ids()
        self._check_dependencies()

    def _check_ids(self) -> None:
        ids = [self.id_of(index) for index in range(len(self.goals))]
        if len(set(ids)) != len(ids):
            raise MetaGoalError("two goals have the same goal_id", hint="goal 2 is called g1 when it has no id")
        for index, goal_id in enumerate(ids):
            if not re.fullmatch(r"[a-z0-9_-]{1,100}", goal_id):  # it becomes part of step ids (seed 004)
                raise MetaGoalError("a goal_id has a-z, 0-9, _ and -", place=f"goals[{index}].goal_id")

    def _check_dependencies(self) -> None:
        for index, needs in self.dependencies.items():
            if not 0 <= index < len(self.goals) or any(not 0 <= need < index for need in needs):
                raise MetaGoalError(f"goal {index} depends on {needs}: a goal may depend only on earlier ones")
        for index in range(len(self.goals)):
            unsaid = set(_needs(index, self.goals)) - set(self.dependencies.get(index, ()))
            if unsaid:
                why = f"its scope says that it depends on goal {min(unsaid)}, dependencies do not"
                raise MetaGoalError(why, place=f"goals[{index}].scope")

    def id_of(self, index: int) -> str:
        """Return a goal's id: its own, or `g` and its index."""
        return self.goals[index].goal_id or f"g{index}"

    @property
    def sub_goals(self) -> tuple[ToolGoal, ...]:
        """The goals of a group; a single goal has none (the seed's word)."""
        return () if self.meta_type == SINGLE else self.goals

    @classmethod
    def of(cls, goals: Iterable[ToolGoal], also: Mapping[int, tuple[int, ...]] | None = None) -> MetaGoal:
        """Put goals together, with the dependencies that their scopes state and those given besides."""
        listed = _listed(goals)
        needs = {index: _needs(index, listed) for index in range(len(listed))}
        for index, others in (also or {}).items():
            needs[index] = (*needs.get(index, ()), *others)
        if len(listed) == 1 and not any(needs.values()):
            return cls(meta_type=SINGLE, goals=listed)
        kind = DEPENDENT if any(needs.values()) else INDEPENDENT
        return cls(meta_type=kind, goals=listed, dependencies=needs)

    def parent_of(self, index: int) -> int | None:
        """Return the goal whose folder this goal stands in, if its scope says so."""
        scope = self.goals[index].scope or "root"
        return _named(scope[len("inside:") :], index, self.goals) if scope.startswith("inside:") else None


def _listed(goals: Iterable[ToolGoal]) -> tuple[ToolGoal, ...]:
    expect(goals, Iterable, "goals", "a list of goals")
    listed = tuple(goals)
    for number, goal in enumerate(listed):
        expect(goal, ToolGoal, f"goals[{number}]", "a ToolGoal")
    return listed


def anchor_of(goal: ToolGoal) -> str:
    """Return the base folder a goal's scope names; the workspace by default."""
    scope = folded(goal.scope or "")
    return scope if scope in ANCHORS or scope.startswith("drive:") else ANCHORS[0]


def _needs(index: int, goals: tuple[ToolGoal, ...]) -> tuple[int, ...]:
    scope = goals[index].scope or "root"
    kind, colon, name = scope.partition(":")
    if colon and kind in ("inside", "after"):
        return (_named(name, index, goals),)
    if scope == "root" or folded(scope) in ANCHORS or re.fullmatch(r"drive:[A-Za-z]", scope):
        return ()
    known = ("root", "inside:", "after:", "drive:", *ANCHORS)
    raise MetaGoalError(
        f"unknown scope {scope!r}", place=f"goals[{index}].scope", hint=did_you_mean(scope, known) or f"known: {known}"
    )


def _named(name: str, index: int, goals: tuple[ToolGoal, ...]) -> int:
    """Return the latest earlier goal that a scope's name means."""
    wanted = folded(name)
    for earlier in range(index - 1, -1, -1):
        if wanted in _names(goals[earlier], earlier):
            return earlier
    later = any(wanted in _names(goals[other], other) for other in range(index, len(goals)))
    why = "stands later" if later else "names no goal"
    raise MetaGoalError(f"{name!r} {why}", place=f"goals[{index}].scope", hint="a scope names an earlier goal")


def _names(goal: ToolGoal, index: int) -> set[str]:
    target = (goal.target or "").rstrip("/\\")
    names = {goal.goal_id or f"g{index}", target, re.split(r"[\\/]", target)[-1], goal.action or ""}
    return {folded(name) for name in names if name}
