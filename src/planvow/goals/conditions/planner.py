"""From a goal, a world and tools to the fewest calls, each with its arguments; or what stands in the way.

The calls that can matter (`shelf.py`, `ground.py`) become moves over facts, the search of the goal planner finds the
cheapest order (`planvow.goals.plan.search`), and outputs flow into later calls as `{{s1.order_id}}`. The answer says
what was proved: minimal, no plan, or what was not looked at.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from planvow.canonical import to_jsonable
from planvow.contract.plan.placeholders import escape
from planvow.errors import did_you_mean
from planvow.goals.conditions.goal import ConditionGoal
from planvow.goals.conditions.ground import Ground, Reach
from planvow.goals.conditions.narrow import SHARE, WHOLE, Best, Narrow
from planvow.goals.conditions.prices import NEVER, Here
from planvow.goals.conditions.problem import CALL, COST, Problem, weight
from planvow.goals.conditions.rows import asked_by
from planvow.goals.conditions.shelf import ToolShelf
from planvow.goals.conditions.terms import Call, Given, Output, Term
from planvow.goals.plan.search import Limits, Proof, fewest_moves
from planvow.status import Status
from planvow.step import Step
from planvow.tools.statements import Statement
from planvow.tools.tool import ToolEntry

RETRIES = 3
"""How often a call is tried again that may be made twice; others are made once."""


@dataclass(frozen=True, kw_only=True)
class ToolPlan:
    """The calls in order, or why there are none.

    >>> plan_calls(ConditionGoal(wants={"lamp.on": True}), ()).status
    <Status.NO_PLAN: 'no_plan'>
    """

    status: Status
    steps: tuple[Step, ...] = ()
    proof: Proof | None = None
    reason: str = ""
    hint: str = ""
    cost: int = 0
    rests_on: tuple[str, ...] = ()
    """The proposals nobody has confirmed that the plan rests on, as `tool: field`."""
    why: Mapping[str, str] = field(default_factory=dict)
    """What each step is for."""


_NONE = ToolPlan(status=Status.NO_PLAN, proof=Proof.NO_PLAN)
"""That there is none, before anybody has said why."""


def plan_calls(
    goal: ConditionGoal,
    tools: Sequence[ToolEntry] | ToolShelf,
    facts: Mapping[str, Any] | None = None,
    *,
    limits: Limits | None = None,
    reach: Reach | None = None,
) -> ToolPlan:
    """Return the cheapest calls after which the goal holds. `facts` is what the world shows: key → value.

    >>> plan_calls(ConditionGoal(wants={"lamp.on": True}), ()).reason
    'no tool says that it produces lamp.on'
    """
    shelf = tools if isinstance(tools, ToolShelf) else ToolShelf(tools)
    reach, limits, facts = reach or Reach(), limits or Limits(), facts or {}
    found = narrowed(goal, shelf, facts, limits, reach)
    if found is None:
        found = _Planning(goal, shelf, Ground(shelf.helping(goal, facts), goal.given, reach), facts, limits).run()
    if found.status is not Status.NO_PLAN:
        return found
    # why there is none is told with the tools that lack something, too; where there are many, with those near the goal
    near = shelf.near(goal, WHOLE)
    ground = Ground(shelf.helping(goal) if near is None else near, goal.given, reach)
    return _Planning(goal, shelf, ground, facts, limits).no_plan(None if near is None else shelf.prices(goal, facts))


def narrowed(
    goal: ConditionGoal,
    shelf: ToolShelf,
    facts: Mapping[str, Any],
    limits: Limits,
    reach: Reach,
    *,
    whole: int = WHOLE,
    share: int = SHARE,
) -> ToolPlan | None:
    """Return a plan that a part of the tools proves cheapest of all, or that there is none; None where all must be
    looked at."""
    found: list[ToolPlan] = []

    def best_of(tools: list[ToolEntry]) -> Best | None:
        found[:] = [_Planning(goal, shelf, Ground(tools, goal.given, reach), facts, limits).run()]
        plan = found[0]
        return Best(plan.cost * COST + len(plan.steps), len(plan.steps)) if plan.proof is Proof.MINIMAL else None

    if Narrow(goal, shelf, facts, reach, limits).part(best_of, whole, share) is None:
        return None
    return found[0] if found[0].steps or found[0].status is Status.SATISFIED else _NONE


class _Planning:
    def __init__(
        self, goal: ConditionGoal, shelf: ToolShelf, ground: Ground, facts: Mapping[str, Any], limits: Limits
    ) -> None:
        self.goal, self.shelf, self.ground, self.limits = goal, shelf, ground, limits
        self.problem = Problem(goal, ground, facts)
        self.facts = self.problem.facts
        self.costly = any(tool.cost for tool in ground.tools.values())

    def run(self) -> ToolPlan:
        calls, problem = self.ground.calls, self.problem
        found = fewest_moves(problem.moves, problem.start, problem.reached, self._limits())
        if not found.moves:
            return self._none(found.verdict)
        made = [calls[number] for number in found.moves if number < len(calls)]
        if len(made) > self.limits.max_calls:
            said = f"the cheapest plan has {len(made)} calls, more than {self.limits.max_calls} (max_calls)"
            return ToolPlan(status=Status.BUDGET_EXCEEDED, proof=Proof.CALL_LIMIT, reason=said)
        proof = self._proof(found.verdict, made)
        if not made:
            return ToolPlan(status=Status.SATISFIED, proof=proof, reason="it is so already")
        return self._plan(made, proof)

    def _limits(self) -> Limits:
        """Return limits for what the search adds up: so many calls cost at most so much."""
        dearest = max((weight(tool.cost) for tool in self.ground.tools.values()), default=CALL)
        return Limits(max_calls=self.limits.max_calls * dearest, max_steps=self.limits.max_steps)

    def _proof(self, verdict: Proof, made: list[Call]) -> Proof:
        """What was cut off may hide a cheaper plan, unless that would have to be longer than the one there is."""
        if verdict is not Proof.MINIMAL or self.ground.cut_off is None:
            return verdict
        no_shorter = not self.costly and not self.ground.too_many and len(made) <= self.ground.reach.depth + 1
        return Proof.MINIMAL if no_shorter else Proof.WITHIN_BUDGET

    def _plan(self, made: list[Call], proof: Proof) -> ToolPlan:
        names = _names_of_steps(made)
        ids = [names[number][call] for number, call in enumerate(made)]
        order = self.facts.order(made, self.ground.tools)
        steps = tuple(
            Step(
                step_id=ids[number],
                skill=call.tool,
                params={name: _written(term, names[number]) for name, term in call.arguments},
                depends_on=tuple(ids[earlier] for earlier in order[number]),
                retry_count=RETRIES if self._may_repeat(call) else 0,
            )
            for number, call in enumerate(made)
        )
        used = {call.tool for call in made}
        return ToolPlan(
            status=Status.SOLVED,
            steps=steps,
            proof=proof,
            cost=sum(self.ground.tools[call.tool].cost or 0 for call in made),
            rests_on=tuple(f"{name}: {one}" for name in sorted(used) for one in self.ground.tools[name].proposed),
            why={
                ids[number]: self.facts.purpose(number, made, self.ground.tools, names) for number in range(len(made))
            },
        )

    def _may_repeat(self, call: Call) -> bool:
        tool = self.ground.tools[call.tool]
        return bool(tool.read_only or tool.idempotent)

    def _none(self, verdict: Proof) -> ToolPlan:
        if verdict is Proof.NO_PLAN and self.ground.cut_off is not None:
            return ToolPlan(
                status=Status.BUDGET_EXCEEDED,
                proof=Proof.BUDGET,
                reason=f"nothing was found among the calls that were looked at; the limit on {self.ground.cut_off} "
                "left others out",
                hint="give fewer tools or values"
                if self.ground.too_many
                else "raise it (--depth), or give more values",
            )
        if verdict is Proof.NO_PLAN:
            return _NONE
        said = {
            Proof.CALL_LIMIT: f"every plan is longer than {self.limits.max_calls} calls (max_calls)",
            Proof.BUDGET: f"no plan was found within {self.limits.max_steps} steps of search (max_steps)",
        }[verdict]
        return ToolPlan(status=Status.BUDGET_EXCEEDED, proof=verdict, reason=said)

    def no_plan(self, here: Here | None = None) -> ToolPlan:
        """Return that there is no plan, and what stands in the way; with prices, where some tools speak for all."""
        reason, hint = self._blocker(here)
        return replace(_NONE, reason=reason, hint=hint)

    def _blocker(self, here: Here | None) -> tuple[str, str]:
        """Return what nothing brings about, and what would help."""
        for statement in self.goal.statements:
            if not self.shelf.makes(statement) and not self.facts.may_show(statement):
                return self._unmade(statement)
        for kind in self.goal.wants:
            if not self.shelf.gives(kind) and kind not in self.goal.given:
                help_ = "confirm in a review which tool produces it, or let proposals count: --use-proposed"
                return f"no tool says that it produces {kind}", did_you_mean(kind, self.shelf.kinds()) or help_
        for misfit in self.ground.misfits:
            return misfit, "a text that reads like a number is given in quotes: --given 'kind=\"7\"'"
        for tool in self.ground.tools.values():
            for kind in self.ground.missing(tool):
                if not self.shelf.gives(kind):
                    reason = f"{tool.name} needs a value for {kind}, which nobody gives and no tool produces"
                    return reason, f"give one: --given {kind}=…"
        for statement in self._unreached(here):
            return f"no order of calls makes {statement} so", "planvow tools check names what nobody brings about"
        return "no order of calls reaches the goal: each way lacks or undoes what it needs", ""

    def _unreached(self, here: Here | None) -> list[Statement]:
        """Return what the goal asks for that no order of calls makes so, even if nothing were ever undone."""
        if here is not None:
            return [statement for statement in self.goal.statements if here.of(asked_by(statement)) >= NEVER]
        reachable = self.facts.reachable(self.ground.calls, self.ground.tools)
        return [s for s in self.goal.statements if not s.names and not self.facts.need(s) & reachable]

    def _unmade(self, statement: Statement) -> tuple[str, str]:
        """Return that no tool makes a statement so, and the key or the value that was perhaps meant."""
        if not self.shelf.changes(statement):
            near = did_you_mean(statement.key, self.shelf.keys())
            return f"no tool says that it changes {statement.key}", near or "a review says what each tool changes"
        known = ", ".join(self.shelf.made_of(statement)[:8])
        return f"no tool says that it makes {statement} so", f"tools make {known}"


def _names_of_steps(made: Sequence[Call]) -> list[dict[Call, str]]:
    """Return for each step what it calls the calls made so far: one that was made again goes by its last step."""
    names: list[dict[Call, str]] = []
    for number, call in enumerate(made, start=1):
        names.append({**(names[-1] if names else {}), call: f"s{number}"})
    return names


def _written(term: Term, ids: Mapping[Call, str]) -> Any:
    if isinstance(term, Output):
        return "{{" + f"{ids[term.call]}.{term.name}" + "}}"
    assert isinstance(term, Given)
    return _escaped(to_jsonable(term.value))


def _escaped(value: Any) -> Any:
    if isinstance(value, str):
        return escape(value)
    if isinstance(value, list):
        return [_escaped(part) for part in value]
    if isinstance(value, dict):
        return {key: _escaped(part) for key, part in value.items()}
    return value
