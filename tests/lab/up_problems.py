"""Small hierarchical problems of unified-planning: one for every feature, and random ones."""

from __future__ import annotations

import contextlib

from unified_planning.exceptions import UPConflictingEffectsException
from unified_planning.model.htn import HierarchicalProblem, Method
from unified_planning.shortcuts import (
    And,
    BoolType,
    Equals,
    Exists,
    Fluent,
    Forall,
    InstantaneousAction,
    MinimizeActionCosts,
    MinimizeSequentialPlanLength,
    Not,
    Object,
    Or,
    UserType,
    Variable,
)

from hddl_random import Numbers

Thing = UserType("Thing")
Tool = UserType("Tool", Thing)


class World:
    """A problem with two things and a tool; `chosen` and `use` make a plan show which object was taken."""

    def __init__(self, name: str = "world") -> None:
        self.problem = HierarchicalProblem(name)
        self.a, self.b = (self.problem.add_object(Object(word, Thing)) for word in "ab")
        self.saw = self.problem.add_object(Object("saw", Tool))
        self.ready = self.flag("ready", x=Thing)
        self.done = self.flag("done", x=Thing)
        self.use = InstantaneousAction("use", x=Thing)
        self.use.add_effect(self.done(self.use.x), True)
        self.problem.add_action(self.use)
        self.work = self.problem.add_task("work", x=Thing)

    def flag(self, name, **signature):
        fluent = Fluent(name, BoolType(), **signature)
        self.problem.add_fluent(fluent, default_initial_value=False)
        return fluent

    def place(self, name, value, **signature):
        fluent = Fluent(name, Thing, **signature)
        self.problem.add_fluent(fluent, default_initial_value=value)
        return fluent

    def action(self, name, **parameters):
        action = InstantaneousAction(name, **parameters)
        self.problem.add_action(action)
        return action

    def method(self, name="by_use", **others):
        """Add a method for `work` that uses its thing, or the given free one `y`."""
        method = Method(name, x=Thing, **others)
        method.set_task(self.work, method.x)
        method.add_subtask(self.use, method.y if "y" in others else method.x)
        self.problem.add_method(method)
        return method

    def to_do(self, *things):
        return [self.problem.task_network.add_subtask(self.work, thing) for thing in things]

    def set(self, fluent, *arguments, value=True):
        self.problem.set_initial_value(fluent(*arguments), value)


def _simple() -> World:
    world = World()
    world.method()
    world.to_do(world.a)
    return world


def _total() -> World:
    world = _simple()
    first, second = world.problem.task_network.subtasks[0], world.problem.task_network.add_subtask(world.use, world.b)
    world.problem.task_network.set_ordered(second, first)
    return world


def _partial() -> World:
    world = World()
    world.use.add_precondition(Or(world.ready(world.use.x), Equals(world.use.x, world.a)))
    world.use.add_effect(world.ready(world.b), True)
    world.method()
    world.to_do(world.b, world.a)
    return world


def _choosing(restrict) -> World:
    """The method has a free thing y; `restrict(world, method)` leaves one choice."""
    world = World()
    method = world.method(y=Thing)
    world.to_do(world.a)
    restrict(world, method)
    return world


def _ready(world, *things):
    for thing in things:
        world.set(world.ready, thing)


def _precondition(world, method):
    method.add_precondition(world.ready(method.y))
    _ready(world, world.b)


def _constraint(world, method):
    method.add_constraint(Not(Equals(method.x, method.y)))
    method.add_precondition(Not(Equals(method.y, world.saw)))


def _negative(world, method):
    method.add_precondition(Not(world.ready(method.y)))
    _ready(world, world.a, world.saw)


def _disjunctive(world, method):
    method.add_precondition(Or(And(world.ready(method.y), world.done(method.y)), Equals(method.y, world.b)))
    _ready(world, world.a, world.saw)


def _existential(world, method):
    near = world.flag("near", x=Thing, y=Thing)
    other = Variable("other", Thing)
    method.add_precondition(Exists(And(near(method.y, other), world.ready(other)), other))
    world.set(near, world.a, world.b)
    world.set(near, world.b, world.saw)
    _ready(world, world.saw)


