"""A certificate for a plan of any planner that keeps the contract: rules, search, a model, somebody else's code.

It shows the request, who planned, the tools there were, the steps with their data flow and the limits. Where the
planner can say how the plan came out of a domain (`derive`), the certificate of that derivation is inside.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from planvow.canonical import canonical_json, to_jsonable
from planvow.contract.certificate.build import Certificate, build_certificate
from planvow.contract.checking.check import certificate_hash, first_fault, inputs_hash
from planvow.contract.checking.form import CONTRACT, FORMAT
from planvow.contract.checking.steps import budgets_of
from planvow.contract.checking.verdict import CONSISTENT, REEXECUTED, judged, not_proved
from planvow.contract.interface.inputs import PlannerInputs, read_inputs
from planvow.contract.interface.interface import DeterminismMode, PlannerInterface, PlannerOutput, unwrap
from planvow.contract.interface.keeping import safe_plan
from planvow.status import Status
from planvow.verdict import Fault, Verdict


def certify_plan(planner: PlannerInterface, /, *args: Any, **kwargs: Any) -> Certificate:
    """Ask a planner for a plan and certify it; raise the planner's error where there is none."""
    output = unwrap(safe_plan(planner, *args, **kwargs))
    return certify_output(planner, read_inputs(*args, **kwargs), output)


def certify_output(planner: PlannerInterface, inputs: PlannerInputs, output: PlannerOutput) -> Certificate:
    """Certify a plan that a planner has given to these inputs."""
    asked = inputs.as_dict()
    steps = output.plan["steps"]
    derive = getattr(planner, "derive", None)
    derivation = build_certificate(derive(inputs)).document if callable(derive) else None
    model = {"model": output.metadata["model"]} if isinstance(output.metadata.get("model"), str) else {}
    document: dict[str, Any] = to_jsonable(
        {
            "format": FORMAT,
            "kind": CONTRACT,
            "planner": {**_planner(planner), **model},
            "asked": asked,
            "budgets": budgets_of(asked),
            "status": output.metadata.get("status") or (Status.SOLVED if steps else Status.SATISFIED),
            "steps": steps,
            "derivation": derivation,
        }
    )
    document["inputs_hash"] = inputs_hash(document)
    document["hash"] = certificate_hash(document)
    return Certificate(document=document)


def check_by_asking(document: Any, planner: PlannerInterface) -> Verdict:
    """Check a contract plan's certificate, then ask the planner again: it must give the same plan."""
    fault = first_fault(document)
    if fault is not None:
        return judged("planvow", fault, level=CONSISTENT, not_proved=not_proved(document))
    if document.get("kind") != CONTRACT:
        fault = Fault(condition="planner", place="$.kind", message="this plan did not go through the contract")
    else:
        fault = _first_difference(document, planner)
    return judged("re-asked", fault, level=REEXECUTED, not_proved=not_proved(document, REEXECUTED))


def _first_difference(document: Mapping[str, Any], planner: PlannerInterface) -> Fault | None:
    said = document["planner"]
    for name, real in _planner(planner).items():
        if said[name] != real:
            return _fault("planner", f"$.planner.{name}", f"is {said[name]!r:.60}, here it is {real!r:.60}")
    if said["determinism"] == DeterminismMode.NONE:
        return _fault("planner", "$.planner.determinism", "the planner does not promise the same plan twice")
    answer = safe_plan(planner, **_arguments(document))
    if not isinstance(answer, PlannerOutput):
        return _fault("plan", "$.steps", f"the planner now answers {answer.code}: {answer.message:.80}")
    steps, again = document["steps"], answer.plan["steps"]
    for number, (mine, theirs) in enumerate(zip(steps, again, strict=False), start=1):
        if _kept(mine, said["determinism"]) != _kept(theirs, said["determinism"]):
            return _fault("plan", f"step {number}", "is not the step that the planner gives")
    if len(steps) != len(again):
        return _fault("plan", "$.steps", f"{len(steps)} steps, the planner gives {len(again)}")
    derive = getattr(planner, "derive", None)
    derived = build_certificate(derive(read_inputs(**_arguments(document)))).hash if callable(derive) else None
    if (document["derivation"] or {}).get("hash") != derived:
        return _fault("derivation", "$.derivation", "is not the one that the planner gives")
    return None


def _arguments(document: Mapping[str, Any]) -> dict[str, Any]:
    asked = dict(document["asked"])
    return {**asked.pop("extra"), **asked}


def _planner(planner: PlannerInterface) -> dict[str, str]:
    mode = str(DeterminismMode(planner.get_determinism_mode()))
    return {"id": planner.planner_id, "version": planner.version, "determinism": mode}


def _kept(step: Mapping[str, Any], determinism: str) -> str:
    """Return what of a step is the same in every answer; a model keeps the structure only."""
    plain = {name: value for name, value in step.items() if name not in ("requires", "effects", "produces")}
    if determinism == DeterminismMode.STRUCTURAL:
        plain["params"] = dict.fromkeys(plain["params"])
    return canonical_json(plain)


def _fault(condition: str, place: str, message: str) -> Fault:
    return Fault(condition=condition, place=place, message=message)
