"""An HDDL problem as a kernel domain, state and agenda: so that it can be planned, repaired, certified and explained
like a domain written in Python.

Actions become commands, methods become generator functions that yield one list of subtasks for each binding of
their variables. A totally ordered problem keeps its own tasks and its own tree. A partially ordered one is run as one
task, `:htn`, that holds what is still to be done (see `partial`). The goal is the last item: a multigoal, or a
task `:goal` that becomes nothing when the goal holds. No name in HDDL starts with a colon, so nothing collides.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

from planvow.hddl.bind.facts import Binding, Facts, conjuncts, shown
from planvow.hddl.bind.partial import add_partial_order
from planvow.hddl.language.formula import TRUE, And, Atom, Equal, ForAll, Formula, Not, Parameter
from planvow.hddl.language.model import Action, HddlDomain, HddlMethod, HddlProblem, Subtask
from planvow.hddl.language.writer import write_domain, write_problem
from planvow.kernel.domain.domain import Domain, Refusal, refuse
from planvow.kernel.domain.terms import MultiGoal
from planvow.kernel.world.state import State

ROOT = ":htn"
GOAL = ":goal"
REACH = ":reach"


@dataclass(frozen=True, kw_only=True)
class BoundProblem:
    """What to give to `planvow.plan`: `plan(bound.domain, bound.state, bound.todo)`."""

    problem: HddlProblem
    domain: Domain
    state: State
    todo: tuple[Any, ...]

    @property
    def is_totally_ordered(self) -> bool:
        """Whether the decomposition tree of a result is the HDDL one."""
        return is_totally_ordered(self.problem)


def is_totally_ordered(problem: HddlProblem) -> bool:
    """Whether every network of a problem, its own included, has only one order."""
    networks = [method.network for method in problem.domain.methods]
    networks += [problem.initial.network] if problem.initial else []
    return all(network.is_totally_ordered for network in networks)


def bind(problem: HddlProblem) -> BoundProblem:
    """Load an HDDL problem into the kernel."""
    facts = Facts(problem)
    text = write_domain(problem.domain) + write_problem(problem)  # the problem's objects are in its methods, too
    domain = Domain(problem.domain.name, text=text)
    for action in problem.domain.actions:
        _add_command(domain, facts, problem, action)
    todo: list[Any]
    if problem.initial is None:
        todo = _add_classical(domain, facts, problem)
    else:
        initial = problem.initial
        root = HddlMethod(name="start", task=ROOT, parameters=initial.parameters, network=initial.network)
        if is_totally_ordered(problem):
            for task in problem.domain.tasks:
                domain.task_methods[task.name] = []
                for method in problem.domain.methods_for[task.name]:
                    _add_method(domain, facts, problem.domain, method)
            _add_method(domain, facts, problem.domain, root)
            todo = [(ROOT,)]
            if not initial.parameters and initial.network.constraint == TRUE:
                todo = next(_networks(root, iter([{}])))
        else:
            todo = [add_partial_order(domain, facts, problem, root, _lasting_conditions)]
    if problem.goal != TRUE:
        todo = [*todo, _goal_item(domain, facts, problem.goal)]
    return BoundProblem(problem=problem, domain=domain, state=facts.initial_state(), todo=tuple(todo))


def _add_command(domain: Domain, facts: Facts, problem: HddlProblem, action: Action) -> None:
    names = [parameter.name for parameter in action.parameters]
    values = {value.function: value.value for value in problem.values}

    def model(state: Any, *arguments: str) -> Any:
        binding = dict(zip(names, arguments))
        wrong = _wrong_type(facts, action.parameters, arguments)
        if wrong is not None:
            return wrong
        if not facts.holds(action.precondition, binding, state):
            return refuse(facts.why_not(action.precondition, binding, state))
        return _changed(facts, action, binding, state)

    def cost(state: Any, *arguments: str) -> int | float:
        binding = dict(zip(names, arguments))
        return sum(_amount(increase.amount, binding, values) for increase in action.costs)

    domain.command(model, name=action.name, cost=cost if action.costs else 1)


def _wrong_type(facts: Facts, parameters: Iterable[Parameter], arguments: Iterable[str]) -> Refusal | None:
    for parameter, argument in zip(parameters, arguments):
        if not facts.has_types(argument, parameter.types):
            return refuse(f"{argument} is not a {' or '.join(parameter.types)}")
    return None


def _changed(facts: Facts, action: Action, binding: Binding, state: Any) -> Any:
    """Bring an action's effects about; a fact that is both deleted and added is there."""
    added: list[tuple[Any, str]] = []
    deleted: list[tuple[Any, str]] = []
    for effect in action.effects:
        for inner in facts.choices(effect.parameters, binding):
            if facts.holds(effect.condition, inner, state):
                (deleted if effect.is_delete else added).append(facts.ground(effect.atom, inner))
    for subject, predicate in deleted:
        if (subject, predicate) not in added:
            state.remove(subject, predicate)
    for subject, predicate in added:
        state.set_predicate(subject, predicate, True)
    return state


