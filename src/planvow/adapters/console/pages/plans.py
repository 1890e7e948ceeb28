"""Pages about one plan: tree, times, order, steps and proof; and what differs between two."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse, Response

from planvow.adapters.console.frame.reading import read_plan
from planvow.adapters.console.frame.rendering import HEADERS, address, page
from planvow.adapters.console.pages.desk import Answer, Asked, Console, Shown
from planvow.adapters.console.views.difference import side_by_side
from planvow.adapters.console.views.pictures import ENDINGS, FORMS, exported
from planvow.adapters.console.views.plan import PlanView, contract_view, plan_view
from planvow.adapters.console.views.state import state_view
from planvow.errors import InputError, PlanvowError, RefusedError

TABS = (
    ("tree", "Tree"), ("times", "Timeline"), ("order", "Order"), ("steps", "Steps"), ("state", "State"),
    ("proof", "Proof"),
)  # fmt: skip
_KEPT = 32


@dataclass(frozen=True, kw_only=True)
class Known:
    """A plan and what is known about it."""

    plan: Mapping[str, Any]
    plan_hash: str
    planner: str
    title: str = ""
    run_id: str = ""
    certificate: Any = None
    derivation: Mapping[str, Any] = field(default_factory=dict)
    """The plan in its own terms, where the certificate has it in the engine's."""
    verdicts: Sequence[Mapping[str, Any]] = ()
    """What was said of it when it was made."""
    decisions: Sequence[Mapping[str, Any]] = ()
    order: Sequence[Sequence[Any]] | None = None
    times: Sequence[Mapping[str, Any]] = ()
    why: Mapping[str, Any] = field(default_factory=dict)
    erased: str = ""
    domain: str = ""

    @property
    def has_derivation(self) -> bool:
        return isinstance(self.certificate, Mapping) and "nodes" in self.certificate

    @property
    def shown(self) -> Mapping[str, Any]:
        """What its pages and pictures are made from."""
        return {**self.certificate, **self.derivation} if isinstance(self.certificate, Mapping) else self.plan

    def view(self, source: Mapping[str, str], shown: str) -> PlanView:
        """Return the page of the plan."""
        if not self.has_derivation:
            return contract_view(self.plan, self.planner, self.title or "plan", self.why)
        return plan_view(
            self.shown,
            decisions=self.decisions,
            order=self.order,
            times=self.times,
            address=partial(_node_address, dict(source), shown),
        )


def _node_address(source: Mapping[str, str], shown: str, node: int) -> str:
    return address("plan", **source, view="" if shown == "tree" else shown, node=node)


async def plan(console: Console, request: Request) -> Answer:
    """Show a plan."""
    source = source_of(request)
    known = await known_plan(console, request, source)
    view = await asyncio.to_thread(known.view, source, request.query_params.get("view", ""))
    tabs = [tab for tab in TABS if _has(view, known, tab[0])]
    asked = request.query_params.get("view", "")
    shown = asked if any(asked == name for name, _ in tabs) else tabs[0][0]
    chosen = request.query_params.get("node", "")
    node = view.nodes.get(int(chosen)) if chosen.isdecimal() and len(chosen) < 10 else None
    common = {"node": node, "address": partial(_node_address, source, shown)}
    if request.query_params.get("part") == "node":
        if node is None:
            raise InputError("there is no such node", place="node")
        return HTMLResponse(page("node.html", **common), headers=HEADERS)
    state = state_view(known.shown, request.query_params.get("step", "")) if shown == "state" else None
    verdict = await _verdict(console, request, known, source) if shown == "proof" else None
    values = {"view": view, "tabs": tabs, "shown": shown, "source": source, "verdict": verdict, "state": state}
    told = {"run_id": known.run_id, "plan_hash": known.plan_hash, "erased": known.erased}
    return Shown(template="plan.html", values={**values, **common, **told, "chosen": node.node_id if node else None})


def _has(view: PlanView, known: Known, tab: str) -> bool:
    held = {"tree": view.tree, "times": view.chart, "order": view.graph, "state": view.tree}
    return tab not in held or held[tab] is not None


def source_of(request: Request) -> dict[str, str]:
    """Return what a page's address says about which plan is meant."""
    given = {name: request.query_params.get(name, "") for name in ("job", "hash", "ask")}
    found = {name: value for name, value in given.items() if value}
    if len(found) != 1:
        raise InputError("which plan?", place="job", hint="give job, hash or ask, one of them")
    return found


async def known_plan(console: Console, request: Request, source: Mapping[str, str]) -> Known:
    """Return the plan that an address means: of a job, made here, or made again from its question."""
    if "job" in source:
        return await _of_job(console, source["job"])
    if "ask" in source:
        known: Known = await console.of_link(request, source["ask"])
        return known
    return await made_here(console, request, source["hash"])


