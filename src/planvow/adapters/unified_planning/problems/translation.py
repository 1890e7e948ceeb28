"""A hierarchical problem of unified-planning as an HDDL domain and problem.

Everything planvow does with HDDL it then does with the problem: plan, verify, certify, explain, prove that there is no
plan, write files for other planners. What cannot be said exactly is refused by name; nothing is approximated.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

from unified_planning.model import InstantaneousAction
from unified_planning.model.htn import HierarchicalProblem

from planvow.adapters.unified_planning.problems.costs import costs_of
from planvow.adapters.unified_planning.problems.effects import effects_of
from planvow.adapters.unified_planning.problems.errors import UpModelError, UpUnsupportedError
from planvow.adapters.unified_planning.problems.formulas import FALSE, Scope, joined
from planvow.adapters.unified_planning.problems.names import Names
from planvow.adapters.unified_planning.problems.networks import network_of
from planvow.adapters.unified_planning.problems.vocabulary import (
    Vocabulary,
    declared_objects,
    declared_predicates,
    declared_types,
)
from planvow.hddl.language.formula import Atom
from planvow.hddl.language.model import (
    Action,
    HddlDomain,
    HddlMethod,
    HddlProblem,
    InitialNetwork,
    Task,
)
from planvow.hddl.language.writer import write_domain, write_problem

_REQUIREMENTS = (":adl", ":hierarchy", ":method-preconditions")
_PARTS = {
    "timed_effects": "timed effects",
    "timed_goals": "timed goals",
    "trajectory_constraints": "trajectory constraints",
    "processes": "processes",
    "events": "events",
}


@dataclass(frozen=True)
class Translation:
    """A problem in both forms. `words` says what everything is called."""

    source: Any
    problem: HddlProblem
    words: Vocabulary

    @cached_property
    def domain_text(self) -> str:
        """The domain as the text of an HDDL file."""
        return write_domain(self.problem.domain)

    @cached_property
    def problem_text(self) -> str:
        """The problem as the text of an HDDL file."""
        return write_problem(self.problem)


def to_hddl(problem: Any, *, without: Collection[str] = ()) -> Translation:
    """Translate a hierarchical problem; raise UpUnsupportedError, UpCycleError or UpModelError with the culprit's name.

    Actions named in `without` can never be done.
    """
    if not isinstance(problem, HierarchicalProblem):
        raise UpUnsupportedError(f"expected a HierarchicalProblem, found a {type(problem).__name__}")
    for attribute, said in _PARTS.items():
        if getattr(problem, attribute, None):
            raise UpUnsupportedError(f"the problem has {said}, which are not planned with")
    words = Vocabulary(problem)
    named = Names().add(problem.name or "unnamed")
    functions, costs, metric = costs_of(problem)
    predicates = declared_predicates(problem, words)  # first: what is wrong with a fluent is said of the fluent
    methods = tuple(_method(method, words) for method in problem.methods)
    actions = tuple(_action(action, words, costs.get(action.name, ()), without) for action in problem.actions)
    constants = {words.objects[name] for name in words.mentioned}
    objects = declared_objects(problem, words)
    domain = HddlDomain(
        name=f"{named}-domain",
        requirements=(*_REQUIREMENTS, *((":action-costs",) if functions else ())),
        types=declared_types(problem, words),
        constants=tuple(item for item in objects if item.name in constants),
        predicates=predicates,
        functions=functions,
        tasks=tuple(_task(task, words) for task in problem.tasks),
        methods=methods,
        actions=actions,
    )
    scope = Scope(words, "the initial task network")
    made = HddlProblem(
        name=named,
        domain=domain,
        objects=tuple(item for item in objects if item.name not in constants),
        init=tuple(_initial_facts(problem, words)),
        initial=InitialNetwork(
            parameters=scope.declare(problem.task_network.variables),
            network=network_of(problem.task_network, scope),
        ),
        goal=Scope(words, "the goal").conjunction(problem.goals),
        metric=metric,
    )
    return Translation(source=problem, problem=made, words=words)


def _task(task: Any, words: Vocabulary) -> Task:
    scope = Scope(words, f"the task {task.name}")
    return Task(name=words.subtask(task, "a task"), parameters=scope.declare(task.parameters))


def _method(method: Any, words: Vocabulary) -> HddlMethod:
    scope = Scope(words, f"the method {method.name}")
    parameters = scope.declare(method.parameters)
    achieved = method.achieved_task
    return HddlMethod(
        name=words.methods[method.name],
        task=words.subtask(achieved.task, f"what {scope.what} achieves"),
        arguments=tuple(scope.variable(parameter.name) for parameter in achieved.parameters),
        parameters=parameters,
        precondition=scope.conjunction(method.preconditions),
        network=network_of(method, scope),
    )


def _action(action: Any, words: Vocabulary, costs: Any, without: Collection[str]) -> Action:
    what = f"the action {action.name}"
    if type(action) is not InstantaneousAction:
        raise UpUnsupportedError(f"{what} is a {type(action).__name__}: only instantaneous actions are planned with")
    if action.simulated_effect is not None:
        raise UpUnsupportedError(f"{what} has a simulated effect, which is not planned with")
    scope = Scope(words, what)
    parameters = scope.declare(action.parameters)
    precondition = scope.conjunction(action.preconditions)
    effects, no_conflict = effects_of(action, scope)
    return Action(
        name=words.action(action, "an action"),
        parameters=parameters,
        precondition=FALSE if action.name in without else joined([precondition, no_conflict]),
        effects=effects,
        costs=costs,
    )


def _initial_facts(problem: Any, words: Vocabulary) -> Iterator[Atom]:
    explicit: dict[Any, list[Any]] = {}
    for expression, value in problem.explicit_initial_values.items():
        explicit.setdefault(expression.fluent(), []).append((expression, value))
    for fluent in problem.fluents:
        default = problem.fluents_defaults.get(fluent)
        stated = explicit.get(fluent, [])
        if default is None or not (default.is_bool_constant() and default.is_false()):
            stated = [(expression, _value(problem, expression)) for expression in _instances(problem, fluent)]
        for expression, value in stated:
            arguments = [words.object(argument.object()) for argument in expression.args]
            if fluent.type.is_user_type():
                yield Atom(words.fluents[fluent.name], (*arguments, words.object(value.object())))
            elif value.is_true():
                yield Atom(words.fluents[fluent.name], tuple(arguments))


def _instances(problem: Any, fluent: Any) -> Iterator[Any]:
    choices = [list(problem.objects(parameter.type)) for parameter in fluent.signature]
    return (fluent(*chosen) for chosen in product(*choices))


def _value(problem: Any, expression: Any) -> Any:
    found = problem.explicit_initial_values.get(expression, problem.fluents_defaults.get(expression.fluent()))
    if found is None:
        raise UpModelError(f"the fluent {expression} has no initial value")
    return found
