"""What a task must find and what it may change, whichever way it is decomposed.

Two fixpoints over the schemas, computed once:

* `may[task]`: a superset of the atoms that carrying out the task may add or delete, as patterns over its parameters
  (least fixpoint, growing over the methods);
* `must[task]`: literals over its parameters that hold before the task in every plan that carries it out (greatest
  fixpoint, shrinking: what a task needs is what all of its methods need). None means that the task can never be done.

A literal that a later subtask must find, and that no earlier subtask may establish, has to hold already when the method
is chosen: it is pulled up into the method (`rule`), where it binds variables. The pruning by
preconditions and effects of compound tasks is that of PANDADealer (Olz and Bercher); pulling up is HyperTensioN's,
here only where it is provable.

With `in_sequence`, a method's subtasks are read as done in the listed order with nothing in between. Without, they are
done in any order the method allows, other tasks in between, and a literal that is pulled up must hold at some time,
not at once. That serves to find plans. It proves nothing: another task may bring a literal about, and may be able to do
so only after an earlier subtask of the same method, which then waits for itself. With `is_proof` only that is pulled up
which is needed before anything of the method is done, and what never changes.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from typing import NamedTuple, TypeAlias

from planvow.hddl.lifted.joins import Rule
from planvow.hddl.lifted.normal import NormalProblem
from planvow.hddl.lifted.schema import EQUAL, Literal, MethodSchema

Element: TypeAlias = int | tuple[int]
"""A parameter, an object (negative), or any object of a bit set (in a tuple of one)."""

MAX_PATTERNS = 64
"""Patterns of one predicate that one task keeps apart; more are merged into one (wider, still a superset)."""


class Pattern(NamedTuple):
    """A set of atoms of one predicate."""

    predicate: int
    elements: tuple[Element, ...]


class Lookahead:
    """The two fixpoints for all tasks and methods of a problem."""

    def __init__(self, problem: NormalProblem, *, in_sequence: bool = True, is_proof: bool = False) -> None:
        self._problem = problem
        self._in_sequence = in_sequence
        self._is_proof = is_proof
        tasks = len(problem.task_names)
        self.may_add: list[dict[Pattern, None]] = [{} for _ in range(tasks)]
        self.may_delete: list[dict[Pattern, None]] = [{} for _ in range(tasks)]
        self._effects = {True: self.may_add, False: self.may_delete}
        self._grow_effects()
        self.must: list[dict[Literal, None] | None] = [None] * tasks
        self._parameter_needs: dict[int, list[tuple[MethodSchema, list[Literal]]]] = {}
        self._shrink_needs()

    def rule(self, number: int) -> Rule:
        """Return what a join has to satisfy for a method: its own conditions and those its subtasks pass up."""
        method = self._problem.methods[number]
        equalities = [literal for literal in method.condition.literals if literal.predicate == EQUAL]
        literals = (*equalities, *(self._needs_of(method) or ()))
        given = self._problem.task_domains[method.task]
        return Rule(number, method.arguments, given, method.domains, literals, method.condition.formulas)

    def must_of(
        self, task: int, objects: tuple[int, ...], holds: Callable[[int, tuple[int, ...]], bool]
    ) -> list[Literal] | None:
        """Return the fluent literals a ground task must find, over its parameters; None: it can never be done.

        Methods that the objects rule out (by constants, types, equalities or rigid facts) have no say.
        """
        common: list[Literal] | None = None
        for method, needs in self._needs_over_parameters(task):
            if not all(
                o == ~term if term < 0 else method.domains[term] >> o & 1 for o, term in zip(objects, method.arguments)
            ):
                continue
            fluent = []
            for literal in needs:
                ground = tuple(objects[term] if term >= 0 else ~term for term in literal.terms)
                if literal.predicate == EQUAL:
                    is_met = (ground[0] == ground[1]) == literal.positive
                elif self._problem.is_rigid[literal.predicate]:
                    is_met = holds(literal.predicate, ground) == literal.positive
                else:
                    fluent.append(literal)
                    continue
                if not is_met:
                    break
            else:
                common = fluent if common is None else [literal for literal in common if literal in fluent]
        return common

    def _needs_over_parameters(self, task: int) -> list[tuple[MethodSchema, list[Literal]]]:
        found = self._parameter_needs.get(task)
        if found is None:
            found = []
            for method in self._problem.methods_of[task]:
                needs = self._needs_of(method)
                if needs is not None:
                    equalities = {lit: None for lit in method.condition.literals if lit.predicate == EQUAL}
                    found.append((method, list(_over_parameters({**equalities, **needs}, method))))
            self._parameter_needs[task] = found
        return found

    def can_finish(self, method: MethodSchema) -> bool:
        """Whether every subtask of the method can be carried out at all."""
        return all(self.must[task] is not None for task, _ in method.subtasks)

    def _grow_effects(self) -> None:
        problem = self._problem
        for number, action in enumerate(problem.actions):
            for change in action.changes:
                if change.literal in action.condition.literals:
                    continue  # it held already; whoever made it true before says so
                elements: list[Element] = list(change.literal.terms)
                bound = dict(change.variables)
                for position, term in enumerate(change.literal.terms):
                    if term in bound:
                        elements[position] = (bound[term],)
                target = self.may_add if change.literal.positive else self.may_delete
                target[number][Pattern(change.literal.predicate, tuple(elements))] = None
        changed = True
        while changed:
            changed = False
            for method in problem.methods:
                for effects in (self.may_add, self.may_delete):
                    size = len(effects[method.task])
                    for task, terms in method.subtasks:
                        for pattern in list(effects[task]):
                            effects[method.task][_seen_from_task(_bind(pattern, terms), method)] = None
                    if len(effects[method.task]) != size:
                        effects[method.task] = _merged(effects[method.task], problem)
                        changed = changed or len(effects[method.task]) != size

    def _shrink_needs(self) -> None:
        problem = self._problem
        for number, action in enumerate(problem.actions):
            self.must[number] = {literal: None for literal in action.condition.literals if literal.predicate != EQUAL}
        changed = True
        while changed:
            changed = False
            for task in range(problem.action_count, len(problem.task_names)):
                common: dict[Literal, None] | None = None
                for method in problem.methods_of[task]:
                    needs = self._needs_of(method)
                    if needs is None:
                        continue
                    own = _over_parameters(needs, method)
                    common = own if common is None else {literal: None for literal in common if literal in own}
                if common != self.must[task]:
                    self.must[task] = common
                    changed = True

    def _needs_of(self, method: MethodSchema) -> dict[Literal, None] | None:
        """Return the literals over the method's variables that must hold when it is chosen; None: it cannot finish."""
        needs = {literal: None for literal in method.condition.literals if literal.predicate != EQUAL}
        apart = {
            frozenset(literal.terms)
            for literal in method.condition.literals
            if literal.predicate == EQUAL and not literal.positive
        }
        changes = {positive: _Changes(method, effects) for positive, effects in self._effects.items()}
        for index, (task, terms) in enumerate(method.subtasks):
            must = self.must[task]
            if must is None:
                return None
            earlier = self._possibly_before(method, index)
            for inner in must:
                literal = Literal(inner.predicate, tuple(_term(t, terms) for t in inner.terms), inner.positive)
                if literal not in needs and not self._may_establish(literal, changes, earlier, apart):
                    needs[literal] = None
        return needs

    def _may_establish(
        self, literal: Literal, changes: dict[bool, _Changes], earlier: Container[int], apart: set[frozenset[int]]
    ) -> bool:
        """Whether a subtask that may come before may make the literal true, or (for a proof) help another to."""
        if self._problem.is_rigid[literal.predicate]:
            return False
        if earlier and self._is_proof and not self._in_sequence:
            return True
        return changes[literal.positive].include(literal, earlier, apart)

    def _possibly_before(self, method: MethodSchema, index: int) -> Container[int]:
        """Return the numbers of the subtasks that may come before one."""
        if self._in_sequence or method.is_totally_ordered:
            return range(index)
        after = {index}
        for first, second in method.ordering:  # sorted, and only ever from lower to higher
            if first in after:
                after.add(second)
        return {number for number in range(len(method.subtasks)) if number not in after}


