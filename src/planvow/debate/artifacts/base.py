"""The base of all artifacts: an id made from content, and the lineage that led to it.

Keyword-only, because the seed's positional form cannot be imported (a required field after a defaulted one). The
task that made an artifact is known inside; across the boundary only the names of methods are shown (seed 000,
section 7).
"""

from __future__ import annotations

from abc import ABC
from dataclasses import dataclass, field

from planvow.kernel.perform.journal import Journaled
from planvow.kernel.perform.task import Task

Span = tuple[int, int]


@dataclass(kw_only=True)
class Artifact(Journaled, ABC):
    """Something the analysis found.

    >>> len(found.artifacts) > len(found.claims)
    True
    """

    artifact_id: str
    artifact_type: str = field(init=False)
    created_by_task: str | None = None
    created_by_method: str | None = None
    method_path: tuple[str, ...] = ()
    """Names of the methods from the root to the one that made this."""

    def __post_init__(self) -> None:
        self.artifact_type = type(self).__name__

    def credit(self, task: Task) -> None:
        """Note which task and methods made this artifact."""
        self.created_by_task = task.task_id
        self.created_by_method = task.method_path[-1] if task.method_path else None
        self.method_path = task.method_path
