"""Storing a governed request with its plan, so that workers can claim the steps (seed 002, Cassette Integration).

Planning comes first and writes nothing; message, plan, job and steps are then stored in one transaction. A request
that was stored before is not planned again: the repository may have moved on, the answer must not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from planvow.cassette import Posted, SqliteStore, Store, StoredPlan
from planvow.cassette.dossier.model import Dossier
from planvow.cassette.dossier.post import store_plan_with_dossier
from planvow.cassette.ledger.model import check_name
from planvow.contract.plan.placeholders import escape
from planvow.governed.compile.planner import DEFAULT_SUBSTRATE, RequestPlanner
from planvow.governed.compile.request import PlanRequest, read_request
from planvow.governed.errors import InvalidRequestError
from planvow.governed.sections.config import load_config
from planvow.step import Step

PLANNER_ID = "governed"
LEDGER_NAME = "cassette.db"


class PostedPlan(tuple[str, str]):
    """The ids of a stored request: unpacks as (message_id, job_id); step_ids and plan_hash stand beside.

    >>> post_request_and_plan("r1", request, repo_root="notes").created
    True
    """

    message_id: str
    job_id: str
    step_ids: tuple[str, ...]
    plan_hash: str
    created: bool

    def __new__(cls, posted: Posted) -> PostedPlan:
        made = super().__new__(cls, (posted.message_id, posted.job_id))
        made.message_id, made.job_id = posted.message_id, posted.job_id
        made.step_ids, made.plan_hash, made.created = posted.step_ids, posted.plan_hash, posted.created
        return made


def post_request_and_plan(
    run_id: str,
    request_payload: Mapping[str, Any],
    idempotency_key: str | None = None,
    *,
    repo_root: str | Path | None = None,
    substrate: str = DEFAULT_SUBSTRATE,
    store: Store | None = None,
    ledger: Path | None = None,
    planner: RequestPlanner | None = None,
) -> PostedPlan:
    """Plan a request and store both; the same run and key return the ids stored before.

    Without a `store`, the `ledger` file is opened; it defaults to `cassette.db` in the repository's data folder.
    Raises PlannerError when there is no plan (nothing is stored then) and IdempotencyConflictError when the key
    belongs to another request.

    >>> post_request_and_plan("r1", request, repo_root="notes").created
    True
    """
    root = Path(repo_root or Path.cwd())
    request = read_request(request_payload)
    check_name("run_id", run_id)
    if request.run_id != run_id:
        raise InvalidRequestError(
            f"the request is for run {request.run_id!r}, it was posted to {run_id!r}", place="run_id"
        )
    key = request.request_id if idempotency_key is None else check_name("idempotency_key", idempotency_key)
    asked = planner or RequestPlanner(root)

    def make_plan() -> StoredPlan:
        return stored_plan(request, asked.plan_request(request_payload, repo_root=root, substrate=substrate))

    if store is not None:
        return _post(store, request.run_id, request_payload, key, make_plan)
    ledger = ledger or ledger_path(root)
    if not ledger.exists():  # planned before the ledger is made: a refused request leaves no file behind
        plan = make_plan()
        ledger.parent.mkdir(parents=True, exist_ok=True)
        with SqliteStore(ledger) as opened:
            return _post(opened, request.run_id, request_payload, key, lambda: plan)
    with SqliteStore(ledger) as opened:
        return _post(opened, request.run_id, request_payload, key, make_plan)


def ledger_path(root: Path, data_folder: Path | None = None) -> Path:
    """Return where a repository's ledger lives unless it is told otherwise."""
    return (data_folder or load_config(root).data_in(root)) / LEDGER_NAME


def stored_plan(request: PlanRequest, plan: Mapping[str, Any]) -> StoredPlan:
    """Return a plan_output in the ledger's form: one claimable step per plan step, `after` as dependencies."""
    return StoredPlan(
        planner_id=PLANNER_ID,
        planner_version=plan["planner_version"],
        plan_hash=plan["plan_hash"],
        plan=plan,
        steps=tuple(_stored_step(step, plan["policy_hash"]) for step in plan["steps"]),
        request_id=plan["request_id"],
        intent=request.intent,
        index_hash=plan["index_hash"],
        budgets=asdict(request.budgets),
    )


def step_payload(step: Mapping[str, Any], policy_hash: str) -> dict[str, Any]:
    """Return what a worker gets of a plan step: what to do, and under which policy that was decided."""
    parts = {name: _literal(step[name]) for name in ("refs", "constraints", "expected_outputs")}
    return {**parts, "policy_hash": policy_hash}


def _literal(value: Any) -> Any:
    """Return JSON in which workers see no placeholder: what a governed plan says is meant as it is written."""
    if isinstance(value, str):
        return escape(value)
    if isinstance(value, Mapping):
        return {key: _literal(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_literal(item) for item in value]
    return value


def _stored_step(step: Mapping[str, Any], policy_hash: str) -> Step:
    return Step(
        step_id=step["step_id"],
        skill=step["op"],
        params=step_payload(step, policy_hash),
        depends_on=tuple(step["constraints"].get("after", ())),
        retry_count=0,  # a governed plan has no recovery steps (ruling 13)
    )


def _post(
    store: Store, run_id: str, request: Mapping[str, Any], key: str, make_plan: Callable[[], StoredPlan]
) -> PostedPlan:
    before = store.posted(run_id, request, idempotency_key=key)
    if before is not None:
        return PostedPlan(before)
    plan = make_plan()
    why = Dossier(
        asked=request,
        domain={"index_hash": plan.index_hash, "policy_hash": plan.plan["policy_hash"]},
        options={"budgets": plan.budgets, "intent": plan.intent},
    )
    return PostedPlan(store_plan_with_dossier(store, run_id, plan, why, payload=request, idempotency_key=key))
