"""One form for equal plans, and the hashes over it.

A plan is validated, its defaults are written out, and only then is it compared or hashed. The structural
signature leaves parameter values out: it is what structural determinism promises to keep (seed 004, mode 2).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from planvow.canonical import full_hash
from planvow.contract.plan.plan import Plan, build_plan


def read_plan(plan: Mapping[str, Any] | Plan) -> Plan:
    """Turn plan data into values; raise InvalidPlanError with every problem when the structure is wrong."""
    from planvow.contract.plan.validate import require_valid_plan  # those who only hash need no rules

    data = plan.as_dict() if isinstance(plan, Plan) else plan
    require_valid_plan(data)
    return build_plan(data)


def normalise_plan(plan: Mapping[str, Any] | Plan) -> dict[str, Any]:
    """Return valid plan data with every default written out: equal plans then have equal bytes.

    >>> normalise_plan(output.plan) == normalise_plan(normalise_plan(output.plan))
    True
    """
    return read_plan(plan).as_dict()


PLAN_TAG = "plan/1"


def document_hash(document: Mapping[str, Any]) -> str:
    """Return the hash that a plan has in the ledger: over the whole document, what was said of it included."""
    return full_hash(document, tag=PLAN_TAG)


def plan_hash(plan: Mapping[str, Any] | Plan) -> str:
    """Return the SHA-256 over the normalised steps. Who planned them does not matter to it.

    >>> plan_hash(output.plan) == plan_hash(unwrap(StubPlanner().plan("agent-1", "say hello")).plan)
    True
    """
    return full_hash([step.as_dict() for step in read_plan(plan).steps], tag=PLAN_TAG)


def structural_signature(plan: Mapping[str, Any] | Plan) -> str:
    """Return a hash of what structural determinism keeps: everything of each step but its parameter values.

    >>> structural_signature(output.plan) == structural_signature(normalise_plan(output.plan))
    True
    """
    structure = [
        {
            "step_id": step.step_id,
            "skill": step.skill,
            "depends_on": list(step.depends_on),
            "on_error": step.on_error.value,
            "retry_count": step.retry_count,
            "param_keys": sorted(step.params),  # sorted: the order of keys means nothing in JSON
        }
        for step in read_plan(plan).steps
    ]
    return full_hash(structure, tag="plan-structure/1")
