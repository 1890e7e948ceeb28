"""Small random HDDL problems, and a search so simple that it can be trusted.

The reference enumerates (state, network) pairs breadth first, networks as lists with predecessors, no heuristics, no
pruning, over the problem as parsed. It ends when the set of pairs is complete, or gives up past a limit.
"""

from __future__ import annotations

from collections import deque
from itertools import product

from planvow.hddl.language.formula import And, Atom, Equal, Exists, ForAll, Formula, Imply, Not, Or, SortOf
from planvow.hddl.language.model import HddlProblem

MAX_ENTRIES = 10


def holds(formula: Formula, state: frozenset, binding: dict[str, str], problem: HddlProblem) -> bool:
    match formula:
        case Atom(predicate=predicate, arguments=arguments):
            return (predicate, *(binding.get(a, a) for a in arguments)) in state
        case Equal(left=left, right=right):
            return binding.get(left, left) == binding.get(right, right)
        case SortOf(term=term, type=name):
            return binding.get(term, term) in problem.objects_of[name]
        case Not(part=part):
            return not holds(part, state, binding, problem)
        case And(parts=parts):
            return all(holds(part, state, binding, problem) for part in parts)
        case Or(parts=parts):
            return any(holds(part, state, binding, problem) for part in parts)
        case Imply(premise=premise, conclusion=conclusion):
            return not holds(premise, state, binding, problem) or holds(conclusion, state, binding, problem)
        case ForAll(parameters=parameters, body=body) | Exists(parameters=parameters, body=body):
            quantifier = all if isinstance(formula, ForAll) else any
            return quantifier(holds(body, state, {**binding, **b}, problem) for b in bindings(parameters, problem))
    raise TypeError(formula)


def bindings(parameters, problem: HddlProblem):
    names = [parameter.name for parameter in parameters]
    for values in product(*(problem.choices_for(parameter) for parameter in parameters)):
        yield dict(zip(names, values))


def applied(action, arguments, state: frozenset, problem: HddlProblem) -> frozenset | None:
    binding = dict(zip((p.name for p in action.parameters), arguments))
    for parameter in action.parameters:
        if binding[parameter.name] not in problem.choices_for(parameter):
            return None
    if not holds(action.precondition, state, binding, problem):
        return None
    adds, deletes = set(), set()
    for effect in action.effects:
        for extra in bindings(effect.parameters, problem):
            inner = {**binding, **extra}
            if holds(effect.condition, state, inner, problem):
                atom = (effect.atom.predicate, *(inner.get(a, a) for a in effect.atom.arguments))
                (deletes if effect.is_delete else adds).add(atom)
    return (state - deletes) | adds


def has_plan(problem: HddlProblem, limit: int) -> bool | None:
    """Return whether a plan exists, or None when more than `limit` nodes or longer networks were needed to tell."""
    is_cut = False
    domain = problem.domain
    start = frozenset((atom.predicate, *atom.arguments) for atom in problem.init)
    network = problem.initial.network
    first = []
    for binding in bindings(problem.initial.parameters, problem):
        if holds(network.constraint, start, binding, problem):
            first.append(_network(network, binding, None))
    queue = deque((start, tuple(entry)) for entry in first)
    seen = set(queue)
    while queue:
        if len(seen) > limit:
            return None
        state, entries = queue.popleft()
        if not entries and holds(problem.goal, state, {}, problem):
            return True
        for successor in _successors(state, entries, problem, domain):
            if len(successor[1]) > MAX_ENTRIES:
                is_cut = True
            elif successor not in seen:
                seen.add(successor)
                queue.append(successor)
    return None if is_cut else False


def _network(network, binding: dict[str, str], check) -> list:
    """Entries (what, predecessors by index); `check` is a precondition to test before all of them, or None."""
    entries = [] if check is None else [(check, frozenset())]
    offset = len(entries)
    for index, subtask in enumerate(network.subtasks):
        before = {first + offset for first, second in network.ordering if second == index}
        before |= set(range(offset))
        what = (subtask.task, *(binding.get(a, a) for a in subtask.arguments))
        entries.append((what, frozenset(before)))
    return entries


def _without(entries: tuple, position: int, replacement: list) -> tuple:
    """Replace an entry by others; what had to wait for it waits for all of them."""
    gained = len(replacement) - 1
    new = range(position, position + len(replacement))
    result = []
    for index, (what, before) in enumerate(entries):
        if index == position:
            result += [(w, frozenset(b + position for b in inner)) for w, inner in replacement]
            continue
        moved = {b + gained if b > position else b for b in before if b != position}
        if position in before:
            moved |= set(new)
        result.append((what, frozenset(moved)))
    return tuple(result)


def _successors(state, entries, problem, domain):
    for position, (what, before) in enumerate(entries):
        if before:
            continue
        if what[0] == "__check__":
            if holds(what[1], state, dict(what[2]), problem):
                yield state, _without(entries, position, [])
        elif what[0] in domain.action_named:
            after = applied(domain.action_named[what[0]], what[1:], state, problem)
            if after is not None:
                yield after, _without(entries, position, [])
        else:
            parameters = domain.task_named[what[0]].parameters
            if any(value not in problem.choices_for(p) for p, value in zip(parameters, what[1:])):
                continue  # a task's arguments are of its types
            for method in domain.methods_for[what[0]]:
                for binding in bindings(method.parameters, problem):
                    if tuple(binding.get(a, a) for a in method.arguments) != what[1:]:
                        continue
                    if not holds(method.network.constraint, state, binding, problem):
                        continue
                    check = ("__check__", method.precondition, tuple(sorted(binding.items())))
                    yield state, _without(entries, position, _network(method.network, binding, check))
