"""The second level: does a certificate say what was really asked?

Held against a problem, or against a request that somebody kept: the planner, the domain, the agenda with its deadlines
and relations, the limits, the entities, the durations, the root hash over all initial facts and their order are made
again from what was asked and compared, one after the other; the first that differs is named.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from planvow.canonical import canonical_json
from planvow.contract.certificate.asked import COMPUTED, PLANNER, REQUEST_FORMAT, asked_of, declared_duration, kinds_of
from planvow.contract.certificate.domain_identity import domain_identity
from planvow.contract.certificate.items import item_from_data, triple_json
from planvow.contract.checking.check import first_fault, inputs_hash
from planvow.contract.checking.facts import key_of
from planvow.contract.checking.form import ASKED, CONTRACT, DOMAIN, TRIPLES, WORDS
from planvow.contract.checking.form import PLANNER as PLANNER_FORM
from planvow.contract.checking.form_1 import FORMAT as FORMAT_1
from planvow.contract.checking.shapes import Exactly, MapOf, Plain, Word
from planvow.contract.checking.verdict import CONSISTENT, FAITHFUL, judged, not_proved
from planvow.contract.interface.inputs import read_inputs
from planvow.errors import InputError, NotCanonicalError
from planvow.hash_tree import HashTree
from planvow.kernel.domain.metadata import duration_of
from planvow.kernel.search.problem import Problem
from planvow.kernel.world.recorder import Triple
from planvow.kernel.world.state import State
from planvow.kernel.world.values import freeze, value_from_json
from planvow.verdict import Fault, Verdict

Row = Mapping[str, Any]
REQUEST = Exactly(
    {
        "format": Word((REQUEST_FORMAT,)),
        "planner": PLANNER_FORM,
        "domain": DOMAIN,
        "asked": ASKED,
        "durations": MapOf(Plain(), "By command: [shortest, longest] in ticks, null, or `computed`."),
        "facts": TRIPLES,
        "metadata": TRIPLES,
    },
    optional={"kinds": WORDS},
    about="What was asked of the planner `htn`: a certificate can be held against it.",
)


def check_against_problem(document: Any, problem: Problem) -> Verdict:
    """Check a certificate, then compare what it says was asked with a problem."""
    return _verdict(document, lambda part: _problem_faults(part, problem))


def check_against_request(document: Any, request: Any) -> Verdict:
    """Check a certificate, then compare what it says was asked with a request document or with a contract's inputs."""
    if isinstance(document, dict) and document.get("kind") == CONTRACT:
        return _verdict(document, lambda part: _inputs_faults(part, request))
    misfit = REQUEST.misfit(request)
    if misfit is not None:
        hint = "planvow plan MODULE.py --request-out FILE writes one"
        raise InputError(f"this is not a request: {misfit[1]}", place=f"${misfit[0]}", hint=hint)
    steps = document.get("steps", ()) if isinstance(document, dict) else ()
    names = [step["command"][0] for step in steps if isinstance(step, dict) and step.get("duration")]
    computed = any(request["durations"].get(name) == COMPUTED for name in names if isinstance(name, str))
    return _verdict(document, lambda part: _request_faults(part, request), computed=computed)


def _verdict(document: Any, compare: Callable[[Row], Iterator[Fault]], *, computed: bool = False) -> Verdict:
    fault = first_fault(document)
    if fault is not None:
        return judged("planvow", fault, level=CONSISTENT, not_proved=not_proved(document))
    if document["format"] == FORMAT_1:
        text = "a certificate of version 1 does not say what was asked, so nothing can be compared"
        fault = Fault(condition="version", place="$.format", message=text)
    else:
        fault = next(compare(document), None)
    words = not_proved(document, FAITHFUL, computed_durations=computed)
    return judged("faithful", fault, level=FAITHFUL, not_proved=words)


