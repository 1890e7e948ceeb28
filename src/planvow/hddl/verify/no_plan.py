"""Is there really no plan? A checker of proofs, which shares no code with what searches and what proves.

A proof lists things and claims that the list is closed: whatever a rule makes of what is listed is listed too. Two
kinds of lists suffice.

`relaxed`: facts and calls. Every fact of the beginning is listed; every call of the initial network; every subtask of
every method whose condition could hold, were all listed facts to choose from; every fact that a listed action could
add. So nothing else is ever true or called. The proof is right if, even so, no instance of the initial network can
be completed, or the goal could not hold.

`tables`, for totally ordered problems: for calls in states, the states in which they may end. Every way to do a
call in a state (an action's effects; a method's subtasks one after the other, looked up in the same tables) ends in a
listed state. The proof is right if the initial network, begun in the initial state, never ends where the goal holds.

Listing more than needed makes a proof longer, never wrong. A proof that is too large for the checker is not accepted.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from planvow.budgets import Deadline
from planvow.canonical import full_hash
from planvow.errors import BudgetExceededError, NotCanonicalError
from planvow.hddl.language.model import HddlProblem
from planvow.hddl.verify.closed import Condition, RelaxedProof, TableProof, Wrong, shown
from planvow.hddl.verify.world import World
from planvow.verdict import Fault, Verdict

FORMAT = "planvow-no-plan/1"
CHECKER = "no-plan"


@dataclass(frozen=True, kw_only=True)
class NoPlan:
    """A proof that an HDDL problem has no plan; see the page on HDDL for what must hold of it."""

    kind: str
    """relaxed or tables."""
    domain: str
    problem: str
    facts: tuple[tuple[str, ...], ...]
    """A predicate and its objects: those that can ever hold and can change."""
    calls: tuple[tuple[str, ...], ...]
    """A task or an action and its arguments."""
    states: tuple[tuple[int, ...], ...] = ()
    """The facts that hold, by their places in `facts`; tables only."""
    results: tuple[tuple[int, int, tuple[int, ...]], ...] = ()
    """A call, a state, and the states in which it may end, by their places; tables only."""
    hash: str
    """SHA-256 over all other fields."""


def proof_hash(document: dict[str, Any]) -> str:
    """Return the hash that a proof carries: over all its other fields."""
    return full_hash({name: value for name, value in document.items() if name != "hash"}, tag=FORMAT)


def check_no_plan(problem: HddlProblem, document: Any, deadline: Deadline | None = None) -> Verdict:
    """Check a proof that a problem has no plan, and say what is wrong with it.

    Raises planvow.budgets.Interrupted when the deadline says so.
    """
    try:
        proof = _read(document)
        if (proof.domain, proof.problem) != (problem.domain.name, problem.name):
            found = f"the proof is about {proof.problem!r:.60} of {proof.domain!r:.60}"
            raise Wrong(Condition.PROBLEM, "problem", f"{found}, not {problem.name!r} of {problem.domain.name!r}")
        world = World(problem, deadline)
        _check_lists(world, proof)
        if proof.kind == "relaxed":
            RelaxedProof(world, proof.facts, proof.calls).check()
        else:
            TableProof(world, proof.facts, proof.calls, proof.states, proof.results).check()
    except Wrong as wrong:
        return Verdict(checker=CHECKER, faults=(wrong.fault,))
    except BudgetExceededError as error:
        fault = Fault(condition=Condition.LIMIT, place="", message=f"too large to check: {error.message}")
        return Verdict(checker=CHECKER, faults=(fault,))
    counts = {"facts": len(proof.facts), "calls": len(proof.calls), "states": len(proof.states)}
    return Verdict(checker=CHECKER, counts={**counts, "results": len(proof.results)})


def _read(document: Any) -> NoPlan:
    names = {"format", "kind", "domain", "problem", "facts", "calls", "hash"}
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise Wrong(Condition.FORM, "format", f"expected a document of the format {FORMAT}")
    kind = document.get("kind")
    if kind == "tables":
        names |= {"states", "results"}
    elif kind != "relaxed":
        raise Wrong(Condition.FORM, "kind", "expected relaxed or tables")
    if document.keys() != names:
        odd = sorted(map(str, document.keys() ^ names))
        raise Wrong(Condition.FORM, odd[0][:60], f"expected the fields {', '.join(sorted(names))}")
    for name in ("domain", "problem", "hash"):
        if not isinstance(document[name], str):
            raise Wrong(Condition.FORM, name, "expected text")
    calls, facts = _words(document, "calls"), _words(document, "facts")
    states: tuple[tuple[int, ...], ...] = ()
    results: tuple[tuple[int, int, tuple[int, ...]], ...] = ()
    if kind == "tables":
        states = tuple(_places(row, len(facts), f"states[{i}]") for i, row in enumerate(_rows(document, "states")))
        results = tuple(
            _result(row, len(calls), len(states), f"results[{i}]") for i, row in enumerate(_rows(document, "results"))
        )
    try:
        if proof_hash(document) != document["hash"]:
            raise Wrong(Condition.HASH, "hash", "the hash is not that of the document")
    except NotCanonicalError as error:
        raise Wrong(Condition.FORM, "", error.message) from None
    told = {name: document[name] for name in ("kind", "domain", "problem", "hash")}
    return NoPlan(**told, facts=facts, calls=calls, states=states, results=results)


def _rows(document: dict[str, Any], name: str) -> list[Any]:
    rows = document[name]
    if not isinstance(rows, list):
        raise Wrong(Condition.FORM, name, "expected a list")
    return rows


def _words(document: dict[str, Any], name: str) -> tuple[tuple[str, ...], ...]:
    found = []
    for index, row in enumerate(_rows(document, name)):
        if not isinstance(row, list) or not row or not all(isinstance(word, str) and word for word in row):
            raise Wrong(Condition.FORM, f"{name}[{index}]", "expected a list of names")
        found.append(tuple(row))
    if len(set(found)) != len(found):
        raise Wrong(Condition.FORM, name, "something is listed twice")
    return tuple(found)


def _places(row: Any, count: int, place: str) -> tuple[int, ...]:
    is_list = isinstance(row, list) and all(type(item) is int and 0 <= item < count for item in row)
    if not is_list or any(first >= second for first, second in pairwise(row)):
        raise Wrong(Condition.FORM, place, f"expected ascending places below {count}")
    return tuple(row)


def _result(row: Any, calls: int, states: int, place: str) -> tuple[int, int, tuple[int, ...]]:
    if not isinstance(row, list) or len(row) != 3:
        raise Wrong(Condition.FORM, place, "expected a call, a state, and the states it may end in")
    (call,), (state,) = _places(row[:1], calls, place), _places(row[1:2], states, place)
    return call, state, _places(row[2], states, place)


def _check_lists(world: World, proof: NoPlan) -> None:
    for fact in proof.facts:
        if not world.is_fact(fact):
            raise Wrong(Condition.PROBLEM, shown(fact), "no action changes a fact like this")
    for call in proof.calls:
        if not world.is_call(call):
            raise Wrong(Condition.PROBLEM, shown(call), "there is no task or action like this")
