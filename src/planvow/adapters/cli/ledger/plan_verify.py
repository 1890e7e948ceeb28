"""`cassette plan-verify`: whether a stored plan is what its request gives today (seed 002, Plan Verify Command)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from planvow.adapters.cli.frame import typer_later as typer
from planvow.adapters.cli.frame.output import print_error, print_json, print_result
from planvow.adapters.cli.options.ledger import AsJson, RepoRoot, StoreLocation, opened
from planvow.adapters.cli.options.working_tree import (
    DEFAULT_KIND,
    HERE,
    DataFolder,
    IntentsFile,
    SubstrateKind,
    load_intents,
    repository,
)
from planvow.cassette.ledger.job_rows import load_job
from planvow.cassette.proof.check_job import check_job
from planvow.cassette.proof.job_parts import parts_of
from planvow.errors import EXIT_REFUSED, PlanvowError
from planvow.governed.compile.planner import RequestPlanner
from planvow.governed.compile.verify import verify_stored_plans
from planvow.governed.substrate.interface import default_path


def plan_verify(
    run_id: Annotated[str, typer.Option("--run-id", help="Run the plan belongs to.")],
    request_id: Annotated[str, typer.Option("--request-id", help="Request to plan again.")],
    repo_root: RepoRoot = HERE,
    store: StoreLocation = None,
    substrate: SubstrateKind = DEFAULT_KIND,
    data: DataFolder = None,
    intents: IntentsFile = None,
    as_json: AsJson = False,
) -> None:
    """Plan a stored request again and compare. Exit 0 if the hashes match, 1 with the side that changed if not."""
    try:
        place = repository(repo_root, data)
        index = default_path(place.data_folder, substrate)
        with (
            opened(repo_root, store, data) as ledger,
            RequestPlanner(place.root, index, intents=load_intents(intents)) as planner,
        ):

            def recompute(request: Any) -> Mapping[str, Any]:
                return planner.plan_request(request, substrate=substrate)

            checks = verify_stored_plans(ledger, recompute, run_id=run_id, request_id=request_id)
            answers = [
                {
                    "job_id": check.job_id,
                    "stored_hash": check.stored_hash,
                    "recomputed_hash": check.recomputed_hash,
                    "changed": [side.value for side in check.changed],
                    "findings": [
                        *([check.finding] if check.finding is not None else []),
                        *(str(finding) for finding in check_job(parts_of(load_job(ledger, check.job_id)))),
                    ],
                }
                for check in checks
            ]
    except PlanvowError as error:
        print_error(error)
        raise typer.Exit(EXIT_REFUSED) from None
    holds = not any(answer["changed"] or answer["findings"] for answer in answers)
    if as_json:
        print_json({"match": holds, "plans": answers})
    else:
        for answer in answers:
            print_result(_line(answer))
    if not holds:
        raise typer.Exit(EXIT_REFUSED)


def _line(answer: Mapping[str, Any]) -> str:
    if not answer["changed"] and not answer["findings"]:
        return f"match     {answer['job_id']} {answer['stored_hash']}"
    sides = ", ".join(answer["changed"]) or "stored bytes"
    findings = "".join(f"\n  {finding}" for finding in answer["findings"])
    return f"mismatch  {answer['job_id']} changed: {sides}{findings}"
