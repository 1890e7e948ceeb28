"""HDDL formulas over a kernel state.

The atom `(at truck depot)` is the triple (predicate `at`, subject `("truck", "depot")`, object True): one subject per
list of arguments, the argument itself when there is one, and `""` when there is none. An absent triple is a false
atom. Everything is read from the state that is given, so a world that has changed since is seen as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from planvow.hddl.language.formula import And, Atom, Equal, Exists, ForAll, Formula, Imply, Not, Or, Parameter, SortOf
from planvow.hddl.language.model import HddlProblem
from planvow.kernel.world.state import State

Binding = Mapping[str, str]


def subject_of(arguments: Sequence[str]) -> Any:
    """Return the subject under which an atom's triple is kept."""
    return tuple(arguments) if len(arguments) > 1 else arguments[0] if arguments else ""


def arguments_of(subject: Any) -> tuple[str, ...]:
    """Return the arguments of the atom whose triple has this subject."""
    return subject if isinstance(subject, tuple) else (subject,) if subject else ()


class Facts:
    """How the atoms of one problem are kept in a state."""

    def __init__(self, problem: HddlProblem) -> None:
        self._problem = problem
        self._members = {name: frozenset(found) for name, found in problem.objects_of.items()}
        self.key: dict[str, str] = {}
        for predicate in problem.domain.predicates:
            name = predicate.name
            while hasattr(State, name) or name in self.key.values():  # a name of State itself cannot be a predicate
                name += "_"
            self.key[predicate.name] = name

    def initial_state(self) -> State:
        """Return the initial state; every predicate is there, if only to be seen as empty."""
        state = State({name: {} for name in self.key.values()}, name=self._problem.name)
        for atom in self._problem.init:
            state.set_predicate(subject_of(atom.arguments), self.key[atom.predicate], True)
        return state

    def has_types(self, name: str, types: tuple[str, ...]) -> bool:
        """Whether an object belongs to one of the types."""
        return any(name in self._members[one] for one in types)

    def ground(self, atom: Atom, binding: Binding) -> tuple[Any, str]:
        """Return subject and predicate of an atom's triple."""
        return subject_of([binding.get(term, term) for term in atom.arguments]), self.key[atom.predicate]

    def choices(self, parameters: tuple[Parameter, ...], binding: Binding) -> Iterator[dict[str, str]]:
        """Yield the binding extended by every choice of objects for the parameters."""
        for objects in product(*(self._problem.choices_for(parameter) for parameter in parameters)):
            yield {**binding, **{p.name: name for p, name in zip(parameters, objects)}}

    def holds(self, formula: Formula, binding: Binding, state: Any) -> bool:
        """Whether a formula holds in a state, under a binding of its free variables."""
        match formula:
            case Atom():
                return bool(state.has(*self.ground(formula, binding)))
            case Not(part):
                return not self.holds(part, binding, state)
            case And(parts):
                return all(self.holds(part, binding, state) for part in parts)
            case Or(parts):
                return any(self.holds(part, binding, state) for part in parts)
            case Imply(premise, conclusion):
                return not self.holds(premise, binding, state) or self.holds(conclusion, binding, state)
            case Equal(left, right):
                return binding.get(left, left) == binding.get(right, right)
            case SortOf(term, its_type):
                return self.has_types(binding.get(term, term), (its_type,))
            case ForAll(parameters, body):
                return all(self.holds(body, inner, state) for inner in self.choices(parameters, binding))
            case Exists(parameters, body):
                return any(self.holds(body, inner, state) for inner in self.choices(parameters, binding))

    def solutions(
        self, conditions: tuple[Formula, ...], free: Mapping[str, Parameter], binding: Binding, state: Any
    ) -> Iterator[Binding]:
        """Yield every binding of the free variables under which all conditions hold.

        Conditions are checked as soon as their variables are bound. A variable is bound through the facts that an
        atom among the conditions could be, and by trying objects only when no atom mentions it.
        """
        waiting: list[Formula] = []
        for condition in conditions:
            if any(name not in binding for name in variables_of(condition) if name in free):
                waiting.append(condition)
            elif not self.holds(condition, binding, state):
                return
        unbound = [parameter for name, parameter in free.items() if name not in binding]
        if not unbound:
            yield binding
            return
        atoms = [condition for condition in waiting if isinstance(condition, Atom)]
        if atoms:
            atom = min(atoms, key=lambda a: sum(term in free and term not in binding for term in a.arguments))
            for subject in list(getattr(state, self.key[atom.predicate])):
                inner = self._matched(atom, arguments_of(subject), free, binding)
                if inner is not None:
                    yield from self.solutions(tuple(waiting), free, inner, state)
        else:
            for inner in self.choices((unbound[0],), binding):
                yield from self.solutions(tuple(waiting), free, inner, state)

    def _matched(
        self, atom: Atom, arguments: tuple[str, ...], free: Mapping[str, Parameter], binding: Binding
    ) -> Binding | None:
        inner = dict(binding)
        for term, name in zip(atom.arguments, arguments):
            known = inner.get(term) if term[0] == "?" else term
            if known is None and self.has_types(name, free[term].types):
                inner[term] = name
            elif known != name:
                return None
        return inner

    def why_not(self, formula: Formula, binding: Binding, state: Any) -> str:
        """Say in a few words why a formula does not hold."""
        if isinstance(formula, And):
            parts = [part for part in formula.parts if not self.holds(part, binding, state)]
            return self.why_not(parts[0], binding, state) if parts else "it does not hold"
        if isinstance(formula, Not) and isinstance(formula.part, Atom):
            return f"{shown(formula.part, binding)} is true"
        if isinstance(formula, Atom):
            return f"{shown(formula, binding)} is false"
        return f"its {type(formula).__name__.lower()} does not hold"


def conjuncts(formula: Formula) -> list[Formula]:
    """Return the parts of nested conjunctions."""
    if isinstance(formula, And):
        return [inner for part in formula.parts for inner in conjuncts(part)]
    return [formula]


def variables_of(formula: Formula) -> frozenset[str]:
    """Return the free variables of a formula."""
    match formula:
        case Atom(_, arguments):
            return frozenset(term for term in arguments if term[0] == "?")
        case Equal(left, right):
            return frozenset(term for term in (left, right) if term[0] == "?")
        case SortOf(term, _):
            return frozenset((term,) if term[0] == "?" else ())
        case Not(part):
            return variables_of(part)
        case And(parts) | Or(parts):
            return frozenset().union(*(variables_of(part) for part in parts))
        case Imply(premise, conclusion):
            return variables_of(premise) | variables_of(conclusion)
        case ForAll(parameters, body) | Exists(parameters, body):
            return variables_of(body) - {parameter.name for parameter in parameters}


def shown(atom: Atom, binding: Binding) -> str:
    """Return an atom as people write it."""
    return f"({' '.join((atom.predicate, *(binding.get(term, term) for term in atom.arguments)))})"
