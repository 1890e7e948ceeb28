"""What `ask --json`, `goal --json`, `tools plan --json` and `plan --json` print, read back to be replayed or verified.

The first three carry the request they answer, so they are recordings. What `plan` prints carries no code: whoever holds
it against something names the domain.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from planvow.adapters.models.planners import REPLIES
from planvow.contract.errors import InvalidPlanError
from planvow.contract.interface.inputs import PlannerInputs, read_inputs
from planvow.contract.interface.interface import PlannerOutput
from planvow.contract.replaying.recordings import Recording
from planvow.errors import ContractViolation, InputError, expect
from planvow.goals.plan.convert import to_contract
from planvow.goals.plan.orchestrator import PlanGraph
from planvow.goals.values.values import PlannedAction
from planvow.kernel.answer.result import Result

_ASKED = {"plan", "metadata", "deterministic", "request"}
_WISHED = {"actions", "execution_order", "planner", "request"}
_PLANNED = {"plan", "tree", "statistics", "status"}
_HDDL = {"plan", "plan_hash", "actions", "statistics", "status"}


def printed_recording(data: Any, *, place: str) -> Recording | None:
    """Return an answer that was printed as a recording; None when it is no such answer."""
    if not isinstance(data, Mapping):
        return None
    if data.keys() >= _WISHED:
        return _wished(data, place)
    if data.keys() >= _ASKED:
        return _asked(data, place)
    return None


def _asked(data: Mapping[str, Any], place: str) -> Recording:
    for name in ("metadata", "request", "plan"):
        expect(data[name], dict, f"{place}: $.{name}", "an object")
    told = data["metadata"]
    for name in ("planner", "planner_version"):
        expect(told.get(name), str, f"{place}: $.metadata.{name}", "a text")
    answer = {name: data[name] for name in ("plan", "metadata", "deterministic", REPLIES) if name in data}
    return Recording(
        maker=told["planner"], maker_version=told["planner_version"], request=data["request"], answer=answer
    )


def _wished(data: Mapping[str, Any], place: str) -> Recording:
    for name in ("planner", "request"):
        expect(data[name], dict, f"{place}: $.{name}", "an object")
    expect(data["actions"], list, f"{place}: $.actions", "a list of actions")
    if not data["actions"]:
        raise InputError("there is no plan in this answer", place=f"{place}: $.actions")
    try:
        nodes = tuple(PlannedAction(**row) for row in data["actions"])
        graph = PlanGraph(nodes=nodes, edges=(), goal_actions={}, execution_order=())
        steps = to_contract(graph).as_dict()["steps"]
    except (TypeError, InputError, ContractViolation, InvalidPlanError) as error:
        raise InputError(f"these are no actions: {error}", place=f"{place}: $.actions") from None
    if data["execution_order"] != [action.action_id for action in nodes]:
        raise InputError("the order does not name the actions", place=f"{place}: $.execution_order")
    planner, version = (str(data["planner"].get(name)) for name in ("id", "version"))
    told = {"planner": planner, "planner_version": version, "deterministic": True}
    answer = {"plan": {"steps": steps, "metadata": told}, "metadata": told, "deterministic": True}
    return Recording(maker=planner, maker_version=version, request=data["request"], answer=answer)


def inputs_of(recording: Recording) -> PlannerInputs:
    """Return the inputs that a recorded answer was given to."""
    further = recording.request.get("extra") or {}
    expect(further, dict, "$.request.extra", "an object")
    return read_inputs(**{**further, **{k: v for k, v in recording.request.items() if k != "extra"}})


def output_of(recording: Recording) -> PlannerOutput:
    """Return a recorded answer as the planner gave it."""
    answer = recording.answer
    return PlannerOutput(plan=answer["plan"], metadata=answer["metadata"], deterministic=bool(answer["deterministic"]))


def is_printed_plan(data: Any) -> bool:
    """Say whether a document is what `planvow plan --json` prints, for a module or for HDDL."""
    return isinstance(data, Mapping) and (data.keys() >= _PLANNED or data.keys() >= _HDDL)


def printed_hddl_text(data: Any, *, place: str) -> str | None:
    """Return the plan in the IPC format out of what `plan DOMAIN.hddl PROBLEM.hddl --json` prints."""
    if not (isinstance(data, Mapping) and data.keys() >= _HDDL):
        return None
    if not isinstance(data["plan"], str):
        raise InputError("there is no plan in this answer", place=f"{place}: $.plan")
    return data["plan"]


def solved_again(domain: str | None, *, place: str) -> Result:
    """Return what planning the problem of a module gives now; it is executed, so whoever asks has to name it."""
    from planvow.adapters.machine.modules import load_problem
    from planvow.kernel.answer.planning import solve

    if domain is None:
        raise InputError(
            "what `planvow plan --json` prints does not carry the code it was planned with", place=place,
            hint="name it: --domain MODULE.py:problem (it is executed)",
        )  # fmt: skip
    path, _, name = domain.partition(":") if not Path(domain).is_file() else (domain, "", "")
    return solve(load_problem(Path(path), name or "problem"))