def _problem_faults(document: Row, problem: Problem) -> Iterator[Fault]:
    if document["kind"] == CONTRACT:
        if document["derivation"] is None:
            yield _fault("derivation", "$.derivation", "this plan did not come out of a domain; --request compares it")
            return
        document = document["derivation"]
    yield from _difference(document, PLANNER, domain_identity(problem.domain), asked_of(problem))
    yield from _kind_faults(document, kinds_of(problem))
    yield from _order_faults(document, lambda name: _table(problem.state, name))
    durations = {name: declared_duration(command) for name, command in problem.domain.commands.items()}
    yield from _duration_faults(document, durations)
    yield from _computed_faults(document, problem)


def _kind_faults(document: Row, kinds: list[str]) -> Iterator[Fault]:
    """A goal may be asked for as ("pos", "a", "table"): the document alone cannot tell that this is one."""
    nodes = {node["id"]: node for node in document["nodes"]}
    for number, (root, kind) in enumerate(zip(document["root"], kinds, strict=False), start=1):
        if nodes[root]["kind"] != kind:
            text = f"stands there as a {nodes[root]['kind']}, it is a {kind}"
            yield _fault("agenda", f"item {number} of the agenda", text)


def _request_faults(document: Row, request: Row) -> Iterator[Fault]:
    yield from _difference(document, request["planner"], request["domain"], request["asked"])
    yield from _kind_faults(document, request.get("kinds", []))
    rows = sorted([*request["facts"], *request["metadata"]], key=key_of)
    root = HashTree(canonical_json(row).encode() for row in rows).root
    if {"root": root, "size": len(rows)} != request["asked"]["state"]:
        yield _fault("state", "request", "the facts of the request do not have the root hash that it states")
    tables: dict[str, list[Any]] = {}
    for row in request["facts"]:
        tables.setdefault(row[0], []).append(row)
    yield from _order_faults(document, lambda name: tables.get(name, []))
    yield from _duration_faults(document, request["durations"])


def _difference(document: Row, planner: Row, domain: Row, asked: Row) -> Iterator[Fault]:
    """Yield where the certificate says something else than was asked, the most telling place first."""
    for name, real in (("planner", planner), ("domain", domain)):
        for key in real:
            if document[name][key] != real[key]:
                yield _fault(name, f"$.{name}.{key}", f"is {document[name][key]!r:.60}, here it is {real[key]!r:.60}")
    said = document["asked"]
    if (said["time"] or {}).get("past") is not None:
        yield _fault(
            "agenda", "$.asked.time.past", "this plan repairs an earlier one; nobody asked for it in this form"
        )
    for number, (mine, theirs) in enumerate(zip(said["agenda"], asked["agenda"], strict=False), start=1):
        yield from _item_faults(number, mine, theirs)
    if len(said["agenda"]) != len(asked["agenda"]):
        yield _fault("agenda", "$.asked.agenda", f"{len(said['agenda'])} items, {len(asked['agenda'])} were asked for")
    for name, theirs in asked.items():
        yield from _field_faults(name, said[name], theirs)
    if document["inputs_hash"] != inputs_hash({"planner": planner, "domain": domain, "asked": asked}):
        yield _fault("hash", "$.inputs_hash", "is not that of what was asked")


def _item_faults(number: int, mine: Row, theirs: Row) -> Iterator[Fault]:
    place = f"item {number} of the agenda"
    if _text(mine["item"]) != _text(theirs["item"]):
        yield _fault("agenda", place, f"is {_text(mine['item']):.60}, {_text(theirs['item']):.60} was asked for")
    for key in sorted(mine["told"].keys() | theirs["told"].keys()):
        have, want = mine["told"].get(key), theirs["told"].get(key)
        if _text(have) != _text(want):
            yield _fault("agenda", place, f"its {key} is {_shown(have)}, {_shown(want)} was asked for")


def _field_faults(name: str, mine: Any, theirs: Any) -> Iterator[Fault]:
    if _text(mine) == _text(theirs):
        return
    if isinstance(mine, dict) and isinstance(theirs, dict):
        for key in sorted(mine.keys() | theirs.keys()):
            have, want = mine.get(key), theirs.get(key)
            if _text(have) != _text(want):
                text = f"is {_shown(have)}, {_shown(want)} was asked for"
                yield _fault(name, f"$.asked.{name}.{key}", text)
    yield _fault(name, f"$.asked.{name}", f"is {_shown(mine)}, {_shown(theirs)} was asked for")


