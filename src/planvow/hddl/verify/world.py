"""The problem as the checker of proofs reads it: types, instances of schemas, and formulas over sets of facts.

Part of the verifiers: it has its own reading of types, formulas and effects and shares no code with the solvers. What
can be chosen is counted; past the limit the checker says that it gave up, which accepts nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import product

from planvow.budgets import Deadline
from planvow.errors import BudgetExceededError
from planvow.hddl.language.formula import And, Atom, Equal, Exists, ForAll, Formula, Imply, Not, Or, Parameter, SortOf
from planvow.hddl.language.model import Action, HddlProblem, TaskNetwork

MAX_CHOICES = 3_000_000

Binding = Mapping[str, str]
Fact = tuple[str, ...]
"""A predicate and its objects; a task or an action and its arguments have the same form."""
Call = Fact


class Facts:
    """A set of facts, found by predicate and by each object at each position."""

    def __init__(self, facts: Collection[Fact]) -> None:
        self.all = frozenset(facts)
        self._found: dict[tuple[str, int, str], list[Fact]] = {}
        for fact in facts:
            self._found.setdefault((fact[0], 0, ""), []).append(fact)
            for position, name in enumerate(fact[1:], start=1):
                self._found.setdefault((fact[0], position, name), []).append(fact)

    def like(self, atom: Atom, binding: Binding) -> list[Fact]:
        """Return facts among which are all that an atom can be under a binding."""
        best = self._found.get((atom.predicate, 0, ""), [])
        for position, term in enumerate(atom.arguments, start=1):
            name = binding.get(term, term)
            if name[0] != "?":
                few = self._found.get((atom.predicate, position, name), [])
                best = few if len(few) < len(best) else best
        return best


class World:
    """Objects, types and rigid facts of a problem."""

    def __init__(self, problem: HddlProblem, deadline: Deadline | None = None) -> None:
        self.problem = problem
        self._names = [item.name for item in problem.all_objects]
        self._above = {declared.name: declared.parents for declared in problem.domain.types}
        self._types = {item.name: self._all_types(item.types) for item in problem.all_objects}
        changed = {effect.atom.predicate for action in problem.domain.actions for effect in action.effects}
        initial = [(atom.predicate, *atom.arguments) for atom in problem.init]
        self.rigid = frozenset(fact for fact in initial if fact[0] not in changed)
        self.initial = frozenset(fact for fact in initial if fact[0] in changed)
        self.fluents = frozenset(changed)
        self._schemas = {task.name: task.parameters for task in problem.domain.tasks}
        self._schemas |= {action.name: action.parameters for action in problem.domain.actions}
        self._left = MAX_CHOICES
        self._deadline = deadline or Deadline()

    def _all_types(self, types: tuple[str, ...]) -> frozenset[str]:
        found, waiting = {"object"}, list(types)
        while waiting:
            name = waiting.pop()
            if name not in found:
                found.add(name)
                waiting += self._above.get(name, ())
        return frozenset(found)

    def is_call(self, call: Call) -> bool:
        """Whether a task or an action is declared and has objects of the right types."""
        schema = self._schemas.get(call[0])
        return (
            schema is not None
            and len(schema) == len(call) - 1
            and all(self._fits(name, parameter) for name, parameter in zip(call[1:], schema))
        )

    def is_fact(self, fact: Fact) -> bool:
        """Whether a fact is one of a predicate that actions change, over objects."""
        declared = self.problem.domain.predicate_named.get(fact[0])
        is_formed = declared is not None and len(declared.parameters) == len(fact) - 1
        return is_formed and fact[0] in self.fluents and all(name in self._types for name in fact[1:])

    def _fits(self, name: str, parameter: Parameter) -> bool:
        return name in self._types and not self._types[name].isdisjoint(parameter.types)

    def choices(self, parameters: tuple[Parameter, ...], binding: Binding) -> Iterator[Binding]:
        """Yield every way to choose objects of the right types for parameters."""
        if not parameters:
            yield binding
            return
        names = [parameter.name for parameter in parameters]
        fitting = [[name for name in self._names if self._fits(name, parameter)] for parameter in parameters]
        for objects in product(*fitting):
            self._count()
            yield {**binding, **dict(zip(names, objects))}

    def instances(
        self, parameters: tuple[Parameter, ...], formula: Formula, binding: Binding, facts: Facts
    ) -> Iterator[Binding]:
        """Yield every choice for the parameters under which each atom that the formula asks for is among the facts."""
        wanted = {parameter.name: parameter for parameter in parameters}
        if all(self._fits(binding[name], wanted[name]) for name in wanted if name in binding):
            yield from self._extended(list(_atoms(formula)), wanted, binding, facts)

    def _extended(
        self, atoms: list[Atom], wanted: dict[str, Parameter], binding: Binding, facts: Facts
    ) -> Iterator[Binding]:
        self._count()
        open_atoms = [atom for atom in atoms if any(t in wanted and t not in binding for t in atom.arguments)]
        if not open_atoms:
            yield from self.choices(tuple(p for name, p in wanted.items() if name not in binding), binding)
            return
        atom = min(open_atoms, key=lambda each: len(facts.like(each, binding)))
        others = [other for other in open_atoms if other is not atom]
        for fact in facts.like(atom, binding):
            inner = self._matched(atom, fact, wanted, binding)
            if inner is not None:
                yield from self._extended(others, wanted, inner, facts)

    def _matched(self, atom: Atom, fact: Fact, wanted: dict[str, Parameter], binding: Binding) -> Binding | None:
        inner = dict(binding)
        for term, name in zip(atom.arguments, fact[1:]):
            known = inner.get(term, term)
            if known[0] != "?":
                if known != name:
                    return None
            elif not self._fits(name, wanted[term]):
                return None
            else:
                inner[term] = name
        return inner

    def calls(self, network: TaskNetwork, binding: Binding) -> list[Call] | None:
        """Return the subtasks of a network in an order it allows; None when one of them has objects that do not fit."""
        subtasks = [network.subtasks[index] for index in network.topological_order]
        found = [(each.task, *(binding.get(term, term) for term in each.arguments)) for each in subtasks]
        return found if all(map(self.is_call, found)) else None

    def holds(self, formula: Formula, binding: Binding, facts: frozenset[Fact], *, maybe: bool = False) -> bool:
        """Whether a formula holds where exactly these facts (and the rigid ones) do.

        With `maybe`: whether it can hold where some of these facts do, so that a fluent that is denied is no obstacle.
        """
        return self._truth(formula, binding, facts, True, maybe)

    def _truth(self, formula: Formula, binding: Binding, facts: frozenset[Fact], wanted: bool, maybe: bool) -> bool:
        match formula:
            case Atom():
                fact = ground(formula, binding)
                if fact[0] not in self.fluents:
                    return (fact in self.rigid) == wanted
                return (fact in facts) == wanted or (maybe and not wanted)
            case Equal(left, right):
                return (binding.get(left, left) == binding.get(right, right)) == wanted
            case SortOf(term, its_type):
                return (its_type in self._types[binding.get(term, term)]) == wanted
            case Not(part):
                return self._truth(part, binding, facts, not wanted, maybe)
            case And(parts) | Or(parts):
                every = all if isinstance(formula, And) == wanted else any
                return every(self._truth(part, binding, facts, wanted, maybe) for part in parts)
            case Imply(premise, conclusion):
                return self._truth(Or((Not(premise), conclusion)), binding, facts, wanted, maybe)
            case ForAll(parameters, body) | Exists(parameters, body):
                every = all if isinstance(formula, ForAll) == wanted else any
                inner = self.choices(parameters, binding)
                return every(self._truth(body, each, facts, wanted, maybe) for each in inner)

    def effects(
        self, action: Action, binding: Binding, facts: frozenset[Fact], *, maybe: bool = False
    ) -> frozenset[Fact]:
        """Return the facts after an action, or with `maybe` those that it may add."""
        added: set[Fact] = set()
        deleted: set[Fact] = set()
        for effect in action.effects:
            if maybe and effect.is_delete:
                continue
            for inner in self.choices(effect.parameters, binding):
                if self.holds(effect.condition, inner, facts, maybe=maybe):
                    (deleted if effect.is_delete else added).add(ground(effect.atom, inner))
        return frozenset(added) if maybe else (facts - deleted) | added

    def _count(self) -> None:
        self._deadline.spend()
        self._left -= 1
        if self._left < 0:
            raise BudgetExceededError("choices of objects that the checker may try", MAX_CHOICES)


def ground(atom: Atom, binding: Binding) -> Fact:
    """Return an atom with the objects that its terms stand for."""
    return atom.predicate, *[binding.get(term, term) for term in atom.arguments]


def _atoms(formula: Formula) -> Iterator[Atom]:
    """Yield the atoms that must hold for a formula to hold."""
    if isinstance(formula, Atom):
        yield formula
    elif isinstance(formula, And):
        for part in formula.parts:
            yield from _atoms(part)
