"""Tools plans and the ledger: storing one for workers, and what earlier runs taught."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import Any

from planvow.adapters.cli.frame.output import note
from planvow.adapters.databases.opening import is_postgres, open_ledger
from planvow.canonical import canonical_json, content_hash
from planvow.cassette.dossier.model import Dossier
from planvow.cassette.dossier.post import store_plan_with_dossier
from planvow.cassette.jobs.from_contract import stored_output
from planvow.cassette.ledger.model import Posted
from planvow.contract.interface.interface import PlannerOutput
from planvow.errors import PlanvowError
from planvow.goals.run.recall import OUTPUT, key_of, memory_of_tools, recalled
from planvow.tools.policy import KEY, ToolPolicy
from planvow.tools.tool import ToolEntry

RUN_ID = "tools"


def post_plan(answer: PlannerOutput, goal: Any, policy: ToolPolicy, ledger: str, run_id: str) -> Posted:
    """Store a plan as a job of its own, with the hash of the policy it may be run under."""
    request = {"goal": goal, "plan": answer.plan, KEY: policy.hash}
    why = Dossier(asked=goal, decisions={"why": dict(answer.metadata["why"])}, options={KEY: policy.hash})
    if not is_postgres(ledger):
        Path(ledger).parent.mkdir(parents=True, exist_ok=True)
    with open_ledger(ledger) as store:
        for number in count(len(store.jobs(run_id=run_id)) + 1):
            stored = stored_output(answer, request_id=f"{content_hash(request)}-{number}", intent="tools")
            posted = store_plan_with_dossier(store, run_id, stored, why, payload=request)
            if posted.created:
                return posted
    raise PlanvowError("unreachable")


def recall_into(
    facts: dict[str, Any], given: dict[str, Any], tools: tuple[ToolEntry, ...], ledger: str, window_s: int
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return facts and given values together with what earlier runs taught. What was said stays."""
    with open_ledger(ledger, must_exist=True, looking=True) as store:
        now_s = store.now_ms() // 1000
        memory = memory_of_tools(store, tools, now_s=now_s, window_s=window_s)
    remembered, values, found = recalled(memory, now_s=now_s, window_s=window_s)
    for fact in found:
        what = fact.predicate if fact.subject == OUTPUT else key_of(fact)
        said = canonical_json(fact.value)
        note(f"remembered {what} = {said:.60}, {now_s - fact.timestamp} s old, from {fact.source_tool}")
    return {**remembered, **facts}, {**values, **given}
