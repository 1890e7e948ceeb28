"""Hierarchical plans and their text: the format of the International Planning Competition 2020.

    ==>
    1 pick-up truck depot parcel        actions in the order of execution: identifier, name, arguments
    root 0                              the tasks of the problem's network
    0 deliver parcel -> by-truck 1      each compound task, its method and the parts it became
    <==

Identifiers are whole numbers, unique over actions and tasks. The parts of the root and of every method are listed in
an order that the ordering constraints allow. Text before `==>` and after `<==` is a planner's log and is passed over.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from planvow.hddl.language.errors import HddlLimitError, PlanFormatError
from planvow.hddl.language.reader import MAX_CHARACTERS
from planvow.hddl.language.source import NO_SOURCE, Source

_MAX_DIGITS = 18


@dataclass(frozen=True, kw_only=True)
class PlanStep:
    """One action of a plan."""

    step_id: int
    action: str
    arguments: tuple[str, ...] = ()
    at: int = field(default=0, compare=False, repr=False)

    def __str__(self) -> str:
        return f"({' '.join((self.action, *self.arguments))})"


@dataclass(frozen=True, kw_only=True)
class Decomposition:
    """One compound task of a plan, the method chosen for it and the identifiers of what it became."""

    task_id: int
    task: str
    arguments: tuple[str, ...] = ()
    method: str
    children: tuple[int, ...] = ()
    at: int = field(default=0, compare=False, repr=False)

    def __str__(self) -> str:
        return f"({' '.join((self.task, *self.arguments))})"


@dataclass(frozen=True, kw_only=True)
class HddlPlan:
    """Actions in the order of execution, the root tasks, and every decomposition.

    >>> [step.action for step in parse_plan(plan_text).steps]
    ['walk']
    """

    steps: tuple[PlanStep, ...] = ()
    roots: tuple[int, ...] = ()
    decompositions: tuple[Decomposition, ...] = ()
    root_at: int = field(default=0, compare=False, repr=False)
    source: Source = field(default=NO_SOURCE, compare=False, repr=False)

    @property
    def depth(self) -> int:
        """How many levels the decomposition has: 1 when the root has nothing but actions."""
        children = {part.task_id: part.children for part in self.decompositions}
        level, depth = list(self.roots), 0
        while level and depth <= len(children):  # a plan that was never verified may be below itself
            depth += 1
            level = [child for identifier in level for child in children.get(identifier, ())]
        return depth


def format_plan(plan: HddlPlan) -> str:
    """Write a plan as IPC-2020 text, ending in a newline.

    >>> format_plan(parse_plan(plan_text)) == plan_text
    True
    """
    lines = ["==>"]
    lines += [" ".join((str(step.step_id), step.action, *step.arguments)) for step in plan.steps]
    lines.append(" ".join(("root", *map(str, plan.roots))))
    for part in plan.decompositions:
        head = (str(part.task_id), part.task, *part.arguments)
        lines.append(" ".join((*head, "->", part.method, *map(str, part.children))))
    return "\n".join((*lines, "<==", ""))


def parse_plan(text: str, *, file: str = "<plan>") -> HddlPlan:
    """Read IPC-2020 plan text, or raise PlanFormatError with the place. Whether the plan is right is not asked here.

    >>> len(parse_plan(plan_text).steps)
    1
    """
    source = Source(text, file)
    if len(text) > MAX_CHARACTERS:
        raise HddlLimitError(f"the file has {len(text)} characters, the limit is {MAX_CHARACTERS}", source=source, at=0)
    steps: list[PlanStep] = []
    decompositions: list[Decomposition] = []
    roots: tuple[int, ...] | None = None
    started = False
    at = root_at = 0
    for line in text.split("\n"):
        words = line.split()
        if not started:
            started = words == ["==>"]
        elif words == ["<=="]:
            break
        elif words and words[0] == "root":
            if roots is not None:
                raise PlanFormatError("expected one root line, found another", source=source, at=at)
            roots, root_at = _identifiers(words[1:], source, at), at
        elif "->" in words:
            decompositions.append(_decomposition(words, source, at))
        elif words:
            if len(words) < 2:
                raise PlanFormatError(f"expected ID action arguments, found {line[:80]!r}", source=source, at=at)
            (step_id,) = _identifiers(words[:1], source, at)
            steps.append(PlanStep(step_id=step_id, action=words[1], arguments=tuple(words[2:]), at=at))
        at += len(line) + 1
    if not started:
        raise PlanFormatError("expected a line ==> before the plan, found none", source=source, at=0)
    if roots is None:
        raise PlanFormatError("expected a line `root ID…`, found none", source=source, at=min(at, len(text)))
    return HddlPlan(
        steps=tuple(steps), roots=roots, decompositions=tuple(decompositions), root_at=root_at, source=source
    )


def _decomposition(words: list[str], source: Source, at: int) -> Decomposition:
    arrow = words.index("->")
    if arrow < 2 or arrow + 1 == len(words):
        raise PlanFormatError("expected ID task arguments -> method ID…", source=source, at=at)
    (task_id,) = _identifiers(words[:1], source, at)
    return Decomposition(
        task_id=task_id,
        task=words[1],
        arguments=tuple(words[2:arrow]),
        method=words[arrow + 1],
        children=_identifiers(words[arrow + 2 :], source, at),
        at=at,
    )


def _identifiers(words: list[str], source: Source, at: int) -> tuple[int, ...]:
    for word in words:
        if not (word.isascii() and word.isdigit() and len(word) <= _MAX_DIGITS):
            raise PlanFormatError(f"expected an identifier (a whole number), found {word[:80]!r}", source=source, at=at)
    return tuple(int(word) for word in words)
