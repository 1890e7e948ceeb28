"""A node with alternatives: what the search keeps of it, so that it can come back and try another one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from planvow.kernel.domain.domain import Method
from planvow.kernel.search.agenda import Agenda
from planvow.kernel.search.table import Alternatives, Entry


class Choice:
    """One node that is being broken down, with what is left to try."""

    __slots__ = (
        "agenda",
        "alternatives",
        "conditions_mark",
        "entry",
        "item",
        "mark",
        "method",
        "node_id",
        "source",
        "taken",
        "told",
    )

    node_id: int
    agenda: Agenda
    """What stood behind the node when it was met."""
    entry: Entry
    item: Any
    told: object
    """The item as it stood in the agenda, with its metadata."""
    alternatives: Alternatives
    """The methods that have not been asked."""
    method: Method
    """The method asked last."""
    source: Iterator[object] | None
    """The generator that this method returned, while it may yield more."""
    taken: int
    """How much that has yielded."""
    mark: int
    """How long the log was."""
    conditions_mark: object
    """What the propagators need to come back here."""


def choice_at(node_id: int, agenda: Agenda, entry: Entry, item: object, told: object, mark: int) -> Choice:
    """Return a node of which the first method is being asked. (A function: quicker than the class's `__init__`.)"""
    choice = Choice()
    choice.node_id = node_id
    choice.agenda = agenda
    choice.entry = entry
    choice.item = item
    choice.told = told
    choice.method = entry.how
    choice.alternatives = entry.others
    choice.source = None
    choice.mark = mark
    choice.conditions_mark = None
    return choice
