"""What was asked, certificates of every kind, and what the checkers say to those that were tampered with."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Mapping
from typing import Any

from golden.corpus.case import Case, as_json
from golden.corpus.htn import example
from planvow import Domain, State, canonical_bytes, make_problem, replan
from planvow.contract import PlannerOutput, StubPlanner, default_registry
from planvow.contract.certificate.asked import request_of
from planvow.contract.certificate.faithful import check_against_problem, check_against_request
from planvow.contract.certificate.of_contract import certify_plan, check_by_asking
from planvow.contract.certificate.reexecute import check_by_running
from planvow.contract.checking.check import certificate_hash, check_certificate, inputs_hash
from planvow.contract.checking.check_1 import certificate_hash_1
from planvow.contract.plan.schema_check import schema_problems
from planvow.contract.plan.schema_form import check_schema
from planvow.errors import InputError
from planvow.kernel import Problem, attach_metadata, solve
from planvow.kernel.domain.entities import Entity
from planvow.kernel.repair.time_past import ContinuedTiming
from planvow.kernel.time.timing import Timing

Document = dict[str, Any]
yard = Domain("yard")


@yard.command(duration=lambda state, what: f"PT{len(state.weights) + len(state.lists)}S", ignores={"weather", "noise"})
def carry(state, what):
    state.at[what] = "shed"
    state.noise["yard"] = "loud"
    state.weather["yard"] = "dry"
    return state


@yard.command(duration="PT2S", conditions={"at": "start", "keys": "start"}, effects={"locks": "end", "keys": "end"})
def lock(state, what):
    if state.at[what] != "shed" or "key" not in state.keys:
        return None
    state.locks[what] = "shut"
    state.keys["key"] = what
    return state


@yard.command(duration="PT1S", ordered=True)
def rest(state):
    state.noise["yard"] = "none"
    return state


@yard.method(task="tidy")
def one_by_one(state, *things):
    heavy = [thing for thing in state.weights if thing in things]
    listed = [thing for thing in state.lists if thing in heavy]
    carried = [attach_metadata(("carry", thing), None, {"type": "hand"}) for thing in listed]
    locked = [attach_metadata(("lock", thing), None, {"type": "glue"}) for thing in listed]
    return [*carried, *locked, ("rest",)]


def start() -> State:
    state = State(
        {
            "weights": {"saw": 3, "axe": 2, "bow": 1},
            "lists": {"axe": 1, "saw": 2},
            "at": {"saw": "grass", "axe": "grass"},
            "keys": {"key": "hook"},
            "locks": {},
            "weather": {"yard": "wet"},
            "noise": {},
        }
    )
    state.set_predicate("saw", "at", "grass", metadata={"confidence": 0.5, "source": "ann"})
    state.set_predicate("axe", "at", "grass", metadata={"source": "bea"})
    return state


HANDS = (
    Entity(entity_id="hand", type="hand", capacity=2),
    Entity(entity_id="glue", type="glue", capacity=3, is_consumable=True),
)


def problem(deadline: str = "PT60S") -> Problem:
    tidy = attach_metadata(("tidy", "axe", "saw"), {"deadline": deadline})
    return make_problem(yard, start(), [tidy], propagators=[Timing(entities=HANDS)])


def plain(document: Mapping[str, Any]) -> Document:
    """A certificate or request without the hash of this file, which may be reworded without a new version."""
    made: Document = json.loads(json.dumps(document))
    made["domain"] = {**made["domain"], "source": "unknown"}
    return made


def sealed(document: Document, change: Callable[[Document], object]) -> Document:
    """A document with a change in it and its hashes made anew: the forger does his best."""
    made = copy.deepcopy(document)
    change(made)
    made["inputs_hash"] = inputs_hash(made)
    made["hash"] = certificate_hash(made)
    return made


def said(verdict: Any) -> Any:
    return [verdict.accepted, verdict.level, [[f.condition, f.place, f.message] for f in verdict.faults]]


def request() -> bytes:
    return canonical_bytes(plain(request_of(problem())))


def certificate() -> bytes:
    made = sealed(plain(solve(problem()).certificate().document), lambda document: None)
    return canonical_bytes(made)


def put(*path: Any) -> Callable[[Document], object]:
    """Return a change: the last of the path is put where the rest leads to."""

    def change(document: Document) -> None:
        *way, name, value = path
        place: Any = document
        for part in way:
            place = place[part]
        place[name] = value

    return change


def swapped(name: str) -> Callable[[Document], object]:
    return lambda document: document[name].reverse()


def told(document: Document) -> None:
    document["asked"]["agenda"][0]["told"] |= {"a_first": 1, "z_last": 2}


def budgets(document: Document) -> None:
    document["asked"]["budgets"] |= {"max_depth": 7, "max_iterations": 9}


def all_scans_turned(document: Document) -> None:
    for row in [*(node["call"] for node in document["nodes"] if node["call"]), *document["steps"]]:
        row["scans"].reverse()
        if row.get("duration"):
            row["duration"]["scans"].reverse()


def all_reads_turned(document: Document) -> None:
    for row in [*(node["call"] for node in document["nodes"] if node["call"]), *document["steps"]]:
        row["reads"].reverse()


def two_at_once(document: Document) -> None:
    for step in document["steps"]:
        step["start"], step["end"] = 0, step["end"] - step["start"]


CHANGES: Mapping[str, Callable[[Document], object]] = {
    "told": told,
    "budgets": budgets,
    "scans": all_scans_turned,
    "reads": all_reads_turned,
    "order": swapped("initial"),
    "causality": two_at_once,
    "unknown": lambda document: document.update(zebra=1, aardvark=2),
    "unproved": lambda document: document["initial"].clear(),
    "glue": put("asked", "time", "entities", 1, "capacity", 1),
}


def forged() -> str:
    """What each checker finds first in a certificate that somebody changed and hashed again."""
    asked = problem()
    true = solve(asked).certificate().document
    wanted = request_of(asked)
    rows = {"true": [said(check_certificate(true)), said(check_by_running(true, yard, asked))]}
    for name, change in CHANGES.items():
        document = sealed(json.loads(json.dumps(true)), change)
        rows[name] = [
            said(check_certificate(document)),
            said(check_against_request(document, wanted)),
            said(check_against_problem(document, asked)),
            said(check_by_running(document, yard, asked)),
        ]
    turned = {**wanted, "facts": wanted["facts"][::-1], "metadata": wanted["metadata"][::-1]}
    other = attach_metadata(("tidy", "axe", "saw"), {"deadline": "PT61S", "start_time": "PT0S"}, {"type": "hand"})
    later = make_problem(yard, start(), [other], propagators=[Timing(entities=HANDS, horizon="PT90S")])
    rows["another request"] = [said(check_against_problem(true, later))]
    rows["request turned"] = [said(check_against_request(true, turned))]
    return as_json(rows)


class Varied:
    """Promises the structure and changes the rest."""

    planner_id = "varied"
    version = "1.0.0"

    def __init__(self) -> None:
        self.asked = 0

    def get_determinism_mode(self) -> str:
        return "structural"

    def plan(self, agent_id: str, goal: str, **others: Any) -> PlannerOutput:
        self.asked += 1
        params = {"b": self.asked, "a": goal, "c": 1}
        return PlannerOutput(plan={"steps": [{"step_id": "s1", "skill": "x", "params": params}]})


def through_the_contract() -> str:
    """Certificates of plans that came through the contract, asked again, and changed."""
    stub, varied = StubPlanner(), Varied()
    first = certify_plan(stub, "golden", "Fetch https://example.org and summarize it")
    second = certify_plan(varied, "golden", "tea")
    htn = default_registry().create("htn", domain=example("travel").travel, state=example("travel").problem.state)
    third = certify_plan(htn, "golden", '[["travel","alice","park"]]')
    forged = json.loads(json.dumps(second.document))
    forged["steps"][0]["params"] = {"c": 1, "a": 1}
    forged["hash"] = certificate_hash(forged)
    swapped_arguments = json.loads(json.dumps(third.document))
    swapped_arguments["derivation"]["domain"]["source"] = "unknown"
    return as_json(
        {
            "documents": [first.document, second.document],
            "again": [said(check_by_asking(first.document, stub)), said(check_by_asking(second.document, varied))],
            "forged": said(check_by_asking(forged, varied)),
            "derived": [
                said(check_certificate(third.document)),
                [step["params"] for step in third.document["steps"]],
                [step["command"] for step in third.document["derivation"]["steps"]],
            ],
        }
    )


def repaired() -> str:
    """A timed plan that was mended: what it continues stands in its certificate."""
    tea = solve(example("robot_tea").unhurried)
    failed = next(node for node in tea.solution_graph.commands() if node.item[0] == "go")
    mended = replan(tea, tea.problem.state, failed.node_id, now="PT1M", blacklist=False)
    dinner = solve(example("dinner_party").problem)
    last = dinner.solution_graph.commands()[-2]
    cooked = replan(dinner, dinner.problem.state, last.node_id, blacklist=False)
    return as_json([_continued(mended), _continued(cooked)])


def _continued(result: Any) -> list[Any]:
    document = result.certificate().document
    uses = [factory.uses for factory in result.problem.propagators if isinstance(factory, ContinuedTiming)]
    return [document["asked"]["time"], said(check_certificate(document)), repr(uses)]


def orders() -> str:
    """Which steps come before which, and why: of the yard, of two robots and of a dinner."""
    problems = (
        problem(),
        example("two_robots").problem,
        example("dinner_party").problem,
        example("bring_lamp").problem,
    )
    found = [solve(each).partial_order() for each in problems]
    return as_json([[order.as_dict(), order.predecessors, order.levels, order.sequence()] for order in found])


ONE: Document = {
    "format": "certificate/1", "planner": {"id": "htn", "version": "0.2.0"}, "budgets": {}, "status": "solved",
    "inputs_hash": "0" * 64, "agenda": [["carry", "axe"]],
    "initial": [["at", "axe", "grass"], ["noise", "yard"], ["weather", "yard", "wet"]],
    "root": [1], "goals": [], "time": None,
    "nodes": [{"id": 1, "kind": "command", "item": ["carry", "axe"], "method": None, "children": []}],
    "steps": [{
        "node": 1, "command": ["carry", "axe"],
        "reads": [],
        "writes": [["weather", "yard", "dry"], ["at", "axe", "shed"], ["noise", "yard", "loud"]],
    }],
}  # fmt: skip


def version_1() -> str:
    """Certificates of the first version: read as such, and refused where something is missing or too much."""
    whole = {**ONE, "hash": ""}
    whole["hash"] = certificate_hash_1(whole)
    without = {name: {key: value for key, value in whole.items() if key != name} for name in whole}
    return as_json(
        {
            "whole": [said(check_certificate(whole)), said(check_by_running(whole, yard))],
            "without": {name: said(check_certificate(document)) for name, document in without.items()},
            "more": said(check_certificate({**whole, "zebra": 1, "aardvark": 2})),
        }
    )


NESTED = {
    "type": "object", "additionalProperties": False,
    "properties": {"b": {"type": "integer"}, "a": {"type": "string"}},
}  # fmt: skip
WRONG_SCHEMAS: tuple[Any, ...] = (
    {"properties": {"z": {"typ": "string"}, "a": {"tpye": "string"}}},
    {"items": {"minn": 1}, "additionalProperties": {"maxx": 1}},
    {"$defs": {"z": {"$ref": "#/$defs/y"}, "a": {"$ref": "#/$defs/b"}}},
    {"anyOf": [{"x": 1}, {"y": 2}]},
)


def schemas() -> str:
    """Which problem of a value and which fault of a schema is told first."""
    faults = []
    for schema in WRONG_SCHEMAS:
        try:
            check_schema(schema)
        except InputError as error:
            faults.append([error.message, error.place])
    return as_json([[*schema_problems({"z": 1, "y": 2, "b": "x", "a": 5}, NESTED)], faults])


CASES = (
    Case("proofs/request", "certificate", request),
    Case("proofs/certificate", "certificate", certificate),
    Case("proofs/forged", "certificate", forged),
    Case("proofs/contract", "certificate", through_the_contract),
    Case("proofs/orders", "htn plan", orders),
    Case("proofs/repaired", "certificate", repaired),
    Case("proofs/version-1", "certificate", version_1),
    Case("proofs/schemas", "contract plan", schemas),
)
