"""What goes into the goal planner and what comes out, as deeply frozen values (seed 003, sections 3 and 4).

Lists and sets given are taken as tuples and frozensets, dictionaries as read-only copies, so a value can be written
the way the seed writes it and still never change. Promises are kept by exceptions, not by `assert`: they hold under
`python -O` too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from planvow.canonical import canonical_json
from planvow.errors import ContractViolation, InputError, expect
from planvow.kernel.world.values import FrozenDict, freeze, value_to_json
from planvow.status import Status
from planvow.tools.words import word_for

GOAL_TYPES = ("browser_search", "browser_navigate", "app_launch", "file_operation", "system_query")
SEED_STATUS = {
    "success": Status.SOLVED,
    "partial": Status.PARTIAL,
    "blocked": Status.BLOCKED,
    "no_capability": Status.NO_CAPABILITY,
    "rejected": Status.REJECTED,
}
"""Seed 003's words for how planning ended, and the words of the one status table they stand for."""
STATUSES = tuple(SEED_STATUS)
MAX_FACTS = 1000


def _expect(this: Any, name: str, kind: type | tuple[type, ...], what: str) -> None:
    expect(getattr(this, name), kind, name, what)


def _frozen(value: Any, place: str) -> Any:
    try:
        return freeze(value)
    except RecursionError:
        raise InputError("nested too deeply", place=place) from None


def _order(fact: Fact) -> tuple[str, int, str]:
    return (fact.key, fact.timestamp, canonical_json(value_to_json(fact.value)))


def _set(this: Any, /, **fields: Any) -> None:
    for name, content in fields.items():
        object.__setattr__(this, name, content)


@dataclass(frozen=True, kw_only=True)
class ToolGoal:
    """One understood wish.

    >>> ToolGoal(goal_type="app_launch", target="calculator").target
    'calculator'
    """

    goal_type: str
    platform: str | None = None
    query: str | None = None
    target: str | None = None
    action: str | None = None
    object_type: str | None = None
    goal_id: str | None = None
    content: str | None = None
    destination: str | None = None
    new_name: str | None = None
    scope: str | None = None
    """Where the goal stands among others: root, inside:X, after:X, drive:D, desktop … (see MetaGoal)."""
    resolved_path: str | None = None
    """The absolute path, once a resolver has worked it out; `target` is used where it is None."""
    recursive: bool = False

    def __post_init__(self) -> None:
        expect(self.goal_type, str, "goal_type", "text")
        if self.goal_type not in GOAL_TYPES:
            raise InputError(
                f"goal_type is one of {', '.join(GOAL_TYPES)}; got {self.goal_type!r:.80}", place="goal_type"
            )
        for name, value in vars(self).items():
            kind, what = (bool, "true or false") if name == "recursive" else ((str, type(None)), "text")
            expect(value, kind, name, what)


@dataclass(frozen=True, kw_only=True)
class Fact:
    """Something a tool found out: subject, predicate, value, and where it comes from.

    >>> Fact(subject="browser", predicate="url", value="https://example.org").value
    'https://example.org'
    """

    subject: str
    predicate: str
    value: Any
    source_tool: str = ""
    timestamp: int = 0
    session: str = ""

    def __post_init__(self) -> None:
        for name in ("subject", "predicate", "source_tool", "session"):
            _expect(self, name, str, "text")
        if not isinstance(self.timestamp, int) or isinstance(self.timestamp, bool):
            raise InputError("timestamp is a whole number of seconds", place="timestamp")
        _set(self, value=_frozen(self.value, "value"))

    @property
    def key(self) -> str:
        """The word by which a tool's `requires` names this fact."""
        return f"{self.subject}.{self.predicate}"

    def words(self) -> frozenset[str]:
        """Return the words this fact meets: `key=value`, and the key alone where the value is true or a number that
        is not zero (something was counted or measured, and it is there)."""
        said = word_for(self.key, self.value)
        counted = isinstance(self.value, int | float) and self.value != 0
        return frozenset({said, self.key} if counted else {said})


@dataclass(frozen=True, kw_only=True)
class WorldState:
    """What is known about the machine at one moment. The planner only reads it.

    >>> WorldState(running_apps=frozenset({"editor"})).running_apps
    frozenset({'editor'})
    """

    browser_running: bool = False
    browser_last_url: str | None = None
    active_window: str | None = None
    running_apps: frozenset[str] = frozenset()
    recent_facts: tuple[Fact, ...] = ()

    def __post_init__(self) -> None:
        _expect(self, "browser_running", bool, "true or false")
        for name in ("browser_last_url", "active_window"):
            _expect(self, name, (str, type(None)), "text")
        _set(self, running_apps=_words(self.running_apps, "running_apps"))
        expect(self.recent_facts, Iterable, "recent_facts", "facts")
        facts = tuple(self.recent_facts)
        if not all(isinstance(fact, Fact) for fact in facts):
            raise InputError("recent_facts holds facts only", place="recent_facts")
        newest = sorted(sorted(facts, key=_order), key=lambda fact: -fact.timestamp)[:MAX_FACTS]
        _set(self, recent_facts=tuple(sorted(newest, key=_order)))

    def words(self) -> frozenset[str]:
        """Return the requirement words this world meets. Of several facts with one key, the newest count."""
        words = {f"app_running:{app}" for app in self.running_apps}
        newest: dict[str, int] = {}
        for fact in self.recent_facts:
            newest[fact.key] = max(fact.timestamp, newest.get(fact.key, fact.timestamp))
        for fact in self.recent_facts:
            if fact.timestamp == newest[fact.key]:
                words |= fact.words()
        return frozenset(words | {"browser_running"} if self.browser_running else words)


