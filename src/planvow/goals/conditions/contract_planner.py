"""The planner `tools` of the contract registry: conditions in, calls of anybody's tools out, full determinism.

The goal is a JSON object (`conditions`, `wants`, `given`) or statements with commas between them. The tools are
`tools`, a list of any shape that `planvow.tools` reads, with the `review` of a person if there is one; of these, only
the ones a manifest names, if there is one. Proposals count only with `use_proposed`; the plan's metadata says which.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from planvow.contract.interface.inputs import PlannerInputs
from planvow.contract.interface.interface import (
    Answer,
    DeterminismMode,
    PlannerOutput,
    error_for_status,
    keeps_contract,
)
from planvow.contract.running.cost import FREE
from planvow.errors import InputError, did_you_mean, expect
from planvow.goals.conditions.goal import read_goal
from planvow.goals.conditions.ground import Reach
from planvow.goals.conditions.planner import ToolPlan, plan_calls
from planvow.goals.plan.search import Limits
from planvow.goals.values.data import world_from_data
from planvow.status import Status
from planvow.tools.proposals import propose
from planvow.tools.review import confirmed_only, reviewed
from planvow.tools.shapes import read_tools
from planvow.tools.tool import ToolEntry, tools_hash, unique

VERSION = "1.4.0"
_KNOWN = ("tools", "review", "world", "facts", "use_proposed", "limits")
_LIMITS = ("max_calls", "max_steps", "depth", "calls")


class ToolPlanner:
    """Conditions over tools, keeping the planner contract."""

    planner_id = "tools"
    determinism = DeterminismMode.FULL
    cost_model = FREE

    def __init__(self, tools: Sequence[ToolEntry] | None = None) -> None:
        self._tools = None if tools is None else unique(tools)

    @property
    def version(self) -> str:
        """The version; tools that the planner was made with decide its plans, so they are part of it."""
        return VERSION if self._tools is None else f"{VERSION}+tools.{tools_hash(self._tools)}"

    def get_determinism_mode(self) -> str:
        return DeterminismMode.FULL

    @keeps_contract
    def plan(self, inputs: PlannerInputs) -> Answer:
        """Plan the fewest calls; what cannot be planned is an error that says what would help."""
        inputs.allow_extra(_KNOWN)
        tools = self._tools_for(inputs)
        found = plan_calls(read_goal(inputs.goal), tools, _facts(inputs.extra), **_limits(inputs.extra))
        if found.status not in (Status.SOLVED, Status.SATISFIED):
            details = {"proof": found.proof, **({"hint": found.hint} if found.hint else {})}
            return error_for_status(found.status, found.reason, details=details)
        return PlannerOutput(
            plan={"steps": [step.as_dict() for step in found.steps]},
            metadata=_metadata(found, tools),
            deterministic=True,
        )

    def _tools_for(self, inputs: PlannerInputs) -> tuple[ToolEntry, ...]:
        if self._tools is None or "tools" in inputs.extra:
            return tools_of(inputs)
        return tuple(tool for tool in self._tools if inputs.skills is None or tool.name in inputs.skills)


def _metadata(found: ToolPlan, tools: tuple[ToolEntry, ...]) -> dict[str, Any]:
    return {
        "status": found.status,
        "proof": found.proof,
        "cost": found.cost,
        "why": dict(found.why),
        "rests_on": list(found.rests_on),
        "tools_hash": tools_hash(tools),
        "input_tokens": 0,
        "output_tokens": 0,
        "cost_cents": 0,
    }


def tools_of(inputs: PlannerInputs) -> tuple[ToolEntry, ...]:
    """Return the tools that a call may plan with, as its arguments describe them."""
    extra = inputs.extra
    if "tools" not in extra:
        hint = 'a tool list of any known shape: tools=… in Python, options = {"tools": …} in the file of an agent'
        raise InputError("no tools were given", place="extra.tools", hint=hint)
    tools = read_tools(extra["tools"], place="extra.tools")
    if extra.get("use_proposed"):
        tools = propose(tools)
    if "review" in extra:
        expect(extra["review"], Mapping, "extra.review", "an object of tools")
        tools = reviewed(tools, extra["review"])
    if not extra.get("use_proposed"):
        tools = confirmed_only(tools)
    if inputs.skills is not None:
        tools = tuple(tool for tool in tools if tool.name in inputs.skills)
    return tools


def _facts(extra: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the world shows: `facts` by key, and the facts of a `world` of seed 003, the newest of each key."""
    facts: dict[str, Any] = {}
    if "world" in extra:
        world = world_from_data(extra["world"])
        for fact in world.recent_facts:  # by key, the newest last
            facts[fact.key] = fact.value
        facts |= {f"app_running:{app}": True for app in world.running_apps}
        if world.browser_running:
            facts["browser_running"] = True
    given = extra.get("facts", {})
    expect(given, Mapping, "extra.facts", "an object of keys and values")
    return {**facts, **given}


def _limits(extra: Mapping[str, Any]) -> dict[str, Any]:
    given = extra.get("limits", {})
    expect(given, Mapping, "extra.limits", "an object of limits")
    for name in given:
        if name not in _LIMITS:
            raise InputError(f"there is no limit {name!r:.60}", place="extra.limits", hint=did_you_mean(name, _LIMITS))
    return {
        "limits": Limits(**{name: given[name] for name in ("max_calls", "max_steps") if name in given}),
        "reach": Reach(**{name: given[name] for name in ("depth", "calls") if name in given}),
    }
