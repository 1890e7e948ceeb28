"""A plan with everything a third party needs to believe it: the plan certificate.

Built from a finished planning result by running its plan once more with the recorder on. What is in it and how it
is checked stands in `contract/checking` (`form`, `check`); the checker shares no code with this module.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from planvow.canonical import canonical_bytes, canonical_json, to_jsonable
from planvow.contract.certificate.asked import PLANNER, asked_of, timing_of
from planvow.contract.certificate.domain_identity import domain_identity
from planvow.contract.certificate.items import item_data, relation_data, told_data, triple_json
from planvow.contract.certificate.past import past_of
from planvow.contract.certificate.proof import proof_of
from planvow.contract.checking.check import certificate_hash, check_certificate, inputs_hash
from planvow.contract.checking.form import DERIVATION, FORMAT
from planvow.errors import InputError, RefusedError
from planvow.kernel.answer.result import Result
from planvow.kernel.domain.domain import Command, Method
from planvow.kernel.domain.metadata import duration_of
from planvow.kernel.domain.terms import Check, MultiGoal, item_text
from planvow.kernel.errors import NotReproducedError
from planvow.kernel.repair.replay import Walk
from planvow.kernel.search.table import CHECK, SEQUENCE
from planvow.kernel.world.recorder import RecordingState, Triple
from planvow.verdict import Verdict


@dataclass(frozen=True, kw_only=True)
class Certificate:
    """A plan certificate as data. `canonical_bytes()` is what is stored and passed on.

    >>> certificate = result.certificate()
    >>> certificate.verify().accepted, certificate.document["kind"]
    (True, 'derivation')
    """

    document: Mapping[str, Any]

    @property
    def hash(self) -> str:
        return str(self.document["hash"])

    def __repr__(self) -> str:
        count = len(self.document.get("steps", ()))
        return f"<Certificate {str(self.document.get('hash'))[:16]}: {count} step{'' if count == 1 else 's'}>"

    def _repr_html_(self) -> str:
        from planvow.notebook.html import folded, shown, table

        verdict, held = self.verify(), to_jsonable(self.document)
        facts = [(name, held[name]) for name in ("kind", "format", "hash") if name in held]
        steps = [(number, canonical_json(step)) for number, step in enumerate(held.get("steps", ()), start=1)]
        said = "accepted by the checker" if verdict.accepted else f"rejected: {verdict.reason}"
        listed = folded(f"{len(steps):,} steps", table(steps))
        return shown(f"certificate {self.hash[:12]}: {said}", table(facts), listed, good=verdict.accepted)

    def canonical_bytes(self) -> bytes:
        """Return the certificate as RFC 8785 JSON: the same bytes for the same plan, everywhere."""
        return canonical_bytes(self.document)

    def verify(self) -> Verdict:
        """Check it with the independent checker."""
        return check_certificate(to_jsonable(self.document))


def verify(certificate: Certificate | Mapping[str, Any] | str | bytes) -> Verdict:
    """Check a certificate, given as itself, as data or as JSON text, with the independent checker.

    >>> verify(result.certificate().canonical_bytes()).accepted
    True
    """
    if isinstance(certificate, Certificate):
        return certificate.verify()
    if isinstance(certificate, str | bytes):
        try:
            certificate = json.loads(certificate)
        except (ValueError, RecursionError) as error:
            raise InputError(f"not JSON: {error}", place="certificate") from None
    return check_certificate(certificate)


def build_certificate(result: Result) -> Certificate:
    """Certify a successful result; refuse one that has no plan."""
    if not result.success:
        raise RefusedError(
            f"there is no plan to certify: {result.status}", hint="only a solved problem has a certificate"
        )
    problem = result.problem
    asked = asked_of(problem)
    nodes, steps, named = _walked(result)
    if asked["time"] is not None:
        asked["time"]["past"] = past_of(result)
    initial, proof = proof_of(problem.state, nodes, steps, named)
    document: dict[str, Any] = to_jsonable(
        {
            "format": FORMAT,
            "kind": DERIVATION,
            "planner": PLANNER,
            "domain": domain_identity(problem.domain),
            "asked": asked,
            "status": result.status.value,
            "initial": initial,
            "proof": proof,
            "root": [node_id for node_id, (parent, *_) in enumerate(result.trail, start=1) if not parent],
            "nodes": nodes,
            "steps": steps,
        }
    )
    document["inputs_hash"] = inputs_hash(document)
    document["hash"] = certificate_hash(document)
    return Certificate(document=document)


Rows = list[dict[str, Any]]


def _walked(result: Result) -> tuple[Rows, Rows, list[str]]:
    """Walk the plan again on a recording state; return nodes, steps and the predicates that were asked for."""
    state = RecordingState(result.problem.state)
    walk = Walk(state, result.trail)
    times = _Times(result)
    nodes: Rows = []
    steps: Rows = []
    children: dict[int, list[int]] = {0: []}
    for node_id, (parent, item, how, ordinal) in enumerate(result.trail, start=1):
        duration = times.duration(node_id, item, how, state)
        objection = walk.step(node_id - 1)
        if objection is not None:
            raise NotReproducedError(f"{item_text(item)}: {objection}", place=f"node {node_id}")
        reads, scans, writes = state.take()
        if how == CHECK and parent:
            continue  # the checker looks at goals itself
        children[parent].append(node_id)
        children[node_id] = []
        kind = _kind(item, how)
        is_call = isinstance(how, Method) and kind != SEQUENCE
        seen = {"reads": sorted_triples(reads), "scans": sorted(scans)}
        nodes.append(
            {
                "id": node_id,
                "kind": kind,
                "item": item_data(item),
                "told": told_data(result.annotations.get(node_id)),
                "call": {
                    "method": how.name,
                    "ordinal": ordinal,
                    "relations": [relation_data(part) for part in walk.constraints],
                    **seen,
                }
                if is_call
                else None,
                "children": children[node_id],
                "span": None if kind == Command.kind else times.span(node_id),
            }
        )
        if kind == Command.kind:
            start, end = times.span(node_id) or (None, None)
            row = {"node": node_id, "command": item_data(item), **seen, "writes": sorted_triples(writes)}
            steps.append({**row, "duration": duration, "entities": times.entities(node_id), "start": start, "end": end})
    touched = [triple[0] for step in steps for triple in step["writes"]]
    return nodes, steps, sorted({*state.named(), *touched})


class _Times:
    """The times of a result: its schedule, the entities that serve, the durations the domain gives."""

    def __init__(self, result: Result) -> None:
        self._timed = timing_of(result.problem) is not None
        self._schedule: Mapping[str, int] = result.reports.get("temporal", {}).get("schedule", {})
        self._entities = {row.node_id: list(row.entities) for row in result.time_allocations} if self._timed else {}

    def span(self, node_id: int) -> list[int] | None:
        start = self._schedule.get(f"{node_id}.start")
        return None if start is None else [start, self._schedule[f"{node_id}.end"]]

    def entities(self, node_id: int) -> list[str]:
        return self._entities.get(node_id, [])

    def duration(self, node_id: int, item: Any, how: Any, state: RecordingState) -> dict[str, Any] | None:
        """Return the duration the domain gives a command, with what a function of it read."""
        if not self._timed or not isinstance(how, Command):
            return None
        written = how.duration(state, *item[1:]) if callable(how.duration) else how.duration
        reads, scans, _ = state.take()
        ticks = None if written is None else list(duration_of(written, is_command=True))
        return {"ticks": ticks, "reads": sorted_triples(reads), "scans": sorted(scans)}


def _kind(item: Any, how: Any) -> str:
    if isinstance(how, Command | Method):
        return how.kind
    return "multigoal" if isinstance(item.goal if isinstance(item, Check) else item, MultiGoal) else "goal"


def sorted_triples(triples: Iterable[Triple]) -> list[list[Any]]:
    """The order in which a function looks around says nothing; canonical bytes give a fixed one."""
    rows = [triple_json(triple) for triple in triples]
    return rows if len(rows) < 2 else sorted(rows, key=canonical_json)
