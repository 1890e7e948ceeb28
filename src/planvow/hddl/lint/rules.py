"""The rules: what each finds in a domain, in the order of the file, and what it finds with a problem beside it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set

from planvow.hddl.language.formula import (
    And,
    Atom,
    Equal,
    Exists,
    ForAll,
    Formula,
    Imply,
    Not,
    Or,
    Parameter,
    SortOf,
)
from planvow.hddl.language.model import Action, HddlDomain, HddlMethod, HddlProblem, TaskNetwork
from planvow.hddl.lint.finding import INFO, WARNING, Lint
from planvow.hddl.lint.summary import ANY, MOST_SUBTASKS, Fact, Summary, followers, literals


def lint_domain(domain: HddlDomain, summary: Summary | None = None) -> list[Lint]:
    """Return what a domain says and hardly means, whatever the problem, in the order of the file."""
    summary = summary or Summary(domain)
    found = [*_unused(domain), *_unasked_actions(domain), *_endless(summary), *_contradictions(domain)]
    for method in domain.methods:
        found += unordered(f"method {method.name}", method.network, set(literals(method.precondition)), summary)
    return sorted(found, key=lambda lint: (lint.at, lint.code))


def lint_with_problem(problem: HddlProblem) -> list[Lint]:
    """Return what of the domain plays no part in a problem; offsets are those of the domain's file."""
    found = [*_unreachable(problem), *_without_facts(problem), *_without_objects(problem)]
    return sorted(found, key=lambda lint: (lint.at, lint.code))


def _unused(domain: HddlDomain) -> Iterator[Lint]:
    for method in domain.methods:
        used = {*method.arguments, *terms_of(method.precondition), *terms_of(method.network.constraint)}
        used |= {term for subtask in method.network.subtasks for term in subtask.arguments}
        why = f"method {method.name} does not use {{}}: every object of its type is tried in vain"
        yield from unused_of(method.parameters, used, why)
        yield from _unused_inside(method.precondition)
    for action in domain.actions:
        message = f"neither what action {action.name} needs nor what it changes says anything of {{}}"
        yield from unused_of(action.parameters, _used_by(action), message, severity=INFO)
        yield from _unused_inside(action.precondition)
        for effect in action.effects:
            yield from _unused_inside(effect.condition)


def _used_by(action: Action) -> set[str]:
    used = set(terms_of(action.precondition))
    for effect in action.effects:
        used |= {*effect.atom.arguments, *terms_of(effect.condition)}
    for cost in action.costs:
        used |= {*cost.function.arguments, *(cost.amount.arguments if isinstance(cost.amount, Atom) else ())}
    return used


def unused_of(parameters: Iterable[Parameter], used: set[str], message: str, severity: str = WARNING) -> Iterator[Lint]:
    for parameter in parameters:
        if parameter.name not in used:
            yield Lint(
                code="UNUSED_PARAMETER",
                at=parameter.at,
                message=message.format(parameter.name),
                hint=f"take {parameter.name} out, or use it",
                severity=severity,
            )


def _unused_inside(formula: Formula) -> Iterator[Lint]:
    match formula:
        case ForAll(parameters=parameters, body=body) | Exists(parameters=parameters, body=body):
            yield from unused_of(parameters, set(terms_of(body)), "nothing is said here about {}")
            yield from _unused_inside(body)
        case Not(part=part):
            yield from _unused_inside(part)
        case And(parts=parts) | Or(parts=parts):
            for part in parts:
                yield from _unused_inside(part)
        case Imply(premise=premise, conclusion=conclusion):
            yield from _unused_inside(premise)
            yield from _unused_inside(conclusion)


def terms_of(formula: Formula) -> Iterator[str]:
    """Yield every term that occurs in a formula."""
    match formula:
        case Atom(arguments=arguments):
            yield from arguments
        case Equal(left=left, right=right):
            yield from (left, right)
        case SortOf(term=term):
            yield term
        case Not(part=part):
            yield from terms_of(part)
        case And(parts=parts) | Or(parts=parts):
            for part in parts:
                yield from terms_of(part)
        case Imply(premise=premise, conclusion=conclusion):
            yield from terms_of(premise)
            yield from terms_of(conclusion)
        case ForAll(body=body) | Exists(body=body):
            yield from terms_of(body)


def _unasked_actions(domain: HddlDomain) -> Iterator[Lint]:
    asked = {subtask.task for method in domain.methods for subtask in method.network.subtasks}
    for action in domain.actions if domain.methods else ():
        if action.name not in asked:
            yield Lint(
                code="UNREACHABLE_ACTION",
                at=action.at,
                message=f"no method asks for action {action.name}",
                hint="only a problem that names it can use it",
                severity=INFO,
            )


def _endless(summary: Summary) -> Iterator[Lint]:
    domain = summary.domain
    for task in domain.tasks:
        if task.name not in summary.ends and domain.methods_for[task.name]:
            yield Lint(
                code="TASK_NEVER_ENDS",
                at=task.at,
                message=f"task {task.name} can never be finished: each of its methods asks for a task that cannot be",
                hint="give it a method that comes to an end, for example one without subtasks",
            )
    for method in domain.methods:
        stuck = next((each for each in method.network.subtasks if each.task not in summary.ends), None)
        if stuck is not None and method.task in summary.ends:
            yield Lint(
                code="METHOD_NEVER_APPLIES",
                at=stuck.at,
                message=f"method {method.name} can never be used: {stuck.task} can never be finished",
            )