class _Changes:
    """What the subtasks of a method may make true (or false), by pattern, so that long methods are quickly asked."""

    def __init__(self, method: MethodSchema, effects: Sequence[Iterable[Pattern]]) -> None:
        self._method = method
        self._single: dict[Pattern, list[int]] = {}
        """Patterns of a single atom, and the subtasks that have them."""
        self._wide: dict[int, dict[Pattern, list[int]]] = {}
        """All others, by predicate."""
        for number, (task, terms) in enumerate(method.subtasks):
            for pattern in effects[task]:
                bound = _bind(pattern, terms)
                is_single = all(isinstance(element, int) and element < 0 for element in bound.elements)
                group = self._single if is_single else self._wide.setdefault(bound.predicate, {})
                group.setdefault(bound, []).append(number)

    def include(self, literal: Literal, earlier: Container[int], apart: set[frozenset[int]]) -> bool:
        """Whether one of the `earlier` subtasks may bring a literal about."""
        if all(term < 0 for term in literal.terms):
            same = self._single.get(Pattern(literal.predicate, literal.terms), ())
            if any(number in earlier for number in same):
                return True
            singles: Iterable[tuple[Pattern, list[int]]] = ()
        else:
            singles = (entry for entry in self._single.items() if entry[0].predicate == literal.predicate)
        return any(
            any(number in earlier for number in numbers)
            and _overlap(pattern.elements, literal.terms, self._method, apart)
            for pattern, numbers in (*singles, *self._wide.get(literal.predicate, {}).items())
        )


