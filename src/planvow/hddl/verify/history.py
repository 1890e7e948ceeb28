"""What is true before and after every step of a plan, for the verifier.

Position 0 is the initial state, position i the state after i steps. Every atom that ever changes keeps the list of
its changes, so any atom can be looked up at any position without storing the states.

Part of the verifier: it has its own reading of types, formulas and effects and shares no code with the solvers.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from itertools import product

from planvow.budgets import Deadline
from planvow.hddl.language.formula import And, Atom, Equal, Exists, ForAll, Formula, Imply, Not, Or, Parameter, SortOf
from planvow.hddl.language.model import Action, HddlProblem

Binding = Mapping[str, str]
Fact = tuple[str, tuple[str, ...]]


class History:
    """The states a sequence of actions passes through."""

    def __init__(self, problem: HddlProblem, deadline: Deadline | None = None) -> None:
        self.length = 0
        self._deadline = deadline or Deadline()
        self._members = _members(problem)
        self._order = [item.name for item in problem.all_objects]
        self._initial = {(atom.predicate, atom.arguments) for atom in problem.init}
        self._changes: dict[Fact, tuple[list[int], list[bool]]] = {}
        self._ever: dict[str, dict[tuple[str, ...], None]] = {}
        for atom in problem.init:
            self._ever.setdefault(atom.predicate, {})[atom.arguments] = None

    def is_of(self, name: str, types: tuple[str, ...]) -> bool:
        """Whether an object belongs to one of the types."""
        return any(name in self._members[one] for one in types)

    def is_object(self, name: str) -> bool:
        """Whether there is an object of this name."""
        return name in self._members["object"]

    def true_at(self, fact: Fact, position: int) -> bool:
        """Whether a fact holds after `position` steps."""
        changes = self._changes.get(fact)
        if changes is not None:
            index = bisect_right(changes[0], position)
            if index:
                return changes[1][index - 1]
        return fact in self._initial

    def since(self, fact: Fact, position: int | None = None) -> int:
        """Return the number of the last step (until `position`) that changed a fact; 0 where none did."""
        changes, _ = self._changes.get(fact, ([], []))
        index = bisect_right(changes, self.length if position is None else position)
        return changes[index - 1] if index else 0

    def apply(self, action: Action, binding: Binding) -> list[tuple[Fact, bool]]:
        """Take one more step: all conditions are read before anything changes, and what is added stays.

        Returned is what it really changed, and whether to true.
        """
        now = self.length
        added: dict[Fact, None] = {}
        deleted: dict[Fact, None] = {}
        for effect in action.effects:
            for inner in self._choices(effect.parameters, binding):
                if self.holds(effect.condition, inner, now):
                    (deleted if effect.is_delete else added)[_ground(effect.atom, inner)] = None
        self.length = now + 1
        wanted = [(fact, False) for fact in deleted if fact not in added] + [(fact, True) for fact in added]
        changed = [(fact, value) for fact, value in wanted if self.true_at(fact, now) != value]
        for fact, value in changed:
            positions, values = self._changes.setdefault(fact, ([], []))
            positions.append(self.length)
            values.append(value)
        for predicate, arguments in added:
            self._ever.setdefault(predicate, {})[arguments] = None
        return changed

    def _choices(self, parameters: tuple[Parameter, ...], binding: Binding) -> Iterator[Binding]:
        if not parameters:
            yield binding
            return
        names = [parameter.name for parameter in parameters]
        for objects in product(*(self._candidates(parameter) for parameter in parameters)):
            self._deadline.spend()
            yield {**binding, **dict(zip(names, objects))}

    def _candidates(self, parameter: Parameter) -> list[str]:
        return [name for name in self._order if self.is_of(name, parameter.types)]

    def holds(self, formula: Formula, binding: Binding, position: int) -> bool:
        """Whether a formula holds after `position` steps, under a binding of all its free variables."""
        match formula:
            case Atom():
                return self.true_at(_ground(formula, binding), position)
            case Equal(left, right):
                return binding.get(left, left) == binding.get(right, right)
            case SortOf(term, its_type):
                return binding.get(term, term) in self._members[its_type]
            case Not(part):
                return not self.holds(part, binding, position)
            case And(parts):
                return all(self.holds(part, binding, position) for part in parts)
            case Or(parts):
                return any(self.holds(part, binding, position) for part in parts)
            case Imply(premise, conclusion):
                return not self.holds(premise, binding, position) or self.holds(conclusion, binding, position)
            case ForAll(parameters, body):
                return all(self.holds(body, inner, position) for inner in self._choices(parameters, binding))
            case Exists(parameters, body):
                return any(self.holds(body, inner, position) for inner in self._choices(parameters, binding))

    def can_hold(self, formula: Formula, binding: Binding, free: tuple[Parameter, ...], position: int) -> bool:
        """Whether some choice for the free variables makes the formula hold after `position` steps."""
        missing = {parameter.name: parameter for parameter in free if parameter.name not in binding}
        if not missing:
            return self.holds(formula, binding, position)
        atoms = [part for part in _conjuncts(formula) if isinstance(part, Atom)]
        return any(self.holds(formula, full, position) for full in self._extend(atoms, binding, missing, position))

    def _extend(
        self, atoms: list[Atom], binding: Binding, missing: dict[str, Parameter], position: int
    ) -> Iterator[Binding]:
        """Bind the missing variables, through facts that required atoms could be, and only then by trying objects."""
        unbound = [(sum(t in missing and t not in binding for t in atom.arguments), atom) for atom in atoms]
        unbound = [(count, atom) for count, atom in unbound if count]
        if not unbound:
            rest = tuple(parameter for name, parameter in missing.items() if name not in binding)
            yield from self._choices(rest, binding)
            return
        _, atom = min(unbound, key=lambda pair: pair[0])
        others = [other for _, other in unbound if other is not atom]
        for arguments in self._ever.get(atom.predicate, ()):
            self._deadline.spend()
            inner = self._matched(atom, arguments, binding, missing)
            if inner is not None and self.true_at((atom.predicate, arguments), position):
                yield from self._extend(others, inner, missing, position)

    def _matched(
        self, atom: Atom, arguments: tuple[str, ...], binding: Binding, missing: dict[str, Parameter]
    ) -> Binding | None:
        inner = dict(binding)
        for term, name in zip(atom.arguments, arguments):
            if term[0] != "?":
                if term != name:
                    return None
            elif term in inner:
                if inner[term] != name:
                    return None
            elif self.is_of(name, missing[term].types):
                inner[term] = name
            else:
                return None
        return inner

    def why_not(self, formula: Formula, binding: Binding, position: int) -> str:
        """Name the first part of a false formula that is false."""
        match formula:
            case And(parts):
                part = next((part for part in parts if not self.holds(part, binding, position)), formula)
                return self.why_not(part, binding, position) if part is not formula else "it is false"
            case Not(Atom() as atom):
                return f"{_shown(atom, binding)} is true"
            case Not(Equal(left, right)):
                return f"{binding.get(left, left)} and {binding.get(right, right)} are the same"
            case Atom():
                return f"{_shown(formula, binding)} is false"
            case Equal(left, right):
                return f"{binding.get(left, left)} and {binding.get(right, right)} are not the same"
            case SortOf(term, its_type):
                return f"{binding.get(term, term)} is not a {its_type}"
            case ForAll(parameters, body):
                for inner in self._choices(parameters, binding):
                    if not self.holds(body, inner, position):
                        return self.why_not(body, inner, position)
                return "it is false"
            case _:
                return f"the {type(formula).__name__.lower()} in it is false"


def _members(problem: HddlProblem) -> dict[str, set[str]]:
    """Return the objects of every type, by pushing each object up through the parents of its types."""
    parents = {declared.name: declared.parents for declared in problem.domain.types}
    members: dict[str, set[str]] = {name: set() for name in (*parents, "object")}
    for item in problem.all_objects:
        members["object"].add(item.name)
        waiting = list(item.types)
        while waiting:
            name = waiting.pop()
            if item.name not in members[name] or name in item.types:
                members[name].add(item.name)
                waiting += [parent for parent in parents.get(name, ()) if item.name not in members[parent]]
    return members


def _conjuncts(formula: Formula) -> list[Formula]:
    if isinstance(formula, And):
        return [inner for part in formula.parts for inner in _conjuncts(part)]
    return [formula]


def _ground(atom: Atom, binding: Binding) -> Fact:
    return atom.predicate, tuple([binding.get(term, term) for term in atom.arguments])


def _shown(atom: Atom, binding: Binding) -> str:
    return f"({' '.join((atom.predicate, *_ground(atom, binding)[1]))})"
