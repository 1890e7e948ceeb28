"""The problem in normal form: what every search works on.

Names become small integers, types become sets of objects (one integer bit set per variable), formulas become a
conjunction of literals plus whatever is left over in negation normal form. The initial task network becomes the only
method of an artificial task, so that a search starts from one ground task; a problem without a network (a
classical one) becomes a task that may do any action and then itself, or stop where the goal holds.

A term is an integer: variable `i` of the schema is `i`, object `o` is `~o` (negative). Tasks are numbered actions
first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy

from planvow.budgets import Deadline
from planvow.hddl.language import model
from planvow.hddl.language.formula import And, Atom, Equal, Exists, ForAll, Formula, Imply, Not, Or, Parameter, SortOf
from planvow.hddl.lifted.expansion import expanded
from planvow.hddl.lifted.schema import (
    EQUAL,
    ActionSchema,
    Change,
    Condition,
    Junction,
    Literal,
    Member,
    MethodSchema,
    Quantified,
    Residual,
    bits,
)
from planvow.hddl.lifted.splitting import SPLIT_NAME, Beginnings, split


class NormalProblem:
    """A problem in normal form. `root` is the number of the artificial task to decompose.

    With `write_out`, quantifiers over few objects are replaced by their instances.
    """

    def __init__(self, problem: model.HddlProblem, deadline: Deadline | None = None, *, write_out: bool = True) -> None:
        self.deadline = deadline or Deadline()
        """Asked by all that works on the problem for long."""
        domain = problem.domain
        self.source = problem
        self.objects = tuple(item.name for item in problem.all_objects)
        self.predicates = tuple(item.name for item in domain.predicates)
        self.arities = tuple(len(item.parameters) for item in domain.predicates)
        self._object_number = {name: number for number, name in enumerate(self.objects)}
        self._predicate_number = {name: number for number, name in enumerate(self.predicates)}
        self._type_masks = {name: self._mask(members) for name, members in problem.objects_of.items()}
        names = [item.name for item in domain.actions] + [item.name for item in domain.tasks]
        self.task_names: tuple[str, ...] = (*names, "__root__")
        self._task_number = {name: number for number, name in enumerate(names)}
        self.action_count = len(domain.actions)
        self.root = len(names)
        self.actions = tuple(self._action(item) for item in domain.actions)
        self.task_domains: tuple[tuple[int, ...], ...] = (
            *(action.domains for action in self.actions),
            *(tuple(map(self._domain, item.parameters)) for item in domain.tasks),
            (),
        )
        self.goal = self._conjunction(problem.goal, _Scope({}, []), narrow=False)
        methods = [self._method(item) for item in domain.methods]
        methods += self._root_methods(problem)
        methods, domains = split([method for method in methods if 0 not in method.domains], self.task_domains)
        self.methods = tuple(methods)
        self.task_domains = tuple(domains)
        self.first_artificial = len(self.task_names)
        self.task_names += (SPLIT_NAME,) * (len(domains) - len(self.task_names))
        self.is_totally_ordered = all(method.is_totally_ordered for method in self.methods)
        self.is_classical = problem.initial is None
        facts: list[dict[tuple[int, ...], None]] = [{} for _ in self.predicates]
        for atom in problem.init:
            facts[self._predicate_number[atom.predicate]][self._names(atom.arguments)] = None
        self.init = tuple(map(tuple, facts))
        changed = {change.literal.predicate for action in self.actions for change in action.changes}
        self.is_rigid = tuple(number not in changed for number in range(len(self.predicates)))
        if write_out:
            self._expand()
        self.methods_of = self._by_task()
        self.predicate_domains = self._predicate_domains()
        """For every position of a predicate the objects that facts can have there; joins leave out tests by it."""

    def with_beginnings(self) -> NormalProblem:
        """Return the problem with methods whose beginnings are tasks (`splitting`), itself where there are none.

        Numbers stay what they are; the new tasks and methods come after all others.
        """
        facts = [len(facts) if is_rigid else None for facts, is_rigid in zip(self.init, self.is_rigid)]
        beginnings = Beginnings(facts, in_sequence=self.is_totally_ordered)
        methods, domains = beginnings.cut(self.methods, self.task_domains, self.root)
        if len(methods) == len(self.methods):
            return self
        made = copy(self)
        made.methods, made.task_domains = tuple(methods), tuple(domains)
        made.task_names += (SPLIT_NAME,) * (len(domains) - len(self.task_names))
        made.methods_of = made._by_task()
        return made

    def _by_task(self) -> tuple[tuple[MethodSchema, ...], ...]:
        by_task: list[list[MethodSchema]] = [[] for _ in self.task_names]
        for method in self.methods:
            by_task[method.task].append(method)
        return tuple(map(tuple, by_task))

    def _expand(self) -> None:
        """Write quantifiers out in all conditions, now that it is known which facts never change."""
        rigid = [set(facts) if self.is_rigid[number] else None for number, facts in enumerate(self.init)]

        def truth(predicate: int, objects: tuple[int, ...]) -> bool | None:
            facts = rigid[predicate]
            return None if facts is None else objects in facts

        self.goal = expanded(self.goal, truth)
        self.actions = tuple(
            action._replace(
                condition=expanded(action.condition, truth),
                changes=tuple(c._replace(condition=expanded(c.condition, truth)) for c in action.changes),
            )
            for action in self.actions
        )
        self.methods = tuple(m._replace(condition=expanded(m.condition, truth)) for m in self.methods)

    def members(self, mask: int) -> tuple[int, ...]:
        """Return the objects of a bit set in the order of their declaration."""
        return tuple(bits(mask))

    def task_text(self, task: int, arguments: Iterable[int]) -> tuple[str, ...]:
        """Return a ground task as names."""
        return (self.task_names[task], *(self.objects[number] for number in arguments))

    def _mask(self, names: Iterable[str]) -> int:
        return sum(1 << self._object_number[name] for name in names)

    def _names(self, names: Iterable[str]) -> tuple[int, ...]:
        return tuple(self._object_number[name] for name in names)

    def _domain(self, parameter: Parameter) -> int:
        mask = 0
        for name in parameter.types:
            mask |= self._type_masks[name]
        return mask

    def _predicate_domains(self) -> tuple[tuple[int, ...], ...]:
        """Return the declared types, widened by objects of other types that the initial facts or effects bring in."""
        domains = [list(map(self._domain, item.parameters)) for item in self.source.domain.predicates]
        for predicate, facts in enumerate(self.init):
            for position, column in enumerate(zip(*facts)):
                for number in set(column):
                    domains[predicate][position] |= 1 << number
        for action in self.actions:
            for change in filter(lambda change: change.literal.positive, action.changes):
                masks = (*action.domains, *(mask for _, mask in change.variables))
                for position, term in enumerate(change.literal.terms):
                    domains[change.literal.predicate][position] |= masks[term] if term >= 0 else 1 << ~term
        return tuple(map(tuple, domains))

    def _action(self, action: model.Action) -> ActionSchema:
        scope = _Scope.of(action.parameters, map(self._domain, action.parameters))
        condition = self._conjunction(action.precondition, scope)
        domains = tuple(scope.domains)
        changes = []
        for effect in action.effects:
            inner = scope.extended(effect.parameters, map(self._domain, effect.parameters))
            literal = self._atom(effect.atom, inner, not effect.is_delete)
            limited = self._conjunction(effect.condition, inner, narrow=False)
            variables = tuple(enumerate(inner.domains))[len(domains) :]
            changes.append(Change(literal, variables, limited))
        return ActionSchema(action.name, domains, condition, tuple(changes))

    def _method(self, method: model.HddlMethod) -> MethodSchema:
        scope = _Scope.of(method.parameters, map(self._domain, method.parameters))
        return self._decomposition(
            method.name,
            self._task_number[method.task],
            self._terms(method.arguments, scope),
            And((method.precondition, method.network.constraint)),
            method.network,
            scope,
        )

    def _root_methods(self, problem: model.HddlProblem) -> list[MethodSchema]:
        if problem.initial is not None:
            scope = _Scope.of(problem.initial.parameters, map(self._domain, problem.initial.parameters))
            network = problem.initial.network
            return [self._decomposition("__root__", self.root, (), network.constraint, network, scope)]
        stop = MethodSchema("__stop__", self.root, (), (), self.goal, (), ())
        steps = [
            MethodSchema(
                "__step__",
                self.root,
                (),
                action.domains,
                Condition(),
                ((number, terms), (self.root, ())),
                ((0, 1),),
            )
            for number, action in enumerate(self.actions)
            for terms in [tuple(range(len(action.domains)))]
        ]
        return [stop, *steps]

    def _decomposition(
        self,
        name: str,
        task: int,
        arguments: tuple[int, ...],
        formula: Formula,
        network: model.TaskNetwork,
        scope: _Scope,
    ) -> MethodSchema:
        condition = self._conjunction(formula, scope)
        order = network.topological_order
        position = {declared: index for index, declared in enumerate(order)}
        subtasks = []
        for declared in order:
            subtask = network.subtasks[declared]
            number = self._task_number[subtask.task]
            terms = self._terms(subtask.arguments, scope)
            scope.restrict(terms, self.task_domains[number])
            subtasks.append((number, terms))
        if task != self.root:
            scope.restrict(arguments, self.task_domains[task])
        ordering = tuple(sorted((position[first], position[second]) for first, second in network.ordering))
        domains = tuple(scope.domains) if scope.is_possible else (0,)
        return MethodSchema(name, task, arguments, domains, condition, tuple(subtasks), ordering)

    def _terms(self, names: Iterable[str], scope: _Scope) -> tuple[int, ...]:
        return tuple(scope.variables[name] if name in scope.variables else ~self._object_number[name] for name in names)

    def _atom(self, atom: Atom, scope: _Scope, positive: bool) -> Literal:
        return Literal(self._predicate_number[atom.predicate], self._terms(atom.arguments, scope), positive)

    def _conjunction(self, formula: Formula, scope: _Scope, *, narrow: bool = True) -> Condition:
        """Split a formula into literals and the rest; with `narrow`, `sortof` narrows the domains of the scope."""
        literals: dict[Literal, None] = {}
        formulas: list[Residual] = []
        for part in _conjuncts(self._residual(formula, scope, True)):
            if isinstance(part, Literal):
                literals[part] = None
            elif narrow and isinstance(part, Member):
                scope.restrict((part.term,), (part.objects,))
            else:
                formulas.append(part)
        return Condition(tuple(literals), tuple(formulas))

    def _residual(self, formula: Formula, scope: _Scope, positive: bool) -> Residual:
        """Return the formula, or its negation, with negations pushed down to the literals."""
        match formula:
            case Atom():
                return self._atom(formula, scope, positive)
            case Equal(left=left, right=right):
                return Literal(EQUAL, self._terms((left, right), scope), positive)
            case SortOf(term=term, type=name):
                everything = (1 << len(self.objects)) - 1
                mask = self._type_masks[name]
                return Member(self._terms((term,), scope)[0], mask if positive else everything & ~mask)
            case Not(part=part):
                return self._residual(part, scope, not positive)
            case And(parts=parts):
                return Junction(positive, tuple(self._residual(part, scope, positive) for part in parts))
            case Or(parts=parts):
                return Junction(not positive, tuple(self._residual(part, scope, positive) for part in parts))
            case Imply(premise=premise, conclusion=conclusion):
                parts = (Not(premise), conclusion)
                return Junction(not positive, tuple(self._residual(part, scope, positive) for part in parts))
            case ForAll(parameters=parameters, body=body) | Exists(parameters=parameters, body=body):
                is_all = isinstance(formula, ForAll) == positive
                inner = scope.extended(parameters, map(self._domain, parameters))
                result = self._residual(body, inner, positive)
                for parameter in reversed(parameters):
                    variable = inner.variables[parameter.name]
                    result = Quantified(is_all, variable, inner.domains[variable], result)
                return result
        raise TypeError(formula)


class _Scope:
    """Variables by name, and the allowed objects of each. Quantifiers open inner scopes with fresh numbers."""

    def __init__(self, variables: Mapping[str, int], domains: list[int]) -> None:
        self.variables = variables
        self.domains = domains
        self.is_possible = True

    @classmethod
    def of(cls, parameters: Sequence[Parameter], domains: Iterable[int]) -> _Scope:
        return cls({parameter.name: number for number, parameter in enumerate(parameters)}, list(domains))

    def extended(self, parameters: Sequence[Parameter], domains: Iterable[int]) -> _Scope:
        if not parameters:
            return self
        first = len(self.domains)
        names = {parameter.name: first + offset for offset, parameter in enumerate(parameters)}
        # Inner domains share the list only as a prefix: numbers stay unique within one formula.
        return _Scope({**self.variables, **names}, [*self.domains, *domains])

    def restrict(self, terms: Sequence[int], domains: Sequence[int]) -> None:
        for term, allowed in zip(terms, domains):
            if term >= 0:
                self.domains[term] &= allowed
            elif not allowed >> ~term & 1:
                self.is_possible = False


def _conjuncts(formula: Residual) -> Iterator[Residual]:
    if isinstance(formula, Junction) and (formula.is_and or len(formula.parts) == 1):
        for part in formula.parts:
            yield from _conjuncts(part)
    else:
        yield formula