def _order_faults(document: Row, table: Callable[[str], list[Any]]) -> Iterator[Fault]:
    """A predicate that was looked through must be shown in the order it had."""
    rows = [*(node["call"] for node in document["nodes"] if node["call"]), *document["steps"]]
    rows += [step["duration"] for step in document["steps"] if step["duration"]]
    for predicate in sorted({name for row in rows for name in row["scans"]}):
        shown = [triple for triple in document["initial"] if triple[0] == predicate and len(triple) == 3]
        if _text(shown) != _text(table(predicate)):
            yield _fault("state", "$.initial", f"the facts of {predicate} do not stand in the order they had")


def _table(state: State, predicate: str) -> list[Any]:
    held = vars(state).get(predicate)
    rows = held.items() if isinstance(held, dict) else ()
    return [triple_json(Triple(predicate, subject, value)) for subject, value in rows]


def _duration_faults(document: Row, durations: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield the steps whose duration is not the one that the domain declares."""
    for number, step in enumerate(document["steps"], start=1):
        name = step["command"][0]
        if not isinstance(name, str) or name not in durations:
            yield _fault("duration", f"step {number}", f"the domain has no command {name!r:.60}")
        elif step["duration"] is not None and durations[name] not in (COMPUTED, step["duration"]["ticks"]):
            text = f"{name} takes {step['duration']['ticks']}, the domain says {durations[name]}"
            yield _fault("duration", f"step {number}", text)


def _computed_faults(document: Row, problem: Problem) -> Iterator[Fault]:
    """Compute the durations that are functions again, each in the state that the steps before it have written."""
    commands = problem.domain.commands
    if not any(callable(commands[step["command"][0]].duration) for step in document["steps"]):
        return
    state = problem.state.draft()
    for number, step in enumerate(document["steps"], start=1):
        item = item_from_data(step["command"])
        function = commands[item[0]].duration
        if step["duration"] is not None and callable(function):
            try:
                written = function(state, *item[1:])
                ticks = None if written is None else list(duration_of(written, is_command=True))
            except Exception as error:  # the domain's own code, on what a forger may have written
                yield _fault("duration", f"step {number}", f"cannot be computed: {type(error).__name__}: {error}")
                return
            if ticks != step["duration"]["ticks"]:
                text = f"{item[0]} takes {step['duration']['ticks']}, the domain computes {ticks}"
                yield _fault("duration", f"step {number}", text)
        _write(state, step["writes"])


def _write(state: State, triples: list[Any]) -> None:
    for predicate, subject, *value in triples:
        key = freeze(value_from_json(subject))
        if value:
            state.set_predicate(key, predicate, value_from_json(value[0]))
        else:
            type(state).remove(state, key, predicate)


def _inputs_faults(document: Row, request: Any) -> Iterator[Fault]:
    """Hold a contract plan against the inputs of the call, given alone or inside a recording."""
    if isinstance(request, dict) and isinstance(request.get("request"), dict) and "maker" in request:
        request = request["request"]
    if not isinstance(request, dict):
        raise InputError("a request is an object with agent_id, goal and the other inputs", place="request")
    extra = request.get("extra") or {}
    try:
        rest = {name: value for name, value in request.items() if name != "extra"}
        inputs = read_inputs(**rest, **(extra if isinstance(extra, dict) else {}))
    except TypeError as error:
        raise InputError(f"these are not the inputs of a planner: {error}", place="request") from None
    except NotCanonicalError as error:
        raise InputError(error.message, place=error.place) from None
    for name, theirs in inputs.as_dict().items():
        yield from _field_faults(name, document["asked"][name], theirs)


def _text(value: Any) -> str:
    return canonical_json(value)


def _shown(value: Any) -> str:
    return "nothing" if value is None else f"{_text(value):.60}"


def _fault(condition: str, place: str, message: str) -> Fault:
    return Fault(condition=condition, place=place, message=message)
