"""Is this plan right? An independent check that shares no code with the solvers.

A plan solves a problem when

1. its identifiers form a tree: every action and task belongs to exactly one parent, all below the root;
2. every action is declared, has objects of the right types, and its precondition holds when its turn comes;
3. every task became the subtasks of a method that decomposes it, under one choice of the method's variables that
   satisfies types and constraints, and the root became the problem's network; parts are listed as the ordering allows;
4. actions respect all ordering constraints, and the precondition of every method holds at some moment after what must
   come before its task and before its first action;
5. the goal holds at the end.

They are checked in this order and the first fault is the answer. Condition 4 is decided exactly by giving every
task the earliest possible moment, from the root down: preconditions change nothing, so earlier is never worse. Where
parts can be seen as a method's subtasks in more than one way, one way after the other is tried.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from planvow.budgets import Deadline
from planvow.errors import BudgetExceededError, did_you_mean
from planvow.hddl.language.errors import PlanFormatError
from planvow.hddl.language.formula import TRUE, And, Formula, Parameter
from planvow.hddl.language.model import HddlMethod, HddlProblem, TaskNetwork
from planvow.hddl.language.plan_format import HddlPlan, parse_plan
from planvow.hddl.verify.history import Binding, History
from planvow.hddl.verify.matching import Way, Ways, assignments, bound_arguments
from planvow.verdict import Fault, Verdict

_ROOT = -1
MAX_WAYS = 1_000
"""Ways to see parts as subtasks, over the whole plan, that are tried one after the other."""


class Condition(StrEnum):
    """What a plan must keep, and what kind of thing is wrong when it does not."""

    FORMAT = "format"
    STRUCTURE = "structure"
    ACTION = "action"
    PRECONDITION = "precondition"
    DECOMPOSITION = "decomposition"
    METHOD_PRECONDITION = "method_precondition"
    ORDERING = "ordering"
    GOAL = "goal"


CHECKER = "hddl"


class _Wrong(Exception):
    def __init__(self, condition: Condition, reason: str, at: int = 0) -> None:
        self.condition, self.reason, self.at = condition, reason, at


class _NoWay(_Wrong):
    """A task whose parts are no method's subtasks, however the others are seen."""


def _rejected(condition: Condition, reason: str, place: str) -> Verdict:
    return Verdict(checker=CHECKER, faults=(Fault(condition=condition, place=place, message=reason),))


def verify_plan(problem: HddlProblem, plan: HddlPlan, deadline: Deadline | None = None) -> Verdict:
    """Check a plan against its problem and say why when it is wrong.

    Raises planvow.budgets.Interrupted when the deadline says so.

    >>> verify_plan(parse_problem(problem_text, parse_domain(domain_text)), parse_plan(plan_text)).accepted
    True
    """
    check = _Check(problem, plan, deadline or Deadline())
    try:
        check.structure()
        check.execution()
        check.decomposition()
        check.goal()
    except _Wrong as wrong:
        place = str(plan.source.place(wrong.at)) if plan.source.text else ""
        return _rejected(wrong.condition, wrong.reason, place)
    return Verdict(checker=CHECKER)


def verify_text(problem: HddlProblem, text: str, *, file: str = "<plan>") -> Verdict:
    """Check plan text; text that is no plan at all is a wrong plan too."""
    try:
        plan = parse_plan(text, file=file)
    except PlanFormatError as error:
        return _rejected(Condition.FORMAT, error.summary, error.place or "")
    return verify_plan(problem, plan)


