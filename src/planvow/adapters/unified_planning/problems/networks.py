"""Task networks of unified-planning as those of HDDL.

unified-planning says the order by constraints on time points, `end(a) < start(b)`; only those that say nothing else are
planned with. Its identifiers of subtasks count up over the whole process; here a subtask is its place in the list.
"""

from __future__ import annotations

from typing import Any

from planvow.adapters.unified_planning.problems.errors import UpCycleError, UpModelError, UpUnsupportedError
from planvow.adapters.unified_planning.problems.formulas import Scope, joined
from planvow.hddl.language.formula import And, Equal, Formula, Not, Or
from planvow.hddl.language.model import Subtask, TaskNetwork


def network_of(network: Any, scope: Scope) -> TaskNetwork:
    """Return the subtasks of a method or of the problem, in the order of their declaration, and their constraints."""
    subtasks = network.subtasks
    pairs = _ordering(network, scope.what)
    consecutive = [(index, index + 1) for index in range(len(subtasks) - 1)]
    is_sequence = sorted(pairs) == consecutive
    made = TaskNetwork(
        subtasks=tuple(
            Subtask(
                task=scope.words.subtask(subtask.task, f"a subtask of {scope.what}"),
                arguments=tuple(_argument(node, scope) for node in subtask.parameters),
                label=None if is_sequence else f"t{number}",
            )
            for number, subtask in enumerate(subtasks, start=1)
        ),
        ordering=tuple(consecutive if is_sequence else pairs),
        is_sequence=is_sequence,
        constraint=joined([_constraint(node, scope) for node in network.non_temporal_constraints()]),
    )
    if len(made.topological_order) != len(subtasks):
        on_it = [subtasks[index].identifier for index in range(len(subtasks)) if index not in made.topological_order]
        raise UpCycleError(f"the order of {scope.what} runs in a circle: none of {', '.join(on_it)} can be the first")
    return made


def _ordering(network: Any, what: str) -> list[tuple[int, int]]:
    constraints = network.temporal_constraints()
    if network.partial_order() is None:
        timed = ", ".join(map(str, constraints))
        raise UpUnsupportedError(f"{what} has constraints on times, of which only end < start is planned with: {timed}")
    place = {subtask.identifier: index for index, subtask in enumerate(network.subtasks)}
    pairs: dict[tuple[int, int], None] = {}
    for constraint in constraints:  # `partial_order` leaves out those about subtasks of other networks
        first, second = (point.timing().timepoint.container for point in constraint.args)
        for identifier in (first, second):
            if identifier not in place:
                raise UpModelError(f"{what} orders the subtask {identifier}, which it does not have")
        pairs[place[first], place[second]] = None
    return list(pairs)


def _argument(node: Any, scope: Scope) -> str:
    if node.is_fluent_exp():
        raise UpUnsupportedError(f"a subtask of {scope.what} has the fluent {node} as an argument")
    return scope.term(node, [])


def _constraint(node: Any, scope: Scope) -> Formula:
    formula = scope.formula(node)
    if not _is_plain(formula):
        raise UpUnsupportedError(f"{scope.what} has the constraint {node}: quantifiers are not planned with there")
    return formula


def _is_plain(formula: Formula) -> bool:
    """Whether HDDL can write the formula below `:constraints`."""
    match formula:
        case Equal():
            return True
        case Not(part):
            return _is_plain(part)
        case And(parts) | Or(parts):
            return all(map(_is_plain, parts))
        case _:
            return False
