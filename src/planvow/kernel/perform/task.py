"""The task of perform mode: what is to be done, where in the text, and who asked for it.

Ids derive from content and position (parent id, type, span, params, place among the siblings), never from chance, so
two runs name the same work the same way. Params must be plain JSON: an object whose text form holds a memory
address would make equal tasks look different (seed 000, section 2.1; spec/000 rulings c and i).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from planvow.canonical import canonical_json

Span = tuple[int, int]

DEFAULT_BUDGET_MS = 1000
_DEDUP_LENGTH = 24
_ID_LENGTH = 16


@dataclass
class Task:
    """One item of work; compound or primitive is decided by the method that takes it."""

    task_id: str
    task_type: str
    params: dict[str, Any]
    span: Span
    parent_task_id: str | None = None
    parent_artifact_id: str | None = None
    depth: int = 0
    budget_ms: int = DEFAULT_BUDGET_MS
    dedup_key: str | None = None
    method_path: tuple[str, ...] = field(default=())
    """Names of the methods from the root down to the one that takes this task; set by the planner."""

    _content_hash: str = field(default="", repr=False, compare=False)

    def compute_dedup_key(self) -> str:
        """Return the key under which equal work meets: type, span and params, and nothing that can change."""
        return self.dedup_key or self.content_hash()[:_DEDUP_LENGTH]

    def content_hash(self) -> str:
        """Return the hash of what is to be done; made once, so params are not to be changed afterwards."""
        if not self._content_hash:
            self._content_hash = _content_hash(self.task_type, self.span, self.params)
        return self._content_hash

    @classmethod
    def create(
        cls,
        task_type: str,
        params: dict[str, Any],
        span: Span,
        parent: Task | None = None,
        *,
        sibling_index: int = 0,
        parent_artifact_id: str | None = None,
        budget_ms: int = DEFAULT_BUDGET_MS,
        dedup_key: str | None = None,
    ) -> Task:
        """Make a task with a derived id; the planner derives it again when it knows the place among the siblings."""
        parent_id = parent.task_id if parent else None
        content = _content_hash(task_type, span, params)
        return cls(
            task_id=_task_id(parent_id, task_type, content, sibling_index),
            task_type=task_type,
            params=params,
            span=span,
            parent_task_id=parent_id,
            parent_artifact_id=parent_artifact_id,
            depth=parent.depth + 1 if parent else 0,
            budget_ms=budget_ms,
            dedup_key=dedup_key,
            _content_hash=content,
        )


def _content_hash(task_type: str, span: Span, params: dict[str, Any]) -> str:
    try:
        text = json.dumps(["task/1", task_type, span, params], sort_keys=True, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError):
        text = canonical_json(params)  # raises with the path to the culprit
    return hashlib.sha256(text.encode()).hexdigest()


def _task_id(parent_id: str | None, task_type: str, content_hash: str, sibling_index: int) -> str:
    """Return the id of a task: its type, and a hash of whose child it is, what it does and its place."""
    place = f"{parent_id or ''}:{content_hash}:{sibling_index}"
    return f"{task_type}_{hashlib.sha256(place.encode()).hexdigest()[:_ID_LENGTH]}"


def adopt_children(parent: Task, subtasks: Sequence[Task]) -> list[Task]:
    """Return copies of the subtasks as children of `parent`: depth, parent and id set, lineage handed down."""
    return [
        replace(
            child,
            task_id=_task_id(parent.task_id, child.task_type, child.content_hash(), place),
            parent_task_id=parent.task_id,
            depth=parent.depth + 1,
            method_path=parent.method_path,
        )
        for place, child in enumerate(subtasks)
    ]