def _universal(world, method):
    near = world.flag("near", x=Thing, y=Thing)
    other = Variable("other", Thing)
    method.add_precondition(Forall(Or(near(method.y, other), Not(world.ready(other))), other))
    world.set(near, world.a, world.b)
    for thing in (world.a, world.b):
        world.set(near, world.b, thing)
    _ready(world, world.a, world.b)


def _hierarchical_typing() -> World:
    world = World()
    method = Method("by_tool", x=Thing, tool=Tool)
    method.set_task(world.work, method.x)
    method.add_subtask(world.use, method.tool)
    world.problem.add_method(method)
    world.to_do(world.a)
    return world


def _network_variables() -> World:
    world = World()
    world.method()
    network = world.problem.task_network
    some = network.add_variable("some", Thing)
    network.add_subtask(world.work, some)
    network.add_constraint(Or(Equals(some, world.b), Equals(some, world.saw)))
    network.add_constraint(Not(Equals(some, world.saw)))
    return world


def _object_fluents() -> World:
    world = World()
    holds = world.place("holds", world.a)
    world.use.add_precondition(Equals(holds, world.use.x))
    take = world.action("take", x=Thing)
    take.add_effect(holds, take.x)
    method = Method("take_and_use", x=Thing)
    method.set_task(world.work)
    method.set_ordered(method.add_subtask(take, method.x), method.add_subtask(world.use, method.x))
    world.problem.add_method(method)
    first, second = world.to_do(world.b, world.saw)
    world.problem.task_network.set_ordered(first, second)
    world.problem.add_goal(Equals(holds, world.saw))
    world.problem.add_goal(Not(Equals(holds, world.b)))
    return world


def _after(prepare) -> World:
    """`prepare` is done before `use`, which needs everything ready that is to be."""
    world = World()
    world.method()
    made = world.action("prepare")
    prepare(world, made)
    network = world.problem.task_network
    network.set_ordered(network.add_subtask(made), *world.to_do(world.a))
    return world


def _conditional_effects(world, prepare):
    prepare.add_effect(world.done(world.b), True, world.ready(world.b))
    prepare.add_effect(world.done(world.saw), True, world.ready(world.saw))
    _ready(world, world.b)
    world.problem.add_goal(And(world.done(world.b), Not(world.done(world.saw))))


def _forall_effects(world, prepare):
    other = Variable("other", Thing)
    prepare.add_effect(world.ready(other), True, Not(Equals(other, world.b)), forall=(other,))
    world.problem.add_goal(And(world.ready(world.a), world.ready(world.saw), Not(world.ready(world.b))))


def _boolean_assignment(changing):
    def prepare(world, made):
        power, light = world.flag("power"), world.flag("light")
        made.add_effect(light, Not(power))
        if changing:
            made.add_effect(power, light)
        world.set(light)
        world.problem.add_goal(And(light, power) if changing else light)

    return prepare


def _object_assignment(changing):
    def prepare(world, made):
        left, right = world.place("left", world.a), world.place("right", world.b)
        made.add_effect(left, right)
        if changing:
            made.add_effect(right, left)
        world.problem.add_goal(And(Equals(left, world.b), Equals(right, world.a if changing else world.b)))

    return prepare


def _costs() -> World:
    world = World()
    world.method("dear")
    cheap = world.action("glue", x=Thing)
    method = Method("cheap", x=Thing)
    method.set_task(world.work)
    method.add_subtask(cheap, method.x)
    method.add_subtask(cheap, method.x)
    world.problem.add_method(method)
    world.to_do(world.a)
    world.problem.add_quality_metric(MinimizeActionCosts({world.use: 5, cheap: 1}))
    return world


def _length() -> World:
    world = _costs()
    world.problem.clear_quality_metrics()
    world.problem.add_quality_metric(MinimizeSequentialPlanLength())
    return world