class _Check:
    def __init__(self, problem: HddlProblem, plan: HddlPlan, deadline: Deadline) -> None:
        self.problem = problem
        self.plan = plan
        self.deadline = deadline
        self.history = History(problem, deadline)
        self.step_at = {step.step_id: index for index, step in enumerate(plan.steps)}
        self.parts = {part.task_id: part for part in plan.decompositions}
        self.span: dict[int, tuple[int, int]] = {}
        """First and last position of the actions below a task; (length, -1) when it has none."""
        self.ways: dict[int, Ways] = {}
        self.chosen: dict[int, int] = {}
        """Which way each task is seen in, in the order in which they were met."""

    def structure(self) -> None:
        """Condition 1."""
        steps = [(step.step_id, str(step), step.at) for step in self.plan.steps]
        items = steps + [(part.task_id, str(part), part.at) for part in self.plan.decompositions]
        owners: dict[int, str] = {}
        for identifier, _, at in items:
            if identifier in owners:
                raise _Wrong(Condition.STRUCTURE, f"identifier {identifier} is used twice", at)
            owners[identifier] = ""
        for name, children, at in self._families():
            for child in children:
                if child not in owners:
                    raise _Wrong(Condition.STRUCTURE, f"{name} has the part {child}, which is not in the plan", at)
                if owners[child]:
                    raise _Wrong(Condition.STRUCTURE, f"{child} is a part of {owners[child]} and of {name}", at)
                owners[child] = name
        for identifier, name, at in items:
            if not owners[identifier]:
                raise _Wrong(Condition.STRUCTURE, f"{identifier} {name} is no part of the root or of any task", at)
        self._measure()

    def _families(self) -> Iterator[tuple[str, tuple[int, ...], int]]:
        yield "the root", self.plan.roots, self.plan.root_at
        for part in self.plan.decompositions:
            yield f"{part.task_id} {part}", part.children, part.at

    def _children(self, identifier: int) -> tuple[int, ...]:
        if identifier == _ROOT:
            return self.plan.roots
        part = self.parts.get(identifier)
        return part.children if part else ()

    def _measure(self) -> None:
        """Find the span of every task, children before parents, and whether all is below the root."""
        order = [_ROOT]
        for identifier in order:
            order += self._children(identifier)
        if len(order) != 1 + len(self.step_at) + len(self.parts):
            stray = min(set(self.parts) - set(order))
            raise _Wrong(Condition.STRUCTURE, f"{stray} {self.parts[stray]} is below itself", self.parts[stray].at)
        for identifier in reversed(order):
            if identifier in self.step_at:
                self.span[identifier] = (self.step_at[identifier], self.step_at[identifier])
            else:
                below = [self.span[child] for child in self._children(identifier)]
                first = min((span[0] for span in below), default=len(self.plan.steps))
                self.span[identifier] = (first, max((span[1] for span in below), default=-1))

    def execution(self) -> None:
        """Condition 2."""
        for step in self.plan.steps:
            self.deadline.spend()
            action = self.problem.domain.action_named.get(step.action)
            if action is None:
                hint = did_you_mean(step.action, self.problem.domain.action_named)
                raise _Wrong(Condition.ACTION, _with_hint(f"there is no action {step.action!r}", hint), step.at)
            self._check_arguments("action", step.action, action.parameters, step.arguments, step.at)
            binding = {p.name: name for p, name in zip(action.parameters, step.arguments)}
            if not self.history.holds(action.precondition, binding, self.history.length):
                why = self.history.why_not(action.precondition, binding, self.history.length)
                raise _Wrong(Condition.PRECONDITION, f"the precondition of {step} does not hold: {why}", step.at)
            self.history.apply(action, binding)

    def _check_arguments(
        self, kind: str, name: str, parameters: tuple[Parameter, ...], arguments: tuple[str, ...], at: int
    ) -> None:
        fault = Condition.ACTION if kind == "action" else Condition.DECOMPOSITION
        if len(parameters) != len(arguments):
            raise _Wrong(fault, f"{kind} {name!r} takes {len(parameters)} arguments, found {len(arguments)}", at)
        for parameter, argument in zip(parameters, arguments):
            if not self.history.is_of(argument, parameter.types):
                what = f"{argument} is not a {' or '.join(parameter.types)}"
                if not self.history.is_object(argument):
                    what = f"there is no object {argument!r}"
                raise _Wrong(fault, f"in {kind} {name!r}: {what}", at)

    def decomposition(self) -> None:
        """Conditions 3 and 4, going back to another way to see parts as subtasks where one leads to a fault."""
        if self.problem.initial is None:
            self._classical()
            return
        first: _Wrong | None = None
        for _ in range(MAX_WAYS):
            try:
                self._walk()
            except _Wrong as wrong:
                first = first or wrong
                if isinstance(wrong, _NoWay) or not self._other_way():
                    raise first from None
            else:
                return
        raise BudgetExceededError("ways to see the parts of tasks as subtasks", MAX_WAYS)

    def _other_way(self) -> bool:
        """Choose the next way for the task met last that has another; those met after it begin anew."""
        while self.chosen:
            identifier, number = self.chosen.popitem()
            if self.ways[identifier].get(number + 1) is not None:
                self.chosen[identifier] = number + 1
                return True
        return False

    def _walk(self) -> None:
        """From the root down, give each task the earliest moment it can have."""
        pending: dict[int, int] = {}
        after: dict[int, list[int]] = {}
        start: dict[int, int] = {_ROOT: 0}
        end: dict[int, int] = {}
        parent: dict[int, int] = {}
        unfinished: dict[int, int] = {}
        ready = [_ROOT]
        while ready:
            identifier = ready.pop()
            self.deadline.spend()
            if identifier in self.step_at:
                end[identifier] = self._place_action(identifier, start[identifier])
                finished = identifier
            else:
                moment, pairs = self._expand(identifier, start[identifier])
                children = self._children(identifier)
                end[identifier] = moment
                unfinished[identifier] = len(children)
                for child in children:
                    start[child], pending[child], after[child], parent[child] = moment, 0, [], identifier
                for first, second in pairs:
                    after[first].append(second)
                    pending[second] += 1
                ready += [child for child in reversed(children) if not pending[child]]
                if children:
                    continue
                finished = identifier
            while finished != _ROOT:  # an end lets later siblings start, and may be the end of the parent too
                for later in after[finished]:
                    start[later] = max(start[later], end[finished])
                    pending[later] -= 1
                    if not pending[later]:
                        ready.append(later)
                above = parent[finished]
                end[above] = max(end[above], end[finished])
                unfinished[above] -= 1
                if unfinished[above]:
                    break
                finished = above

    def _classical(self) -> None:
        if self.plan.decompositions:
            first = self.plan.decompositions[0]
            raise _Wrong(Condition.DECOMPOSITION, "the problem has no task network, so nothing is decomposed", first.at)

    def _place_action(self, identifier: int, earliest: int) -> int:
        position = self.step_at[identifier]
        step = self.plan.steps[position]
        if earliest > position:
            other = self.plan.steps[earliest - 1]
            raise _Wrong(Condition.ORDERING, f"{step} must come after step {earliest}, {other}", step.at)
        return position + 1

    def _expand(self, identifier: int, earliest: int) -> tuple[int, list[tuple[int, int]]]:
        """See a task's parts as a method's subtasks; return the moment of its condition and the order of the parts."""
        if identifier not in self.ways:
            try:
                self.ways[identifier] = Ways(self._ways(identifier))
                self.ways[identifier].get(0)
            except _Wrong as wrong:
                raise _NoWay(wrong.condition, wrong.reason, wrong.at) from None
        way = self.ways[identifier].get(self.chosen.setdefault(identifier, 0))
        assert way is not None
        children = self._children(identifier)
        at = self.plan.root_at if identifier == _ROOT else self.parts[identifier].at
        return self._moment(way.name, way.method, way.binding, earliest, children, at), way.pairs

    def _ways(self, identifier: int) -> Iterator[Way]:
        if identifier == _ROOT:
            initial = self.problem.initial
            assert initial is not None
            whole = HddlMethod(name="root", task="root", parameters=initial.parameters, network=initial.network)
            return self._fitting("the root", self.plan.roots, [(whole, {})], self.plan.root_at)
        part = self.parts[identifier]
        task = self.problem.domain.task_named.get(part.task)
        if task is None:
            hint = did_you_mean(part.task, self.problem.domain.task_named)
            raise _Wrong(Condition.DECOMPOSITION, _with_hint(f"there is no task {part.task!r}", hint), part.at)
        self._check_arguments("task", part.task, task.parameters, part.arguments, part.at)
        named = [method for method in self.problem.domain.methods if method.name == part.method]
        methods = [method for method in named if method.task == part.task]
        if not methods:
            reason = f"there is no method {part.method!r}"
            if named:
                reason = f"method {part.method!r} decomposes {named[0].task!r}, not {part.task!r}"
            hint = did_you_mean(part.method, {method.name for method in self.problem.domain.methods})
            raise _Wrong(Condition.DECOMPOSITION, _with_hint(reason, None if named else hint), part.at)
        heads = [(method, bound_arguments(method, part.arguments)) for method in methods]
        fitting = [(method, binding) for method, binding in heads if binding is not None]
        if not fitting:
            raise _Wrong(
                Condition.DECOMPOSITION, f"method {part.method!r} does not fit the arguments of {part}", part.at
            )
        return self._fitting(f"{identifier} {part} by {part.method!r}", part.children, fitting, part.at)

    def _fitting(
        self, name: str, children: tuple[int, ...], methods: list[tuple[HddlMethod, Binding]], at: int
    ) -> Iterator[Way]:
        """Yield the ways that keep types and order, or raise for the fault of the first one when there are none."""
        wrong: _Wrong | None = None
        is_found = False
        calls = [self._call(child) for child in children]
        for method, head in methods:
            for slots, binding in assignments(method.network, calls, head):
                pairs = self._pairs(method.network, children, slots)
                try:
                    self._check_order(name, pairs, at)
                    self._check_types(name, method, binding, at)
                except _Wrong as fault:
                    wrong = wrong or fault
                else:
                    is_found = True
                    yield Way(name, method, binding, pairs)
        if not is_found:
            raise wrong or _Wrong(Condition.DECOMPOSITION, f"{name}: {_mismatch(methods[0][0], calls)}", at)

    def _call(self, identifier: int) -> tuple[str, tuple[str, ...]]:
        if identifier in self.step_at:
            step = self.plan.steps[self.step_at[identifier]]
            return step.action, step.arguments
        part = self.parts[identifier]
        return part.task, part.arguments

    def _pairs(self, network: TaskNetwork, children: tuple[int, ...], slots: list[int]) -> list[tuple[int, int]]:
        child_of = dict(zip(slots, children))
        return [(child_of[first], child_of[second]) for first, second in network.ordering]

    def _check_order(self, name: str, pairs: list[tuple[int, int]], at: int) -> None:
        for first, second in pairs:
            last, begin = self.span[first][1], self.span[second][0]
            if begin <= last:
                late, early = self.plan.steps[last], self.plan.steps[begin]
                reason = f"{name}: part {first} must be done before part {second}, but {late} comes after {early}"
                raise _Wrong(Condition.ORDERING, reason, at)

    def _check_types(self, name: str, method: HddlMethod, binding: Binding, at: int) -> None:
        types = {parameter.name: parameter.types for parameter in method.parameters}
        for variable, value in binding.items():
            if not self.history.is_of(value, types[variable]):
                kind = " or ".join(types[variable])
                raise _Wrong(Condition.DECOMPOSITION, f"{name}: {variable} is a {kind}, {value} is not", at)

    def _moment(
        self, name: str, method: HddlMethod, binding: Binding, earliest: int, children: tuple[int, ...], at: int
    ) -> int:
        """Return the first moment at which the method's conditions hold, not later than its first action."""
        conditions: Formula = And((method.network.constraint, method.precondition))
        latest = min((self.span[child][0] for child in children), default=len(self.plan.steps))
        free = method.parameters
        if method.precondition == TRUE:
            latest = min(latest, earliest)
        for position in range(earliest, latest + 1):
            self.deadline.spend()
            if self.history.can_hold(conditions, binding, free, position):
                return position
        if latest < earliest:  # some action stands too early: the pass below this task names it
            return earliest
        if not self.history.can_hold(method.network.constraint, binding, free, earliest):
            raise _Wrong(Condition.DECOMPOSITION, f"{name}: the constraints of the method are violated", at)
        why = "no choice of its variables makes it hold"
        if all(parameter.name in binding for parameter in free):
            why = self.history.why_not(method.precondition, binding, earliest)
        reason = f"{name}: the precondition of the method does not hold after step {earliest}: {why}"
        raise _Wrong(Condition.METHOD_PRECONDITION, reason, at)

    def goal(self) -> None:
        """Condition 5."""
        end = max(0, len(self.plan.source.text) - 1)
        if not self.history.holds(self.problem.goal, {}, self.history.length):
            why = self.history.why_not(self.problem.goal, {}, self.history.length)
            raise _Wrong(Condition.GOAL, f"the goal does not hold at the end: {why}", end)


def _mismatch(method: HddlMethod, calls: list[tuple[str, tuple[str, ...]]]) -> str:
    subtasks = method.network.subtasks
    if len(subtasks) != len(calls):
        return f"expected {len(subtasks)} parts, found {len(calls)}"
    wanted = ", ".join(f"({' '.join((s.task, *s.arguments))})" for s in subtasks[:6])
    found = ", ".join(f"({' '.join((task, *arguments))})" for task, arguments in calls[:6])
    return f"expected parts that match {wanted} in an order they allow, found {found}"


def _with_hint(reason: str, hint: str | None) -> str:
    return f"{reason}; {hint}" if hint else reason
