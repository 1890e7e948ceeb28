"""The third level: run a certificate's methods and commands again with the domain's own code.

The independent checker believes what the certificate says was read, written and returned. With the domain at hand that
can be seen: from the certificate's initial facts (or from the problem's state, where there is one) every method is
called and must return the children its node has, every command must read and write what its step says, every computed
duration must come out the same. Items go down the tree as the methods return them, not as the certificate spells them.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from types import GeneratorType
from typing import Any

from planvow.canonical import canonical_json
from planvow.contract.certificate.build import sorted_triples
from planvow.contract.certificate.items import item_data, item_from_data, relation_data, told_data
from planvow.contract.certificate.reexecute_1 import first_difference_1
from planvow.contract.certificate.run_command import run_command
from planvow.contract.checking.check import first_fault
from planvow.contract.checking.form import DERIVATION
from planvow.contract.checking.form_1 import FORMAT as FORMAT_1
from planvow.contract.checking.tree import Derivation
from planvow.contract.checking.verdict import CONSISTENT, FAITHFUL, REEXECUTED, judged, not_proved
from planvow.errors import PlanvowError
from planvow.kernel.domain.domain import Command, Domain, Method, Refusal, is_amount
from planvow.kernel.domain.metadata import duration_of
from planvow.kernel.domain.multigoals import SPLIT
from planvow.kernel.domain.propagator import is_constraint
from planvow.kernel.domain.terms import Annotated, Goal, MultiGoal, bare_item
from planvow.kernel.search.problem import Problem
from planvow.kernel.search.table import arguments, kind_of
from planvow.kernel.world.facts import ABOUT, TABLE
from planvow.kernel.world.recorder import RecordingState
from planvow.kernel.world.state import State
from planvow.kernel.world.values import freeze, value_from_json
from planvow.verdict import Fault, Verdict

Row = Mapping[str, Any]
MAX_ORDINAL = 10_000_000


def check_by_running(document: Any, domain: Domain, problem: Problem | None = None) -> Verdict:
    """Check a certificate, then run it again; the first difference is the fault.

    A domain alone is not faithful: that the agenda and the facts are those that were asked for needs the problem.
    """
    fault = first_fault(document)
    if fault is not None:
        return judged("planvow", fault, level=CONSISTENT, not_proved=not_proved(document))
    if document["format"] == FORMAT_1:
        fault = first_difference_1(document, domain)
        return judged("re-execution", fault, level=REEXECUTED, not_proved=not_proved(document, REEXECUTED))
    part = document if document["kind"] == DERIVATION else document["derivation"]
    if part is None:
        fault = _fault("$.derivation", "this plan did not come out of a domain: there is nothing to run again")
    else:
        fault = _Rerun(Derivation(part), domain, problem).first_difference()
    reached = (REEXECUTED,) if problem is None else (FAITHFUL, REEXECUTED)
    return judged("re-execution", fault, level=REEXECUTED, not_proved=not_proved(part, *reached))


class _Differs(Exception):
    """Something came out otherwise."""

    def __init__(self, place: str, message: str) -> None:
        super().__init__(message)
        self.fault = _fault(place, message)


class _Rerun:
    """One certificate being run again."""

    def __init__(self, derivation: Derivation, domain: Domain, problem: Problem | None) -> None:
        self._derivation = derivation
        self._domain = domain
        self._able = derivation.asked["capabilities"]
        self._max_cost = None if problem is None else problem.max_cost  # costs may read what no certificate shows
        self._cost: float = 0
        agenda = [row["item"] for row in derivation.asked["agenda"]] if problem is None else problem.todo
        self._state = RecordingState(_initial_state(derivation) if problem is None else problem.state)
        self._given = [item_from_data(item) if problem is None else bare_item(item) for item in agenda]

    def first_difference(self) -> Fault | None:
        """Run everything in the order of the plan; return the first thing that comes out otherwise."""
        derivation, number = self._derivation, 0
        if len(self._given) != len(derivation.document["root"]):
            return _fault("$.root", "the agenda has another number of items")
        items: dict[int, Any] = dict(zip(derivation.document["root"], self._given, strict=True))
        try:
            for node_id in derivation.order:
                node, item = derivation.nodes[node_id], items.pop(node_id)
                self._kind(node, item)
                if node["kind"] == "command":
                    number += 1
                    self._command(number, derivation.steps[node_id], item)
                elif node["call"] is not None:
                    items.update(zip(node["children"], self._method(node, item), strict=True))
                elif node["kind"] == "sequence":
                    items.update(zip(node["children"], map(bare_item, item), strict=True))
        except _Differs as difference:
            return difference.fault
        return None

    def _kind(self, node: Row, item: Any) -> None:
        """A goal that stands there as a task would never be looked at."""
        kind = kind_of(self._domain, item)
        if node["kind"] != kind:
            text = f"stands there as a {node['kind']}, the domain has {kind or 'nothing'} of that name"
            raise _Differs(f"node {node['id']}", text)

    def _spend(self, place: str, command: Command, item: Any) -> None:
        """Add up what the commands cost, where a limit was given; none costs less than nothing."""
        if self._max_cost is None:
            return
        cost = command.cost
        if callable(cost):
            cost = _called(cost, self._state, item[1:], place, f"the cost of {command.name}")
            self._state.take()
        if not is_amount(cost):
            raise _Differs(place, f"{command.name} costs {cost!r:.60}")
        self._cost += cost
        if self._cost > self._max_cost:
            raise _Differs(place, f"the plan costs {self._cost:g} here already, and max_cost is {self._max_cost:g}")

    def _command(self, number: int, step: Row, item: Any) -> None:
        place = f"step {number}"
        command = self._domain.commands.get(item[0]) if isinstance(item, tuple) and item else None
        if command is None:
            raise _Differs(place, f"the domain has no command {step['command'][0]!r:.60}")
        self._require(place, command.requires)
        self._spend(place, command, item)
        if step["duration"] is not None:
            self._duration(place, step["duration"], command, item)
        problem = run_command(self._state, command, item[1:])
        if problem is not None:
            raise _Differs(place, problem)
        self._compare(place, command.name, step)

    def _duration(self, place: str, told: Row, command: Command, item: Any) -> None:
        written = command.duration
        if callable(written):
            written = _called(written, self._state, item[1:], place, f"the duration of {command.name}")
        ticks = None if written is None else list(duration_of(written, is_command=True))
        if ticks != told["ticks"]:
            raise _Differs(place, f"the domain gives {command.name} the duration {ticks}, not {told['ticks']}")
        self._compare(place, f"the duration of {command.name}", {**told, "writes": []})

    def _method(self, node: Row, item: Any) -> list[Any]:
        """Call a method again; return the items it gives, which must be those of the node's children."""
        told, place = node["call"], f"node {node['id']}"
        method = next((m for m in self._methods(item) if m.name == told["method"]), None)
        if method is None:
            raise _Differs(place, f"the domain has no method {told['method']!r:.60} for this")
        self._require(place, method.requires)
        answer = _called(method.function, self._state, arguments(item), place, method.name)
        if isinstance(answer, GeneratorType):
            try:
                answer = next(islice(answer, min(told["ordinal"], MAX_ORDINAL), None), None)
            except Exception as error:  # the domain's own code
                raise _Differs(place, f"{method.name} fails: {type(error).__name__}: {error}") from None
        elif told["ordinal"]:
            raise _Differs(place, f"{method.name} offers one way only, not number {told['ordinal'] + 1}")
        if not isinstance(answer, list | tuple):
            why = f": {answer.reason}" if isinstance(answer, Refusal) else ""
            raise _Differs(place, f"{method.name} does not apply{why}")
        self._compare(place, method.name, {**told, "writes": []})
        parts = [part for part in answer if not is_constraint(part)]
        nodes = [self._derivation.nodes[child] for child in node["children"]]
        if [canonical_json(_item_row(part)) for part in parts] != [_node_row(child) for child in nodes]:
            raise _Differs(place, f"{method.name} gives another decomposition")
        relations = [relation_data(part) for part in answer if is_constraint(part)]
        if canonical_json(relations) != canonical_json(told["relations"]):
            raise _Differs(place, f"{method.name} gives other relations")
        return [bare_item(part) for part in parts]

    def _methods(self, item: Any) -> list[Method]:
        domain = self._domain
        if isinstance(item, MultiGoal):
            return [m for m in domain.multigoal_methods if m.tag is None or m.tag == item.goal_tag] or [SPLIT]
        if not isinstance(item, tuple) or not item or not isinstance(item[0], str):
            return []
        tasks = [] if isinstance(item, Goal) else domain.task_methods.get(item[0], [])
        return tasks or domain.goal_methods.get(item[0], [])

    def _require(self, place: str, capabilities: frozenset[str]) -> None:
        lacking = sorted(capabilities - set(self._able)) if self._able is not None else []
        if lacking:
            raise _Differs(place, f"needs {lacking[0]!r:.60}, which is not among the capabilities")

    def _compare(self, place: str, name: str, told: Row) -> None:
        """Compare what was really touched with what the certificate says."""
        reads, scans, writes = self._state.take()
        for what, really in (("reads", reads), ("writes", writes)):
            if canonical_json(sorted_triples(really)) != canonical_json(sorted(told[what], key=canonical_json)):
                raise _Differs(place, f"{name} {what} something else than the certificate says")
        if sorted(scans) != sorted(told["scans"]):
            raise _Differs(place, f"{name} looks through other predicates than the certificate says")


def _called(function: Any, state: State, given: Any, place: str, name: str) -> Any:
    try:
        return function(state, *given)
    except Exception as error:  # a forged call may make any code fail in any way
        raise _Differs(place, f"{name} fails: {type(error).__name__}: {error}") from None


def _item_row(item: Any) -> list[Any]:
    told = told_data(item.metadata) if isinstance(item, Annotated) else {}
    try:
        return [item_data(bare_item(item)), told]
    except PlanvowError as error:
        return [error.message]


def _node_row(node: Row) -> str:
    return canonical_json([node["item"], node["told"]])


def _initial_state(derivation: Derivation) -> State:
    """Build the part of the world the certificate speaks of."""
    state = State()
    for predicate, subject, *value in derivation.document["initial"]:
        if predicate == TABLE and value:
            setattr(state, subject, {})
    for predicate, subject, *value in derivation.document["initial"]:
        if value and predicate not in (TABLE, ABOUT):
            state.set_predicate(freeze(value_from_json(subject)), predicate, value_from_json(value[0]))
    return state


def _fault(place: str, message: str) -> Fault:
    return Fault(condition="re-execution", place=place, message=message)