@dataclass(frozen=True, kw_only=True)
class ToolCapability:
    """What a tool can do for a goal, what it needs first, and what holds afterwards.

    >>> ToolCapability(name="lamp.on", can_achieve=frozenset({"light"})).name
    'lamp.on'
    """

    name: str
    can_achieve: frozenset[str] = frozenset()
    requires: frozenset[str] = frozenset()
    effects: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name:
            raise InputError("a tool has a name", place="name")
        for name in ("can_achieve", "requires", "effects"):
            _set(self, **{name: _words(getattr(self, name), name)})


def _words(given: Any, place: str) -> frozenset[str]:
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise InputError(f"expected a set of words, got {type(given).__name__}", place=place)
    words = tuple(given)
    if not all(isinstance(word, str) for word in words):
        raise InputError(f"{place} holds words only", place=place)
    return frozenset(words)


@dataclass(frozen=True, kw_only=True)
class PlannedAction:
    """One tool call.

    >>> goal = ToolGoal(goal_type="app_launch", target="calculator")
    >>> GoalPlanner().plan(goal, WorldState(), ToolRegistry.default().capabilities()).plan.actions[0].tool
    'system.apps.launch.shell'
    """

    action_id: str
    tool: str
    args: Mapping[str, Any] = field(default_factory=dict)
    expected_effect: str
    depends_on: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in ("action_id", "tool", "expected_effect"):
            _expect(self, name, str, "text")
        _expect(self, "args", Mapping, "a mapping")
        if isinstance(self.depends_on, str):
            raise InputError(f"depends_on is a list of action ids, got {self.depends_on!r}", place="depends_on")
        _set(self, args=FrozenDict({key: _frozen(value, f"args.{key}") for key, value in self.args.items()}))
        _set(self, depends_on=tuple(self.depends_on))


@dataclass(frozen=True, kw_only=True)
class GoalPlan:
    """Tool calls that reach a goal. Never empty; the order of the list respects every dependency.

    >>> goal = ToolGoal(goal_type="app_launch", target="calculator")
    >>> GoalPlanner().plan(goal, WorldState(), ToolRegistry.default().capabilities()).plan.total_actions
    1
    """

    actions: tuple[PlannedAction, ...]
    goal_achieved_by: str
    total_actions: int

    def __post_init__(self) -> None:
        _set(self, actions=tuple(self.actions))
        ids = [action.action_id for action in self.actions]
        if not ids:
            raise ContractViolation("a plan has at least one action")
        if self.total_actions != len(ids):
            raise ContractViolation(f"total_actions says {self.total_actions}, the plan has {len(ids)}")
        if len(set(ids)) != len(ids):
            raise ContractViolation("two actions have the same id")
        if self.goal_achieved_by not in ids:
            raise ContractViolation(f"goal_achieved_by names no action: {self.goal_achieved_by!r}")
        self._check_dependencies(ids)

    def _check_dependencies(self, ids: list[str]) -> None:
        earlier: set[str] = set()
        for action in self.actions:
            for needed in action.depends_on:
                if needed not in ids:
                    raise ContractViolation(f"{action.action_id} depends on {needed!r}, which is no action")
                if needed not in earlier:
                    raise ContractViolation(f"{action.action_id} depends on {needed!r}, which does not come before it")
            earlier.add(action.action_id)


@dataclass(frozen=True, kw_only=True)
class Refused:
    """Why a goal is rejected before any tool is looked at."""

    code: str
    reason: str


@dataclass(frozen=True, kw_only=True)
class PlanResult:
    """The planner's answer. Without success it says why: a code for programs, a reason for people.

    >>> goal = ToolGoal(goal_type="app_launch", target="calculator")
    >>> GoalPlanner().plan(goal, WorldState(), ()).reason_code
    'no_tool'
    """

    status: str
    plan: GoalPlan | None = None
    reason: str | None = None
    reason_code: str | None = None
    blocker: str | None = None
    """The requirement nothing meets, when the status is blocked."""
    unmet: tuple[str, ...] = ()
    """What a partial plan leaves out."""
    warnings: tuple[str, ...] = ()
    proof: str | None = field(default=None, compare=False)
    """What the search has shown: proved_minimal, minimal_within_budget, no_plan, chain_limit or budget_exceeded."""

    @property
    def outcome(self) -> Status:
        """The status in the words every planner shares."""
        return SEED_STATUS[self.status]

    def __post_init__(self) -> None:
        _set(self, unmet=tuple(self.unmet), warnings=tuple(self.warnings))
        if self.status not in STATUSES:
            raise ContractViolation(f"status is one of {', '.join(STATUSES)}; got {self.status!r}")
        if (self.status in ("success", "partial")) != (self.plan is not None):
            raise ContractViolation(f"{self.status} {'needs' if self.plan is None else 'has no'} plan")
        if self.status != "success" and not self.reason:
            raise ContractViolation(f"{self.status} needs a reason")
        if self.status == "partial" and not self.unmet:
            raise ContractViolation("a partial plan says what it leaves out")


# Seed 003's words. Elsewhere `planvow.Goal` is one triple, and `planvow.contract.Plan` a plan of any planner.
Goal = ToolGoal
Plan = GoalPlan