BY_FEATURE = {
    "HIERARCHICAL": (_simple, ["use(a)"]),
    "FLAT_TYPING": (_simple, ["use(a)"]),
    "TASK_ORDER_TOTAL": (_total, ["use(b)", "use(a)"]),
    "TASK_ORDER_PARTIAL": (_partial, ["use(a)", "use(b)"]),
    "METHOD_PRECONDITIONS": (lambda: _choosing(_precondition), ["use(b)"]),
    "TASK_NETWORK_CONSTRAINTS": (lambda: _choosing(_constraint), ["use(b)"]),
    "EQUALITIES": (lambda: _choosing(_constraint), ["use(b)"]),
    "NEGATIVE_CONDITIONS": (lambda: _choosing(_negative), ["use(b)"]),
    "DISJUNCTIVE_CONDITIONS": (lambda: _choosing(_disjunctive), ["use(b)"]),
    "EXISTENTIAL_CONDITIONS": (lambda: _choosing(_existential), ["use(b)"]),
    "UNIVERSAL_CONDITIONS": (lambda: _choosing(_universal), ["use(b)"]),
    "HIERARCHICAL_TYPING": (_hierarchical_typing, ["use(saw)"]),
    "INITIAL_TASK_NETWORK_VARIABLES": (_network_variables, ["use(b)"]),
    "OBJECT_FLUENTS": (_object_fluents, ["take(b)", "use(b)", "take(saw)", "use(saw)"]),
    "CONDITIONAL_EFFECTS": (lambda: _after(_conditional_effects), ["prepare", "use(a)"]),
    "FORALL_EFFECTS": (lambda: _after(_forall_effects), ["prepare", "use(a)"]),
    "STATIC_FLUENTS_IN_BOOLEAN_ASSIGNMENTS": (lambda: _after(_boolean_assignment(False)), ["prepare", "use(a)"]),
    "FLUENTS_IN_BOOLEAN_ASSIGNMENTS": (lambda: _after(_boolean_assignment(True)), ["prepare", "use(a)"]),
    "STATIC_FLUENTS_IN_OBJECT_ASSIGNMENTS": (lambda: _after(_object_assignment(False)), ["prepare", "use(a)"]),
    "FLUENTS_IN_OBJECT_ASSIGNMENTS": (lambda: _after(_object_assignment(True)), ["prepare", "use(a)"]),
    "ACTIONS_COST": (_costs, ["glue(a)", "glue(a)"]),
    "INT_NUMBERS_IN_ACTIONS_COST": (_costs, ["glue(a)", "glue(a)"]),
    "PLAN_LENGTH": (_length, ["use(a)"]),
}
"""Feature → what makes a problem of which the feature leaves one plan, and the actions of that plan (the best one)."""


