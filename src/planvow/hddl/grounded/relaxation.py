"""The innermost loop of the estimates: which rules fire from a state, and how many of them the goals need.

This is the specification. `planvow_accelerator`, a distribution of its own, has the same in C; where it is installed it
is used, and every answer and every count is the same: plans do not depend on it.
"""

from __future__ import annotations

from itertools import islice
from operator import add
from typing import NamedTuple, Protocol

from planvow.hddl.lifted.schema import bits

UNREACHABLE = 1 << 30
FORMAT = 2
"""Of the rules and of what a relaxation does with them; an accelerator of another format is left aside."""
_NEVER = 1 << 20
"""What is added to the count of a rule that must not fire."""
_KEPT = 4_000_000
"""Counts of rules that are kept, in lists for one set of tasks each."""


class Rules(NamedTuple):
    """Rules over numbered atoms. Atoms are facts, then facts that are false, then tasks that are done."""

    atoms: int
    """How many atoms there are."""
    bodies: list[list[int]]
    """For every rule the atoms it needs, each once."""
    heads: list[list[int]]
    """For every rule the atoms it makes true."""
    owners: list[int]
    """For every rule the task it belongs to: only rules of tasks in `below` fire."""
    negated: list[int]
    """The facts of which there is an atom that says that they are false, in ascending order."""
    first_false: int
    """The atom of the first of these; the others follow."""


class Relaxation(Protocol):
    """Estimates over one set of rules."""

    work: int
    """Conditions of rules met so far: the measure of effort."""

    def estimate(self, state: int, goals: list[int], below: int) -> int:
        """Return the size of a relaxed plan from a state to all goals, a goal listed twice counted once more.

        `state` and `below` are bit sets of facts and of tasks. Without such a plan the answer is UNREACHABLE. Atoms
        are followed in the order in which they become true, until all goals are: later ones cannot matter.
        """
        ...

    def supporter(self, atom: int) -> int:
        """Return the rule that first made a goal true in the last estimate; negative where none did."""
        ...


class PlainRelaxation:
    """The specification."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._needed_by: list[list[int]] = [[] for _ in range(rules.atoms)]
        for rule, body in enumerate(rules.bodies):
            for atom in body:
                self._needed_by[atom].append(rule)
        self._sizes = list(map(len, rules.bodies))
        self._always = [rule for rule, body in enumerate(rules.bodies) if not body]
        self._weights = [1 + len(needing) for needing in self._needed_by]
        self._owners = max(rules.owners, default=0) + 1
        self._negated = sum(1 << fact for fact in rules.negated)
        self._false = {fact: rules.first_false + index for index, fact in enumerate(rules.negated)}
        self._bases: dict[int, list[int]] = {}
        self._unreached = [-1] * rules.atoms
        self._supporter: list[int] = []
        self.work = 0

    def estimate(self, state: int, goals: list[int], below: int) -> int:
        supporter = self._unreached[:]
        missing = self._base(below)[:]
        queue = list(bits(state))
        false = self._false
        queue += [false[number] for number in bits(self._negated & ~state)]
        for atom in queue:
            supporter[atom] = -2
        for rule in self._always:
            if missing[rule] == 0:
                for head in self._rules.heads[rule]:
                    if supporter[head] == -1:
                        supporter[head] = rule
                        queue.append(head)
        met = self._spread(queue, missing, supporter, goals)
        self.work += sum(map(self._weights.__getitem__, islice(queue, met)))
        self._supporter = supporter
        return self._traced(goals)

    def _spread(self, queue: list[int], missing: list[int], supporter: list[int], goals: list[int]) -> int:
        """Let the rules fire until all goals are true or nothing new comes; return how many atoms were followed."""
        heads, needed_by = self._rules.heads, self._needed_by
        left = len(goals)
        for met, atom in enumerate(queue):  # grows while it is walked
            while left and supporter[goals[left - 1]] != -1:
                left -= 1
            if not left:
                return met
            for rule in needed_by[atom]:
                lacking = missing[rule] - 1
                missing[rule] = lacking
                if lacking == 0:
                    for head in heads[rule]:
                        if supporter[head] == -1:
                            supporter[head] = rule
                            queue.append(head)
        return len(queue)

    def supporter(self, atom: int) -> int:
        return self._supporter[atom]

    def _traced(self, goals: list[int]) -> int:
        """Return how many rules the goals need, traced back along the supporters."""
        supporter, bodies = self._supporter, self._rules.bodies
        pending = list(dict.fromkeys(goals))
        repeated = len(goals) - len(pending)
        if any(supporter[atom] == -1 for atom in pending):
            return UNREACHABLE
        used: set[int] = set()
        while pending:
            rule = supporter[pending.pop()]
            if rule >= 0 and rule not in used:
                used.add(rule)
                pending += bodies[rule]
        return len(used) + repeated

    def _base(self, below: int) -> list[int]:
        """Return the number of conditions of each rule, out of reach for rules of tasks that are not below."""
        base = self._bases.get(below)
        if base is None:
            flags = f"{below:b}"[::-1].ljust(self._owners, "0")  # shifting a long integer per rule would be slow
            extras = [0 if flag == "1" else _NEVER for flag in flags]
            base = list(map(add, self._sizes, map(extras.__getitem__, self._rules.owners)))
            if len(self._bases) > min(256, _KEPT // (1 + len(base))):
                self._bases.clear()
            self._bases[below] = base
        return base


def relaxation(rules: Rules) -> Relaxation:
    """Return the accelerator's relaxation where one is installed that fits, else the plain one."""
    try:
        import planvow_accelerator
    except ImportError:
        return PlainRelaxation(rules)
    is_fitting = planvow_accelerator.FORMAT == FORMAT
    made: Relaxation = (planvow_accelerator.Relaxation if is_fitting else PlainRelaxation)(rules)
    return made
