"""A plan's derivation, found again: planning the stored problem once more gives the stored plan.

A repair needs the tree a plan came from. It is not stored but derived, from the last job that was planned as a whole
and the repairs since then; the outcome is held against the stored steps, so code that would plan otherwise is noticed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from planvow.agent.errors import DomainChangedError
from planvow.agent.loop.world import PlanInHand
from planvow.agent.record.jobs import REPLAN, AgentJob
from planvow.canonical import canonical_json
from planvow.contract.certificate.domain_identity import domain_identity
from planvow.contract.planners.htn import plan_steps
from planvow.errors import PlanvowError
from planvow.kernel.answer.planning import solve
from planvow.kernel.answer.result import Result
from planvow.kernel.domain.domain import Domain
from planvow.kernel.repair.replan import replan

HINT = "resume with the code it was planned with, or with changed='replan' (--replan)"


def check_domain(job: AgentJob, domain: Domain) -> None:
    """Raise DomainChangedError unless a job was planned with this domain's code, as far as that is known."""
    then, now = job.dossier.domain, domain_identity(domain)
    if then != now:
        what = f"the domain is called {now['name']!r}, it was {then['name']!r}" if then["name"] != now["name"] else ""
        raise DomainChangedError(what or "the domain's source files are not those it was planned with", hint=HINT)


def derive(jobs: Sequence[AgentJob], domain: Domain) -> PlanInHand:
    """Return the plan of the last of these jobs with its derivation."""
    start = len(jobs) - 1
    while jobs[start].origin.kind == REPLAN:
        start -= 1
    check_domain(jobs[-1], domain)
    try:
        result = solve(jobs[start].asked.problem(domain))
        for job in jobs[start + 1 :]:
            node_id = whole_node(result, job.origin.failed or 1)
            result = replan(result, job.asked.state, node_id, blacklist=job.origin.banned)
    except PlanvowError as error:
        raise DomainChangedError(f"planning it again fails: {error.message}", hint=HINT) from error
    if not result.success or _commands(plan_steps(result)) != _commands(jobs[-1].steps):
        raise DomainChangedError("planning it again gives another plan", hint=HINT)
    return PlanInHand(result)


def whole_node(result: Result, ordinal: int) -> int:
    """Return the node of step number `ordinal` in the whole tree, which begins with what was done before a repair."""
    node_id = PlanInHand(result).nodes[ordinal - 1]
    return node_id if result.repair is None else node_id + result.repair.redone_node_id - 1


def _commands(steps: Sequence[Mapping[str, Any]]) -> list[str]:
    return [canonical_json([step["skill"], step["params"]]) for step in steps]
