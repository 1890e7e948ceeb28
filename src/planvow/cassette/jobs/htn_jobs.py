"""Plans of the task network engine in the ledger, and their repair after a step has failed.

The ledger keeps a plan's steps; the engine's derivation is found again by planning the same problem, which gives the
same plan. A failed step is a node of that derivation: the engine repairs from there, in the state that was observed,
and what comes out is stored as a new job with the old one as its parent. What was executed is not part of it.

Seed 001, section 3.3; ruling 13.
"""

from __future__ import annotations

from typing import Any

from planvow._version import HTN_VERSION
from planvow.cassette.dossier.model import NEEDS_NOBODY, NOTHING_PRIVATE, Dossier, Needs, Privacy
from planvow.cassette.dossier.post import store_plan_with_dossier
from planvow.cassette.dossier.private import hide_arguments
from planvow.cassette.dossier.read import manifest_of, privacy_of
from planvow.cassette.errors import UnknownStepError
from planvow.cassette.jobs.from_contract import stored_plan
from planvow.cassette.jobs.replan import post_replan, progress
from planvow.cassette.ledger.model import Posted, StoredPlan
from planvow.cassette.ledger.store import Store
from planvow.contract.certificate.asked import asked_of
from planvow.contract.certificate.build import build_certificate, sorted_triples
from planvow.contract.certificate.domain_identity import domain_identity
from planvow.contract.plan.plan import build_plan
from planvow.contract.planners.htn import plan_steps
from planvow.errors import InputError, RefusedError
from planvow.kernel.answer.result import Result
from planvow.kernel.domain.domain import Command
from planvow.kernel.repair.replan import replan
from planvow.kernel.world.recorded import Triple
from planvow.kernel.world.state import State


def stored_htn_plan(
    result: Result, *, request_id: str, parent_job_id: str | None = None, privacy: Privacy = NOTHING_PRIVATE
) -> StoredPlan:
    """Return a plan of the engine ready to be posted: one step per command, one after the other."""
    return _hidden_plan(result, request_id, parent_job_id, privacy)[0]


def _hidden_plan(
    result: Result, request_id: str, parent_job_id: str | None, privacy: Privacy
) -> tuple[StoredPlan, dict[str, Any]]:
    """Return a plan with references for private arguments, and the arguments."""
    steps, hidden = hide_arguments(plan_steps(result), privacy)
    plan = stored_plan(
        build_plan({"steps": steps}),
        planner_id="htn",
        planner_version=HTN_VERSION,
        request_id=request_id,
        parent_job_id=parent_job_id,
    )
    return plan, hidden


def htn_dossier(result: Result) -> Dossier:
    """Return what a result of the engine was made from, and why it is as it is."""
    problem = result.problem
    return Dossier(
        asked=asked_of(problem),
        state=sorted_triples(Triple(*triple) for triple in problem.state.triples()),
        domain=domain_identity(problem.domain),
        certificate=build_certificate(result).document if result.success else None,
        decisions=result.explain_plan(),
    )


def post_htn_plan(
    store: Store,
    run_id: str,
    result: Result,
    *,
    request_id: str,
    payload: Any = None,
    privacy: Privacy = NOTHING_PRIVATE,
    needs_approval: Needs = NEEDS_NOBODY,
) -> Posted:
    """Store a plan of the engine with its dossier."""
    plan, hidden = _hidden_plan(result, request_id, None, privacy)
    return store_plan_with_dossier(
        store,
        run_id,
        plan,
        htn_dossier(result),
        payload=payload,
        privacy=privacy,
        arguments=hidden,
        needs_approval=needs_approval,
    )


def repair_job(
    store: Store,
    job_id: str,
    result: Result,
    observed: State,
    *,
    reason: str = "",
    needs_approval: Needs = NEEDS_NOBODY,
) -> tuple[Posted, Result]:
    """Replan a failed job from its failed step and post the rest as its child; return both.

    `result` is the result the job was stored from, found again by planning the same problem; another one is refused.
    Raises RefusedError when the engine finds no way on.
    """
    (record,) = store.plans(job_id=job_id) or [None]
    if record is None:
        raise UnknownStepError(f"there is no job {job_id}")
    privacy = privacy_of(manifest_of(store, job_id))
    if stored_htn_plan(result, request_id=record.request_id, privacy=privacy).plan_hash != record.plan_hash:
        raise InputError(f"the result given is not the one job {job_id} was stored from")
    so_far = progress(store, job_id)
    if so_far.failed is None:
        raise RefusedError(f"no step of job {job_id} has failed, so there is nothing to repair")
    repaired = replan(result, observed, _node_of(result, so_far.failed))
    if not repaired.success:
        raise RefusedError(f"job {job_id} cannot be repaired: {repaired.reason}")
    why = reason or f"step {so_far.failed} failed: {_words(so_far.error)}"
    plan, hidden = _hidden_plan(repaired, record.request_id, job_id, privacy)
    posted = post_replan(
        store,
        record.run_id,
        plan,
        reason=why,
        dossier=htn_dossier(repaired),
        privacy=privacy,
        arguments=hidden,
        needs_approval=needs_approval,
    )
    return posted, repaired


def _node_of(result: Result, ordinal: int) -> int:
    """Return the node id of the command that became step number `ordinal`."""
    commands = [index for index, (_, _, how, _) in enumerate(result.trail, 1) if type(how) is Command]
    return commands[ordinal - 1]


def _words(error: Any) -> str:
    return f"{error['code']} {error['message']}".strip() if isinstance(error, dict) else "its workers died"
