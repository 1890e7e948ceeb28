"""An independent checker of plan certificates. It imports nothing but the base layer and the form.

A certificate carries all that is needed to believe a plan without the domain's code: what was asked, what each method
and each step read and wrote, the decomposition, durations and a schedule. The checker re-derives every claim from those
parts and names the first thing that is wrong. The conditions of a derivation, in the order they are checked:

 1. form           the document has the fields and types of `certificate/2`
 2. hash           the hash at the end is the hash of the rest; the inputs' hash is that of planner, domain and request
 3. decomposition  every node has one parent, every task a method, the roots are the agenda, the leaves are the steps
 4. order          the steps stand in the order of the leaves
 5. status         solved with steps, satisfied without; within the limits, nothing that is forbidden
 6. initial        the initial facts, and the gaps between them, belong to the state with the root hash
 7. reads          every read of a method, a duration or a step sees the latest earlier write or the initial state
 8. goals          each goal holds when its part of the plan is done
 9. schedule       durations, deadlines, relations and entities are kept as they were stated on the items
10. causality      no step runs before, or beside, a step that writes what it reads or that reads what it writes

Certificates of version 1 are checked as they always were, by `check_1`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from planvow.canonical import canonical_json, full_hash
from planvow.contract.checking.check_1 import certificate_hash_1, faults_1
from planvow.contract.checking.facts import course_faults, proof_faults
from planvow.contract.checking.form import CONTRACT, FORMAT, well_formed
from planvow.contract.checking.form_1 import FORMAT as FORMAT_1
from planvow.contract.checking.schedule import time_faults
from planvow.contract.checking.steps import step_faults
from planvow.contract.checking.tree import Derivation, tree_faults
from planvow.contract.checking.verdict import judged, not_proved
from planvow.errors import NotCanonicalError
from planvow.verdict import Fault, Verdict

_VERSION_1 = (
    "anything about what was asked: version 1 does not say it, and can be forged in deadlines, durations, methods and "
    "initial facts without a trace",
)


def check_certificate(document: Any) -> Verdict:
    """Check a certificate given as JSON data; never raises, whatever the document is."""
    fault = first_fault(document)
    if isinstance(document, Mapping) and document.get("format") == FORMAT_1:
        return judged("planvow", fault, not_proved=(*_VERSION_1, *not_proved(document)))
    return judged("planvow", fault, not_proved=not_proved(document))


def first_fault(document: Any) -> Fault | None:
    """Return the first thing that is wrong with a certificate of any version, from the document alone."""
    if isinstance(document, dict) and document.get("format") == FORMAT_1:
        return next(faults_1(document), None)
    try:
        return next(_faults(document), None)
    except NotCanonicalError as error:
        return Fault(condition="form", place=error.place or "$", message=error.message)


def certificate_hash(document: Mapping[str, Any]) -> str:
    """Return the hash a certificate must carry: over everything but the hash itself."""
    if document.get("format") == FORMAT_1:
        return certificate_hash_1(document)
    return full_hash({key: value for key, value in document.items() if key != "hash"}, tag=FORMAT)


def inputs_hash(document: Mapping[str, Any]) -> str:
    """Return the hash of everything that decided the plan: planner, domain, and what was asked."""
    parts = {name: document[name] for name in ("planner", "domain", "asked") if name in document}
    return full_hash(parts, tag="inputs/2")


def _faults(document: Any) -> Iterator[Fault]:
    """Yield faults condition by condition. A later condition relies on the earlier ones, so the first ends it."""
    malformed = well_formed(document)
    if malformed is not None:
        yield malformed
        return
    for name, expected in (("hash", certificate_hash(document)), ("inputs_hash", inputs_hash(document))):
        if document[name] != expected:
            text = f"the content hashes to {expected[:16]}…, the certificate says otherwise"
            yield Fault(condition="hash", place=f"$.{name}", message=text)
    if document["kind"] == CONTRACT:
        yield from step_faults(document)
        yield from _inner_faults(document["derivation"])
        return
    derivation = Derivation(document)
    yield from tree_faults(derivation)
    yield from _status_faults(document)
    yield from _budget_faults(derivation)
    yield from proof_faults(derivation)
    yield from course_faults(derivation)
    yield from time_faults(derivation)


def _inner_faults(derivation: Any) -> Iterator[Fault]:
    if derivation is not None:
        fault = first_fault(derivation)
        if fault is not None:
            yield Fault(condition=fault.condition, place=f"$.derivation: {fault.place}", message=fault.message)


def _status_faults(document: Mapping[str, Any]) -> Iterator[Fault]:
    expected = "solved" if document["steps"] else "satisfied"
    if document["status"] != expected:
        text = f"{document['status']!r} with {len(document['steps'])} steps"
        yield Fault(condition="status", place="$.status", message=text)
    banned = {canonical_json(item) for item in document["asked"]["blacklist"]}
    for number, step in enumerate(document["steps"], start=1):
        if banned and canonical_json(step["command"]) in banned:
            yield Fault(condition="blacklist", place=f"step {number}", message="may not be in the plan")


def _budget_faults(derivation: Derivation) -> Iterator[Fault]:
    """Yield where the plan itself, without what else was looked at to find it, goes beyond a limit."""
    asked, nodes, document = derivation.asked["budgets"], derivation.nodes, derivation.document
    most, deepest, widest = (asked.get(name) for name in ("max_iterations", "max_depth", "max_stack_size"))
    if most is not None and len(nodes) > most:
        yield _over(f"{len(nodes)} nodes, and max_iterations is {most}")
    depth, waiting = 0, len(document["root"])
    for node_id, entering in derivation.turns:
        depth += 1 if entering else -1
        if not entering:
            continue
        children = len(nodes[node_id]["children"])
        waiting += children - 1
        if deepest is not None and depth > deepest:
            yield _over(f"node {node_id} is {depth} deep, and max_depth is {deepest}")
        if widest is not None and children and waiting > widest:
            yield _over(f"{waiting} items wait at node {node_id}, and max_stack_size is {widest}")


def _over(text: str) -> Fault:
    return Fault(condition="budgets", place="$.asked.budgets", message=text)
