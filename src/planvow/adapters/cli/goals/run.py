"""`planvow goal --run`: the plan goes into an embedded ledger and a worker runs it, dry unless really meant."""

from __future__ import annotations

from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

from planvow.adapters.cli.frame.output import note
from planvow.adapters.machine.opener import is_running, open_with_platform
from planvow.canonical import content_hash, to_jsonable
from planvow.cassette import Posted, SqliteStore, Store, Worker, WorkerOptions
from planvow.cassette.dossier.model import Dossier
from planvow.cassette.dossier.post import store_plan_with_dossier
from planvow.cassette.errors import UnknownOperationError
from planvow.cassette.jobs.from_contract import stored_plan
from planvow.contract import Plan
from planvow.errors import InputError, PlanvowError, RefusedError
from planvow.goals.plan.convert import to_contract
from planvow.goals.plan.orchestrator import PlanGraph
from planvow.goals.plan.planner import VERSION
from planvow.goals.run.handlers import goal_handlers
from planvow.goals.run.workspace import DATA_FOLDER, Workspace
from planvow.goals.values.config import GoalConfig
from planvow.goals.values.values import WorldState

RUN_ID = "goals"


def run_graph(
    graph: PlanGraph, *, workspace: Path, config: GoalConfig, world: WorldState, really: bool
) -> list[dict[str, Any]]:
    """Store a plan, run it to its end and return one line per receipt. Every run is a job of its own."""
    if not workspace.is_dir():
        raise InputError("there is no such folder", place=str(workspace), hint="--workspace names an existing folder")
    place = Workspace(workspace)
    ledger = place.root / DATA_FOLDER / "cassette.db"
    if ledger.parent.is_symlink() or ledger.is_symlink():
        raise RefusedError("the ledger's place is a symbolic link", place=str(ledger))
    ledger.parent.mkdir(exist_ok=True)
    plan = to_contract(graph)
    handlers = goal_handlers(
        place,
        opener=open_with_platform if really else None,
        launchable=(*config.apps, *config.browsers),
        world=world,
        running=is_running,
        dry_run=not really,
    )
    unknown = sorted({step.skill for step in plan.steps} - handlers.keys())
    if unknown:
        raise UnknownOperationError(f"nothing here runs {', '.join(unknown)}; nothing was stored or run")
    with SqliteStore(ledger) as store:
        why = Dossier(
            state={"world": to_jsonable(world)},
            decisions={"actions": to_jsonable(graph.nodes), "order": to_jsonable(graph.edges)},
            options={"dry_run": not really},
        )
        posted = _post(store, plan, really, why)
    worker = Worker(partial(SqliteStore, ledger), handlers, WorkerOptions(job_id=posted.job_id, run_id=RUN_ID))
    try:
        worker.run()
    except KeyboardInterrupt:
        note(f"stopped; what is left runs with: planvow cassette work --job-id {posted.job_id} --repo-root {workspace}")
        raise
    with SqliteStore(ledger) as store:
        ids = store.step_ids(posted.job_id)
        return [
            {
                "step_id": ids[receipt.ordinal - 1],
                "outcome": receipt.outcome.value,
                "said": _said(receipt.body),
                "job_id": posted.job_id,
            }
            for receipt in store.receipts(posted.job_id)
        ]


def _post(store: Store, plan: Plan, really: bool, why: Dossier) -> Posted:
    """Store a plan as a job of its own, whoever else runs the same one at the same moment."""
    request = {"plan": plan.as_dict(), "dry_run": not really}
    for number in count(len(store.jobs(run_id=RUN_ID)) + 1):
        request_id = f"{content_hash(request)}-{number}"
        stored = stored_plan(plan, planner_id="goal", planner_version=VERSION, request_id=request_id)
        posted = store_plan_with_dossier(store, RUN_ID, stored, why, payload=request)
        if posted.created:
            return posted
    raise PlanvowError("unreachable")


def _said(body: Any) -> str:
    output = body.get("output") if isinstance(body, dict) else None
    if isinstance(output, dict):
        return ", ".join(f"{key} {value}" for key, value in output.items() if key != "args")
    error = body.get("error") if isinstance(body, dict) else None
    return str(error.get("message", error)) if isinstance(error, dict) else str(error or "")
