"""Trace events of a search: every method chosen, refusal, command, dead end and step back."""

from __future__ import annotations

from typing import Any

from planvow.kernel.domain.domain import Command
from planvow.kernel.domain.terms import item_text
from planvow.trace import TraceRecorder


class TraceWatcher:
    """Writes what a search does to a recorder."""

    def __init__(self, recorder: TraceRecorder) -> None:
        self._recorder = recorder
        self._depths = [0]

    def chose(
        self, node_id: int, parent_id: int, item: object, how: object, ordinal: int, subtasks: object = ()
    ) -> None:
        depth = self._depths[parent_id] + 1
        del self._depths[node_id:]
        self._depths.append(depth)
        event = "command" if isinstance(how, Command) else how if isinstance(how, str) else "method_selected"
        self._log(event, node_id, item, how, depth, {"ordinal": ordinal})

    def refused(self, node_id: int, item: object, how: object, reason: str) -> None:
        event = "command_refused" if isinstance(how, Command) else "method_rejected"
        self._log(event, node_id, item, how, 0, {"reason": str(reason)})

    def dead_end(self, node_id: int, parent_id: int, item: object, reason: str) -> None:
        self._log("dead_end", node_id, item, None, 0, {"reason": str(reason)})

    def back(self, node_id: int) -> None:
        self._recorder.log("backtrack", {"to": node_id}, task_id=str(node_id))

    def _log(self, event: str, node_id: int, item: Any, how: Any, depth: int, data: dict[str, object]) -> None:
        name = None if how is None or isinstance(how, str) else how.name
        self._recorder.log(
            event, {"item": item_text(item), **data}, task_id=str(node_id), method_name=name, depth=depth
        )
