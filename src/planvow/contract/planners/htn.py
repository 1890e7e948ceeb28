"""The planner `htn`: the engine's search over a Python domain, behind the planner contract.

The domain is given when the planner is made, or named by the extra argument `domain`: the name of an installed
entry point of the group `planvow.domains` (never a path: a request cannot make planvow import a file). The goal
text is a JSON agenda, `[["travel", "alice", "park"]]`, or words that the domain's interpreter turns into one. The
state comes with the planner or as the extra argument `state`: triples, or predicates with subjects. Every command
becomes one step that depends on the one before; its parameters are named as in the command's function. With a
manifest, commands that are no skill of it are not used.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from importlib.metadata import entry_points
from typing import Any

from planvow._version import HTN_VERSION
from planvow.budgets import Budgets
from planvow.canonical import content_hash
from planvow.contract.errors import InvalidGoalError
from planvow.contract.interface.inputs import PlannerInputs
from planvow.contract.interface.interface import Answer, DeterminismMode, PlannerOutput, error_for_status
from planvow.contract.interface.keeping import keeps_contract
from planvow.contract.plan.placeholders import escape
from planvow.contract.plan.plan import step_data
from planvow.contract.running.cost import FREE
from planvow.errors import InputError, did_you_mean, shown
from planvow.kernel.answer.planning import plan
from planvow.kernel.answer.result import Result
from planvow.kernel.domain.domain import Command, Domain, refuse
from planvow.kernel.domain.terms import item_json
from planvow.kernel.world.state import State

DOMAINS = "planvow.domains"
_KNOWN = ("domain", "state", "max_iterations", "max_depth", "capabilities", "selection")


class TaskPlanner:
    """Plans over a Python domain, keeping the planner contract."""

    determinism = DeterminismMode.FULL
    cost_model = FREE

    def __init__(self, *, domain: Domain | None = None, state: State | None = None) -> None:
        self._domain = domain
        self._state = state

    @property
    def planner_id(self) -> str:
        return "htn"

    @cached_property
    def version(self) -> str:
        """The version, and the domain and state given when the planner was made.

        They decide plans without being part of a call's inputs, so recordings made with others are not this planner's.
        """
        if self._domain is None and self._state is None:
            return HTN_VERSION
        given = {
            "domain": self._domain.name if self._domain else None,
            "commands": list(self._domain.commands) if self._domain else [],
            "methods": [method.method_id for method in self._domain.methods()] if self._domain else [],
            "state": self._state.get_triples_as_array() if self._state else [],
        }
        return f"{HTN_VERSION}+given.{content_hash(given, tag='htn-planner/1')}"

    def get_determinism_mode(self) -> str:
        return DeterminismMode.FULL

    @keeps_contract
    def plan(self, inputs: PlannerInputs) -> Answer:
        """Search for a plan and return its commands as steps."""
        result = self.derive(inputs)
        if not result.success:
            why = "; ".join(map(str.strip, result.explanation.why_none()[-1].splitlines()))
            return error_for_status(result.status, f"{result.reason}. {why}")
        metadata = {
            "status": result.status.value,
            "tree": result.solution_graph.as_dict(),
            "statistics": vars(result.statistics),
            "input_tokens": 0,
            "output_tokens": 0,
            "cost_cents": 0,
        }
        return PlannerOutput(plan={"steps": plan_steps(result)}, metadata=metadata, deterministic=True)

    def derive(self, inputs: PlannerInputs) -> Result:
        """Search for a plan and return how it came about: what its certificate is made of."""
        extra = inputs.extra
        inputs.allow_extra(_KNOWN)
        domain = self._find_domain(extra.get("domain"))
        limits = {name: extra[name] for name in ("max_iterations", "max_depth") if name in extra}
        return plan(
            _within_manifest(domain, inputs.skills),
            self._find_state(extra.get("state")),
            read_agenda(inputs.goal, domain),
            budgets=Budgets(**limits),
            capabilities=extra.get("capabilities"),
            selection=extra.get("selection", "declared"),
        )

    def _find_domain(self, name: Any) -> Domain:
        if name is None:
            if self._domain is None:
                raise InputError(
                    "no domain was given",
                    place="domain",
                    hint=f"make the planner with one, or name an installed entry point of the group {DOMAINS!r}",
                )
            return self._domain
        points = {point.name: point for point in entry_points(group=DOMAINS)}
        if not isinstance(name, str) or name not in points:
            hint = did_you_mean(name, points) if isinstance(name, str) else None
            raise InputError(f"no domain {shown(name)} is installed", place="domain", hint=hint)
        loaded = points[name].load()
        if not isinstance(loaded, Domain):
            raise InputError(f"the entry point {name!r} is not a planvow Domain", place="domain")
        return loaded

    def _find_state(self, given: Any) -> State:
        if given is None:
            return self._state if self._state is not None else State()
        if isinstance(given, Mapping):
            return State(given)
        if isinstance(given, list | tuple):
            return State.from_triples(given)
        raise InputError("the state is a list of triples, or predicates with subjects", place="state")


def read_agenda(goal: str, domain: Domain) -> list[Any]:
    """Return the agenda that a goal text stands for: JSON, or words that the domain's interpreter reads."""
    if goal.startswith("["):
        try:
            agenda = json.loads(goal)
        except (ValueError, RecursionError) as error:
            raise InvalidGoalError(f"the goal begins like a JSON agenda but is none: {error}", place="goal") from None
        return list(agenda) if not agenda or not isinstance(agenda[0], str) else [agenda]
    if domain.interpreter is None:
        raise InvalidGoalError(
            f"the domain {domain.name!r} has no interpreter for words",
            place="goal",
            hint='give a JSON agenda such as [["travel", "alice", "park"]]',
        )
    return list(domain.interpreter(goal))


def _within_manifest(domain: Domain, skills: Mapping[str, Any] | None) -> Domain:
    """Return the domain with every command that is no skill of the manifest made inapplicable."""
    if skills is None:
        return domain
    commands = {
        name: command if name in skills else replace(command, model=_missing(name))
        for name, command in domain.commands.items()
    }
    return replace(domain, commands=commands)


def _missing(name: str) -> Any:
    return lambda state, *arguments: refuse(f"the manifest has no skill {name!r}")


def plan_steps(result: Result) -> list[dict[str, Any]]:
    """Return the commands of a plan as steps of the contract, each after the one before it."""
    steps = []
    known: dict[tuple[str, int], list[str]] = {}
    for number, (name, *arguments) in enumerate(result.plan, start=1):
        names = known.get((name, len(arguments)))
        if names is None:
            names = _parameter_names(result.problem.domain.commands[name], len(arguments))
            known[name, len(arguments)] = names
        params = {key: _param(value) for key, value in zip(names, arguments, strict=True)}
        before = [f"s{number - 1}"] if number > 1 else []
        steps.append(step_data(name, params, step_id=f"s{number}", depends_on=before))
    return steps


def _param(value: Any) -> Any:
    return escape(value) if isinstance(value, str) else item_json(value) if isinstance(value, tuple | list) else value


def _parameter_names(command: Command, count: int) -> list[str]:
    """Return the names of a command function's parameters after the state; numbered ones where it takes any number."""
    named = []
    for parameter in list(inspect.signature(command.model).parameters.values())[1:]:
        if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
            named.append(parameter.name)
    return (named + [f"arg{i + 1}" for i in range(len(named), count)])[:count]