async def _of_job(console: Console, job: str) -> Known:
    seen = await console.look(lambda ledger: read_plan(ledger, job))
    record = seen.record
    return Known(
        plan=record.plan if isinstance(record.plan, Mapping) else {},
        plan_hash=record.plan_hash,
        planner=f"{record.planner_id} {record.planner_version}",
        title=record.request_id,
        run_id=record.run_id,
        certificate=seen.certificate,
        decisions=seen.decisions,
        erased=seen.erased,
    )


_recent: OrderedDict[tuple[int, str], Known] = OrderedDict()


async def made_here(
    console: Console,
    request: Request,
    plan_hash: str,
    explained: Mapping[str, Any] | None = None,
    why: Mapping[str, Any] | None = None,
) -> Known:
    """Return a plan that this server made a moment ago, with its certificate and the reasons for it."""
    key = (id(console), plan_hash)
    if key in _recent:
        return _recent[key]
    shelf = console.setting.shelf
    held = shelf.read("plan", plan_hash)
    question = shelf.read("question", plan_hash) if shelf.knows("question", plan_hash) else {}
    certificate = None
    if shelf.knows("certificate", plan_hash):
        with suppress(PlanvowError):  # plans for wishes have none
            certificate = await asyncio.to_thread(shelf.read, "certificate", plan_hash)
    details: Mapping[str, Any] = {}
    wanted = explained or ({"plan_hash": plan_hash} if "facts" in question else None)
    if wanted:
        told = await console.ask("explain", {**wanted, "details": True}, request)
        details = (told.content or {}).get("details") or {}
    known = Known(
        plan=held.get("plan", held),
        plan_hash=plan_hash,
        planner=f"{held.get('planner', '?')} {held.get('planner_version', '')}".strip(),
        title=str(question.get("goal") or ""),
        certificate=certificate,
        derivation=details.get("derivation") or {},
        verdicts=details.get("verdicts") or (),
        decisions=details.get("decisions") or (),
        order=details.get("order"),
        times=details.get("times") or (),
        domain=str(question.get("domain") or ""),
        why=why or {},
    )
    _recent[key] = known
    while len(_recent) > _KEPT:
        _recent.popitem(last=False)
    return known


async def _verdict(console: Console, request: Request, known: Known, source: Mapping[str, str]) -> Any:
    if known.certificate is None:
        return None
    question: dict[str, Any] = {"certificate": known.certificate}
    if known.domain and "job" not in source:  # made here for one of this server's domains: it can be run again
        question = {"plan_hash": known.plan_hash, "domain": known.domain}
    found = answered(await console.ask("verify", question, request))
    return {**found, "verdicts": [*known.verdicts, *found["verdicts"]]}


def answered(asked: Asked) -> Any:
    """Return what a worker answered, or raise what it refused."""
    if asked.refusal is not None:
        raise RefusedError(asked.refusal.reason, hint=asked.refusal.change or None)
    return asked.content


async def export(console: Console, request: Request) -> Answer:
    """Send a plan in one of the forms that others read."""
    form = request.query_params.get("form", "")
    if form not in FORMS:
        raise InputError(f"there is no form {form!r:.40}", place="form", hint=f"one of {', '.join(FORMS)}")
    source = source_of(request)
    known = await known_plan(console, request, source)
    document = known.certificate if form == "certificate" and isinstance(known.certificate, Mapping) else known.shown
    text = await asyncio.to_thread(exported, form, document)
    name = f"plan-{known.plan_hash[:8]}.{ENDINGS.get(form, form)}"
    headers = {**HEADERS, "Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type=FORMS[form], headers=headers)


async def diff(console: Console, request: Request) -> Answer:
    """Show two plans or runs side by side."""
    names = [request.query_params.get(name, "").strip() for name in ("first", "second")]
    values: dict[str, Any] = {"first": names[0], "second": names[1], "answer": None, "rows": (), "links": ()}
    if all(names):
        sides = [await _side(console, name) for name in names]
        question = {"first": sides[0][0], "second": sides[1][0]}
        if sides[0][2] and sides[1][2] and not all("nodes" in side[2] for side in sides):
            question = {"first": sides[0][3], "second": sides[1][3]}
        answer = answered(await console.ask("diff", question, request))
        values.update(answer=answer, rows=side_by_side(answer.get("steps") or ()), links=[side[1] for side in sides])
    return Shown(template="diff.html", values=values)


async def _side(console: Console, name: str) -> tuple[Any, tuple[str, str], Mapping[str, Any], Any]:
    """Return a side of a comparison: what to compare, its link, its certificate, and the plan by itself."""
    if name.startswith("job_"):
        known = await _of_job(console, name)
        held = {"plan": known.plan, "planner": known.planner}
        certificate = known.certificate if known.has_derivation else {}
        link = (address("plan", job=name), f"plan {known.plan_hash[:10]}")
        return certificate or held, link, certificate or {"none": True}, held
    if console.setting.shelf.knows("plan", name):
        return name, (address("plan", hash=name), f"plan {name[:10]}"), {}, name
    return name, (address("run", id=name), f"run {name}"), {}, name
