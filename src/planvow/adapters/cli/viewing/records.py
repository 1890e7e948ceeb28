"""What happened, as text: recordings, golden files, runs, bundles of ledgers, debates."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from planvow.adapters.cli.frame.paragraphs import counted, facts, folded
from planvow.adapters.cli.frame.table import Column, table
from planvow.adapters.cli.ledger.moments import moment_text
from planvow.adapters.cli.viewing.plans import Document, planner_error, steps
from planvow.adapters.cli.viewing.words import SHORT_HASH, call, compact
from planvow.cassette.proof.bundle import verify_bundle
from planvow.contract.running.run_document import read_run

TOP_CLAIMS = 5
TOP_ANSWERS = 20


def recording(document: Document, width: int | None) -> Iterator[str]:
    """A question and its answer, kept."""
    asked = document["request"]
    yield f"recording of {document['maker']} {document['maker_version']}"
    yield facts({"asked": compact(asked.get("goal") or asked.get("prompt") or asked)}, width)
    yield from _answer(document["answer"], width)


def golden(document: Document, width: int | None) -> Iterator[str]:
    """An answer that must come out again."""
    meta = document["meta"]
    yield f"golden file of {meta.get('planner', 'a planner')} {meta.get('planner_version', '')}".rstrip()
    compared = ", ".join(document["deterministic_fields"]) or "everything that is not ignored"
    yield facts({"asked": compact(document["input"].get("goal", document["input"])), "compared": compared}, width)
    yield from _answer(document["expected"], width)


def batch(document: Document, width: int | None) -> Iterator[str]:
    """What came of a batch."""
    inputs = counted(document["inputs"], "input")
    yield f"batch of kind {document['kind']}: {inputs}, {document['failed']:,} without a plan"
    yield facts({status: f"{count:,}" for status, count in document["statuses"].items()}, width)
    versions = ", ".join(f"{name} {version}" for name, version in document["versions"].items())
    yield facts({"versions": versions, "output": document["output_sha256"][:SHORT_HASH]}, width)
    if document["failures"]:
        rows = [(each["id"], each["status"], each["code"]) for each in document["failures"]]
        yield table((Column(name="input"), Column(name="status"), Column(name="code")), rows, width)


def answers(lines: Sequence[Document], width: int | None) -> Iterator[str]:
    """The answers of a batch, line by line as it writes them: how many of each status, and the first of them."""
    yield f"answers of a batch: {counted(len(lines), 'input')}"
    yield facts(
        {status: f"{count:,}" for status, count in sorted(Counter(_word(line) for line in lines).items())}, width
    )
    yield ""
    rows = [(str(line["id"]), _word(line), *_why(line)) for line in lines[:TOP_ANSWERS]]
    columns = (Column(name="input"), Column(name="status"), Column(name="code"), Column(name="reason", weight=1))
    yield table(columns, rows, width)
    if len(lines) > TOP_ANSWERS:
        yield f"{counted(len(lines) - TOP_ANSWERS, 'more answer')}; the manifest beside it names those without a plan"


def _word(line: Document) -> str:
    return str(line["status"])


def _why(line: Document) -> tuple[str, str]:
    """Return the code and the reason of an answer without a plan."""
    refusal = (line.get("answer") or line).get("refusal") or {}
    return str(refusal.get("code", "")), str(refusal.get("reason", ""))


def planner_report(document: Document, width: int | None) -> Iterator[str]:
    """Which promises of the contract a planner kept when it was tried."""
    who, promises = document["planner"], counted(len(document["findings"]), "promise")
    kept = sum(finding["outcome"] == "kept" for finding in document["findings"])
    yield f"report on {who['planner_id']} {who['version']}: {kept} of {promises} kept"
    for finding in document["findings"]:
        yield folded(f"{finding['outcome']:<9}  {finding['promise']}", width, indent=2, hanging=13)


def _answer(answer: Document, width: int | None) -> Iterator[str]:
    if "error" in answer:
        yield from planner_error(answer, width)
    elif isinstance(answer.get("plan"), Mapping):
        yield from steps(answer["plan"]["steps"], width)
    else:
        yield ""
        yield folded(compact(answer.get("text") or dict(answer)), width, indent=2)


def run(document: Document, width: int | None) -> Iterator[str]:
    """A run in memory: every step, its attempts and what came of them."""
    record = read_run(document)
    ended = "succeeded" if record.succeeded else "did not succeed"
    yield f"run {record.run_id}: {ended}, {counted(len(record.steps), 'step')}"
    yield ""
    for step in record.steps:
        yield folded(f"{step.step_id}  {step.skill}  {compact(dict(step.params))}", width, indent=2, hanging=6)
        told = f"{step.status.value.lower()}, {counted(len(step.attempts), 'attempt')}"
        yield folded(f"{told}{f': {step.reason}' if step.reason else ''}", width, indent=6)
        for attempt in step.attempts:
            if not attempt.succeeded:
                yield folded(f"failed: {attempt.error_code} {attempt.message}".rstrip(), width, indent=6, hanging=8)


def agent_run(document: Document, width: int | None) -> Iterator[str]:
    """What `planvow agent run --json` prints."""
    yield f"run {document['run_id']}: {document['status']}, {counted(document['plans'], 'plan')}"
    yield facts({"reason": document.get("reason")}, width)
    yield ""
    rows = [
        (str(step["number"]), call(step["command"]), step["status"], step.get("error") or "")
        for step in document["steps"]
    ]
    columns = (Column(name="step"), Column(name="command"), Column(name="status"), Column(name="why", weight=1))
    yield table(columns, rows, width)
    for question in document.get("waiting", ()):
        yield folded(f"waiting: {question.get('text', compact(question))}", width, indent=2)


def bundle(document: Document, width: int | None) -> Iterator[str]:
    """A run carried away from a ledger: jobs and steps, and whether all hashes hold."""
    verdict = verify_bundle(document)
    kind = "archive" if document["format"].startswith("planvow-archive") else "bundle"
    held = ", ".join(counted(number, word[:-1]) for word, number in verdict.counts.items())
    yield f"{kind} of run {document['run_id']}: {held}"
    holds = "every hash, chain and state holds" if verdict.accepted else f"BROKEN: {verdict.fault}"
    shown = {"verdict": holds, "not proved": "; ".join(verdict.not_proved)}
    yield facts({**shown, "hash": document.get("bundle_sha256", "")[:SHORT_HASH]}, width)
    columns = (
        Column(name="step"), Column(name="op"), Column(name="status"), Column(name="tries", weight=2),
        Column(name="arguments", weight=1),
    )  # fmt: skip
    for job in document["jobs"]:
        row = job["job"]
        yield ""
        yield folded(f"{row['job_id']}  {moment_text(row['created_at'])}  {row.get('intent') or ''}".rstrip(), width)
        states = {state["ordinal"]: state for state in job["states"]}
        rows = [
            (
                str(step["ordinal"]),
                step["op"],
                states[step["ordinal"]]["status"],
                str(states[step["ordinal"]]["attempts"]),
                compact(json.loads(step["payload_json"])),
            )
            for step in job["steps"]
        ]
        yield table(columns, rows, width)


def debate(document: Document, width: int | None, chosen: Sequence[Document] | None = None) -> Iterator[str]:
    """A debate taken apart: how much of what, and the claims that were chosen, or those most worth checking."""
    meta, stats, claims = document["meta"], document["stats"], document["claims"]
    language = meta["language"]
    name = meta.get("title") or meta["transcript_id"]
    yield f"debate {name}: {counted(stats['turns'], 'turn')}, {counted(stats['claims'], 'claim')}"
    speakers = ", ".join(f"{name} {count}" for name, count in stats["claims_by_speaker"].items())
    named = {
        "claims by": speakers,
        "types": _counts(stats["claims_by_type"]),
        "routes": _counts(stats["claims_by_route"]),
        "relations": _counts(stats["relations_by_type"]),
        "to review": stats["claims_needing_review"] or "",
        "read by": f"{language['name']} ({language['version']})",
        "cut short": "a limit was reached" if meta["truncated"] else "",
    }
    yield facts(named, width)
    if chosen is None:
        chosen = sorted(claims, key=lambda claim: (-claim["check_worthiness"], claim["span"]))[:TOP_CLAIMS]
        title = f"most worth checking, {len(chosen)} of {len(claims)}:" if claims else "no claim was found"
    else:
        title = f"claims chosen, {len(chosen)} of {len(claims)}:"
    yield ""
    yield title
    for claim in chosen:
        yield from _claim(claim, width)


def _claim(claim: Document, width: int | None) -> Iterator[str]:
    who = claim["speaker"] or "somebody"
    text = " ".join((claim.get("clean_text") or claim["text"]).split())  # captions break their lines anywhere
    yield folded(f"{claim['check_worthiness']:.2f}  {who}: {text}", width, indent=2, hanging=8)
    (begin, end), at = claim["span"], claim.get("start_ms")
    when = "" if at is None else f"at {at // 60_000}:{at // 1000 % 60:02}, "
    said = f"{claim['claim_type']}, {claim['route'].replace('_', ' ')}; {when}characters {begin} to {end}"
    yield folded(said, width, indent=8)


def _counts(named: Mapping[str, Any]) -> str:
    return ", ".join(f"{name.replace('_', ' ').lower()} {count}" for name, count in named.items())
