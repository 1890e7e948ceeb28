"""What differs between two runs, and the first reason for it, from the ledger alone.

What decides is compared before what follows from it: what was asked, the state, the code, then the plans, then what the
tools did. The first difference is the reason for those behind it, or at least stands before them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from planvow.agent.loop.facts import facts_from_data
from planvow.agent.record.jobs import ENDED, AgentJob, read_run
from planvow.agent.record.view import RunStep, commands_of, numbered, view
from planvow.agent.record.why import agenda_text
from planvow.canonical import canonical_json
from planvow.cassette.ledger.store import Store
from planvow.kernel.domain.terms import item_text

SHOWN = 5


@dataclass(frozen=True, kw_only=True)
class RunDifference:
    """Two runs side by side: the differences in order; none if they are alike."""

    first: str
    second: str
    differences: tuple[str, ...]

    @property
    def reason(self) -> str | None:
        """The first difference: what the others may follow from."""
        return self.differences[0] if self.differences else None

    def __str__(self) -> str:
        if not self.differences:
            return f"{self.first} and {self.second} are alike."
        head, *rest = self.differences
        return "\n".join([f"First reason: {head}.", *(f"Then: {line}." for line in rest)])


def differ(store: Store, first: str, second: str) -> RunDifference:
    """Compare two runs of one ledger."""
    a, b = read_run(store, first), read_run(store, second)
    found = [*_asked(a[0], b[0]), *_plans(store, a, b)]
    one, other = view(store, first), view(store, second)
    if (one.status, one.reason) != (other.status, other.reason):
        found.append(f"one ended {one.status} ({one.reason}), the other {other.status} ({other.reason})")
    return RunDifference(first=first, second=second, differences=tuple(found))


def _asked(a: AgentJob, b: AgentJob) -> Iterator[str]:
    for word, job in (("first", a), ("second", b)):
        if job.erased is not None:
            yield f"what the {word} run was asked was private and has been erased by {job.erased.by}"
            return
    mine, theirs = a.dossier.asked, b.dossier.asked
    if "inputs" in mine or "inputs" in theirs:
        yield from _inputs(a, b)
        return
    if _text(mine["agenda"]) != _text(theirs["agenda"]):
        yield f"one was asked for {agenda_text(a)}, the other for {agenda_text(b)}"
    for name in sorted(mine["options"].keys() | theirs["options"].keys()):
        have, want = mine["options"].get(name), theirs["options"].get(name)
        if _text(have) != _text(want):
            yield f"{name} was {_text(have)} and {_text(want)}"
    if a.dossier.domain != b.dossier.domain:
        yield "they were planned with different code of the domain"
    facts, others = ({_text(row) for row in job.dossier.state} for job in (a, b))
    for word, rows in (("only the first began with", facts - others), ("only the second began with", others - facts)):
        if rows:
            yield f"{word} {_facts(sorted(rows))}"


def _inputs(a: AgentJob, b: AgentJob) -> Iterator[str]:
    """Yield in what two runs of planners were asked differently."""
    mine, theirs = ({**job.dossier.asked.get("inputs", {}), "goal": agenda_text(job)} for job in (a, b))
    if a.dossier.domain != b.dossier.domain:
        names = [f"{job.dossier.domain['name']} {job.dossier.domain['source']}" for job in (a, b)]
        yield f"one was planned by {names[0]}, the other by {names[1]}"
    for name in sorted(mine.keys() | theirs.keys()):
        have, want = mine.get(name), theirs.get(name)
        if _text(have) != _text(want):
            yield f"{name} was {_text(have):.200} and {_text(want):.200}"


def _facts(rows: Sequence[str]) -> str:
    shown = [f"{t.predicate}[{t.subject}] = {t.object}" for t in facts_from_data(json.loads(r) for r in rows[:SHOWN])]
    return ", ".join(shown) + (f" and {len(rows) - SHOWN} more" if len(rows) > SHOWN else "")


def _plans(store: Store, a: Sequence[AgentJob], b: Sequence[AgentJob]) -> Iterator[str]:
    plans = [[job for job in jobs if job.origin.kind != ENDED] for jobs in (a, b)]
    for number, (mine, theirs) in enumerate(zip(*plans, strict=False), start=1):
        if mine.origin.reason != theirs.origin.reason:
            reasons = f"{mine.origin.reason}; in the other run because {theirs.origin.reason}"
            yield f"plan {number} was made because {reasons}"
        steps = [[item_text(command) for command in commands_of(job)] for job in (mine, theirs)]
        if steps[0] != steps[1]:
            place = next((i for i, (x, y) in enumerate(zip(*steps, strict=False)) if x != y), min(map(len, steps)))
            words = [part[place] if place < len(part) else "nothing" for part in steps]
            yield f"step {place + 1} of plan {number} is {words[0]} and {words[1]}{_decision(mine, theirs)}"
            return  # from here on they are different plans
        yield from _ends(store, mine, theirs)
    if len(plans[0]) != len(plans[1]):
        yield f"one took {len(plans[0])} plans, the other {len(plans[1])}"


def _decision(a: AgentJob, b: AgentJob) -> str:
    """Say at which task the two plans took another method first, and why."""
    chosen = [() if job.erased else (job.dossier.decisions or {}).get("chosen", ()) for job in (a, b)]
    for mine, theirs in zip(*chosen, strict=False):
        if mine["method"] != theirs["method"]:
            words = [f"{decision['method']} ({decision['why']})" for decision in (mine, theirs)]
            return f"; for {_task(mine)} one took {words[0]}, the other {words[1]}"
    return ""


def _task(decision: Mapping[str, Any]) -> str:
    item = decision["item"]
    return item_text(tuple(item)) if isinstance(item, list) else _text(item)


def _ends(store: Store, a: AgentJob, b: AgentJob) -> Iterator[str]:
    mine, theirs = ([entry.step for entry in numbered(store, [job])] for job in (a, b))
    for x, y in zip(mine, theirs, strict=True):
        if _end(x) != _end(y):
            yield f"{item_text(x.command)} {_end(x)}; in the other run it {_end(y)}"


def _end(step: RunStep) -> str:
    if step.error:
        return f"failed with {step.error}"
    return f"is {step.status.value.lower()}" if step.output is None else f"gave {_text(step.output):.100}"


def _text(value: Any) -> str:
    return canonical_json(value)
