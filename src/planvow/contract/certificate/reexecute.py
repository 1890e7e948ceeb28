"""The strongest check of a certificate: run its commands again with the domain's own code.

The independent checker believes what the certificate says each command read and wrote. With the domain at hand that
can be seen: the commands run from the certificate's initial triples alone, and what they really touch must be what
the certificate says.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from planvow.canonical import canonical_bytes
from planvow.contract.certificate.build import triple_json
from planvow.contract.certificate.check import check_certificate
from planvow.kernel.domain.domain import Command, Domain, Refusal
from planvow.kernel.world.in_place_changes import call
from planvow.kernel.world.recorder import RecordingState
from planvow.kernel.world.state import SCALAR_SUBJECT, State
from planvow.kernel.world.values import freeze, value_from_json
from planvow.verdict import Fault, Verdict


def check_by_running(document: Any, domain: Domain) -> Verdict:
    """Check a certificate, then run its commands with the domain's code; the first difference is the fault."""
    verdict = check_certificate(document)
    if not verdict.accepted:
        return verdict
    fault = _first_difference(document, domain)
    return Verdict(checker="re-execution", faults=(fault,) if fault else ())


def _first_difference(document: Mapping[str, Any], domain: Domain) -> Fault | None:
    state = RecordingState(_initial_state(document))
    for number, step in enumerate(document["steps"], start=1):
        name, *arguments = (value_from_json(part) for part in step["command"])
        command = domain.commands.get(name)
        if command is None:
            return _fault(number, f"the domain has no command {name!r}")
        problem = _run(state, command, arguments)
        if problem is not None:
            return _fault(number, problem)
        reads, _, writes = state.take()
        for what, really in (("reads", reads), ("writes", writes)):
            found = sorted(map(triple_json, really), key=canonical_bytes)
            if found != sorted(step[what], key=canonical_bytes):
                return _fault(number, f"{name} {what} something else than the certificate says")
    return None


def _run(state: RecordingState, command: Command, arguments: list[Any]) -> str | None:
    try:
        answer = call(command.model, state, *map(freeze, arguments))
    except Exception as error:  # a forged call may make any code fail in any way
        return f"{command.name} fails: {type(error).__name__}: {error}"
    if isinstance(answer, State):
        if answer is not state:
            state.become(answer)
        return None
    why = f": {answer.reason}" if isinstance(answer, Refusal) else ""
    return f"{command.name} does not apply{why}"


def _initial_state(document: Mapping[str, Any]) -> State:
    """Build the part of the world the certificate speaks of; predicates it only writes start empty."""
    state = State()
    triples = [*document["initial"], *(t for s in document["steps"] for t in (*s["reads"], *s["writes"]))]
    scalars = {triple[0] for triple in document["initial"] if triple[1] == SCALAR_SUBJECT}  # whatever they become later
    for triple in triples:
        if triple[1] != SCALAR_SUBJECT and triple[0] not in state and triple[0] not in scalars:
            setattr(state, triple[0], {})
    for triple in document["initial"]:
        if len(triple) == 3:
            state.set_predicate(freeze(value_from_json(triple[1])), triple[0], value_from_json(triple[2]))
    return state


def _fault(number: int, message: str) -> Fault:
    return Fault(condition="re-execution", place=f"step {number}", message=message)