def _term(term: int, terms: Sequence[int]) -> int:
    return terms[term] if term >= 0 else term


def _bind(pattern: Pattern, terms: Sequence[int]) -> Pattern:
    """Replace a task's parameters by the terms of a call."""
    elements = tuple(terms[e] if isinstance(e, int) and e >= 0 else e for e in pattern.elements)
    return Pattern(pattern.predicate, elements)


def _seen_from_task(pattern: Pattern, method: MethodSchema) -> Pattern:
    """Rewrite a pattern over a method's variables as one over its task's parameters."""
    elements: list[Element] = []
    for element in pattern.elements:
        if not isinstance(element, int) or element < 0:
            elements.append(element)
        elif element in method.arguments:
            elements.append(method.arguments.index(element))
        else:
            elements.append((method.domains[element],))
    return Pattern(pattern.predicate, tuple(elements))


def _over_parameters(needs: dict[Literal, None], method: MethodSchema) -> dict[Literal, None]:
    """Keep the literals whose variables are all arguments of the method's task, over the task's parameters."""
    found: dict[Literal, None] = {}
    for literal in needs:
        if all(term < 0 or term in method.arguments for term in literal.terms):
            terms = tuple(method.arguments.index(term) if term >= 0 else term for term in literal.terms)
            found[Literal(literal.predicate, terms, literal.positive)] = None
    return found


def _overlap(
    elements: tuple[Element, ...], terms: tuple[int, ...], method: MethodSchema, apart: set[frozenset[int]]
) -> bool:
    for element, term in zip(elements, terms):
        if element == term:
            continue
        if isinstance(element, int) and frozenset((element, term)) in apart:
            return False
        if not _objects(element, method) & _objects(term, method):
            return False
    return True


def _objects(element: Element, method: MethodSchema) -> int:
    if isinstance(element, tuple):
        return element[0]
    return method.domains[element] if element >= 0 else 1 << ~element


def _merged(patterns: dict[Pattern, None], problem: NormalProblem) -> dict[Pattern, None]:
    """Replace the patterns of a predicate by its widest one where there are too many or the widest is among them."""
    by_predicate: dict[int, list[Pattern]] = {}
    for pattern in patterns:
        by_predicate.setdefault(pattern.predicate, []).append(pattern)
    merged: dict[Pattern, None] = {}
    for predicate, group in by_predicate.items():
        everything = (1 << len(problem.objects)) - 1
        widest = Pattern(predicate, tuple((everything,) for _ in range(problem.arities[predicate])))
        is_wide = len(group) > MAX_PATTERNS or any(
            all(
                isinstance(e, tuple) and e[0] & d == d for e, d in zip(p.elements, problem.predicate_domains[predicate])
            )
            for p in group
        )
        merged.update({widest: None} if is_wide else dict.fromkeys(group))
    return merged
