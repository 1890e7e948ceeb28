"""The definition of a right plan, tried out by brute force: slow, short, and written apart from the verifier.

Every state is copied, every matching, every binding and every moment of every method precondition is tried. For tiny
plans only.
"""

from __future__ import annotations

from itertools import permutations, product

from planvow.hddl.language.formula import TRUE, And, Atom, Equal, Exists, ForAll, Imply, Not, Or, SortOf
from planvow.hddl.language.model import HddlMethod


def is_right(problem, plan) -> bool:
    return _Oracle(problem, plan).is_right()


class _Oracle:
    def __init__(self, problem, plan):
        self.problem, self.plan = problem, plan
        self.step_at = {step.step_id: index for index, step in enumerate(plan.steps)}
        self.parts = {part.task_id: part for part in plan.decompositions}

    def is_right(self):
        plan = self.plan
        everything = [*self.step_at, *self.parts]
        if len({*self.step_at, *self.parts}) != len(plan.steps) + len(plan.decompositions):
            return False
        children = [*plan.roots, *(child for part in plan.decompositions for child in part.children)]
        if sorted(children) != sorted(everything) or not self.below_root() >= set(everything):
            return False
        self.states = [{(a.predicate, a.arguments) for a in self.problem.init}]
        for step in plan.steps:
            if not self.execute(step):
                return False
        if not self.true(self.problem.goal, {}, self.states[-1]):
            return False
        options = [(None, self.options(None))] + [(key, self.options(key)) for key in self.parts]
        if not all(found for _, found in options):
            return False
        keys = [key for key, _ in options]
        return any(self.ordered(dict(zip(keys, choice))) for choice in product(*(found for _, found in options)))

    def below_root(self):
        found, waiting = set(), list(self.plan.roots)
        while waiting:
            item = waiting.pop()
            if item not in found:
                found.add(item)
                waiting += self.parts[item].children if item in self.parts else ()
        return found

    def of(self, name, types):
        return any(name in self.problem.objects_of[one] for one in types)

    def bindings(self, parameters, outer):
        for objects in product(*(self.problem.choices_for(p) for p in parameters)):
            yield {**outer, **{p.name: o for p, o in zip(parameters, objects)}}

    def true(self, formula, binding, state):
        def value(term):
            return binding.get(term, term)

        match formula:
            case Atom(name, terms):
                return (name, tuple(map(value, terms))) in state
            case Equal(left, right):
                return value(left) == value(right)
            case SortOf(term, kind):
                return self.of(value(term), (kind,))
            case Not(part):
                return not self.true(part, binding, state)
            case And(parts):
                return all(self.true(part, binding, state) for part in parts)
            case Or(parts):
                return any(self.true(part, binding, state) for part in parts)
            case Imply(left, right):
                return self.true(Or((Not(left), right)), binding, state)
            case ForAll(parameters, body):
                return all(self.true(body, inner, state) for inner in self.bindings(parameters, binding))
            case Exists(parameters, body):
                return any(self.true(body, inner, state) for inner in self.bindings(parameters, binding))
        raise AssertionError(formula)

    def execute(self, step):
        action = self.problem.domain.action_named.get(step.action)
        if action is None or len(action.parameters) != len(step.arguments):
            return False
        if not all(self.of(name, p.types) for p, name in zip(action.parameters, step.arguments)):
            return False
        binding = {p.name: name for p, name in zip(action.parameters, step.arguments)}
        before = self.states[-1]
        if not self.true(action.precondition, binding, before):
            return False
        add, delete = set(), set()
        for effect in action.effects:
            for inner in self.bindings(effect.parameters, binding):
                if self.true(effect.condition, inner, before):
                    atom = (effect.atom.predicate, tuple(inner.get(t, t) for t in effect.atom.arguments))
                    (delete if effect.is_delete else add).add(atom)
        self.states.append((before - delete) | add)
        return True

    def call(self, key):
        if key in self.step_at:
            step = self.plan.steps[self.step_at[key]]
            return step.action, step.arguments
        return self.parts[key].task, self.parts[key].arguments

    def options(self, key):
        """Every (order of children, moment of the precondition) that fits; a moment of None: no precondition."""
        if key is None:
            initial = self.problem.initial
            methods = [HddlMethod(name="", task="", parameters=initial.parameters, network=initial.network)]
            children, arguments = self.plan.roots, ()
        else:
            part = self.parts[key]
            task = self.problem.domain.task_named.get(part.task)
            if task is None or len(task.parameters) != len(part.arguments):
                return []
            if not all(self.of(name, p.types) for p, name in zip(task.parameters, part.arguments)):
                return []
            methods = [m for m in self.problem.domain.methods if (m.name, m.task) == (part.method, part.task)]
            children, arguments = part.children, part.arguments
        found = set()
        for method in methods:
            subtasks = method.network.subtasks
            if len(subtasks) != len(children):
                continue
            for slots in permutations(range(len(subtasks))):
                if any(slots.index(a) > slots.index(b) for a, b in method.network.ordering):
                    continue
                for binding in self.bindings(method.parameters, {}):
                    wanted = [
                        (subtasks[s].task, tuple(binding.get(t, t) for t in subtasks[s].arguments)) for s in slots
                    ]
                    head = tuple(binding.get(t, t) for t in method.arguments)
                    if head != arguments or wanted != [self.call(c) for c in children]:
                        continue
                    if not self.true(method.network.constraint, binding, set()):
                        continue
                    child_of = dict(zip(slots, children))
                    order = frozenset((child_of[a], child_of[b]) for a, b in _closed(method.network.ordering))
                    for moment, state in enumerate(self.states):
                        if self.true(method.precondition, binding, state):
                            found.add((order, None if method.precondition == TRUE else moment))
        return list(found)

    def events(self, key, choice):
        """Return (from, to) of everything below a task: an action takes a moment to the next, a precondition none."""
        if key in self.step_at:
            return [(self.step_at[key], self.step_at[key] + 1)]
        moment = choice[key][1]
        own = [] if moment is None else [(moment, moment)]
        return own + [event for child in self.parts[key].children for event in self.events(child, choice)]

    def ordered(self, choice):
        for key, (order, moment) in choice.items():
            children = self.plan.roots if key is None else self.parts[key].children
            events = {child: self.events(child, choice) for child in children}
            if moment is not None and any(moment > start for found in events.values() for start, _ in found):
                return False
            for first, second in order:
                if any(end > start for _, end in events[first] for start, _ in events[second]):
                    return False
        return True


def _closed(ordering):
    """Return an ordering with what follows from it: a subtask without any action in between still separates two."""
    pairs = set(ordering)
    while more := {(a, d) for a, b in pairs for c, d in pairs if b == c} - pairs:
        pairs |= more
    return pairs
