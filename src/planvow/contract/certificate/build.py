"""A plan with everything a third party needs to believe it: the plan certificate.

Built from a finished planning result by running its plan once more with the recorder on. What is in it and how it
is checked stands in `certificate_form` and `certificate_check`; the checker shares no code with this module.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from planvow._version import HTN_VERSION
from planvow.canonical import canonical_bytes, full_hash, to_jsonable
from planvow.contract.certificate.check import certificate_hash, check_certificate
from planvow.contract.certificate.form import FORMAT
from planvow.errors import InputError, RefusedError
from planvow.kernel.answer.result import Result
from planvow.kernel.domain.domain import Command, Method
from planvow.kernel.domain.terms import Goal, MultiGoal, item_json
from planvow.kernel.repair.replay import ReplayedNode, replay_plan
from planvow.kernel.search.problem import Problem
from planvow.kernel.search.table import CHECK, SEQUENCE
from planvow.kernel.world.recorder import ABSENT, Triple
from planvow.kernel.world.values import value_to_json
from planvow.verdict import Verdict


@dataclass(frozen=True, kw_only=True)
class Certificate:
    """A plan certificate as data. `canonical_bytes()` is what is stored and passed on."""

    document: Mapping[str, Any]

    @property
    def hash(self) -> str:
        return str(self.document["hash"])

    def __repr__(self) -> str:
        return f"<Certificate {str(self.document.get('hash'))[:16]}: {len(self.document.get('steps', ()))} steps>"

    def canonical_bytes(self) -> bytes:
        """Return the certificate as RFC 8785 JSON: the same bytes for the same plan, everywhere."""
        return canonical_bytes(self.document)

    def verify(self) -> Verdict:
        """Check it with the independent checker."""
        return check_certificate(to_jsonable(self.document))


def verify(certificate: Certificate | Mapping[str, Any] | str | bytes) -> Verdict:
    """Check a certificate, given as itself, as data or as JSON text, with the independent checker."""
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
    steps = [node for node in replay_plan(result) if node.kind == Command.kind]
    nodes, root, goals = _tree(result)
    document: dict[str, Any] = {
        "format": FORMAT,
        "planner": {"id": "htn", "version": HTN_VERSION},
        "inputs_hash": inputs_hash(problem),
        "budgets": to_jsonable(problem.budgets),
        "status": result.status.value,
        "agenda": [node["item"] for node in nodes if node["id"] in set(root)],
        "initial": _initial(problem, steps, goals),
        "root": root,
        "nodes": nodes,
        "steps": [_step(step) for step in steps],
        "goals": [{"node": node, "triples": [triple_json(triple) for triple in wants]} for node, wants in goals],
        "time": result.reports.get("temporal"),
    }
    document = to_jsonable(document)
    document["hash"] = certificate_hash(document)
    return Certificate(document=document)


def inputs_hash(problem: Problem) -> str:
    """Return the hash of everything that decided the plan: state, agenda, limits, settings, and the domain's names."""
    domain = problem.domain
    return full_hash(
        {
            "domain": {
                "name": domain.name,
                "commands": list(domain.commands),
                "methods": [method.method_id for method in domain.methods()],
            },
            "state": problem.state.get_triples_as_array(),
            "agenda": [item_json(item) for item in problem.todo],
            "budgets": problem.budgets,
            "selection": problem.selection,
            "scores": problem.scores.as_dict() if problem.scores is not None else None,
            "blacklist": {full_hash(item_json(item)) for item in problem.blacklist},
            "capabilities": problem.capabilities,
            "optimal": problem.optimal,
        },
        tag="inputs/1",
    )


Goals = list[tuple[int, list[Triple]]]


def _tree(result: Result) -> tuple[list[dict[str, Any]], list[int], Goals]:
    """Return the decomposition without the checks of goals: the checker looks at those itself."""
    children: dict[int, list[int]] = {0: []}
    nodes: list[dict[str, Any]] = []
    goals: Goals = []
    for node_id, (parent, item, how, _) in enumerate(result.trail, start=1):
        if how == CHECK:
            continue
        children[parent].append(node_id)
        children[node_id] = []
        kind = _kind(item, how)
        wants = list(_wanted(item)) if kind in ("goal", "multigoal") else []
        nodes.append(
            {
                "id": node_id,
                "kind": kind,
                "item": _item(item, kind),
                "method": how.name if isinstance(how, Method) and kind != SEQUENCE else None,
                "children": children[node_id],
            }
        )
        if kind in ("goal", "multigoal"):
            goals.append((node_id, wants))
    return nodes, children[0], goals


def _kind(item: Any, how: Any) -> str:
    if isinstance(how, Command | Method):
        return how.kind
    return "multigoal" if isinstance(item, MultiGoal) else "goal"


def _item(item: Any, kind: str) -> Any:
    if kind == "goal":
        return {"goal": triple_json(Triple(*item))}
    if kind == "multigoal":
        return {"multigoal": [triple_json(triple) for triple in _wanted(item)]}
    return command_json(item) if kind == Command.kind else item_json(item)


def _wanted(item: Any) -> Iterator[Triple]:
    for goal in item.goals() if isinstance(item, MultiGoal) else (Goal(*item),):
        yield Triple(*goal)


def _initial(problem: Problem, steps: list[ReplayedNode], goals: Goals) -> list[list[Any]]:
    """Return the initial triples the plan rests on: those read before anything wrote them, and goals that held."""
    needed: dict[tuple[str, Any], Any] = {}
    written: set[tuple[str, Any]] = set()
    for step in steps:
        for read in step.reads:
            if read[:2] not in written:
                needed.setdefault(read[:2], read.object)
        written |= {triple[:2] for triple in step.writes}
    for _, wants in goals:
        for want in wants:
            if want[:2] not in needed and problem.state.has(want.subject, want.predicate):
                needed[want[:2]] = problem.state.get_predicate(want.subject, want.predicate)
    return _sorted(Triple(*key, value) for key, value in needed.items())


def _step(step: ReplayedNode) -> dict[str, Any]:
    return {
        "node": step.node_id,
        "command": command_json(step.item),
        "reads": _sorted(step.reads),
        "writes": _sorted(step.writes),
    }


def _sorted(triples: Iterable[Triple]) -> list[list[Any]]:
    """The order in which a command looks around says nothing; canonical bytes give a fixed one."""
    return sorted(map(triple_json, triples), key=canonical_bytes)


def command_json(item: tuple[Any, ...]) -> list[Any]:
    """Return a command as data that can be turned back into the same call."""
    return [item[0], *(to_jsonable(value_to_json(argument)) for argument in item[1:])]


def triple_json(triple: Triple) -> list[Any]:
    """Return a triple as a certificate holds it; an absent object is left out."""
    plain = [triple.predicate, to_jsonable(value_to_json(triple.subject))]
    return plain if triple.object is ABSENT else [*plain, to_jsonable(value_to_json(triple.object))]
