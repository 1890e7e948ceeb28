"""What was asked, as certificates hold it: read off a problem, or out of a request that was stored as a document.

A request is a document of its own, so that whoever asked can keep it and hold a certificate against it without the
domain's code: the same `asked` part, the domain with its constant durations, and all initial facts in their order.
"""

from __future__ import annotations

from typing import Any

from planvow._version import HTN_VERSION
from planvow.canonical import full_hash, to_jsonable
from planvow.contract.certificate.domain_identity import domain_identity
from planvow.contract.certificate.items import fields_data, item_data, told_data, triple_json
from planvow.kernel.domain.domain import Command
from planvow.kernel.domain.metadata import duration_of
from planvow.kernel.domain.terms import Annotated, bare_item
from planvow.kernel.repair.time_past import ContinuedTiming
from planvow.kernel.search.problem import Problem
from planvow.kernel.search.scoring import SCORES_TAG
from planvow.kernel.search.table import kind_of
from planvow.kernel.time.timing import Timing
from planvow.kernel.world.facts import ABOUT, TABLE, facts_of
from planvow.kernel.world.recorder import Triple
from planvow.kernel.world.state import State

REQUEST_FORMAT = "request/1"
COMPUTED = "computed"
"""What stands for a duration that is a function of the state and the arguments."""
PLANNER = {"id": "htn", "version": HTN_VERSION}


def asked_of(problem: Problem) -> dict[str, Any]:
    """Return everything that decided a plan beside the domain and the planner."""
    facts = facts_of(problem.state)
    timing = timing_of(problem)
    others = [factory for factory in problem.propagators if not isinstance(factory, Timing | ContinuedTiming)]
    asked: dict[str, Any] = {
        "agenda": [_agenda_item(item) for item in problem.todo],
        "state": {"root": facts.tree.root, "size": len(facts)},
        "budgets": problem.budgets,
        "selection": problem.selection,
        "scores": None if problem.scores is None else full_hash(problem.scores.as_dict(), tag=SCORES_TAG),
        "blacklist": sorted((item_data(item) for item in problem.blacklist), key=full_hash),
        "capabilities": None if problem.capabilities is None else sorted(problem.capabilities),
        "optimal": _wanted(problem),
        "lower_bound": None if problem.lower_bound is None else _name(problem.lower_bound),
        "loop_guard": problem.loop_guard,
        "propagators": [_name(factory) for factory in others],
        "ignored_predicates": {name: sorted(c.ignores) for name, c in _telling(problem, "ignores")},
        "moments": {
            name: {"conditions": getattr(c, "conditions", {}), "effects": getattr(c, "effects", {})}
            for name, c in _telling(problem, "conditions", "effects")
        },
        "ordered": [name for name, _ in _telling(problem, "ordered")],
        "time": None if timing is None else {**_timing_data(timing), "past": None},
    }
    plain: dict[str, Any] = to_jsonable(asked)
    return plain


def _wanted(problem: Problem) -> str | None:
    """Return what was made small and what a plan may cost, in words."""
    words = list(problem.objective)
    if problem.max_cost is not None:
        words.append(f"max_cost={problem.max_cost!r}")
    return ", ".join(words) or None


def timing_of(problem: Problem) -> Timing | None:
    """Return how a problem is timed, if it is."""
    for factory in problem.propagators:
        if isinstance(factory, Timing | ContinuedTiming):
            return factory.timing if isinstance(factory, ContinuedTiming) else factory
    return None


def request_of(problem: Problem) -> dict[str, Any]:
    """Return a problem as a request: a document that a certificate can be held against without the domain's code."""
    document = {
        "format": REQUEST_FORMAT,
        "planner": PLANNER,
        "domain": domain_identity(problem.domain),
        "asked": asked_of(problem),
        "kinds": kinds_of(problem),
        "durations": {name: declared_duration(command) for name, command in problem.domain.commands.items()},
        "facts": [triple_json(Triple(*triple)) for triple in State.triples(problem.state)],
        "metadata": _metadata_rows(problem),
    }
    plain: dict[str, Any] = to_jsonable(document)
    return plain


def _metadata_rows(problem: Problem) -> list[list[Any]]:
    facts = facts_of(problem.state)
    places = [range(*facts.range_of(predicate)) for predicate in (ABOUT, TABLE)]
    return [facts.triple(place) for part in places for place in part]


def kinds_of(problem: Problem) -> list[str]:
    """Return what each item of the agenda is in the domain."""
    return [kind_of(problem.domain, bare_item(item)) or "unknown" for item in problem.todo]


def declared_duration(command: Command) -> Any:
    """Return a command's duration in ticks [shortest, longest], None if it has none, or "computed"."""
    if command.duration is None:
        return None
    return COMPUTED if callable(command.duration) else list(duration_of(command.duration, is_command=True))


def _agenda_item(item: Any) -> dict[str, Any]:
    if isinstance(item, Annotated):
        return {"item": item_data(item.item), "told": told_data(item.metadata)}
    return {"item": item_data(item), "told": {}}


def _timing_data(timing: Timing) -> dict[str, Any]:
    return {
        "ordering": timing.ordering,
        "start_time": timing.start_time,
        "horizon": timing.horizon,
        "entities": [fields_data(entity) for entity in timing.entities],
    }


def _telling(problem: Problem, *about: str) -> list[tuple[str, Any]]:
    """Return the commands that declare one of these things about their order, by name."""
    commands = sorted(problem.domain.commands.items())
    return [(name, c) for name, c in commands if any(getattr(c, field, None) for field in about)]


def _name(function: Any) -> str:
    """Return the name of a function or of an object's class: the same in every process."""
    return str(getattr(function, "__qualname__", None) or type(function).__qualname__)