class _Random:
    """One random problem. Tasks call only tasks that come later, so all decompositions can be looked at."""

    def __init__(self, seed: int) -> None:
        self.numbers = Numbers(seed)
        self.problem = HierarchicalProblem(f"random {seed}")
        self.objects = [self.problem.add_object(Object(name, Thing)) for name in ("One", "two words")]
        self.objects.append(self.problem.add_object(Object("and", Tool)))
        self.flags = [self._flag("p"), self._flag("Q q", x=Thing), self._flag("r", x=Thing)]
        self.places = [self._place("at"), self._place("next to", x=Thing)]

    def _flag(self, name, **signature):
        fluent = Fluent(name, BoolType(), **signature)
        self.problem.add_fluent(fluent, default_initial_value=self.numbers.chance(30))
        if signature and self.numbers.chance(50):
            self.problem.set_initial_value(fluent(self.pick(self.objects)), True)
        return fluent

    def _place(self, name, **signature):
        fluent = Fluent(name, Thing, **signature)
        self.problem.add_fluent(fluent, default_initial_value=self.pick(self.objects))
        return fluent

    def pick(self, items):
        return self.numbers.pick(list(items))

    def thing(self, variables, depth=1):
        if depth and self.numbers.chance(25):
            return self.applied(self.pick(self.places), variables, depth - 1)
        return self.pick([*variables, *variables, *self.objects])

    def applied(self, fluent, variables, depth=1):
        return fluent(*(self.thing(variables, depth) for _ in fluent.signature))

    def condition(self, variables, depth=1):
        kind = self.numbers.below(8 if depth else 4)
        if kind < 2:
            return self.applied(self.pick(self.flags), variables)
        if kind == 2:
            return Equals(self.applied(self.pick(self.places), variables), self.thing(variables))
        if kind == 3:
            return Not(self.applied(self.pick(self.flags), variables))
        if kind in (4, 5):
            parts = [self.condition(variables, depth - 1) for _ in range(2)]
            return Or(*parts) if kind == 4 else Not(And(*parts))
        bound = Variable("v", self.pick([Thing, Tool]))
        return (Exists if kind == 6 else Forall)(self.condition([*variables, bound], depth - 1), bound)

    def effect(self, action, variables):
        bound = (Variable("w", Thing),) if self.numbers.chance(20) else ()
        inner = [*variables, *bound]
        condition = self.condition(inner) if self.numbers.chance(30) else True
        if self.numbers.chance(60):
            fluent, value = self.pick(self.flags), self.pick([True, True, False, self.condition(inner, 0)])
        else:
            # Two values of one fluent are compared as they are written by unified-planning's grounder, as they are in
            # the state by its simulator: fluents for values are left to fluents that are assigned once.
            fluent = self.pick(self.places)
            is_first = all(effect.fluent.fluent() != fluent for effect in action.effects)
            value = self.thing(inner, depth=int(is_first and len(action.effects) > 1))
        with contextlib.suppress(UPConflictingEffectsException):  # it sees some contradictions by itself
            action.add_effect(self.applied(fluent, inner, 0), value, condition, forall=bound)

    def signature(self):
        return {name: self.pick([Thing, Thing, Tool]) for name in ("x", "y")[: self.numbers.below(3)]}

    def build(self):
        callable_later = []
        for number in range(3):
            action = InstantaneousAction(f"act {number}", **self.signature())
            if self.numbers.chance(35):
                action.add_precondition(self.condition(action.parameters))
            for _ in range(1 + self.numbers.below(3)):
                self.effect(action, action.parameters)
            self.problem.add_action(action)
            callable_later.append(action)
        for number in range(2):
            task = self.problem.add_task(f"task {number}", **self.signature())
            for index in range(1 + self.numbers.below(2)):
                self.method(f"method {number} {index}", task, callable_later)
            callable_later.append(task)
        network = self.problem.task_network
        variables = [network.add_variable("some", Thing)] if self.numbers.chance(40) else []
        self.network(network, variables, callable_later, 1 + self.numbers.below(2))
        if self.numbers.chance(60):
            self.problem.add_goal(self.condition([], 1))
        return self.problem

    def method(self, name, task, callables):
        parameters = {f"t{index}": parameter.type for index, parameter in enumerate(task.parameters)}
        free = {"free": Thing} if self.numbers.chance(40) else {}
        method = Method(name, **parameters, **free)
        method.set_task(task, *(method.parameter(name) for name in parameters))
        if self.numbers.chance(35):
            method.add_precondition(self.condition(method.parameters))
        self.network(method, method.parameters, callables, self.numbers.below(3))
        self.problem.add_method(method)

    def network(self, network, variables, callables, count):
        subtasks = []
        for _ in range(count):
            task = self.pick(callables)
            subtasks.append(network.add_subtask(task, *(self.thing(variables, 0) for _ in task.parameters)))
        if count == 2 and self.numbers.chance(60):
            network.set_ordered(*(subtasks if self.numbers.chance(50) else subtasks[::-1]))
        if variables and self.numbers.chance(30):
            same = Equals(self.pick(variables), self.thing(variables, 0))
            network.add_constraint(Not(same) if self.numbers.chance(50) else same)


def random_problem(seed: int) -> HierarchicalProblem:
    """Return a small problem made of the numbers that follow from a seed."""
    return _Random(seed).build()