def _amount(amount: Atom | int | float, binding: Binding, values: Mapping[Atom, int | float]) -> int | float:
    if not isinstance(amount, Atom):
        return amount
    return values.get(Atom(amount.predicate, tuple(binding.get(term, term) for term in amount.arguments)), 0)


def _add_method(domain: Domain, facts: Facts, declared: HddlDomain, method: HddlMethod) -> None:
    conditions = _conditions(declared, method)
    task = declared.task_named.get(method.task)
    free = {parameter.name: parameter for parameter in method.parameters}

    def function(state: Any, *arguments: str) -> Any:
        binding: dict[str, str] = {}
        for term, argument in zip(method.arguments, arguments):
            if binding.setdefault(term, argument) != argument or (term[0] != "?" and term != argument):
                return refuse(f"it is not for ({' '.join((method.task, *arguments))})")
            if term[0] == "?" and (wrong := _wrong_type(facts, [free[term]], [argument])) is not None:
                return wrong
        wrong = _wrong_type(facts, task.parameters if task else (), arguments)
        if wrong is not None:
            return wrong
        found = facts.solutions(conditions, free, binding, state)
        first = next(found, None)
        if first is None:
            return _no_binding(facts, conditions, free, binding, state)
        return _networks(method, chain([first], found))

    name, number = method.name, 1
    while any(held.name == name for held in domain.task_methods.get(method.task, ())):
        number += 1
        name = f"{method.name} #{number}"
    domain.method(task=method.task, name=name)(function)


def _conditions(declared: HddlDomain, method: HddlMethod) -> tuple[Formula, ...]:
    """Return what must hold for a method of a totally ordered problem to be of use.

    That is its own conditions, all atoms its first action needs (nothing happens before it), and of later actions
    what no action ever changes.
    """
    order = method.network.topological_order
    first = declared.action_named.get(method.network.subtasks[order[0]].task) if order else None
    parts = list(_lasting_conditions(declared, method))
    if first is not None:
        parts += _atoms_needed(first, method.network.subtasks[order[0]])
    return tuple(dict.fromkeys(parts))


def _lasting_conditions(declared: HddlDomain, method: HddlMethod) -> tuple[Formula, ...]:
    """Return what must hold for a method to be of use, whatever happens between it and its actions."""
    parts = [*conjuncts(method.network.constraint), *conjuncts(method.precondition)]
    changed = {effect.atom.predicate for action in declared.actions for effect in action.effects}
    for index in method.network.topological_order:
        subtask = method.network.subtasks[index]
        action = declared.action_named.get(subtask.task)
        if action is not None:
            parts += [atom for atom in _atoms_needed(action, subtask) if atom.predicate not in changed]
    return tuple(dict.fromkeys(part for part in parts if part != TRUE))


