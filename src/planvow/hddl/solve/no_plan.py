"""A proof for `no_plan`, written down so that the checker in `hddl/verify` can follow it.

The searches say that there is no plan; here that is shown in one of two ways, the shorter first: by what can occur at
all (`relaxed`), or by where every call may end (`tables`, totally ordered problems). A proof that the checker does not
accept, or that grows too large, is not given out: the answer then is "not certified".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from planvow.budgets import Deadline
from planvow.hddl.grounded.grounding import Call, Grounder, GroundingLimitReached
from planvow.hddl.grounded.tables import Tables, TablesLimitReached, reachable
from planvow.hddl.language.model import HddlProblem
from planvow.hddl.lifted.normal import NormalProblem
from planvow.hddl.verify.no_plan import FORMAT, check_no_plan, proof_hash

MAX_LISTED = 200_000
"""Calls and methods that a proof may be made from."""
MAX_STEPS = 200_000
"""Steps of ways that tables may be made from."""


def prove_no_plan(problem: HddlProblem, interrupt: Callable[[], bool] | None = None) -> dict[str, Any] | None:
    """Return a proof that the checker accepts, or None when none was found within the limits.

    Raises planvow.budgets.Interrupted when `interrupt` says so.
    """
    normal = NormalProblem(problem, Deadline(interrupt), write_out=False)  # the checker reads formulas as they stand
    normal.deadline.doing = "a proof was written"
    try:
        grounder = reachable(normal, MAX_LISTED)
    except GroundingLimitReached:
        return None
    for make in (_relaxed, _tables):
        try:
            document = make(normal, grounder)
        except TablesLimitReached:
            continue
        if document is not None:
            document["hash"] = proof_hash(document)
            if check_no_plan(problem, document, normal.deadline):
                return document
    return None


def _head(normal: NormalProblem, kind: str) -> dict[str, Any]:
    return {"format": FORMAT, "kind": kind, "domain": normal.source.domain.name, "problem": normal.source.name}


def _relaxed(normal: NormalProblem, grounder: Grounder) -> dict[str, Any]:
    facts = [_words(normal.predicates, normal, fact) for fact in grounder.facts()]
    calls = [_words(normal.task_names, normal, call) for call in _own_calls(normal, grounder)]
    return {**_head(normal, "relaxed"), "facts": sorted(facts), "calls": sorted(calls)}


def _own_calls(normal: NormalProblem, grounder: Grounder) -> Iterator[Call]:
    return (call for call in grounder.call_list if call[0] != normal.root and call[0] < normal.first_artificial)


def _tables(normal: NormalProblem, grounder: Grounder) -> dict[str, Any] | None:
    if not normal.is_totally_ordered or normal.is_classical:
        return None
    tables = Tables(normal, grounder, MAX_STEPS)
    tables.fill()
    met = list(tables.calls())
    used = {state for _, state in met} | {end for task in met for end in tables.results[task]}
    facts = sorted({fact for state in used for fact in state}, key=lambda fact: _words(normal.predicates, normal, fact))
    place = {fact: number for number, fact in enumerate(facts)}
    as_places = {state: sorted(place[fact] for fact in state) for state in used}
    states = sorted(used, key=as_places.__getitem__)
    state_place = {state: number for number, state in enumerate(states)}
    own = sorted({call for call, _ in met}, key=lambda call: _words(normal.task_names, normal, call))
    call_place = {call: number for number, call in enumerate(own)}
    results = [
        [call_place[call], state_place[state], sorted(state_place[end] for end in tables.results[call, state])]
        for call, state in met
    ]
    return {
        **_head(normal, "tables"),
        "facts": [_words(normal.predicates, normal, fact) for fact in facts],
        "calls": [_words(normal.task_names, normal, call) for call in own],
        "states": [as_places[state] for state in states],
        "results": sorted(results),
    }


def _words(names: tuple[str, ...], normal: NormalProblem, call: Call) -> list[str]:
    return [names[call[0]], *(normal.objects[number] for number in call[1])]
