"""Python domains by name, and the problem that a question is about. Domains are never part of a question."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, get_type_hints

from planvow.errors import InputError, did_you_mean
from planvow.kernel.domain.domain import Domain
from planvow.kernel.domain.terms import item_json, normal_item
from planvow.kernel.repair.acting_step import write
from planvow.kernel.search.problem import Problem, make_problem
from planvow.kernel.world.state import State
from planvow.service.declare.document import document
from planvow.service.declare.errors import UnknownDomainError
from planvow.service.declare.setting import Setting


@document
class DomainLine:
    """A domain that plans can be asked for."""

    name: str
    tasks: dict[str, list[str]]
    """Tasks with the names of their arguments."""
    commands: dict[str, list[str]]
    """Commands, which plans are made of, with the names of their arguments."""
    agenda: list[Any]
    """What its own problem asks for; an example of a goal."""


def find(setting: Setting, name: str) -> Problem | Domain:
    """Return a domain that was given at the start or is installed; without a name the only one given."""
    if not name and len(setting.domains) == 1:
        return next(iter(setting.domains.values()))
    if name in setting.domains:
        return setting.domains[name]
    installed = {point.name: point for point in _installed()}
    known = sorted({*setting.domains, *installed})
    if name in installed:
        found = installed[name].load()
        if isinstance(found, Problem | Domain):
            return found
        raise InputError(f"the entry point {name!r} is neither a Domain nor a Problem", place="domain")
    listed = f"there are {', '.join(known)}" if known else "none was given: start with --domain MODULE.py"
    what = f"there is no domain {name!r:.60}" if name else "name the domain"
    raise UnknownDomainError(what, place="domain", hint=did_you_mean(name, known) or listed)


def names(setting: Setting) -> tuple[str, ...]:
    """Return the names of all domains there are."""
    return tuple(sorted({*setting.domains, *(point.name for point in _installed())}))


def _installed() -> Any:
    from importlib.metadata import entry_points

    from planvow.contract.planners.htn import DOMAINS

    return entry_points(group=DOMAINS)


def problem_of(found: Problem | Domain) -> Problem:
    """Return the problem a domain comes with; one that comes alone begins with nothing."""
    return found if isinstance(found, Problem) else make_problem(found, State(), [])


def asked_problem(
    setting: Setting,
    name: str,
    goal: str,
    facts: Any,
    *,
    max_iterations: int | None = None,
    max_depth: int | None = None,
) -> Problem:
    """Return the problem of a question: the domain's own, with another agenda, other facts or other limits."""
    found = find(setting, name)
    problem = problem_of(found)
    if goal.strip():
        from planvow.contract.planners.htn import read_agenda

        problem = replace(problem, todo=tuple(normal_item(item) for item in read_agenda(goal.strip(), problem.domain)))
    elif isinstance(found, Domain):
        hint = 'give goal a JSON agenda such as [["travel", "ann", "park"]]'
        raise InputError(f"nothing is asked of {problem.domain.name!r}", place="goal", hint=hint)
    if facts:
        problem = replace(problem, state=with_facts(problem.state, facts, problem.domain))
    limits = {"max_iterations": max_iterations, "max_depth": max_depth}
    given = {limit: value for limit, value in limits.items() if value is not None}
    return replace(problem, budgets=replace(problem.budgets, **given)) if given else problem


def with_facts(state: State, facts: Any, domain: Domain) -> State:
    """Return a state in which these facts hold; a triple without a value says that it does not.

    A predicate that neither the state nor the domain's functions have, and that is spelt nearly as one of theirs, is
    an error: a plan that was made without it would look like a plan made with it.
    """
    from planvow.agent.loop.facts import check_predicates, read_facts

    given = read_facts(facts)
    check_predicates(given, state, domain, place="facts")
    draft = state.draft()
    for triple in given:
        write(draft, triple)
    return draft.snapshot()


def described(name: str, found: Problem | Domain) -> DomainLine:
    """Return a domain as those see it who want to ask for a plan."""
    problem = problem_of(found)
    domain = problem.domain
    tasks: dict[str, list[str]] = {}
    for method in domain.methods():
        if method.kind == "task":
            tasks.setdefault(method.subject, _parameters(method.function))
    commands = {each: _parameters(command.model) for each, command in domain.commands.items()}
    return DomainLine(name=name, tasks=tasks, commands=commands, agenda=[item_json(item) for item in problem.todo])


def whole(name: str, found: Problem | Domain) -> Mapping[str, Any]:
    """Return everything about a domain that can be said in JSON: what it can do, and the state it begins with."""
    problem = problem_of(found)
    line = described(name, found)
    methods = {each.method_id: " ".join((each.function.__doc__ or "").split()) for each in problem.domain.methods()}
    types: dict[str, dict[str, str]] = {}
    for each in problem.domain.methods():
        if each.kind == "task":
            types.setdefault(each.subject, _types(each.function))
    return {**vars(line), "types": types, "methods": methods, "state": problem.state.get_triples_as_array()}


_TYPES = {bool: "bool", int: "int", float: "float", str: "str"}


def _types(function: Any) -> dict[str, str]:
    """Return the types that a method names for its arguments; those it says nothing about are left out."""
    try:
        known = get_type_hints(function)
    except Exception:  # a name that is imported for checkers only
        known = {}
    return {name: _TYPES[known[name]] for name in _parameters(function) if known.get(name) in _TYPES}


def _parameters(function: Any) -> list[str]:
    return list(inspect.signature(function).parameters)[1:]
