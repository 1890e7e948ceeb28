"""A plan's derivation, found again: planning the stored problem once more gives the stored plan.

Whether what is left of a plan still holds is asked of the functions it came from. They are not stored but found by
planning; the outcome is held against the stored steps, so code that would plan otherwise is noticed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from planvow.agent.errors import DomainChangedError
from planvow.agent.loop.world import PlanInHand
from planvow.agent.record.jobs import AgentJob
from planvow.agent.tools.bind import BoundTool
from planvow.canonical import canonical_json
from planvow.cassette.dossier import Privacy, hide_arguments
from planvow.contract.certificate.domain_identity import domain_identity
from planvow.contract.planners.htn import plan_steps
from planvow.errors import PlanvowError
from planvow.kernel.answer.planning import solve
from planvow.kernel.domain.domain import Domain

HINT = "resume with the code it was planned with, or with changed='replan' (--replan)"


def identity_of(domain: Domain, tools: Mapping[str, BoundTool]) -> dict[str, Any]:
    """Return what a run is planned and run with: the domain's code, and the tools that are pinned."""
    return with_pins(domain_identity(domain), tools)


def with_pins(identity: Mapping[str, Any], tools: Mapping[str, BoundTool]) -> dict[str, Any]:
    """Return an identity together with the tools that are pinned."""
    pins = {name: bound.tool.pin for name, bound in tools.items() if bound.tool.pin}
    return {**identity, **({"tools": pins} if pins else {})}


def check_identity(job: AgentJob, now: Mapping[str, Any]) -> None:
    """Raise DomainChangedError unless a job was planned with this code and these tools, as far as that is known."""
    then = job.dossier.domain
    if then == now:
        return
    what = "the domain's source files are not those it was planned with"
    if then["name"] != now["name"]:
        what = f"the domain is called {now['name']!r}, it was {then['name']!r}"
    elif then["source"] == now["source"]:
        what = changed_tools(then, now)
    raise DomainChangedError(what, hint=HINT)


def changed_tools(then: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    """Say which pinned tools differ between two identities."""
    pins, held = then.get("tools", {}), now.get("tools", {})
    changed = sorted(name for name in pins.keys() | held.keys() if pins.get(name) != held.get(name))
    return f"imported tools are not those it was planned with: {', '.join(changed)}"


def derive(job: AgentJob, domain: Domain, identity: Mapping[str, Any], privacy: Privacy) -> PlanInHand:
    """Return the plan of a job with its derivation."""
    job.check_kept()
    check_identity(job, identity)
    try:
        result = solve(job.asked.problem(domain))
    except PlanvowError as error:
        raise DomainChangedError(f"planning it again fails: {error.message}", hint=HINT) from error
    if not result.success or _commands(hide_arguments(plan_steps(result), privacy)[0]) != _commands(job.steps):
        raise DomainChangedError("planning it again gives another plan", hint=HINT)
    return PlanInHand(result)


def _commands(steps: Sequence[Mapping[str, Any]]) -> list[str]:
    return [canonical_json([step["skill"], step["params"]]) for step in steps]
