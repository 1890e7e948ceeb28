"""Runs as chains of jobs: how a plan of an agent is stored with its dossier, and how a run is read back.

A run has one job for its first plan and one for each plan that replaced the rest of the one before. A run that ended
without doing all that was asked has a last job without steps that says why.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from planvow._version import HTN_VERSION
from planvow.agent.errors import UnknownRunError
from planvow.agent.record.asked import Asked
from planvow.agent.tools.bind import BoundTool
from planvow.canonical import to_jsonable
from planvow.cassette.dossier import (
    Dossier,
    Erased,
    Needs,
    Privacy,
    dossier_of,
    hide_arguments,
    store_plan_with_dossier,
)
from planvow.cassette.dossier.model import NOTHING_PRIVATE
from planvow.cassette.errors import ErasedError
from planvow.cassette.ledger.model import MAX_COUNT, PlanRecord, Posted, Source, StoredPlan
from planvow.cassette.ledger.store import Store
from planvow.contract.plan.normalise import document_hash
from planvow.contract.plan.plan import build_plan, step_data
from planvow.contract.planners.htn import plan_steps
from planvow.errors import did_you_mean
from planvow.kernel.answer.result import Result
from planvow.step import OnError

FORMAT = "agent-run/1"
INTENT = "agent"
FIRST, REST, ANEW, ENDED = "first", "rest", "anew", "ended"


@dataclass(frozen=True, kw_only=True)
class Origin:
    """How a job came about: the first plan, a repair of an earlier one, or the end."""

    kind: str
    reason: str = ""
    failed: int | None = None
    """The step of the plan before that was repaired from."""
    banned: bool = False
    level: int = 0
    """How far above that step was what was broken down anew."""
    repairs: int = 0
    """How many repairs came before and with this one."""
    status: str | None = None
    """For the end: the status word."""


@dataclass(frozen=True, kw_only=True)
class AgentJob:
    """One job of a run; its documents are read when they are first asked for."""

    store: Store
    record: PlanRecord
    origin: Origin

    @property
    def job_id(self) -> str:
        return self.record.job_id

    @cached_property
    def dossier(self) -> Dossier:
        return dossier_of(self.store, self.job_id)

    @property
    def asked(self) -> Asked:
        return Asked.stored(self.dossier.asked, self.dossier.state, self.dossier.options)

    @property
    def certificate(self) -> Mapping[str, Any] | None:
        """The plan's certificate; None where there is no plan, or it was private and is gone."""
        held: Any = self.dossier.certificate
        return None if isinstance(held, Erased) else held

    @property
    def erased(self) -> Erased | None:
        """Who erased what this job rested on, if anybody did."""
        return next((part for part in vars(self.dossier).values() if isinstance(part, Erased)), None)

    def check_kept(self) -> None:
        """Raise ErasedError if something is gone without which the run cannot go on."""
        gone = self.erased
        if gone is not None:
            raise ErasedError(f"what this run rests on was erased by {gone.by}: {gone.reason}", place=self.job_id)

    @property
    def steps(self) -> Sequence[Mapping[str, Any]]:
        """The plan's steps as they were stored."""
        steps: Sequence[Mapping[str, Any]] = self.record.plan["steps"]
        return steps


def dossier_for(asked: Asked, domain: Mapping[str, Any], result: Result | None) -> Dossier:
    """Return what is stored with a plan, or with the news that there is none."""
    certificate, decisions = None, None
    if result is not None and result.success:
        certificate = result.certificate().document
        decisions = {"chosen": result.explain_plan()["decisions"]}
    elif result is not None:
        told = result.explain_plan()
        decisions = {"why_none": {name: told[name] for name in ("status", "reason", "deepest_dead_end", "refusals")}}
    return Dossier(
        asked=asked.asked,
        state=asked.facts,
        options=asked.shape,
        domain=domain,
        certificate=certificate,
        decisions=to_jsonable(decisions),
    )


