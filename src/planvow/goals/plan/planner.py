"""(goal, world, capabilities) → the fewest tool calls, or a clear refusal. Seed 003.

The goal's own call says what must become true and with which arguments; the chain says which tools to call, and in what
order, to get there. Nothing is executed, nothing is asked, nothing is changed: the same three inputs give the same
answer.
"""

from __future__ import annotations

from collections.abc import Iterable

from planvow.errors import expect
from planvow.goals.plan.callings import Wanted
from planvow.goals.plan.calls import Call, call_for
from planvow.goals.plan.chain import Chain, Link, shortest_chain
from planvow.goals.plan.index import ToolIndex, tool_index
from planvow.goals.plan.search import Limits, Proof
from planvow.goals.plan.together import args_for
from planvow.goals.values.config import GoalConfig, default_config
from planvow.goals.values.values import (
    GoalPlan,
    PlannedAction,
    PlanResult,
    Refused,
    ToolCapability,
    ToolGoal,
    WorldState,
)

VERSION = "1.12.0"
SUPPORTED_GOAL_TYPES = frozenset({"browser_search", "browser_navigate", "app_launch", "file_operation"})
"""Supported whenever tools are there; `system_query` is supported when a read-only capability says so."""


class GoalPlanner:
    """Plans single goals. Holds only its configuration and its limits.

    >>> goal = ToolGoal(goal_type="app_launch", target="calculator")
    >>> GoalPlanner().plan(goal, WorldState(), ToolRegistry.default().capabilities()).status
    'success'
    """

    def __init__(self, config: GoalConfig | None = None, *, limits: Limits | None = None) -> None:
        self.config = config or default_config()
        self.limits = limits or Limits()

    def plan(
        self,
        goal: ToolGoal,
        world_state: WorldState,
        capabilities: Iterable[ToolCapability] | ToolIndex | None,
        *,
        browser: str | None = None,
        also: frozenset[str] = frozenset(),
    ) -> PlanResult:
        """Return the fewest tool calls that reach the goal. `capabilities=None` means that there are no tools.

        `browser` is the one to use in place of the configured one; `also` are words that will hold by then, because
        goals this one depends on make them so.
        """
        expect(goal, ToolGoal, "goal", "a ToolGoal")
        expect(world_state, WorldState, "world_state", "a WorldState")
        index = tool_index(capabilities)
        browser = browser or self.browser(world_state)
        call = call_for(goal, self.config, browser)
        if isinstance(call, Refused):
            return PlanResult(status="rejected", reason=call.reason, reason_code=call.code)
        if not index.achieving(call.word):
            return PlanResult(
                status="no_capability",
                reason=f"no tool can achieve {call.word}",
                reason_code="no_tool",
                warnings=call.warnings,
            )
        chain = shortest_chain(
            [self.wanted(call)],
            index,
            world_state.words() | also,
            browsers=self.config.browsers,
            limits=self.limits,
        )
        if not chain.links:
            return _blocked(chain, call, self.limits)
        return PlanResult(
            status="success",
            plan=_plan(chain.links, call, browser),
            warnings=(*call.warnings, *unproved(chain)),
            proof=chain.verdict,
        )

    def browser(self, world_state: WorldState) -> str:
        """Return the configured browser; where a fact says that it is not installed, the first that may be."""
        absent = {f.subject for f in world_state.recent_facts if f.predicate == "installed" and f.value is False}
        choices = (self.config.default_browser, *self.config.browsers)
        return next((name for name in choices if name not in absent), self.config.default_browser)

    def wanted(self, call: Call, after: tuple[int, ...] = ()) -> Wanted:
        """Return what a call asks of the search."""
        preferred = self.config.preferred_tools.get(call.word) or f"files.{call.word}"
        return Wanted(call.word, preferred, after, call.effect)


def unproved(chain: Chain) -> tuple[str, ...]:
    """Return the warning that a plan may not be the shortest, where that was not proved."""
    if chain.verdict is Proof.MINIMAL:
        return ()
    return ("the search ended at its limit: the plan works, a shorter one is not ruled out",)


def _plan(links: tuple[Link, ...], call: Call, browser: str) -> GoalPlan:
    actions = []
    for number, link in enumerate(links, start=1):
        is_last = number == len(links)
        actions.append(
            PlannedAction(
                action_id=f"a{number}",
                tool=link.tool,
                args=call.args if is_last else args_for(link.word, browser),
                expected_effect=call.effect if is_last else link.word,
                depends_on=tuple(f"a{i + 1}" for i in link.rests_on),
            )
        )
    return GoalPlan(actions=tuple(actions), goal_achieved_by=actions[-1].action_id, total_actions=len(actions))


def _blocked(chain: Chain, call: Call, limits: Limits) -> PlanResult:
    reason = {
        Proof.CALL_LIMIT: f"every chain of tools for {call.word} is longer than {limits.max_calls} calls (max_calls)",
        Proof.BUDGET: f"no chain of tools was found within {limits.max_steps} steps of search (max_steps)",
        Proof.NO_PLAN: f"no order of calls achieves {call.word}: each way undoes what it needs",
    }[chain.verdict]
    if chain.blocker is not None:
        reason = f"{call.word} needs {chain.blocker}, which the world does not show and no tools bring about"
    return PlanResult(
        status="blocked",
        reason=reason,
        reason_code="unmet_requirement" if chain.blocker is not None else str(chain.verdict),
        blocker=chain.blocker,
        warnings=call.warnings,
        proof=chain.verdict,
    )
