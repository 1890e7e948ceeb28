"""What the state was before each node of a finished plan, known without calling anything.

A search logs every write so that it can take it back; at the end the log is the plan's history. Writing the first part
of it once more into a copy of the start gives the state before any node, down to the order of its keys.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from planvow.kernel.world.journal import Version
from planvow.kernel.world.state import MISSING, State
from planvow.kernel.world.values import is_same_mapping
from planvow.kernel.world.variable import ENTRY, Log, Variable


@dataclass(frozen=True, kw_only=True, repr=False)
class History:
    """The writes of one plan, from the state it starts in."""

    start: State
    draft: State
    """The state that was written to."""
    variables: Mapping[str, object]
    """The draft's predicates at the start: the log holds these very dictionaries, and not their names."""
    log: Log
    marks: Sequence[int]
    """How long the log was before each node."""
    older: History | None = None
    """Where the nodes after these come from, when they are the rest of a plan that was repaired."""
    older_index: int = 0

    def continued_by(self, older: History, index: int) -> History:
        """Return this history with the rest of another behind it, from a node on.

        What of the other lies wholly before that node is let go: a chain of repairs holds what is still to come.
        """
        while index >= len(older.marks) and older.older is not None:
            older, index = older.older, index - len(older.marks) + older.older_index
        return replace(self, older=older, older_index=index)

    def is_at(self, index: int, state: State) -> bool:
        """Say whether a state is the one before the node at `index`: no function could tell the two apart."""
        history = self
        while index >= len(history.marks):
            if history.older is None:
                return False
            history, index = history.older, index - len(history.marks) + history.older_index
        if index < 0 or state.__name__ != history.start.__name__:
            return False
        predicates, metadata = history._content(history.marks[index])
        now = vars(state)
        if list(now) != list(predicates) or not is_same_mapping(state._metadata, metadata):
            return False
        variables = [p for p, value in now.items() if isinstance(value, Variable)]
        if any(type(predicates[p]) is not dict or not is_same_mapping(now[p], predicates[p]) for p in variables):
            return False
        return is_same_mapping(
            {p: value for p, value in now.items() if p not in variables},
            {p: value for p, value in predicates.items() if p not in variables},
        )

    def _content(self, end: int) -> tuple[dict[str, Any], dict[Any, Any]]:
        """Return the predicates and the metadata as they were when the log was `end` long."""
        copies: defaultdict[int, dict[Any, Any]] = defaultdict(dict)  # by the address of the draft's dictionary
        predicates = copies[id(vars(self.draft))] = dict(self.variables)
        metadata = copies[id(self.draft._metadata)] = dict(self.start._metadata)
        for predicate, variable in self.variables.items():
            if isinstance(variable, Variable):
                copies[id(variable)] = dict(vars(self.start)[predicate])
        log, latest, copy = self.log, None, metadata
        for target, key, new in zip(log[0:end:ENTRY], log[1:end:ENTRY], log[3:end:ENTRY], strict=True):
            if target is not latest:
                latest, copy = target, copies[id(target)]
            if new is MISSING:
                del copy[key]
            else:
                copy[key] = new
        for content in copies.values():
            content.update({key: value.frozen() for key, value in content.items() if type(value) is Version})
        return {p: copies[id(v)] if isinstance(v, Variable) else v for p, v in predicates.items()}, metadata