def _atoms_needed(action: Action, subtask: Subtask) -> list[Atom]:
    renamed = {p.name: term for p, term in zip(action.parameters, subtask.arguments)}
    atoms = [part for part in conjuncts(action.precondition) if isinstance(part, Atom)]
    return [Atom(atom.predicate, tuple(renamed.get(term, term) for term in atom.arguments)) for atom in atoms]


def _networks(method: HddlMethod, bindings: Iterator[Binding]) -> Iterator[list[tuple[str, ...]]]:
    subtasks = [method.network.subtasks[index] for index in method.network.topological_order]
    for binding in bindings:
        yield [(s.task, *(binding.get(term, term) for term in s.arguments)) for s in subtasks]


def _no_binding(
    facts: Facts, conditions: tuple[Formula, ...], free: Mapping[str, Parameter], binding: Binding, state: Any
) -> Refusal:
    """Say why nothing fits: a condition that is false by itself, or the atoms that nothing satisfies together."""
    for condition in conditions:
        literal = condition.part if isinstance(condition, Not) else condition
        is_bound = isinstance(literal, Atom | Equal) and all(
            term[0] != "?" or term in binding
            for term in (literal.arguments if isinstance(literal, Atom) else (literal.left, literal.right))
        )
        if is_bound and not facts.holds(condition, binding, state):
            return refuse(facts.why_not(condition, binding, state))
    atoms = [condition for condition in conditions if isinstance(condition, Atom)]
    alone = [
        atom for atom in atoms if next(facts.solutions((atom,), _within(atom, free), binding, state), None) is None
    ]
    named = " ".join(shown(atom, binding) for atom in alone[:1] or atoms)
    return refuse(f"nothing satisfies {named}" if named else "no choice of its variables fits")


def _within(atom: Atom, free: Mapping[str, Parameter]) -> dict[str, Parameter]:
    return {term: free[term] for term in atom.arguments if term in free}


def _goal_item(domain: Domain, facts: Facts, goal: Formula) -> Any:
    """Return the last item of the agenda: a multigoal where the goal is a list of facts, else a task that tests it."""
    wanted = _facts_wanted(facts, goal, {})
    if wanted is not None:
        conditions: dict[str, dict[Any, bool]] = {}
        for subject, predicate in wanted:
            conditions.setdefault(predicate, {})[subject] = True
        return MultiGoal(conditions)

    def reached(state: Any) -> Any:
        return [] if facts.holds(goal, {}, state) else refuse(f"the goal: {facts.why_not(goal, {}, state)}")

    domain.method(task=GOAL, name="reached")(reached)
    return (GOAL,)


def _facts_wanted(facts: Facts, goal: Formula, binding: Binding) -> list[tuple[Any, str]] | None:
    """Return the facts a goal asks for, or None when it asks for anything else."""
    if isinstance(goal, Atom):
        return [facts.ground(goal, binding)]
    inner: list[tuple[Formula, Binding]] = []
    if isinstance(goal, And):
        inner = [(part, binding) for part in goal.parts]
    elif isinstance(goal, ForAll):
        inner = [(goal.body, choice) for choice in facts.choices(goal.parameters, binding)]
    else:
        return None
    found = [_facts_wanted(facts, part, choice) for part, choice in inner]
    return None if None in found else [fact for part in found for fact in part or ()]


def _add_classical(domain: Domain, facts: Facts, problem: HddlProblem) -> list[Any]:
    """Without a task network any action may come next, until the goal holds."""

    def done(state: Any) -> Any:
        return [] if facts.holds(problem.goal, {}, state) else refuse(facts.why_not(problem.goal, {}, state))

    domain.method(task=REACH, name="done")(done)
    for action in problem.domain.actions:
        free = {parameter.name: parameter for parameter in action.parameters}
        needed = tuple(conjuncts(And((action.precondition,))))

        def applicable(state: Any, action: Action = action, free: Any = free, needed: Any = needed) -> Iterator[Any]:
            for binding in facts.solutions(needed, free, {}, state):
                yield [(action.name, *(binding[p.name] for p in action.parameters)), (REACH,)]

        domain.method(task=REACH, name=action.name)(applicable)
    return [(REACH,)]
