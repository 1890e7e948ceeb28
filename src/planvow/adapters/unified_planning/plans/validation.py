"""Is this plan right? Plans of any engine, held against the problem by planvow's independent verifier.

The verifier reads plans as HDDL writes them, where the variables of methods and the identifiers of subtasks do not
show. A plan of unified-planning has both, so it is checked against a witness: the same problem in which every task and
action of the plan is one of its own, without variables. The witness has this very plan or none.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from planvow.adapters.unified_planning.plans.conversion import ReadPlan, read_plan
from planvow.adapters.unified_planning.plans.expansions import ROOT, Expansion
from planvow.adapters.unified_planning.problems.errors import UpPlanError
from planvow.adapters.unified_planning.problems.translation import Translation
from planvow.hddl.language.formula import And, Atom, Equal, Exists, ForAll, Formula, Imply, Not, Or, SortOf
from planvow.hddl.language.model import Action, HddlMethod, HddlProblem, InitialNetwork, Subtask, Task, TaskNetwork
from planvow.hddl.language.plan_format import HddlPlan
from planvow.hddl.verify.history import Binding
from planvow.hddl.verify.verifier import verify_plan
from planvow.verdict import Verdict


@dataclass(frozen=True)
class Judgement:
    """The verdict on a plan; `step` is the index of the action that is wrong, where one is."""

    verdict: Verdict
    read: ReadPlan

    @property
    def step(self) -> int | None:
        """The index of the action at which the plan fails."""
        fault = self.verdict.faults[0] if self.verdict.faults else None
        if fault is None or fault.condition not in ("action", "precondition"):
            return None
        return int(fault.place.split(":")[1]) - 1


def judge(translation: Translation, plan: Any) -> Judgement:
    """Check a HierarchicalPlan; raise UpPlanError when it does not have the form of a plan at all."""
    read = read_plan(translation, plan)
    problem = translation.problem
    _check_types(problem, read)
    return Judgement(verify_plan(*_witness(problem, read)), read)


def _check_types(problem: HddlProblem, read: ReadPlan) -> None:
    signatures = {task.name: task.parameters for task in problem.domain.tasks}
    signatures |= {action.name: action.parameters for action in problem.domain.actions}
    calls = [(step.action, step.arguments) for step in read.plan.steps]
    calls += [(part.task, part.arguments) for part in read.plan.decompositions]
    for name, arguments in calls:
        _fit(problem, name, signatures[name], arguments)
    for expansion in read.expansions.values():
        bound = [parameter for parameter in expansion.method.parameters if parameter.name in expansion.binding]
        _fit(problem, expansion.method.name, bound, [expansion.binding[parameter.name] for parameter in bound])


def _fit(problem: HddlProblem, name: str, parameters: Any, values: Any) -> None:
    if len(parameters) != len(values):
        raise UpPlanError(f"{name} has {len(parameters)} parameters, the plan gives {len(values)}")
    for parameter, value in zip(parameters, values):
        if value not in problem.choices_for(parameter):
            raise UpPlanError(f"{value} is not a {parameter.types[0]}, as {parameter.name} of {name} must be")


def _witness(problem: HddlProblem, read: ReadPlan) -> tuple[HddlProblem, HddlPlan]:
    plan, initial = read.plan, problem.initial
    assert initial is not None
    names = {step.step_id: f"{_said(step.action, step.arguments)} #{step.step_id + 1}" for step in plan.steps}
    names |= {part.task_id: f"{_said(part.task, part.arguments)} #{part.task_id + 1}" for part in plan.decompositions}
    actions = {}
    for step in plan.steps:
        action = problem.domain.action_named[step.action]
        binding = {parameter.name: value for parameter, value in zip(action.parameters, step.arguments)}
        actions[step.step_id] = _ground(action, names[step.step_id], binding)
    methods = []
    for part in plan.decompositions:
        expansion = read.expansions[part.task_id]
        condition = substituted(expansion.method.precondition, expansion.binding)
        network = _network(expansion, names)
        methods.append(HddlMethod(name=part.method, task=names[part.task_id], precondition=condition, network=network))
    root = read.expansions[ROOT]
    free = tuple(parameter for parameter in initial.parameters if parameter.name not in root.binding)
    domain = replace(
        problem.domain,
        tasks=tuple(Task(name=names[part.task_id]) for part in plan.decompositions),
        methods=tuple(methods),
        actions=tuple(actions.values()),
    )
    witness = replace(problem, domain=domain, initial=InitialNetwork(parameters=free, network=_network(root, names)))
    return witness, replace(
        plan,
        steps=tuple(replace(step, action=names[step.step_id], arguments=()) for step in plan.steps),
        decompositions=tuple(replace(part, task=names[part.task_id], arguments=()) for part in plan.decompositions),
    )


def _said(name: str, arguments: tuple[str, ...]) -> str:
    return " ".join((name, *arguments))


def _network(expansion: Expansion, names: dict[int, str]) -> TaskNetwork:
    network = expansion.method.network
    return replace(
        network,
        subtasks=tuple(Subtask(task=names[part]) for part in expansion.parts),
        constraint=substituted(network.constraint, expansion.binding),
    )


def _ground(action: Action, name: str, binding: Binding) -> Action:
    effects = [
        replace(
            effect,
            atom=Atom(effect.atom.predicate, tuple(binding.get(term, term) for term in effect.atom.arguments)),
            condition=substituted(effect.condition, binding),
        )
        for effect in action.effects
    ]
    condition = substituted(action.precondition, binding)
    return Action(name=name, precondition=condition, effects=tuple(effects))


def substituted(formula: Formula, binding: Binding) -> Formula:
    """Put values for variables. Translated schemas name no variable twice, so none is caught by a quantifier."""
    match formula:
        case Atom(predicate, arguments):
            return Atom(predicate, tuple(binding.get(term, term) for term in arguments))
        case Equal(left, right):
            return Equal(binding.get(left, left), binding.get(right, right))
        case SortOf(term, its_type):
            return SortOf(binding.get(term, term), its_type)
        case Not(part):
            return Not(substituted(part, binding))
        case And(parts):
            return And(tuple(substituted(part, binding) for part in parts))
        case Or(parts):
            return Or(tuple(substituted(part, binding) for part in parts))
        case Imply(premise, conclusion):
            return Imply(substituted(premise, binding), substituted(conclusion, binding))
        case ForAll(parameters, body):
            return ForAll(parameters, substituted(body, binding))
        case Exists(parameters, body):
            return Exists(parameters, substituted(body, binding))
