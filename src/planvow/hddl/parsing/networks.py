"""S-expressions → task networks: subtasks, ordering, constraints."""

from __future__ import annotations

from planvow.errors import did_you_mean
from planvow.hddl.language.formula import TRUE, Formula
from planvow.hddl.language.model import Subtask, TaskNetwork
from planvow.hddl.language.reader import Group, Node, Symbol
from planvow.hddl.parsing.context import Names, describe
from planvow.hddl.parsing.formulas import FormulaParser, conjunction

SEQUENCE_WORDS = (":ordered-subtasks", ":ordered-tasks")
SUBTASK_WORDS = (*SEQUENCE_WORDS, ":subtasks", ":tasks")
NETWORK_WORDS = (*SUBTASK_WORDS, ":ordering", ":order", ":constraints")


class NetworkParser:
    """Collects the network sections of one method (or of `:htn`), then builds the network."""

    def __init__(self, formulas: FormulaParser, tasks: Names, arity: dict[str, int]) -> None:
        self.formulas = formulas
        self.context = formulas.context
        self.tasks = tasks
        self.arity = arity

    def network(self, sections: list[tuple[str, Symbol, Node]], variables: Names, at: int) -> TaskNetwork:
        """Build a network from its sections, given in any order."""
        subtasks: list[Subtask] = []
        is_sequence = False
        listed: Symbol | None = None
        for key, word, node in sections:
            if key in SUBTASK_WORDS:
                if listed is not None:
                    raise self.context.syntax(f"expected one list of subtasks, found {word} after {listed}", word.at)
                listed, is_sequence = word, key in SEQUENCE_WORDS
                with self.context.inside(str(word)):
                    subtasks = [self._subtask(item, variables) for item in self._conjuncts(node)]
        labels = self._labels(subtasks)
        ordering = [(index, index + 1) for index in range(len(subtasks) - 1)] if is_sequence else []
        constraints: list[Formula] = []
        for key, word, node in sections:
            with self.context.inside(str(word)):
                if key in (":ordering", ":order"):
                    ordering += [self._before(item, labels) for item in self._conjuncts(node)]
                elif key == ":constraints":
                    constraints.append(self.formulas.formula(node, variables, constraint=True))
        network = TaskNetwork(
            subtasks=tuple(subtasks),
            ordering=tuple(dict.fromkeys(ordering)),
            is_sequence=is_sequence,
            constraint=conjunction([c for c in constraints if c != TRUE], at),
            at=at,
        )
        if len(network.topological_order) != len(subtasks):
            hint = "an order that holds is left when one of these is taken out"
            raise self.context.meaning(f"the ordering runs in a circle: {_circle(network)}", at, hint)
        return network

    def _conjuncts(self, node: Node) -> list[Node]:
        group = self.context.group(node, "a list")
        if group and isinstance(group[0], Symbol) and group[0].lower() == "and":
            return group[1:]
        return [group] if group else []

    def _subtask(self, node: Node, variables: Names) -> Subtask:
        group = self.context.group(node, "a subtask such as (drive ?truck) or (label (drive ?truck))")
        word = self.context.head(group, "a task")
        label: str | None = None
        if len(group) == 2 and isinstance(group[1], Group):
            label, group = str(word), group[1]
            word = self.context.head(group, "a task")
        task = self.context.find(self.tasks, word)
        self.context.check_arity("task", task, len(group) - 1, self.arity[task], group.at)
        arguments = tuple(self.formulas.term(item, variables) for item in group[1:])
        return Subtask(task=task, arguments=arguments, label=label, at=group.at)

    def _labels(self, subtasks: list[Subtask]) -> dict[str, int]:
        labels: dict[str, int] = {}
        for index, subtask in enumerate(subtasks):
            if subtask.label is not None:
                if subtask.label in labels:
                    raise self.context.twice("label", subtask.label, subtask.at, subtasks[labels[subtask.label]].at)
                labels[subtask.label] = index
        for label, index in list(labels.items()):
            labels.setdefault(label.lower(), index)
        return labels

    def _before(self, node: Node, labels: dict[str, int]) -> tuple[int, int]:
        group = self.context.group(node, "(< label label)")
        if len(group) != 3 or "<" not in (group[0], group[1]):
            hint = "write (< first second) for each two that have an order, and join them with (and …)"
            raise self.context.syntax(f"expected (< label label), found {describe(group)}", group.at, hint)
        first, second = (self.context.symbol(item, "a label", group.at) for item in group if item != "<")
        pair = []
        for word in (first, second):
            index = labels.get(word, labels.get(word.lower()))
            if index is None:
                near, known = did_you_mean(word, labels), ", ".join(labels)
                hint = near or (f"labels here: {known}" if known else "give the subtask a label: (label (task …))")
                raise self.context.meaning(f"expected the label of a subtask, found {str(word)!r}", word.at, hint)
            pair.append(index)
        if pair[0] == pair[1]:
            raise self.context.meaning("a subtask cannot come before itself", group.at)
        return pair[0], pair[1]


def _circle(network: TaskNetwork) -> str:
    """Return subtasks that come before one another in turn: what has no place has another without one before it."""
    placed = set(network.topological_order)
    before = {second: first for first, second in network.ordering if first not in placed}
    path = [min(before)]
    while path[-1] not in path[:-1]:
        path.append(before[path[-1]])
    circle = [network.subtasks[index] for index in path[path.index(path[-1]) :]]
    return " < ".join(subtask.label or subtask.task for subtask in reversed(circle))