def _contradictions(domain: HddlDomain) -> Iterator[Lint]:
    for method in domain.methods:
        fault = contradiction((method.precondition, method.network.constraint))
        if fault:
            message = f"method {method.name} can never be used: {fault}"
            yield Lint(code="METHOD_NEVER_APPLIES", at=method.at, message=message)
    for action in domain.actions:
        fault = contradiction((action.precondition,))
        if fault:
            message = f"action {action.name} can never be done: {fault}"
            yield Lint(code="ACTION_NEVER_APPLIES", at=action.at, message=message)


def contradiction(conditions: Sequence[Formula]) -> str | None:
    """Return why all conditions together can never hold, if that is plain to see."""
    asked = {fact for condition in conditions for fact in literals(condition)}
    for fact in sorted(asked):
        if fact.positive and fact._replace(positive=False) in asked:
            return f"it asks for {fact} and for {fact._replace(positive=False)}"
        is_sure = not fact.positive or not any(term.startswith("?") for term in fact.terms)
        if fact.predicate == "=" and is_sure and fact.positive != (fact.terms[0] == fact.terms[1]):
            return f"it asks for {fact}"
    return None


def unordered(owner: str, network: TaskNetwork, given: Set[Fact], summary: Summary) -> Iterator[Lint]:
    """Find subtasks of which one brings about what the other needs, which is not given, and neither comes first."""
    subtasks = network.subtasks
    if len(subtasks) > MOST_SUBTASKS or network.is_sequence or network.is_totally_ordered:
        return
    after = followers(network)
    makes = [{f for f in summary.bound(summary.adds[each.task], each) if ANY not in f.terms} for each in subtasks]
    needs = [{f for f in summary.bound(summary.needs[each.task], each) if f.positive} - given for each in subtasks]
    for second, needed in enumerate(needs):
        sure = set().union(*(makes[first] for first in range(len(subtasks)) if second in after[first]))
        for first in range(len(subtasks)):
            if first == second or second in after[first] or first in after[second]:
                continue
            facts = sorted((needed & makes[first]) - sure - makes[second])
            if facts and not needs[first] & makes[second]:
                yield Lint(
                    code="MISSING_ORDERING",
                    at=subtasks[second].at,
                    message=f"{subtasks[second].task} needs {facts[0]}, which {subtasks[first].task} brings about, but "
                    f"{owner} lets either come first",
                    hint=f"order them: :ordered-subtasks, or (< label label) with labels for {subtasks[first].task} "
                    f"and {subtasks[second].task}",
                )
                break


def reached(problem: HddlProblem) -> set[str]:
    """Return the tasks and actions that a problem leads to; without tasks of its own, all actions."""
    domain = problem.domain
    if problem.initial is None:
        return set(domain.action_named)
    found = {subtask.task for subtask in problem.initial.network.subtasks}
    waiting = list(found)
    while waiting:
        for method in domain.methods_for.get(waiting.pop(), ()):
            more = {subtask.task for subtask in method.network.subtasks} - found
            found |= more
            waiting += more
    return found


def _unreachable(problem: HddlProblem) -> Iterator[Lint]:
    domain = problem.domain
    if problem.initial is None:
        return
    used = reached(problem)
    for task in domain.tasks:
        if task.name not in used:
            count = len(domain.methods_for[task.name])
            methods = f" and its method{'s' if count > 1 else ''}" if count else ""
            yield Lint(
                code="UNREACHABLE_TASK",
                at=task.at,
                message=f"nothing in problem {problem.name} leads to task {task.name}{methods}",
                severity=INFO,
            )


def _without_facts(problem: HddlProblem) -> Iterator[Lint]:
    """Find methods and actions that need a fact which neither the initial state nor any action has."""
    domain = problem.domain
    possible = {fact.predicate for fact in problem.init}
    possible |= {
        effect.atom.predicate for action in domain.actions for effect in action.effects if not effect.is_delete
    }
    items: list[HddlMethod | Action] = [*domain.methods, *domain.actions]
    for item in items:
        missing = [f for f in literals(item.precondition) if f.positive and f.predicate not in possible | {"="}]
        if missing:
            kind = "method" if isinstance(item, HddlMethod) else "action"
            yield Lint(
                code=f"{kind.upper()}_NEVER_APPLIES",
                at=item.at,
                message=f"{kind} {item.name} can never be used in problem {problem.name}: {missing[0]} is never true "
                "there and no action makes it so",
                severity=INFO,
            )


def _without_objects(problem: HddlProblem) -> Iterator[Lint]:
    """Find methods and actions with a parameter for which a problem has no object."""
    items: list[HddlMethod | Action] = [*problem.domain.methods, *problem.domain.actions]
    for item in items:
        empty = next((each for each in item.parameters if not problem.choices_for(each)), None)
        if empty is not None:
            kind = "method" if isinstance(item, HddlMethod) else "action"
            yield Lint(
                code=f"{kind.upper()}_NEVER_APPLIES",
                at=empty.at,
                message=f"{kind} {item.name} can never be used in problem {problem.name}: it has no object for "
                f"{empty.name} ({' or '.join(empty.types)})",
                severity=INFO,
            )
