"""Domain and problem → HDDL text.

Reading what was written gives an equal model. Layout is fixed, so equal models give equal text; comments and the
author's layout are not part of the model and are not kept.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from planvow.hddl.language.formula import (
    TRUE,
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
from planvow.hddl.language.model import (
    Action,
    Effect,
    Function,
    HddlDomain,
    HddlMethod,
    HddlProblem,
    Object,
    Predicate,
    TaskNetwork,
)


def write_domain(domain: HddlDomain) -> str:
    """Write a domain as HDDL text, ending in a newline.

    >>> domain = parse_domain(domain_text)
    >>> write_domain(parse_domain(write_domain(domain))) == write_domain(domain)
    True
    """
    sections: list[str] = []
    sections += _section(":requirements", domain.requirements)
    sections += _section(":types", (f"{t.name} - {_types(t.parents)}" for t in domain.types))
    sections += _section(":constants", map(_object, domain.constants))
    sections += _section(":predicates", map(_signature, domain.predicates))
    sections += _section(":functions", (f"{_signature(f)} - number" for f in domain.functions))
    for task in domain.tasks:
        sections.append(f"(:task {task.name} :parameters {_parameters(task.parameters)})")
    sections += map(_method, domain.methods)
    sections += map(_action, domain.actions)
    return _define("domain", domain.name, sections)


def write_problem(problem: HddlProblem) -> str:
    """Write a problem as HDDL text, ending in a newline.

    >>> problem = parse_problem(problem_text, parse_domain(domain_text))
    >>> write_problem(problem).splitlines()[0]
    '(define (problem to-the-park)'
    """
    sections = [f"(:domain {problem.domain.name})"]
    sections += _section(":requirements", problem.requirements)
    sections += _section(":objects", map(_object, problem.objects))
    if problem.initial is not None:
        lines = [f":parameters {_parameters(problem.initial.parameters)}", *_network(problem.initial.network)]
        sections.append(_block("(:htn", lines))
    values = (f"(= {_atom(value.function)} {value.value!r})" for value in problem.values)
    sections.append(_block("(:init", [*map(_atom, problem.init), *values]))
    if problem.goal != TRUE:
        sections.append(f"(:goal {write_formula(problem.goal)})")
    if problem.metric is not None:
        sections.append(f"(:metric {problem.metric.direction} {_atom(problem.metric.function)})")
    return _define("problem", problem.name, sections)


def write_formula(formula: Formula) -> str:
    """Write one formula on one line."""
    match formula:
        case Atom():
            return _atom(formula)
        case Equal(left, right):
            return f"(= {left} {right})"
        case SortOf(term, its_type):
            return f"(sortof {term} - {its_type})"
        case Not(part):
            return f"(not {write_formula(part)})"
        case And(parts):
            return _list("and", map(write_formula, parts))
        case Or(parts):
            return _list("or", map(write_formula, parts))
        case Imply(premise, conclusion):
            return f"(imply {write_formula(premise)} {write_formula(conclusion)})"
        case ForAll(parameters, body):
            return f"(forall {_parameters(parameters)} {write_formula(body)})"
        case Exists(parameters, body):
            return f"(exists {_parameters(parameters)} {write_formula(body)})"
        case _:
            assert_never(formula)


def _define(kind: str, name: str, sections: list[str]) -> str:
    return "\n".join((f"(define ({kind} {name})", *(_indented(section) for section in sections), ")", ""))


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.split("\n"))


def _block(head: str, lines: Iterable[str]) -> str:
    return "\n".join((head, *(_indented(line) for line in lines))) + ")"


def _section(word: str, items: Iterable[str]) -> list[str]:
    lines = list(items)
    return [_block(f"({word}", lines)] if lines else []


def _list(head: str, items: Iterable[str]) -> str:
    return f"({' '.join((head, *items))})"


def _atom(atom: Atom) -> str:
    return _list(atom.predicate, atom.arguments)


def _types(types: tuple[str, ...]) -> str:
    return types[0] if len(types) == 1 else _list("either", types)


def _object(item: Object) -> str:
    return f"{item.name} - {_types(item.types)}"


def _typed(parameters: tuple[Parameter, ...]) -> str:
    return " ".join(f"{parameter.name} - {_types(parameter.types)}" for parameter in parameters)


def _parameters(parameters: tuple[Parameter, ...]) -> str:
    return f"({_typed(parameters)})"


def _signature(declared: Predicate | Function) -> str:
    return f"({declared.name} {_typed(declared.parameters)})" if declared.parameters else f"({declared.name})"


def _action(action: Action) -> str:
    lines = [f":parameters {_parameters(action.parameters)}"]
    if action.precondition != TRUE:
        lines.append(f":precondition {write_formula(action.precondition)}")
    effects = [_effect(effect) for effect in action.effects]
    for cost in action.costs:
        amount = _atom(cost.amount) if isinstance(cost.amount, Atom) else repr(cost.amount)
        effects.append(f"(increase {_atom(cost.function)} {amount})")
    if effects:
        lines.append(_block(":effect (and", effects))
    return _block(f"(:action {action.name}", lines)


def _effect(effect: Effect) -> str:
    text = f"(not {_atom(effect.atom)})" if effect.is_delete else _atom(effect.atom)
    if effect.condition != TRUE:
        text = f"(when {write_formula(effect.condition)} {text})"
    if effect.parameters:
        text = f"(forall {_parameters(effect.parameters)} {text})"
    return text


def _method(method: HddlMethod) -> str:
    lines = [f":parameters {_parameters(method.parameters)}", f":task {_list(method.task, method.arguments)}"]
    if method.precondition != TRUE:
        lines.append(f":precondition {write_formula(method.precondition)}")
    return _block(f"(:method {method.name}", [*lines, *_network(method.network)])


def _network(network: TaskNetwork) -> list[str]:
    sequence = {(index, index + 1) for index in range(len(network.subtasks) - 1)} if network.is_sequence else set()
    pairs = [pair for pair in network.ordering if pair not in sequence]
    labels = _labels(network, {index for pair in pairs for index in pair})
    subtasks = []
    for index, subtask in enumerate(network.subtasks):
        call = _list(subtask.task, subtask.arguments)
        subtasks.append(f"({labels[index]} {call})" if index in labels else call)
    word = ":ordered-subtasks" if network.is_sequence else ":subtasks"
    lines = [_block(f"{word} (and", subtasks)]
    if pairs:
        lines.append(_block(":ordering (and", (f"(< {labels[first]} {labels[second]})" for first, second in pairs)))
    if network.constraint != TRUE:
        lines.append(f":constraints {write_formula(network.constraint)}")
    return lines


def _labels(network: TaskNetwork, needed: set[int]) -> dict[int, str]:
    """Return the labels to write: the author's, and made ones where the ordering needs a subtask that has none."""
    labels = {index: subtask.label for index, subtask in enumerate(network.subtasks) if subtask.label is not None}
    used = {label.lower() for label in labels.values()}
    for index in needed - labels.keys():
        label = f"task{index}"
        while label in used:
            label += "_"
        labels[index] = label
        used.add(label)
    return labels
