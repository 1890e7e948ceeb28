"""Problems in words: how a plan follows from its tasks, or what stands in the way of one.

The engine explains plans that its own search comes to, one task after another; of a network it would show its insides.
Other plans are told by what each task became, and why, and what each action waited for. Without a plan, the tasks are
named that could not be finished even if nothing were ever undone, with the facts that nothing makes true; where there
are none, that is said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from planvow.budgets import Deadline, Interrupted
from planvow.errors import BudgetExceededError
from planvow.hddl.grounded.grounding import Call, Grounder, GroundingLimitReached
from planvow.hddl.grounded.tables import reachable
from planvow.hddl.language.model import HddlProblem
from planvow.hddl.language.plan_format import HddlPlan
from planvow.hddl.lifted.normal import NormalProblem
from planvow.hddl.lifted.schema import EQUAL, Condition, objects_of
from planvow.hddl.solve.derivation import derivation_of
from planvow.hddl.verify.world import World

MAX_GROUNDED = 20_000
"""Calls and methods that may be looked at to find what stands in the way."""
MAX_TOLD = 12
"""Tasks that cannot be finished that are told of."""
_NOTHING_LACKS = (
    "Every task could be finished if nothing were ever undone and no order had to be kept, and the goal could hold: "
    "only that can stand in the way."
)


def plan_in_words(problem: HddlProblem, plan: HddlPlan, interrupt: Callable[[], bool] | None = None) -> str:
    """Say what every task became and why so, and for every action what it serves and what it waited for."""
    told = derivation_of(problem, plan, interrupt)
    names = told.names
    lines = ["How the tasks were broken down:"] if told.tasks else []
    for task in told.tasks:
        became = ", ".join(names[child] for child in task.children) or "nothing, there was nothing to do"
        lines.append(f"- {names[task.number]} by {task.method}: {became}")
        lines.append(f"    {task.why}")
        for name, reason in task.others:
            lines.append(f"    {name} {f'does not apply: {reason}' if reason else 'applies as well'}")
    lines.append("In which order, and why:")
    for place, step in enumerate(told.steps, 1):
        serves = "the problem itself" if step.serves is None else names[step.serves]
        made = "; ".join(f"{maker} made {' and '.join(facts)} true" for maker, facts in step.makers)
        lines.append(f"{place}. {names[step.number]} for {serves}{f', after {made}' if made else ''}")
    return "\n".join(lines)


def tree_of_plan(plan: HddlPlan, *, numbered: bool) -> str:
    """Draw what every task became; `numbered`: with each action's place in the plan, which the tree may not tell."""
    parts = {part.task_id: part for part in plan.decompositions}
    steps = {
        step.step_id: f"{f'{place} ' if numbered else ''}{_call(step.action, step.arguments)}"
        for place, step in enumerate(plan.steps, 1)
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


def obstacles_in_words(problem: HddlProblem, interrupt: Callable[[], bool] | None = None) -> str:
    """Say which tasks cannot be finished even if nothing were ever undone, what they lack, and what the goal lacks."""
    normal = NormalProblem(problem, Deadline(interrupt), write_out=False)
    try:
        grounder = reachable(normal, MAX_GROUNDED)
        told = [*_stuck_in_words(normal, grounder)] or [*_goal_in_words(normal, grounder)]
    except (GroundingLimitReached, BudgetExceededError, Interrupted):
        return "The problem is too large to say which of its tasks stand in the way."
    return "\n".join(told or [_NOTHING_LACKS])


def _stuck_in_words(normal: NormalProblem, grounder: Grounder) -> Iterator[str]:
    """Name the tasks that cannot be finished; a problem without a hierarchy has none."""
    finished = _finished(normal, grounder)
    if normal.is_classical or (normal.root, ()) in finished:
        return
    stuck = [call for call in grounder.call_list if call not in finished and call[0] != normal.root]
    if not stuck:
        yield "No choice of objects fits the tasks and the variables of :htn."
        return
    yield "These cannot be finished, even if nothing were ever undone:"
    for call in stuck[:MAX_TOLD]:
        if call[0] < normal.action_count:
            lacks = (
                " and ".join(_lacking(normal, grounder, normal.actions[call[0]].condition, call[1]))
                or "what never holds"
            )
            yield f"- the action {_told(normal, call)}: nothing makes {lacks} true"
        else:
            ways = sum(_task_of(normal, number, values) == call for number, values in grounder.methods)
            reason = "each of its methods needs one of the others" if ways else "no method fits it and what can hold"
            yield f"- the task {_told(normal, call)}: {reason}"
    if len(stuck) > MAX_TOLD:
        yield f"- and {len(stuck) - MAX_TOLD} more"


def _goal_in_words(normal: NormalProblem, grounder: Grounder) -> Iterator[str]:
    """Say that the goal could not hold even if nothing were ever undone, and what it lacks."""
    names = normal.predicates, normal.objects
    facts = {(names[0][predicate], *(names[1][each] for each in objects)) for predicate, objects in grounder.facts()}
    if not World(normal.source, normal.deadline).holds(normal.source.goal, {}, frozenset(facts), maybe=True):
        lacks = " and ".join(_lacking(normal, grounder, normal.goal, ()))
        why = f": nothing makes {lacks} true" if lacks else ""
        yield f"The goal cannot hold, even if nothing were ever undone{why}."


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
    return method.task, objects_of(method.arguments, values)


def _lacking(normal: NormalProblem, grounder: Grounder, condition: Condition, values: tuple[int, ...]) -> Iterator[str]:
    for literal in condition.literals:
        objects = objects_of(literal.terms, values)
        if literal.positive and literal.predicate != EQUAL and not grounder.is_reachable(literal.predicate, objects):
            yield f"({' '.join((normal.predicates[literal.predicate], *(normal.objects[o] for o in objects)))})"


def _told(normal: NormalProblem, call: Call) -> str:
    return f"({' '.join(normal.task_text(*call))})"
