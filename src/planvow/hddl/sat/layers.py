"""The hierarchy in layers: which tasks and actions can stand at which position, cut down by what can hold there.

Layer 0 has one position with the root task. The next layer has, for every position, as many as the longest of the
methods that can be chosen there: the k-th subtasks of all of them can stand at the k-th. An action stays where it is.
So recursion is no trouble: a layer is finite, and there are as many layers as are asked for.

What facts may be true and may be false before each position is followed from the beginning on; a task that cannot find
what it must there is left out, and the methods that call it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from planvow.hddl.grounded.problem import GroundMethod, Item


class Truths(NamedTuple):
    """Facts that may be true and facts that may be false at some point, as bit sets."""

    true: int
    false: int

    def allows(self, must: int, must_not: int) -> bool:
        """Whether what must hold and what must not can be so."""
        return not (must & ~self.true or must_not & ~self.false)


class Position:
    """One place in the sequence of a layer. One of `items` stands there, or nothing (only if `may_be_empty`)."""

    __slots__ = ("after", "before", "below", "changing", "choices", "items", "may_be_empty", "open", "truths")

    def __init__(self, items: dict[Item, int], may_be_empty: bool, truths: Truths) -> None:
        self.items = items
        """Every task and action that can stand here, with its literal."""
        self.may_be_empty = may_be_empty
        self.truths = truths
        """What may be true and false before it."""
        self.before: list[int] = []
        self.after: list[int] = []
        """The literals of all facts before and after it."""
        self.changing = 0
        """Facts that have different literals before and after it."""
        self.open = 0
        """A literal that holds where a compound task stands here."""
        self.choices: dict[Item, list[Choice]] = {}
        self.below: list[Position | None] = []
        """In the next layer: the position of every slot, or None where nothing can stand."""

    @property
    def is_primitive(self) -> bool:
        """Whether nothing is left to be decomposed here."""
        return all(item.is_action for item in self.items)

    def may_change(self) -> int:
        """Return the facts that something here may change."""
        changed = 0
        for item in self.items:
            changed |= item.may_add | item.may_delete
        return changed

    def truths_after(self) -> Truths:
        """Return what may be true and false once what stands here is done."""
        true, false = self.truths
        adds = deletes = 0
        always = never = 0 if self.may_be_empty else -1
        for item in self.items:
            adds |= item.may_add
            deletes |= item.may_delete
            always &= item.must & ~item.may_delete | item.adds
            never &= item.must_not & ~item.may_add | item.deletes
        return Truths(true & ~never | adds, false & ~always | deletes)


class Choice(NamedTuple):
    """A method that can be chosen for a task, and its literal."""

    method: GroundMethod
    literal: int


class Slot:
    """What can stand at one position below another: each task or action with the literals that put it there."""

    def __init__(self) -> None:
        self.sources: dict[Item, list[int]] = {}
        self.may_be_empty = False

    def offer(self, item: Item, literal: int) -> None:
        """Let an item stand here where the literal holds."""
        self.sources.setdefault(item, []).append(literal)


def slots_below(position: Position) -> Iterator[Slot]:
    """Yield, from left to right, what can stand at the positions below one.

    Whoever takes a slot may strike out choices that have a subtask there which cannot be; later slots go without them.
    """
    width = max([1, *(len(choice.method.subtasks) for group in position.choices.values() for choice in group)])
    actions = [(item, literal) for item, literal in position.items.items() if item.is_action]
    for index in range(width):
        slot = Slot()
        slot.may_be_empty = position.may_be_empty or (index > 0 and bool(actions))
        for item, literal in actions if index == 0 else ():
            slot.offer(item, literal)
        for group in position.choices.values():
            for choice in group:
                if index < len(choice.method.subtasks):
                    slot.offer(choice.method.subtasks[index], choice.literal)
                else:
                    slot.may_be_empty = True
        yield slot
