"""Why a step is there and what became of it, in sentences, from the ledger alone.

The certificate says where a step stands in the derivation, what it read and was to write; the decisions say why those
methods; the receipts say who ran it and how it ended; the origin of its plan says what was repaired.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from planvow.agent.loop.facts import facts_from_data
from planvow.agent.record.jobs import ANEW, ENDED, FIRST, AgentJob, read_run
from planvow.agent.record.private import output_in, seen_in
from planvow.agent.record.tree import run_tree
from planvow.agent.record.view import StepHistory, numbered, step_of, view
from planvow.canonical import canonical_json
from planvow.cassette.dossier import Erased, approvals_of, observations_of
from planvow.cassette.dossier.decisions import Decision
from planvow.cassette.errors import ErasedError
from planvow.cassette.ledger.model import Outcome, Receipt, StepState, StepStatus
from planvow.cassette.ledger.store import Store
from planvow.clock import timestamp
from planvow.contract.certificate.items import item_from_data
from planvow.contract.plan.placeholders import references
from planvow.kernel.domain.terms import item_text
from planvow.kernel.world.recorder import ABSENT, Triple
from planvow.temporal import format_ticks

SHOWN = 8
"""Facts that are shown of what a step read or wrote."""


def why_run(store: Store, run_id: str) -> str:
    """Say what was asked, what was planned and repaired and why, and where the run stands."""
    jobs = read_run(store, run_id)
    history = numbered(store, jobs)
    run = view(store, run_id)
    lines = [f"Asked was {agenda_text(jobs[0])}."]
    for number, job in enumerate((job for job in jobs if job.origin.kind != ENDED), start=1):
        own = [entry.step for entry in history if entry.job is job]
        lines.append(f"Plan {number} has {_counted(len(own), 'step')}{_because(job)}:")
        lines += [f"  {step}" for step in own] or ["  nothing needs to be done"]
        lines += [f"  {line}" for line in _decided(store, job)]
    lines.append(f"The run is {run.status}: {run.reason}.")
    lines += _why_none(jobs[-1])
    return "\n".join(lines)


def why_step(store: Store, run_id: str, number: int) -> str:
    """Say why a step is in its plan, what it needed and was to bring, and what happened to it."""
    jobs = read_run(store, run_id)
    history = numbered(store, jobs)
    entry = step_of(history, number, run_id)
    plans = [job for job in jobs if job.origin.kind != ENDED]
    place = plans.index(entry.job) + 1
    lines = [f"Step {number} is {item_text(entry.step.command)}, step {entry.step.ordinal} of plan {place}."]
    if entry.job.origin.kind != FIRST:
        lines.append(f"That plan {_because(entry.job).removeprefix(' and ')}.")
    lines += _reasons(store, jobs, entry)
    lines += _needed(entry)
    lines += list(_events(store, entry))
    return "\n".join(lines)


def agenda_text(job: AgentJob) -> str:
    """Return what a job was planned for, in words."""
    if isinstance(job.dossier.asked, Erased):
        return f"something private, which {job.dossier.asked.by} has erased ({job.dossier.asked.reason})"
    if "inputs" in job.dossier.asked:
        return f"“{job.dossier.asked['inputs']['goal']}” of the planner {job.dossier.asked['planner']['name']}"
    items = [item_text(item_from_data(data)) for data in job.dossier.asked["agenda"]]
    return ", ".join(items) or "nothing"


def _because(job: AgentJob) -> str:
    if job.origin.kind == FIRST:
        return ""
    what = "was planned anew" if job.origin.kind == ANEW else "replaced the rest of the plan before it"
    return f" and {what} because {job.origin.reason}"


def _counted(count: int, word: str) -> str:
    return f"{count} {word}{'' if count == 1 else 's'}"


def _reasons(store: Store, jobs: Sequence[AgentJob], entry: StepHistory) -> Iterator[str]:
    """Yield the decisions above a step, from the item of the agenda down to it, each from the plan that took it."""
    gone = next((job.erased for job in jobs if job.erased), None)
    if gone is not None:
        yield f"Why it is there was private and has been erased by {gone.by}: {gone.reason}."
        return
    if "inputs" in entry.job.dossier.asked:
        yield from _planners_reasons(entry)
        return
    tree, kept = run_tree(store, jobs[: jobs.index(entry.job) + 1])
    above = list(tree.steps[entry.step.ordinal - 1].lineage())[1:]
    if not above:
        yield "It stands in the agenda itself."
    for node in reversed(above):
        decision = None
        if node.origin is not None:
            plan, node_id = node.origin
            chosen = (kept[plan].dossier.decisions or {}).get("chosen", ())
            decision = next((row for row in chosen if row["node_id"] == node_id), None)
        if decision is None:
            yield f"It is there for {item_text(node.item)}."
        else:
            yield f"It is there for {item_text(node.item)}: {decision['method']}, {decision['why']}."
            yield from (f"  {_alternative(other)}" for other in decision["alternatives"])


def _planners_reasons(entry: StepHistory) -> Iterator[str]:
    """Yield what a planner of the contract said about a step: the goal, its own words, and what the step hangs on."""
    job = entry.job
    step = job.steps[entry.step.ordinal - 1]
    who = job.dossier.asked["planner"]
    yield f"It is there for “{job.dossier.asked['inputs']['goal']}”, says the planner {who['name']} {who['source']}."
    told = ((job.dossier.decisions or {}).get("planner") or {}).get("why")
    words = told.get(step["step_id"]) if isinstance(told, Mapping) else None
    if words:
        yield f"  {words if isinstance(words, str) else canonical_json(words)}"
    if step["depends_on"]:
        yield f"It comes after {', '.join(step['depends_on'])}."
    for name, value in step["params"].items():
        for found in references(value):
            yield f"Its {name} takes {found.text}."
    users = [row["step_id"] for row in job.steps if step["step_id"] in row["depends_on"]]
    if users:
        yield f"{', '.join(users)} {'waits' if len(users) == 1 else 'wait'} for it."


def _alternative(other: Mapping[str, Any]) -> str:
    words = {
        "not_applicable": "does not apply",
        "lacks_capability": "was left out",
        "tried_and_failed": "was tried and failed at",
        "not_tried": "was not tried",
    }
    reason = " ".join(str(other["reason"]).split())
    return f"{other['method']} {words.get(other['verdict'], other['verdict'])}: {reason}"


def _needed(entry: StepHistory) -> list[str]:
    if not entry.job.certificate or "nodes" not in entry.job.certificate:
        return []
    row = entry.job.certificate["steps"][entry.step.ordinal - 1]
    lines = []
    if row["start"] is not None:
        lines.append(f"It is planned from {format_ticks(row['start'])} to {format_ticks(row['end'])}{_served(row)}.")
    if row["reads"]:
        lines.append(f"It rests on {_facts(facts_from_data(row['reads']))}.")
    if row["writes"]:
        lines.append(f"It was to bring {_facts(facts_from_data(row['writes']))}.")
    return lines


def _served(row: Mapping[str, Any]) -> str:
    return f" with {', '.join(row['entities'])}" if row["entities"] else ""


def _facts(facts: Sequence[Triple]) -> str:
    shown = [_fact(triple) for triple in facts[:SHOWN]]
    more = f" and {len(facts) - SHOWN} more" if len(facts) > SHOWN else ""
    return ", ".join(shown) + more


def _fact(triple: Triple) -> str:
    where = f"{triple.predicate}[{triple.subject}]" if triple.subject != "" else triple.predicate
    return f"no {where}" if triple.object is ABSENT else f"{where} = {triple.object}"


def _events(store: Store, entry: StepHistory) -> Iterator[str]:
    for decision in approvals_of(store, entry.job.job_id):
        if decision.ordinal in (0, entry.step.ordinal):
            about = "the plan" if decision.step_id is None else "it"
            yield f"{timestamp(decision.at)} {about} {_said(decision)}."
    state = store.steps(entry.job.job_id)[entry.step.ordinal - 1]
    yield from _lost(entry, state)
    for receipt in entry.receipts:
        yield from _received(store, receipt)
    if state.status is StepStatus.LEASED:
        yield f"It is being worked on by {state.worker_id}."
    elif state.status is StepStatus.SKIPPED:
        yield "It was given up because the plan was."
    elif state.status is StepStatus.PENDING and not entry.receipts:
        yield "It has not begun."


def _lost(entry: StepHistory, state: StepState) -> Iterator[str]:
    """Tell of attempts that left no receipt and are not under way."""
    known = {receipt.fence for receipt in entry.receipts}
    for fence in range(1, state.fence + 1):
        if fence not in known and not (fence == state.fence and state.status is StepStatus.LEASED):
            yield f"Attempt {fence} ended without a word: whether it happened is unknown."


def _received(store: Store, receipt: Receipt) -> Iterator[str]:
    yield f"{timestamp(receipt.created_at)} {_told(receipt, output_in(store, receipt))} ({receipt.worker_id})."
    try:
        seen = seen_in(store, receipt)
    except ErasedError as error:
        yield f"  {error.message}."
    else:
        yield from [f"  Then was seen: {_facts(seen)}."] if seen else []
    for warning in receipt.body.get("warnings", ()):
        yield f"  Warning: {warning}."


def _told(receipt: Receipt, output: Any) -> str:
    body = receipt.body
    settled = body.get("settled")
    if isinstance(settled, Mapping):
        word = "happened" if settled.get("happened") else "did not happen"
        return f"attempt {receipt.fence}: {settled.get('by')} says that it {word}"
    if receipt.outcome is Outcome.SUCCESS:
        how = "was found done by the probe" if body.get("found_done") else "was done"
        return f"attempt {receipt.fence}: it {how}, output {_short(output)}"
    if receipt.outcome is Outcome.FAILURE:
        error = body.get("error") or {}
        return f"attempt {receipt.fence}: it failed, {error.get('code')} {error.get('message')}; {body.get('decision')}"
    return f"attempt {receipt.fence}: it was handed back, {body.get('reason', 'no reason was given')}"


def _short(value: Any) -> str:
    if isinstance(value, Erased):
        return f"erased by {value.by}: {value.reason}"
    text = repr(value)
    return text if len(text) <= 120 else f"{text[:117]}…"


def _decided(store: Store, job: AgentJob) -> Iterator[str]:
    for decision in approvals_of(store, job.job_id):
        about = "the plan" if decision.step_id is None else f"step {decision.ordinal} of it"
        yield f"{about} {_said(decision)}"
    for seen in observations_of(store, job.job_id):
        if isinstance(seen.document, Mapping) and "facts" in seen.document:
            yield f"seen meanwhile: {_facts(facts_from_data(seen.document['facts']))}"


def _said(decision: Decision) -> str:
    """Return what was decided about something, as the rest of a sentence."""
    words = {"requirement": "needs an approval", "approval": "was approved", "denial": "was denied"}
    said = words.get(decision.kind, f"has a {decision.kind}")
    by = f" by {decision.by}" if decision.by and decision.kind != "requirement" else ""
    return f"{said}{by}{f': {decision.reason}' if decision.reason else ''}"


def _why_none(job: AgentJob) -> list[str]:
    none = None if job.erased else (job.dossier.decisions or {}).get("why_none")
    if not none:
        return []
    lines = []
    if "details" in none:
        return [f"The planner answered {none['status']}: {none['reason']}."]
    deepest = none.get("deepest_dead_end")
    if deepest:
        lines.append(f"The search came furthest at {deepest['item']}: {deepest['reason']}.")
    for reason, count in list(none.get("refusals", {}).items())[:5]:
        lines.append(f"  {'once' if count == 1 else f'{count} times'}: {reason}")
    return lines
