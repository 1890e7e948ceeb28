"""Running the commands of a certificate of version 1 again; its methods were not on record."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from planvow.canonical import canonical_bytes
from planvow.contract.certificate.items import triple_json
from planvow.contract.certificate.run_command import run_command
from planvow.kernel.domain.domain import Domain
from planvow.kernel.world.recorder import RecordingState
from planvow.kernel.world.state import SCALAR_SUBJECT, State
from planvow.kernel.world.values import freeze, value_from_json
from planvow.verdict import Fault


def first_difference_1(document: Mapping[str, Any], domain: Domain) -> Fault | None:
    """Run the commands from the certificate's initial facts; return the first thing that comes out otherwise."""
    state = RecordingState(_initial_state(document))
    for number, step in enumerate(document["steps"], start=1):
        name, *arguments = (value_from_json(part) for part in step["command"])
        command = domain.commands.get(name)
        if command is None:
            return _fault(number, f"the domain has no command {name!r}")
        problem = run_command(state, command, arguments)
        if problem is not None:
            return _fault(number, problem)
        reads, _, writes = state.take()
        for what, really in (("reads", reads), ("writes", writes)):
            found = sorted(map(triple_json, really), key=canonical_bytes)
            if found != sorted(step[what], key=canonical_bytes):
                return _fault(number, f"{name} {what} something else than the certificate says")
    return None


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