def agent_steps(result: Result, tools: Mapping[str, BoundTool], *, side_by_side: bool) -> list[dict[str, Any]]:
    """Return the steps of a plan with what their tools say; one after the other, or as their order allows."""
    steps = plan_steps(result)
    before = result.partial_order().predecessors if side_by_side and len(steps) > 1 else None
    made = []
    for number, step in enumerate(steps):
        bound = tools.get(step["skill"])
        made.append(
            step_data(
                step["skill"],
                step["params"],
                step_id=step["step_id"],
                depends_on=step["depends_on"] if before is None else [f"s{n + 1}" for n in before[number]],
                on_error=bound.tool.on_error if bound else OnError.ABORT,
                retry_count=bound.tool.retry_count if bound else 0,
            )
        )
    return made


def post_job(
    store: Store,
    run_id: str,
    origin: Origin,
    dossier: Dossier,
    steps: Sequence[Mapping[str, Any]],
    *,
    needs: Needs,
    parent_job_id: str | None = None,
    privacy: Privacy = NOTHING_PRIVATE,
    planner: tuple[str, str] = ("htn", HTN_VERSION),
) -> Posted:
    """Store a plan with its dossier; the same plan for the same place gives the job stored before.

    Private arguments leave the steps; where there is no plan, those of the agenda are taken for private.
    """
    shown, hidden = hide_arguments(steps, privacy)
    if privacy.arguments and not steps:
        asked = dossier.asked
        told = asked["agenda"] if "agenda" in asked else [["goal", asked["inputs"]["goal"]]]
        hidden = {f"agenda_{number}": part for number, part in enumerate(_parts(told), start=1)}
    plan = build_plan({"steps": shown})
    document = plan.as_dict()
    stored = StoredPlan(
        planner_id=planner[0],
        planner_version=planner[1],
        plan_hash=document_hash(document),
        plan=document,
        steps=plan.steps,
        request_id=run_id,
        intent=INTENT,
        parent_job_id=parent_job_id,
        # Who dies while working on a step leaves an unknown, however often: a count does not turn that into a failure.
        max_attempts={step.step_id: MAX_COUNT for step in plan.steps},
    )
    return store_plan_with_dossier(
        store,
        run_id,
        stored,
        dossier,
        payload={"format": FORMAT, "origin": dict(vars(origin)), "parent": parent_job_id, **_filling(dossier)},
        idempotency_key="agent" if parent_job_id is None else f"after:{parent_job_id}",
        source=Source.USER if parent_job_id is None else Source.PLANNER,
        needs_approval=needs,
        privacy=privacy,
        arguments=hidden,
    )


def _filling(dossier: Dossier) -> dict[str, Any]:
    """Return what fills `{{input.…}}` in a planner's plan, for the request that workers read."""
    given = dossier.asked.get("input")
    return {"input": given} if given else {}


def _parts(value: Any) -> Iterator[Any]:
    """Yield the values in an agenda, without the names of its tasks."""
    if isinstance(value, dict):
        for part in value.values():
            yield from _parts(part)
    elif isinstance(value, list | tuple):
        named = bool(value) and isinstance(value[0], str)
        for part in value[1:] if named else value:
            yield from _parts(part)
    else:
        yield value


def read_run(store: Store, run_id: str) -> tuple[AgentJob, ...]:
    """Return the jobs of a run, oldest first."""
    records = [record for record in store.plans(run_id=run_id) if _is_agents(record)]
    if not records:
        known = [row["run_id"] for row in store.rows("run_ids")]
        hint = did_you_mean(run_id, known) or "planvow agent runs lists them"
        raise UnknownRunError(f"there is no run {run_id!r:.80} of an agent here", hint=hint)
    return tuple(AgentJob(store=store, record=record, origin=Origin(**record.request["origin"])) for record in records)


def run_ids(store: Store) -> tuple[str, ...]:
    """Return the runs of agents, oldest first."""
    return tuple(dict.fromkeys(job.run_id for job in store.jobs() if job.intent == INTENT))


def is_known(store: Store, run_id: str) -> bool:
    """Say whether a run of an agent has begun under this id."""
    return bool(store.rows("message_by_key", run_id=run_id, idempotency_key="agent"))


def _is_agents(record: PlanRecord) -> bool:
    return isinstance(record.request, dict) and record.request.get("format") == FORMAT
