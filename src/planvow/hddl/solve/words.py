"""Partially ordered problems in words: how a plan follows from its tasks, or what stands in the way of one.

The engine's own explanations speak of one task after another; of a network they would show its insides. A plan is told
by what each task became and what each action waited for. Without a plan, the tasks are named that could not be finished
even if nothing were ever undone, with the facts that nothing makes true; where there are none, that is said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from planvow.budgets import Deadline, Interrupted
from planvow.hddl.grounded.grounding import Call, Grounder, GroundingLimitReached
from planvow.hddl.grounded.tables import reachable
from planvow.hddl.language.formula import And, Atom, Formula
from planvow.hddl.language.model import HddlProblem
from planvow.hddl.language.plan_format import HddlPlan
from planvow.hddl.lifted.normal import NormalProblem
from planvow.hddl.lifted.schema import EQUAL
from planvow.hddl.verify.history import History

MAX_GROUNDED = 20_000
"""Calls and methods that may be looked at to find what stands in the way."""
MAX_TOLD = 12
"""Tasks that cannot be finished that are told of."""


def plan_in_words(problem: HddlProblem, plan: HddlPlan) -> str:
    """Say what every task became, and for every action what it serves and what it waited for."""
    names = {step.step_id: str(step) for step in plan.steps}
    names.update(
        {part.task_id: f"({part.task}{''.join(f' {a}' for a in part.arguments)})" for part in plan.decompositions}
    )
    owner = {child: part.task_id for part in plan.decompositions for child in part.children}
    lines = ["How the tasks were broken down:"]
    for part in plan.decompositions:
        became = ", ".join(names[child] for child in part.children) or "nothing, there was nothing to do"
        lines.append(f"- {names[part.task_id]} by {part.method}: {became}")
    lines.append("In which order, and why:")
    history = History(problem)
    for number, step in enumerate(plan.steps, 1):
        serves = names[owner[step.step_id]] if step.step_id in owner else "the problem itself"
        action = problem.domain.action_named[step.action]
        values = {parameter.name: value for parameter, value in zip(action.parameters, step.arguments)}
        lines.append(f"{number}. {step} for {serves}{_after(history, action.precondition, values)}")
        history.apply(action, values)
    return "\n".join(lines)


def tree_of_plan(plan: HddlPlan) -> str:
    """Draw what every task became. Actions carry their place in the plan, which is not the order of the tree."""
    parts = {part.task_id: part for part in plan.decompositions}
    steps = {
        step.step_id: f"{number} {_call(step.action, step.arguments)}" for number, step in enumerate(plan.steps, 1)
    }
    lines = ["agenda"]
    waiting = _branches(plan.roots, "")
    while waiting:
        identifier, before, is_last = waiting.pop()
        branch = f"{before}{'└─' if is_last else '├─'} "
        part = parts.get(identifier)
        if part is None:
            lines.append(f"{branch}▸ {steps[identifier]}")
        else:
            lines.append(f"{branch}{_call(part.task, part.arguments)}  [{part.method}]")
            waiting += _branches(part.children, f"{before}{'   ' if is_last else '│  '}")
    return "\n".join(lines)


def _branches(children: tuple[int, ...], before: str) -> list[tuple[int, str, bool]]:
    """Return what is drawn below a task, the last one first."""
    return [(child, before, child == children[-1]) for child in reversed(children)]


def _call(name: str, arguments: tuple[str, ...]) -> str:
    return f"{name}({', '.join(arguments)})"


def _after(history: History, needs: Formula, values: dict[str, str]) -> str:
    """Return which earlier actions made true what an action needs."""
    waited: dict[int, list[str]] = {}
    for atom in _atoms(needs):
        ground = _ground(atom, values)
        maker = history.since((ground.predicate, ground.arguments))
        if maker:
            waited.setdefault(maker, []).append(f"({' '.join((ground.predicate, *ground.arguments))})")
    told = [f"{number} made {' and '.join(facts)} true" for number, facts in sorted(waited.items())]
    return f", after {'; '.join(told)}" if told else ""


def _atoms(formula: Formula) -> Iterator[Atom]:
    if isinstance(formula, Atom):
        yield formula
    elif isinstance(formula, And):
        for part in formula.parts:
            yield from _atoms(part)


def _ground(atom: Atom, names: dict[str, str]) -> Atom:
    return Atom(atom.predicate, tuple(names.get(term, term) for term in atom.arguments))


def obstacles_in_words(problem: HddlProblem, interrupt: Callable[[], bool] | None = None) -> str:
    """Say which tasks cannot be finished even if nothing were ever undone, and what they lack."""
    normal = NormalProblem(problem, Deadline(interrupt), write_out=False)
    try:
        grounder = reachable(normal, MAX_GROUNDED)
    except (GroundingLimitReached, Interrupted):
        return "The problem is too large to say which of its tasks stand in the way."
    finished = _finished(normal, grounder)
    stuck = [call for call in grounder.call_list if call not in finished and call[0] != normal.root]
    if (normal.root, ()) in finished:
        return "Every task could be finished if nothing were ever undone: what stands in the way is what actions undo."
    lines = ["These cannot be finished, even if nothing were ever undone:"]
    for call in stuck[:MAX_TOLD]:
        if call[0] < normal.action_count:
            lacks = " and ".join(_lacking(normal, grounder, call)) or "what never holds"
            lines.append(f"- the action {_told(normal, call)}: nothing makes {lacks} true")
        else:
            ways = sum(_task_of(normal, number, values) == call for number, values in grounder.methods)
            reason = "each of its methods needs one of the others" if ways else "no method fits it and what can hold"
            lines.append(f"- the task {_told(normal, call)}: {reason}")
    if len(stuck) > MAX_TOLD:
        lines.append(f"- and {len(stuck) - MAX_TOLD} more")
    return "\n".join(lines)


def _finished(normal: NormalProblem, grounder: Grounder) -> set[Call]:
    """Return the calls that can be finished when nothing is undone."""
    finished = {grounder.call_list[number] for number in grounder.applicable}
    ways = [(_task_of(normal, *found), tuple(grounder.subtasks(*found))) for found in grounder.methods]
    changed = True
    while changed:
        normal.deadline.spend(len(ways))
        more = {task for task, parts in ways if task not in finished and finished.issuperset(parts)}
        finished |= more
        changed = bool(more)
    return finished


def _task_of(normal: NormalProblem, number: int, values: tuple[int, ...]) -> Call:
    method = normal.methods[number]
    return method.task, tuple(values[term] if term >= 0 else ~term for term in method.arguments)


def _lacking(normal: NormalProblem, grounder: Grounder, call: Call) -> Iterator[str]:
    for literal in normal.actions[call[0]].condition.literals:
        objects = tuple(call[1][term] if term >= 0 else ~term for term in literal.terms)
        if literal.positive and literal.predicate != EQUAL and not grounder.is_reachable(literal.predicate, objects):
            yield f"({' '.join((normal.predicates[literal.predicate], *(normal.objects[o] for o in objects)))})"


def _told(normal: NormalProblem, call: Call) -> str:
    return f"({' '.join(normal.task_text(*call))})"
